import { isRefusal } from '../errors.ts';
import { editFields, type FieldEdit } from '../frontmatter.ts';
import { sha256 } from '../hash.ts';
import { withPart } from '../notes/kept-part.ts';
import type { Frontmatter } from '../records/values.ts';
import type { NoteReader } from '../transaction.ts';
import type { EditStep, StepPart } from './intent.ts';

/** Returns the step of an intent that changes a note's text from `before` to `after`. */
export function textStep(path: string, before: string, after: string): EditStep {
  return { do: 'edit', path, before_sha256: sha256(before), after_sha256: sha256(after), text: after };
}

/**
 * Returns an edit that follows an action (a signal stamped, an instinct adjusted). It is made again where the note
 * changed meanwhile, as long as the edited fields still have their present values. Null where the note cannot be
 * edited, or nothing would change. `part`: the text of a part of the body that the program keeps, where it has one.
 */
export function followStep(
  notes: NoteReader,
  path: string,
  edits: (data: Frontmatter) => readonly FieldEdit[],
  part?: StepPart,
): EditStep | null {
  const note = notes.fresh(path);
  if (note === null || note.refusal !== null) return null;
  const again = [...edits(note.data)];
  try {
    const edited = editFields(path, note.text, again);
    if (!edited.changed) return null;
    const expects = Object.fromEntries(again.map(({ field }) => [field, note.data[field] ?? null]));
    const fieldEdits = again.map((edit) => ('members' in edit ? { ...edit, members: [...edit.members] } : edit));
    const told = part === undefined ? edited.text : (withPart(edited.text, part.marks, part.text) ?? edited.text);
    return { ...textStep(path, note.text, told), again: fieldEdits, expects, ...(part === undefined ? {} : { part }) };
  } catch (error) {
    if (isRefusal(error)) return null; // written in a way that cannot be edited exactly: left as it is
    throw error;
  }
}
