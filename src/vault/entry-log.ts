import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errorReason, systemCode } from './errors.ts';
import { fileError, readBytes, syncFolder } from './files.ts';
import { readOwnJson } from './json.ts';

const { O_WRONLY, O_CREAT, O_APPEND, O_EXCL, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
/** Doesn't wait for a reader if a pipe is in its place, and follows no link. */
const APPEND = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOFOLLOW;
const OWN_MODE = 0o600;

/** The folder of files that are only added to, a check that they may be written, and the clock. */
export interface GrowingFiles {
  readonly folder: string;
  /** Throws if the folder is no longer this process's to write to. */
  readonly demand: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Adds a text at the end of a file of the program's own, and creates a missing file. Not durably: a crash of the
 * machine may lose it. Throws what the disk refuses.
 */
export function append(file: string, text: string): void {
  const handle = fs.openSync(file, APPEND, OWN_MODE);
  try {
    fs.writeFileSync(handle, text);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * The same, if the file is as long as it should be: `bytes`, or 0 for one that must not exist yet. Otherwise it returns
 * false, without writing.
 */
export function appendBehind(file: string, text: Uint8Array, bytes: number): boolean {
  const handle = openAt(file, bytes);
  if (handle === null) return false;
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile() || stat.size !== bytes) return false;
    fs.writeFileSync(handle, text);
    return true;
  } finally {
    fs.closeSync(handle);
  }
}

function openAt(file: string, bytes: number): number | null {
  try {
    return fs.openSync(file, bytes === 0 ? APPEND | O_EXCL : APPEND & ~O_CREAT, OWN_MODE);
  } catch (error) {
    if (bytes > 0 && ['ENOENT', 'ELOOP', 'ENXIO', 'EISDIR'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/**
 * The same, so that it survives a power cut. `isNew`: there must be no such file yet. Throws what the disk refuses; then
 * some of the text may be there.
 */
function appendLasting(file: string, text: string, isNew: boolean): void {
  const handle = fs.openSync(file, isNew ? APPEND | O_EXCL : APPEND, OWN_MODE);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

interface EntryLine {
  readonly key: string;
  /** Undefined if the key was removed. */
  readonly value: unknown;
  /** How long the line is. */
  readonly chars: number;
}

interface PartLines {
  readonly lines: readonly EntryLine[];
  /** How many lines are not the program's. A last line without its end was cut off by a crash, and doesn't count. */
  readonly bad: number;
  /** Whether the last line has its end. */
  readonly isWhole: boolean;
}

/** Returns the lines of a text. */
export function readPartLines(text: string): PartLines {
  const all = text.split('\n');
  const rest = all.pop() ?? '';
  const lines: EntryLine[] = [];
  let bad = 0;
  for (const one of all) {
    const line = one === '' ? null : lineIn(one);
    if (line !== null) lines.push(line);
    else if (one !== '') bad += 1;
  }
  const last = lineIn(rest);
  return { lines: last === null ? lines : [...lines, last], bad, isWhole: rest === '' };
}

const storedLine = z.array(z.unknown()).min(1).max(2);

function lineIn(text: string): EntryLine | null {
  const [key, value] = readOwnJson(storedLine, text) ?? [];
  return typeof key === 'string' ? { key, value, chars: text.length + 1 } : null;
}

/** A part that has grown to it is added to no longer, so that letting go of one costs little. */
const PART_CHARS = 512 * 1024;
/** Of the most that goes into a part, the share that goes into one however little there is. */
const LEAST_SHARE = 32;
/** No part of the program's own is larger. */
const MOST_PART_BYTES = 16 * 1024 * 1024;
/** A log doesn't grow beyond this. */
const MOST_BYTES = 256 * 1024 * 1024;
/** A part with a number from here on is not the program's: after the highest, no number would be left. */
const FIRST_STRANGE = 90_000_000;

type Entries = Readonly<Record<string, unknown>>;

/** A file that lines are added to, and the keys in them. */
interface Part {
  readonly name: string;
  readonly keys: string[];
  chars: number;
}

interface Newest {
  readonly part: Part;
  readonly chars: number;
  readonly isGone: boolean;
}

/** Lines that go into one part. */
type Batch = (EntryLine & { readonly text: string })[];

interface Damage {
  readonly name: string;
  readonly reason: string;
}

/**
 * Values by key in files that are only added to: a save costs as much as has changed. The later line counts. When many
 * lines are out of date, the oldest file is dropped, and its lines that still count are added behind the newest. So no
 * save writes everything at once, and a crash leaves the log as it was or as it should be.
 */
export class EntryLog {
  readonly #folder: string;
  readonly #name: string;
  readonly #partChars: number;
  /** Oldest first. */
  #parts: Part[] = [];
  readonly #newest = new Map<string, Newest>();
  readonly #damaged = new Map<Part, string>();
  /** The keys whose write the disk refused: a part of it may be there. */
  readonly #owed = new Set<string>();
  /** Of all lines, and of those that count. */
  #chars = 0;
  #countedChars = 0;
  #nextNumber = 1;
  /** Whether the last part may be added to: half a line may be at the end of one. */
  #isOpen = false;

  /** `partChars`: the most that goes into a part. */
  constructor(folder: string, name: string, partChars = PART_CHARS) {
    this.#folder = folder;
    this.#name = name;
    this.#partChars = partChars;
  }

  /** The files that could not be read, or not whole. The next `save` moves them aside. */
  get damage(): readonly Damage[] {
    return [...this.#damaged].map(([{ name }, reason]) => ({ name, reason }));
  }

  /** Returns what is remembered. Doesn't write. Throws the system error if the disk can't be read. */
  load(): Map<string, unknown> {
    const loading = this.loading();
    let step = loading.next();
    while (step.done !== true) step = loading.next();
    return step.value;
  }

  /** The same, a part at a time. */
  *loading(): Generator<void, Map<string, unknown>> {
    const entries = new Map<string, unknown>();
    for (const { part, strange } of this.#found()) {
      if (strange !== null) this.#damaged.set(part, strange);
      else this.#loadPart(part, entries);
      yield;
    }
    return entries;
  }

  /** Whether something is written of a key. */
  has(key: string): boolean {
    return this.#newest.has(key);
  }

  /** All keys of which something is written. */
  keys(): Iterable<string> {
    return this.#newest.keys();
  }

  /**
   * Writes what `entries` holds under these keys now, so that it survives a power cut, and lets go of what is out of date.
   * Throws what the disk refuses; then the same keys are to be saved once more.
   */
  save(keys: Iterable<string>, entries: Entries): void {
    const written = this.#write(new Set([...this.#owed, ...keys]), entries);
    for (const part of [...this.#damaged.keys()]) this.#leave(part, entries);
    // More than one only if more was written than fits into one.
    for (let left = 1 + (2 * written) / this.#perPart; left >= 1 && this.#isLittered; left -= 1) {
      const [oldest] = this.#parts;
      if (oldest !== undefined) this.#leave(oldest, entries);
    }
  }

  /** Whether more than two parts, and a quarter of what counts, are out of date. */
  get #isLittered(): boolean {
    return this.#chars > 1.25 * this.#countedChars + 2 * this.#perPart;
  }

  /** How much goes into a part: a quarter of what counts, so that a small vault has little that is out of date. */
  get #perPart(): number {
    return Math.min(this.#partChars, Math.max(this.#partChars / LEAST_SHARE, this.#countedChars / 4));
  }

  #found(): { readonly part: Part; readonly strange: string | null }[] {
    let room = MOST_BYTES;
    // The newest first: they count.
    const found = this.#names().map((name) => {
      const number = Number(/-(\d{8})\.jsonl$/.exec(name)?.[1]);
      room -= fs.lstatSync(path.join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0;
      const strange = number >= FIRST_STRANGE ? 'its number is too high' : room < 0 ? 'there is too much of it' : null;
      if (strange === null) this.#nextNumber = Math.max(this.#nextNumber, number + 1);
      return { part: { name, keys: [], chars: 0 }, strange };
    });
    return found.reverse();
  }

  #names(): string[] {
    const pattern = new RegExp(`^${this.#name}-\\d{8}\\.jsonl$`);
    try {
      const names = fs.readdirSync(this.#folder).filter((name) => pattern.test(name));
      return names.sort().reverse();
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return []; // no log yet
      throw error;
    }
  }

  #loadPart(part: Part, entries: Map<string, unknown>): void {
    try {
      const bytes = readBytes(this.#file(part), MOST_PART_BYTES, O_NOFOLLOW).bytes;
      const { lines, bad, isWhole } = readPartLines(bytes.toString('utf8'));
      for (const line of lines) this.#take(part, line, entries);
      if (bad > 0) this.#damaged.set(part, bad === 1 ? "one line can't be read" : `${bad} lines can't be read`);
      this.#parts.push(part);
      this.#isOpen = isWhole;
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT') return;
      if (code !== null && code !== 'EISDIR' && code !== 'ELOOP') throw error;
      this.#damaged.set(part, errorReason(error));
    }
  }

  #take(part: Part, line: EntryLine, entries: Map<string, unknown>): void {
    this.#note(part, line);
    if (line.value === undefined) entries.delete(line.key);
    else entries.set(line.key, line.value);
  }

  #note(part: Part, { key, value, chars }: EntryLine): void {
    const before = this.#newest.get(key);
    const isGone = value === undefined;
    if (before?.isGone === false) this.#countedChars -= before.chars;
    if (!isGone) this.#countedChars += chars;
    this.#newest.set(key, { part, chars, isGone });
    this.#chars += chars;
    part.chars += chars;
    part.keys.push(key);
  }

  #write(keys: Iterable<string>, entries: Entries): number {
    let written = 0;
    let batch: Batch = [];
    let room = this.#room;
    for (const key of keys) {
      // Of what was never written nothing need be said where it is gone.
      if (entries[key] === undefined && !this.has(key)) continue;
      const value = entries[key];
      const text = `${JSON.stringify(value === undefined ? [key] : [key, value])}\n`;
      batch.push({ key, value, chars: text.length, text });
      written += text.length;
      room -= text.length;
      if (room > 0) continue;
      this.#append(batch);
      batch = [];
      room = this.#room;
    }
    if (batch.length > 0) this.#append(batch);
    return written;
  }

  /** How much more goes into the part that is added to next. */
  get #room(): number {
    return this.#perPart - (this.#last?.chars ?? 0);
  }

  get #last(): Part | undefined {
    const last = this.#parts.at(-1);
    return last !== undefined && this.#isOpen && last.chars < this.#perPart ? last : undefined;
  }

  #append(batch: Readonly<Batch>): void {
    const last = this.#last;
    const part = last ?? this.#newPart();
    for (const line of batch) {
      this.#note(part, line);
      this.#owed.add(line.key);
    }
    this.#isOpen = false;
    this.#put(part, batch.map(({ text }) => text).join(''), last === undefined);
    this.#isOpen = true;
    for (const { key } of batch) this.#owed.delete(key);
  }

  #newPart(): Part {
    const part = { name: `${this.#name}-${String(this.#nextNumber).padStart(8, '0')}.jsonl`, keys: [], chars: 0 };
    this.#nextNumber += 1;
    this.#parts.push(part);
    return part;
  }

  #put(part: Part, text: string, isNew: boolean): void {
    try {
      appendLasting(this.#file(part), text, isNew);
      if (isNew) syncFolder(this.#folder);
    } catch (error) {
      throw fileError(error, `.steward/state/${part.name}`);
    }
  }

  // What counts of it is written behind the newest first.
  #leave(part: Part, entries: Entries): void {
    if (this.#parts.at(-1) === part) this.#isOpen = false;
    const counted = [...new Set(part.keys)].filter((key) => this.#newest.get(key)?.part === part);
    // No earlier part has entries that the deletions of the oldest would delete.
    const over = this.#parts[0] === part ? counted.filter((key) => this.#newest.get(key)?.isGone === true) : [];
    for (const key of over) this.#newest.delete(key);
    this.#write(counted, entries);
    this.#remove(part);
    this.#parts = this.#parts.filter((one) => one !== part);
    this.#damaged.delete(part);
    this.#chars -= part.chars;
  }

  #remove(part: Part): void {
    const file = this.#file(part);
    try {
      if (this.#damaged.has(part)) fs.renameSync(file, `${file}.bad`);
      else fs.rmSync(file, { force: true });
      syncFolder(this.#folder);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw fileError(error, `.steward/state/${part.name}`);
    }
  }

  #file({ name }: Part): string {
    return path.join(this.#folder, name);
  }
}
