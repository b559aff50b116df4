import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const PATIENCE_MS = 120_000;

/** A command on a terminal of its own, which a test types into and reads. */
export class PseudoTerminal implements AsyncDisposable {
  /** How the command ended, and what became of the terminal: `exit 0, cooked`. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #said = '';
  #end = '';
  #seen = 0;

  constructor(words: readonly string[], { cwd, env, rows = 24, columns = 100 }: Place) {
    const script = path.join(import.meta.dirname, 'terminal.py');
    this.#child = spawn('python3', [script, String(rows), String(columns), ...words], {
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#end += text;
    });
    this.#child.stdin?.on('error', () => {}); // it may have ended
    this.ended = once(this.#child, 'close').then(() => this.#end.trim());
  }

  /** Everything that was shown so far, with what the terminal obeys. */
  get said(): string {
    return this.#said;
  }

  /** Types text; Python's escapes are keys: `\x03` is Ctrl-C. */
  type(text: string): void {
    this.#order(`type ${text}`);
  }

  resize(rows: number, columns: number): void {
    this.#order(`size ${rows} ${columns}`);
  }

  /** Closes the terminal, as a person closes its window. */
  close(): void {
    this.#order('close');
  }

  /** Waits until this was said, behind what was waited for before. */
  async says(text: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const at = this.#said.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      if (Date.now() > deadline || this.#child.exitCode !== null)
        throw new Error(`It never said “${text}”. It said:\n${this.#said}${this.#end}`);
      const signal = AbortSignal.timeout(1000);
      await Promise.race([once(this.#child.stdout ?? this.#child, 'data', { signal }).catch(() => {}), this.ended]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  #order(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly rows?: number;
  readonly columns?: number;
}
