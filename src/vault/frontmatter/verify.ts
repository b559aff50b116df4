import { isPassing, reasonOf, StewardError } from '../errors.ts';
import type { FieldRecipe, VaultPatch } from '../records/event.ts';
import type { Frontmatter, Yaml } from '../records/values.ts';
import { findField, type NoteDocument, openDocument, sourceOf, withBody } from './document.ts';
import type { FieldEntry } from './entries/field-entry.ts';
import { unsupported } from './entries/unsupported.ts';
import { sameInOrder } from './equal.ts';

/** The part of a patch that takes an edit back. */
export type FieldPatch = Pick<VaultPatch, 'fields' | 'created_frontmatter'>;

export interface Edited {
  readonly text: string;
  /** Puts every field back exactly as it was; fields that did not change are not in it. */
  readonly patch: FieldPatch;
  readonly changed: boolean;
}

/** What each field must hold after an edit; undefined where it must be absent. */
type ExpectedFields = ReadonlyMap<string, Yaml | undefined>;

/**
 * Returns the finished edit, once the note as read again holds what was meant and is otherwise unchanged.
 * Throws `edit-would-change-more` where it is not.
 */
export function verified(before: NoteDocument, after: NoteDocument, expected: ExpectedFields): Edited {
  demandExpected(after, expected);
  demandOthersEqual(before, after, expected);
  demandBytesEqual(before, after, expected);
  return { text: after.text, patch: patchBetween(before, after, expected), changed: after.text !== before.text };
}

function demandExpected(after: NoteDocument, expected: ExpectedFields): void {
  for (const [field, value] of expected) {
    if (sameInOrder(fieldValue(after.data, field), value)) continue;
    throw changesMore(after.file, `"${field}" would not hold what was meant`);
  }
}

function demandOthersEqual(before: NoteDocument, after: NoteDocument, expected: ExpectedFields): void {
  const others = Object.keys(before.data).filter((key) => !expected.has(key));
  const othersNow = Object.keys(after.data).filter((key) => !expected.has(key));
  if (!sameInOrder(others, othersNow)) throw changesMore(after.file, 'other fields would come, go or move');
  const changed = others.find((key) => !sameInOrder(fieldValue(before.data, key), fieldValue(after.data, key)));
  if (changed !== undefined) throw changesMore(after.file, `"${changed}" would change too`);
  if (!sameInOrder(sharedOrder(before, after), sharedOrder(after, before))) {
    throw changesMore(after.file, 'the order of fields would change');
  }
}

/** Returns the keys that both notes have, in the order of the first. */
function sharedOrder(one: NoteDocument, other: NoteDocument): readonly string[] {
  const there = new Set(other.entries.map(({ key }) => key));
  return one.entries.map(({ key }) => key).filter((key) => there.has(key));
}

/** Compares everything but the entries concerned byte for byte, including the fences and the text below them. */
function demandBytesEqual(before: NoteDocument, after: NoteDocument, expected: ExpectedFields): void {
  const fences = before.bare === after.bare && (before.head !== after.head || before.tail !== after.tail);
  const moved = before.bare !== after.bare && belowFences(before) !== belowFences(after);
  if (fences || moved || outside(before, expected) !== outside(after, expected)) {
    throw changesMore(after.file, 'bytes outside the fields concerned would change');
  }
}

/** Returns the text with its BOM and without its frontmatter. */
export function belowFences(document: NoteDocument): string {
  if (document.bare) return document.text;
  const closingEnd = document.tail.indexOf('\n') + 1;
  return (
    (document.text.startsWith('\uFEFF') ? '\uFEFF' : '') + (closingEnd === 0 ? '' : document.tail.slice(closingEnd))
  );
}

function outside(document: NoteDocument, expected: ExpectedFields): string {
  let rest = '';
  let from = 0;
  for (const entry of document.entries.filter(({ key }) => expected.has(key))) {
    rest += document.body.slice(from, entry.start);
    from = entry.end;
  }
  return rest + document.body.slice(from);
}

function patchBetween(before: NoteDocument, after: NoteDocument, expected: ExpectedFields): FieldPatch {
  const fields: Record<string, FieldRecipe> = {};
  for (const field of expected.keys()) {
    const former = findField(before, field);
    const present = findField(after, field);
    const source = former && sourceOf(before, former);
    if (source === (present && sourceOf(after, present))) continue;
    fields[field] = {
      before: fieldValue(before.data, field) ?? null,
      after: fieldValue(after.data, field) ?? null,
      before_source: source,
      ...(former !== null && present === null ? { behind: behindOf(before, former) } : {}),
    };
  }
  return before.bare && !after.bare ? { fields, created_frontmatter: true } : { fields };
}

function behindOf(document: NoteDocument, entry: FieldEntry): string {
  const previous = document.entries[document.entries.indexOf(entry) - 1];
  const between = document.body.slice(previous?.end ?? 0, entry.start);
  return between === '' ? (previous?.key ?? '') : `${previous?.key ?? ''}\n${between}`;
}

/** Returns the value of a field, or undefined where the note has no such field. */
export function fieldValue(data: Frontmatter, field: string): Yaml | undefined {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}

/** Opens the note again with another body, with all checks: offsets have moved, and a mistake shows at once. */
export function reopened(document: NoteDocument, body: string): NoteDocument {
  return reopenedText(document, withBody(document, body));
}

/** The same with another text. Throws `edit-would-change-more` where the text cannot be read. */
export function reopenedText(document: NoteDocument, text: string): NoteDocument {
  try {
    return openDocument(document.file, text);
  } catch (error) {
    if (isPassing(error)) throw error;
    throw changesMore(document.file, `the note could not be read again (${reasonOf(error)})`, error);
  }
}

// --- refusals --------------------------------------------------------------------------------------------------------

/** Throws `edit-unsupported` where a text cannot be the name of a field. */
export function demandFieldName(file: string, field: string): void {
  if (field !== '' && field !== '__proto__' && !/\p{Cc}/u.test(field)) return;
  throw unsupported(file, `${JSON.stringify(field)} cannot be the name of a field.`, 'Give the field another name.');
}

/** Returns the error of an edit that was abandoned, since it would change more than was meant; `what` says how. */
export function changesMore(file: string, what: string, cause?: unknown): StewardError {
  return new StewardError(
    {
      code: 'edit-would-change-more',
      file,
      message: `The edit was abandoned: ${what}.`,
      hint: 'Change this note by hand; its frontmatter is written in a way that cannot be edited exactly.',
    },
    undefined,
    cause === undefined ? undefined : { cause },
  );
}
