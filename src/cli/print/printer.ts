import { styleText } from 'node:util';
import widthOf from 'fast-string-truncated-width';
import type { Diagnostic } from '../../vault/errors.ts';
import { clean, whereOf } from './plain-text.ts';

/** How wide a terminal is that does not say so. */
const WIDTH = 80;
/** How many lines a screen has that is none, or does not say so. */
const HEIGHT = 24;
/** Back to the looks of before, behind a line that was cut. */
const PLAIN_AGAIN = '\u001b[0m';
/** Back to the beginning of the line, and nothing behind it. */
const TAKEN_AWAY = '\r\u001b[K';

export type Style = Parameters<typeof styleText>[0];

/** What a printer writes to. It says itself what becomes of a write that fails. */
export interface Output {
  readonly isTTY?: boolean;
  /** How many characters a line of the terminal has, and how many lines it has. */
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): void;
}

/**
 * Writes to one output, with colour only where it is a terminal and NO_COLOR is not set. What each noun
 * looks like is in the other files of this folder.
 */
export class Printer {
  readonly #output: Output;
  readonly #env: NodeJS.ProcessEnv;
  readonly #colour: boolean;
  /** Whether the terminal can take a line away again. */
  readonly #canRenew: boolean;
  /** Whether a line that renews itself stands there. */
  #isRenewed = false;

  constructor(output: Output, env: NodeJS.ProcessEnv) {
    this.#output = output;
    this.#env = env;
    this.#colour = output.isTTY === true && (env.NO_COLOR ?? '') === '';
    this.#canRenew = output.isTTY === true && env.TERM !== 'dumb';
  }

  /** Writes `value` as indented JSON. */
  json(value: unknown): void {
    // JSON leaves some control characters as they are. Escaped, they mean the same but do nothing to a terminal.
    const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const text = JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped);
    this.#write(`${text}\n`);
  }

  /** Writes the line as it is: text from a vault must be cleaned first. */
  line(text = ''): void {
    this.#write(`${text}\n`);
  }

  /** Writes a line of somebody else's text, without anything in it that a terminal would obey. */
  plain(text: string): void {
    this.line(clean(text));
  }

  /** Says what is happening right now, if somebody is watching a terminal. */
  progress(text: string): void {
    if (this.#output.isTTY === true) this.styled('dim', text);
  }

  /**
   * Shows `text` on a line that is renewed in its place, if somebody is watching a terminal; an empty text takes it away, and
   * so does whatever is written next.
   */
  renew(text: string): void {
    if (!this.#canRenew) return;
    const shown = clean(text).slice(0, (this.#output.columns || WIDTH) - 1);
    this.#write(shown === '' ? '' : this.paint('dim', shown));
    this.#isRenewed = shown !== '';
  }

  /** How many lines fit on one screen. */
  get height(): number {
    return (this.#output.isTTY === true && this.#output.rows) || HEIGHT;
  }

  /** Returns a line cut to the width of the terminal; elsewhere it stays whole. It may be painted. */
  fitted(line: string): string {
    if (this.#output.isTTY !== true) return line;
    const columns = this.#output.columns || WIDTH;
    // The library cuts a column or two too late behind letters that are no ASCII: what is left is measured once more.
    for (let limit = columns; limit > 1; limit -= 1) {
      const { index, ellipsed } = widthOf(line, { limit, ellipsis: '…' });
      const cut = ellipsed ? `${line.slice(0, index)}…` : line;
      if (widthOf(cut).width <= columns) return ellipsed && this.#colour ? `${cut}${PLAIN_AGAIN}` : cut;
    }
    return '…';
  }

  /** Returns the lines that `print` would write, in the looks of this output. */
  lines(print: (out: Printer) => void): string[] {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    const { isTTY = false, columns = WIDTH } = this.#output;
    print(new Printer({ isTTY, columns, rows: this.height, write }, this.#env));
    return text.split('\n').slice(0, -1);
  }

  /** Writes a title with an empty line before it. */
  heading(text: string): void {
    this.line();
    this.styled('bold', text);
  }

  /** Writes rows in columns, each column as wide as its widest cell. */
  rows(rows: readonly (readonly string[])[]): void {
    const cleaned = rows.map((row) => row.map(clean));
    const widths = (cleaned[0] ?? []).map((_, column) => Math.max(...cleaned.map((row) => (row[column] ?? '').length)));
    for (const row of cleaned) {
      const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
      this.line(`  ${cells.join('  ').trimEnd()}`);
    }
  }

  /** Writes a line that stands out, or steps back. */
  styled(style: 'bold' | 'dim', text: string): void {
    this.line(this.paint(style, clean(text)));
  }

  /** Writes a diagnostic: where, what, the line with its caret, what to do. */
  trouble(diagnostic: Diagnostic): void {
    const where = whereOf(diagnostic);
    const location = where === '' ? '' : `${this.paint('bold', clean(where))}  `;
    this.line(`${location}${clean(diagnostic.message)} ${this.paint('dim', `(${diagnostic.code})`)}`);
    for (const line of diagnostic.excerpt?.split('\n') ?? []) this.line(`    ${clean(line)}`);
    this.line(`  ${this.paint('dim', clean(diagnostic.hint))}`);
  }

  /** Returns `text` in a style, or as it is where there is no colour. The text must be clean. */
  paint(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }

  #write(text: string): void {
    const before = this.#isRenewed ? TAKEN_AWAY : '';
    this.#isRenewed = false;
    if (before + text !== '') this.#output.write(before + text);
  }
}
