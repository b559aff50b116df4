import type { ParsedNode, YAMLSeq } from 'yaml';
import { isPassing, isRefusal, reasonOf, StewardError } from './errors.ts';
import { isList, keySource, type Quoting, valueSource } from './frontmatter/scalar.ts';
import {
  BY_HAND,
  contentEnd,
  type FieldEntry,
  isBlockScalar,
  lineStart,
  nextLine,
  plainEntries,
  unsupported,
  yamlEntries,
} from './frontmatter-entries.ts';
import { readNote } from './frontmatter-parse.ts';
import { yaml } from './lazy-packages.ts';
import { type ParsedNote, sameInOrder } from './parsed-note.ts';
import { type Frontmatter, valuesIn, type Yaml } from './records/values.ts';
import type { FieldRecipe, VaultPatch } from './records.ts';

/**
 * A note opened for editing: `head + body + tail` is the whole text, and `body` is the YAML between the fences. A note
 * without frontmatter is opened as if it had an empty one (`bare`).
 */
interface NoteDocument {
  readonly file: string;
  readonly text: string;
  readonly bare: boolean;
  readonly head: string;
  readonly body: string;
  readonly tail: string;
  readonly eol: string;
  readonly data: Frontmatter;
  readonly entries: readonly FieldEntry[];
  /** The indent before each key; empty unless somebody indented the whole frontmatter. */
  readonly indent: string;
}

/**
 * Opens a note for editing.
 * @throws StewardError `edit-unreadable` where the note cannot be read, `edit-unsupported` where its frontmatter is
 * written in a way that cannot be edited exactly.
 */
export function openDocument(file: string, text: string): NoteDocument {
  const read = readNote(file, Buffer.from(text, 'utf8'));
  if (!read.ok) throw new StewardError({ ...read.trouble, code: 'edit-unreadable' });
  const { data, block } = read.note;
  const frame = block === null ? bareFrame(text) : frameAt(text, block.start, block.end, block.eol);
  demandSmall(file, data, frame.body);
  const entries = block === null ? [] : entriesOf(read.note, file, frame);
  demandApart(file, entries);
  demandSameNames(file, data, entries);
  return { file, text, ...frame, data, entries, indent: indentOf(frame.body, entries) };
}

// The `yaml` package sees only what js-yaml has accepted: deep nesting can end the whole process inside it.
function entriesOf(note: ParsedNote, file: string, { head, body }: Frame): readonly FieldEntry[] {
  return (note.isPlain ? plainEntries(body) : null) ?? yamlEntries(file, note.text, head.length, body);
}

/** Returns the whole note with another body; a note without frontmatter that gets no field stays as it is. */
function withBody(document: NoteDocument, body: string): string {
  return document.bare && body === '' ? document.text : document.head + body + document.tail;
}

/** Returns the entry of a field, or null where the note has no such field. */
export function findField(document: NoteDocument, key: string): FieldEntry | null {
  return document.entries.find((entry) => entry.key === key) ?? null;
}

/** Returns the whole lines of an entry. */
export function sourceOf(document: NoteDocument, entry: FieldEntry): string {
  return document.body.slice(entry.start, entry.end);
}

/** Returns the body with other lines for these entries; '' removes one. */
function replaced(document: NoteDocument, sources: ReadonlyMap<FieldEntry, string>): string {
  let body = '';
  let from = 0;
  for (const entry of document.entries) {
    body += document.body.slice(from, entry.start) + (sources.get(entry) ?? sourceOf(document, entry));
    from = entry.end;
  }
  return body + document.body.slice(from);
}

/** Where several keys share a line, or entries overlap, no entry can be cut out alone. */
function demandApart(file: string, entries: readonly FieldEntry[]): void {
  if (entries.every((entry, nth) => entry.start >= (entries[nth - 1]?.end ?? 0))) return;
  throw unsupported(file, 'The fields of the frontmatter do not stand on lines of their own.', BY_HAND);
}

/**
 * Both YAML readers must see the same fields. js-yaml takes a byte order mark before the first key as part of its name,
 * and `yaml` ignores it: an edit would change another field than the one that was read.
 */
function demandSameNames(file: string, data: Frontmatter, entries: readonly FieldEntry[]): void {
  const isKnown = entries.every(({ simple, key }) => !simple || Object.hasOwn(data, key));
  if (isKnown && new Set(entries.map(({ key }) => key)).size === entries.length) return;
  throw unsupported(file, 'The name of a field holds characters that cannot be seen.', BY_HAND);
}

/** An edit opens a note several times and must not block the program: each value or comment costs it some 50 µs. */
const MAX_VALUES = 1000;
const MAX_COMMENTS = 4000;

function demandSmall(file: string, data: Frontmatter, body: string): void {
  const comments = body.split('\n').filter((line) => line.trimStart().startsWith('#'));
  if (comments.length <= MAX_COMMENTS && valuesIn(data) <= MAX_VALUES) return;
  throw unsupported(file, 'The frontmatter holds too much to be edited.', BY_HAND);
}

type Frame = Pick<NoteDocument, 'bare' | 'head' | 'body' | 'tail' | 'eol'>;

function frameAt(text: string, start: number, end: number, eol: string): Frame {
  return { bare: false, head: text.slice(0, start), body: text.slice(start, end), tail: text.slice(end), eol };
}

function bareFrame(text: string): Frame {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  return { bare: true, head: `${bom}---${eol}`, body: '', tail: `---${eol}${text.slice(bom.length)}`, eol };
}

function indentOf(body: string, entries: readonly FieldEntry[]): string {
  const [first] = entries;
  return first === undefined ? '' : (/^ */.exec(body.slice(first.start))?.[0] ?? '');
}

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
function belowFences(document: NoteDocument): string {
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
function fieldValue(data: Frontmatter, field: string): Yaml | undefined {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}

/** Opens the note again with another body, with all checks: offsets have moved, and a mistake shows at once. */
function reopened(document: NoteDocument, body: string): NoteDocument {
  return reopenedText(document, withBody(document, body));
}

/** The same with another text. Throws `edit-would-change-more` where the text cannot be read. */
function reopenedText(document: NoteDocument, text: string): NoteDocument {
  try {
    return openDocument(document.file, text);
  } catch (error) {
    if (isPassing(error)) throw error;
    throw changesMore(document.file, `the note could not be read again (${reasonOf(error)})`, error);
  }
}

// --- refusals --------------------------------------------------------------------------------------------------------

/** Throws `edit-unsupported` where a text cannot be the name of a field. */
function demandFieldName(file: string, field: string): void {
  if (field !== '' && field !== '__proto__' && !/\p{Cc}/u.test(field)) return;
  throw unsupported(file, `${JSON.stringify(field)} cannot be the name of a field.`, 'Give the field another name.');
}

/** Returns the error of an edit that was abandoned, since it would change more than was meant; `what` says how. */
function changesMore(file: string, what: string, cause?: unknown): StewardError {
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

/**
 * Returns the note with each field of the patch put back from its former bytes (a removed entry where it stood), and
 * the inverse patch, so that taking back can itself be taken back. Fields the patch does not name keep their value.
 * @throws StewardError as `editFields` does.
 */
export function restoreFields(file: string, text: string, patch: FieldPatch): Edited {
  const before = openDocument(file, text);
  const steps = Object.entries(patch.fields);
  for (const [field] of steps) demandFieldName(file, field);
  const restored = reopened(before, restoredBody(before, patch));
  const after = patch.created_frontmatter === true ? withoutFrontmatter(restored) : restored;
  return verified(before, after, new Map(steps.map(([field, recipe]) => [field, formerValue(recipe)])));
}

/**
 * Whether the patch restores an edited note to the byte. The other checks of `restoreFields` need not be made again:
 * the former note was opened before, and compared with the edited one in every way.
 */
function isRestoredTo(former: NoteDocument, edited: NoteDocument, patch: FieldPatch): boolean {
  if (patch.created_frontmatter === true) return restoreFields(edited.file, edited.text, patch).text === former.text;
  return withBody(edited, restoredBody(edited, patch)) === former.text;
}

function restoredBody(document: NoteDocument, patch: FieldPatch): string {
  return joined(putBack(piecesOf(document), Object.entries(patch.fields)));
}

function formerValue(recipe: FieldRecipe): Yaml | undefined {
  return recipe.before_source === null ? undefined : recipe.before;
}

/**
 * The body cut into entries and the text between them (no key). All fields are put back in these pieces before the
 * note is read again: halfway, a block scalar that keeps its blank lines (`|+`) could absorb those of its neighbour.
 */
interface Piece {
  readonly key: string | null;
  readonly source: string;
}

type Step = readonly [field: string, recipe: FieldRecipe];

function piecesOf(document: NoteDocument): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const entry of document.entries) {
    pieces.push({ key: null, source: document.body.slice(from, entry.start) });
    pieces.push({ key: entry.key, source: sourceOf(document, entry) });
    from = entry.end;
  }
  return [...pieces, { key: null, source: document.body.slice(from) }];
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ source }) => source).join('');
}

/**
 * Removes the entries that were not there first: the position of a returning entry is recorded as if they were gone.
 */
function putBack(pieces: readonly Piece[], steps: readonly Step[]): readonly Piece[] {
  const sources = new Map(steps.map(([field, recipe]) => [field, recipe.before_source]));
  const present = new Set(pieces.map(({ key }) => key));
  const kept = pieces.flatMap((piece) => pieceBack(piece, sources));
  const absent = steps.filter(([field, recipe]) => recipe.before_source !== null && !present.has(field));
  return inOrderOfPosition(absent).reduce(inserted, kept);
}

function pieceBack(piece: Piece, sources: ReadonlyMap<string, string | null>): Piece | [] {
  const source = piece.key === null ? undefined : sources.get(piece.key);
  if (source === undefined) return piece;
  return source === null ? [] : { ...piece, source };
}

/** Orders entries so that each comes after the one it stood behind. */
function inOrderOfPosition(absent: readonly Step[]): readonly Step[] {
  const waiting = new Map(absent);
  const ordered: Step[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find(([, { behind }]) => !waiting.has(splitBehind(behind).key)) ?? [...waiting][0];
    if (ready === undefined) break;
    waiting.delete(ready[0]);
    ordered.push(ready);
  }
  return ordered;
}

/** Inserts an entry at its former position, or at the end where the one it stood behind is gone. */
function inserted(pieces: readonly Piece[], [field, { before_source, behind }]: Step): readonly Piece[] {
  const piece: Piece = { key: field, source: before_source ?? '' };
  const { key, between } = splitBehind(behind);
  const at = key === '' ? 0 : pieces.findIndex((one) => one.key === key) + 1;
  if (behind === undefined || (key !== '' && at === 0)) return [...pieces, piece];
  const next = pieces.findIndex((one, nth) => nth >= at && one.key !== null);
  const until = next === -1 ? pieces.length : next;
  const gap = joined(pieces.slice(at, until));
  const above = gap.startsWith(between) ? between : '';
  const halves: Piece[] = [{ key: null, source: above }, piece, { key: null, source: gap.slice(above.length) }];
  return [...pieces.slice(0, at), ...halves, ...pieces.slice(until)];
}

/**
 * `behind` is the key of the entry before, followed on further lines by the comments and blank lines between the two:
 * without them, an entry below a comment could not be put back exactly where it stood.
 */
function splitBehind(behind = ''): { key: string; between: string } {
  const [key = ''] = behind.split('\n', 1);
  return { key, between: behind.slice(key.length + 1) };
}

/** Removes the fences that an edit made, unless somebody has put a field between them since. */
function withoutFrontmatter(document: NoteDocument): NoteDocument {
  if (document.bare || document.body !== '') return document;
  const text = belowFences(document);
  const read = readNote(document.file, Buffer.from(text, 'utf8'));
  return read.ok && read.note.block === null ? reopenedText(document, text) : document;
}

/*
 * What a field's entry becomes. Each function returns the whole new entry with its line end; the caller puts it where
 * the former one stood. LAW: when the note is opened again, the new entry ends where it ends here; otherwise the former
 * one could not be put back exactly. So comments between a list's members belong to the members after them.
 */

const MEMBER_INDENT = '  ';

/** Returns the entry of a field that was absent. */
function freshEntry(document: NoteDocument, field: string, value: Yaml): string {
  const key = `${document.indent}${keySource(field)}:`;
  if (isList(value) && value.length > 0)
    return key + document.eol + freshLines(document, document.indent + MEMBER_INDENT, value, 'double');
  return `${key} ${valueSource(value, 'plain')}${document.eol}`;
}

/** Returns the entry with its value replaced, in the style of the former value. */
function withValue(document: NoteDocument, entry: FieldEntry, value: Yaml): string {
  const quoting = quotingOf(entry.value) ?? 'plain';
  if (!isList(value) || value.length === 0) return inline(document, entry, valueSource(value, quoting));
  const members = quotingOfMembers(entry.value);
  if (isFlowList(entry.value)) return inline(document, entry, valueSource(value, members));
  return withLines(
    document,
    entry,
    freshLines(document, memberIndent(document, entry), value, members, memberDash(document, entry)),
  );
}

/** Returns the entry with members appended to its list; a single value becomes the first member, as it was written. */
function withAdded(document: NoteDocument, entry: FieldEntry, members: readonly string[]): string {
  const { value } = entry;
  if (isBlockList(value)) {
    const lines = freshLines(
      document,
      memberIndent(document, entry),
      members,
      quotingOfMembers(value),
      memberDash(document, entry),
    );
    return sourceOf(document, entry) + lines;
  }
  if (isFlowList(value)) return addedInBrackets(document, entry, value, members);
  const indent = document.indent + MEMBER_INDENT;
  const lines = freshLines(document, indent, members, quotingOf(value) === 'single' ? 'single' : 'double');
  return withLines(document, entry, `${formerMember(document, value, indent)}${lines}`);
}

/** Returns the entry without the members at these positions of its list. */
function withRemoved(document: NoteDocument, entry: FieldEntry, positions: ReadonlySet<number>): string {
  const { value } = entry;
  if (!yaml().isSeq(value) || positions.size === value.items.length) return inline(document, entry, '[]');
  return isBlockList(value)
    ? removedLines(document, entry, value, positions)
    : removedInBrackets(document, entry, value, positions);
}

// --- values on one line ----------------------------------------------------------------------------------------------

/** The entry with `source` as its value on the key's line. */
function inline(document: NoteDocument, entry: FieldEntry, source: string): string {
  const { body } = document;
  const [start, end] = entry.value.range;
  if (standsBelow(entry.value))
    return `${body.slice(entry.start, entry.afterColon)} ${source}${keyLineRest(document, entry)}`;
  if (isBlockScalar(entry.value)) return body.slice(entry.start, start) + source + headerRest(document, start);
  return body.slice(entry.start, start) + source + body.slice(end, entry.end);
}

/** Whether the value is absent, or a list or mapping on the lines below its key. */
function standsBelow(value: ParsedNode): boolean {
  const type = value.srcToken?.type;
  return type === undefined || type === 'block-seq' || type === 'block-map';
}

/** What follows the colon on its line: a comment or nothing. */
function keyLineRest(document: NoteDocument, entry: FieldEntry): string {
  return commentOrNothing(document, document.body.slice(entry.afterColon, nextLine(document.body, entry.afterColon)));
}

/** What follows the header of a block scalar (`|-`) on its line: a comment or nothing. */
function headerRest(document: NoteDocument, start: number): string {
  const header = document.body.slice(start, nextLine(document.body, start));
  return commentOrNothing(document, header.replace(/^[|>][-+0-9]*/, ''));
}

function commentOrNothing(document: NoteDocument, rest: string): string {
  return rest.trim() === '' ? document.eol : rest;
}

// --- lists, one member a line ----------------------------------------------------------------------------------------

function freshLines(
  document: NoteDocument,
  indent: string,
  members: readonly Yaml[],
  quoting: Quoting,
  dash = '- ',
): string {
  return members.map((member) => `${indent}${dash}${valueSource(member, quoting)}${document.eol}`).join('');
}

/** The entry with its value replaced by lines; a comment after the former value stays on the key's line. */
function withLines(document: NoteDocument, entry: FieldEntry, lines: string): string {
  const { body } = document;
  const { value, afterColon } = entry;
  const [start, end] = value.range;
  const key = body.slice(entry.start, afterColon);
  if (standsBelow(value)) return key + keyLineRest(document, entry) + lines;
  if (isBlockScalar(value)) return key + headerRest(document, start) + lines;
  const rest = commentOrNothing(document, body.slice(end, entry.end));
  if (!body.slice(afterColon, start).includes('\n')) return key + rest + lines;
  return key + keyLineRest(document, entry) + lines.replace(/\r?\n$/, '') + rest;
}

/** The single value as a list member, in its own bytes where they fit on one line; '' where there was no value. */
function formerMember(document: NoteDocument, value: ParsedNode, indent: string): string {
  if (yaml().isScalar(value) && value.value === null) return '';
  const [start, end] = value.range;
  const own = document.body.slice(start, end);
  const source = yaml().isScalar(value) && own.includes('\n') ? valueSource(String(value.value), 'double') : own;
  return `${indent}- ${source}${document.eol}`;
}

function removedLines(
  document: NoteDocument,
  entry: FieldEntry,
  list: YAMLSeq.Parsed,
  positions: ReadonlySet<number>,
): string {
  const { body } = document;
  const lastKept = list.items.findLastIndex((_, position) => !positions.has(position));
  let kept = '';
  let from = entry.start;
  for (const [position, line] of memberLines(body, list).entries()) {
    if (!positions.has(position)) continue;
    if (position > lastKept) break;
    kept += body.slice(from, line.start);
    from = line.end;
  }
  const end = memberLines(body, list)[lastKept]?.end ?? entry.end;
  return kept + body.slice(from, end);
}

/** The whole lines of each member. */
function memberLines(body: string, list: YAMLSeq.Parsed): readonly { start: number; end: number }[] {
  const dashes = dashOffsets(list);
  return list.items.map((item, position) => {
    const dash = dashes[position] ?? item.range[0];
    return { start: lineStart(body, dash), end: nextLine(body, Math.max(contentEnd(body, item), dash + 1)) };
  });
}

function dashOffsets(list: YAMLSeq.Parsed): readonly number[] {
  if (list.srcToken?.type !== 'block-seq') return [];
  return list.srcToken.items.flatMap((item) => item.start.find((token) => token.type === 'seq-item-ind')?.offset ?? []);
}

/** The indent of the list's last member, or the usual one where there is no such list yet. */
function memberIndent(document: NoteDocument, entry: FieldEntry): string {
  const dash = isBlockList(entry.value) ? dashOffsets(entry.value).at(-1) : undefined;
  return dash === undefined
    ? document.indent + MEMBER_INDENT
    : document.body.slice(lineStart(document.body, dash), dash);
}

/** The last member's dash with the blanks after it. */
function memberDash(document: NoteDocument, entry: FieldEntry): string {
  const dash = isBlockList(entry.value) ? dashOffsets(entry.value).at(-1) : undefined;
  return dash === undefined ? '- ' : (/^- +(?=\S)/.exec(document.body.slice(dash))?.[0] ?? '- ');
}

// --- lists in brackets -----------------------------------------------------------------------------------------------

function addedInBrackets(
  document: NoteDocument,
  entry: FieldEntry,
  list: YAMLSeq.Parsed,
  members: readonly string[],
): string {
  const sources = members.map((member) => valueSource(member, quotingOfMembers(list), 'flow')).join(', ');
  const last = list.items.at(-1);
  const at = last === undefined ? list.range[0] + 1 : last.range[1];
  const { body } = document;
  return `${body.slice(entry.start, at)}${last === undefined ? '' : ', '}${sources}${body.slice(at, entry.end)}`;
}

/** A removed member takes the comma and the blanks after it along; the last one kept has no comma. */
function removedInBrackets(
  document: NoteDocument,
  entry: FieldEntry,
  list: YAMLSeq.Parsed,
  positions: ReadonlySet<number>,
): string {
  demandPlainMembers(document, list);
  const { body } = document;
  const kept = list.items.filter((_, position) => !positions.has(position));
  const parts = kept.map((item, nth) => {
    const follower = nth === kept.length - 1 ? undefined : list.items[list.items.indexOf(item) + 1];
    return body.slice(item.range[0], follower?.range[0] ?? item.range[1]);
  });
  const first = list.items[0]?.range[0] ?? list.range[1];
  const last = list.items.at(-1)?.range[1] ?? list.range[1];
  return body.slice(entry.start, first) + parts.join('') + body.slice(last, entry.end);
}

function demandPlainMembers(document: NoteDocument, list: YAMLSeq.Parsed): void {
  const odd = list.items.some(
    (item) => !yaml().isAlias(item) && (item.tag !== undefined || item.anchor || !yaml().isScalar(item)),
  );
  if (!odd) return;
  throw unsupported(
    document.file,
    'The list in brackets holds more than plain members, so one of them cannot be changed exactly.',
    'Write the list with one member a line ("- member").',
  );
}

// --- the style of the former value -----------------------------------------------------------------------------------

function isBlockList(value: ParsedNode): value is YAMLSeq.Parsed {
  return yaml().isSeq(value) && value.srcToken?.type === 'block-seq';
}

function isFlowList(value: ParsedNode): value is YAMLSeq.Parsed {
  return yaml().isSeq(value) && value.srcToken?.type === 'flow-collection';
}

/** How a text is quoted; null where the value is no text on one line. */
function quotingOf(value: ParsedNode | undefined): Quoting | null {
  if (value === undefined || !yaml().isScalar(value)) return null;
  if (value.type === 'QUOTE_DOUBLE') return 'double';
  if (value.type === 'QUOTE_SINGLE') return 'single';
  return value.type === 'PLAIN' && value.source !== '' ? 'plain' : null;
}

function quotingOfMembers(value: ParsedNode): Quoting {
  return (yaml().isSeq(value) ? quotingOf(value.items.at(-1)) : null) ?? 'double';
}

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
