import type { SourceProblem } from '../connector.ts';

/** For so long after the last wrong token a person is told of it. */
const TOLD_MS = 60 * 60 * 1000;

/** Who asked with a wrong token, and that a person is told. */
export class Knocks {
  readonly #now: () => number;
  readonly #turned: () => void;
  #count = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: epoch ms. `turned` is called when a person is to be told something else. */
  constructor(now: () => number, turned: () => void) {
    this.#now = now;
    this.#turned = turned;
  }

  /** Counts a wrong token. */
  add(): void {
    this.#count += 1;
    this.#last = this.#now();
    if (this.#count > 1) return;
    this.#wakeAfter(TOLD_MS);
    this.#turned();
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

  /** Ends the waiting for the hour to be over. */
  close(): void {
    clearTimeout(this.#timer);
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
    this.#turned();
  }
}
