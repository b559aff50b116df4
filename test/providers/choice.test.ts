import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApiKey, type ProviderAccess } from '../../src/daemon/api-key.ts';
import { checkModels, type ModelCheck } from '../../src/providers/choice.ts';
import { backoffUntil, emptyGuard } from '../../src/steward/rate-guard.ts';
import { Clock, DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { HOUSE, instinct, matter, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, HIGH_ONLY, LIVE, only } from '../support/workspace.ts';
import { type Act, KEY, MessagesServer, noteOf, type Script, sound, textOf } from './messages-server.ts';

describe('choice of the evaluator', () => {
  const obedient: Script = (asked) => ({ do: 'say', text: sound(asked) });
  /** A signal that clears discretion, and is not acted upon alone: it does not say what should change. */
  const unsure = { effect_confidence: 0.9, effect: 'action', mutation_proposal: null };
  const KNOWN = { 'instinct/mail.md': instinct('mail', { observations: 60 }) };
  const PLAIN = { ...HOUSE, ...KNOWN, 'task/pay.md': task(), 'signal/one.md': signal(unsure) };

  /** The same with a signal that a high mode only acts on if the model is surer of it. */
  const LICENSED = { ...PLAIN, 'signal/one.md': signal({ effect_confidence: 0.8 }) };

  const HALF_HOURLY = { 'steward.md': settings({ default_schedule: 'every 30m' }) };

  /** A vault, a provider for it, and the clock of both. */
  async function world(script: Script, files: Files = PLAIN, mode = LIVE) {
    const server = await MessagesServer.start(script);
    const vault = new TempVault(files);
    const clock = new Clock();
    const env = { ...mode, provider: server.access };
    return { server, vault, clock, env, open: () => Bench.open(vault, { env, clock }) };
  }

  const status = (bench: Bench) => bench.status();
  const codes = (bench: Bench) => status(bench).trouble.map(({ code }) => code);

  describe('a model judges', () => {
    test('what it says is gated, written and can be taken back; the event names it, its prompt and what it took', async () => {
      const { vault, open, server } = await world(obedient, LICENSED, HIGH_ONLY);
      const before = vault.read('task/pay.md');
      const bench = await open();
      await bench.tick();
      const [event = ''] = vault.events('steward-action');
      expect(vault.fields('task/pay.md')).toMatchObject({ state: 'done' });
      expect(vault.fields(event)).toMatchObject({
        evaluator: 'claude-sonnet-5-5 (prompt evaluate-4)',
        usage: { model: 'claude-sonnet-5-5', tokens_in: 1500, tokens_out: 100 },
        decision: 'likely_done',
        confidence: 0.9,
      });
      expect(await bench.undo(event)).toMatchObject({ outcome: 'reversed' });
      expect(vault.read('task/pay.md')).toBe(before);
      expect(server.requests).toHaveLength(1);
      expect(server.malformed).toEqual([]);
    });

    test('also one of a server that holds it to no form; what was asked in vain is counted', async () => {
      const wordy: Script = (asked) => ({
        do: 'say',
        text: `Here is what I think:\n\`\`\`json\n${sound(asked)}\n\`\`\``,
      });
      const { vault, open, server } = await world(wordy, LICENSED, HIGH_ONLY);
      Object.assign(server, { structured: 'refuses', forced: 'ignores' });
      const bench = await open();
      await bench.tick();
      const [event = ''] = vault.events('steward-action');
      expect(vault.fields('task/pay.md')).toMatchObject({ state: 'done' });
      expect(vault.fields(event).usage).toMatchObject({ tokens_in: 3000, tokens_out: 200 });
      expect(status(bench).gates.budget.vault).toMatchObject({ tokens: 3200 });
      expect(server.malformed).toEqual([]);
    });

    test('a reply that cannot be used leaves the note alone, and an event that says so', async () => {
      const { vault, open, clock, server } = await world(() => ({ do: 'say', text: 'I am a teapot' }));
      const bench = await open();
      await bench.tick();
      // Each way of asking an unknown server is a dispatch: they are all that one sender may use of the task's slots today.
      expect(server.requests).toHaveLength(3);
      expect(vault.events('steward-action').map((path) => vault.fields(path).decision)).toEqual(['rate_guarded']);
      clock.move(24 * 60 * MINUTE);
      await bench.tick();
      const event = vault.events('steward-action').at(-1) ?? '';
      expect(vault.fields(event)).toMatchObject({ decision: 'still_active', confidence: 0.3, changes: {} });
      expect(vault.fields(event).evaluator).toContain('no reply could be used');
      expect(vault.fields('task/pay.md')).toMatchObject({ state: 'open' });
    });

    test('the settings say who, while the daemon runs', async () => {
      const { vault, open } = await world(obedient);
      const bench = await open();
      const follow = (fields: Parameters<typeof settings>[0]) => {
        vault.write('steward.md', settings(fields));
        bench.reloadSettings();
        return bench.evaluator.name;
      };
      expect(bench.evaluator.name).toBe('claude-sonnet-5-5');
      expect(follow({ evaluator: 'rules' })).toBe('rules');
      expect(follow({ evaluator: 'anthropic', model_evaluation: 'some-model' })).toBe('some-model');
      const known = bench.evaluator;
      follow({ evaluator: 'anthropic', model_evaluation: 'some-model', settle_seconds: 20 });
      expect(bench.evaluator).toBe(known);
    });

    test('what is said of a model that failed is taken back where another judges', async () => {
      const { vault, open } = await world(() => ({ do: 'fail', status: 500 }));
      const bench = await open();
      await bench.tick();
      expect(codes(bench)).toEqual(['model-unavailable']);
      vault.write('steward.md', settings({ evaluator: 'rules' }));
      bench.reloadSettings();
      expect(codes(bench)).toEqual([]);
    });

    test('of two 429 the longer one holds, also where the rules stand in', async () => {
      const { open, clock } = await world(
        (_, nth) => ({ do: 'fail', status: 429, headers: { 'retry-after': nth === 0 ? '5' : '600' } }),
        { ...PLAIN, 'steward.md': settings({ evaluator_fallback: 'rules' }) },
      );
      const bench = await open();
      const target = {
        kind: 'task',
        path: 'task/pay.md',
        name: 'pay',
        state: 'open',
        fields: {},
        matter: null,
      } as const;
      const question = { target, signals: [], now: clock.now() };
      const ask = () => bench.ports.models.evaluate(question, new AbortController().signal);
      await Promise.all([ask(), ask()]);
      expect(backoffUntil(bench.remembered('rate-guard'), clock.now())).toBeGreaterThan(clock.now() + 500 * SECOND);
    });

    test('a 429 after a reply that could not be used: the reply is paid for', async () => {
      const { open } = await world((_, nth) =>
        nth === 0 ? { do: 'say', text: '{', stop: 'max_tokens', tokens: 8192 } : { do: 'fail', status: 429 },
      );
      const bench = await open();
      await bench.tick();
      expect(status(bench).gates.budget.vault.tokens).toBe(1500 + 8192);
      expect(status(bench).costs.day.tokens).toBe(1500 + 8192);
    });
  });

  describe('the budget', () => {
    test('in tokens holds before anything is sent', async () => {
      const { vault, open, server } = await world(obedient, {
        ...PLAIN,
        'steward.md': settings({ budget_tokens_per_day: 5000 }),
      });
      await (await open()).tick();
      expect(server.requests).toEqual([]);
      expect(vault.events().map((event) => vault.fields(event).decision)).toEqual(['rate_guarded']);
    });

    test('in money counts by the price, and says so where there is none', async () => {
      const reads = { model_extraction_price_in: 1, model_extraction_price_out: 5 };
      const priced = { model_price_in: 3, model_price_out: 15, ...reads };
      const cap = { budget_usd_per_day: 1 };
      const local = { ...cap, model_evaluation: 'some-model', model_extraction: 'other-model' };
      const without = await world(obedient, { ...PLAIN, 'steward.md': settings(local) });
      expect(codes(await without.open())).toEqual(['model-unpriced', 'model-unpriced']);
      const { open } = await world(obedient, { ...PLAIN, 'steward.md': settings({ ...cap, ...priced }) });
      const bench = await open();
      await bench.tick();
      expect(codes(bench)).toEqual([]);
      expect(status(bench).gates.budget.vault).toMatchObject({ tokens: 1600, usd: 0.006 });
    });

    test('what models took stands in status, by model and matter, over a restart; a stand-in costs nothing', async () => {
      const { open, server, clock, vault } = await world(obedient);
      const first = await open();
      await first.tick();
      first.close();
      clock.move(2 * DAY);
      server.script = () => ({ do: 'fail', status: 500 });
      vault.write('steward.md', settings({ model_evaluation: 'some-model', evaluator_fallback: 'rules' }));
      vault.write('signal/two.md', signal({ ...unsure, target_path: 'matter/house.md' }));
      const second = await open();
      await second.tick();
      const sonnet = { questions: 1, tokens: 1600, usd: 0.004, unpriced: 0 };
      expect(status(second).costs).toEqual({
        day: { questions: 0, tokens: 0, usd: 0, unpriced: 0, models: [], matters: [] },
        week: {
          ...sonnet,
          models: [{ model: 'claude-sonnet-5-5', ...sonnet, priceSettings: null }],
          matters: [{ matter: 'matter/house.md', ...sonnet }],
        },
      });
      server.script = obedient;
      vault.write('signal/three.md', signal({ ...unsure, target_path: 'matter/house.md' }));
      clock.move(DAY);
      await second.tick();
      const [local] = status(second).costs.day.models;
      expect(local).toMatchObject({
        model: 'some-model',
        unpriced: 1,
        priceSettings: ['model_price_in', 'model_price_out'],
      });
    });
  });

  describe('a model that cannot be asked', () => {
    test('signals wait, status says why, and nothing is spent; when it answers again they are judged', async () => {
      const { vault, open, server, clock } = await world(() => ({ do: 'fail', status: 529 }));
      const bench = await open();
      for (let round = 0; round < 10; round += 1) {
        await bench.tick();
        clock.move(20 * MINUTE);
      }
      expect(vault.events().map((event) => vault.fields(event).decision)).toEqual(['rate_guarded']);
      expect(codes(bench)).toEqual(['model-unavailable']);
      expect(bench.happenings.filter(({ what }) => what === 'trouble')).toHaveLength(1);
      // A question that the provider refused was put all the same: it counts for the note and its sender.
      expect(status(bench).gates.rateGuard).toMatchObject({ day: { used: 3 }, task: { used: 3 } });
      expect(server.requests).toHaveLength(3);
      server.script = obedient;
      clock.move(24 * 60 * MINUTE);
      await bench.tick();
      expect(vault.fields(vault.events('steward-action').at(-1) ?? '').decision).toBe('likely_done');
      expect(codes(bench)).toEqual([]);
    });

    test('the rules evaluate meanwhile where the settings let them', async () => {
      const files = { ...PLAIN, 'steward.md': settings({ evaluator_fallback: 'rules' }) };
      const { vault, open } = await world(() => ({ do: 'fail', status: 500 }), files);
      const bench = await open();
      await bench.tick();
      const [event = ''] = vault.events('steward-action');
      expect(vault.fields(event).evaluator).toBe('rules (embedded; claude-sonnet-5-5 could not be asked)');
      expect(vault.fields(event).usage).toMatchObject({ tokens_in: 0, tokens_out: 0, usd: 0 });
      expect(codes(bench)).toEqual(['model-unavailable']);
    });

    test.each([
      ['wait', 0],
      ['rules', 2],
    ])('a 429 holds for as long as it asked, over a restart (%s)', async (evaluator_fallback, judged) => {
      const tasks = { 'task/sign.md': task(), 'signal/two.md': signal({ ...unsure, target_path: 'task/sign.md' }) };
      const files = { ...PLAIN, ...tasks, 'steward.md': settings({ evaluator_fallback }) };
      const { vault, open, server, clock } = await world(
        () => ({ do: 'fail', status: 429, headers: { 'retry-after': '600' } }),
        files,
      );
      const first = await open();
      await first.tick();
      first.close();
      expect(server.requests).toHaveLength(1);
      const second = await open();
      await second.tick();
      expect(status(second).gates.backoffUntil).not.toBeNull();
      expect(server.requests).toHaveLength(1);
      const decisions = () => vault.events('steward-action').map((event) => vault.fields(event).decision);
      expect(decisions().filter((decision) => decision !== 'rate_guarded')).toHaveLength(judged);
      server.script = obedient;
      clock.move(601 * SECOND);
      await second.tick();
      expect(server.requests).toHaveLength(judged === 0 ? 3 : 1);
      if (judged === 0) expect(decisions().filter((decision) => decision === 'likely_done')).toHaveLength(2);
    });

    test('a tick that is cut off waits for nobody: the signals wait, and of what was never sent the place is free', async () => {
      const many = Array.from({ length: 6 }, (_, index) => `m${index}`);
      const files = Object.fromEntries(
        many.flatMap((name) => [
          [`matter/${name}.md`, matter()],
          [`signal/${name}.md`, signal({ ...unsure, target_kind: 'matter', target_path: `matter/${name}.md` })],
        ]),
      );
      const { vault, open, server } = await world(() => ({ do: 'hang' }), files);
      const bench = await open();
      const abort = new AbortController();
      const ticks = many.map((name) => bench.tickAs({ matters: [name], force: true, mode: null }, abort.signal));
      await server.asked(4);
      abort.abort();
      await Promise.all(ticks);
      expect(vault.events()).toEqual([]);
      expect(server.requests).toHaveLength(4);
      expect(bench.remembered('rate-guard').entries).toHaveLength(4);
    });

    test('without a key: auto judges by rules; anthropic waits, and says so', async () => {
      const vault = new TempVault(PLAIN);
      const auto = await Bench.open(vault);
      expect(auto.evaluator.name).toBe('rules');
      vault.write('steward.md', settings({ evaluator: 'anthropic' }));
      const bench = await Bench.open(vault);
      await bench.tick();
      expect(vault.events()).toEqual([]);
      expect(codes(bench)).toContain('evaluator-missing');
      expect(status(bench).evaluator).toContain('no key');
      vault.write('steward.md', settings({ evaluator: 'anthropic', evaluator_fallback: 'rules' }));
      const rules = await Bench.open(vault);
      await rules.tick();
      expect(vault.events()).toHaveLength(1);
      expect(codes(rules)).toEqual(['evaluator-missing']);
    });
  });

  describe('the daemon', () => {
    test('asks about each high note of an idle vault once, and then nothing, however long', async () => {
      const high = {
        'matter/urgent.md': matter({ surface_class: 'high' }),
        'task/now.md': task({ surface_class: 'high' }),
      };
      const { server, vault, env, clock } = await world(obedient, { ...HOUSE, ...HALF_HOURLY, ...high });
      const running = await Running.start(vault, { env, clock });
      for (let hours = 0; hours < 7 * 24; hours += 1) {
        clock.move(HOUR);
        await running.daemon.wake();
        await running.daemon.idle();
      }
      expect(running.count('ticked')).toBeGreaterThan(100);
      expect(server.requests).toHaveLength(2);
    });

    test('stops without waiting for a model, and nothing is written or said of it', async () => {
      const { server, vault, env, clock } = await world(() => ({ do: 'hang' }), { ...PLAIN, ...HALF_HOURLY });
      const running = await Running.start(vault, { env, clock });
      clock.move(DAY);
      const woken = running.daemon.wake();
      await server.asked(1);
      const before = performance.now();
      await running.stop();
      await woken;
      expect(performance.now() - before).toBeLessThan(5_000);
      expect(vault.events()).toEqual([]);
      expect(running.count('trouble')).toBe(0);
    });
  });

  describe('what comes from outside', () => {
    test('the question says nothing of other notes', async () => {
      const files = {
        ...PLAIN,
        'task/other.md': task({ summary: 'the other summary' }),
        'signal/two.md': signal({
          target_path: 'task/other.md',
          effect_confidence: 0.5,
          headline: 'the other headline',
        }),
      };
      const { server, open } = await world(obedient, files);
      await (await open()).tick();
      const about = server.requests.find((asked) => noteOf(asked) === 'task/pay.md');
      expect(about).toBeDefined();
      expect(about === undefined ? '' : textOf(about)).not.toContain('the other');
    });
  });

  describe('the key', () => {
    test('appears in nothing that is written, said or answered, whatever the provider repeats', async () => {
      for (const act of [
        { do: 'fail', status: 401, message: `invalid x-api-key: ${KEY}` },
        { do: 'fail', status: 400, message: KEY, headers: { 'x-echo': KEY } },
        { do: 'say', text: `the key is ${KEY}` },
        { do: 'drop' },
      ] as const) {
        const { vault, env, open } = await world(() => act);
        const bench = await open();
        await bench.tick();
        const told = [
          bench.happenings,
          status(bench),
          env,
          bench.evaluator,
          await checkModels(bench.ports, bench.budget),
        ];
        bench.close();
        expect(JSON.stringify(told)).not.toContain(KEY);
        expect(everything(vault.home)).not.toContain(KEY);
      }
    });
  });

  function everything(folder: string): string {
    const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = names.map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile());
    return files.map((file) => fs.readFileSync(file, 'utf8')).join('\n');
  }
});

describe('trial of a model', () => {
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
    ['an unknown model', { do: 'fail', status: 404 }, 'model-unknown-model', /Correct the setting in steward\.md/],
    ['an account without money', { do: 'fail', status: 402 }, 'model-unpaid', /billing/],
    ['no Messages API', { do: 'garbage' }, 'model-unavailable', /unless this lasts/],
    ['a model of no form', { do: 'say', text: 'I am ready.' }, 'model-formless', /Name another model/],
  ] as [string, Act, string, RegExp][])('%s: one plain line, and what to do', async (_, act, code, hint) => {
    const server = await MessagesServer.start(() => act);
    const failure = failureIn(await tryModel(await bench(server.access)));
    expect(failure).toMatchObject({ code, hint: expect.stringMatching(hint) });
  });

  test('the model that reads what comes in is asked as well, where it is another', async () => {
    const server = await MessagesServer.start(({ model }) =>
      model === 'reader' ? { do: 'fail', status: 404 } : READY,
    );
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
    waiting.remember('rate-guard', { ...emptyGuard(), backoffUntil: until });
    expect(await reason(waiting)).toMatch(/^the provider asked for a pause, goes on at /);
    expect(server.requests).toEqual([]);
  });
});
