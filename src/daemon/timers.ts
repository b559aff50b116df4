import { AsyncResource } from 'node:async_hooks';
import { SLICE_MS } from '../vault/slices.ts';
import { Heap } from './process.ts';
import { bound } from './runtime/component.ts';

/** A loop that stood still for this long (ms) may have lost what the system reported meanwhile, without a word. */
const STALL_MS = 2_000;

/** A moment, and how long the process has worked until then: its CPU time. All in ms. */
interface Moment {
  readonly at: number;
  readonly worked: number;
}

/**
 * The regular beat of the event loop, by which a stall is noticed: the machine slept, the process was stopped, a disk gave
 * no answer. The time in which the process itself worked is no stall, however long it was, or a large vault would be
 * listed for ever.
 */
export class Pulse {
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

/** The present moment. */
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
/** What listing a file takes at most on most machines: good enough until the first listing has told. */
const FILE_MS = 0.01;

/** What is known of a vault that is to be listed. */
interface Listed {
  /** Whether all that changes in it is surely reported, so that a listing only makes certain. */
  readonly isSure: boolean;
  readonly files: number;
  /** The processor time (ms) of the last listing; null where there was none. */
  readonly cost: number | null;
}

/** Returns how often (ms) the vault is to be listed: as often as costs next to nothing, within bounds. */
export function sweepEvery({ isSure, files, cost }: Listed, isAway: boolean): number {
  if (isAway) return AWAY_MS;
  if (!isSure) return MINUTE_MS;
  return Math.min(LONGEST_MS, Math.max(MINUTE_MS, (cost ?? files * FILE_MS) / SHARE));
}

/** Returns the earliest of some moments (epoch ms); null stands for never. */
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

/** What is to be done once, and when (epoch ms). */
interface Appointment {
  readonly moment: number;
  readonly work: () => void;
}

/** The timers of one daemon, which end with it. */
export class Timers {
  readonly #now: () => number;
  readonly #beats: Beats | null;
  readonly #once = new Map<NodeJS.Timeout, Appointment>();
  /** What ends the regular work. */
  readonly #endings: (() => void)[] = [];
  #closed = false;

  /** `beats`: what regular work is done by, where several daemons share one process. */
  constructor(now: () => number, beats: Beats | null = null) {
    this.#now = now;
    this.#beats = beats;
  }

  /** The present moment, for work that is done regularly. */
  get moment(): Moment {
    return this.#beats?.moment ?? momentNow();
  }

  /** When the next of those that go off once does so (epoch ms); null where there is none. */
  get next(): number | null {
    return earliest([...this.#once.values()].map(({ moment }) => moment));
  }

  /** Calls `work` every `ms`. */
  every(ms: number, work: () => void): void {
    this.#endings.push(this.#beats === null ? intervalOf(ms, work) : this.#beats.every(ms, work));
  }

  /** Calls `task` once, at `moment` (epoch ms) or a little after, and not before it. */
  at(moment: number, task: () => void): void {
    if (this.#closed) return;
    const work = bound(task);
    const wait = Math.min(Math.max(SHORTEST_MS, moment - this.#now()), LONGEST_MS_TIMERS);
    const timer = setTimeout(() => {
      this.#once.delete(timer);
      const early = moment - this.#now();
      // Of a clock that was set back meanwhile nothing is asked: what was to be waited for has been.
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

  /** Ends all timers. */
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

/** So long (ms) the next round waits at least: a process does not wake for each of a thousand beats. */
const ROUND_MS = 20;

interface Beat {
  readonly everyMs: number;
  readonly work: () => void;
  /** When it is due, by the clock that nobody sets. */
  next: number;
  isOver: boolean;
}

/**
 * What the daemons of one process do at regular intervals, over a single timer: each at the phase at which it began, so
 * that they do not come all at once. Where many are due, after a stall, others have their turn after each slice of them.
 */
export class Beats implements Disposable {
  readonly #beats = new Heap<Beat>((one, other) => one.next - other.next);
  #timer: NodeJS.Timeout | null = null;
  /** When the timer goes off. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #moment: Moment | null = null;

  /** The present moment: the same for all beats of a slice. */
  get moment(): Moment {
    this.#moment ??= momentNow();
    return this.#moment;
  }

  /**
   * Calls `work` every `everyMs`, until the returned function is called. What it throws ends no other's beat, and is an
   * uncaught error of the place that asked for it.
   */
  every(everyMs: number, work: () => void): () => void {
    const beat: Beat = { everyMs, work: apart(work), next: performance.now() + everyMs, isOver: false };
    this.#beats.push(beat);
    this.#arm(0);
    return () => {
      beat.isOver = true; // it is taken out when it is due
    };
  }

  /** Ends all beats. */
  [Symbol.dispose](): void {
    while (this.#beats.pop() !== undefined);
    this.#disarm();
  }

  #arm(leastMs: number): void {
    const next = this.#beats.peek()?.next;
    if (next === undefined) return;
    const now = performance.now();
    const at = Math.max(next, now + leastMs);
    if (this.#timer !== null && this.#wakesAt <= at) return;
    this.#disarm();
    this.#wakesAt = at;
    this.#timer = setTimeout(() => this.#round(), at - now);
  }

  #disarm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #round(): void {
    this.#timer = null;
    this.#moment = null;
    const since = performance.now();
    let isLate = false;
    for (
      let beat = this.#beats.peek();
      !isLate && beat !== undefined && beat.next <= since;
      beat = this.#beats.peek()
    ) {
      this.#beats.pop();
      if (!beat.isOver) this.#carryOut(beat, since);
      isLate = performance.now() - since >= SLICE_MS;
    }
    this.#arm(isLate ? 0 : ROUND_MS);
  }

  // Beats that were missed are not made up for.
  #carryOut(beat: Beat, now: number): void {
    beat.next += beat.everyMs * (Math.floor((now - beat.next) / beat.everyMs) + 1);
    this.#beats.push(beat);
    beat.work();
  }
}

// In the context of whoever asked, also where what is thrown is heard of: there it is known whose it was.
function apart(work: () => void): () => void {
  return AsyncResource.bind(() => {
    try {
      work();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  });
}
