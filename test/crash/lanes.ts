import os from 'node:os';
import type { DriverProgram } from './bundle.ts';
import { Driver } from './strace.ts';

/** One more than the number of processors: while one driver is being killed, another is loading. */
const LANES = os.availableParallelism() + 1;

/** One of several drivers that work in parallel, each with its successor already loading. */
export class Lane {
  readonly number: number;
  readonly #bundle: DriverProgram;
  #now: Driver | null = null;
  #then: Driver | null = null;

  constructor(number: number, bundle: DriverProgram) {
    this.number = number;
    this.#bundle = bundle;
  }

  driver(): Driver {
    this.#now ??= new Driver(this.#bundle);
    return this.#now;
  }

  next(): void {
    void this.#now?.close();
    this.#now = this.#then;
    this.#then = new Driver(this.#bundle);
  }

  async end(): Promise<void> {
    await Promise.all([this.#now?.close(), this.#then?.close()]);
    this.#now = null;
    this.#then = null;
  }
}

/** Does pieces of work in parallel, each in a lane of its own, until all are done. */
export async function inLanes<Piece>(
  bundle: DriverProgram,
  pieces: readonly Piece[],
  work: (piece: Piece, lane: Lane) => Promise<void>,
): Promise<void> {
  const queue = pieces.values();
  const lanes = Array.from({ length: Math.min(LANES, pieces.length) }, (_, number) => new Lane(number, bundle));
  await Promise.all(
    lanes.map(async (lane) => {
      for (const piece of queue) await work(piece, lane);
      await lane.end();
    }),
  );
}
