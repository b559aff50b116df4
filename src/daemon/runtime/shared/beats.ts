import { AsyncResource } from 'node:async_hooks';
import { SLICE_MS } from '../../../vault/disk/slices.ts';
import { Heap } from '../heap.ts';
import { type Moment, momentNow } from '../pulse.ts';

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
