import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { candidatesFor } from '../../src/reading/candidates.ts';
import { readByRules } from '../../src/reading/read-event.ts';
import type { TargetCandidate, TargetIndex } from '../../src/reading/targets.ts';
import type { PastAnswer, StreamEvent } from '../../src/steward/types.ts';
import { makeDrafts, type SignalDraft } from '../../src/streams/signal.ts';
import { actedUpon } from '../eval/compare/acting.ts';
import { candidate, eventWith } from '../support/events.ts';
import { lawRuns } from '../support/laws.ts';
import { LEARNT } from '../support/learnt.ts';
import { indexOf, mails, RIVALS } from './rivals.ts';

const TILES = 'task/Order the kitchen tiles.md';
const FENCE = 'task/Repair the garden fence.md';
const OLD = 'task/Choose the worktop.md';
const HOUSE = 'matter/Cottage.md';

const index = indexOf([
  candidate({ path: HOUSE }),
  candidate({ path: 'matter/Boat.md' }),
  ...[TILES, FENCE].map((path) => candidate({ path, matterPath: HOUSE })),
  candidate({ path: OLD, matterPath: HOUSE, state: 'done' }),
  candidate({ path: 'task/Varnish the boat.md', matterPath: 'matter/Boat.md' }),
]);

const EVENT = eventWith({
  ...{ from: 'anna@tilery.example', subject: 'News' },
  text: 'Dear Robin,\n\nYour tiles came today, forty boxes in all.\n\nAnna',
});

const right = (note: string): PastAnswer => ({ note, isRight: true });
const wrong = (note: string): PastAnswer => ({ note, isRight: false });

function likelihoodOf(answers: readonly PastAnswer[], task = TILES): number {
  const tiers = { proposeFrom: 0.01, askFrom: 0.001 };
  const { meanings } = readByRules(EVENT, { index, learnt: LEARNT, tiers, answers: () => answers });
  return meanings.find(({ target }) => target === task)?.targetConfidence ?? 0;
}

describe('the answers about a sender', () => {
  it('make every open task of a matter likelier about which the sender was right', () => {
    expect(likelihoodOf([right(OLD)])).toBeGreaterThan(likelihoodOf([]));
    expect(likelihoodOf([right(OLD), right(OLD)])).toBeGreaterThan(likelihoodOf([right(OLD)]));
    expect(likelihoodOf([right('task/Varnish the boat.md')])).toBe(likelihoodOf([]));
  });

  it('make a task less likely about which the sender was wrong, and no other', () => {
    expect(likelihoodOf([wrong(TILES)])).toBeLessThan(likelihoodOf([]));
    expect(likelihoodOf([wrong(FENCE)])).toBe(likelihoodOf([]));
  });

  it('make a question of what would be set aside, and name themselves as a reason', () => {
    const before = likelihoodOf([]);
    const known = { index, learnt: LEARNT, tiers: { proposeFrom: 0.99, askFrom: before + 0.01 } };
    expect(readByRules(EVENT, known).meanings).toEqual([]);
    const [asked] = readByRules(EVENT, { ...known, answers: () => [right(OLD)] }).meanings;
    expect(asked).toMatchObject({ target: TILES, ambiguous: true });
    expect(asked?.reasoning).toContain('You found this sender right about this matter once.');
    expect(asked?.targetEvidence).not.toContain('sender');
  });

  it('have the open tasks of such a matter offered to a model, and say why', () => {
    const crowd = Array.from({ length: 80 }, (_, nth) =>
      candidate({ path: `task/Errand ${nth}.md`, due: '2026-11-21' }),
    );
    const large = indexOf([
      ...crowd,
      candidate({ path: HOUSE }),
      candidate({ path: FENCE, matterPath: HOUSE }),
      done(),
    ]);
    const event = eventWith({ from: 'anna@tilery.example', subject: 'Hello', text: 'All is well here.' });
    const offered = (answers: readonly PastAnswer[]) =>
      candidatesFor(event, { index: large, learnt: LEARNT, answers: () => answers });
    expect(offered([]).map(({ path }) => path)).not.toContain(FENCE);
    const [first, second] = offered([right(OLD)]);
    expect([first?.path, first?.why]).toEqual([HOUSE, 'your earlier answers']);
    expect(second?.path).toBe(FENCE);
  });
});

test('whatever was answered, no change is made for it that the mail alone would not make', () => {
  const rivals = indexOf(RIVALS);
  const answer = fc.record({ note: fc.constantFrom(...RIVALS.map(({ path }) => path)), isRight: fc.boolean() });
  fc.assert(
    fc.property(mails, fc.array(answer, { maxLength: 12 }), (event, answers) => {
      const alone = new Set(madeOf(event, rivals, []));
      for (const change of madeOf(event, rivals, answers)) expect(alone).toContain(change);
    }),
    { numRuns: lawRuns(30) },
  );
});

test.each([
  ['The kitchen tiles have been ordered.', 1],
  ['I dreamt that the kitchen tiles have been ordered.', 0],
  ['Your tiles came today, forty boxes in all.', 0],
])('many right answers let no other mail change a note: %s', (text, made) => {
  const owned = indexOf([
    candidate({ path: HOUSE, senders: ['anna@tilery.example'] }),
    candidate({ path: TILES, matterPath: HOUSE }),
    done(),
  ]);
  const event = eventWith({ from: 'anna@tilery.example', subject: 'Tiles', text });
  const many = Array.from({ length: 40 }, () => right(OLD));
  expect(madeOf(event, owned, [])).toHaveLength(made);
  expect(madeOf(event, owned, many)).toHaveLength(made);
});

test('right answers decide no tie: what the trained reader lays to another task stays a proposal', () => {
  const from = 'anna@tilery.example';
  const twin = 'task/Have the kitchen tiles ordered.md';
  const both = indexOf([
    ...[HOUSE, 'matter/Boat.md'].map((path) => candidate({ path, senders: [from] })),
    ...[candidate({ path: TILES, matterPath: HOUSE }), candidate({ path: twin, matterPath: 'matter/Boat.md' }), done()],
  ]);
  const event = eventWith({ from, subject: 'Tiles', text: 'I have ordered the kitchen tiles.' });
  const many = Array.from({ length: 40 }, () => right(OLD));
  const [first] = readByRules(event, { index: both, learnt: LEARNT, answers: () => many }).meanings;
  expect(first?.target).toBe(TILES);
  expect(madeOf(event, both, many)).toEqual([]);
});

/** What would be done with a mail if its sender were authenticated and had a licence for everything. */
function madeOf(event: StreamEvent, notes: TargetIndex, answers: readonly PastAnswer[]): readonly string[] {
  const read = readByRules(event, { index: notes, learnt: LEARNT, answers: () => answers });
  const context = {
    now: new Date('2026-11-20T12:00:00Z'),
    confidenceOf: () => 1,
    standingOf: () => 'licensed' as const,
  };
  return [...actedUpon(makeDrafts(event, read, notes, context))].map(changeOf);
}

function changeOf({ target_path: path, mutation_proposal: proposal }: SignalDraft): string {
  return JSON.stringify([path, proposal]);
}

function done(): TargetCandidate {
  return candidate({ path: OLD, matterPath: HOUSE, state: 'done' });
}
