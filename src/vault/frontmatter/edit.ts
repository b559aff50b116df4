import type { StewardError } from '../errors.ts';
import type { Yaml } from '../records/values.ts';
import { type FieldEntry, findField, type NoteDocument, openDocument, replaced, unsupported } from './document.ts';
import { isRestoredTo } from './restore.ts';
import { isList } from './scalar.ts';
import { freshEntry, withAdded, withRemoved, withValue } from './splice.ts';
import { changesMore, demandFieldName, type Edited, heldBy, reopened, same, verified } from './verify.ts';

export { restoreFields } from './restore.ts';
export type { Edited, FieldPatch } from './verify.ts';

export type FieldEdit =
  /** A text, number, boolean, null or list; a field that is absent is added at the end of the frontmatter. */
  | { readonly op: 'set'; readonly field: string; readonly value: Yaml }
  /** Members of a list; those already there are skipped. */
  | { readonly op: 'add'; readonly field: string; readonly members: readonly string[] }
  | { readonly op: 'remove'; readonly field: string; readonly members: readonly string[] }
  /** The whole entry; nothing where it is absent. */
  | { readonly op: 'delete'; readonly field: string };

/**
 * The note with the fields changed and every other byte as it was, and the patch that takes the change back.
 *
 * LAW: `restoreFields(file, edited.text, edited.patch).text === text`.
 * @throws StewardError `edit-unreadable` where the note cannot be read, `edit-unsupported` where the field is written
 * in a way that cannot be edited exactly, `edit-would-change-more` where the result, read again, is not what was meant.
 */
export function editFields(file: string, text: string, edits: readonly FieldEdit[]): Edited {
  const before = openDocument(file, text);
  for (const edit of edits) demandFieldName(file, edit.field);
  demandLoneDeletes(file, edits);
  const outcomes = new Map<string, Yaml | undefined>();
  let now = before;
  for (const round of roundsOf(edits)) {
    for (const edit of round) outcomes.set(edit.field, outcomeOf(file, edit, heldBy(now.data, edit.field)));
    const changing = round.filter((edit) => isChanging(edit, heldBy(now.data, edit.field), outcomes.get(edit.field)));
    if (changing.length > 0) now = reopened(now, withEdits(now, changing));
  }
  const edited = verified(before, now, outcomes);
  if (edited.changed) demandReversible(before, now, edited);
  return edited;
}

/** An edit that could not be taken back to the byte is not made in the first place. */
function demandReversible(before: NoteDocument, after: NoteDocument, { patch }: Edited): void {
  if (isRestoredTo(before, after, patch)) return;
  throw changesMore(before.file, 'it could not be taken back exactly');
}

// --- edits as values -------------------------------------------------------------------------------------------------

/** What the field will hold, apart from how it is written. */
function outcomeOf(file: string, edit: FieldEdit, former: Yaml | undefined): Yaml | undefined {
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

/** `- 42` and the member "42" are one and the same to a person. */
function memberText(member: Yaml): string {
  return typeof member === 'string' ? member : JSON.stringify(member);
}

/** `set` to null on an absent field writes the key, although null is also what stands for absent in a recipe. */
function isChanging(edit: FieldEdit, former: Yaml | undefined, outcome: Yaml | undefined): boolean {
  return !same(former, outcome) || (edit.op === 'set' && edit.value === null && former === undefined);
}

// --- edits as bytes --------------------------------------------------------------------------------------------------

/** Edits that can be made together, the note laid open once: each field once. Deletes come last of all. */
function roundsOf(edits: readonly FieldEdit[]): readonly (readonly FieldEdit[])[] {
  const rounds: FieldEdit[][] = [];
  for (const edit of [...edits.filter(({ op }) => op !== 'delete'), ...edits.filter(({ op }) => op === 'delete')]) {
    const round = rounds.at(-1);
    if (round === undefined || round.some(({ field }) => field === edit.field)) rounds.push([edit]);
    else round.push(edit);
  }
  return rounds;
}

/** The body with these edits made in it, each told from how the note stood before all of them. */
function withEdits(sheet: NoteDocument, edits: readonly FieldEdit[]): string {
  const sources = new Map<FieldEntry, string>();
  let fresh = '';
  for (const edit of edits) {
    const entry = findField(sheet, edit.field);
    const former = heldBy(sheet.data, edit.field);
    if (entry === null ? former !== undefined : !entry.simple) throw notPlain(sheet.file, edit.field);
    if (entry === null) fresh += freshFor(sheet, edit);
    else sources.set(entry, editedEntry(sheet, entry, edit, former));
  }
  return replaced(sheet, sources) + fresh;
}

function freshFor(sheet: NoteDocument, edit: FieldEdit): string {
  if (edit.op === 'set') return freshEntry(sheet, edit.field, edit.value);
  return edit.op === 'add' ? freshEntry(sheet, edit.field, [...new Set(edit.members)]) : '';
}

function editedEntry(sheet: NoteDocument, entry: FieldEntry, edit: FieldEdit, former: Yaml | undefined): string {
  switch (edit.op) {
    case 'delete':
      return '';
    case 'set':
      return withValue(sheet, entry, edit.value);
    case 'add':
      return withAdded(sheet, entry, missingMembers(former, edit.members));
    case 'remove':
      return withRemoved(sheet, entry, placesOf(former, new Set(edit.members)));
  }
}

function placesOf(former: Yaml | undefined, members: ReadonlySet<string>): ReadonlySet<number> {
  const places = membersOf(former).map((member, place) => (members.has(memberText(member)) ? place : -1));
  return new Set(places.filter((place) => place >= 0));
}

// --- refusals --------------------------------------------------------------------------------------------------------

/** A field deleted and set again would end at another place, and its recipe could not say where it stood. */
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
