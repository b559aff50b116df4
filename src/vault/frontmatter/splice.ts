import type { ParsedNode, YAMLSeq } from 'yaml';
import { yaml } from '../lazy-packages.ts';
import type { Yaml } from '../records/values.ts';
import { type NoteDocument, sourceOf } from './document.ts';
import { contentEnd, type FieldEntry, isBlockScalar, lineStart, nextLine } from './entries/field-entry.ts';
import { unsupported } from './entries/unsupported.ts';
import { isList, keySource, type Quoting, valueSource } from './scalar.ts';

/*
 * What a field's entry becomes. Each function returns the whole new entry with its line end; the caller puts it where
 * the former one stood. LAW: when the note is opened again, the new entry ends where it ends here; otherwise the former
 * one could not be put back exactly. So comments between a list's members belong to the members after them.
 */

const MEMBER_INDENT = '  ';

/** Returns the entry of a field that was absent. */
export function freshEntry(document: NoteDocument, field: string, value: Yaml): string {
  const key = `${document.indent}${keySource(field)}:`;
  if (isList(value) && value.length > 0)
    return key + document.eol + freshLines(document, document.indent + MEMBER_INDENT, value, 'double');
  return `${key} ${valueSource(value, 'plain')}${document.eol}`;
}

/** Returns the entry with its value replaced, in the style of the former value. */
export function withValue(document: NoteDocument, entry: FieldEntry, value: Yaml): string {
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
export function withAdded(document: NoteDocument, entry: FieldEntry, members: readonly string[]): string {
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
export function withRemoved(document: NoteDocument, entry: FieldEntry, positions: ReadonlySet<number>): string {
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
