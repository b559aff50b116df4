import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ToolAgent } from '../../src/providers/agent.ts';
import { Provider, ProviderError } from '../../src/providers/provider.ts';
import type { AgentTool, Errand } from '../../src/steward/types.ts';
import { NOW } from '../steward/samples.ts';
import { type Act, KEY, MessagesServer, resultsOf, type Script } from './messages-server.ts';
import { OPEN_DOOR } from './open-door.ts';

const never = new AbortController().signal;

/** Returns a tool that reads books from a shelf, and the list of what it was asked for. */
function shelf(books: Readonly<Record<string, string>> = { 'a.md': 'one line' }) {
  const asked: string[] = [];
  const read: AgentTool<{ path: string }> = {
    name: 'Read',
    description: 'Reads a file.',
    input: z.object({ path: z.string() }),
    async run({ path }) {
      asked.push(path);
      const text = books[path];
      if (text === undefined) throw new Error(`${path} is not on the shelf.`);
      return text;
    },
  };
  return { asked, tools: [read] as AgentTool[] };
}

const errand = (tools: readonly AgentTool[], parts: Partial<Errand> = {}): Errand => ({
  model: 'some-model',
  system: ['You look things up.'],
  task: ['What stands in a.md?'],
  tools,
  maxTurns: 5,
  maxTokens: 500,
  now: NOW,
  ...parts,
});

async function sending(script: Script, patienceMs = 20_000) {
  const server = await MessagesServer.start(script);
  const provider = new Provider(server.access, OPEN_DOOR, patienceMs);
  return {
    server,
    agent: new ToolAgent(provider, (model) => (model === 'some-model' ? { read: 1, written: 5 } : null)),
  };
}

const call = (input: unknown, name = 'Read'): Act => ({ do: 'say', text: 'I look.', calls: [{ name, input }] });
const inTurn = (...acts: Act[]): Script => {
  return (_, index) => acts[Math.min(index, acts.length - 1)] ?? { do: 'drop' };
};

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

test('an errand: what it is told, what its tools found, its last words, and what all of it took', async () => {
  const { server, agent } = await sending(inTurn(call({ path: 'a.md' }), { do: 'say', text: 'It says: one line.' }));
  const { asked, tools } = shelf();
  expect(await agent.send(errand(tools), never)).toEqual({
    text: 'It says: one line.',
    finished: true,
    usage: { model: 'some-model', tokens_in: 3000, tokens_out: 200, usd: 0.004 },
  });
  expect(asked).toEqual(['a.md']);
  expect(server.malformed).toEqual([]);
  expect(server.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
  expect(server.requests[1]?.tools).toMatchObject([{ name: 'Read', input_schema: { required: ['path'] } }]);
  expect(server.requests.map(resultsOf)).toEqual([[], [{ said: 'one line', failed: false }]]);
});

test('a model without a price has no cost in money', async () => {
  const { agent } = await sending(inTurn({ do: 'say', text: 'nothing' }));
  const { usage } = await agent.send(errand([], { model: 'claude-sonnet-5-5' }), never);
  expect(usage).toMatchObject({ tokens_out: 100, usd: null });
});

describe('what a model asks of a tool is data', () => {
  const told = async (asks: Act) => {
    const { server, agent } = await sending(inTurn(asks, { do: 'say', text: 'done' }));
    const { asked, tools } = shelf();
    await agent.send(errand(tools), never);
    return { asked, results: server.requests.slice(1).flatMap(resultsOf) };
  };

  test.each([
    ['another type', { path: { $ne: '' } }],
    ['nothing', {}],
    ['no object', 'a.md'],
    ['null', null],
  ])('%s: the tool does not run, and the model is told why', async (_, input) => {
    const { asked, results } = await told(call(input));
    expect(asked).toEqual([]);
    expect(results).toHaveLength(1);
    expect(results[0]?.failed).toBe(true);
    expect(results[0]?.said).toMatch(
      /^Error: The input of Read does not keep to its schema \((path|the whole) must be of the type/,
    );
  });

  test('more than the schema knows does not reach the tool', async () => {
    const { asked, results } = await told(
      call(JSON.parse('{"path":"a.md","follow_symlinks":true,"__proto__":{"x":1}}')),
    );
    expect([asked, results]).toEqual([['a.md'], [{ said: 'one line', failed: false }]]);
  });

  test('a tool that does not exist', async () => {
    const { asked, results } = await told(call({ command: 'rm -rf /' }, 'Bash'));
    expect(asked).toEqual([]);
    expect(results).toMatchObject([{ failed: true }]);
  });

  test('a tool that fails says so in its own words, and ends nothing', async () => {
    const { results } = await told(call({ path: 'b.md' }));
    expect(results).toEqual([{ said: 'Error: b.md is not on the shelf.', failed: true }]);
  });
});

test('half a character in what a tool found does not have the request refused', async () => {
  const { server, agent } = await sending(inTurn(call({ path: 'cut.md' }), { do: 'say', text: 'ok' }));
  await agent.send(errand(shelf({ 'cut.md': 'cut \ud83d' }).tools), never);
  expect(resultsOf(server.requests[1] ?? { model: '', max_tokens: 1, system: [], messages: [] })[0]?.said).toBe(
    'cut �',
  );
});

describe('an errand comes to an end', () => {
  test('when its turns are used up: what it called last is not run any more', async () => {
    const { server, agent } = await sending(() => call({ path: 'a.md' }));
    const { asked, tools } = shelf();
    const report = await agent.send(errand(tools, { maxTurns: 3 }), never);
    expect(report).toMatchObject({ text: 'I look.', finished: false, usage: { tokens_in: 4500, tokens_out: 300 } });
    expect([server.requests.length, asked.length]).toEqual([3, 2]);
  });

  test.each(['max_tokens', 'refusal', 'model_context_window_exceeded'])('at %s', async (stop) => {
    const { server, agent } = await sending(() => ({ do: 'say', text: 'half', stop, calls: [] }));
    expect(await agent.send(errand(shelf().tools), never)).toMatchObject({ text: 'half', finished: false });
    expect(server.requests).toHaveLength(1);
  });

  test('a tool call that was cut off is not run', async () => {
    const cut: Act = { do: 'say', text: '', stop: 'max_tokens', calls: [{ name: 'Read', input: { path: 'a' } }] };
    const { agent } = await sending(() => cut);
    const { asked, tools } = shelf();
    expect(await agent.send(errand(tools), never)).toMatchObject({ finished: false });
    expect(asked).toEqual([]);
  });
});

describe('where no reply can be had', () => {
  test.each([
    ['401', { do: 'fail', status: 401 }, 'key-refused'],
    ['404', { do: 'fail', status: 404 }, 'unknown-model'],
    ['429', { do: 'fail', status: 429, headers: { 'retry-after': '7' } }, 'rate-limited'],
    ['529', { do: 'fail', status: 529 }, 'unavailable'],
    ['a dropped connection', { do: 'drop' }, 'unavailable'],
    ['half a reply', { do: 'half' }, 'unavailable'],
    ['another server', { do: 'garbage' }, 'unavailable'],
  ] as [string, Act, string][])('%s: one request, and the same failure as at a judgement', async (_, act, expected) => {
    const { server, agent } = await sending(() => act);
    const error = await failure(agent.send(errand(shelf().tools), never));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ failure: expected, ...(expected === 'rate-limited' ? { retryAfter: 7 } : {}) });
    expect(JSON.stringify([error, String(error)])).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  test('after a first reply: it has cost something', async () => {
    const { agent } = await sending(inTurn(call({ path: 'a.md' }), { do: 'fail', status: 429 }));
    expect(await failure(agent.send(errand(shelf().tools), never))).toMatchObject({
      failure: 'rate-limited',
      sent: true,
      retryAfter: null,
    });
  });

  test('each reply has its own patience', async () => {
    const { agent } = await sending(inTurn(call({ path: 'a.md' }), { do: 'hang' }), 300);
    const error = await failure(agent.send(errand(shelf().tools), never));
    expect(error).toMatchObject({ failure: 'unavailable', sent: true });
    expect(String(error)).toContain('0.3 s');
  });
});

describe('an errand that is stopped', () => {
  const reason = new Error('the tick is over');

  test('while the model writes', async () => {
    const { server, agent } = await sending(() => ({ do: 'hang' }));
    const abort = new AbortController();
    const sent = failure(agent.send(errand(shelf().tools), abort.signal));
    await server.asked(1);
    abort.abort(reason);
    expect(await sent).toBe(reason);
  });

  test('while a tool works: nobody waits for the tool', async () => {
    const abort = new AbortController();
    const slow: AgentTool = {
      name: 'Read',
      description: 'Reads for ever.',
      input: z.unknown(),
      run: () => {
        abort.abort(reason);
        return new Promise(() => {});
      },
    };
    const { agent } = await sending(() => call({}));
    const tool = { ...slow, input: z.looseObject({}) };
    expect(await failure(agent.send(errand([tool]), abort.signal))).toBe(reason);
  });

  test('before it began', async () => {
    const { server, agent } = await sending(() => ({ do: 'hang' }));
    expect(await failure(agent.send(errand([]), AbortSignal.abort(reason)))).toBe(reason);
    expect(server.requests).toEqual([]);
  });
});

test('no more than four requests at once, and none is blocked while a tool works', async () => {
  const { server, agent } = await sending((asked) =>
    resultsOf(asked).length === 0 ? call({ path: 'a.md' }) : { do: 'say', text: 'ok' },
  );
  let inside = 0;
  let all: () => void = () => {};
  const everybody = new Promise<void>((resolve) => {
    all = resolve;
  });
  const meet: AgentTool = {
    name: 'Read',
    description: 'Waits for all the others.',
    input: z.looseObject({}),
    async run() {
      inside += 1;
      if (inside === 6) all();
      await everybody;
      return 'met';
    },
  };
  const reports = await Promise.all(Array.from({ length: 6 }, () => agent.send(errand([meet]), never)));
  expect(reports.map(({ text }) => text)).toEqual(Array.from({ length: 6 }, () => 'ok'));
  expect(server.most).toBeLessThanOrEqual(4);
});
