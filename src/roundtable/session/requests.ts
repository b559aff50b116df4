import { reasonOf } from '../../vault/errors.ts';
import type { Asked, Result, RoundtableLog } from '../log/log.ts';
import { nextRequest } from '../log/log-fold.ts';
import { answered, expired, type Queue } from '../log/queue.ts';
import type { Answer, Session, Untimed } from './session.ts';

/** The result of a request. `id`: the number of the request. */
interface Arrival extends Answer {
  readonly id: number;
  readonly round: number;
}

/** The requests that are being looked up, and the results that have arrived and await handling. */
export class Requests implements Disposable {
  readonly #session: Session;
  readonly #lookups = new Map<number, AbortController>();
  readonly #arrived: Arrival[] = [];
  #wake: () => void = () => {};

  constructor(session: Session) {
    this.#session = session;
  }

  /** Starts a lookup. Its result joins the arrivals. */
  send(id: number, round: number, by: string, text: string): void {
    const stop = new AbortController();
    this.#lookups.set(id, stop);
    void this.#lookUp(text, by, AbortSignal.any([stop.signal, this.#session.parts.abort])).then((answer) => {
      this.#lookups.delete(id);
      this.#arrived.push({ ...answer, id, round });
      this.#wake();
    });
  }

  /** Stops a lookup whose time is up. A result may still arrive. */
  giveUp(id: number): void {
    this.#lookups.get(id)?.abort(new Error('Its time was up.'));
  }

  /** Removes and returns the arrivals, oldest first. */
  take(): Arrival[] {
    return this.#arrived.splice(0);
  }

  /**
   * Resolves when a result has arrived, or after `ms` milliseconds. Rejects with the reason of the session's abort
   * signal.
   */
  async arrival(ms: number): Promise<void> {
    const { abort } = this.#session.parts;
    abort.throwIfAborted();
    if (this.#arrived.length > 0) return;
    let timer: NodeJS.Timeout | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(1, ms));
      abort.addEventListener('abort', () => resolve(), { once: true });
    });
    await woken;
    clearTimeout(timer);
    abort.throwIfAborted();
  }

  [Symbol.dispose](): void {
    for (const stop of this.#lookups.values()) stop.abort(new Error('The roundtable is over.'));
  }

  async #lookUp(text: string, by: string, abort: AbortSignal): Promise<Answer> {
    const { evidence, now } = this.#session.parts;
    const began = now();
    try {
      if (evidence === null) throw new Error('There is no evidence at this table.');
      return await evidence.answer(text, by, abort);
    } catch (error) {
      const seconds = Math.max(0, now() - began) / 1000;
      return { ok: false, text: `It could not be looked up: ${reasonOf(error)}`, by: 'none', seconds, usage: null };
    }
  }
}

/**
 * Hands each arrival to the agent that waits for it, drops late ones, and gives up lookups whose time is up. All of it
 * is logged. Returns the queue after that.
 */
export function handleArrivals(session: Session, requests: Requests, before: Queue): Queue {
  const { limits } = session;
  const { now } = session.parts;
  const current = requests.take().reduce((queue, { id, round, ok, text, by, seconds, usage }) => {
    const { queue: after, taken } = answered(queue, id);
    session.add({ what: 'result', round, id, standing: taken ? 'taken' : 'late', ok, text, by, seconds, usage });
    return after;
  }, before);
  const { queue, givenUp } = expired(current, now(), limits.timeout_seconds * 1000);
  for (const id of givenUp) {
    requests.giveUp(id);
    session.add(timeout(session, id));
  }
  return queue;
}

function timeout({ log, limits }: Session, id: number): Untimed<Result> {
  const round = log.entries.find((one) => one.what === 'asked' && one.id === id)?.round ?? 1;
  const seconds = limits.timeout_seconds;
  return { what: 'result', round, id, standing: 'timeout', ok: false, text: '', by: 'none', seconds, usage: null };
}

const MAX_TEXT = 2_000;

/**
 * Returns the log entries of the requests in one message, numbered on from the log. `refusalOf`: why the request at an
 * index is not looked up, or null where it is.
 */
export function requestEntries(
  log: RoundtableLog,
  round: number,
  by: string,
  texts: readonly string[],
  refusalOf: (at: number) => string | null,
): Untimed<Asked>[] {
  const first = nextRequest(log);
  return texts.map((text, at) => ({
    what: 'asked',
    round,
    id: first + at,
    by,
    text: text.slice(0, MAX_TEXT).toWellFormed(),
    refused: refusalOf(at),
  }));
}
