import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkModels, questionGate } from '../../src/providers/choice.ts';
import type { RequestGate } from '../../src/providers/provider.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { Clock, DAY, MINUTE } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, instalmentMail, instinct, matter, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { type Act, MessagesServer, sound, textOf } from './messages-server.ts';

const never = new AbortController().signal;
const NOTHING: Act = { do: 'say', text: '{"signals":[]}' };
const LIST = '\n## Steward-Registered Files\n\n- data/*.json\n';

const fileOf = (nth: number) => `stream/mail/m${nth}.eml`;

function withMails(count: number, fields: Readonly<Record<string, unknown>> = {}): Files {
  return {
    'steward.md': settings({ settle_seconds: 0, budget_usd_per_day: 'unlimited', ...fields }),
    'matter/roof.md': matter({ senders: ['office@roof.example'] }),
    'task/Pay the last instalment.md': task({ parent_matter: '[[roof]]' }),
    'instinct/mail.md': instinct('mail'),
    ...Object.fromEntries(Array.from({ length: count }, (_, nth) => [fileOf(nth), instalmentMail(nth)])),
  };
}

/** The most questions in any minute. */
function mostInAMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE).length));
}

describe('a burst of a hundred mails', () => {
  test('at most 60 questions in any minute; the others wait, status says so, and all are read in the end', async () => {
    const vault = new TempVault(withMails(100));
    const clock = new Clock();
    clock.move(MINUTE); // the files have lain there for a while
    const asked: number[] = [];
    const server = await MessagesServer.start(() => {
      asked.push(clock.now());
      return NOTHING;
    });
    const running = await Running.start(vault, { env: { ...LIVE, provider: server.access }, clock });
    const { daemon } = running;
    await running.until(() => daemon.status().streams.waiting.length === 40 && running.count('stream-read') === 60);
    expect(asked).toHaveLength(60);
    const { gates, trouble } = daemon.status();
    expect(gates.rateGuard).toMatchObject({ minute: { used: 60, cap: 60 }, hour: { used: 60 }, task: { used: 0 } });
    expect(gates.held).toEqual([
      {
        what: 'files',
        count: 40,
        window: 'minute',
        until: expect.any(String),
        reason: expect.stringMatching(
          /^the limit of 60 questions to models a minute is reached, goes on at (\S+ )?\d\d:\d\d$/,
        ),
      },
    ]);
    expect(trouble).toEqual([]);
    await daemon.wake(); // nothing is tried before there is room
    await running.sync();
    expect(asked).toHaveLength(60);
    clock.move(MINUTE + 5000);
    await daemon.wake();
    await running.until(() => running.count('stream-read') === 100);
    await running.sync();
    expect(server.requests).toHaveLength(100);
    expect(mostInAMinute(asked)).toBeLessThanOrEqual(60);
    expect(daemon.status().gates).toMatchObject({ held: [], rateGuard: { hour: { used: 100 } } });
    expect(running.happenings.filter(({ what }) => what === 'trouble')).toEqual([]);
  });

  test('what waits is taken up by itself when there is room, without anybody looking at the disk', async () => {
    const vault = new TempVault(withMails(1));
    const clock = new Clock();
    clock.move(MINUTE);
    const server = await MessagesServer.start(() => NOTHING);
    const slot = { at: clock.now() - MINUTE + 3000, task: null, matter: null, senders: [], sent: true };
    const entries = Array.from({ length: 60 }, (_, id) => ({ ...slot, id }));
    vault.write(
      '.steward/state/rate-guard.json',
      JSON.stringify({ nextId: 60, entries, backoffUntil: null, fullUntil: null }),
    );
    const running = await Running.start(vault, { env: { ...LIVE, provider: server.access }, clock });
    await running.until(() => running.daemon.status().gates.held.length === 1);
    expect(server.requests).toEqual([]);
    await running.heard('stream-read');
    expect(server.requests).toHaveLength(1);
  });
});

describe('what is full, or has to wait', () => {
  test.each([
    ['a provider that asked us to wait', (door: RequestGate) => door.heldOff(600)],
    ['a full minute of questions', (door: RequestGate) => door.pass(60)],
  ])('%s does not hold back what asks nobody: a routed signal is acted upon', async (_, hold) => {
    const vault = new TempVault({ ...HOUSE, 'signal/one.md': signal() });
    const server = await MessagesServer.start(() => NOTHING);
    const bench = await Bench.open(vault, { env: { ...LIVE, provider: server.access } });
    await hold(questionGate(bench.ports.context));
    const [result] = await bench.tick();
    expect(result?.events).toHaveLength(1);
    expect(vault.fields(result?.events[0] ?? '')).toMatchObject({ undo_recipe: expect.anything() });
    expect(server.requests).toEqual([]);
    expect(bench.status().gates.rateGuard.task).toEqual({ used: 0, cap: 6 });
  });

  test('a full minute holds back a judgement, which is made when there is room', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/weak.md': weak() });
    const clock = new Clock();
    const server = await MessagesServer.start((asked) => ({ do: 'say', text: sound(asked) }));
    const bench = await Bench.open(vault, { env: { ...LIVE, provider: server.access }, clock });
    await questionGate(bench.ports.context).pass(60);
    const [held] = await bench.tick();
    expect(held).toMatchObject({ guarded: true, retryAt: expect.any(Number) });
    expect(server.requests).toEqual([]);
    expect(bench.status().gates.held).toMatchObject([{ what: 'notes', count: 1, window: 'minute' }]);
    expect(bench.status().gates.rateGuard.task?.used).toBe(0); // nothing was asked
    clock.move(MINUTE);
    await bench.tick();
    expect(server.requests).toHaveLength(1);
    expect(bench.status().gates.held).toEqual([]);
  });

  test('outlives a restart, and a crash between the place and the question frees nothing', async () => {
    const vault = new TempVault({ ...HOUSE });
    const clock = new Clock();
    const server = await MessagesServer.start(() => NOTHING);
    const env = { ...LIVE, provider: server.access };
    const first = await Bench.open(vault, { env, clock });
    await questionGate(first.ports.context).pass(7); // and here it ends: nothing is flushed
    expect((await Bench.open(vault, { env, clock })).status().gates.rateGuard.minute?.used).toBe(7);
  });

  test.each(['1e300', 'soon', '99999999999999999999', 'Tue, 01 Jan 2999 00:00:00 GMT'])(
    'retry-after: %s holds it off for a day at most',
    async (after) => {
      const clock = new Clock();
      const server = await MessagesServer.start(() => ({ do: 'fail', status: 429, headers: { 'retry-after': after } }));
      const bench = await Bench.open(new TempVault({ ...HOUSE, 'signal/weak.md': weak() }), {
        env: { ...LIVE, provider: server.access },
        clock,
      });
      await bench.tick();
      const until = Date.parse(bench.status().gates.backoffUntil ?? '');
      expect(until - clock.now()).toBeGreaterThan(0);
      expect(until - clock.now()).toBeLessThanOrEqual(DAY);
      clock.move(DAY);
      expect(bench.status().gates.backoffUntil).toBeNull();
    },
  );
});

test('law: whatever the server does, and whoever asks, the windows hold every question that it was asked', async () => {
  const act = fc.constantFrom<Act | 'sound'>(
    'sound',
    { do: 'say', text: 'I would rather not say.' },
    { do: 'say', text: '{"signals":' },
    { do: 'garbage' },
    { do: 'drop' },
    { do: 'fail', status: 500 },
    { do: 'fail', status: 413 },
    { do: 'fail', status: 429, headers: { 'retry-after': '1' } },
  );
  const manner = fc.constantFrom('holds', 'refuses', 'ignores');
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 6 }), manner, manner, async (acts, structured, forced) => {
      const server = await MessagesServer.start((asked, index) => {
        const next = acts[index] ?? 'sound';
        if (next !== 'sound') return next;
        if (!textOf(asked).includes('<note>'))
          return textOf(asked).includes('<event>') ? NOTHING : { do: 'say', text: '{"ready":true}' };
        const isFirst = JSON.stringify(asked).includes('requests');
        return { do: 'say', text: sound(asked, isFirst ? { requests: ['show lines 1-2 of fees.json'] } : {}) };
      });
      server.structured = structured;
      server.forced = forced;
      const vault = new TempVault({
        ...HOUSE,
        ...withMails(3),
        'matter/house.md': HOUSE['matter/house.md'] + LIST,
        'data/fees.json': '[{"fee": "survey"},\n {"fee": "notary"}]\n',
        'signal/weak.md': weak(),
      });
      const clock = new Clock();
      const bench = await Bench.open(vault, { env: { ...LIVE, provider: server.access }, clock });
      await checkModels(bench.ports, bench.budget);
      for (const nth of [0, 1, 2]) {
        await readStream(bench.ports, fileOf(nth), never);
        clock.move(2000);
        await bench.tick();
      }
      expect(server.malformed).toEqual([]);
      // A slot is taken before the question is sent, and kept where that fails.
      expect(bench.status().gates.rateGuard.hour?.used).toBeGreaterThanOrEqual(server.requests.length);
      bench.close();
      await server.close();
    }),
    { numRuns: lawRuns(15) },
  );
});
