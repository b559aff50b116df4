import { Heap } from '../runtime/heap.ts';

/**
 * What is due within one second of the clock fires at its end, so that many matters wake the processor once for all. From
 * two thousand matters on it is a millisecond for each, in steps that divide a minute: with ten thousand that takes off a
 * quarter of the processor time at rest, and no schedule is meant more exactly (`SLACK`).
 */
const TOGETHER_MS = [1_000, 2_000, 5_000, 10_000];

/** Returns when a firing comes about that is due at a moment (epoch ms), among so many schedules. */
export function together(at: number, schedules: number): number {
  const span = TOGETHER_MS.findLast((ms) => ms <= schedules) ?? 1_000;
  return Math.ceil(at / span) * span;
}

/** When a schedule is to fire (epoch ms). */
interface Firing {
  readonly at: number;
  readonly name: string;
}

/** The firings to come. One whose schedule was re-issued or removed since counts for nothing. */
export class Firings {
  readonly #heap = new Heap<Firing>((a, b) => a.at - b.at);
  readonly #stands: (firing: Firing) => boolean;

  /** `stands`: whether a schedule still fires then. */
  constructor(stands: (firing: Firing) => boolean) {
    this.#stands = stands;
  }

  /** When the next one is (epoch ms); null where there is none. */
  get next(): number | null {
    for (let head = this.#heap.peek(); head !== undefined; head = this.#heap.peek()) {
      if (this.#stands(head)) return head.at;
      this.#heap.pop();
    }
    return null;
  }

  /** Adds a firing. */
  push(at: number, name: string): void {
    this.#heap.push({ at, name });
  }

  /** Takes out those that are due by `now`, and yields the names of their schedules. */
  *due(now: number): Generator<string> {
    for (let head = this.#heap.peek(); head !== undefined && head.at <= now; head = this.#heap.peek()) {
      this.#heap.pop();
      if (this.#stands(head)) yield head.name;
    }
  }
}
