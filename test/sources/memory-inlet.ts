import type { Arrival, Inlet, Json, MailHead, Relevance } from '../../src/sources/source.ts';

/** An inlet that keeps what it is given in memory, in order; what was put in before the cursor moved stays, as on a disk. */
export class MemoryInlet implements Inlet {
  readonly arrivals: Arrival[] = [];
  readonly heads: MailHead[] = [];
  at: Json = null;
  /** What comes of a mail by its beginning. */
  judge: (head: MailHead) => Relevance = () => 'fetch';
  /** Called before anything is taken; may throw what a disk would. */
  before: () => Promise<void> | void = () => {};
  readonly #keys = new Set<string>();
  readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  async checkRelevance(head: MailHead): Promise<Relevance> {
    this.heads.push(head);
    return this.judge(head);
  }

  knows(key: string): boolean {
    return this.#keys.has(key);
  }

  cursor(): Json {
    return structuredClone(this.at);
  }

  async put(arrivals: readonly Arrival[], cursor: Json): Promise<void> {
    await this.before();
    for (const one of arrivals) {
      if (one.content !== null && !this.#keys.has(one.key)) this.arrivals.push(one);
      this.#keys.add(one.key);
    }
    this.at = structuredClone(cursor);
  }

  /** The texts of all that was taken. */
  texts(): readonly string[] {
    return this.arrivals.flatMap(({ content }) =>
      content === null || content.kind === 'event' ? [] : [Buffer.from(content.bytes).toString()],
    );
  }
}
