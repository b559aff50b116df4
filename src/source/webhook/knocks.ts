import type { SourceProblem } from '../connector.ts';

/** For so long after the last wrong token a person is told of it. */
const TOLD_MS = 60 * 60 * 1000;

/** Who asked with a wrong token, and that a person is told. */
export class Knocks {
  readonly #now: () => number;
  #count = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;
  #wake = () => {};
  #changed = false;

  /** `now`: epoch ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a wrong token. */
  add(): void {
    this.#count += 1;
    this.#last = this.#now();
    if (this.#count > 1) return;
    this.#wakeAfter(TOLD_MS);
    this.#change();
  }

  /** What a person is told of it now. */
  problems(): readonly SourceProblem[] {
    if (this.#count === 0) return [];
    const times = this.#count === 1 ? 'once' : `${this.#count} times`;
    const message = `Somebody asked the webhook ${times} with a wrong token, or with none.`;
    const hint =
      'Nothing was taken from them. If it is not a device of yours with an old token, look who else uses this machine.';
    return [{ message, hint }];
  }

  /** Resolves as soon as a person is to be told something else. */
  change(): Promise<void> {
    if (this.#changed) {
      this.#changed = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#changed = false;
        resolve();
      };
    });
  }

  /** Ends the waiting for the hour to be over. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #change(): void {
    this.#changed = true;
    this.#wake();
  }

  #wakeAfter(ms: number): void {
    this.#timer = setTimeout(() => this.#forget(), ms);
    this.#timer.unref();
  }

  #forget(): void {
    const left = this.#last + TOLD_MS - this.#now();
    if (left > 0) {
      this.#wakeAfter(left);
      return;
    }
    this.#count = 0;
    this.#change();
  }
}
