import { reasonOf } from '../../vault/errors.ts';
import type { Asked, Result } from '../log/log.ts';
import { answered, expired, type Queue } from '../log/queue.ts';
import type { Answer, Session, Untimed } from './session.ts';

/** A result that has come, of a request by its number. */
interface Arrival extends Answer {
  readonly id: number;
  readonly round: number;
}

/** The requests under way at one table, and the results that have come and were not looked at yet. */
export class Requests implements Disposable {
  readonly #table: Session;
  readonly #underWay = new Map<number, AbortController>();
  readonly #arrived: Arrival[] = [];
  #wake: () => void = () => {};

  constructor(table: Session) {
    this.#table = table;
  }

  /** Sends a request off; its result is among the arrivals when it comes. */
  send(id: number, round: number, by: string, text: string): void {
    const stop = new AbortController();
    this.#underWay.set(id, stop);
    void this.#look(text, by, AbortSignal.any([stop.signal, this.#table.parts.abort])).then((answer) => {
      this.#underWay.delete(id);
      this.#arrived.push({ ...answer, id, round });
      this.#wake();
    });
  }

  /** Lets a request go whose time is up. Its result may come all the same. */
  giveUp(id: number): void {
    this.#underWay.get(id)?.abort(new Error('Its time was up.'));
  }

  /** What has come since the last look, in the order it came. */
  take(): Arrival[] {
    return this.#arrived.splice(0);
  }

  /** Resolves when a result has come, or after so many milliseconds. Rejects with the table's stop. */
  async arrival(ms: number): Promise<void> {
    const { abort } = this.#table.parts;
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
    for (const stop of this.#underWay.values()) stop.abort(new Error('The roundtable is over.'));
  }

  async #look(text: string, by: string, abort: AbortSignal): Promise<Answer> {
    const { evidence, now } = this.#table.parts;
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

/** What has come is given to whoever waits for it; what comes later than its time is dropped, and said. */
export function heed(table: Session, requests: Requests, before: Queue): Queue {
  const { limits, now } = table.parts;
  const came = requests.take().reduce((queue, { id, round, ok, text, by, seconds, usage }) => {
    const { queue: after, taken } = answered(queue, id);
    table.add({ what: 'result', round, id, standing: taken ? 'taken' : 'late', ok, text, by, seconds, usage });
    return after;
  }, before);
  const { queue, given } = expired(came, now(), limits.timeout_seconds * 1000);
  for (const id of given) {
    requests.giveUp(id);
    table.add(timeout(table, id));
  }
  return queue;
}

function timeout({ log, parts }: Session, id: number): Untimed<Result> {
  const round = log.entries.find((one) => one.what === 'asked' && one.id === id)?.round ?? 1;
  const seconds = parts.limits.timeout_seconds;
  return { what: 'result', round, id, standing: 'timeout', ok: false, text: '', by: 'none', seconds, usage: null };
}

const MAX_TEXT = 2_000;

/** A request as it is written down: taken, or refused for a reason. */
export function asking(round: number, id: number, by: string, text: string, refused: string | null): Untimed<Asked> {
  return { what: 'asked', round, id, by, text: text.slice(0, MAX_TEXT).toWellFormed(), refused };
}
