import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type ProgramEnd, runProgram } from '../daemon/program.ts';
import { readForeignJson } from '../vault/json.ts';
import { oneLine } from '../vault/note-text.ts';
import {
  type Arrival,
  type Credential,
  type Inlet,
  parseEvent,
  type Session,
  type Source,
  SourceError,
  type SourceProblem,
} from './source.ts';

/** What a program is given of the environment in which this one runs. There are keys in the rest of it. */
const KEPT = ['PATH', 'HOME', 'LANG', 'TZ', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
const LOCALE = /^LC_[A-Z]{1,30}$/;

interface ProgramInput {
  /** What it last said; null if it has said nothing yet. */
  readonly cursor: string | null;
  readonly secret: string | null;
}

/** Returns the environment of a program that is asked for events. `own`: that of this program. */
function environmentFor(
  own: Readonly<Record<string, string | undefined>>,
  { cursor, secret }: ProgramInput,
): Readonly<Record<string, string>> {
  const kept = Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && (KEPT.includes(name) || LOCALE.test(name)) ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(kept),
    STEWARD_CURSOR: cursor ?? '',
    ...(secret === null ? {} : { STEWARD_SECRET: secret }),
  };
}

const MAX_LINE = 300 * 1024;
/** How many new events one run may give. */
const MOST_EVENTS = 2000;
/** More lines that are wrong are counted only. */
const MOST_TOLD = 5;
/**
 * A program that prints this many wrong lines is ended: reading them costs the daemon more than printing costs the
 * program.
 */
const MOST_WRONG = 100;
const LINE_END = 0x0a;

// It is handed back in the environment, where no NUL can be.
const cursorLine = z.strictObject({
  cursor: z
    .string()
    .max(4096)
    .regex(/^[^\0]*$/),
});

/** A line that is wrong: its number, from 1 on, and why, as the end of a sentence. */
interface BadLine {
  readonly line: number;
  readonly reason: string;
}

interface Output {
  readonly arrivals: readonly Arrival[];
  /** Null if it says none. */
  readonly cursor: string | null;
  readonly bad: readonly BadLine[];
  /** How many lines are wrong. */
  readonly badCount: number;
  /** Whether there were more events than one run may give: the others were left. */
  readonly isCut: boolean;
}

/** What the lines are read with. `now`: epoch ms. */
interface LinesWith {
  readonly knows: (key: string) => boolean;
  readonly now: number;
}

/** Reads the lines that a program prints, each an event or a cursor, as they come. A line that is wrong costs no other. */
class Lines {
  readonly #with: LinesWith;
  readonly #arrivals = new Map<string, Arrival>();
  readonly #bad: BadLine[] = [];
  #badCount = 0;
  #cursor: string | null = null;
  #isCut = false;
  #line = 1;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(parts: LinesWith) {
    this.#with = parts;
  }

  /** Takes what was printed next. Returns whether there is any use in more. */
  add(bytes: Uint8Array): boolean {
    let from = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0 && this.#hasUse(); end = bytes.indexOf(LINE_END, from)) {
      this.#keep(bytes.subarray(from, end));
      this.#read();
      from = end + 1;
    }
    this.#keep(bytes.subarray(from));
    return this.#hasUse();
  }

  /** Returns what was said. `isWhole`: whether the program came to its end, so that its last line is one without a line end. */
  said(isWhole: boolean): Output {
    if (isWhole && this.#size > 0) this.#read();
    const { arrivals, bad } = { arrivals: [...this.#arrivals.values()], bad: this.#bad };
    return { arrivals, bad, badCount: this.#badCount, cursor: this.#cursor, isCut: this.#isCut };
  }

  #hasUse(): boolean {
    return this.#badCount <= MOST_WRONG;
  }

  /** Of a line that is too long no more is kept. */
  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size <= MAX_LINE) this.#parts.push(part);
    else this.#parts = [];
  }

  #read(): void {
    const reason = this.#size > MAX_LINE ? `it has more than ${MAX_LINE / 1024} KiB` : this.#taken();
    if (reason !== null) {
      this.#badCount += 1;
      if (this.#bad.length < MOST_TOLD) this.#bad.push({ line: this.#line, reason });
    }
    this.#line += 1;
    this.#parts = [];
    this.#size = 0;
  }

  /** Takes the content of a line; returns what is wrong with it, or null. */
  #taken(): string | null {
    if (this.#size === 0) return null;
    const bytes = Buffer.concat(this.#parts);
    if (bytes.toString('utf8').trim() === '') return null;
    const value = readForeignJson(bytes);
    if (value === undefined) return 'it is not JSON in UTF-8';
    const cursor = cursorLine.safeParse(value);
    if (cursor.success) this.#cursor = cursor.data.cursor;
    return cursor.success ? null : this.#takenEvent(value);
  }

  #takenEvent(value: unknown): string | null {
    const read = parseEvent(value, this.#with.now);
    if (!read.ok) return read.reason;
    const { arrival } = read;
    if (this.#arrivals.has(arrival.key) || this.#with.knows(arrival.key)) return null;
    if (this.#arrivals.size >= MOST_EVENTS) this.#isCut = true;
    else this.#arrivals.set(arrival.key, arrival);
    return null;
  }
}

const LIMITS = { limitMs: 60_000, graceMs: 5000, maxBytes: 10 * 1024 * 1024 };
/** How many events are stored at a time. */
const BATCH = 100;
const MOST_SHOWN = 3;
const MAX_SHOWN = 120;

const savedCursor = z.object({ cursor: z.string() });

interface CommandParts {
  /** The program's absolute path and its arguments, as a person allowed them on this machine. */
  readonly argv: readonly string[];
  /** What the program is given as `STEWARD_SECRET`; null: nothing. */
  readonly credential: Credential | null;
  /** The environment of this program, of which the other is given a part. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What one run may take, where that is less than usual. */
  readonly limits?: Partial<typeof LIMITS>;
}

/** Returns the connector of a program that is run, and prints lines of JSON: an event each, or where it is. */
export function commandSource(parts: CommandParts): Source {
  return {
    async open(inlet, abort) {
      checkProgram(parts.argv);
      return new CommandSession(parts, inlet, abort);
    },
  };
}

interface Run {
  readonly said: Output;
  readonly ended: ProgramEnd;
}

class CommandSession implements Session {
  readonly #parts: CommandParts;
  readonly #inlet: Inlet;
  readonly #abort: AbortSignal;
  readonly #closed = new AbortController();

  constructor(parts: CommandParts, inlet: Inlet, abort: AbortSignal) {
    this.#parts = parts;
    this.#inlet = inlet;
    this.#abort = AbortSignal.any([abort, this.#closed.signal]);
  }

  async poll(): Promise<readonly SourceProblem[]> {
    const { said, ended } = await this.#run((key) => this.#inlet.knows(key));
    const isWhole = ended.how === 'exit' && ended.code === 0;
    await this.#put(said.arrivals, isWhole && !said.isCut ? said.cursor : null);
    if (!isWhole) throw this.#failure(ended);
    return problemsIn(said);
  }

  waitForNews(): Promise<void> {
    return new Promise(() => undefined);
  }

  async describe(): Promise<readonly string[]> {
    const { said, ended } = await this.#run(() => false);
    if (ended.how !== 'exit' || ended.code !== 0) throw this.#failure(ended);
    const count = said.arrivals.length;
    const lines = said.arrivals.slice(0, MOST_SHOWN).map(titleOf);
    return [
      `It ran, and gave ${count === 1 ? 'one event' : `${count} events`}${count > MOST_SHOWN ? ', the first of them:' : count > 0 ? ':' : '.'}`,
      ...lines.map((title) => `  ${title}`),
      ...problemsIn(said).map(({ message }) => message),
    ];
  }

  async close(): Promise<void> {
    this.#closed.abort();
  }

  async #run(knows: (key: string) => boolean): Promise<Run> {
    const { argv, credential, environment, limits } = this.#parts;
    checkProgram(argv);
    const secret = credential === null ? null : await credential.reveal();
    const lines = new Lines({ knows, now: this.#inlet.now() });
    const environmentGiven = environmentFor(environment, { cursor: this.#cursor(), secret });
    const program = { argv, environment: environmentGiven, ...LIMITS, ...limits };
    const ended = await runProgram(program, (bytes) => lines.add(bytes), this.#abort);
    return { said: lines.said(ended.how === 'exit'), ended };
  }

  /** All of a run, and the cursor with the last of it. */
  async #put(arrivals: readonly Arrival[], cursor: string | null): Promise<void> {
    const before = this.#inlet.cursor();
    const after = cursor === null ? before : { cursor };
    if (arrivals.length === 0 && (cursor === null || cursor === this.#cursor())) return;
    for (let from = 0; from === 0 || from < arrivals.length; from += BATCH) {
      this.#abort.throwIfAborted();
      const isLast = from + BATCH >= arrivals.length;
      await this.#inlet.put(arrivals.slice(from, from + BATCH), isLast ? after : before);
    }
  }

  /** What the program last said; null if it has said nothing. */
  #cursor(): string | null {
    const saved = savedCursor.safeParse(this.#inlet.cursor());
    return saved.success ? saved.data.cursor : null;
  }

  #failure(ended: ProgramEnd): SourceError {
    const shown = oneLine(this.#parts.argv.map(quoted).join(' '), 300);
    const hint = `Its error message isn't kept, because it may contain secrets. See it yourself: ${shown}`;
    return new SourceError({
      kind: 'strange',
      message: endingWords(ended, { ...LIMITS, ...this.#parts.limits }),
      hint,
    });
  }
}

function endingWords(ended: ProgramEnd, { limitMs, maxBytes }: typeof LIMITS): string {
  switch (ended.how) {
    case 'exit':
      return `The program ended with exit code ${ended.code}.`;
    case 'signal':
      return `The program was ended by a signal (${ended.signal}).`;
    case 'late':
      return `The program was ended: it ran for longer than ${limitMs / 1000} s.`;
    case 'rubbish':
      return 'The program was ended: it printed a hundred lines that are no event.';
    case 'flood':
      return `The program was ended: it printed more than ${Math.round(maxBytes / 1024)} KiB.`;
  }
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function problemsIn({ bad, badCount, isCut, arrivals }: Output): readonly SourceProblem[] {
  const lines = bad.map(({ line, reason }) => `line ${line}: ${reason}`).join('; ');
  const more = badCount > bad.length ? `; and ${badCount - bad.length} more` : '';
  const wrong = {
    message: `Of what the program printed, ${badCount === 1 ? 'one line is' : `${badCount} lines are`} no event (${lines}${more}).`,
    hint: 'The other lines were read. docs/programs.md lists the fields of an event; write one event a line.',
  };
  const cut = {
    message: `The program gave more than ${arrivals.length} new events in one run; the others were left.`,
    hint: 'They are read at its next runs, if it prints them again. Its cursor was not kept.',
  };
  return [...(badCount === 0 ? [] : [wrong]), ...(isCut ? [cut] : [])];
}

function titleOf({ content }: Arrival): string {
  return content?.kind === 'event' ? oneLine(content.event.title, MAX_SHOWN) : '';
}

function checkProgram([program]: readonly string[]): void {
  if (program === undefined || !path.isAbsolute(program)) {
    throw new SourceError({
      kind: 'setup',
      message: 'The program needs its whole path.',
      hint: 'Name it from / on, as in /home/robin/bin/shop-events, so that it cannot be another one of that name.',
    });
  }
  try {
    fs.accessSync(program, fs.constants.X_OK);
    if (fs.statSync(program).isFile()) return;
  } catch {
    // Output below: it is not there, or may not be run.
  }
  throw new SourceError({
    kind: 'setup',
    message: 'The program is missing, or may not be run.',
    hint: `Look at it: ls -l ${quoted(oneLine(program, 200))}`,
  });
}
