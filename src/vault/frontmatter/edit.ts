import { isRefusal, type StewardError } from '../errors.ts';
import type { Yaml } from '../records/values.ts';
import { findField, type NoteDocument, openDocument, replaced } from './document.ts';
import type { FieldEntry } from './entries/field-entry.ts';
import { unsupported } from './entries/unsupported.ts';
import { sameInOrder } from './equal.ts';
import { isRestoredTo } from './restore.ts';
import { isList } from './scalar.ts';
import { freshEntry, withAdded, withRemoved, withValue } from './splice.ts';
import { changesMore, demandFieldName, type Edited, fieldValue, reopened, verified } from './verify.ts';

export { restoreFields } from './restore.ts';
export type { Edited } from './verify.ts';

export type FieldEdit =
  /** Sets a text, number, boolean, null or list; an absent field is added at the end of the frontmatter. */
  | { readonly op: 'set'; readonly field: string; readonly value: Yaml }
  /** Adds members to a list; those already there are skipped. */
  | { readonly op: 'add'; readonly field: string; readonly members: readonly string[] }
  | { readonly op: 'remove'; readonly field: string; readonly members: readonly string[] }
  /** Deletes the whole entry; does nothing where it is absent. */
  | { readonly op: 'delete'; readonly field: string };

/**
 * Returns the note with the fields changed and every other byte as it was, and the patch that takes the change back.
 *
 * LAW: `restoreFields(file, edited.text, edited.patch).text === text`.
 * @throws StewardError `edit-unreadable` where the note cannot be read, `edit-unsupported` where the field is written
 * in a way that cannot be edited exactly, `edit-would-change-more` where the result, read again, is not what was meant.
 */
export function editFields(file: string, text: string, edits: readonly FieldEdit[]): Edited {
  const before = openDocument(file, text);
  for (const edit of edits) demandFieldName(file, edit.field);
  demandLoneDeletes(file, edits);
  const expected = new Map<string, Yaml | undefined>();
  let now = before;
  for (const round of roundsOf(edits)) {
    for (const edit of round) expected.set(edit.field, expectedValue(file, edit, fieldValue(now.data, edit.field)));
    const changing = round.filter((edit) =>
      isChanging(edit, fieldValue(now.data, edit.field), expected.get(edit.field)),
    );
    if (changing.length > 0) now = reopened(now, withEdits(now, changing));
  }
  const edited = verified(before, now, expected);
  if (edited.changed) demandReversible(before, now, edited);
  return edited;
}

/** An edit is refused if it could not be taken back to the byte. */
function demandReversible(before: NoteDocument, after: NoteDocument, { patch }: Edited): void {
  if (isRestoredTo(before, after, patch)) return;
  throw changesMore(before.file, 'it could not be taken back exactly');
}

// --- edits as values -------------------------------------------------------------------------------------------------

/** Returns what the field will hold, however it is written. */
function expectedValue(file: string, edit: FieldEdit, former: Yaml | undefined): Yaml | undefined {
  if (edit.op === 'delete') return undefined;
  if (edit.op === 'set') return demandJson(file, edit.field, edit.value);
  if (former !== null && typeof former === 'object' && !isList(former)) throw notAList(file, edit.field);
  if (edit.op === 'add') return withMembers(former, edit.members);
  return withoutMembers(former, new Set(edit.members));
}

function withMembers(former: Yaml | undefined, members: readonly string[]): Yaml | undefined {
  const missing = missingMembers(former, members);
  return missing.length === 0 ? former : [...membersOf(former), ...missing];
}

function withoutMembers(former: Yaml | undefined, members: ReadonlySet<string>): Yaml | undefined {
  const kept = membersOf(former).filter((member) => !members.has(memberText(member)));
  return kept.length === membersOf(former).length ? former : kept;
}

function missingMembers(former: Yaml | undefined, members: readonly string[]): readonly string[] {
  const there = new Set(membersOf(former).map(memberText));
  return [...new Set(members)].filter((member) => !there.has(member));
}

function membersOf(value: Yaml | undefined): readonly Yaml[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : [value];
}

/** `- 42` and the member "42" are the same to a person. */
function memberText(member: Yaml): string {
  return typeof member === 'string' ? member : JSON.stringify(member);
}

/** `set` to null on an absent field writes the key, although a recipe also says null for an absent field. */
function isChanging(edit: FieldEdit, former: Yaml | undefined, expected: Yaml | undefined): boolean {
  return !sameInOrder(former, expected) || (edit.op === 'set' && edit.value === null && former === undefined);
}

// --- edits as bytes --------------------------------------------------------------------------------------------------

/** Groups edits so that each group changes a field at most once and can be made in one pass. Deletes come last. */
function roundsOf(edits: readonly FieldEdit[]): readonly (readonly FieldEdit[])[] {
  const rounds: FieldEdit[][] = [];
  for (const edit of [...edits.filter(({ op }) => op !== 'delete'), ...edits.filter(({ op }) => op === 'delete')]) {
    const round = rounds.at(-1);
    if (round === undefined || round.some(({ field }) => field === edit.field)) rounds.push([edit]);
    else round.push(edit);
  }
  return rounds;
}

/** Returns the body with these edits made, each based on the note as it was before all of them. */
function withEdits(document: NoteDocument, edits: readonly FieldEdit[]): string {
  const sources = new Map<FieldEntry, string>();
  let fresh = '';
  for (const edit of edits) {
    const entry = findField(document, edit.field);
    const former = fieldValue(document.data, edit.field);
    if (entry === null ? former !== undefined : !entry.simple) throw notPlain(document.file, edit.field);
    if (entry === null) fresh += freshFor(document, edit);
    else sources.set(entry, editedEntry(document, entry, edit, former));
  }
  return replaced(document, sources) + fresh;
}

function freshFor(document: NoteDocument, edit: FieldEdit): string {
  if (edit.op === 'set') return freshEntry(document, edit.field, edit.value);
  return edit.op === 'add' ? freshEntry(document, edit.field, [...new Set(edit.members)]) : '';
}

function editedEntry(document: NoteDocument, entry: FieldEntry, edit: FieldEdit, former: Yaml | undefined): string {
  switch (edit.op) {
    case 'delete':
      return '';
    case 'set':
      return withValue(document, entry, edit.value);
    case 'add':
      return withAdded(document, entry, missingMembers(former, edit.members));
    case 'remove':
      return withRemoved(document, entry, positionsOf(former, new Set(edit.members)));
  }
}

function positionsOf(former: Yaml | undefined, members: ReadonlySet<string>): ReadonlySet<number> {
  const positions = membersOf(former).map((member, position) => (members.has(memberText(member)) ? position : -1));
  return new Set(positions.filter((position) => position >= 0));
}

// --- refusals --------------------------------------------------------------------------------------------------------

/** A field deleted and set again would end up elsewhere, and its recipe could not say where it stood. */
function demandLoneDeletes(file: string, edits: readonly FieldEdit[]): void {
  for (const { op, field } of edits) {
    if (op !== 'delete' || edits.filter((edit) => edit.field === field).length === 1) continue;
    throw unsupported(file, `"${field}" would be deleted and changed in one edit.`, 'Ask for one of the two.');
  }
}

function demandJson(file: string, field: string, value: Yaml): Yaml {
  if (typeof value !== 'number' || Number.isFinite(value)) return Object.is(value, -0) ? 0 : value;
  throw unsupported(file, `"${field}" cannot be set to ${value}.`, 'Use a finite number or a text.');
}

function notAList(file: string, field: string): StewardError {
  return unsupported(
    file,
    `"${field}" is not a list, so no member can be added or removed.`,
    'Make it a list by hand.',
  );
}

function notPlain(file: string, field: string): StewardError {
  return unsupported(
    file,
    `"${field}" is written with an anchor, a tag or a complex key, and cannot be edited exactly.`,
    'Write the field as a plain "field: value" line by hand.',
  );
}

/** Returns the text with these edits; null where the note is written in a way that cannot be edited exactly. */
export function editedText(path: string, text: string, edits: readonly FieldEdit[]): string | null {
  try {
    return editFields(path, text, edits).text;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
