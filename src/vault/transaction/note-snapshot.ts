import { editRefusal } from '../disk/edit-refusal.ts';
import { StewardError, systemCode } from '../errors.ts';
import { type FileBytes, fileError, insideVault, readBytes } from '../files.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import type { Frontmatter } from '../records/values.ts';
import type { OwnWrites } from './own-writes.ts';

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
  /** Returns a whole note; null where it is gone, cannot be read, or is only half written. */
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
  readonly #settleMs: () => number;
  readonly #now: () => number;

  /** `settleMs`: how long a note must have been quiet before it counts as settled. */
  constructor(parts: { root: string; own: OwnWrites; settleMs: () => number; now: () => number }) {
    this.#root = parts.root;
    this.#own = parts.own;
    this.#settleMs = parts.settleMs;
    this.#now = parts.now;
  }

  fresh(path: string): NoteSnapshot | null {
    const file = this.#bytes(path);
    if (file === null) return null;
    const read = readNote(path, file.bytes);
    if (!read.ok) return null;
    const sha = sha256(file.bytes);
    const { text, data } = read.note;
    const refusal = editRefusal(path, insideVault(this.#root, path), file);
    return { path, text, data, sha, settledAt: this.#settledAt(path, sha, file.stat.mtimeMs), refusal };
  }

  text(path: string): string | null {
    return this.#bytes(path)?.bytes.toString('utf8') ?? null;
  }

  #bytes(path: string): FileBytes | null {
    try {
      return readBytes(insideVault(this.#root, path), MAX_NOTE_BYTES);
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
