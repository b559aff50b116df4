import fs from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { rules } from '../../src/providers/substitutes.ts';
import { unit } from '../../src/vault/record.ts';
import { eventOf } from './case-event.ts';
import { textsOf } from './compare/changes.ts';
import { evaluateParts, type PartResult } from './evaluation.ts';
import { PARTS, type PartName, partsNamed } from './parts.ts';
import { rulesReader } from './reader.ts';
import { figuresOf, recordedOf } from './report/figures.ts';
import { wrongActsOf } from './report/misses.ts';

/** The reader knows what it has learnt from: how well it reads that says nothing (train.test.ts asks for wrong acts). */
const MEASURED = PARTS.filter((part) => part !== 'train');
const recorded = z
  .record(z.enum(MEASURED), z.record(z.string(), unit))
  .parse(JSON.parse(fs.readFileSync(new URL('./recorded.json', import.meta.url), 'utf8')));

/** So many mails of each part there should be at least. */
const LEAST = [200, 100, 75, 240];

let results: ReadonlyMap<PartName, PartResult>;

beforeAll(async () => {
  const all = await evaluateParts(partsNamed(MEASURED), rulesReader, rules);
  results = new Map(all.map((each) => [each.part, each]));
});

test('every part is large enough to tell, and a third of the first and of the test changes nothing', () => {
  const sizes = MEASURED.map((part) => answersOf(part).length);
  expect(sizes.map((size, at) => size >= (LEAST[at] ?? 0))).toEqual(MEASURED.map(() => true));
  for (const part of ['first tuned', 'first held out', 'test'] as const) {
    const quiet = answersOf(part).filter(({ mail }) => mail.expect.length === 0);
    expect(quiet.length / answersOf(part).length, part).toBeGreaterThan(1 / 3);
  }
});

test.each(MEASURED)('nothing in the part "%s" is done wrongly without a person', (part) => {
  const wrong = wrongActsOf(resultOf(part));
  expect(figuresOf(resultOf(part)).wrong_acts.loose.count).toBe(0);
  // What a blind part says is not shown. One change of this one is right and quotes another sentence.
  if (resultOf(part).isBlind) expect(wrong.length).toBeLessThanOrEqual(part === 'first held out' ? 1 : 0);
  else expect(wrong).toEqual([]);
});

test.each(MEASURED)('every quote in the part "%s" stands in its mail, word for word', async (part) => {
  const odd = await Promise.all(
    answersOf(part).flatMap(({ mail, guesses }) =>
      guesses.map(async ({ draft }) => {
        const texts = textsOf(mail, (await eventOf(mail)).text);
        return texts.some((text) => text.includes(draft.raw_quote)) ? 0 : 1;
      }),
    ),
  );
  expect(odd.reduce<number>((sum, each) => sum + each, 0)).toBe(0);
});

test('what was only learnt is never so sure that it could be acted upon', () => {
  const learnt = MEASURED.flatMap((part) => answersOf(part).flatMap(({ guesses }) => guesses)).filter(({ draft }) =>
    draft.reasoning.includes('trained reader takes it for'),
  );
  expect(learnt.length).toBeGreaterThan(0);
  expect(learnt.filter(({ draft }) => draft.effect_confidence_raw > 0.84)).toHaveLength(0);
});

test.each(MEASURED)('the figures of the part "%s" are not below the recorded ones', (part) => {
  const now = recordedOf(figuresOf(resultOf(part)));
  const before = recorded[part];
  expect(Object.keys(before)).toEqual(Object.keys(now));
  const below = Object.entries(now).filter(([name, figure]) => figure < (before[name] ?? 1));
  expect(below).toEqual([]);
});

function resultOf(part: PartName): PartResult {
  const result = results.get(part);
  if (result === undefined) throw new Error(`nothing was made of ${part}`);
  return result;
}

function answersOf(part: PartName): PartResult['answers'] {
  return resultOf(part).answers;
}
