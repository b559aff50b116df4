import { createInterface } from 'node:readline';
import type { Asker } from '../../commands-inbox.ts';
import type { Printer } from '../../print/printer.ts';
import { ROUND, type Way, waysText } from '../../print-attention.ts';

/** Asks line by line: for a pipe, or a terminal that cannot move its cursor. The end of the input quits. */
export class LineAsker implements Asker, Disposable {
  readonly #out: Printer;
  readonly #input = createInterface({ input: process.stdin, terminal: false });
  readonly #lines = this.#input[Symbol.asyncIterator]();

  constructor(out: Printer) {
    this.#out = out;
  }

  async ask(ways: readonly Way[], takesWords: boolean): Promise<string> {
    for (;;) {
      this.#out.line(`  ${waysText(ways, takesWords ? ROUND.byWord : null)}`);
      const { value, done } = await this.#lines.next();
      if (done === true) return 'q';
      const typed = value.trim();
      const way = wayOf(ways, typed);
      if (way !== undefined) return way.key;
      if (typed === '') return 's';
      if (takesWords) return typed;
    }
  }

  [Symbol.dispose](): void {
    this.#input.close();
  }
}

// A key means what it says, in capitals too where those mean nothing else; and so does the word for it.
function wayOf(ways: readonly Way[], typed: string): Way | undefined {
  const word = typed.toLowerCase();
  return ways.find(({ key }) => key === typed) ?? ways.find(({ key, words }) => key === word || words === word);
}
