import type { Workspace } from '../../daemon/context/ports.ts';
import { StewardError, systemCode } from '../errors.ts';
import { fileError, insideVault, readBytes } from '../files.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import type { Frontmatter } from '../records/values.ts';

/** A note as it lies on disk at this moment: what a judgement is made on, and compared with before publishing. */
export interface NoteSnapshot {
  readonly path: string;
  readonly text: string;
  readonly data: Frontmatter;
  readonly sha: string;
  /** When the note will have been quiet for the settle window, in epoch ms; in the past where it has been. */
  readonly settledAt: number;
}

/** Reads a note afresh; null where it is gone, cannot be read, or is not whole just now. */
export function readFresh(space: Workspace, path: string): NoteSnapshot | null {
  const file = bytesOf(space, path);
  if (file === null) return null;
  const read = readNote(path, file.bytes);
  if (!read.ok) return null;
  const sha = sha256(file.bytes);
  return {
    path,
    text: read.note.text,
    data: read.note.data,
    sha,
    settledAt: settledAt(space, path, sha, file.mtimeMs),
  };
}

/** A note's text as it is, whole or not; null where it is gone or cannot be read. */
export function readText(space: Workspace, path: string): string | null {
  return bytesOf(space, path)?.bytes.toString('utf8') ?? null;
}

// Any other error says nothing about the note: a disk or a process is short of something, and it is tried again.
const GONE: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

function bytesOf(space: Workspace, path: string): { bytes: Buffer; mtimeMs: number } | null {
  try {
    const { bytes, stat } = readBytes(insideVault(space.vault.root, path), MAX_NOTE_BYTES);
    return { bytes, mtimeMs: stat.mtimeMs };
  } catch (error) {
    if (error instanceof StewardError || GONE.has(systemCode(error))) return null;
    throw fileError(error, path);
  }
}

// The program's own last edit is nobody typing. A time far in the future is a wrong clock, not a fresh edit.
function settledAt(space: Workspace, path: string, sha: string, mtimeMs: number): number {
  const window = space.settings.settle_seconds * 1000;
  if (space.own.isOurs(path, sha) || mtimeMs > space.now() + window) return 0;
  return mtimeMs + window;
}
