import fs from 'node:fs';
import { createRequire } from 'node:module';
import { editRefusal } from './disk-readers.ts';
import { StewardError, systemCode } from './errors.ts';
import { type FileBytes, fileError, insideVault, readBytes } from './files.ts';
import { MAX_NOTE_BYTES, readNote } from './frontmatter-parse.ts';
import { sha256 } from './hash.ts';
import type { Frontmatter } from './records/values.ts';
import type { HeldUp } from './transaction/held-up.ts';

/** Swaps two files of one file system in one step, so that neither name is ever free. */
export type Exchange = (one: string, other: string) => void;

const AT_FDCWD = -100;
const RENAME_EXCHANGE = 2;

/**
 * Returns the system's atomic exchange (`renameat2(…, RENAME_EXCHANGE)`, Linux), or null where there is none.
 * The exchange throws an error with the system's code, as Node's own calls do.
 */
export function systemExchange(): Exchange | null {
  if (process.platform !== 'linux') return null;
  try {
    return linuxExchange();
  } catch {
    return null; // a libc without renameat2, or a platform without a build of koffi
  }
}

function linuxExchange(): Exchange {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  const libc = koffi.load(null);
  const renameat2 = libc.func('int renameat2(int, const char *, int, const char *, unsigned int)');
  return (one, other) => {
    const result: unknown = renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
    if (result !== 0) throw systemError(koffi.errno(), koffi.os.errno, one);
  };
}

function systemError(errno: number, names: Readonly<Record<string, number>>, file: string): Error {
  const code = Object.entries(names).find(([, value]) => value === errno)?.[0] ?? 'EIO';
  return Object.assign(new Error(`${code}: exchange '${file}'`), { code, errno: -errno });
}

/** Whether the file system under `folder` supports the exchange: tried on two files of our own. */
export function canExchange(exchange: Exchange, folder: string): boolean {
  const one = `${folder}/exchange-a.part`;
  const other = `${folder}/exchange-b.part`;
  try {
    fs.writeFileSync(one, 'a');
    fs.writeFileSync(other, 'b');
    exchange(one, other);
    return fs.readFileSync(one, 'utf8') === 'b';
  } catch {
    return false;
  } finally {
    fs.rmSync(one, { force: true });
    fs.rmSync(other, { force: true });
  }
}

/** A note as it is on disk at this moment: the basis of a judgement, compared again before publishing. */
export interface NoteSnapshot {
  readonly path: string;
  readonly text: string;
  readonly data: Frontmatter;
  readonly sha: string;
  /** When the note will have been quiet for the settle window, in epoch ms; in the past where it has been. */
  readonly settledAt: number;
  /** Why it must not be edited, judged by how it lies on the disk; null where it may. */
  readonly refusal: StewardError | null;
}

/** Reads notes as they are at this moment, whatever the catalogue holds. */
export interface NoteReader {
  /**
   * Returns a whole note; null where it is gone, cannot be read, or is only half written. Where an action waits to write
   * it, the note as it will be: what is written next goes on top of that.
   */
  fresh(path: string): NoteSnapshot | null;
  /** Returns a note's text, whole or not; null where it is gone or cannot be read. */
  text(path: string): string | null;
}

/** Any other error says nothing about the note: the disk or the process lacks something, and the work is retried. */
const GONE: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** The notes of the vault at `root`. Both methods throw the system's error where it says nothing about the note. */
export class DiskNotes implements NoteReader {
  readonly #root: string;
  readonly #own: OwnWrites;
  readonly #heldUp: HeldUp;
  readonly #settleMs: () => number;
  readonly #now: () => number;

  /** `settleMs`: how long a note must have been quiet before it counts as settled. */
  constructor(parts: { root: string; own: OwnWrites; heldUp: HeldUp; settleMs: () => number; now: () => number }) {
    this.#root = parts.root;
    this.#own = parts.own;
    this.#heldUp = parts.heldUp;
    this.#settleMs = parts.settleMs;
    this.#now = parts.now;
  }

  fresh(path: string): NoteSnapshot | null {
    const found = this.#found(path);
    const file = found?.file ?? null;
    const sha = file === null ? null : sha256(file.bytes);
    const refusal = found === null ? null : editRefusal(path, found.place, found.file);
    const pending = this.#heldUp.pending(path, sha);
    if (pending !== null)
      return wholeNote(path, Buffer.from(pending.text), { sha: pending.sha, settledAt: 0, refusal });
    if (file === null || sha === null) return null;
    return wholeNote(path, file.bytes, { sha, settledAt: this.#settledAt(path, sha, file.stat.mtimeMs), refusal });
  }

  text(path: string): string | null {
    return this.#found(path)?.file.bytes.toString('utf8') ?? null;
  }

  /** The file that a path means, with its bytes. */
  #found(path: string): { readonly place: string; readonly file: FileBytes } | null {
    try {
      const place = insideVault(this.#root, path);
      return { place, file: readBytes(place, MAX_NOTE_BYTES) };
    } catch (error) {
      if (error instanceof StewardError || GONE.has(systemCode(error))) return null;
      throw fileError(error, path);
    }
  }

  // The program's own last edit does not count as typing. A time far in the future is a wrong clock, not a fresh edit.
  #settledAt(path: string, sha: string, mtimeMs: number): number {
    const window = this.#settleMs();
    if (this.#own.isOurs(path, sha) || mtimeMs > this.#now() + window) return 0;
    return mtimeMs + window;
  }
}

function wholeNote(
  path: string,
  bytes: Buffer,
  found: Pick<NoteSnapshot, 'sha' | 'settledAt' | 'refusal'>,
): NoteSnapshot | null {
  const read = readNote(path, bytes);
  return read.ok ? { path, text: read.note.text, data: read.note.data, ...found } : null;
}

/**
 * What the program itself last wrote into each note, so that its own edit does not count as somebody typing.
 * Bounded: the oldest are dropped, which at worst means waiting out a quiet window.
 */
export class OwnWrites {
  readonly #shas = new Map<string, string>();
  static readonly #MAX = 2_000;

  /** Remembers the SHA-256 of the bytes just written into a note. */
  remember(path: string, sha: string): void {
    this.#shas.delete(path);
    this.#shas.set(path, sha);
    if (this.#shas.size <= OwnWrites.#MAX) return;
    const oldest = this.#shas.keys().next();
    if (!oldest.done) this.#shas.delete(oldest.value);
  }

  /** Whether the bytes now in a note are the ones the program put there. */
  isOurs(path: string, sha: string): boolean {
    return this.#shas.get(path) === sha;
  }
}
