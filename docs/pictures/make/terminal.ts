import { execFileSync } from 'node:child_process';
import { AnsiUp } from 'ansi_up';

/** How large the terminal is that is drawn, in characters. */
const SIZE = { columns: 108, rows: 34 };
const SESSION = 'steward-pictures';
/** How long a command may take to show what is waited for. */
const PATIENCE_MS = 120_000;

/** A real terminal, in which commands are typed and whose screen is read with its colours. */
export class Terminal {
  readonly #server: string;

  /** Opens one in `folder`, with this environment beside its own. `name`: of the terminal server, for it alone. */
  constructor(name: string, folder: string, env: Readonly<Record<string, string>>) {
    this.#server = name;
    const size = ['-x', String(SIZE.columns), '-y', String(SIZE.rows)];
    this.#tmux('new-session', '-d', '-s', SESSION, '-c', folder, ...size, 'bash --norc --noprofile');
    // Typed, since the terminal server gives its own PATH to whatever it starts.
    const named = Object.entries(env).map(([key, value]) => `export ${key}='${value}';`);
    this.#type(`${named.join(' ')} PS1='$ '; clear`);
  }

  /** Runs a command on an empty screen, below what a person would type, and waits until the screen shows `awaited`. Returns it as HTML. */
  async shows(typed: string, command: string, awaited: RegExp): Promise<string> {
    this.#tmux('send-keys', '-t', SESSION, '-R', '');
    this.#type(`clear; echo '$ ${typed}'; ${command}`);
    const until = Date.now() + PATIENCE_MS;
    while (!awaited.test(this.#screen(false))) {
      if (Date.now() > until) throw new Error(`"${command}" never showed ${awaited}:\n${this.#screen(false)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const shown = this.#screen(true).trimEnd().split('\n');
    const colours = new AnsiUp();
    return colours.ansi_to_html(shown.join('\n').trimEnd());
  }

  /** Presses a key such as `C-c` or `q`. */
  press(key: string): void {
    this.#tmux('send-keys', '-t', SESSION, key);
  }

  close(): void {
    this.#tmux('kill-server');
  }

  #type(line: string): void {
    this.#tmux('send-keys', '-t', SESSION, '-l', line);
    this.press('Enter');
  }

  #screen(hasColours: boolean): string {
    return this.#tmux('capture-pane', '-p', '-t', SESSION, ...(hasColours ? ['-e'] : []));
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#server, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  }
}
