import { AsyncResource } from 'node:async_hooks';
import { Heap, type Moment, momentNow, type SharedIntervals, SLICE_MS } from '../steward-daemon.ts';

/** So long (ms) the next round waits at least: a process does not wake for each of a thousand beats. */
const ROUND_MS = 20;

interface Interval {
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
export class Intervals implements SharedIntervals, Disposable {
  readonly #all = new Heap<Interval>((one, other) => one.next - other.next);
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
    const beat: Interval = { everyMs, work: apart(work), next: performance.now() + everyMs, isOver: false };
    this.#all.push(beat);
    this.#arm(0);
    return () => {
      beat.isOver = true; // it is taken out when it is due
    };
  }

  /** Ends all beats. */
  [Symbol.dispose](): void {
    while (this.#all.pop() !== undefined);
    this.#disarm();
  }

  #arm(leastMs: number): void {
    const next = this.#all.peek()?.next;
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
    for (let beat = this.#all.peek(); !isLate && beat !== undefined && beat.next <= since; beat = this.#all.peek()) {
      this.#all.pop();
      if (!beat.isOver) this.#carryOut(beat, since);
      isLate = performance.now() - since >= SLICE_MS;
    }
    this.#arm(isLate ? 0 : ROUND_MS);
  }

  // Intervals that were missed are not made up for.
  #carryOut(beat: Interval, now: number): void {
    beat.next += beat.everyMs * (Math.floor((now - beat.next) / beat.everyMs) + 1);
    this.#all.push(beat);
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

/**
 * Where the daemons of one process queue for their turn: one after the other, as many in one round of the event loop as
 * fit into a slice of time. Without it a thousand vaults that have work at the same moment, at eight in the morning, would
 * each have a slice in the same round.
 */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  #isOpening = false;

  /** Resolves when it is the caller's turn, after others had theirs. */
  readonly turn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#openSoon();
    });

  #openSoon(): void {
    if (this.#isOpening || this.#waiting.length === 0) return;
    this.#isOpening = true;
    setImmediate(() => void this.#open());
  }

  async #open(): Promise<void> {
    const since = performance.now();
    do {
      this.#waiting.shift()?.();
      await settled();
    } while (this.#waiting.length > 0 && performance.now() - since < SLICE_MS);
    this.#isOpening = false;
    this.#openSoon();
  }
}

// Who has just been let through has done what it does without waiting, before this goes on.
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
