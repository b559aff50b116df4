import { AsyncLocalStorage } from 'node:async_hooks';
import { EXIT } from '../../vault/errors.ts';
import { type Component, currentComponent } from './component.ts';

/** An error that no code caught, and the component whose work it came from. */
export interface Fault {
  readonly component: Component;
  readonly error: unknown;
}

/** Is called with a fault. */
type FaultListener = (fault: Fault) => void;

/**
 * Listens to exceptions and rejections that no code caught, and passes each to the listener of the work that it came from: one
 * of several vaults, for example. Faults of other work go to `unowned`; without it they end the process.
 */
export class LastResort implements Disposable {
  readonly #owner = new AsyncLocalStorage<FaultListener>();
  readonly #unowned: FaultListener;
  readonly #listen = (error: unknown): void => {
    try {
      (this.#owner.getStore() ?? this.#unowned)({ component: currentComponent(), error });
    } catch (failure) {
      giveUp(error, failure);
    }
  };

  constructor(unowned?: FaultListener) {
    this.#unowned = unowned ?? ((fault) => this.#endProcess(fault));
    process.on('uncaughtException', this.#listen);
    process.on('unhandledRejection', this.#listen);
  }

  /** Does some work; `listener` gets the faults that come up in it, and in everything that it starts. */
  within<Result>(listener: FaultListener, work: () => Result): Result {
    return this.#owner.run(listener, work);
  }

  /** From now on a fault ends the process, as Node does it. */
  [Symbol.dispose](): void {
    process.off('uncaughtException', this.#listen);
    process.off('unhandledRejection', this.#listen);
  }

  #endProcess({ error }: Fault): void {
    this[Symbol.dispose]();
    process.nextTick(() => {
      throw error;
    });
  }
}

/** Ends the process with exit code 75 if it has not ended after so many ms: what a fault left behind may keep it alive. */
export function endWithin(ms: number): void {
  setTimeout(() => process.exit(EXIT.tryAgain), ms).unref();
}

// The handler itself failed: there is nothing left that could be trusted.
function giveUp(...errors: readonly unknown[]): void {
  try {
    for (const error of errors) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  } finally {
    process.exit(EXIT.tryAgain);
  }
}
