import { AsyncLocalStorage } from 'node:async_hooks';

/** Is told of an error that nobody caught. */
type Told = (error: unknown) => void;

/**
 * Keeps the faults of one vault from the others in the process: an error that nobody catches, in a timer, a socket or a
 * promise, is told to the vault in whose work it came up. One that comes from nowhere ends the process, as ever.
 */
export class Bulkheads implements Disposable {
  readonly #whose = new AsyncLocalStorage<Told>();
  readonly #hear = (error: unknown): void => {
    const told = this.#whose.getStore();
    if (told !== undefined) {
      told(error);
      return;
    }
    this[Symbol.dispose]();
    process.nextTick(() => {
      throw error;
    });
  };

  constructor() {
    process.on('uncaughtException', this.#hear); // rejections that nobody handles come as such
  }

  /** Does some work; `told` hears of the errors that come up in it, and in what it sets going, and that nobody catches. */
  within<Result>(told: Told, work: () => Result): Result {
    return this.#whose.run(told, work);
  }

  /** Errors that nobody catches end the process again. */
  [Symbol.dispose](): void {
    process.off('uncaughtException', this.#hear);
  }
}
