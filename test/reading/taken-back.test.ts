import fs from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readByRules } from '../../src/reading/read-event.ts';
import type { StandingChange } from '../../src/steward/types.ts';
import { candidate, eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';
import { indexOf } from './rivals.ts';

const CASES = z
  .array(z.strictObject({ back: z.string().nullable(), text: z.string() }))
  .parse(load(fs.readFileSync(new URL('cases/taken-back.yaml', import.meta.url), 'utf8')));

const [KILN, FENCE, VISIT] = ['Return the kiln', 'Zaun streichen', 'Visit of the surveyor'].map(
  (name) => `task/${name}.md`,
) as [string, string, string];
const SENDER = 'otto@kiln-hire.example';

const index = indexOf([
  candidate({ path: 'matter/Yard.md', senders: [SENDER] }),
  candidate({ path: KILN, matterPath: 'matter/Yard.md', state: 'done' }),
  candidate({ path: FENCE, matterPath: 'matter/Yard.md', state: 'done' }),
  candidate({ path: VISIT, matterPath: 'matter/Yard.md', due: '2026-12-11' }),
]);

const at = '2026-11-18T09:00:00Z';
const STANDING: readonly StandingChange[] = [
  { note: KILN, field: 'state', before: 'open', quote: 'The kiln has been returned.', at },
  { note: FENCE, field: 'state', before: 'open', quote: 'Der Zaun ist gestrichen.', at },
  { note: VISIT, field: 'due', before: '2026-12-08', quote: 'moved to 11 December', at },
];

function takenBackBy(text: string, standing = STANDING) {
  const event = eventWith({ from: SENDER, subject: 'News', text: `Dear Robin,\n\n${text}\n\nOtto` });
  return readByRules(event, { index, learnt: LEARNT, standing: () => standing }).meanings.filter(
    ({ takesBack }) => takesBack,
  );
}

describe('a sender who takes back what was changed on their word', () => {
  it.each(CASES)('takes back $back: $text', ({ back, text }) => {
    expect(takenBackBy(text).map(({ target }) => target)).toEqual(back === null ? [] : [`task/${back}.md`]);
  });

  it('leads to a proposal of the earlier value, with a doubt that says why', () => {
    const [meaning] = takenBackBy('Our last mail was wrong. The surveyor comes as planned at first.');
    expect(meaning?.proposal?.set).toEqual({ due: '2026-12-08' });
    expect(meaning?.doubts).toEqual([
      'It may take back “moved to 11 December”, which the same sender wrote on 18 November.',
    ]);
  });

  it('gives way to a new day', () => {
    expect(takenBackBy('Our last mail was wrong. The visit of the surveyor was moved to 10 December.')).toEqual([]);
  });

  it('means their only change if the mail names no other', () => {
    expect(takenBackBy('Please ignore my last mail.', STANDING.slice(0, 1))).toHaveLength(1);
    expect(takenBackBy('Please ignore my last mail.')).toEqual([]);
    expect(takenBackBy('Please ignore my last mail.', [])).toEqual([]);
  });
});
