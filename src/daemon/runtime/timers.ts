import { bound } from './component.ts';
import { earliest } from './earliest.ts';
import { type Moment, momentNow } from './pulse.ts';
import type { Beats } from './shared/beats.ts';

/** A timer that is set for longer goes off at once. */
const LONGEST_MS = 2 ** 31 - 1;
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
    const wait = Math.min(Math.max(SHORTEST_MS, moment - this.#now()), LONGEST_MS);
    const timer = setTimeout(() => {
      this.#once.delete(timer);
      const early = moment - this.#now();
      // Of a clock that was set back meanwhile nothing is asked: what was to be waited for has been.
      if (wait === LONGEST_MS || (early > 0 && early < EARLY_MS)) this.at(moment, work);
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
