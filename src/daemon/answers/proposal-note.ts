import type { EventRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { targetPath } from '../context/event-target.ts';
import type { ReadAccess } from '../context/ports.ts';

/** The note that a proposal is about, as it is on disk now; null where it is gone or cannot be read. */
export function proposalNote(space: ReadAccess, event: EventRecord): NoteSnapshot | null {
  const path = targetPath(space.vault, event);
  return path === null ? null : space.notes.fresh(path);
}

/** Whether a person may still be typing in the note. Bytes that the proposal itself left there are not typing. */
export function isBeingTyped(event: EventRecord, note: NoteSnapshot, now: number): boolean {
  return note.sha !== event.fields.pending_patch?.after_sha256 && note.settledAt > now;
}
