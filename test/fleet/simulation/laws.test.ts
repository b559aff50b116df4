import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { figuresOf, waitsAt } from '../../../fleet/simulation/figures.ts';
import { optionsOf } from '../../../fleet/simulation/options.ts';
import { ordersFor } from '../../../fleet/simulation/stepping/orders.ts';
import { Recall } from '../../../fleet/simulation/stepping/recall.ts';
import { readTally, SPREADS, Tally } from '../../../fleet/simulation/stepping/tally.ts';
import { VaultDay, type VisitPace } from '../../../fleet/simulation/stepping/vault-day.ts';
import { simulateZone } from '../../../fleet/simulation/stepping/zone.ts';
import type { InventedVault } from '../../../fleet/simulation/traffic/invented-vault.ts';
import { nextFire, parseSchedule, phaseOf, rhythmOf } from '../../../src/steward/schedule.ts';
import { nextAt } from '../../../src/vault/time.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';

const START = Date.UTC(2026, 2, 2);
const PACE = { work: 150, linger: 12_000, housekeeping: null, slack: 0 };
/** An open task that asks for nothing special, and news about it. */
const OPEN = {
  state: 'open' as const,
  surface_class: 'normal' as const,
  due: null,
  snoozed_until: null,
  next_check_after: null,
};
const NEWS = { kind: 'mail' as const, matter: 0, task: 0, signal: 'weak' as const, change: null };
const GARDEN = { ...matter('garden'), tasks: [{ name: 'hedge', times: OPEN, cursor: null }] };
const MAIN = path.resolve(import.meta.dirname, '../../../fleet/simulation/main.ts');

describe('what is counted', () => {
  test('the same seed gives the same figures, another gives others', () => {
    expect(counted(1, 0, 60)).toEqual(counted(1, 0, 60));
    expect(counted(2, 0, 60).seconds).not.toEqual(counted(1, 0, 60).seconds);
  });

  test('it does not matter in how many parts the vaults are dealt out', () => {
    const parts = new Tally(START);
    for (const [first, count] of [
      [0, 25],
      [25, 5],
      [30, 30],
    ] as const)
      parts.add(counted(1, first, count));
    expect(parts.toJSON()).toEqual(counted(1, 0, 60));
  });

  test('the minutes, the causes, the vaults and each spread make up all wakes', () => {
    const tally = new Tally(START);
    tally.add(counted(1, 0, 80));
    const figures = figuresOf(tally);
    expect(figures.wakes).toBeGreaterThan(80);
    expect(Math.round(sum(figures.minutes.map(({ perSecond }) => perSecond * 60)))).toBe(figures.wakes);
    expect(sum(Object.values(figures.causes))).toBe(figures.wakes);
    expect(Math.round(sum(Object.values(figures.wakesAVault).map((one) => one.vaults * one.wakes)))).toBe(
      figures.wakes,
    );
    expect(tally.seconds.map(sum)).toEqual(SPREADS.map(() => figures.wakes));
    expect(figures.timers + figures.nudges).toBe(figures.wakes);
  });

  test('every vault is in exactly one order', () => {
    const orders = ordersFor(100_003, { seed: 1, day: START, warmUp: 0, pace: PACE });
    const ends = orders.map(({ first, count }) => first + count);
    expect(orders.map(({ first }) => first)).toEqual([0, ...ends.slice(0, -1)]);
    expect(ends.at(-1)).toBe(100_003);
  });
});

describe('a vault', () => {
  test('of one quiet matter wakes exactly as the real schedule says', () => {
    const vault = vaultOf([matter('house')]);
    expect(wakes(vault)).toEqual(scheduled('house'));
  });

  test('of two matters wakes for each', () => {
    const both = [...scheduled('house'), ...scheduled('garden')].sort((one, other) => one - other);
    expect(wakes(vaultOf([matter('house'), matter('garden')]))).toEqual(both);
  });

  test('whose periods may be kept late wakes once for several of them', () => {
    const both = vaultOf([matter('house'), matter('garden')]);
    const late = wakes(both, { ...PACE, slack: 20 * MINUTE });
    expect(late.length).toBeLessThan(wakes(both).length);
    expect(late[0]).toBe(Math.min(...wakes(both)) + 20 * 60);
  });

  test('wakes for a mail, once for what comes while it is awake, and for a digest', () => {
    const mail = (at: number) => ({ at, kind: 'mail' as const, matter: null, task: null, signal: null, change: null });
    const nudges = [mail(START + 90 * MINUTE), mail(START + 90 * MINUTE + 100), mail(START + 100 * MINUTE)];
    const vault = { ...vaultOf([]), nudges, digestAt: 450 };
    const digest = new Date(2026, 2, new Date(START).getDate(), 7, 30).getTime();
    const expected = [nudges[0]?.at, nudges[2]?.at, digest < START ? digest + DAY : digest];
    expect(wakes(vault)).toEqual(expected.map((at) => Math.floor(((at ?? 0) - START) / SECOND)).sort((a, b) => a - b));
  });

  test('in which nothing is due is tidied up once in a while', () => {
    const pace = { ...PACE, housekeeping: 8 * HOUR };
    const nudges = [{ at: START + HOUR, kind: 'mail' as const, matter: null, task: null, signal: null, change: null }];
    expect(wakes({ ...vaultOf([]), nudges }, pace).map((second) => second / 3600)).toEqual([0, 1, 9, 17]);
  });

  test('is read anew when an edit has come to rest, in the same visit where that is soon', () => {
    const edit = { at: START + HOUR, kind: 'edit' as const, matter: null, task: null, signal: null, change: null };
    const vault = { ...vaultOf([]), nudges: [edit] };
    expect(wakes(vault)).toEqual([3600, 3630]);
    expect(wakes(vault, { ...PACE, linger: 30_000 })).toEqual([3600]);
  });

  test('wakes for news about an open task, and stays for it where that is soon', () => {
    const nudges = [{ ...NEWS, at: START + 12 * HOUR }];
    const told = (linger: number) => wakes({ ...vaultOf([GARDEN]), nudges }, { ...PACE, linger });
    const around = (second: number) => second >= 12 * 3600 && second < 12 * 3600 + 60;
    expect(told(12_000).filter(around)).toEqual([12 * 3600, 12 * 3600 + 15]);
    expect(told(45_000).filter(around)).toEqual([12 * 3600]);
  });

  test('wakes for the news of the night when the quiet hours are over', () => {
    const morning = nextAt(7 * 60, START + HOUR);
    const nudges = [{ ...NEWS, at: morning - HOUR }];
    const told = wakes({ ...vaultOf([GARDEN]), isQuietAtNight: true, nudges }, { ...PACE, linger: 45_000 });
    expect(told).toContain((morning - HOUR - START) / SECOND);
    expect(told).not.toContain((morning - HOUR - START) / SECOND + 15);
    expect(told).toContain((morning - START) / SECOND + 15);
  });

  test('does not wake by itself for a signal about a task that is put off', () => {
    const times = { ...OPEN, next_check_after: '2099-01-01' };
    const garden = { ...GARDEN, tasks: [{ name: 'hedge', times, cursor: null }] };
    const nudges = [{ ...NEWS, at: START + 12 * HOUR }];
    expect(wakes({ ...vaultOf([garden]), nudges })).not.toContain(12 * 3600 + 15);
  });
});

test('how long vaults wait for their turn', () => {
  expect(waitsAt(Uint32Array.from([10, 0, 0, 0, 0, 0, 0, 0]), 5)).toEqual({ p99: 2, longest: 2 });
  expect(waitsAt(Uint32Array.from([0, 0, 0, 10, 10, 0, 0, 0]), 5)).toEqual({ p99: 3, longest: 3 });
});

describe('the command', () => {
  const shape = z.object({
    schemaVersion: z.literal(1),
    vaults: z.int(),
    wakes: z.int(),
    minutes: z.array(z.object({ at: z.string(), perSecond: z.number() })).length(24 * 60),
  });

  test('prints the figures of each time zone together', async () => {
    const args = [MAIN, '--vaults', '40', '--json', '--warm-up', '1'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const figures = shape.parse(JSON.parse(stdout));
    expect(figures.vaults).toBe(40);
    expect(Math.round(sum(figures.minutes.map(({ perSecond }) => perSecond * 60)))).toBe(figures.wakes);
  });

  test.each([
    [['--vaults', '0'], /^--vaults takes a whole number from 1/],
    [['--vaults', 'many'], /^--vaults takes a whole number from 1/],
    [['--day', '2026-13-01'], /^--day takes a day such as 2026-03-02, and not 2026-13-01/],
  ])('%j is refused with a sentence', (args, sentence) => {
    expect(() => optionsOf(args)).toThrow(sentence);
  });
});

function counted(seed: number, first: number, count: number) {
  const tally = simulateZone({ seed, first, count, day: START, warmUp: 2 * HOUR, pace: PACE });
  return readTally(JSON.stringify(tally));
}

function vaultOf(matters: InventedVault['matters']): InventedVault {
  return { liveliness: 'dormant', matters, isQuietAtNight: false, digestAt: null, poll: null, nudges: [] };
}

function matter(slug: string): InventedVault['matters'][number] {
  const parsed = parseSchedule('every 30m');
  if (!parsed.ok) throw new Error(parsed.reason);
  const pace = { slug, cadence: parsed.cadence, source: 'default', backsOff: true, streak: 0 };
  const times = { surface_class: 'normal' as const, next_check_after: null };
  return { pace, times, isCommon: false, last: null, cursor: null, tasks: [] };
}

/** The seconds of the day in which a vault wakes. */
function wakes(vault: InventedVault, pace: VisitPace = PACE): number[] {
  const tally = new Tally(START);
  const span = { from: START, to: START + DAY };
  new VaultDay(vault, { span, pace, tally, recall: new Recall() }).run(0);
  return [...(tally.seconds[0] ?? [])].flatMap((count, second) => Array.from({ length: count }, () => second));
}

/** The seconds of the day in which a matter ticks that never hears anything. */
function scheduled(slug: string): number[] {
  const seconds: number[] = [];
  const cadence = { kind: 'every', ms: 30 * MINUTE } as const;
  const own = { slug, cadence, source: 'default', backsOff: true, heard: null, comesUp: true };
  let at = nextFire(cadence, phaseOf(slug, cadence.ms), START);
  for (let streak = 1; at !== null && at < START + DAY; streak += 1) {
    seconds.push(Math.floor((at - START) / SECOND));
    at = rhythmOf({ ...own, streak, last: at }, [], at).at;
  }
  return seconds;
}

function sum(figures: Iterable<number>): number {
  return [...figures].reduce((all, one) => all + one, 0);
}
