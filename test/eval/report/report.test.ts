import { describe, expect, test } from 'vitest';
import { rules } from '../../../src/providers/substitutes.ts';
import type { Meaning } from '../../../src/steward/types.ts';
import { makeDrafts } from '../../../src/streams/signal.ts';
import type { MailCase } from '../case.ts';
import { evaluate } from '../evaluation.ts';
import { madeUpCases, madeUpMail } from '../made-up.ts';
import type { Reader } from '../reader.ts';
import { type Figures, figuresOf } from './figures.ts';
import { markdown } from './markdown.ts';
import { wrongActsOf } from './misses.ts';
import { shareOf } from './share.ts';
import { report } from './text.ts';

const TASKS = [
  { task: 'Pay the rent' },
  { task: 'Roof visit', due: '2026-11-30' },
  { task: 'Piano lessons' },
  { task: 'Notary', due: '2026-12-01T09:00' },
];
const RENT = madeUpMail({
  ...{ id: 'rent', from: 'landlord@birch.example', style: 'notification' },
  text: 'Thank you. The rent has arrived.',
  expect: [{ note: 'Pay the rent', quote: 'has arrived', set: { state: 'done' } }],
});
const ROOF = madeUpMail({
  ...{ id: 'roof', lang: 'de' },
  text: 'Wir kommen am 4. Dezember um 10 Uhr. Das Dach ist dann dran.',
  expect: [{ note: 'Roof visit', quote: '4. Dezember', set: { due: '2026-12-04' } }],
});
const PIANO = madeUpMail({
  ...{ id: 'piano', from: 'teacher@larch.example' },
  text: 'No more lessons from me. Could you bring the book back?',
  expect: [
    { note: 'Piano lessons', quote: 'No more lessons', set: { state: 'archived' } },
    { note: 'Some matter', quote: 'bring the book back', set: null },
  ],
});

/** What a made-up reader says of each mail, by its id. */
type Said = Readonly<Record<string, readonly Partial<Meaning>[]>>;

const SAID: Said = {
  rent: [{ ...meaning('Pay the rent', 'has arrived', { state: 'done' }), ...surely(0.97) }],
  // Another quote, and a time that the task does not keep.
  roof: [{ ...meaning('Roof visit', 'Das Dach', { due: '2026-12-04T10:00:00' }), ...surely(0.7) }],
  piano: [{ ...meaning('Pay the rent', 'No more lessons', { state: 'archived' }), ...surely(0.6), ambiguous: true }],
};

describe('the interval', () => {
  test.each([
    [0, 10, 0, 0.2775],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [85, 100, 0.7672, 0.9069],
  ])('of %i of %i is from %f to %f', (count, of, low, high) => {
    const share = shareOf(count, of);
    expect(share.low).toBeCloseTo(low, 4);
    expect(share.high).toBeCloseTo(high, 4);
  });

  test('of nothing is everything', () => {
    expect(shareOf(0, 0)).toEqual({ count: 0, of: 0, share: null, low: 0, high: 1 });
  });
});

describe('three mails', () => {
  test('are right by note, value and quote, or whatever is quoted', async () => {
    const { changes, requests, quiet } = await measured(SAID);
    expect(counts(changes.strict)).toEqual({ precision: [1, 2], recall: [1, 3] });
    expect(counts(changes.loose)).toEqual({ precision: [2, 2], recall: [2, 3] });
    expect(counts(requests.strict)).toEqual({ precision: [0, 0], recall: [0, 1] });
    expect(quiet.left_alone.of).toBe(0);
  });

  test('are followed from what is heard to what is done alone', async () => {
    const { stages } = await measured(SAID);
    expect(stageCounts(stages.changes)).toEqual([
      [3, 3],
      [2, 3],
      [2, 2],
      [1, 2],
    ]);
    expect(stageCounts(stages.archived)).toEqual([
      [1, 1],
      [0, 1],
      [0, 0],
      [0, 0],
    ]);
    expect(stageCounts(stages.asks)[0]).toEqual([0, 1]);
  });

  test('fall into groups', async () => {
    const { by } = await measured(SAID);
    expect(Object.keys(by.language ?? {})).toEqual(['de', 'en']);
    expect(Object.keys(by.sender ?? {})).toEqual(['known', 'unknown']);
    expect(Object.keys(by.change ?? {})).toEqual(['done', 'due', 'archived', 'asks']);
    expect(counts(by.style?.notification?.strict)).toEqual({ precision: [1, 1], recall: [1, 1] });
  });

  test('show how sure the reader was, and how often it was right', async () => {
    const { reliability } = await measured(SAID);
    expect(reliability.strict.brier).toBeCloseTo((0.03 ** 2 + 0.7 ** 2) / 2);
    expect(reliability.loose.brier).toBeCloseTo((0.03 ** 2 + 0.3 ** 2) / 2);
    expect(reliability.strict.bins.map(({ from, right }) => [from, right.count, right.of])).toEqual([
      [0.65, 0, 1],
      [0.9, 1, 1],
    ]);
  });

  test('are told of in lines of at most 100 columns, and in tables', async () => {
    const result = await resultOf(SAID);
    const lines = report(figuresOf(result), result, true).split('\n');
    const tables = lines.filter((line) => !/^ {2}\w/.test(line));
    expect(Math.max(...tables.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines).toContain(
      'Done without a person: 1; wrongly: 0, whatever is quoted: 0; at most 79.3 % of such (95 %).',
    );
    expect(markdown([figuresOf(result)])).toContain(
      '| test | 3 | 3 | 50.0 % (9–91) | 100.0 % | 33.3 % (6–79) | 66.7 % |',
    );
  });

  test('give no line of their misses where the part is blind', async () => {
    const result = await resultOf(SAID);
    const told = report(figuresOf({ ...result, isBlind: true }), { ...result, isBlind: true }, true);
    expect(told).not.toContain('Piano lessons');
    expect(report(figuresOf(result), result, true)).toContain('Piano lessons');
  });
});

test('what would be done wrongly is counted, and named', async () => {
  const result = await resultOf({
    rent: [{ ...meaning('Pay the rent', 'has arrived', { state: 'archived' }), ...surely(0.97) }],
  });
  expect(figuresOf(result).wrong_acts.loose).toMatchObject({ count: 1, of: 1 });
  expect(wrongActsOf(result)).toEqual([expect.stringContaining('made-up/rent: state: archived → Pay the rent')]);
});

test('a mail that changes nothing is left alone, or something is made of it', async () => {
  const mails = [1, 2].map((nth) => madeUpMail({ id: nth === 1 ? 'odd' : 'even', text: 'Nothing has arrived.' }));
  const said = { odd: [{ ...meaning('Pay the rent', 'has arrived', { state: 'done' }), ...surely(0.6) }] };
  const { quiet, changes } = await measured(said, mails);
  expect(quiet).toMatchObject({ heard: { count: 1, of: 2 }, left_alone: { count: 1, of: 2 } });
  expect(changes.strict.precision).toMatchObject({ count: 0, of: 1 });
});

test('a change that may mean several notes is left to a person: it is laid to the right one, but not found', async () => {
  const said = {
    rent: [{ ...meaning('Pay the rent', 'has arrived', { state: 'done' }), ...surely(0.97), ambiguous: true }],
  };
  const { changes, stages, wrong_acts: wrongActs } = await measured(said, [RENT]);
  expect(counts(changes.loose)).toEqual({ precision: [0, 0], recall: [0, 1] });
  expect(stageCounts(stages.done).slice(0, 3)).toEqual([
    [1, 1],
    [1, 1],
    [0, 1],
  ]);
  expect(wrongActs.strict.of).toBe(0);
});

test('the right change by other words is not the one that was expected, and counts as done wrongly', async () => {
  const result = await resultOf({
    rent: [{ ...meaning('Pay the rent', 'Thank you', { state: 'done' }), ...surely(0.97) }],
  });
  expect(figuresOf(result).wrong_acts).toMatchObject({ strict: { count: 1 }, loose: { count: 0 } });
});

test.each([
  ['the time of a task that has one', '2026-12-02T10:00:00', 1],
  ['another time of a task that has one', '2026-12-02T11:00:00', 0],
])('a day with %s counts so', async (_, due, right) => {
  const mail = madeUpMail({
    ...{ id: 'notary', text: 'It is tomorrow at ten.' },
    expect: [{ note: 'Notary', quote: 'tomorrow', set: { due: '2026-12-02T10:00' } }],
  });
  const said = { notary: [{ ...meaning('Notary', 'tomorrow', { due }), ...surely(0.7) }] };
  expect((await measured(said, [mail])).changes.strict.precision).toMatchObject({ count: right, of: 1 });
});

async function measured(said: Said, mails?: readonly MailCase[]): Promise<Figures> {
  return figuresOf(await resultOf(said, mails));
}

async function resultOf(said: Said, mails: readonly MailCase[] = [RENT, ROOF, PIANO]) {
  const evaluation = await evaluate(madeUpCases(TASKS, mails, ['@birch.example']), readerSaying(said), rules);
  return { part: 'test' as const, isBlind: false, ...evaluation };
}

function readerSaying(said: Said): Reader {
  return {
    name: 'made up',
    async read(event, index, now) {
      const id = /([a-z]+)\.eml$/.exec(event.path)?.[1] ?? '';
      const meanings = (said[id] ?? []).map((each) => ({ ...NOTHING_MEANT, ...each }));
      const read = { meanings, skipped: null, rejected: [], unusable: null, extractor: 'made up', usage: null };
      const context = { now, standingOf: () => 'unknown' as const, confidenceOf: () => 1 };
      return makeDrafts(event, read, index, context);
    },
  };
}

const NOTHING_MEANT: Meaning = {
  ...{ target: '', candidates: [], ambiguous: false, targetConfidence: 0, targetEvidence: [], targetNear: true },
  ...{ endsMatter: false, proposal: null, quote: '', effectConfidence: 0, reasoning: 'It says so.' },
};

function meaning(task: string, quote: string, set: Readonly<Record<string, string>>): Partial<Meaning> {
  const target = `task/${task}.md`;
  const name = 'due' in set ? ('context_edit' as const) : ('state_change' as const);
  return { target, candidates: [target], quote, proposal: { class: name, set, add: {}, remove: {} } };
}

function surely(confidence: number): Partial<Meaning> {
  return { targetConfidence: confidence, targetEvidence: ['link'], effectConfidence: confidence };
}

function counts(score: Figures['changes']['strict'] | undefined) {
  const of = (share: { readonly count: number; readonly of: number } | undefined) => [share?.count, share?.of];
  return { precision: of(score?.precision), recall: of(score?.recall) };
}

function stageCounts(stages: Figures['stages']['changes']) {
  return [stages?.heard, stages?.placed, stages?.proposed, stages?.acted].map((one) => [one?.count, one?.of]);
}
