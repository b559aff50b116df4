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

it.each([
  ['Your boiler 88-40417 has been installed.', []],
  [
    'Your boiler 88-50518 has been installed.',
    [
      'It is about 88-50518, which neither this note nor its matter names.',
      "It says “88-50518”, which isn't in the name, aliases, keywords or summary of this note or its matter.",
    ],
  ],
])('a number of the note’s body is no stranger: %s', (text, doubts) => {
  const house = note('matter/House.md', null, [ANNA]);
  const task = { ...note('task/Install the boiler.md', house.path), numbers: 'Order no. 88-40417' };
  expect(draftsFor(`Dear Robin,\n\n${text}`, [house, task]).map((draft) => draft.doubts ?? [])).toEqual([doubts]);
});

describe('a polite word', () => {
  const doubtsOf = (task: string, text: string) => {
    const house = note('matter/House.md', null, [ANNA]);
    const drafts = draftsFor(`Hello Robin,\n\n${text}`, [house, note(`task/${task}.md`, house.path)]);
    return drafts.map(({ mutation_proposal: proposal, doubts }) => ({ due: proposal?.set?.due, doubts }));
  };

  it.each([
    ['bitte reichen Sie die Belege erst bis zum 10. Januar 2027 ein.', 'Belege einreichen'],
    ['the receipts are now due by 10 January 2027, please.', 'Submit receipts'],
    ['la révision de la chaudière est reportée au 10 janvier 2027, merci de le noter.', 'Révision chaudière'],
    ['si prega, la revisione della caldaia è rinviata al 10 gennaio 2027.', 'Revisione caldaia'],
    ['de keuring van de ketel is graag verschoven naar 10 januari 2027.', 'Keuring ketel'],
  ])('is no doubt about a day: %s', (text, task) => {
    expect(doubtsOf(task, text)).toEqual([{ due: '2027-01-10', doubts: undefined }]);
  });

  // Such words ask for it.
  it('remains a doubt about news that something is done', () => {
    expect(doubtsOf('Kessel einbauen', 'Der Kessel ist bitte eingebaut.')[0]?.doubts).toContain(
      "It says “bitte”, which isn't in the name, aliases, keywords or summary of this note or its matter.",
    );
    const split = 'dien de bonnen alstublieft uiterlijk op 10 januari 2027 in.';
    expect(doubtsOf('Bonnen indienen', split)[0]?.doubts).toContain(
      "It says “alstublieft”, which isn't in the name, aliases, keywords or summary of this note or its matter.",
    );
  });
});

describe('the word that a note lacks', () => {
  const doubtsOf = (text: string, task: string) => {
    const house = note('matter/House.md', null, [ANNA]);
    return draftsFor(text, [house, note(`task/${task}.md`, house.path)]).flatMap(({ doubts = [] }) => doubts);
  };

  it.each([
    ['Den Zaun habe ich mit Harald gestrichen.', 'Zaun streichen', 'It says “Harald”, which'],
    ['So the very old boiler has been installed in the pavilion.', 'Install the boiler', 'It says “pavilion”, which'],
  ])('is the most telling one: %s', (text, task, said) => {
    expect(doubtsOf(text, task).join('\n')).toContain(said);
  });
});
