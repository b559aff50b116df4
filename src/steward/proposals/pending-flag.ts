import { isRefusal } from '../../vault/errors.ts';
import { editFields, restoreFields } from '../../vault/frontmatter.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction.ts';
import { isKnownNote, isOwnNote } from '../ports/own-notes.ts';
import { comesAfter, isPast, type Proposals, waitingOn } from '../proposals.ts';

/**
 * Returns a note's text without the `pending_confirmation` that the steward set, restored to the byte. The flag stays
 * where a live proposal still waits that is not being closed, and where a person set it.
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
  const owner = flagOwner(space, path);
  const patch = owner?.fields.pending_patch ?? null;
  if (owner === null || patch === null) return text;
  // Whoever wrote another's note could have any field of this one given back: then only the flag goes.
  if (!isOwnNote(space, owner)) return withoutField(path, text);
  try {
    return restoreFields(path, text, patch).text;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return withoutField(path, text);
  }
}

// The note keeps its flag where somebody has since written it in a way that cannot be edited exactly.
function withoutField(path: string, text: string): string {
  try {
    return editFields(path, text, [{ op: 'delete', field: 'pending_confirmation' }]).text;
  } catch (error) {
    if (isRefusal(error)) return text;
    throw error;
  }
}

/**
 * The event that set the note's flag; null where a person did, since the steward has taken away any flag of its own.
 * What others say is heard only where the program itself has said nothing.
 */
function flagOwner(space: Proposals, path: string): EventRecord | null {
  const said = space.vault.catalogue
    .eventsAbout(path)
    .filter(({ fields }) => fields.pending_patch !== null || fields.pending_cleared);
  const known = said.filter((event) => isKnownNote(space, event));
  const events = known.length > 0 ? known : said;
  const last = events.reduce<EventRecord | null>(
    (one, other) =>
      one === null || !isPast(space, one) || (isPast(space, other) && comesAfter(other, one)) ? other : one,
    null,
  );
  return last?.fields.pending_patch == null ? null : last;
}
