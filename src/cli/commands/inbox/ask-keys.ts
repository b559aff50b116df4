import { CLOSED, type Terminal } from '../../base/terminal.ts';
import type { Asker } from '../../commands-inbox.ts';
import { ROUND, type Way, waysText } from '../../print-attention.ts';

const QUIT = ['ctrl-c', 'ctrl-d', 'escape'];
const ENTER = ['return', 'enter'];
const SKIP = [...ENTER, 'space', 'down', 'right'];

/** Asks on a terminal: one key is an answer. */
export class KeyAsker implements Asker {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async ask(ways: readonly Way[], takesWords: boolean): Promise<string | null> {
    const prompt = `  ${waysText(ways, takesWords ? ROUND.byKey : null)} `;
    this.#terminal.write(prompt);
    for (;;) {
      const key = await this.#terminal.next(null);
      if (key === CLOSED) return null;
      const said = key === null ? null : this.#said(ways, key);
      if (said !== null) return this.#echo(said);
      if (!takesWords || key === null) continue;
      if (/^[1-9]$/.test(key)) return this.#echo(key);
      const name = key === 'n' ? await this.#name() : '';
      if (name !== '') return name;
      if (key === 'n') this.#terminal.write(prompt);
    }
  }

  #said(ways: readonly Way[], key: string): string | null {
    const can = (wanted: string) => ways.some((way) => way.key === wanted);
    if (QUIT.includes(key)) return 'q';
    if (SKIP.includes(key) && can('s')) return 's';
    return ways.find((way) => way.key === key)?.key ?? null;
  }

  #echo(said: string): string {
    this.#terminal.write(`${said}\r\n`);
    return said;
  }

  /** Returns the name that is typed, once Enter ends it; empty where it is given up. */
  async #name(): Promise<string> {
    this.#terminal.write('\r\n');
    for (let name = ''; ; ) {
      this.#terminal.write(`\r\u001b[K${ROUND.whichNote}${name}`);
      const key = (await this.#terminal.next(null)) ?? '';
      if (key === CLOSED || QUIT.includes(key) || ENTER.includes(key)) {
        this.#terminal.write('\r\n');
        return ENTER.includes(key) ? name.trim() : '';
      }
      if (key === 'backspace') name = [...name].slice(0, -1).join('');
      else if (key === 'space') name += ' ';
      else if ([...key].length === 1) name += key;
    }
  }
}
