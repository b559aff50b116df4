import fs from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { StateWriter } from '../../src/daemon/daemon.ts';
import { RetryQueue } from '../../src/daemon/queue.ts';
import { Schedules } from '../../src/daemon/schedule.ts';
import { Timers } from '../../src/daemon/timers.ts';
import { Clock } from '../support/clock.ts';
import { HELD } from '../support/lease.ts';
import { HOUSE, matter, settings, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const MINUTE = 60_000;
const PAY = 'task/pay.md';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Counts the bytes that are written into files below a folder from now on. */
function countWritten(folder: string): () => number {
  let bytes = 0;
  const write = fs.writeFileSync;
  vi.spyOn(fs, 'writeFileSync').mockImplementation((...given: Parameters<typeof write>) => {
    const [file, text] = given;
    const name = typeof file === 'number' ? fs.readlinkSync(`/proc/self/fd/${file}`) : String(file);
    if (name.startsWith(folder))
      bytes += Buffer.byteLength(typeof text === 'string' ? text : Buffer.from(text as Buffer));
    write(...given);
  });
  return () => bytes;
}

describe('an idle daemon', () => {
  const MATTERS = 200;

  async function running(schedules: (nth: number) => string) {
    const notes = Array.from({ length: MATTERS }, (_, nth) => [
      `matter/m${nth}.md`,
      matter({ steward_schedule: schedules(nth) }),
    ]);
    const vault = new TempVault({ 'steward.md': settings(), ...Object.fromEntries(notes) });
    const clock = new Clock();
    const daemon = await Running.start(vault, { clock });
    await daemon.ask({ op: 'tick', matters: [], force: true, mode: null }); // the first look at each matter
    await daemon.saved('cursors', { 'matter/m0.md': expect.anything() });
    return { vault, clock, daemon };
  }

  test('writes what has changed, however many matters there are', async () => {
    const { vault, clock, daemon } = await running((nth) => (nth === 0 ? 'every 30m' : 'every 7d'));
    const written = countWritten(vault.places.state);
    const before = daemon.count('ticked');
    clock.move(31 * MINUTE);
    await daemon.daemon.wake();
    await daemon.daemon.idle();
    const ticked = daemon.count('ticked') - before;
    expect(ticked).toBeGreaterThan(0);
    expect(ticked).toBeLessThan(20);
    await daemon.stop();
    expect(written()).toBeGreaterThan(0);
    expect(written()).toBeLessThan(1_000 * (ticked + 2));
  });
});

describe('the cache of records', () => {
  interface Kept {
    readonly vault: TempVault;
    readonly bench: Bench;
    readonly keeping: StateWriter;
    readonly held: Set<string>;
  }

  async function kept(): Promise<Kept> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    const space = bench.ports;
    const { state, now, settings: said } = space.context;
    const listener = { due: () => {}, provisioned: () => {}, removed: () => {} };
    const parts = { catalogue: space.vault.catalogue, state, now, listener, defaultSchedule: said.default_schedule };
    const held = new Set<string>();
    const keeping = new StateWriter({
      ...{ space, held, needsBefore: (path: string) => held.has(path), schedules: new Schedules(parts) },
      ...{ retries: new RetryQueue(space), timers: new Timers(now), paths: vault.outside, lease: HELD },
    });
    keeping.start();
    return { vault, bench, keeping, held };
  }

  /** Returns how many notes the next start would read. */
  async function readAtStart(vault: TempVault): Promise<number> {
    const next = await Bench.open(vault);
    return next.catalogue.saved.unsaved.size;
  }

  async function halfAMinute(): Promise<void> {
    vi.advanceTimersByTime(30_000);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }

  test('is kept up while the daemon runs: whoever kills it finds a warm start', async () => {
    const { vault, bench } = await kept();
    await halfAMinute();
    expect(await readAtStart(vault)).toBe(0);
    vault.write(PAY, task({ state: 'done' }));
    bench.ports.vault.look([PAY]);
    expect(await readAtStart(vault)).toBe(1);
    await halfAMinute();
    expect(await readAtStart(vault)).toBe(0);
  });

  test('still tells what a note was like whose edit is to be heard', async () => {
    const { vault, bench, held, keeping } = await kept();
    await halfAMinute();
    vault.write(PAY, task({ state: 'done' }));
    bench.ports.vault.look([PAY]);
    held.add(PAY);
    await halfAMinute();
    expect((await Bench.open(vault)).ports.vault.editedMeanwhile).toMatchObject([
      { path: PAY, before: { fields: { state: 'open' } } },
    ]);
    held.clear();
    await keeping.close();
    expect((await Bench.open(vault)).ports.vault.editedMeanwhile).toEqual([]);
  });

  test('that cannot be written is trouble, until it can', async () => {
    const { vault, bench } = await kept();
    fs.rmSync(vault.places.cache, { recursive: true });
    fs.writeFileSync(vault.places.cache, '');
    await halfAMinute();
    expect(bench.ports.problems.faults.get('cache')).toMatchObject({ file: '.steward/cache' });
    fs.rmSync(vault.places.cache);
    fs.mkdirSync(vault.places.cache);
    await halfAMinute();
    expect(bench.ports.problems.faults.has('cache')).toBe(false);
    expect(await readAtStart(vault)).toBe(0);
  });
});
