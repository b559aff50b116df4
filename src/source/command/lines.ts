import { z } from 'zod';
import type { Arrival } from '../connector.ts';
import { handedOver } from '../handed-over.ts';

const MAX_LINE = 300 * 1024;
/** How many new events one run may give. */
const MOST_EVENTS = 2000;
/** More lines that are wrong are counted only. */
const MOST_TOLD = 5;
/** Whoever prints so many lines that are wrong has nothing to say. */
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

/** What the lines of one run say. */
export interface Said {
  readonly arrivals: readonly Arrival[];
  /** Null where it says none. */
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
export class Lines {
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
  said(isWhole: boolean): Said {
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

  /** Takes what a line says; returns why it says nothing, or null. */
  #taken(): string | null {
    if (this.#size === 0) return null;
    const text = textOf(Buffer.concat(this.#parts));
    if (text?.trim() === '') return null;
    const value = jsonIn(text);
    if (value === undefined) return 'it is not JSON in UTF-8';
    const cursor = cursorLine.safeParse(value);
    if (cursor.success) this.#cursor = cursor.data.cursor;
    return cursor.success ? null : this.#takenEvent(value);
  }

  #takenEvent(value: unknown): string | null {
    const read = handedOver(value, this.#with.now);
    if (!read.ok) return read.reason;
    const { arrival } = read;
    if (this.#arrivals.has(arrival.key) || this.#with.knows(arrival.key)) return null;
    if (this.#arrivals.size >= MOST_EVENTS) this.#isCut = true;
    else this.#arrivals.set(arrival.key, arrival);
    return null;
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function jsonIn(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
