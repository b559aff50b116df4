import { expect, test } from 'vitest';
import { checkModels, type ModelCheck } from '../../../src/daemon/decide/model-check.ts';
import { ApiKey, type ProviderAccess } from '../../../src/model/api-key.ts';
import { type Act, MessagesServer } from '../../model/messages-server.ts';
import { Clock, HOUR } from '../../support/clock.ts';
import { HOUSE, settings } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE, only } from '../../support/workspace.ts';

const READY: Act = { do: 'say', text: '{"ready":true}' };

async function bench(provider: ProviderAccess | null, fields: Parameters<typeof settings>[0] = {}): Promise<Bench> {
  const vault = new TempVault({
    ...HOUSE,
    'steward.md': settings({
      model_evaluation: 'some-model',
      model_extraction: 'some-model',
      budget_usd_per_day: 'unlimited',
      ...fields,
    }),
  });
  return Bench.open(vault, { env: { ...LIVE, provider }, clock: new Clock() });
}

const checked = (bench: Bench) => checkModels(bench.ports, bench.budget);
const failureIn = (trial: ModelCheck) => (trial.outcome === 'failed' ? trial.trouble : null);
/** What became of the one model that judges and reads. */
async function tryModel(bench: Bench): Promise<ModelCheck> {
  return only(await checked(bench));
}

test('says by which way the model is held to its form, where it stands, and how long it took', async () => {
  const server = await MessagesServer.start(() => READY);
  const made = await bench(server.access);
  expect(made.status().trouble).toEqual([]);
  expect(server.requests).toEqual([]); // only doctor asks
  expect(await tryModel(made)).toEqual({
    model: 'some-model',
    outcome: 'answered',
    way: 'structured output',
    ms: expect.any(Number),
    server: server.url,
  });
  server.structured = 'refuses';
  server.forced = 'ignores';
  expect(await tryModel(await bench(server.access))).toMatchObject({ way: 'JSON in the text' });
});

test.each([
  ['a wrong key', { do: 'fail', status: 401 }, 'model-key-refused', /ANTHROPIC_API_KEY/],
  ['an unknown model', { do: 'fail', status: 404 }, 'model-unknown-model', /Mend the setting in steward\.md/],
  ['an account without money', { do: 'fail', status: 402 }, 'model-unpaid', /billing/],
  ['no Messages API', { do: 'garbage' }, 'model-unavailable', /stays so/],
  ['a model of no form', { do: 'say', text: 'I am ready.' }, 'model-formless', /Name another model/],
] as [string, Act, string, RegExp][])('%s: one plain line, and what to do', async (_, act, code, hint) => {
  const server = await MessagesServer.start(() => act);
  const failure = failureIn(await tryModel(await bench(server.access)));
  expect(failure).toMatchObject({ code, hint: expect.stringMatching(hint) });
});

test('the model that reads what comes in is asked as well, where it is another', async () => {
  const server = await MessagesServer.start(({ model }) => (model === 'reader' ? { do: 'fail', status: 404 } : READY));
  const trials = await checked(await bench(server.access, { model_extraction: 'reader' }));
  expect(trials.map(({ model, outcome }) => [model, outcome])).toEqual([
    ['some-model', 'answered'],
    ['reader', 'failed'],
  ]);
  expect(server.requests).toHaveLength(2);
});

test('a 429 to doctor holds everything off, as any other does, and doctor too', async () => {
  const server = await MessagesServer.start(() => ({ do: 'fail', status: 429, headers: { 'retry-after': '600' } }));
  const made = await bench(server.access);
  expect(failureIn(await tryModel(made))).toMatchObject({ code: 'model-rate-limited' });
  expect(made.remembered('budget').entries).toEqual([]);
  expect(await tryModel(made)).toMatchObject({
    outcome: 'not-asked',
    reason: expect.stringMatching(/asked for a pause/),
  });
  expect(server.requests).toHaveLength(1);
});

test('a server that is not there is named', async () => {
  const server = await MessagesServer.start(() => READY);
  const { url } = server;
  await server.close();
  const made = await bench({ key: new ApiKey('any-word'), baseUrl: url });
  expect(failureIn(await tryModel(made))?.message).toContain(`no connection to ${url}`);
});

test('is not asked where a judgement would not be asked of it either', async () => {
  const server = await MessagesServer.start(() => READY);
  const reason = async (made: Bench) => {
    const trial = await tryModel(made);
    return trial.outcome === 'not-asked' ? trial.reason : trial.outcome;
  };
  expect(await reason(await bench(null))).toBe('there is no key here');
  expect(await reason(await bench(server.access, { evaluator: 'rules' }))).toBe('the settings say rules');
  expect(await reason(await bench(server.access, { budget_tokens_per_day: 0 }))).toMatch(
    /^the budget for models is used up until 20/,
  );
  const waiting = await bench(server.access);
  const until = Date.now() + HOUR;
  waiting.remember('rate-guard', { nextId: 0, entries: [], questions: [], backoffUntil: until });
  expect(await reason(waiting)).toMatch(/^the provider asked for a pause, goes on at /);
  expect(server.requests).toEqual([]);
});
