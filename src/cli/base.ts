import fs from 'node:fs';
import net from 'node:net';
import {
  type Diagnostic,
  diagnostic,
  EXIT,
  type ExitCode,
  reasonOf,
  StewardError,
  systemCode,
} from '../vault/errors.ts';
import { iso } from '../vault/time.ts';
import { count } from './print/plain-text.ts';
import { type Output, Printer } from './print/printer.ts';

const REASONS: Readonly<Record<string, string>> = {
  EPIPE: 'nobody reads it any more (EPIPE)',
  ECONNRESET: 'nobody reads it any more (ECONNRESET)',
  EIO: 'its terminal is gone (EIO)',
  ENOSPC: 'its disk is full (ENOSPC)',
  EDQUOT: 'the quota of its disk is used up (EDQUOT)',
};

/** Returns why an output does not take what is written, as the end of a sentence. */
function outputReason(error: unknown): string {
  return REASONS[systemCode(error) ?? ''] ?? reasonOf(error);
}

/**
 * Returns standard output for a command that has nothing more to do once it cannot be heard. A reader that closes its end
 * early (`steward log | head`) has seen enough: the process ends at once, and that is no error. Where the output fails
 * otherwise, it ends with 1 and says so on `err`.
 */
function endingOutput(stream: NodeJS.WriteStream, err: Printer): Output {
  return forgiving(stream, (error) => {
    if (systemCode(error) === 'EPIPE') process.exit();
    err.trouble(outputFailed(error).trouble);
    process.exit(EXIT.refused);
  });
}

/** Returns standard error. What it does not take is lost: the exit code tells how the command ended, not the reader. */
function diagnosticOutput(stream: NodeJS.WriteStream): Output {
  return forgiving(stream, () => {});
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
    hint: 'Send the output elsewhere, or mend where it goes, and ask again.',
  });
}

/** What every command is given: where to print, and what the process was started with. */
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

/** Returns the context of this very process. */
export function processContext(): CommandContext {
  const err = new Printer(diagnosticOutput(process.stderr), process.env);
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

/** How much waits for a reader who is behind: tens of thousands of lines, and little beside the memory of the daemon. */
const MOST_WAITING = 4 * 1024 * 1024;
const TRY_AGAIN_MS = 1_000;
/** How long the end waits for a reader to take what was said last. */
const LAST_WORDS_MS = 1_000;

/** Lines that could not be written: how many, since when (epoch ms), and why not. */
interface Unsaid {
  readonly what: 'unsaid';
  readonly lines: number;
  readonly since: number;
  readonly reason: string;
}

/**
 * The output of a program that outlives it: its reader may go, its disk may be full, a pipe may stay unread. No write
 * throws, and none to a pipe, a socket or a terminal blocks, also one that is held by Ctrl-S; a log on a disk that hangs
 * still does. What cannot be written is counted, and told as one line as soon as lines are taken again.
 */
export class LastingOutput implements Output {
  readonly #stream: NodeJS.WriteStream & { readonly fd: number };
  readonly #told: (unsaid: Unsaid) => string;
  #unsaid: Unsaid | null = null;
  #isBehind = false;
  #isTorn = false;
  #retry: NodeJS.Timeout | null = null;

  /** `told`: the line that tells of what could not be written. */
  constructor(stream: NodeJS.WriteStream & { readonly fd: number }, told: (unsaid: Unsaid) => string) {
    this.#stream = stream;
    this.#told = told;
    stream.on('error', () => {}); // each failure comes to the write that it is about
    if (stream.isTTY) neverBlock(stream);
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Writes one line, or counts it. */
  write(line: string): void {
    if (this.#hasRoom()) this.#send(line, 1);
    else this.#miss(1, 'nobody reads it fast enough', null);
  }

  /** What is wrong with the output, as `status` lists it; null while it takes lines. */
  get trouble(): Diagnostic | null {
    if (this.#unsaid === null) return null;
    const { lines, since, reason } = this.#unsaid;
    return diagnostic({
      code: 'output-lost',
      message: `${count(lines, 'line')} of \`steward run\` are lost since ${iso(since)}: ${reason}.`,
      hint: 'Work goes on, and `steward log` lists it. Mend where the output goes, or start it with another.',
    });
  }

  /** Lets the process end, also where a reader never takes what still waits. */
  close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    const leave = () => {
      if (this.#stream.writableLength > 0) process.exit();
    };
    setTimeout(leave, LAST_WORDS_MS).unref();
  }

  // Once behind, the reader has to catch up wholly: else every few lines a line would tell of others that were not said.
  #hasRoom(): boolean {
    const waiting = this.#stream.writableLength;
    this.#isBehind = this.#isBehind ? waiting > 0 : waiting > MOST_WAITING;
    return !this.#isBehind;
  }

  // What was missed is told before anything else.
  #send(text: string, lines: number): void {
    const before = this.#unsaid;
    this.#unsaid = null;
    const whole = before === null ? text : `${this.#told(before)}\n${text}`;
    this.#put(whole, (error) => this.#miss(lines, outputReason(error), before));
  }

  #miss(lines: number, reason: string, before: Unsaid | null): void {
    const known = [before, this.#unsaid].filter((one) => one !== null);
    this.#unsaid = {
      what: 'unsaid',
      lines: known.reduce((sum, one) => sum + one.lines, lines),
      since: known[0]?.since ?? Date.now(),
      reason,
    };
    this.#retry ??= setTimeout(() => this.#tryAgain(), TRY_AGAIN_MS).unref();
  }

  #tryAgain(): void {
    this.#retry = null;
    if (this.#unsaid === null) return;
    if (this.#hasRoom()) this.#send('', 0);
    else this.#miss(0, this.#unsaid.reason, null);
  }

  // A pipe and a socket are written by events, and say what they did not take. A file is written at once, and Node's own
  // stream keeps silent where a full disk took only a part of a line.
  #put(text: string, failed: (error: unknown) => void): void {
    if (this.#stream instanceof net.Socket) {
      this.#stream.write(text, (error) => (error instanceof Error ? failed(error) : undefined));
      return;
    }
    try {
      this.#putInFile(text);
    } catch (error) {
      failed(error);
    }
  }

  // A line that was torn off by a full disk is ended first.
  #putInFile(text: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    let at = 0;
    try {
      while (at < bytes.length) at += fs.writeSync(this.#stream.fd, bytes, at);
      this.#isTorn = false;
    } catch (error) {
      this.#isTorn ||= at > 0;
      throw error;
    }
  }
}

// Node lets writes to a terminal block, so that a program that ends has said all. One that goes on must not wait for
// somebody who has pressed Ctrl-S.
function neverBlock(stream: NodeJS.WriteStream): void {
  const handle: unknown = Reflect.get(stream, '_handle');
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
  if (typeof handle.setBlocking === 'function') handle.setBlocking(false);
}
