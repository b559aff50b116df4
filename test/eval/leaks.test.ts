import path from 'node:path';
import { expect, test } from 'vitest';
import type { CaseSet } from './case.ts';
import { leaksBetween, TRACES, type Traces, tracesOf, tracesOfData } from './leaks.ts';
import { madeUpCases, madeUpMail } from './made-up.ts';
import { partsNamed } from './parts.ts';

const DATA = path.join(import.meta.dirname, '../../train/data');

/** The first cases are both tuned on and learnt from: those of them that are held out belong to the same vault. */
const learnt = tracesOf(setsOf('first tuned', 'first held out', 'train'));
const sentences = tracesOfData(DATA);
const tune = tracesOf(setsOf('tune'));
const blind = tracesOf(setsOf('test'));

test.each([
  ['the cases that are learnt from', 'those that thresholds are chosen on', learnt, tune],
  ['the sentences that are learnt from', 'the cases that thresholds are chosen on', sentences, tune],
  ['the cases that are learnt from', 'the test', learnt, blind],
  ['the sentences that are learnt from', 'the test', sentences, blind],
])('%s share no family, sender, task or line with %s', (_, __, one, other) => {
  // Only the side that is learnt from is named: nobody looks into the test.
  expect(told(one, other)).toEqual([]);
});

test('the cases that thresholds are chosen on share nothing with the test', () => {
  expect(told(tune, blind)).toEqual([]);
});

test('each kind of trace is found again, in other letters and figures', () => {
  const one = caseSet({
    ...{ task: 'Pay the bill 2025', senders: ['@news.larch.example'], from: 'a@birch.example', template: 'thanks' },
    text: 'Thank you for the 84 euros that you paid us today.',
  });
  const other = caseSet({
    ...{ task: 'pay the BILL 2026', senders: ['@larch.example'], from: 'A@birch.example', template: 'thanks' },
    text: '> Thank you for the 12 euros, that you paid us today!',
  });
  const found = leaksBetween(tracesOf([one]), tracesOf([other])).map(({ trace, words }) => `${trace}: ${words}`);
  expect(found).toEqual([
    'template: thanks',
    'sender: a@birch.example',
    'domain: larch.example',
    'domain: birch.example',
    'task: pay the bill',
    'line: thank you for the euros that you paid us today',
  ]);
  expect(TRACES.every((trace) => found.some((each) => each.startsWith(trace)))).toBe(true);
});

test('a provider that anybody may use, and a line that anybody may write, are no traces', () => {
  const plain = { task: 'Call', senders: [], template: '', text: 'Thank you, and kind regards from all of us.' };
  const one = caseSet({ ...plain, task: 'One', from: 'one@postbox.example', text: 'Kind regards from all of us' });
  const other = caseSet({
    ...plain,
    task: 'Other',
    from: 'other@postbox.example',
    text: 'Kind regards from all of us',
  });
  expect(leaksBetween(tracesOf([one]), tracesOf([other]))).toEqual([]);
});

function setsOf(...names: Parameters<typeof partsNamed>[0]): readonly CaseSet[] {
  return partsNamed(names).flatMap(({ sets }) => sets);
}

function told(one: Traces, other: Traces): readonly string[] {
  return leaksBetween(one, other).map(({ trace, words, at }) => `${trace} "${words}" in ${at}`);
}

interface Written {
  readonly task: string;
  readonly senders: readonly string[];
  readonly from: string;
  readonly template: string;
  readonly text: string;
}

function caseSet({ task, senders, ...mail }: Written): CaseSet {
  return madeUpCases([{ task }], [madeUpMail(mail)], senders);
}
