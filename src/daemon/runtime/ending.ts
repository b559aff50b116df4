import process from 'node:process';

/** What ends a program from outside, and the exit codes by which shells know it. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * While it is held, a signal ends the process in order: a closed terminal, Ctrl-C or a shutdown lets `last` have its say
 * first, which must not wait for anything. Work in steps that are whole is never cut within one.
 */
export class Ending implements Disposable {
  readonly #last: () => void;
  readonly #listeners = Object.entries(SIGNALS).map(([signal, code]) => [signal, () => process.exit(code)] as const);

  constructor(last: () => void) {
    this.#last = last;
    process.once('exit', last);
    for (const [signal, listener] of this.#listeners) process.on(signal, listener);
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#last);
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }
}
