import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { silence } from '../stream/silence.ts';
import { append, type GrowingFiles } from '../vault/disk/append.ts';
import { type Diagnostic, diagnostic, reasonOf, systemCode } from '../vault/errors.ts';
import { fileError, readBytes } from '../vault/files.ts';
import { sha256 } from '../vault/hash.ts';
import { itemIn } from '../vault/notes/stream-path.ts';
import { stateFolder } from './server/runtime-paths.ts';

const KEY_BYTES = 32;

/** The key of the program's mark, and what is wrong where it could not be kept. */
interface SealKey {
  readonly key: Uint8Array;
  readonly trouble: Diagnostic | null;
}

/** Returns where this user's key lies: in their state folder, outside every vault. */
export function sealKeyFile(env: NodeJS.ProcessEnv): string {
  return path.join(stateFolder(env), 'seal-key');
}

/**
 * Returns the key in a file, making it where there is none and `make` allows it. Without a file that can be read there
 * is a key for this run alone: then nothing of before counts as the program's own, which is safe.
 */
export function sealKeyAt(file: string | null, make: boolean): SealKey {
  if (file === null) return { key: randomBytes(KEY_BYTES), trouble: null };
  try {
    return { key: make ? keptKey(file) : readKey(file), trouble: null };
  } catch (error) {
    const isMissing = systemCode(error) === 'ENOENT' && !make;
    return { key: randomBytes(KEY_BYTES), trouble: isMissing ? null : notKept(file, error) };
  }
}

function keptKey(file: string): Uint8Array {
  try {
    return readKey(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written beside and linked into place: whoever comes second finds the first one's key, and never half of it.
  const part = `${file}.${process.pid}`;
  fs.writeFileSync(part, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600 });
  try {
    fs.linkSync(part, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(part, { force: true });
  }
  return readKey(file);
}

function readKey(file: string): Uint8Array {
  const key = Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== KEY_BYTES) throw new Error('it does not hold a key');
  return key;
}

function notKept(file: string, error: unknown): Diagnostic {
  return diagnostic({
    code: 'seal-key',
    file: null,
    message: `The key by which the program knows its own notes cannot be kept in ${file}: ${reasonOf(error)}.`,
    hint: 'Make the folder writable. Until then, notes from before this start count as somebody else’s.',
  });
}

/** A vault, by where it lies and by what it remembers of itself: it may be moved, or lose its memory, but not both. */
interface VaultIdentity {
  readonly root: string;
  readonly id: string;
}

/** Whether this key has never been used on a vault. */
export function isFirstMeeting(file: string, vault: VaultIdentity): boolean {
  return !meetingFiles(file, vault).some((met) => fs.existsSync(met));
}

/** Remembers, outside the vault, that this key has been used on it. Where the disk refuses that, the key is not kept either. */
export function rememberMeeting(file: string, vault: VaultIdentity): void {
  for (const met of meetingFiles(file, vault).filter((one) => !fs.existsSync(one))) {
    try {
      fs.mkdirSync(path.dirname(met), { recursive: true, mode: 0o700 });
      fs.writeFileSync(met, '', { mode: 0o600 });
    } catch (error) {
      if (systemCode(error) === null) throw error;
    }
  }
}

/** Forgets that this key has been used on a vault at `root`: another one has taken its place. */
export function forgetMeeting(file: string, root: string): void {
  fs.rmSync(meetingFile(file, path.resolve(root)), { force: true });
}

function meetingFiles(file: string, { root, id }: VaultIdentity): string[] {
  return [meetingFile(file, path.resolve(root)), meetingFile(file, id)];
}

function meetingFile(file: string, name: string): string {
  return path.join(`${file}.vaults`, sha256(name).slice(0, 16));
}

const trailEntry = silence.extend({
  /** When it was read (epoch ms). */
  at: z.number(),
  /** The stream file, vault-relative. */
  file: z.string(),
});
export type TrailEntry = z.infer<typeof trailEntry>;

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_MS = 90 * DAY_MS;
/** A part that is older or larger is added to no longer: only whole parts are forgotten. */
const PART_MS = 7 * DAY_MS;
const PART_BYTES = 1024 * 1024;
const MOST_PARTS = 48;
/** What the disk refuses for long is not kept in memory without bound. */
const MOST_PENDING = 20_000;
const PART = /^trail-(\d{13})\.jsonl$/;
const { O_NOFOLLOW } = fs.constants;

/**
 * Why stream files gave no signal, one line each, for 90 days: parts that are only added to, and forgotten as a whole.
 * Nothing is decided by it.
 */
export class Trail {
  readonly #parts: GrowingFiles;
  #pending: TrailEntry[] = [];
  #isBegun = false;

  constructor(parts: GrowingFiles) {
    this.#parts = parts;
  }

  /** Adds an entry; the next flush writes it. */
  add(entry: TrailEntry): void {
    this.#pending.push(entry);
    if (this.#pending.length > MOST_PENDING) this.#pending.shift();
  }

  /** Writes what was added since the last flush. Throws what the disk refuses. */
  flush(): void {
    if (this.#pending.length === 0) return;
    this.#parts.demand();
    const part = this.#part();
    const lines = this.#pending.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    try {
      // A process that was killed may have left half a line.
      append(path.join(this.#parts.folder, part), this.#isBegun ? lines : `\n${lines}`);
    } catch (error) {
      throw fileError(error, `.steward/state/${part}`);
    }
    this.#isBegun = true;
    this.#pending = [];
  }

  /** Returns the newest entry about a file, given by its path or its name, or null. */
  find(written: string): TrailEntry | null {
    const oldest = this.#parts.now() - KEEP_MS;
    const fits = ({ file, at }: TrailEntry) => at >= oldest && isNamed(file, written);
    const pending = this.#pending.findLast(fits);
    if (pending !== undefined) return pending;
    for (const part of this.#names().reverse()) {
      const found = linesWith(path.join(this.#parts.folder, part), written).findLast(fits);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** Returns the newest entries about events in a file that holds many, each event once, the newest first. */
  within(file: string, most: number): readonly TrailEntry[] {
    const oldest = this.#parts.now() - KEEP_MS;
    const found = new Map<string, TrailEntry>();
    const take = (entries: readonly TrailEntry[]): void => {
      for (const entry of entries.toReversed()) {
        const isWithin = entry.at >= oldest && itemIn(entry.file)?.file === file;
        if (isWithin && found.size < most && !found.has(entry.file)) found.set(entry.file, entry);
      }
    };
    take(this.#pending);
    for (const part of this.#names().reverse()) {
      if (found.size >= most) break;
      take(linesWith(path.join(this.#parts.folder, part), `${file}#`));
    }
    return [...found.values()];
  }

  /** Forgets the parts whose last entries are older than 90 days, and those that no clock of ours can have begun. */
  prune(): void {
    this.#parts.demand();
    for (const part of this.#names())
      if (this.#age(part) > KEEP_MS + PART_MS || this.#isForeign(part)) this.#forget(part);
  }

  #part(): string {
    const names = this.#names();
    const last = names.findLast((part) => !this.#isForeign(part));
    if (last !== undefined && this.#hasRoom(last)) return last;
    for (const part of names.slice(0, Math.max(0, names.length + 1 - MOST_PARTS))) this.#forget(part);
    // After the last one, also where the clock was set back.
    const next = Math.max(this.#parts.now(), last === undefined ? 0 : begunAt(last) + 1);
    return `trail-${String(next).padStart(13, '0')}.jsonl`;
  }

  #hasRoom(part: string): boolean {
    const stat = fs.lstatSync(path.join(this.#parts.folder, part), { throwIfNoEntry: false });
    const isRoomy = stat?.isFile() === true && stat.size < PART_BYTES;
    return isRoomy && this.#age(part) <= PART_MS;
  }

  #age(part: string): number {
    return this.#parts.now() - begunAt(part);
  }

  #isForeign(part: string): boolean {
    return this.#age(part) < -PART_MS;
  }

  #forget(part: string): void {
    fs.rmSync(path.join(this.#parts.folder, part), { force: true });
  }

  #names(): string[] {
    try {
      return fs
        .readdirSync(this.#parts.folder)
        .filter((name) => PART.test(name))
        .sort();
    } catch {
      return []; // there is none yet
    }
  }
}

function begunAt(part: string): number {
  return Number(PART.exec(part)?.[1] ?? 0);
}

/** Whether a stream file is meant by its path, its name, or its name without the ending. */
export function isNamed(file: string, written: string): boolean {
  const { base, name } = path.posix.parse(file);
  return file === written || base === written || name === written;
}

function linesWith(file: string, written: string): TrailEntry[] {
  // Most lines are about other files: they need not be parsed.
  const part = JSON.stringify(written).slice(1, -1);
  try {
    const { bytes } = readBytes(file, 64 * PART_BYTES, O_NOFOLLOW);
    const lines = bytes.toString('utf8').split('\n');
    return lines.filter((line) => line.includes(part)).flatMap(entryIn);
  } catch {
    return []; // gone meanwhile, or no file of the program's
  }
}

// A line that was cut off in the middle is skipped.
function entryIn(line: string): TrailEntry[] {
  try {
    return [trailEntry.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
