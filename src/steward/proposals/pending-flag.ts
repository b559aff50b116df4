import { StewardError } from '../../vault/errors.ts';
import { editFields, restoreFields } from '../../vault/frontmatter/edit.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { comesAfter, isPast, type Proposals, waitingOn } from './proposal-status.ts';

/**
 * A note's text without the `pending_confirmation` the steward set there, as it was before, to the byte. It stays where
 * another live proposal than the ones being closed still waits, and where it is a person's own.
 */
export function withoutPending(
  space: Proposals,
  note: NoteSnapshot,
  isClosing: (event: EventRecord) => boolean,
): string {
  const { path, text } = note;
  if (note.data.pending_confirmation !== true) return text;
  const waiting = waitingOn(space, path, note).filter(({ event }) => event.fields.mode === 'live');
  if (!waiting.every(({ event }) => isClosing(event))) return text;
  const patch = flagOwner(space, path)?.fields.pending_patch ?? null;
  if (patch === null) return text;
  try {
    return restoreFields(path, text, patch).text;
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return withoutField(path, text);
  }
}

// A note that somebody has since written in a way that cannot be edited exactly keeps its flag.
function withoutField(path: string, text: string): string {
  try {
    return editFields(path, text, [{ op: 'delete', field: 'pending_confirmation' }]).text;
  } catch (error) {
    if (error instanceof StewardError) return text;
    throw error;
  }
}

/** The event that set the flag a note carries; null where a person did: what the steward set it has taken away again. */
function flagOwner(space: Proposals, path: string): EventRecord | null {
  const touched = space.vault.catalogue
    .eventsAbout(path)
    .filter(({ fields }) => fields.pending_patch !== null || fields.pending_cleared);
  const last = touched.reduce<EventRecord | null>(
    (one, other) =>
      one === null || !isPast(space, one) || (isPast(space, other) && comesAfter(other, one)) ? other : one,
    null,
  );
  return last?.fields.pending_patch == null ? null : last;
}
