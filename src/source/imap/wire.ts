import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import type { SourceError } from '../failure.ts';
import { away, failureOf, strange } from './failures.ts';
import { ANSWER_BYTES, FAIR_BYTES_PER_MS, IDLE_BYTES, type ImapLimits } from './limits.ts';

/**
 * One connection, and what it may cost: every question has its time and its bytes, and whatever ends the connection
 * rejects all that is under way.
 */
export class Wire {
  readonly client: ImapFlow;
  readonly #limits: Pick<ImapLimits, 'batchMs' | 'signMs'>;
  /** Who is told when the connection ends. No promise is kept for it: each question would leave its answer with that. */
  readonly #waiting = new Set<(reason: SourceError) => void>();
  #ended: SourceError | null = null;
  #spentMs = 0;
  #batchFrom = 0;
  #heardFrom = 0;
  #mayHear = ANSWER_BYTES;

  /** Makes the client with a listener to each line it hears; nothing is sent yet. */
  constructor(
    make: (logger: NonNullable<ImapFlowOptions['logger']>) => ImapFlow,
    limits: Pick<ImapLimits, 'batchMs' | 'signMs'>,
  ) {
    this.#limits = limits;
    const heard = () => this.#heard();
    const silent = () => {};
    this.client = make({ trace: heard, debug: heard, info: silent, warn: silent, error: silent, fatal: silent });
    this.client.on('error', (error: unknown) => this.fail(failureOf(error)));
    this.client.on('close', () => this.fail(away()));
  }

  /** Ends the connection, for a reason that all hear who wait. Only the first one counts. */
  fail(reason: SourceError): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    for (const tell of this.#waiting) tell(reason);
    this.#waiting.clear();
    this.client.close();
  }

  /** Calls back once the connection has ended; at once where it has. */
  onEnd(tell: (reason: SourceError) => void): void {
    if (this.#ended !== null) tell(this.#ended);
    else this.#waiting.add(tell);
  }

  /** Waits for something, unless the connection ends before. */
  async unlessLost<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.onEnd(reject);
    work.then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  /** Begins a new batch: the time for it is all there again. */
  renew(): void {
    this.#spentMs = 0;
    this.#batchFrom = this.#received();
  }

  /** Asks for a sign of life: a connection can have died without a word while nothing was asked. */
  async isAlive(): Promise<void> {
    const late = setTimeout(() => this.fail(away('The mail server no longer answers')), this.#limits.signMs);
    try {
      await this.ask((client) => client.noop());
    } finally {
      clearTimeout(late);
    }
  }

  /** Asks something. Rejects with a `SourceError`, or as the library does where the server said no (see `failureOf`). */
  async ask<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const begun = performance.now();
    const stop = this.#alarm(begun);
    this.#listen(ANSWER_BYTES);
    try {
      return await this.unlessLost(work(this.client));
    } catch (error) {
      // Where the connection has ended, that is why, and the library knows less about it.
      throw this.#ended ?? error;
    } finally {
      stop();
      this.#spentMs += performance.now() - begun;
      this.#listen(IDLE_BYTES);
    }
  }

  /** Waits until the server is asked something else, and hears what it says of itself meanwhile. */
  async idle(): Promise<void> {
    this.#listen(IDLE_BYTES);
    await this.unlessLost(this.client.idle());
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

  /** Ends the connection when the time of the batch is over; as long as bytes come in at a fair pace there is more of it. */
  #alarm(begun: number): () => void {
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      const left = this.#leftMs(performance.now() - begun);
      if (left > 0) timer = setTimeout(look, left);
      else this.fail(away('The mail server answers too slowly'));
    };
    look();
    return () => clearTimeout(timer);
  }

  #leftMs(askedMs: number): number {
    const earned = (this.#received() - this.#batchFrom) / FAIR_BYTES_PER_MS;
    return this.#limits.batchMs + earned - this.#spentMs - askedMs;
  }
}
