// Over 5 s: each file that holds many events is read by a process of its own, and one test starts a daemon.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { buildLedger, listReceived, remembered } from '../../src/features/ledger.ts';
import { teach } from '../../src/features/teach.ts';
import { atOnce } from '../../src/vault/time.ts';
import { calendar, entry } from '../streams/calendars.ts';
import { mailbox } from '../streams/mailboxes.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { Clock, DAY, HOUR, MINUTE } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { demandSum, textOf } from './ledger-sums.ts';

/** A file that holds many events: what is in it at first, and what its next export adds. */
const box = fc.array(fc.constantFrom('paid', 'stranger', 'news', 'nothing', 'encrypted'), { maxLength: 4 });

test('LAW: the same holds for files that hold many events, and for those that are written anew', async () => {
  await fc.assert(
    fc.asyncProperty(box, box, fc.nat(4), async (first, more, days) => {
      const vault = new TempVault({ ...HOUSE, 'task/errand-0.md': task() });
      const bench = await Bench.open(vault);
      const mails = [...first, ...more].map((kind, nth) => textOf(kind, `b${nth}`, 'errand-0'));
      const dates = Array.from({ length: days }, (_, nth) => entry(`UID:${nth}@a.example`, `DTSTART:${soon(nth)}`));
      vault.write('stream/box.mbox', mailbox(...mails.slice(0, first.length)));
      vault.write('stream/calendar/home.ics', calendar(...dates.slice(0, 2).flat()));
      await sweepAndRead(bench);
      await bench.sweep();
      const ledger = () => listReceived(atOnce(remembered(bench.ports)));
      demandSum(ledger(), (first.length || 0) + Math.min(2, days));
      vault.write('stream/box.mbox', mailbox(...mails));
      vault.write('stream/calendar/home.ics', calendar('X-WR-CALNAME:Home', ...dates.flat()));
      await sweepAndRead(bench);
      await bench.sweep();
      demandSum(ledger(), first.length + more.length + days);
      expect(atOnce(buildLedger(bench.ports, { since: null, most: 1 })).items.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: lawRuns(3), endOnFailure: true },
  );
});

/** A time some days from now, as a calendar writes it. */
function soon(days: number): string {
  return new Date(Date.now() + (days + 2) * 24 * HOUR).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

test('what the user teaches about one event of many moves it from one pile to another', async () => {
  const mails = [textOf('nothing', 'c', 'errand-0'), textOf('nothing', 'd', 'errand-0')];
  const vault = new TempVault({ ...HOUSE, 'task/errand-0.md': task(), 'stream/box.mbox': mailbox(...mails) });
  const bench = await Bench.open(vault);
  await sweepAndRead(bench);
  const ledger = () => atOnce(buildLedger(bench.ports, { since: null, most: null }));
  expect(ledger().piles).toMatchObject({ done: 0, setAside: 2 });
  const { path = '' } = ledger().items.find(({ subject }) => subject === 'Lunch d') ?? {};
  const given = await teach(bench.ports, { mail: path, task: 'errand-0', set: { state: 'done' } });
  expect(given).toMatchObject({ outcome: 'confirmed' });
  await bench.sweep();
  expect(ledger().piles).toMatchObject({ done: 1, setAside: 1 });
});

const PILED = z.object({ piles: z.record(z.string(), z.number()) });

test('a daemon says where everything ended that came while it ran', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/errand-0.md': task(), 'task/errand-1.md': task() });
  const clock = new Clock();
  const running = await Running.start(vault, { clock });
  for (const kind of ['paid', 'news', 'nothing', 'encrypted', 'broken'])
    vault.write(`stream/${kind}.eml`, textOf(kind, kind, 'errand-0'));
  vault.write('stream/box.mbox', mailbox(textOf('stranger', 'b1', 'errand-1'), textOf('news', 'b2', 'errand-0')));
  const piles = async () => {
    return PILED.parse(await running.ask({ op: 'ledger', since: null, most: null })).piles;
  };
  const silent = { setAside: 3, notRead: 2 };
  await expect.poll(piles, { timeout: 60_000 }).toEqual({ done: 0, asked: 0, waiting: 2, ...silent });
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  expect(await piles()).toEqual({ done: 0, asked: 2, waiting: 0, ...silent });
  const filter = { matter: null, class: null, minConfidence: null, source: null };
  await running.ask({ op: 'answer', kind: 'dismiss', events: [], filter, dryRun: false });
  expect(await piles()).toEqual({ done: 2, asked: 0, waiting: 0, ...silent });
  // A week later it offers a sample of what was set aside, and takes up the answers in it.
  clock.move(7 * DAY);
  await running.daemon.wake();
  await expect.poll(() => vault.events('ledger-').length, { timeout: 60_000 }).toBe(1);
  const [note = ''] = vault.events('ledger-');
  vault.write(note, vault.read(note).replace('[ ] mattered', '[x] mattered'), 0);
  clock.move(MINUTE);
  await running.daemon.wake();
  const lesson = await running.heard('learned', ({ note: about }) => about === note);
  expect(lesson.observations).toBe(1);
});
