import type { CST, Pair, ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { z } from 'zod';
import { yaml } from './data.ts';
import { errorReason, isPassing, isRefusal, StewardError } from './errors.ts';
import {
  countValues,
  detectEol,
  type Frontmatter,
  isList,
  keySource,
  positionAt,
  type Quoting,
  readNote,
  sameInOrder,
  stringifyYaml,
  valueSource,
  type Yaml,
  yamlValue,
} from './frontmatter.ts';
import { isFileName } from './layout.ts';
import { historyRow, sha256, withPart } from './note-text.ts';
import { type FieldRecipe, FORMATS, type VaultPatch } from './record.ts';

// Changes fields of a note byte by byte, and describes such edits as steps of an intent.

export type FieldEdit =
  /** Sets a text, number, boolean, null or list; an absent field is added at the end of the frontmatter. */
  | { readonly op: 'set'; readonly field: string; readonly value: Yaml }
  /** Adds members to a list; those already there are skipped. */
  | { readonly op: 'add'; readonly field: string; readonly members: readonly string[] }
  | { readonly op: 'remove'; readonly field: string; readonly members: readonly string[] }
  /** Deletes the whole entry, if there is one. */
  | { readonly op: 'delete'; readonly field: string };

/** The part of a patch that takes an edit back. */
type FieldPatch = Pick<VaultPatch, 'fields' | 'created_frontmatter'>;

export interface EditResult {
  readonly text: string;
  /** Puts every field back exactly as it was; fields that did not change are not in it. */
  readonly patch: FieldPatch;
  readonly changed: boolean;
}

/**
 * Returns the note with the fields changed and every other byte as it was, and the patch that takes the change back.
 *
 * LAW: `restoreFields(file, edited.text, edited.patch).text === text`.
 * @throws StewardError `edit-unreadable` where the note cannot be read, `edit-unsupported` where the field is written
 * in a way that cannot be edited exactly, `edit-would-change-more` if the result, read again, is not what was meant.
 */
export function editFields(file: string, text: string, edits: readonly FieldEdit[]): EditResult {
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

/** Returns the text with these edits; null if the note is written in a way that cannot be edited exactly. */
export function editedText(path: string, text: string, edits: readonly FieldEdit[]): string | null {
  try {
    return editFields(path, text, edits).text;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/**
 * Returns the note with each field of the patch put back from its former bytes (a removed entry at its former place),
 * and the inverse patch, so that taking back can itself be taken back. Fields the patch does not name keep their value.
 * @throws StewardError as `editFields` does.
 */
export function restoreFields(file: string, text: string, patch: FieldPatch): EditResult {
  const before = openDocument(file, text);
  const steps = Object.entries(patch.fields);
  for (const [field] of steps) demandFieldName(file, field);
  const restored = reopened(before, restoredBody(before, patch));
  const after = patch.created_frontmatter === true ? withoutFrontmatter(restored) : restored;
  return verified(
    before,
    after,
    new Map(steps.map(([field, recipe]) => [field, recipe.before_source === null ? undefined : recipe.before])),
  );
}

/**
 * Returns a note with fields added at the end of its frontmatter, nested values too; a field it already has is
 * replaced. The rest of the note stays as it is. Throws `edit-would-change-more` if the result does not read as meant.
 */
export function appendFields(file: string, text: string, fields: Readonly<Record<string, unknown>>): string {
  const data = fieldsOf(file, text);
  const there = Object.keys(fields).filter((field) => field in data);
  const bare = there.reduce((now, field) => editFields(file, now, [{ op: 'delete', field }]).text, text);
  const read = readNote(file, Buffer.from(bare));
  const block = read.ok ? read.note.block : null;
  const eol = detectEol(text, block);
  const yaml = stringifyYaml(fields).replaceAll('\n', eol);
  const result = block === null ? withBlock(bare, yaml, eol) : bare.slice(0, block.end) + yaml + bare.slice(block.end);
  return demandFields(file, result, fields);
}

/**
 * Returns a patch for a note that somebody has changed since: the entries that it puts back keep the comments that were typed
 * into them. Throws as `openDocument` does.
 */
export function withTypedComments<Patch extends FieldPatch>(file: string, text: string, patch: Patch): Patch {
  const document = openDocument(file, text);
  const now = new Map(document.entries.map((entry) => [entry.key, sourceOf(document, entry)]));
  const kept = ([field, recipe]: [string, FieldRecipe]) => [field, withComments(recipe, now.get(field) ?? '')];
  return { ...patch, fields: Object.fromEntries(Object.entries(patch.fields).map(kept)) };
}

// --- edits as values -------------------------------------------------------------------------------------------------

/** Returns the value that the field will have, however it is written. */
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

// --- how a field is rewritten -----------------------------------------------------------------------------------------

/*
 * How a field gets a new entry. Each function returns the whole entry with its line end; the caller puts it in the
 * place of the former one. LAW: when the note is opened again, the new entry ends at the same offset; otherwise the
 * former one could not be put back exactly. So comments between a list's members belong to the members after them.
 */

const MEMBER_INDENT = '  ';

function freshEntry(document: NoteDocument, field: string, value: Yaml): string {
  const key = `${document.indent}${keySource(field)}:`;
  if (isList(value) && value.length > 0)
    return key + document.eol + freshLines(document, document.indent + MEMBER_INDENT, value, 'double');
  return `${key} ${valueSource(value, 'plain')}${document.eol}`;
}

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

/** The text that follows the colon on its line: a comment, or empty. */
function keyLineRest(document: NoteDocument, entry: FieldEntry): string {
  return commentOrNothing(document, document.body.slice(entry.afterColon, nextLine(document.body, entry.afterColon)));
}

/** The text that follows the header of a block scalar (`|-`) on its line: a comment, or empty. */
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

/** The single value as a list member, in its own bytes if they fit on one line; '' if there was no value. */
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

/** The indent of the list's last member, or the usual one if there is no such list yet. */
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
    "The list in brackets has more than plain members, so one of them can't be changed exactly.",
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

/** How a text is quoted; null if the value is no text on one line. */
function quotingOf(value: ParsedNode | undefined): Quoting | null {
  if (value === undefined || !yaml().isScalar(value)) return null;
  if (value.type === 'QUOTE_DOUBLE') return 'double';
  if (value.type === 'QUOTE_SINGLE') return 'single';
  return value.type === 'PLAIN' && value.source !== '' ? 'plain' : null;
}

function quotingOfMembers(value: ParsedNode): Quoting {
  return (yaml().isSeq(value) ? quotingOf(value.items.at(-1)) : null) ?? 'double';
}

// --- putting fields back ----------------------------------------------------------------------------------------------

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

/**
 * The body cut into entries and the text between them (no key). All fields are put back in these pieces before the
 * note is read again: halfway, a block scalar that keeps its blank lines (`|+`) could absorb those of its neighbour.
 */
interface Piece {
  readonly key: string | null;
  readonly source: string;
}

type FieldStep = readonly [field: string, recipe: FieldRecipe];

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
function putBack(pieces: readonly Piece[], steps: readonly FieldStep[]): readonly Piece[] {
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
function inOrderOfPosition(absent: readonly FieldStep[]): readonly FieldStep[] {
  const waiting = new Map(absent);
  const ordered: FieldStep[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find(([, { behind }]) => !waiting.has(splitBehind(behind).key)) ?? [...waiting][0];
    if (ready === undefined) break;
    waiting.delete(ready[0]);
    ordered.push(ready);
  }
  return ordered;
}

function inserted(pieces: readonly Piece[], [field, { before_source, behind }]: FieldStep): readonly Piece[] {
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

// --- checking an edit -------------------------------------------------------------------------------------------------

/** An edit is refused if it could not be taken back to the byte. */
function demandReversible(before: NoteDocument, after: NoteDocument, { patch }: EditResult): void {
  if (isRestoredTo(before, after, patch)) return;
  throw changesMore(before.file, 'it could not be undone exactly');
}

/** The value of each field after an edit; undefined if it must be absent. */
type ExpectedFields = ReadonlyMap<string, Yaml | undefined>;

/**
 * Returns the finished edit, after reading the note again. Throws `edit-would-change-more` unless the fields are as
 * expected and the rest is unchanged.
 */
export function verified(before: NoteDocument, after: NoteDocument, expected: ExpectedFields): EditResult {
  demandExpected(after, expected);
  demandOthersEqual(before, after, expected);
  demandBytesEqual(before, after, expected);
  return { text: after.text, patch: patchBetween(before, after, expected), changed: after.text !== before.text };
}

function demandExpected(after: NoteDocument, expected: ExpectedFields): void {
  for (const [field, value] of expected) {
    if (sameInOrder(fieldValue(after.data, field), value)) continue;
    throw changesMore(after.file, `"${field}" wouldn't have the intended value`);
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

function fieldValue(data: Frontmatter, field: string): Yaml | undefined {
  return Object.hasOwn(data, field) ? data[field] : undefined;
}

/** Opens the note again with another body, with all checks: offsets have moved, and a mistake shows at once. */
function reopened(document: NoteDocument, body: string): NoteDocument {
  return reopenedText(document, withBody(document, body));
}

/** The same with another text. Throws `edit-would-change-more` if the text cannot be read. */
function reopenedText(document: NoteDocument, text: string): NoteDocument {
  try {
    return openDocument(document.file, text);
  } catch (error) {
    if (isPassing(error)) throw error;
    throw changesMore(document.file, `the note could not be read again (${errorReason(error)})`, error);
  }
}

// --- a note opened for editing ----------------------------------------------------------------------------------------

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
  // The `yaml` package sees only what js-yaml has accepted: deep nesting can end the whole process inside it.
  const entries = block === null ? [] : yamlEntries(file, text, frame.head.length, frame.body);
  demandApart(file, entries);
  demandSameNames(file, data, entries);
  return { file, text, ...frame, data, entries, indent: indentOf(frame.body, entries) };
}

/** Returns the whole note with another body; a note without frontmatter that gets no field stays as it is. */
function withBody(document: NoteDocument, body: string): string {
  return document.bare && body === '' ? document.text : document.head + body + document.tail;
}

/** Returns the entry of a field, or null if the note has no such field. */
export function findField(document: NoteDocument, key: string): FieldEntry | null {
  return document.entries.find((entry) => entry.key === key) ?? null;
}

function sourceOf(document: NoteDocument, entry: FieldEntry): string {
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

/** If several keys share a line, or entries overlap, no entry can be cut out alone. */
function demandApart(file: string, entries: readonly FieldEntry[]): void {
  if (entries.every((entry, nth) => entry.start >= (entries[nth - 1]?.end ?? 0))) return;
  throw unsupported(file, "The fields of the frontmatter aren't on separate lines.", BY_HAND);
}

/**
 * Both YAML readers must see the same fields. js-yaml takes a byte order mark before the first key as part of its name,
 * and `yaml` ignores it: an edit would change another field than the one that was read.
 */
function demandSameNames(file: string, data: Frontmatter, entries: readonly FieldEntry[]): void {
  const isKnown = entries.every(({ simple, key }) => !simple || Object.hasOwn(data, key));
  if (isKnown && new Set(entries.map(({ key }) => key)).size === entries.length) return;
  throw unsupported(file, 'The name of a field contains invisible characters.', BY_HAND);
}

/** An edit opens a note several times and must not block the program: each value or comment costs it some 50 µs. */
const MAX_VALUES = 1000;
const MAX_COMMENTS = 4000;

function demandSmall(file: string, data: Frontmatter, body: string): void {
  const comments = body.split('\n').filter((line) => line.trimStart().startsWith('#'));
  if (comments.length <= MAX_COMMENTS && countValues(data) <= MAX_VALUES) return;
  throw unsupported(file, 'The frontmatter is too long to be edited.', BY_HAND);
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

// --- where the fields are ---------------------------------------------------------------------------------------------

/**
 * One top-level field, as offsets into the body: whole lines, from that of its key to the last one of its value.
 * Comments and blank lines after it belong to no field.
 */
interface FieldEntry {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** Just after the colon. */
  readonly afterColon: number;
  readonly value: ParsedNode;
  /** False if the key is complex, or key or value has an anchor or a tag: such an entry is never edited. */
  readonly simple: boolean;
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function nextLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

/** Returns the offset after the last character that belongs to the node, without trailing comments and line end. */
function contentEnd(body: string, node: ParsedNode): number {
  if (yaml().isScalar(node) && isBlockScalar(node)) return blockScalarEnd(body, node.range[0], node.range[1]);
  if (node.srcToken?.type === 'block-seq' && yaml().isSeq(node)) return lastEnd(body, node.items.at(-1), node.range[1]);
  if (node.srcToken?.type === 'block-map' && yaml().isMap(node)) {
    const pair = node.items.at(-1);
    return lastEnd(body, pair?.value ?? pair?.key, node.range[1]);
  }
  return node.range[1];
}

/** Whether a value is a text of several lines after `|` or `>`. */
function isBlockScalar(node: ParsedNode): boolean {
  return node.srcToken?.type === 'block-scalar';
}

function lastEnd(body: string, node: ParsedNode | null | undefined, otherwise: number): number {
  return node ? contentEnd(body, node) : otherwise;
}

/** Blank lines after a block scalar belong to it only if its header says keep (`|+`). */
function blockScalarEnd(body: string, start: number, end: number): number {
  const source = body.slice(start, end);
  const keep = /^[|>][0-9]*\+/.test(source);
  return start + (keep ? source.replace(/\r?\n$/, '') : source.trimEnd()).length;
}

/**
 * Returns the fields of any frontmatter that js-yaml has accepted, in their written order. Throws `edit-unsupported`.
 */
function yamlEntries(file: string, text: string, offset: number, body: string): FieldEntry[] {
  const map = mappingIn(file, text, offset, body);
  return map === null ? [] : map.items.map((pair) => entryOf(body, pair));
}

/**
 * The top-level mapping, or null if the note has no fields yet. Duplicate keys were refused before: here the check is
 * quadratic.
 */
function mappingIn(file: string, text: string, offset: number, body: string): YAMLMap.Parsed | null {
  // A lone CR ends a line for js-yaml, but not for `yaml`.
  if (/\r(?!\n)/.test(body)) throw unsupported(file, 'The frontmatter contains a lone carriage return.', BY_HAND);
  const parsed = yaml().parseDocument(body, { keepSourceTokens: true, uniqueKeys: false, prettyErrors: false });
  const [error] = parsed.errors;
  if (error !== undefined) throw unreadableFor(file, text, offset + error.pos[0], error.message);
  const { contents } = parsed;
  if (contents === null || (yaml().isScalar(contents) && contents.source === '')) return null;
  const explicit = parsed.directives?.docStart === true || /^%/m.test(body);
  if (
    explicit ||
    !yaml().isMap(contents) ||
    contents.srcToken?.type !== 'block-map' ||
    contents.anchor ||
    contents.tag
  ) {
    throw unsupported(file, 'The frontmatter is not written as one field a line.', BY_HAND);
  }
  return contents;
}

function unreadableFor(file: string, text: string, offset: number, reason: string): StewardError {
  return new StewardError({
    code: 'edit-unsupported',
    file,
    ...positionAt(text, offset),
    message: `The frontmatter can be read but not edited safely: ${reason}.`,
    hint: BY_HAND,
  });
}

function entryOf(body: string, pair: Pair<ParsedNode, ParsedNode | null>): FieldEntry {
  const { key } = pair;
  const value = pair.value ?? key;
  const tokens: CST.CollectionItem | undefined = pair.srcToken;
  const first = tokens?.start.find((token) => !isTrivia(token))?.offset ?? key.range[0];
  const start = lineStart(body, first);
  const colon = tokens?.sep?.find((token) => token.type === 'map-value-ind');
  return {
    key: nameOf(key) || body.slice(start, nextLine(body, start)).trim(),
    start,
    end: nextLine(body, Math.max(contentEnd(body, value), colon === undefined ? 0 : colon.offset + 1)),
    afterColon: (colon?.offset ?? 0) + 1,
    value,
    simple: pair.value !== null && colon !== undefined && isSimple(body, key, tokens),
  };
}

/** '' for a key that is no name. Its entry goes by its first line, since '' means "before all entries" in a recipe. */
function nameOf(key: ParsedNode): string {
  if (!yaml().isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}

function isSimple(body: string, key: ParsedNode, tokens: CST.CollectionItem | undefined): boolean {
  if (!yaml().isScalar(key) || typeof key.value !== 'string' || tokens === undefined) return false;
  const between = tokens.sep?.filter((token) => !isTrivia(token)) ?? [];
  if (!tokens.start.every(isTrivia) || between.length !== 1) return false;
  return /^ *$/.test(body.slice(lineStart(body, key.range[0]), key.range[0]));
}

function isTrivia(token: CST.SourceToken): boolean {
  return token.type === 'space' || token.type === 'newline' || token.type === 'comment';
}

// --- adding fields, and keeping comments ------------------------------------------------------------------------------

function fieldsOf(file: string, text: string): Readonly<Record<string, unknown>> {
  const read = readNote(file, Buffer.from(text));
  if (read.ok) return read.note.data;
  if (read.trouble.code === 'note-empty') return {};
  throw new StewardError(read.trouble);
}

function withBlock(text: string, yaml: string, eol: string): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${bom}---${eol}${yaml}---${eol}${text.slice(bom.length)}`;
}

function demandFields(file: string, text: string, fields: Readonly<Record<string, unknown>>): string {
  const read = readNote(file, Buffer.from(text));
  if (read.ok && Object.keys(fields).every((field) => field in read.note.data)) return text;
  throw new StewardError({
    code: 'edit-would-change-more',
    file,
    message: 'Adding the fields would change more of this frontmatter.',
    hint: 'Write the frontmatter as plain `key: value` lines.',
  });
}

/** The mark of yaml's lexer before a text that is no mark of YAML's own. */
const SCALAR = '\u001f';

function withComments(recipe: FieldRecipe, now: string): FieldRecipe {
  const { before_source: former } = recipe;
  if (former === null) return recipe;
  const known = commentsIn(former);
  const typed = commentsIn(now).filter((comment) => !known.includes(comment));
  return typed.length === 0 ? recipe : { ...recipe, before_source: followed(former, typed) };
}

// Behind an entry of several lines a comment is on a line of its own.
function followed(entry: string, comments: readonly string[]): string {
  const line = entry.replace(/\r?\n$/, '');
  if (!line.includes('\n')) return `${line} ${comments.join(' ')}${entry.slice(line.length)}`;
  const eol = entry.endsWith('\r\n') ? '\r\n' : '\n';
  return `${line}${eol}${comments.map((comment) => `${comment}${eol}`).join('')}`;
}

function commentsIn(entry: string): readonly string[] {
  if (!entry.includes('#')) return [];
  const { Lexer } = yaml();
  const tokens = [...new Lexer().lex(entry)];
  const isComment = (token: string, at: number) => token.startsWith('#') && tokens[at - 1] !== SCALAR;
  return tokens.filter(isComment).map((token) => token.trimEnd());
}

// --- refusals ---------------------------------------------------------------------------------------------------------

const BY_HAND = 'Change this note by hand, or write its frontmatter as plain "field: value" lines.';

/** Returns the error of an edit that cannot be made exactly, `edit-unsupported`. */
function unsupported(file: string, what: string, hint: string): StewardError {
  return new StewardError({ code: 'edit-unsupported', file, message: what, hint });
}

/** Throws `edit-unsupported` if a text cannot be the name of a field. */
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

/** A field deleted and set again would end up elsewhere, and its recipe could not name its former place. */
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

/** Returns the step of an intent that changes a note's text from `before` to `after`. */
export function textStep(path: string, before: string, after: string): EditStep {
  return { do: 'edit', path, before_sha256: sha256(before), after_sha256: sha256(after), text: after };
}

/** Reads a note as it is on disk now. */
interface FreshNotes {
  fresh(path: string): { text: string; data: Frontmatter; refusal: StewardError | null } | null;
}

/**
 * Returns an edit that follows an action (a signal stamped, an instinct adjusted). It is made again if the note changed
 * in the meantime, as long as the edited fields still have their present values. Null if the note cannot be edited, or
 * would stay the same. `part`: the new text of the part of the body that the program keeps, if any.
 */
export function followStep(
  notes: FreshNotes,
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

const fieldEdit = z.lazy(() =>
  z.union([
    z.object({ op: z.literal('set'), field: z.string(), value: yamlValue }),
    z.object({ op: z.enum(['add', 'remove']), field: z.string(), members: z.array(z.string()) }),
    z.object({ op: z.literal('delete'), field: z.string() }),
  ]),
);

const stepPart = z.object({ marks: z.object({ begin: z.string(), end: z.string() }), text: z.string() });
type StepPart = z.infer<typeof stepPart>;

const editStep = z.lazy(() =>
  z.object({
    do: z.literal('edit'),
    path: z.string(),
    before_sha256: z.string(),
    after_sha256: z.string(),
    /** The note's whole new text, exactly as it will be. */
    text: z.string(),
    /**
     * How to make the edit again on a note that a person has changed in the meantime. If absent, such a note gets no
     * edit.
     */
    again: z.array(fieldEdit).optional(),
    /** The same for fields that are added at the end, nested ones too. */
    append: z.record(z.string(), z.unknown()).optional(),
    /** The rows that the edit adds to the history in an instinct's note. */
    history: z.array(historyRow).optional(),
    /** The text for the part of the body that the program keeps, written only if that part is unedited. */
    part: stepPart.optional(),
    /** The lines that open the history; absent if they stay as they are. */
    opening: z.array(z.string()).optional(),
    /** The fields' values when the edit was decided: a field with another value by now belongs to the person. */
    expects: z.record(z.string(), yamlValue).optional(),
  }),
);
export type EditStep = z.infer<typeof editStep>;

const createStep = z.lazy(() => z.object({ do: z.literal('create'), path: z.string(), text: z.string() }));
/**
 * One action, written down before it is carried out. The first step decides: if it did not happen, nothing did and the
 * intent is withdrawn; if it did, the others follow, after a crash too. The disk shows for each step whether it is
 * done, so carrying out an intent twice has the effect of carrying it out once.
 */
export const intent = z.lazy(() =>
  z.object({
    schemaVersion: z.literal(FORMATS.journal.version),
    /** The name of the event note it leads to: also the name of its journal file and of the history kept. */
    id: z.string().refine(isFileName),
    at: z.string(),
    /**
     * How many files an earlier attempt of the same name left in the history: they are no sign that this one was
     * carried out.
     */
    kept_before: z.number().int().optional(),
    /** Set once the deciding step is known to have happened: `steps` then holds it and what is left to do. */
    decided: z.literal(true).optional(),
    steps: z.array(z.discriminatedUnion('do', [editStep, createStep])).min(1),
  }),
);
export type Intent = z.infer<typeof intent>;
export type Step = Intent['steps'][number];
