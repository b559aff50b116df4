import { isRefusal } from '../errors.ts';
import { type FileStat, fileError } from '../files.ts';
import { stem } from '../note-names.ts';
import type { BadRecord, VaultRecord } from './record.ts';

/** An inode that no file has, so that every sweep sees the note as changed and reads it again. */
const NO_INODE = 0;

/**
 * Returns the record of a note that could not be read. If the disk refused, or a part of the program could not be
 * loaded, that says nothing about the note itself.
 */
export function unreadableRecord(file: string, seen: FileStat, error: unknown): BadRecord {
  const { trouble } = fileError(error, file);
  const stat = isRefusal(error) ? seen : { ...seen, ino: NO_INODE };
  return { kind: 'bad', path: file, name: stem(file), stat, trouble: { ...trouble, file } };
}

/** Whether a note is bad because the disk, or the system, does not give it now: nothing is known of what it says. */
export function isUnread({ stat }: BadRecord): boolean {
  return stat.ino === NO_INODE;
}

/** Whether the disk refuses a note just as before: that is reported once, however often the note is read. */
export function isStillRefused(before: VaultRecord | null, after: VaultRecord): boolean {
  if (before?.kind !== 'bad' || after.kind !== 'bad') return false;
  return isUnread(after) && before.trouble.message === after.trouble.message;
}
