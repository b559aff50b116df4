import fs from 'node:fs';
import path from 'node:path';
import { appendLasting } from './disk/append.ts';
import type { SystemCalls } from './disk/system-calls.ts';
import { reasonOf, systemCode } from './errors.ts';
import { fileError, readBytes, syncFolder } from './files.ts';
import { sha256 } from './hash.ts';

/** A line of a log of entries: what lies under a key from now on, or that nothing does. */
interface EntryLine {
  readonly key: string;
  /** Undefined where nothing lies under the key any more. */
  readonly value: unknown;
  /** How long the line is. */
  readonly chars: number;
}

/** The lines of a part of a log. */
interface PartLines {
  readonly lines: readonly EntryLine[];
  /** How many lines are none of the program's. A last one without its end was cut off by a crash, and is not counted. */
  readonly bad: number;
  /** Whether the last line has its end. */
  readonly isWhole: boolean;
}

/** Returns the line that says what lies under a key; that nothing does where the value is undefined. */
function lineOf(key: string, value: unknown): string {
  return `${JSON.stringify(value === undefined ? [key] : [key, value])}\n`;
}

/** Returns the lines of a text. */
export function linesIn(text: string): PartLines {
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

function lineIn(text: string): EntryLine | null {
  const entry = parsed(text);
  if (!Array.isArray(entry) || entry.length < 1 || entry.length > 2) return null;
  const [key, value]: readonly unknown[] = entry;
  return typeof key === 'string' ? { key, value, chars: text.length + 1 } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const { O_NOFOLLOW } = fs.constants;
/** A part that has grown to it is added to no longer, so that letting go of one costs little. */
const PART_CHARS = 512 * 1024;
/** Of the most that goes into a part, the share that goes into one however little there is. */
const LEAST_SHARE = 32;
/** No part of the program's own is larger. */
const MOST_PART_BYTES = 16 * 1024 * 1024;
/** Nothing that is remembered grows beyond this. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Numbers from here on are not the program's: behind the last one there would be none left. */
const FIRST_STRANGE = 90_000_000;

/** Values by key; without a prototype, where keys come from the vault. */
type Entries = Readonly<Record<string, unknown>>;

/** A file that lines are added to, and the keys in them. */
interface Part {
  readonly name: string;
  readonly keys: string[];
  chars: number;
}

/** Where the newest line of a key stands, and whether it says that nothing lies under it. */
interface Newest {
  readonly part: Part;
  readonly chars: number;
  readonly isGone: boolean;
}

/** Lines that go into one part. */
type Batch = (EntryLine & { readonly text: string })[];

/** A file that holds what this program does not write. */
interface Damage {
  /** Its name in the folder. */
  readonly name: string;
  readonly reason: string;
}

/**
 * Values by key in files that are only added to: to save costs what has changed. The later line counts. When much of what
 * lies there is out of date, the oldest file is let go of, and what of it still counts is added behind the newest: so
 * nothing ever writes everything at once, and whatever ends the program leaves it as it was or as it should be.
 */
export class EntryLog {
  readonly #folder: string;
  readonly #name: string;
  readonly #partChars: number;
  /** Oldest first. */
  #parts: Part[] = [];
  readonly #newest = new Map<string, Newest>();
  readonly #damaged = new Map<Part, string>();
  /** What the disk refused: some of it may be there. */
  readonly #owed = new Set<string>();
  /** Of all lines, and of those that count. */
  #chars = 0;
  #countedChars = 0;
  #nextNumber = 1;
  /** Whether the last part may be added to: half a line may stand at the end of one. */
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

  /** Returns what is remembered, on top of `base`. Writes nothing. Throws the system error of a disk that refuses to say. */
  load(base: Iterable<readonly [string, unknown]>): Map<string, unknown> {
    const loading = this.loading(base);
    let step = loading.next();
    while (step.done !== true) step = loading.next();
    return step.value;
  }

  /** The same, a part at a time. */
  *loading(base: Iterable<readonly [string, unknown]>): Generator<void, Map<string, unknown>> {
    const entries = new Map(base);
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
    // More than one only where more was written than fits into one.
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
      if (systemCode(error) === 'ENOENT') return []; // there is none yet
      throw error;
    }
  }

  #loadPart(part: Part, entries: Map<string, unknown>): void {
    try {
      const bytes = readBytes(this.#file(part), MOST_PART_BYTES, O_NOFOLLOW).bytes;
      const { lines, bad, isWhole } = linesIn(bytes.toString('utf8'));
      for (const line of lines) this.#take(part, line, entries);
      if (bad > 0) this.#damaged.set(part, bad === 1 ? 'one line says nothing' : `${bad} lines say nothing`);
      this.#parts.push(part);
      this.#isOpen = isWhole;
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT') return;
      if (code !== null && code !== 'EISDIR' && code !== 'ELOOP') throw error;
      this.#damaged.set(part, reasonOf(error));
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

  /** Returns how much was written. */
  #write(keys: Iterable<string>, entries: Entries): number {
    let written = 0;
    let batch: Batch = [];
    let room = this.#room;
    for (const key of keys) {
      // Of what was never written nothing need be said where it is gone.
      if (entries[key] === undefined && !this.has(key)) continue;
      const value = entries[key];
      const text = lineOf(key, value);
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
    // Before the oldest part there is nothing that its deletions would delete.
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

/** The bits of the flags of an open file that say whether it was opened to write. */
const ACCESS_MODE = 0o3;

/**
 * Whether any process has a file open for writing; null where this cannot be told. The kernel is asked for this one file.
 * Where it does not answer (a file of another user, some network mounts), the open files of all processes are searched
 * that this user may look into, so that only "yes" is sure. Throws the system error where the file cannot be opened.
 */
export function isBeingWritten(file: string, system: SystemCalls | null): boolean | null {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    return system?.isBeingWritten(handle) ?? foundInProc(fs.fstatSync(handle));
  } finally {
    fs.closeSync(handle);
  }
}

function foundInProc(file: fs.Stats): true | null {
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const isFound = processes.some((pid) =>
    namesIn(`/proc/${pid}/fd`).some((fd) => isSame(file, `/proc/${pid}/fd/${fd}`) && isForWriting(pid, fd)),
  );
  return isFound ? true : null;
}

function isSame(file: fs.Stats, open: string): boolean {
  try {
    const { dev, ino } = fs.statSync(open);
    return dev === file.dev && ino === file.ino;
  } catch {
    return false; // closed meanwhile
  }
}

function isForWriting(pid: string, fd: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // no /proc, a process of another user, or one that has ended
  }
}

/**
 * Writes new bytes into an existing file, which keeps its owner, its attributes and whoever has it open. Returns false,
 * with nothing changed, where the file holds other bytes than those of `before` (SHA-256). A crash half way leaves a mix:
 * it is for a file whose name nobody reads at that moment, and of whose bytes there is a copy.
 */
export function rewrite(file: string, before: string, bytes: Uint8Array): boolean {
  const handle = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NOFOLLOW);
  try {
    if (sha256(fs.readFileSync(handle)) !== before) return false;
    for (let written = 0; written < bytes.length; ) {
      written += fs.writeSync(handle, bytes, written, bytes.length - written, written);
    }
    fs.ftruncateSync(handle, bytes.length);
    fs.fsyncSync(handle);
    return true;
  } finally {
    fs.closeSync(handle);
  }
}
