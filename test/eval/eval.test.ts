import fs from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { rules } from '../../src/model/evaluators/rules.ts';
import { unit } from '../../src/vault/records/values.ts';
import { loadCases } from './case.ts';
import { type Evaluation, evaluate, figuresOf } from './evaluation.ts';
import { rulesReader } from './reader.ts';
import { wrongActsOf } from './report.ts';

const part = z.strictObject({ precision: unit, recall: unit, decisions: unit });
const recorded = z
  .strictObject({ tuned: part, held_out: part })
  .parse(JSON.parse(fs.readFileSync(new URL('./recorded.json', import.meta.url), 'utf8')));

let evaluation: Evaluation;

beforeAll(async () => {
  evaluation = await evaluate(loadCases(), rulesReader, rules);
});

test('the set is large enough to tell, and a third of it is held out', () => {
  const { answers } = evaluation;
  const heldOut = answers.filter(({ mail }) => mail.held_out);
  expect(answers.length).toBeGreaterThanOrEqual(200);
  expect(heldOut.length).toBeGreaterThanOrEqual(answers.length / 3);
});

test('nothing is done wrongly without a person', () => {
  expect(wrongActsOf(evaluation)).toEqual([]);
});

test('every quote stands in its mail, word for word', () => {
  const odd = evaluation.answers.flatMap(({ mail, guesses }) =>
    guesses.map(({ draft }) => draft.raw_quote).filter((quote) => !`${mail.subject}\n${mail.text}`.includes(quote)),
  );
  expect(odd).toEqual([]);
});

test.each(['tuned', 'held_out'] as const)('the figures of the %s part are not below the recorded ones', (name) => {
  const [now, before] = [figuresOf(evaluation)[name], recorded[name]];
  expect(now.precision).toBeGreaterThanOrEqual(before.precision);
  expect(now.recall).toBeGreaterThanOrEqual(before.recall);
  expect(now.decisions).toBeGreaterThanOrEqual(before.decisions);
});
