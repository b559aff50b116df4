import fs from 'node:fs';
import path from 'node:path';
import { styleText } from 'node:util';
import widthOf from 'fast-string-truncated-width';
import { type Diagnostic, EXIT, type ExitCode, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { localDate, localTime } from '../vault/time.ts';

/** Returns `text` with spaces for control characters: a vault may hold escape sequences that a terminal would obey. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, ' ');
}

/** Returns an ISO time as local time, `2026-09-01 14:05:00`, as a log needs it; text that is no time is only cleaned. */
export function local(iso: string): string {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? clean(iso) : localTime(ms).replace('T', ' ');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns an ISO time as people say it: `today 14:05`, `3 Nov 09:30`, `3 Nov 2025 09:30`. Text that is no time is only cleaned. */
export function formatMoment(iso: string, now = new Date()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return clean(iso);
  return `${formatDay(at, now)} ${localTime(at.getTime()).slice(11, 16)}`;
}

/** Returns an ISO time as the answer to "when": `today 14:05`, `on 3 Nov 09:30`. */
export function formatWhen(iso: string, now = new Date()): string {
  const moment = formatMoment(iso, now);
  return /^\d/.test(moment) ? `on ${moment}` : moment;
}

function formatDay(at: Date, now: Date): string {
  const day = (from: number) => localDate(new Date(now.getFullYear(), now.getMonth(), now.getDate() + from).getTime());
  const near = [-1, 0, 1].find((from) => day(from) === localDate(at.getTime()));
  if (near !== undefined) return ['yesterday', 'today', 'tomorrow'][near + 1] ?? '';
  const year = at.getFullYear() === now.getFullYear() ? '' : ` ${at.getFullYear()}`;
  return `${at.getDate()} ${MONTHS[at.getMonth()]}${year}`;
}

/** Returns a day as people say it: `today`, `3 Nov`. */
export function formatDate(day: string, now = new Date()): string {
  const at = new Date(`${day}T12:00`);
  return Number.isNaN(at.getTime()) ? clean(day) : formatDay(at, now);
}

/** Returns a text with the titles of notes instead of links to them. */
export function withTitles(text: string): string {
  return text.replace(/\[\[([^[\]|]+)\]\]/g, '$1');
}

/** Returns a confidence with two decimals. */
export function figure(confidence: number): string {
  return confidence.toFixed(2);
}

/** Returns how a confidence moved, with two decimals: `0.84 → 0.86`. A step that they don't show is named: `0.96, slightly up`. */
export function formatShift(before: number, after: number): string {
  if (figure(before) !== figure(after)) return `${figure(before)} → ${figure(after)}`;
  if (before === after) return figure(after);
  return `${figure(after)}, slightly ${after > before ? 'up' : 'down'}`;
}

/** Returns a sum with at most two decimals; one below a cent keeps what is needed to be seen. */
export function rounded(sum: number): number {
  const digits = Math.abs(sum) < 0.01 ? 10_000 : 100;
  return Math.round(sum * digits) / digits;
}

/** Returns `1 note`, `2 notes`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns `file:line:column`, as far as they are known. Not cleaned. */
export function formatPlace({ file, line, column }: Diagnostic): string {
  return [file, line, column].filter((part) => part !== null).join(':');
}

/** How wide a terminal is that does not say so. */
const WIDTH = 80;
/** How many lines are assumed if the output is no screen, or does not say. */
const HEIGHT = 24;
/** Longer lines are hard to read. */
const WIDEST = 100;
const NARROWEST = 10;

/** What turns a colour on or off. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how a colour begins
const COLOUR = /(\u001b\[\d*m)/;
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

// A word that is too long, such as an address or a link, is cut at the end of the line, but never within a colour or a
// character. The library's own place to cut is wrong if some characters are not Latin.
function pieces(word: string, room: number): string[] {
  if (widthOf(word).width <= room) return [word];
  const all = [''];
  for (const part of word.split(COLOUR)) {
    for (const one of COLOUR.test(part) ? [part] : Array.from(CHARACTERS.segment(part), ({ segment }) => segment)) {
      const longer = `${all.at(-1)}${one}`;
      if (widthOf(longer).width > room) all.push(one);
      else all[all.length - 1] = longer;
    }
  }
  return all;
}

/** Back to the looks of before, behind a line that was cut. */
const PLAIN_AGAIN = '\u001b[0m';
/** Back to the beginning of the line, and nothing behind it. */
const TAKEN_AWAY = '\r\u001b[K';

export type Style = Parameters<typeof styleText>[0];

/** The output of a printer. It deals with failing writes itself. */
export interface Output {
  readonly isTTY?: boolean;
  /** How many characters a line of the terminal has, and how many lines it has. */
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): void;
}

/**
 * Writes to one output, with colour only if it is a terminal and NO_COLOR is not set. How each noun looks is in the
 * other files of this folder.
 */
export class Printer {
  readonly #output: Output;
  readonly #env: NodeJS.ProcessEnv;
  readonly #colour: boolean;
  /** Whether the terminal can take a line away again. */
  readonly #canRenew: boolean;
  /** Whether the last line is one that renews itself. */
  #isRenewed = false;

  constructor(output: Output, env: NodeJS.ProcessEnv) {
    this.#output = output;
    this.#env = env;
    this.#colour = output.isTTY === true && (env.NO_COLOR ?? '') === '';
    this.#canRenew = output.isTTY === true && env.TERM !== 'dumb';
  }

  /** Writes `value` as indented JSON. */
  json(value: unknown): void {
    // JSON leaves some control characters as they are. Escaped, they mean the same but have no effect on a terminal.
    const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const text = JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped);
    this.#write(`${text}\n`);
  }

  /** Writes the line as it is: text from a vault must be cleaned first. */
  line(text = ''): void {
    this.#write(`${text}\n`);
  }

  /**
   * Writes a sentence in lines that fit the terminal, without anything in it that a terminal would obey.
   */
  plain(text: string): void {
    for (const line of this.folded(clean(text))) this.line(line);
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

  /** Returns a line cut to the width of the terminal, and to 100 columns; elsewhere it stays whole. It may be painted. */
  fitted(line: string): string {
    return this.#output.isTTY === true ? this.short(line) : line;
  }

  /** Returns a line cut to the width of the terminal, and to 100 columns, wherever it goes. It may be painted. */
  short(line: string): string {
    const columns = this.#columns;
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

  /** Returns clean text in lines that fit the terminal and have at most 100 columns, each behind `indent` spaces. */
  wrapped(text: string, indent: number): string[] {
    return this.#wrap(clean(text), indent);
  }

  /**
   * Returns a line, which may be painted, in lines that fit the terminal and have at most 100 columns. Those after the first are
   * indented two more. For another program, which may look for a word in it, the line stays whole.
   */
  folded(line: string): string[] {
    if (this.#output.isTTY !== true) return [line];
    const indent = line.search(/[^ ]|$/);
    return this.#wrap(line.slice(indent), indent, indent + 2);
  }

  /** How many columns a line may have. */
  get #columns(): number {
    return this.#output.isTTY === true ? Math.min(WIDEST, this.#output.columns || WIDTH) : WIDEST;
  }

  #wrap(text: string, first: number, others = first): string[] {
    const columns = this.#columns;
    const room = Math.max(NARROWEST, columns - others);
    const lines: string[] = [];
    for (const word of text.split(' ').flatMap((one) => pieces(one, room))) {
      const line = lines.at(-1);
      const longer = line === undefined ? word : `${line} ${word}`;
      if (line === undefined || widthOf(longer).width > (lines.length === 1 ? columns - first : room)) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines.map((line, at) => `${' '.repeat(at === 0 ? first : others)}${line}`.trimEnd());
  }

  /** Writes a title with an empty line before it. */
  heading(text: string): void {
    this.line();
    this.styled('bold', text);
  }

  /**
   * Writes rows in columns, each column as wide as its widest cell. If the terminal is too narrow, the first cell of each row
   * gets its own line.
   */
  rows(rows: readonly (readonly string[])[]): void {
    const cleaned = rows.map((row) => row.map(clean));
    const width = (cell: string | undefined) => widthOf(cell ?? '').width;
    const widths = (cleaned[0] ?? []).map((_, column) => Math.max(...cleaned.map((row) => width(row[column]))));
    const isNarrow = this.#output.isTTY === true && widths.reduce((sum, width) => sum + width + 2, 0) > this.#columns;
    for (const row of cleaned) {
      const cells = row.map((cell, column) => `${cell}${' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell)))}`);
      for (const line of isNarrow ? stackedCells(cells) : [`  ${cells.join('  ').trimEnd()}`]) this.line(line);
    }
  }

  /** Writes a line that stands out, or steps back. */
  styled(style: 'bold' | 'dim', text: string): void {
    for (const line of this.folded(clean(text))) this.line(this.paint(style, line));
  }

  /** Writes a diagnostic: where, what, the line with its caret, what to do. */
  trouble(diagnostic: Diagnostic): void {
    const where = formatPlace(diagnostic);
    const location = where === '' ? '' : `${this.paint('bold', clean(where))}  `;
    const what = `${location}${clean(diagnostic.message)} ${this.paint('dim', `(${diagnostic.code})`)}`;
    for (const line of this.folded(what)) this.line(line);
    for (const line of diagnostic.excerpt?.split('\n') ?? []) this.line(`    ${clean(line)}`);
    this.styled('dim', `  ${diagnostic.hint}`);
  }

  /** Returns `text` in a style, or as it is if there is no colour. The text must be clean. */
  paint(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }

  #write(text: string): void {
    const before = this.#isRenewed ? TAKEN_AWAY : '';
    this.#isRenewed = false;
    if (before + text !== '') this.#output.write(before + text);
  }
}

function stackedCells([first = '', ...others]: readonly string[]): string[] {
  const below = others.join('  ').trimEnd();
  return [...(first.trim() === '' ? [] : [`  ${first.trimEnd()}`]), ...(below === '' ? [] : [`    ${below}`])];
}

const REASONS: Readonly<Record<string, string>> = {
  EPIPE: 'its reader has closed it (EPIPE)',
  ECONNRESET: 'its reader has closed it (ECONNRESET)',
  EIO: 'its terminal is gone (EIO)',
  ENOSPC: 'its disk is full (ENOSPC)',
  EDQUOT: 'the quota of its disk is used up (EDQUOT)',
};

/** Returns why an output does not take what is written, as the end of a sentence. */
export function outputReason(error: unknown): string {
  return REASONS[systemCode(error) ?? ''] ?? errorReason(error);
}

/**
 * Returns standard output for a command that has no more work once its output can't be read. A reader that closes its
 * end early (`steward log | head`) has seen enough: the process ends at once, and that is no error. If the output fails
 * otherwise, it ends with 1 and says so on `err`.
 */
function endingOutput(stream: NodeJS.WriteStream, err: Printer): Output {
  return forgiving(stream, (error) => {
    if (systemCode(error) === 'EPIPE') process.exit();
    err.trouble(outputFailed(error).trouble);
    process.exit(EXIT.refused);
  });
}

// Each failure comes to the write that it is about; as an event of the stream it would end the process.
function forgiving(stream: NodeJS.WriteStream, failed: (error: Error) => void): Output {
  stream.on('error', () => {});
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    write: (text) => void stream.write(text, (error) => (error instanceof Error ? failed(error) : undefined)),
  };
}

function outputFailed(error: Error): StewardError {
  return new StewardError({
    code: 'output-failed',
    message: `The output cannot be written: ${outputReason(error)}.`,
    hint: 'Send the output elsewhere, or repair its destination, and run the command again.',
  });
}

/** The context of every command: its outputs, and the environment of the process. */
export interface CommandContext {
  /** Results: standard output. The command ends where they cannot be written. */
  readonly out: Printer;
  /** Diagnostics: standard error. */
  readonly err: Printer;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The options that every command takes. */
export interface CommonOptions {
  readonly vault?: string;
  readonly json?: boolean;
}

export type CommandResult = Promise<ExitCode>;

export function processContext(): CommandContext {
  const err = new Printer(
    forgiving(process.stderr, () => {}),
    process.env,
  );
  return {
    out: new Printer(endingOutput(process.stdout, err), process.env),
    err,
    env: process.env,
    cwd: currentFolder(),
  };
}

// The folder may have been deleted under the shell: every path that is given whole still means something.
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    process.chdir('/');
    return '/';
  }
}

/** Prints an error that nobody foresaw. */
export function printUnexpected(err: Printer, reason: string): void {
  err.line(`Steward met an unexpected error: ${reason}`);
}

/** Returns the error `usage` (2), for words that a command cannot take. */
export function usageError(message: string, hint: string): StewardError {
  return new StewardError({ code: 'usage', message, hint }, EXIT.usage);
}

/** The folder of this program's own package, which ships the template, the units and the example vault. */
export const PACKAGE = findPackage(import.meta.dirname);

// In src this file has folders above it that dist doesn't have.
function findPackage(folder: string): string {
  return fs.existsSync(path.join(folder, 'package.json')) ? folder : findPackage(path.dirname(folder));
}

export function version(): string {
  const manifest: { readonly version: string } = JSON.parse(
    fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'),
  );
  return manifest.version;
}
