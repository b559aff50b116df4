import { editRefusal } from '../disk/edit-refusal.ts';
import { StewardError, systemCode } from '../errors.ts';
import { type FileBytes, fileError, insideVault, readBytes } from '../files.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import type { Frontmatter } from '../records/values.ts';
import type { HeldUp } from './held/held-up.ts';
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
