import fs from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readByPhrases } from '../../src/reading/read-event.ts';
import { TargetIndex } from '../../src/reading/targets.ts';
import { candidate, eventWith } from '../support/events.ts';

const OFFICE = 'office@harbour.example';
const scene = z.strictObject({
  tasks: z.array(z.string()),
  subject: z.string().default(''),
  text: z.string(),
  from: z.string().default(OFFICE),
  keywords: z.array(z.string()).default([]),
  expect: z.array(z.string()),
});
const FILE = new URL('./cases/misreadings.yaml', import.meta.url);
const MISREADINGS = z
  .array(z.strictObject({ about: z.string(), cases: z.array(scene) }))
  .parse(load(fs.readFileSync(FILE, 'utf8')));

/** Returns what is proposed, as `task: what`. All tasks belong to one matter of the office at the harbour. */
function proposedIn({ tasks, text, subject, from, keywords }: z.infer<typeof scene>): readonly string[] {
  const index = new TargetIndex();
  const matter = 'matter/Seagull.md';
  index.add(candidate({ path: matter, senders: [OFFICE], keywords }));
  for (const task of tasks) index.add(candidate({ path: `task/${task}.md`, matterPath: matter }));
  return readByPhrases(eventWith({ text, subject, from }), index).meanings.flatMap(({ target, proposal }) => {
    const set = Object.entries(proposal?.set ?? {}).map(([field, value]) => `${field} ${String(value)}`);
    return proposal === null ? [] : [`${target.replace(/^task\/|\.md$/g, '')}: ${set.join(', ')}`];
  });
}

describe.each(MISREADINGS)('$about', ({ cases }) => {
  it.each(cases)('$text', (each) => {
    expect(proposedIn(each)).toEqual(each.expect);
  });
});

describe('a known sender', () => {
  it('wins over a stray word of another matter', () => {
    const index = new TargetIndex();
    index.add(candidate({ path: 'matter/Seagull.md', senders: [OFFICE] }));
    index.add(candidate({ path: 'task/Liegeplatz zahlen.md', matterPath: 'matter/Seagull.md' }));
    index.add(candidate({ path: 'matter/Studio.md', senders: ['studio@elsewhere.example'], keywords: ['Rechnung'] }));
    index.add(candidate({ path: 'task/Rechnung.md', matterPath: 'matter/Studio.md' }));
    const { meanings } = readByPhrases(eventWith({ from: OFFICE, text: 'Ihre Rechnung wurde bezahlt.' }), index);
    expect(meanings.map(({ target, ambiguous }) => [target, ambiguous])).toEqual([
      ['task/Liegeplatz zahlen.md', false],
    ]);
  });

  it('is never sure enough to be acted on by that alone', () => {
    const index = new TargetIndex();
    index.add(candidate({ path: 'matter/Seagull.md', senders: [OFFICE] }));
    index.add(candidate({ path: 'task/Pay the mooring.md', matterPath: 'matter/Seagull.md' }));
    const { meanings } = readByPhrases(eventWith({ from: OFFICE, text: 'Your payment has been received.' }), index);
    expect(meanings.map(({ target }) => target)).toEqual(['task/Pay the mooring.md']);
    expect(meanings[0]?.targetConfidence).toBeLessThan(0.85);
  });
});
