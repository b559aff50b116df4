import { CAUSES, type Cause, MINUTES, NUDGES, SECONDS, SPREADS, type Tally } from './stepping/tally.ts';

/** So many of the worst minutes are told with what was the matter. */
const WORST = 5;
/** What engine and hosts can do, as a multiple of the mean. */
const ROOM = [1.5, 2, 3] as const;

type Shares = Readonly<Partial<Record<Cause, number>>>;

/** Wakes a second, as they are by minute. */
interface Minutes {
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** One minute, with its wakes a second, and what woke the vaults, as shares of 1. */
export interface Minute {
  /** `06:30`, in UTC. */
  readonly at: string;
  readonly perSecond: number;
  readonly causes: Shares;
}

/** How long vaults wait for their turn where so many can be visited in a second, in seconds. */
interface Wait {
  readonly room: number;
  readonly perSecond: number;
  readonly p99: number;
  readonly longest: number;
}

/** What became of the wakes where each timer was put off by up to `spread` ms, each vault by its own share of it. */
interface Spread extends Minutes {
  readonly spread: number;
  readonly busiestSecond: number;
  readonly waits: readonly Wait[];
}

/** What a run says. */
export interface Figures {
  readonly vaults: number;
  readonly matters: number;
  readonly tasks: number;
  readonly wakes: number;
  readonly ticks: number;
  readonly timers: number;
  readonly nudges: number;
  readonly causes: Readonly<Record<string, number>>;
  readonly wakesAVault: Readonly<Record<string, { readonly vaults: number; readonly wakes: number }>>;
  readonly spreads: readonly Spread[];
  readonly busiestSecond: { readonly at: string; readonly wakes: number };
  readonly worst: readonly Minute[];
  /** Vaults that are awake at the same time, on average over a minute. */
  readonly awake: { readonly mean: number; readonly max: number };
  readonly minutes: readonly Minute[];
}

/** Returns what a tally says. */
export function figuresOf(tally: Tally): Figures {
  const minutes = tally.causes.map(minuteOf);
  const causes = Object.fromEntries(
    CAUSES.map((cause, nth) => [cause, tally.causes.reduce((sum, counts) => sum + (counts[nth] ?? 0), 0)]),
  );
  const wakes = sum(Object.values(causes));
  const nudges = sum(NUDGES.map((cause) => causes[cause] ?? 0));
  const seconds = tally.seconds[0] ?? new Uint32Array(SECONDS);
  const awake = [...tally.awake].map((ms) => ms / 60_000);
  return {
    vaults: sum([...tally.vaults.values()].map(({ vaults }) => vaults)),
    matters: tally.matters,
    tasks: tally.tasks,
    wakes,
    ticks: tally.ticks,
    timers: wakes - nudges,
    nudges,
    causes,
    wakesAVault: Object.fromEntries(
      [...tally.vaults].map(([name, one]) => [name, { vaults: one.vaults, wakes: one.wakes / one.vaults }]),
    ),
    spreads: SPREADS.map((spread, nth) => spreadOf(spread, tally.seconds[nth] ?? new Uint32Array(SECONDS))),
    busiestSecond: busiest(seconds),
    worst: minutes.toSorted((one, other) => other.perSecond - one.perSecond).slice(0, WORST),
    awake: { mean: sum(awake) / MINUTES, max: Math.max(...awake) },
    minutes,
  };
}

/** Returns how long (s) each wake waits where so many are served in a second, first come first served: the p99 and the longest. */
export function waitsAt(seconds: Uint32Array, perSecond: number): { readonly p99: number; readonly longest: number } {
  const waits: { wait: number; wakes: number }[] = [];
  let left = 0;
  // The day is taken twice, since what is left of one waits in the next.
  for (let second = 0; second < 2 * seconds.length; second += 1) {
    const wakes = seconds[second % seconds.length] ?? 0;
    left += wakes;
    if (second >= seconds.length && wakes > 0) waits.push({ wait: left / perSecond, wakes });
    left = Math.max(0, left - perSecond);
  }
  waits.sort((one, other) => other.wait - one.wait);
  let above = sum(waits.map(({ wakes }) => wakes)) / 100;
  const p99 = waits.find(({ wakes }) => {
    above -= wakes;
    return above <= 0;
  });
  return { p99: p99?.wait ?? 0, longest: waits[0]?.wait ?? 0 };
}

function spreadOf(spread: number, seconds: Uint32Array): Spread {
  const perSecond = Array.from(
    { length: MINUTES },
    (_, minute) => sum(seconds.subarray(minute * 60, minute * 60 + 60)) / 60,
  ).sort((one, other) => one - other);
  const mean = sum(perSecond) / MINUTES;
  const at = (share: number) => perSecond[Math.ceil(share * MINUTES) - 1] ?? 0;
  const waits = ROOM.map((room) => ({ room, perSecond: room * mean, ...waitsAt(seconds, room * mean) }));
  const busiestSecond = busiest(seconds).wakes;
  return { spread, mean, p50: at(0.5), p99: at(0.99), max: at(1), busiestSecond, waits };
}

function minuteOf(counts: Uint32Array, nth: number): Minute {
  const wakes = sum(counts);
  const shares = CAUSES.map((cause, at) => [cause, (counts[at] ?? 0) / wakes] as const)
    .filter(([, share]) => share > 0)
    .sort(([, one], [, other]) => other - one);
  return { at: clock(nth * 60).slice(0, 5), perSecond: wakes / 60, causes: Object.fromEntries(shares) };
}

function busiest(seconds: Uint32Array): { at: string; wakes: number } {
  const wakes = seconds.reduce((most, one) => Math.max(most, one), 0);
  return { at: clock(seconds.indexOf(wakes)), wakes };
}

function clock(second: number): string {
  return new Date(second * 1000).toISOString().slice(11, 19);
}

function sum(figures: Iterable<number>): number {
  let all = 0;
  for (const figure of figures) all += figure;
  return all;
}
