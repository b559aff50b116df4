import { expect, test } from 'vitest';
import { ApiKey } from '../../src/daemon/api-key.ts';
import { Clock } from '../support/clock.ts';
import { HOUSE, settings } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';

/** What is said of the settings; nothing is asked of anybody. */
async function said(fields: Parameters<typeof settings>[0], at: string, baseUrl: string | null = null) {
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings(fields) });
  const env = { ...LIVE, provider: { key: new ApiKey('any-word'), baseUrl } };
  const clock = new Clock();
  clock.move(Date.parse(at) - Date.now());
  const bench = await Bench.open(vault, { env, clock });
  return {
    model: bench.evaluator.name,
    troubles: bench.status().trouble.filter(({ code }) => code === 'model-retired'),
  };
}

test('a model that is no more is named with its successor, and none is put in its place', async () => {
  const { model, troubles } = await said({ model_evaluation: 'claude-sonnet-4-20250514' }, '2026-11-22T00:00:00Z');
  expect(model).toBe('claude-sonnet-4-20250514');
  expect(troubles).toMatchObject([
    {
      file: 'steward.md',
      message: 'claude-sonnet-4-20250514, which model_evaluation names, was retired by its provider on 2026-06-15.',
      hint: expect.stringContaining('Set model_evaluation to claude-sonnet-4-6'),
    },
  ]);
});

test('one that is still there is announced', async () => {
  const fields = { model_evaluation: 'claude-sonnet-4-5' };
  const before = await said(fields, '2026-11-29T23:00:00Z');
  expect(before.troubles[0]?.message).toContain('will be retired by its provider on 2026-11-30');
  const after = await said(fields, '2026-11-30T00:00:00Z');
  expect(after.troubles[0]?.message).toContain('was retired');
});

test('each setting that names a model is looked at, those of evidence also where the rules evaluate', async () => {
  const old = { haiku_model: 'claude-3-haiku-20240307', model_extraction: 'claude-3-5-haiku-latest' };
  const named = async (fields: Parameters<typeof settings>[0]) => {
    const { troubles } = await said(fields, '2026-11-22T00:00:00Z');
    return troubles.map(({ message }) => /which (\w+) names/.exec(message)?.[1]);
  };
  expect(await named(old)).toEqual(['model_extraction', 'haiku_model']);
  expect(await named({ ...old, evaluator: 'rules' })).toEqual(['haiku_model']);
});

test.each([
  ['another model', { model_evaluation: 'claude-sonnet-5-5' }, null],
  ['another server, which may go on with it', { model_evaluation: 'claude-sonnet-4-0' }, 'http://127.0.0.1:4000'],
  ['no model asked', { model_evaluation: 'claude-sonnet-4-0', evaluator: 'rules' }, null],
])('%s: nothing is said', async (_, fields, baseUrl) => {
  expect((await said(fields, '2026-11-22T00:00:00Z', baseUrl)).troubles).toEqual([]);
});
