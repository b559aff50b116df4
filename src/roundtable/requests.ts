import { reasonOf } from '../vault/trouble.ts';
import type { Answer, Table } from './table.ts';

/** A result that has come, of a request by its number. */
export interface Arrival extends Answer {
  readonly id: number;
  readonly round: number;
}

/** The requests under way at one table, and the results that have come and were not looked at yet. */
export class Requests implements Disposable {
  readonly #table: Table;
  readonly #underWay = new Map<number, AbortController>();
  readonly #arrived: Arrival[] = [];
  #wake: () => void = () => {};

  constructor(table: Table) {
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

  /** Whether a request is under way still. */
  isUnderWay(id: number): boolean {
    return this.#underWay.has(id);
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
