// Over 5 s: it starts lookup processes.
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Act, KEY, MessagesServer } from '../../providers/messages-server.ts';
import { Sandbox } from '../../stories/support.ts';

const LINE = '  static const vectorFloorStrict = 0.62;';
const QUESTION = 'which floor holds for strict gates?';
const found: Act = {
  do: 'say',
  text: JSON.stringify({ extracts: [{ path: 'data/tuning.dart', first: 2, last: 2, text: LINE }] }),
};
let server: MessagesServer;

beforeEach(async () => {
  server = await MessagesServer.start(() => found);
});

function sandboxWith(): Sandbox {
  const sandbox = new Sandbox('example');
  sandbox.write('data/tuning.dart', `class Tuning {\n${LINE}\n}\n`);
  return sandbox;
}

async function lookup(sandbox: Sandbox, request = QUESTION) {
  const words = ['lookup', request, '--files', 'data/*', '--vault', 'vault', '--json'];
  const ended = await sandbox.steward(words, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url });
  expect(JSON.stringify(ended)).not.toContain(KEY);
  return { exit: ended.exit, ...JSON.parse(ended.stdout) };
}

function state(sandbox: Sandbox, name: string) {
  return JSON.parse(sandbox.read(`.steward/state/${name}.json`));
}

function set(sandbox: Sandbox, line: string): void {
  sandbox.write('steward.md', sandbox.read('steward.md').replace('---\n', `---\n${line}\n`));
}

test('with a key, an agent looks; what it took stands in the budget', async () => {
  await using sandbox = sandboxWith();
  const answer = await lookup(sandbox);
  expect(answer).toMatchObject({
    schemaVersion: 1,
    exit: 0,
    ok: true,
    by: 'haiku',
    citations: [{ path: 'data/tuning.dart', first: 2, last: 2 }],
    notRead: [],
  });
  expect(server.requests.map(({ model }) => model)).toEqual(['claude-haiku-4-5-20251001']);
  expect(state(sandbox, 'rate-guard').entries).toHaveLength(1);
  expect(state(sandbox, 'budget').entries).toMatchObject([{ tokens: 1600, usd: 0.002, settled: true, matter: null }]);
  const status = await sandbox.steward(['status', '--all', '--vault', 'vault']);
  expect(status.stdout).toContain('  models, last 24 h: 1 question, 1600 tokens, 0.002 USD\n');
  expect(status.stdout).toContain('    claude-haiku-4-5-20251001: 1 question, 1600 tokens, 0.002 USD\n');
});

test('what looking alone answers is asked of nobody', async () => {
  await using sandbox = sandboxWith();
  expect(await lookup(sandbox, 'value of vectorFloorStrict in tuning.dart')).toMatchObject({
    exit: 0,
    by: 'deterministic',
  });
  expect(server.requests).toEqual([]);
});

describe('nobody is asked', () => {
  test('while the provider wants to be left alone, which outlives the command', async () => {
    await using sandbox = sandboxWith();
    server.script = () => ({ do: 'fail', status: 429, headers: { 'retry-after': '600' } });
    expect(await lookup(sandbox)).toMatchObject({ exit: 0, by: 'search' });
    expect(state(sandbox, 'budget').entries).toEqual([]);
    const again = await lookup(sandbox);
    expect(again).toMatchObject({ by: 'search' });
    expect(again.text).toContain('The provider asked for a pause, goes on at ');
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['budget_tokens_per_day: 100', 'The budget for models is used up'],
    ['budget_usd_per_day: 0.001', 'The budget for models is used up'],
    ['evaluator: rules', 'A search for the words'],
  ])('where the settings say %s', async (line, said) => {
    await using sandbox = sandboxWith();
    if (line.startsWith('evaluator'))
      sandbox.write('steward.md', sandbox.read('steward.md').replace(/^evaluator: .*$/m, line));
    else set(sandbox, line);
    const answer = await lookup(sandbox);
    expect(answer.by).toBe('search');
    expect(answer.text).toContain(said);
    expect(server.requests).toEqual([]);
  });
});

test('a running daemon keeps the budget, and remembers the wait', async () => {
  await using sandbox = sandboxWith();
  const daemon = sandbox.start('steward run --vault vault');
  await daemon.line((line) => line.includes('steward-'), 'ready');
  expect(await lookup(sandbox)).toMatchObject({ by: 'haiku' });
  server.script = () => ({ do: 'fail', status: 429, headers: { 'retry-after': '600' } });
  expect(await lookup(sandbox)).toMatchObject({ by: 'search' });
  expect((await lookup(sandbox)).text).toContain('The provider asked for a pause, goes on at ');
  expect(server.requests).toHaveLength(2);
  const status = await sandbox.steward(['status', '--vault', 'vault', '--json']);
  expect(JSON.parse(status.stdout).gates.backoffUntil).toEqual(expect.any(String));
  daemon.kill('SIGTERM');
  await daemon.ended;
  await wait(0);
  expect(state(sandbox, 'budget').entries).toMatchObject([{ tokens: 1600, settled: true }]);
  expect(state(sandbox, 'rate-guard').entries).toHaveLength(server.requests.length);
});

test('settings of the lookup are read from steward.md', async () => {
  await using sandbox = sandboxWith();
  set(sandbox, 'haiku_model: some-other-model\nmax_response_tokens: 200');
  expect(await lookup(sandbox)).toMatchObject({ by: 'haiku', usage: { model: 'some-other-model' } });
});
