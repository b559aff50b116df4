import { describe, expect, test } from 'vitest';
import { Anthropic, EVALUATE, type JudgeSetup } from '../../src/providers/evaluator.ts';
import { Provider, ProviderError } from '../../src/providers/provider.ts';
import type { EvaluatorQuestion, Verdict } from '../../src/steward/types.ts';
import { DAY, MINUTE, NOW, question, signal } from '../steward/samples.ts';
import { type Act, MessagesServer, type Request, type Script, sound, textOf } from './messages-server.ts';
import { OPEN_DOOR } from './open-door.ts';

const MODEL = 'some-model';
const SETUP: JudgeSetup = { model: MODEL, writable: [], price: null };
const never = new AbortController().signal;

async function serving(script: Script, patienceMs = 20_000): Promise<{ server: MessagesServer; judge: Anthropic }> {
  const server = await MessagesServer.start(script);
  return { server, judge: new Anthropic(new Provider(server.access, OPEN_DOOR, patienceMs), SETUP) };
}

const asked = (parts: Partial<EvaluatorQuestion> = {}): EvaluatorQuestion => ({
  ...question([signal({ source: 'mail' })]),
  ...parts,
});
const judge = async (script: Script): Promise<Verdict> => (await serving(script)).judge.evaluate(asked(), never);

/** Returns the error of a failed evaluation. */
async function failure(evaluation: Promise<unknown>): Promise<ProviderError> {
  const error = await evaluation.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error(`not a provider's failure: ${String(error)}`);
  return error;
}

describe('one judgement', () => {
  test('is one request: the stable part first, the note and its signals after it, and no knob of chance', async () => {
    const { server, judge } = await serving((request) => ({ do: 'say', text: sound(request) }));
    const verdict = await judge.evaluate(asked(), never);
    expect(verdict).toEqual({
      decision: 'likely_done',
      confidence: 0.9,
      reasoning: 'The bank shows the payment.',
      evidence: [{ source: 'mail', ref: '[[2026-11-21T20-19-54Z-0a1b2c3d]]', note: 'it was paid' }],
      source_contributions: { mail: 1 },
      changes: [{ field: 'state', op: 'set', value: 'done' }],
      usage: { model: MODEL, tokens_in: 1500, tokens_out: 100, usd: null },
      evaluator: `${MODEL} (prompt ${EVALUATE.version})`,
    });
    expect(server.malformed).toEqual([]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.system).toEqual([
      { type: 'text', text: EVALUATE.system, cache_control: { type: 'ephemeral' } },
    ]);
    expect(server.requests[0]?.output_config?.format.schema).toMatchObject({ additionalProperties: false });
  });

  test('names the fields that a vault adds, behind the part that all vaults share', async () => {
    const server = await MessagesServer.start((request) => ({ do: 'say', text: sound(request) }));
    await new Anthropic(new Provider(server.access, OPEN_DOOR), { ...SETUP, writable: ['budget', 'phase'] }).evaluate(
      asked(),
      never,
    );
    expect(server.requests[0]?.system.map(({ text }) => text)).toEqual([
      EVALUATE.system,
      'This vault also lets you write these fields: budget, phase.',
    ]);
  });

  test('costs what its price says, and never more than was set aside for one asking', async () => {
    const server = await MessagesServer.start((request) => ({ do: 'say', text: sound(request) }));
    const judge = new Anthropic(new Provider(server.access, OPEN_DOOR), { ...SETUP, price: { read: 3, written: 15 } });
    const { usage } = await judge.evaluate(asked(), never);
    expect(usage).toEqual({ model: MODEL, tokens_in: 1500, tokens_out: 100, usd: 0.006 });
    const expected = judge.estimate(asked());
    expect(expected.tokens_in).toBeGreaterThan(1500);
    expect(expected.tokens_out).toBe(server.requests[0]?.max_tokens);
    expect(expected.usd).toBeCloseTo((expected.tokens_in * 3 + expected.tokens_out * 15) / 1e6);
  });

  test('no more than four are asked at once', async () => {
    const { server, judge } = await serving(() => ({ do: 'hang' }));
    const abort = new AbortController();
    const all = Array.from({ length: 9 }, () => failure(judge.evaluate(asked(), abort.signal)));
    await server.asked(4);
    server.script = (request) => ({ do: 'say', text: sound(request) });
    expect(server.most).toBe(4);
    abort.abort();
    const stopped = await Promise.all(all);
    expect(stopped.map((error) => error.failure)).toEqual(Array.from({ length: 9 }, () => 'stopped'));
    expect(stopped.filter(({ sent }) => !sent)).toHaveLength(5); // it was not their turn yet
    expect(server.most).toBe(4);
  });
});

const saying = (request: Request): Act => ({ do: 'say', text: sound(request) });
/** Fills a partial JSON reply up to a whole one. */
const spoken = (act: Act, request: Request): Act =>
  act.do === 'say' && act.text.endsWith('}') ? { ...act, text: sound(request, JSON.parse(act.text)) } : act;

describe('a reply that cannot be used', () => {
  const useless: [string, Act][] = [
    ['names another note', { do: 'say', text: '{"note":"task/other.md"}' }],
    ['is cut off', { do: 'say', text: '{"note":"task/pa', stop: 'max_tokens' }],
    ['was too much to read', { do: 'say', text: '', stop: 'model_context_window_exceeded' }],
    [
      'is refused as too long',
      { do: 'fail', status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' },
    ],
    ['is refused as too large', { do: 'fail', status: 413 }],
  ];

  test.each(useless)('that %s is asked for once more', async (_, first) => {
    const { server, judge } = await serving((request, index) =>
      index === 0 ? spoken(first, request) : saying(request),
    );
    expect(await judge.evaluate(asked(), never)).toMatchObject({ decision: 'likely_done', confidence: 0.9 });
    expect(server.requests).toHaveLength(2);
    expect(server.malformed).toEqual([]);
  });

  test.each(useless)('that %s twice is no verdict: still active at 0.3, nothing changed', async (_, act) => {
    const { server, judge } = await serving((request) => spoken(act, request));
    expect(await judge.evaluate(asked(), never)).toMatchObject({
      ...{ decision: 'still_active', confidence: 0.3, fallback: true, changes: [], evidence: [] },
      evaluator: `${MODEL} (prompt ${EVALUATE.version}; no reply could be used)`,
    });
    expect(server.requests).toHaveLength(2);
  });

  test('a refusal is not argued with', async () => {
    const { server, judge } = await serving(() => ({ do: 'say', text: '', stop: 'refusal' }));
    const verdict = await judge.evaluate(asked(), never);
    expect(verdict).toMatchObject({ decision: 'still_active', confidence: 0.3, fallback: true });
    expect(verdict.reasoning).toContain('the model refused to answer');
    expect(server.requests).toHaveLength(1);
  });

  test('what both askings took is counted', async () => {
    const verdict = await judge((request, index) => ({
      do: 'say',
      text: sound(request, index === 0 ? { note: 'task/other.md' } : {}),
      tokens: 70,
    }));
    expect(verdict.usage).toEqual({ model: MODEL, tokens_in: 3000, tokens_out: 140, usd: null });
  });

  test('the second asking is stricter, roomier or briefer, as the first went wrong', async () => {
    const second = async (first: Act) => {
      const { server, judge } = await serving((request, index) =>
        index === 0 ? spoken(first, request) : saying(request),
      );
      const many = Array.from({ length: 50 }, (_, index) => signal({ id: `id-${index}` }));
      await judge.evaluate({ ...question(many), now: NOW }, never);
      const [one, other] = server.requests;
      if (one === undefined || other === undefined) throw new Error('asked once only');
      return { one, other };
    };
    const strict = await second({ do: 'say', text: '{"note":"task/other.md"}' });
    expect(textOf(strict.other)).toContain('A first reply to this could not be used: it names another note');
    const roomy = await second({ do: 'say', text: '{', stop: 'max_tokens' });
    expect(roomy.other.max_tokens).toBe(2 * roomy.one.max_tokens);
    const brief = await second({ do: 'fail', status: 413 });
    expect(textOf(brief.other).length).toBeLessThan(textOf(brief.one).length / 2);
    expect(brief.other.max_tokens).toBeLessThan(brief.one.max_tokens / 2);
  });
});

describe('a provider that does not answer', () => {
  test.each([
    ['401', { do: 'fail', status: 401 }, 'key-refused'],
    ['403', { do: 'fail', status: 403 }, 'key-refused'],
    ['402', { do: 'fail', status: 402 }, 'unpaid'],
    ['404', { do: 'fail', status: 404 }, 'unknown-model'],
    ['500', { do: 'fail', status: 500 }, 'unavailable'],
    ['529', { do: 'fail', status: 529 }, 'unavailable'],
    ['a dropped connection', { do: 'drop' }, 'unavailable'],
    ['half a reply', { do: 'half' }, 'unavailable'],
    ['another server', { do: 'garbage' }, 'unavailable'],
  ] as [string, Act, string][])('%s: asked once, and said why', async (_, act, expected) => {
    const { server, judge } = await serving(() => act);
    const error = await failure(judge.evaluate(asked(), never));
    expect(error.failure).toBe(expected);
    expect(error.trouble).toMatchObject({ code: `model-${expected}`, message: error.message });
    expect(server.requests).toHaveLength(1);
  });

  test('400 in every output mode: this question is refused', async () => {
    const { server, judge } = await serving(() => ({ do: 'fail', status: 400 }));
    expect(await failure(judge.evaluate(asked(), never))).toMatchObject({ failure: 'rejected', sent: false });
    expect(server.requests).toHaveLength(3);
  });

  test.each(['hang', 'half-hang'] as const)('one that takes too long is not waited for (%s)', async (act) => {
    const { judge } = await serving(() => ({ do: act }), 300);
    const error = await failure(judge.evaluate(asked(), never));
    expect(error).toMatchObject({ failure: 'unavailable', sent: true });
    expect(error.message).toContain('0.3 s');
  });

  test.each(['hang', 'half-hang'] as const)('the round is cut off: so is the request (%s)', async (act) => {
    const { server, judge } = await serving(() => ({ do: act }));
    const abort = new AbortController();
    const evaluation = failure(judge.evaluate(asked(), abort.signal));
    await server.asked(1);
    abort.abort();
    expect(await evaluation).toMatchObject({ failure: 'stopped', sent: true });
    server.script = saying; // it has not failed, so there is no cooldown
    expect(await judge.evaluate(asked(), never)).toMatchObject({ decision: 'likely_done' });
  });

  test('a 429 hands on what it asked us to wait', async () => {
    const waits = async (status: number, headers: Record<string, string>) => {
      const { judge } = await serving(() => ({ do: 'fail', status, headers }));
      return failure(judge.evaluate(asked(), never));
    };
    expect(await waits(429, { 'retry-after': '17' })).toMatchObject({
      failure: 'rate-limited',
      retryAfter: 17,
      sent: false,
    });
    expect(await waits(429, {})).toMatchObject({ retryAfter: null });
    expect((await waits(500, { 'retry-after': '17' })).retryAfter).toBeUndefined();
  });

  test('one that failed is left in peace: a minute, then two, never longer than a quarter of an hour', async () => {
    const { server, judge } = await serving(() => ({ do: 'fail', status: 529 }));
    const at = async (ms: number) => {
      await failure(judge.evaluate(asked({ now: NOW + ms }), never));
      return server.requests.length;
    };
    expect(await at(0)).toBe(1);
    expect(await at(MINUTE - 1)).toBe(1);
    expect(await at(MINUTE)).toBe(2);
    expect(await at(3 * MINUTE - 1)).toBe(2);
    expect(await at(3 * MINUTE)).toBe(3);
    let calls = 3;
    for (let ms = 4 * MINUTE; ms < DAY; ms += MINUTE) calls = await at(ms);
    expect(calls).toBeGreaterThan(90);
    expect(calls).toBeLessThan(110);
    server.script = (request) => ({ do: 'say', text: sound(request) });
    expect(await judge.evaluate(asked({ now: NOW + 2 * DAY }), never)).toMatchObject({ decision: 'likely_done' });
    expect(await judge.evaluate(asked({ now: NOW + 2 * DAY }), never)).toMatchObject({ decision: 'likely_done' });
  });

  test('what cannot be answered for one question does not hold up another', async () => {
    const { judge } = await serving((request, index) => (index < 3 ? { do: 'fail', status: 400 } : saying(request)));
    expect((await failure(judge.evaluate(asked(), never))).failure).toBe('rejected');
    expect(await judge.evaluate(asked(), never)).toMatchObject({ decision: 'likely_done' });
  });

  test('an address where nobody listens', async () => {
    const gone = await MessagesServer.start(() => ({ do: 'drop' }));
    const access = gone.access;
    await gone.close();
    expect(
      (await failure(new Anthropic(new Provider(access, OPEN_DOOR), SETUP).evaluate(asked(), never))).failure,
    ).toBe('unavailable');
  });
});
