import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import type { SourceError } from '../failure.ts';
import { away, failureOf, strange } from './failures.ts';
import { ANSWER_BYTES, FAIR_BYTES_PER_MS, IDLE_BYTES } from './limits.ts';

/** A deadline that is not waited for any more is of no use to anybody: the process may end. */
interface Alarm {
  readonly rang: Promise<never>;
  stop(): void;
}

/**
 * One connection, and what it may cost: every question has its time and its bytes, and whatever ends the connection
 * rejects all that is under way.
 */
export class Wire {
  readonly client: ImapFlow;
  /** Rejects as soon as the connection has ended; never resolves. */
  readonly lost: Promise<never>;
  readonly #end: (reason: SourceError) => void;
  readonly #batchMs: number;
  #hasEnded = false;
  #spentMs = 0;
  #batchFrom = 0;
  #heardFrom = 0;
  #mayHear = ANSWER_BYTES;

  /** Makes the client with a listener to each line it hears; nothing is sent yet. */
  constructor(make: (logger: NonNullable<ImapFlowOptions['logger']>) => ImapFlow, batchMs: number) {
    const { promise, reject } = Promise.withResolvers<never>();
    // Whoever waits hears of it. Where nobody does, it is no failure of the program.
    promise.catch(() => {});
    this.lost = promise;
    this.#end = reject;
    this.#batchMs = batchMs;
    const heard = () => this.#heard();
    const silent = () => {};
    this.client = make({ trace: heard, debug: heard, info: silent, warn: silent, error: silent, fatal: silent });
    this.client.on('error', (error: unknown) => this.fail(failureOf(error)));
    this.client.on('close', () => this.fail(away()));
  }

  /** Ends the connection, for a reason that all hear who wait. Only the first one counts. */
  fail(reason: SourceError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#end(reason);
    this.client.close();
  }

  /** Begins a new batch: the time for it is all there again. */
  renew(): void {
    this.#spentMs = 0;
    this.#batchFrom = this.#received();
  }

  /** Asks something. Rejects with a `SourceError`, or as the library does where the server said no (see `failureOf`). */
  async ask<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const begun = performance.now();
    const alarm = this.#alarm(begun);
    this.#listen(ANSWER_BYTES);
    try {
      return await Promise.race([work(this.client), this.lost, alarm.rang]);
    } catch (error) {
      // The library rejects before it says that the connection has ended, and knows less about why.
      if (this.#hasEnded) return await this.lost;
      throw error;
    } finally {
      alarm.stop();
      this.#spentMs += performance.now() - begun;
      this.#listen(IDLE_BYTES);
    }
  }

  /** Waits until the server is asked something else, and hears what it says of itself meanwhile. */
  async idle(): Promise<void> {
    this.#listen(IDLE_BYTES);
    await Promise.race([this.client.idle(), this.lost]);
  }

  #listen(bytes: number): void {
    this.#mayHear = bytes;
    this.#heardFrom = this.#received();
  }

  #heard(): void {
    if (this.#received() - this.#heardFrom > this.#mayHear)
      this.fail(strange('The mail server sends far more than anybody asked for'));
  }

  #received(): number {
    return this.client.stats().received;
  }

  /** Rings when the time of the batch is over; as long as bytes come in at a fair pace there is more of it. */
  #alarm(begun: number): Alarm {
    let timer: NodeJS.Timeout | undefined;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    const look = () => {
      const left = this.#leftMs(performance.now() - begun);
      if (left > 0) {
        timer = setTimeout(look, left);
        return;
      }
      const slow = away('The mail server answers too slowly');
      this.fail(slow);
      reject(slow);
    };
    look();
    return { rang: promise, stop: () => clearTimeout(timer) };
  }

  #leftMs(askedMs: number): number {
    const earned = (this.#received() - this.#batchFrom) / FAIR_BYTES_PER_MS;
    return this.#batchMs + earned - this.#spentMs - askedMs;
  }
}
