import { nextTurn } from '../../vault/disk/slices.ts';
import { bound } from './component.ts';

/**
 * Runs work in the order it came, `width` pieces at a time. Each piece first lets the event loop turn, so that a burst
 * of ten thousand signals never delays a person's undo or the watchdog.
 */
export class WorkQueue {
  readonly #width: number;
  readonly #turn: () => Promise<void>;
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;
  /** How many pieces were begun, and which of them run. */
  #begun = 0;
  readonly #current = new Set<number>();
  #closed = false;
  #idle: (() => void)[] = [];

  /** `turn` resolves when a piece may begin. */
  constructor(width: number, turn: () => Promise<void> = nextTurn) {
    this.#width = width;
    this.#turn = turn;
  }

  /** Whether work that is added now starts at once. */
  get hasRoom(): boolean {
    return !this.#closed && this.#running + this.#queue.length < this.#width;
  }

  /** Whether nothing is queued or running. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#queue.length === 0;
  }

  /** The number of the piece that has run for longest; null where none runs. */
  get oldest(): number | null {
    return this.#current.values().next().value ?? null;
  }

  /** Queues work, which must catch its own errors. */
  add(work: () => Promise<void>): void {
    if (this.#closed) return;
    this.#queue.push(bound(() => this.#run(work))); // the work of another component may be what lets it begin
    this.#next();
  }

  /** Resolves when nothing is queued or running. */
  async drained(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Drops what is queued, accepts nothing more, and resolves when what is running has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    await this.drained();
  }

  #next(): void {
    while (this.#running < this.#width) {
      const work = this.#queue.shift();
      if (work === undefined) return;
      this.#running += 1;
      void work();
    }
  }

  async #run(work: () => Promise<void>): Promise<void> {
    this.#begun += 1;
    const piece = this.#begun;
    this.#current.add(piece);
    await this.#turn();
    try {
      await work();
    } finally {
      this.#running -= 1;
      this.#current.delete(piece);
      this.#next();
      if (this.isIdle) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }
}
