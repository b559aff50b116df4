import { sourceNoteText } from '../../../source/note-text.ts';
import type { Grant, SourceFields } from '../../../source/source.ts';
import { StewardError } from '../../../vault/errors.ts';
import { shellWord } from '../../../vault/notes/shell-word.ts';
import type { WriteAccess } from '../../context.ts';
import { allowHere, draftedNote } from '../../source-orders.ts';
import { sourceNotes } from '../../sources.ts';

interface AddOrder {
  readonly name: string;
  readonly fields: SourceFields;
  readonly allow: Grant;
}

/**
 * Keeps what a person allows a new source on this machine, and writes its note, in this order: a note that nobody allowed yet
 * would be trouble. Replaces nothing. Throws `source-exists`, `source-name`, `source-field`, and what the disk refuses.
 */
export function addSource(space: WriteAccess, order: AddOrder): { readonly file: string } {
  const { name, fields } = order;
  const note = draftedNote(space, name, fields);
  if (sourceNotes(space.vault).some((one) => one.name.toLowerCase() === name)) throw sourceExists(name, note.path);
  allowHere(space, name, order.allow);
  if (!space.transactions.create(note.path, sourceNoteText(name, fields))) throw sourceExists(name, note.path);
  return { file: note.path };
}

/** Returns the error `source-exists`, for a name that is taken. */
export function sourceExists(name: string, file: string): StewardError {
  return new StewardError({
    code: 'source-exists',
    file,
    message: `There is a source ${name} already.`,
    hint: `Give the new one another name. \`steward source test ${shellWord(name)}\` tests the existing one; edit its note to change it.`,
  });
}
