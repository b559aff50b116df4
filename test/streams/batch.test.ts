// Over 5 s: each case has a vault on disk and a model server.
import { describe, expect, test } from 'vitest';
import { MessagesServer, type Request, type Script, textOf } from '../providers/messages-server.ts';
import { Clock, HOUR, MINUTE } from '../support/clock.ts';
import { instalmentMail, instinct, matter, settings, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';

const MODEL = 'claude-haiku-4-5-20251001';
const BATCHED = { settle_seconds: 0, model_batch: true };
/** What one question takes of the server in these tests. */
const TOKENS = 1600;

const fileOf = (nth: number) => `stream/mail/m${nth}.eml`;
const nthOf = (asked: Request) => Number(/Your payment (\d+)/.exec(textOf(asked))?.[1]);

/** One sound signal for each mail: something is asked of the person. */
const sound: Script = (asked) => ({ do: 'say', text: saying(`instalment ${nthOf(asked)} has reached us`) });

function saying(quote: string): string {
  const signal = { note: 'c1', or_notes: [], note_confidence: 0.9, quote, changes: [] };
  return JSON.stringify({ signals: [{ ...signal, effect_confidence: 0.9, reasoning: 'The roofer says so.' }] });
}

/** A vault with so many mails that a model is to be asked about, its provider, and the clock of both. */
async function world(mails: number, fields: Readonly<Record<string, unknown>> = BATCHED) {
  const server = await MessagesServer.start(sound);
  const vault = new TempVault({
    'steward.md': settings(fields),
    // No tick falls into a test, at whatever minute it runs: its questions would be counted among those about mails.
    'matter/roof.md': matter({ senders: ['office@roof.example'], steward_schedule: '0 3 1 1 *' }),
    'task/Pay the last instalment.md': task({ parent_matter: '[[roof]]' }),
    'instinct/mail.md': instinct('mail'),
    ...Object.fromEntries(Array.from({ length: mails }, (_, nth) => [fileOf(nth), instalmentMail(nth)])),
  });
  const clock = new Clock();
  clock.move(MINUTE); // the files have lain there for a while
  const start = async () => {
    const running = await Running.start(vault, { env: { ...LIVE, provider: server.access }, clock });
    await running.until(() => settledIn(running) === mails);
    await running.sync();
    return running;
  };
  return { server, vault, clock, start };
}

/** How many files have been read, or wait. */
function settledIn(running: Running): number {
  const { read, waiting } = running.daemon.status().streams;
  return read + waiting.length;
}

async function later(running: Running, clock: Clock, ms = 2 * MINUTE): Promise<void> {
  clock.move(ms);
  await running.daemon.wake();
  await running.daemon.idle();
}

const streams = (running: Running) => running.daemon.status().streams;
const tokens = (running: Running) => running.daemon.status().gates.budget.vault.tokens;
const signals = (vault: TempVault) => vault.names('signal').map((name) => vault.fields(`signal/${name}`));

describe('a backlog of mails', () => {
  test('is put as one batch, with the very questions that are asked singly; status says that the files wait for it', async () => {
    const { server, vault, start } = await world(12);
    const running = await start();
    expect(server.requests).toEqual([]);
    expect(server.malformed).toEqual([]);
    const [[, requests] = []] = [...server.batches];
    expect(requests).toHaveLength(12);
    expect(new Set(requests?.map(({ custom_id }) => custom_id)).size).toBe(12);
    expect(streams(running)).toMatchObject({ read: 0 });
    for (const { reason } of streams(running).waiting) {
      expect(reason).toMatch(/^asked in a batch, since \d\d:\d\d$/);
    }
    expect(vault.names('signal')).toEqual([]);
    const alone = await world(1, { settle_seconds: 0 });
    await alone.start();
    const asked = requests?.find(({ params }) => nthOf(params) === 0)?.params;
    const dated = /It is [^.]*\./;
    expect(JSON.stringify(asked).replace(dated, '')).toBe(JSON.stringify(alone.server.requests[0]).replace(dated, ''));
  });

  test('is read when the batch has ended: the signals of single questions, at half the price', async () => {
    const { server, vault, clock, start } = await world(12);
    const running = await start();
    await later(running, clock);
    expect(streams(running).read).toBe(0);
    server.ended = true;
    // Asked now, it would be the first note that is given.
    vault.write('task/Your payment has reached us.md', task({ parent_matter: '[[roof]]' }));
    await later(running, clock);
    expect(streams(running)).toMatchObject({ read: 12, signals: 12, waiting: [] });
    expect(server.requests).toEqual([]);
    const [first] = signals(vault);
    expect(first).toMatchObject({
      target_path: 'matter/roof.md',
      extracted_by: `${MODEL} (prompt extract-3)`,
      usage: { model: MODEL, tokens_in: 1500, tokens_out: 100, usd: 0.001 },
    });
    expect(tokens(running)).toBe(12 * TOKENS);
    expect(running.daemon.status().costs.day).toMatchObject({ questions: 12, usd: expect.closeTo(0.012) });
    const { looks } = server;
    await later(running, clock);
    expect(server.looks).toBe(looks);
  });

  test('each reply goes to its own mail, whatever their order; what failed or expired is asked about alone', async () => {
    const { server, vault, clock, start } = await world(12);
    const running = await start();
    server.ended = true;
    server.script = (asked, index) => {
      const once = server.requests.length === 0;
      if (once && nthOf(asked) === 3) return { do: 'fail', status: 400 };
      if (once && nthOf(asked) === 5) return { do: 'drop' };
      return once && nthOf(asked) === 7 ? { do: 'say', text: 'Certainly!' } : sound(asked, index);
    };
    await later(running, clock);
    await running.until(() => streams(running).read === 12);
    expect(server.requests.map(nthOf).sort()).toEqual([3, 5, 7]);
    expect(server.batches.size).toBe(1);
    const pairs = signals(vault).map(({ source_event_path, raw_quote }) => [source_event_path, raw_quote]);
    expect(new Map(pairs as [string, string][])).toEqual(
      new Map(Array.from({ length: 12 }, (_, nth) => [fileOf(nth), `instalment ${nth} has reached us`])),
    );
    expect(tokens(running)).toBe(13 * TOKENS); // the reply that could not be used was not for nothing
  });

  test('over a restart it is not put again, also where model and settings have changed', async () => {
    const { server, vault, clock, start } = await world(12);
    await (await start()).stop();
    vault.write('steward.md', settings({ settle_seconds: 0, model_extraction: 'claude-sonnet-5-5' }));
    const running = await start();
    expect(streams(running).waiting).toHaveLength(12);
    server.ended = true;
    await later(running, clock);
    expect(streams(running)).toMatchObject({ read: 12, signals: 12 });
    expect(server.batches.size).toBe(1);
    expect(server.requests).toEqual([]);
    expect(signals(vault)[0]).toMatchObject({ extracted_by: `${MODEL} (prompt extract-3)` });
  });

  test('where the settings say rules meanwhile, its files are read by them at once, and once', async () => {
    const { server, vault, clock, start } = await world(12);
    const running = await start();
    vault.write('steward.md', settings({ ...BATCHED, evaluator: 'rules' }));
    await running.until(() => streams(running).read === 12);
    const found = streams(running).signals;
    vault.write('steward.md', settings(BATCHED));
    server.ended = true;
    await later(running, clock);
    await later(running, clock);
    expect(streams(running)).toMatchObject({ read: 12, signals: found, waiting: [] });
    expect(server.requests).toEqual([]);
    await running.stop();
    expect(vault.read('.steward/state/batch.json')).toContain('"entries":[]');
  });

  test('a file that has changed since is asked about as it is now', async () => {
    const { server, vault, clock, start } = await world(12);
    const running = await start();
    vault.write(fileOf(4), instalmentMail(40));
    await running.until(() => streams(running).read === 1);
    server.ended = true;
    server.script = (asked, index) => {
      if (nthOf(asked) === 6) vault.write(fileOf(6), instalmentMail(60)); // while the results are on their way
      return sound(asked, index);
    };
    await later(running, clock);
    await running.until(() => streams(running).waiting.length === 0);
    expect(server.requests.map(nthOf)).toEqual([40, 60]);
    expect(streams(running)).toMatchObject({ read: 12, signals: 12, waiting: [] });
    const quotes = signals(vault).map(({ raw_quote }) => raw_quote);
    for (const nth of [4, 6]) expect(quotes).not.toContain(`instalment ${nth} has reached us`);
  });

  test.each([
    ['unknown to the provider', 2 * MINUTE, true],
    ['older than 25 hours', 26 * HOUR, false],
  ])('a batch that is %s lets its files go: each is asked about alone', async (_, ms, forgotten) => {
    const { server, clock, start } = await world(12);
    const running = await start();
    if (forgotten) server.batches.clear();
    await later(running, clock, ms);
    await running.until(() => streams(running).read === 12);
    expect(server.requests).toHaveLength(12);
    expect(running.daemon.status().trouble).toEqual([]);
  });

  test('a program that ended while it was putting one asks about the files anew', async () => {
    const { server, vault, clock, start } = await world(12);
    const first = await start();
    await first.stop();
    const state = JSON.parse(vault.read('.steward/state/batch.json'));
    vault.write('.steward/state/batch.json', JSON.stringify({ ...state, id: null }));
    const running = await start();
    await later(running, clock);
    await running.until(() => streams(running).read === 12);
    expect(server.requests).toHaveLength(12);
  });
});

describe('no batch', () => {
  test.each([
    ['off by default', 12, { settle_seconds: 0 }],
    ['fewer than ten', 9, BATCHED],
  ])('%s: each is asked about alone', async (_, mails, fields) => {
    const { server, start } = await world(mails, fields);
    const running = await start();
    await running.until(() => streams(running).read === mails);
    expect(server.requests).toHaveLength(mails);
    expect(server.batches.size).toBe(0);
    expect(server.looks).toBe(0);
  });

  test.each([404, 405, 501, 400, 500])('a server that answers %i to one: each is asked about alone', async (status) => {
    const { server, clock, start } = await world(12);
    server.batchRefusal = { do: 'fail', status };
    const running = await start();
    for (let minutes = 0; minutes < 6 && streams(running).read < 12; minutes += 2) await later(running, clock);
    expect(streams(running)).toMatchObject({ read: 12, waiting: [] });
    expect(server.requests).toHaveLength(12);
    expect(tokens(running)).toBe(12 * TOKENS);
  });

  test('a 429 holds all of them for as long as it asked, and costs nothing; then they are put', async () => {
    const { server, clock, start } = await world(12);
    server.batchRefusal = { do: 'fail', status: 429, headers: { 'retry-after': '600' } };
    const running = await start();
    expect(streams(running).waiting).toHaveLength(12);
    expect(server.requests).toEqual([]);
    expect(tokens(running)).toBe(0);
    server.batchRefusal = null;
    await later(running, clock, 11 * MINUTE);
    expect(server.requests).toEqual([]);
    expect([...server.batches.values()].map((requests) => requests.length)).toEqual([12]);
  });

  test('a budget without room for ten: nothing is put, and the files wait as they would alone', async () => {
    const { server, start } = await world(12, { ...BATCHED, budget_tokens_per_day: 1000 });
    const running = await start();
    expect(server.batches.size).toBe(0);
    expect(server.requests).toEqual([]);
    expect(tokens(running)).toBe(0);
    expect(streams(running).waiting.every(({ reason }) => reason.startsWith('budget'))).toBe(true);
  });

  test('a budget with room for eleven: the others wait until the batch has shown what it took', async () => {
    const { server, clock, start } = await world(12, { ...BATCHED, budget_tokens_per_day: 80_000 });
    const running = await start();
    const [[, requests] = []] = [...server.batches];
    expect(requests?.length).toBeGreaterThanOrEqual(10);
    expect(requests?.length).toBeLessThan(12);
    expect(tokens(running)).toBeLessThanOrEqual(80_000);
    server.ended = true;
    await later(running, clock);
    await running.until(() => streams(running).read === 12);
    expect(tokens(running)).toBe(12 * TOKENS);
  });
});
