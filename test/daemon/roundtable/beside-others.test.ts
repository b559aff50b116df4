import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { KEY, MessagesServer, type Request, resultsOf, type Script, textOf } from '../../providers/messages-server.ts';
import { briefingText } from '../../roundtable/support.ts';
import { Sandbox } from '../../stories/support.ts';

const BRIEFING = 'roundtable/tiles/briefing.md';
const LOG = 'roundtable/tiles/steward-log-tiles.json';
const recorded = z.object({
  schemaVersion: z.literal(1),
  ended: z.string().nullable(),
  entries: z.array(z.looseObject({ what: z.string(), phase: z.string().optional(), who: z.string().optional() })),
});

const addressOf = (asked: Request) => /^Round \d+, .*$/m.exec(textOf(asked))?.[0] ?? '';

/** Agents and a judge as they should be. */
const debate: Script = (asked) => {
  const [, round = '1', part = '', who = ''] = /^Round (\d+), (\w+), (\w+)/.exec(addressOf(asked)) ?? [];
  const names = part === 'opening' ? [`round-${round}/${who}.md`] : ['scoreboard.md', `round-${round}.summary.md`];
  if ((part !== 'opening' && part !== 'verdict') || resultsOf(asked).length > 0)
    return { do: 'say', text: `FILE_WRITTEN: roundtable/tiles/${names[0]}\nClaim: ${who} holds. Convergence: no` };
  const calls = names.map((name) => ({
    name: 'Write',
    input: { file_path: `roundtable/tiles/${name}`, content: `# By ${who}` },
  }));
  return { do: 'say', text: '', calls };
};

/** A vault with a briefing of two rounds, and a model that thinks for as long as a test wants where it speaks first. */
async function table() {
  const sandbox = new Sandbox('none');
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  sandbox.write('steward.md', '---\ntype: steward\n---\n');
  sandbox.write('matter/house.md', '---\ntype: matter\nsummary: House\nstate: open\n---\n');
  sandbox.write(BRIEFING, briefingText({ rounds: 2 }));
  const server = await MessagesServer.start(debate);
  const thought = Promise.withResolvers<void>();
  server.until = (asked) =>
    addressOf(asked).startsWith('Round 1, speaking, ada') ? thought.promise : Promise.resolve();
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url };
  return { sandbox, server, env, think: () => thought.resolve() };
}

type Table = Awaited<ReturnType<typeof table>>;

const logOf = ({ sandbox }: Table) => recorded.parse(JSON.parse(sandbox.read(LOG)));
const thinking = ({ server }: Table) =>
  expect.poll(() => server.requests.some((one) => addressOf(one).includes('speaking, ada'))).toBe(true);
const isThere = ({ sandbox }: Table, file: string) => fs.existsSync(path.join(sandbox.vault, file));

describe('while a roundtable is held by a command', () => {
  test('the vault is free: a tick, a daemon and its requests work, and the table goes on', async () => {
    const held = await table();
    const { sandbox, env } = held;
    const command = sandbox.start('steward roundtable --vault vault tiles', env);
    await thinking(held);
    expect(isThere(held, '.steward/lock')).toBe(false);
    expect(await sandbox.sh('steward tick --vault vault')).toMatchObject({ exit: 0 });
    const daemon = sandbox.start('steward run --vault vault', env);
    await daemon.line((line) => line.includes('started on'), 'started on');
    const second = await sandbox.sh('steward roundtable --vault vault tiles', env);
    expect(second).toMatchObject({ exit: 75, stderr: expect.stringContaining('roundtable-busy') });
    held.think();
    const ended = await command.ended;
    expect(ended).toMatchObject({ exit: 0, stdout: expect.stringContaining('2 rounds') });
    expect(logOf(held).ended).toBe('max_rounds');
    expect(sandbox.read('roundtable/tiles/scoreboard.md')).toContain('# By judge');
    const status = await sandbox.sh('steward status --vault vault --json');
    const spent = z
      .object({ costs: z.object({ day: z.object({ tokens: z.number() }) }) })
      .parse(JSON.parse(status.stdout));
    expect(spent.costs.day.tokens).toBeGreaterThan(0); // the daemon heard of what was spent after it came
  });

  test('a second command is refused, and what lies there is not touched', async () => {
    const held = await table();
    const { sandbox, env } = held;
    const command = sandbox.start('steward roundtable --vault vault tiles', env);
    await thinking(held);
    const before = sandbox.read(LOG);
    const second = await sandbox.sh('steward roundtable --vault vault tiles', env);
    expect(second).toMatchObject({ exit: 75, stderr: expect.stringContaining('roundtable-busy') });
    expect(sandbox.read(LOG)).toBe(before);
    held.think();
    expect((await command.ended).exit).toBe(0);
  });

  test('it is killed: a daemon that came meanwhile goes on from the log', async () => {
    const held = await table();
    const { sandbox, env, server } = held;
    const command = sandbox.start('steward roundtable --vault vault tiles', env);
    await thinking(held);
    const daemon = sandbox.start('steward run --vault vault', env);
    await daemon.line((line) => line.includes('started on'), 'started on');
    command.kill('SIGKILL');
    await command.ended;
    const asked = server.requests.length;
    held.think();
    expect(await sandbox.sh('steward roundtable --vault vault tiles', env)).toMatchObject({ exit: 0 });
    expect(server.requests.slice(asked).map(addressOf)[0]).toBe('Round 1, speaking, ada.');
    const opened = logOf(held).entries.filter((one) => one.what === 'said' && one.phase === 'opening');
    expect(opened).toHaveLength(4);
  });
});

test('while another command has the vault, a table waits with what it would spend, and goes on', async () => {
  const held = await table();
  const { sandbox, env, server } = held;
  held.think();
  // As a tick would, that asks a model: it has the lock, and keeps it.
  const lock = sandbox.start(`exec '${process.execPath}' --input-type=module -e '${HOLDER}' vault/.steward/lock`);
  await lock.line((line) => line === 'held', 'held');
  const command = sandbox.start('steward roundtable --vault vault tiles', env);
  await expect.poll(() => fs.existsSync(path.join(sandbox.vault, '.steward/tables'))).toBe(true);
  const recordedOnly = await sandbox.sh('steward roundtable --vault vault tiles --recorded');
  expect(recordedOnly.stderr).toContain('roundtable-busy');
  expect(server.requests).toEqual([]);
  lock.kill('SIGTERM');
  await lock.ended;
  expect((await command.ended).exit).toBe(0);
  expect(logOf(held).ended).toBe('max_rounds');
});

const HOLDER = `
import fs from "node:fs";
import path from "node:path";
const { Lock } = await import(${JSON.stringify(path.resolve(import.meta.dirname, '../../../src/vault/lock.ts'))});
const file = path.resolve(process.argv[1]);
fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
const lock = Lock.take(file, { role: "command", socket: null, now: Date.now() });
process.once("SIGTERM", () => { lock.release(); process.exit(0); });
setInterval(() => {}, 1000);
console.log("held");
`;
