import fs from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readByRules } from '../../src/reading/read-event.ts';
import { type TargetCandidate, TargetIndex } from '../../src/reading/targets.ts';
import { makeDrafts, type SignalDraft } from '../../src/streams/signal.ts';
import { eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';

const ANNA = 'anna@harrow-conveyancing.example';
const CASES = z
  .array(z.strictObject({ acts: z.boolean(), text: z.string(), greeting: z.string().default('Dear Robin,\n\n') }))
  .parse(load(fs.readFileSync(new URL('cases/complete.yaml', import.meta.url), 'utf8')));

/** A sentence of a licensed sender, with the task that it is about: the key. */
const SENTENCES = z.array(z.record(z.string(), z.string()));
const BY_LANGUAGE = z
  .array(z.strictObject({ lang: z.string(), tasks: z.array(z.string()), acts: SENTENCES, stays: SENTENCES }))
  .parse(load(fs.readFileSync(new URL('cases/complete-languages.yaml', import.meta.url), 'utf8')));

function note(path: string, matterPath: string | null, senders: readonly string[] = []): TargetCandidate {
  const [, kind, name = ''] = /^(matter|task)\/(?:.+\/)?(.+)\.md$/.exec(path) ?? [];
  return {
    ...{ kind: kind === 'matter' ? 'matter' : 'task', path, name, matterPath, senders },
    ...{ aliases: [], keywords: [], summary: '', state: 'open' },
  };
}

function draftsFor(text: string, notes: readonly TargetCandidate[]): readonly SignalDraft[] {
  const index = new TargetIndex();
  for (const one of notes) index.add(one);
  const event = eventWith({ from: ANNA, subject: 'News', text: `${text}\n\nAnna` });
  const read = readByRules(event, { index, learnt: LEARNT });
  return makeDrafts(event, read, index, { now: new Date(), standingOf: () => 'licensed', confidenceOf: () => 1 });
}

const mayAct = (draft: SignalDraft) =>
  draft.effect === 'mutation' &&
  !draft.target_ambiguous &&
  draft.doubts === undefined &&
  Math.min(draft.effect_confidence_raw, draft.target_confidence) >= 0.85;

it.each(CASES)('acts: $acts: $text', ({ acts, text, greeting }) => {
  const house = note('matter/House.md', null, [ANNA]);
  const tasks = ['Install the boiler', 'Repair the fence', 'Pay the deposit'];
  const drafts = draftsFor(greeting + text, [house, ...tasks.map((name) => note(`task/${name}.md`, house.path))]);
  expect(drafts.filter(mayAct).map((draft) => draft.target_path)).toEqual(acts ? ['task/Install the boiler.md'] : []);
});

describe.each(BY_LANGUAGE)('in $lang', ({ tasks, acts, stays }) => {
  const actedOn = (text: string) => {
    const house = note('matter/House.md', null, [ANNA]);
    const drafts = draftsFor(text, [house, ...tasks.map((name) => note(`task/${name}.md`, house.path))]);
    return drafts.filter(mayAct).map((draft) => draft.target_path);
  };

  it.each(acts.flatMap((one) => Object.entries(one)))('acts on %s: %s', (task, text) => {
    expect(actedOn(text)).toEqual([`task/${task}.md`]);
  });

  it.each(stays.flatMap((one) => Object.entries(one)))('only proposes %s: %s', (_, text) => {
    expect(actedOn(text)).toEqual([]);
  });
});

it('of two tasks with one name neither is acted upon, and both are offered', () => {
  const matters = ['Flat', 'House'].map((name) => note(`matter/${name}.md`, null, [ANNA]));
  const tasks = matters.map(({ name, path }) => note(`task/${name}/Repaint the fence.md`, path));
  const drafts = draftsFor('The fence has been repainted.', [...matters, ...tasks]);
  expect(drafts.map((draft) => draft.target_ambiguous)).toEqual([true]);
  expect(drafts[0]?.target_candidates.toSorted()).toEqual(tasks.map(({ path }) => path));
});
