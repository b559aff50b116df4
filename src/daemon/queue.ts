import fs from 'node:fs';
import { type Diagnostic, StewardError } from '../vault/errors.ts';
import { fileError } from '../vault/files.ts';
import type { OwnPlaces } from '../vault/layout.ts';
import { nextTurn, oneSlice } from '../vault/time.ts';
import { bound } from './faults.ts';
import { withoutProgram } from './process.ts';

const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 30 * 60 * 1000;
/** A server may ask to be left alone for a day, not for a year. */
const LONGEST_ASKED_MS = 24 * 60 * 60 * 1000;

/**
 * Returns how long (ms) to wait after the `tries`-th failure in a row: twice as long each time, half an hour at most, and at
 * least as long as the server asks for. `chance`, from 0 to 1, spreads those that failed together over half of it.
 */
export function retryDelay(tries: number, askedMs: number | null, chance: number): number {
  const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, Math.max(0, tries - 1)));
  return Math.max(pause * (0.5 + chance / 2), Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}

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
  #waiters: (() => void)[] = [];

  /** `turn` resolves when a piece may begin. */
  constructor(width: number, turn: () => Promise<void> = nextTurn) {
    this.#width = width;
    this.#turn = turn;
  }

  get hasRoom(): boolean {
    return !this.#closed && this.#running + this.#queue.length < this.#width;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#queue.length === 0;
  }

  /** The number of the piece that has run for longest; null if no piece runs. */
  get oldest(): number | null {
    return this.#current.values().next().value ?? null;
  }

  /** Queues work, which must catch its own errors. */
  add(work: () => Promise<void>): void {
    if (this.#closed) return;
    this.#queue.push(bound(() => this.#run(work))); // the work of another component may be what lets it begin
    this.#next();
  }

  async idle(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Drops what is queued, accepts nothing more, and resolves when what is running has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.length = 0;
    await this.idle();
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
      if (this.isIdle) for (const resolve of this.#waiters.splice(0)) resolve();
    }
  }
}

interface RetrySpace {
  readonly vault: { readonly away: string | null; readonly places: OwnPlaces };
  readonly problems: { readonly faults: Map<string, Diagnostic> };
  readonly context: {
    readonly emit: (event: { readonly what: 'trouble'; readonly trouble: Diagnostic }) => void;
    readonly turn?: () => Promise<void>;
  };
}

/** A moment, and when what failed is tried again (epoch ms). */
export interface Awaiting {
  readonly now: number;
  readonly nextTry: number;
}

/** Whose work it is, and how it is begun again. */
interface Piece {
  readonly key: string;
  readonly file: string;
  readonly again: () => void;
}

/** Resolves to the rest of it, to be done after all other queued work; null if it is done. */
type Work = () => Promise<Work | null>;

/**
 * A queue of work that may fail for a reason that passes: a full disk, a lost permission, a vault that went away. A
 * failure is reported in `status` and as an event, and the work is kept and tried again; it never ends the daemon.
 */
export class RetryQueue {
  readonly #space: RetrySpace;
  readonly #queue: WorkQueue;
  readonly #failed = new Map<string, () => void>();

  /** `width`: how many pieces of work run at once. */
  constructor(space: RetrySpace, width = 1) {
    this.#space = space;
    this.#queue = new WorkQueue(width, space.context.turn);
  }

  get hasRoom(): boolean {
    return this.#queue.hasRoom;
  }

  /** The number of the piece of work that has run for longest; null if no piece runs. */
  get oldest(): number | null {
    return this.#queue.oldest;
  }

  /** When the next of its work is done: now, at the next try of what failed, or never (null). */
  next({ now, nextTry }: Awaiting): number | null {
    if (!this.#queue.isIdle) return now;
    return this.#failed.size > 0 ? nextTry : null;
  }

  /** Queues work about a file. `key` names it: of failed work with the same key only the last is kept. */
  add(key: string, file: string, work: () => Promise<void>): void {
    const again = bound(() => this.add(key, file, work));
    this.#add({ key, file, again }, async () => {
      await work();
      return null;
    });
  }

  /**
   * Queues work that pauses after each small step: whatever else is queued has its turn after each slice of it. What
   * fails begins again.
   */
  addSteps(key: string, file: string, steps: () => Generator<void>): void {
    const begun = steps();
    const again = bound(() => this.addSteps(key, file, steps));
    const slice = async () => (oneSlice(begun) ? null : slice);
    this.#add({ key, file, again }, slice);
  }

  #add(piece: Piece, work: Work): void {
    const { key, file, again } = piece;
    this.#queue.add(async () => {
      if (this.#space.vault.away !== null) {
        this.#failed.set(key, again);
        return;
      }
      try {
        const rest = await work();
        if (rest === null) this.#space.problems.faults.delete(key);
        else this.#add(piece, rest);
      } catch (error) {
        this.#failed.set(key, again);
        // A vault that has just gone away is the cause, which the next sweep reports.
        if (fs.existsSync(this.#space.vault.places.own)) this.fault(key, file, error);
      }
    });
  }

  /** Reports a failure: in `status` under its key, and once as an event. */
  fault(key: string, file: string, error: unknown): void {
    const said = withoutProgram(error);
    const known = said instanceof StewardError ? said : fileError(said, file);
    const trouble = { ...known.trouble, file: known.trouble.file ?? file };
    const before = this.#space.problems.faults.get(key);
    this.#space.problems.faults.set(key, trouble);
    if (before?.message !== trouble.message) this.#space.context.emit({ what: 'trouble', trouble });
  }

  /** Queues again whatever failed. */
  retry(): void {
    const kept = [...this.#failed.values()];
    this.#failed.clear();
    for (const again of kept) again();
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Drops what is queued, and resolves when what is running has ended. */
  close(): Promise<void> {
    return this.#queue.close();
  }
}
