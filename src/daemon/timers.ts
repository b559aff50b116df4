import { bound } from './faults.ts';

/** A loop that stood still for this long (ms) may have lost reports of the system in the meantime, without an error. */
const STALL_MS = 2_000;

/** A moment, and how long the process has worked until then: its CPU time. All in ms. */
export interface Moment {
  readonly at: number;
  readonly worked: number;
}

/**
 * The regular beat of the event loop, by which a stall is noticed: the machine slept, the process was stopped, a disk gave
 * no answer. The time in which the process itself worked is no stall, however long it was, or a large vault would be
 * listed for ever.
 */
export class StallDetector {
  readonly #everyMs: number;
  #last: Moment;

  constructor(everyMs: number, begin: Moment) {
    this.#everyMs = everyMs;
    this.#last = begin;
  }

  /** Takes a beat. Returns whether the loop stood still before it. */
  beat(now: Moment): boolean {
    const late = now.at - this.#last.at - this.#everyMs;
    const worked = now.worked - this.#last.worked;
    this.#last = now;
    return late - worked > STALL_MS;
  }
}

export function momentNow(): Moment {
  const { user, system } = process.cpuUsage();
  return { at: Date.now(), worked: (user + system) / 1_000 };
}

const MINUTE_MS = 60_000;
/** While the vault is away it is looked for often: work goes on within seconds of its return. */
const AWAY_MS = 2_000;
const LONGEST_MS = 30 * MINUTE_MS;
/** The share of a processor that listing may take. */
const SHARE = 1 / 2_000;
/** The most that listing a file takes on most machines: good enough until the first listing is measured. */
const FILE_MS = 0.01;

interface Listed {
  /** Whether all that changes in it is surely reported, so that a listing only makes certain. */
  readonly isSure: boolean;
  readonly files: number;
  /** The processor time (ms) of the last listing; null before the first. */
  readonly cost: number | null;
}

/** Returns how often (ms) the vault is to be listed: as often as costs next to nothing, within bounds. */
export function sweepEvery({ isSure, files, cost }: Listed, isAway: boolean): number {
  if (isAway) return AWAY_MS;
  if (!isSure) return MINUTE_MS;
  return Math.min(LONGEST_MS, Math.max(MINUTE_MS, (cost ?? files * FILE_MS) / SHARE));
}

/** Returns the earliest of some moments (epoch ms); null means never. */
export function earliest(moments: Iterable<number | null>): number | null {
  let first: number | null = null;
  for (const moment of moments) if (moment !== null && (first === null || moment < first)) first = moment;
  return first;
}

/** A timer that is set for longer goes off at once. */
const LONGEST_MS_TIMERS = 2 ** 31 - 1;
const SHORTEST_MS = 20;
/** A timer may go off this much before its moment: it counts by another clock, in whole milliseconds. */
const EARLY_MS = 1000;

/** Work that is to be done once, and when (epoch ms). */
interface Appointment {
  readonly moment: number;
  readonly work: () => void;
}

/** Regular work of several daemons in one process. */
export interface SharedIntervals {
  /** The present moment, the same for all work of a round. */
  readonly moment: Moment;
  /** Calls `work` every `everyMs` until the returned function is called. */
  every(everyMs: number, work: () => void): () => void;
}

/** What several daemons of one process share, so that each has its turn in the one event loop (`fleet/`). */
export interface SharedLoop {
  readonly intervals: SharedIntervals;
  /** Resolves when it is the caller's turn. */
  readonly turn: () => Promise<void>;
}

/** The timers of one daemon, which end with it. */
export class Timers {
  readonly #now: () => number;
  readonly #shared: SharedIntervals | null;
  readonly #once = new Map<NodeJS.Timeout, Appointment>();
  readonly #endings: (() => void)[] = [];
  #closed = false;

  /** `shared`: does the regular work if several daemons share one process. */
  constructor(now: () => number, shared: SharedIntervals | null = null) {
    this.#now = now;
    this.#shared = shared;
  }

  get moment(): Moment {
    return this.#shared?.moment ?? momentNow();
  }

  /** When the next one-time appointment is due (epoch ms); null without any. */
  get next(): number | null {
    return earliest([...this.#once.values()].map(({ moment }) => moment));
  }

  /** Calls `work` every `ms`. */
  every(ms: number, work: () => void): void {
    this.#endings.push(this.#shared === null ? intervalOf(ms, work) : this.#shared.every(ms, work));
  }

  /** Calls `task` once, at `moment` (epoch ms) or a little after, and not before it. */
  at(moment: number, task: () => void): void {
    if (this.#closed) return;
    const work = bound(task);
    const wait = Math.min(Math.max(SHORTEST_MS, moment - this.#now()), LONGEST_MS_TIMERS);
    const timer = setTimeout(() => {
      this.#once.delete(timer);
      const early = moment - this.#now();
      // If the clock was set back in the meantime, the work isn't delayed again: the time has been waited.
      if (wait === LONGEST_MS_TIMERS || (early > 0 && early < EARLY_MS)) this.at(moment, work);
      else work();
    }, wait);
    this.#once.set(timer, { moment, work });
  }

  /** Does what is due, whatever the timers say: they stand still while the machine sleeps. */
  look(): void {
    const now = this.#now();
    for (const [timer, { moment, work }] of [...this.#once]) {
      if (moment > now || !this.#once.delete(timer)) continue;
      clearTimeout(timer);
      work();
    }
  }

  close(): void {
    this.#closed = true;
    for (const end of this.#endings.splice(0)) end();
    for (const timer of this.#once.keys()) clearTimeout(timer);
    this.#once.clear();
  }
}

function intervalOf(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

/** Wakes something at the earliest of the moments that it is set to. */
export class Alarm {
  readonly #timers: Timers;
  readonly #wake: () => void;
  #at = Number.POSITIVE_INFINITY;

  constructor(timers: Timers, wake: () => void) {
    this.#timers = timers;
    this.#wake = wake;
  }

  /** Sets it to a moment (epoch ms), unless it goes off before that. */
  set(moment: number): void {
    if (moment >= this.#at) return;
    this.#at = moment;
    this.#timers.at(moment, () => {
      this.#at = Number.POSITIVE_INFINITY;
      this.#wake();
    });
  }
}
