import process from 'node:process';
import { emitKeypressEvents, type Key } from 'node:readline';
import { onExit } from '../daemon/process.ts';

type Pressed = string;

/** Comes in place of a key once the terminal is gone. No key has this name. */
export const CLOSED = 'closed';

const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l';
const LEAVE_SCREEN = '\u001b[?25h\u001b[?1049l';
/** A terminal that knows these codes shows all output between them at once. */
const TOGETHER = ['\u001b[?2026h', '\u001b[?2026l'] as const;

/**
 * The terminal that a person sits at, key by key. It is given back as it was whatever ends the program, but for a kill.
 */
export class Terminal implements Disposable {
  readonly #input = process.stdin;
  readonly #output = process.stdout;
  readonly #wholeScreen: boolean;
  readonly #ending: Disposable;
  readonly #pressed: Pressed[] = [];
  readonly #heard = (text: string | undefined, key: Key) => this.#hear(text, key);
  readonly #resized = () => this.#add('resize');
  readonly #gone = () => this.#add(CLOSED);
  #waiting: (() => void) | null = null;
  #shown = '';

  private constructor(wholeScreen: boolean) {
    this.#wholeScreen = wholeScreen;
    this.#ending = onExit(() => this.#leave());
    emitKeypressEvents(this.#input);
    this.#input.on('keypress', this.#heard).on('end', this.#gone).on('error', this.#gone);
    this.#output.on('resize', this.#resized);
    this.#enter();
  }

  /** Takes the terminal; null if input or output is no terminal, or one that cannot move its cursor. */
  static open(env: NodeJS.ProcessEnv, wholeScreen: boolean): Terminal | null {
    const isThere = process.stdin.isTTY === true && process.stdout.isTTY === true && env.TERM !== 'dumb';
    return isThere ? new Terminal(wholeScreen) : null;
  }

  /** Returns the next key; null if no key comes within `ms`. */
  async next(ms: number | null): Promise<Pressed | null> {
    if (this.#pressed.length === 0) await this.#news(ms);
    return this.#pressed.shift() ?? null;
  }

  write(text: string): void {
    this.#output.write(text);
  }

  /** Shows these lines on the whole screen, in place of those before. */
  show(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\u001b[K`).join('\r\n');
    if (text === this.#shown) return;
    this.#shown = text;
    this.#output.write(`${TOGETHER[0]}\u001b[H${text}\u001b[J${TOGETHER[1]}`);
  }

  [Symbol.dispose](): void {
    this.#ending[Symbol.dispose]();
    this.#input.off('keypress', this.#heard).off('end', this.#gone).off('error', this.#gone);
    this.#output.off('resize', this.#resized);
    this.#leave();
    this.#input.pause();
  }

  #enter(): void {
    this.#shown = '';
    this.#input.setRawMode(true);
    this.#input.resume();
    if (this.#wholeScreen) this.#output.write(ENTER_SCREEN);
  }

  #leave(): void {
    if (this.#wholeScreen) this.#output.write(LEAVE_SCREEN);
    this.#input.setRawMode(false);
  }

  #hear(text: string | undefined, { name, ctrl }: Key): void {
    if (ctrl === true && name === 'z') this.#rest();
    else if (ctrl === true) this.#add(`ctrl-${name}`);
    else this.#add(text !== undefined && /^[^\p{C}\p{Z}]$/u.test(text) ? text : (name ?? ''));
  }

  // Ctrl-Z, as everywhere: the shell has the terminal until it brings the program back.
  #rest(): void {
    this.#leave();
    process.once('SIGCONT', () => {
      this.#enter();
      this.#add('resize');
    });
    process.kill(process.pid, 'SIGTSTP');
  }

  #add(pressed: Pressed): void {
    this.#pressed.push(pressed);
    this.#waiting?.();
  }

  async #news(ms: number | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = resolve;
    const timer = ms === null ? undefined : setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    this.#waiting = null;
  }
}
