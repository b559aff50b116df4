import { reasonOf, StewardError } from '../errors.ts';
import type { FieldRecipe, VaultPatch } from '../records/event.ts';
import type { Frontmatter, Yaml } from '../records/values.ts';
import {
  type FieldEntry,
  findField,
  type NoteDocument,
  openDocument,
  sourceOf,
  unsupported,
  withBody,
} from './document.ts';
import { isList } from './scalar.ts';

/** What takes an edit back. */
export type FieldPatch = Pick<VaultPatch, 'fields' | 'created_frontmatter'>;

export interface Edited {
  readonly text: string;
  /** Gives every field back exactly as it was; fields that did not change are not in it. */
  readonly patch: FieldPatch;
  readonly changed: boolean;
}

/** What a field must hold after an edit; undefined where it must be absent. */
type Outcomes = ReadonlyMap<string, Yaml | undefined>;

/** The finished edit, once the note, read again, is what was meant and nothing else. */
export function verified(before: NoteDocument, after: NoteDocument, outcomes: Outcomes): Edited {
  demandOutcomes(after, outcomes);
  demandOthersEqual(before, after, outcomes);
  demandBytesEqual(before, after, outcomes);
  return { text: after.text, patch: patchBetween(before, after, outcomes), changed: after.text !== before.text };
}

function demandOutcomes(after: NoteDocument, outcomes: Outcomes): void {
  for (const [field, outcome] of outcomes) {
    if (same(heldBy(after.data, field), outcome)) continue;
    throw changesMore(after.file, `"${field}" would not hold what was meant`);
  }
}

function demandOthersEqual(before: NoteDocument, after: NoteDocument, outcomes: Outcomes): void {
  const others = Object.keys(before.data).filter((key) => !outcomes.has(key));
  const othersNow = Object.keys(after.data).filter((key) => !outcomes.has(key));
  if (!same(others, othersNow)) throw changesMore(after.file, 'other fields would come, go or move');
  const changed = others.find((key) => !same(heldBy(before.data, key), heldBy(after.data, key)));
  if (changed !== undefined) throw changesMore(after.file, `"${changed}" would change too`);
  if (!same(sharedOrder(before, after), sharedOrder(after, before))) {
    throw changesMore(after.file, 'the order of fields would change');
  }
}

/** The keys that stand in both notes, in the order of the first. */
function sharedOrder(one: NoteDocument, other: NoteDocument): readonly string[] {
  const there = new Set(other.entries.map(({ key }) => key));
  return one.entries.map(({ key }) => key).filter((key) => there.has(key));
}

/** Everything but the entries concerned is compared byte for byte, fences and text below them included. */
function demandBytesEqual(before: NoteDocument, after: NoteDocument, outcomes: Outcomes): void {
  const fences = before.bare === after.bare && (before.head !== after.head || before.tail !== after.tail);
  const moved = before.bare !== after.bare && belowFences(before) !== belowFences(after);
  if (fences || moved || outside(before, outcomes) !== outside(after, outcomes)) {
    throw changesMore(after.file, 'bytes outside the fields concerned would change');
  }
}

/** The text with its BOM and without its frontmatter. */
export function belowFences(sheet: NoteDocument): string {
  if (sheet.bare) return sheet.text;
  const closingEnd = sheet.tail.indexOf('\n') + 1;
  return (sheet.text.startsWith('\uFEFF') ? '\uFEFF' : '') + (closingEnd === 0 ? '' : sheet.tail.slice(closingEnd));
}

function outside(sheet: NoteDocument, outcomes: Outcomes): string {
  let rest = '';
  let from = 0;
  for (const entry of sheet.entries.filter(({ key }) => outcomes.has(key))) {
    rest += sheet.body.slice(from, entry.start);
    from = entry.end;
  }
  return rest + sheet.body.slice(from);
}

function patchBetween(before: NoteDocument, after: NoteDocument, outcomes: Outcomes): FieldPatch {
  const fields: Record<string, FieldRecipe> = {};
  for (const field of outcomes.keys()) {
    const former = findField(before, field);
    const present = findField(after, field);
    const source = former && sourceOf(before, former);
    if (source === (present && sourceOf(after, present))) continue;
    fields[field] = {
      before: heldBy(before.data, field) ?? null,
      after: heldBy(after.data, field) ?? null,
      before_source: source,
      ...(former !== null && present === null ? { behind: behindOf(before, former) } : {}),
    };
  }
  return before.bare && !after.bare ? { fields, created_frontmatter: true } : { fields };
}

function behindOf(sheet: NoteDocument, entry: FieldEntry): string {
  const previous = sheet.entries[sheet.entries.indexOf(entry) - 1];
  const between = sheet.body.slice(previous?.end ?? 0, entry.start);
  return between === '' ? (previous?.key ?? '') : `${previous?.key ?? ''}\n${between}`;
}

// --- values ----------------------------------------------------------------------------------------------------------

export function heldBy(data: Frontmatter, field: string): Yaml | undefined {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}

/** Deep equality of plain data, the order of keys included. */
export function same(one: Yaml | undefined, other: Yaml | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isList(one) !== isList(other)) return false;
  const [ours, theirs] = [Object.entries(one), Object.entries(other)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value], nth) => key === theirs[nth]?.[0] && same(value, theirs[nth]?.[1]))
  );
}

// --- laid open again -------------------------------------------------------------------------------------------------

/** Laid open again after each edit, through the same gate: places have moved, and a slip shows at once. */
export function reopened(sheet: NoteDocument, body: string): NoteDocument {
  return reopenedText(sheet, withBody(sheet, body));
}

export function reopenedText(sheet: NoteDocument, text: string): NoteDocument {
  try {
    return openDocument(sheet.file, text);
  } catch (error) {
    throw changesMore(sheet.file, `the note could not be read again (${reasonOf(error)})`, error);
  }
}

// --- refusals --------------------------------------------------------------------------------------------------------

export function demandFieldName(file: string, field: string): void {
  if (field !== '' && field !== '__proto__' && !/\p{Cc}/u.test(field)) return;
  throw unsupported(file, `${JSON.stringify(field)} cannot be the name of a field.`, 'Give the field another name.');
}

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
