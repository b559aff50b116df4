import type { Arrival, Inlet, Session, Source, SourceProblem } from '../../src/sources/source.ts';

/** A source as a test wants it: what each visit brings, and when there is news. */
export class ScriptedSource {
  /** What a visit does; by default it puts what lies in `box`, in one go, with how many that were as the cursor. */
  visit: (inlet: Inlet) => Promise<readonly SourceProblem[]> = async (inlet) => {
    const from = Number(inlet.cursor() ?? 0);
    if (from < this.box.length) await inlet.put(this.box.slice(from), this.box.length);
    return [];
  };
  describe: () => Promise<readonly string[]> = async () => ['a scripted source'];
  /** What ending a connection waits for. */
  close: () => Promise<void> = async () => {};
  readonly box: Arrival[] = [];
  opened = 0;
  visited = 0;
  closed = 0;
  refuses: Error | null = null;
  #news = Promise.withResolvers<void>();
  #lost: Error | null = null;
  #visits: (() => void)[] = [];

  readonly connector: Source = {
    open: async (inlet): Promise<Session> => {
      this.opened += 1;
      this.#lost = null;
      if (this.refuses !== null) {
        this.#tell();
        throw this.refuses;
      }
      return {
        poll: async () => {
          try {
            return await this.visit(inlet);
          } finally {
            this.visited += 1;
            this.#tell();
          }
        },
        waitForNews: () => (this.#lost === null ? this.#news.promise : Promise.reject(this.#lost)),
        describe: () => this.describe(),
        close: async () => {
          await this.close();
          this.closed += 1;
        },
      };
    },
  };

  /** The source says that there is something new. */
  tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** The connection is lost. */
  lose(error: Error): void {
    this.#lost = error;
    this.#news.reject(error);
    this.#news.promise.catch(() => {}); // whoever does not listen yet hears of it when asking
    this.#news = Promise.withResolvers();
  }

  /** Resolves at the end of the next visit, or of the next try to open. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#visits.push(resolve));
  }

  #tell(): void {
    for (const heard of this.#visits.splice(0)) heard();
  }
}

/** Returns something that a source brought. */
export function arrival(key: string, text: string, kind: 'mail' | 'calendar' = 'mail'): Arrival {
  return {
    key: key.padEnd(64, '0'),
    at: Date.parse('2026-11-20T08:00:00Z'),
    content: { kind, bytes: Buffer.from(text) },
  };
}
