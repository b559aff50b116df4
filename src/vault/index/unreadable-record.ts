import { StewardError } from '../errors.ts';
import { type FileStat, fileError } from '../files.ts';
import { stem } from '../note-names.ts';
import type { BadRecord, VaultRecord } from './record.ts';

/** No file has it, so that every sweep takes the note for one that changed, and reads it again. */
const NO_INODE = 0;

/** What is kept of a note that could not be read. Where it was the disk that refused, that says nothing about the note. */
export function unreadableRecord(file: string, seen: FileStat, error: unknown): BadRecord {
  const isTheNotes = error instanceof StewardError;
  const { trouble } = isTheNotes ? error : fileError(error, file);
  const stat = isTheNotes ? seen : { ...seen, ino: NO_INODE };
  return { kind: 'bad', path: file, name: stem(file), stat, trouble: { ...trouble, file } };
}

/** Whether the disk refuses a note as it did before: said once, however often it is read. */
export function isStillRefused(before: VaultRecord | null, after: VaultRecord): boolean {
  if (before?.kind !== 'bad' || after.kind !== 'bad') return false;
  return after.stat.ino === NO_INODE && before.trouble.message === after.trouble.message;
}
