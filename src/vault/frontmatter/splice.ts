import type { ParsedNode, YAMLSeq } from 'yaml';
import { yaml } from '../lazy-packages.ts';
import type { Yaml } from '../records/values.ts';
import {
  contentEnd,
  type FieldEntry,
  isBlockScalar,
  lineStart,
  type NoteDocument,
  nextLine,
  sourceOf,
  unsupported,
} from './document.ts';
import { isList, keySource, type Quoting, valueSource } from './scalar.ts';

/*
 * What a field's entry becomes. Each function gives the whole new entry, line end included, and leaves to its caller to
 * put it where the former one stood. LAW: the new entry, laid open again, ends where it ends here; otherwise the former
 * one could not be put back exactly. So comments between a list's members go with the members behind them.
 */

const MEMBER_INDENT = '  ';

/** The entry of a field that was absent. */
export function freshEntry(sheet: NoteDocument, field: string, value: Yaml): string {
  const key = `${sheet.indent}${keySource(field)}:`;
  if (isList(value) && value.length > 0)
    return key + sheet.eol + freshLines(sheet, sheet.indent + MEMBER_INDENT, value, 'double');
  return `${key} ${valueSource(value, 'plain')}${sheet.eol}`;
}

/** The entry with its value replaced, in the style of the former value. */
export function withValue(sheet: NoteDocument, entry: FieldEntry, value: Yaml): string {
  const quoting = quotingOf(entry.value) ?? 'plain';
  if (!isList(value) || value.length === 0) return inline(sheet, entry, valueSource(value, quoting));
  const members = quotingOfMembers(entry.value);
  if (isFlowList(entry.value)) return inline(sheet, entry, valueSource(value, members));
  return withLines(
    sheet,
    entry,
    freshLines(sheet, memberIndent(sheet, entry), value, members, memberDash(sheet, entry)),
  );
}

/** The entry with members appended to its list; a single value becomes the list's first member, as it was written. */
export function withAdded(sheet: NoteDocument, entry: FieldEntry, members: readonly string[]): string {
  const { value } = entry;
  if (isBlockList(value)) {
    const lines = freshLines(
      sheet,
      memberIndent(sheet, entry),
      members,
      quotingOfMembers(value),
      memberDash(sheet, entry),
    );
    return sourceOf(sheet, entry) + lines;
  }
  if (isFlowList(value)) return addedInBrackets(sheet, entry, value, members);
  const indent = sheet.indent + MEMBER_INDENT;
  const lines = freshLines(sheet, indent, members, quotingOf(value) === 'single' ? 'single' : 'double');
  return withLines(sheet, entry, `${formerMember(sheet, value, indent)}${lines}`);
}

/** The entry without the members at these places of its list. */
export function withRemoved(sheet: NoteDocument, entry: FieldEntry, places: ReadonlySet<number>): string {
  const { value } = entry;
  if (!yaml().isSeq(value) || places.size === value.items.length) return inline(sheet, entry, '[]');
  return isBlockList(value)
    ? removedLines(sheet, entry, value, places)
    : removedInBrackets(sheet, entry, value, places);
}

// --- values on one line ----------------------------------------------------------------------------------------------

/** The entry with `source` as its value on the key's line. */
function inline(sheet: NoteDocument, entry: FieldEntry, source: string): string {
  const { body } = sheet;
  const [start, end] = entry.value.range;
  if (standsBelow(entry.value))
    return `${body.slice(entry.start, entry.behindColon)} ${source}${keyLineRest(sheet, entry)}`;
  if (isBlockScalar(entry.value)) return body.slice(entry.start, start) + source + headerRest(sheet, start);
  return body.slice(entry.start, start) + source + body.slice(end, entry.end);
}

/** True where the value is nothing at all, or a list or mapping on the lines below its key. */
function standsBelow(value: ParsedNode): boolean {
  const type = value.srcToken?.type;
  return type === undefined || type === 'block-seq' || type === 'block-map';
}

/** What stands behind the colon up to the line's end: a comment or nothing. */
function keyLineRest(sheet: NoteDocument, entry: FieldEntry): string {
  return commentOrNothing(sheet, sheet.body.slice(entry.behindColon, nextLine(sheet.body, entry.behindColon)));
}

/** What stands behind the header of a block scalar (`|-`): a comment or nothing. */
function headerRest(sheet: NoteDocument, start: number): string {
  const header = sheet.body.slice(start, nextLine(sheet.body, start));
  return commentOrNothing(sheet, header.replace(/^[|>][-+0-9]*/, ''));
}

function commentOrNothing(sheet: NoteDocument, rest: string): string {
  return rest.trim() === '' ? sheet.eol : rest;
}

// --- lists, one member a line ----------------------------------------------------------------------------------------

function freshLines(
  sheet: NoteDocument,
  indent: string,
  members: readonly Yaml[],
  quoting: Quoting,
  dash = '- ',
): string {
  return members.map((member) => `${indent}${dash}${valueSource(member, quoting)}${sheet.eol}`).join('');
}

/** The entry with its value replaced by lines; a comment behind the former value stays on the key's line. */
function withLines(sheet: NoteDocument, entry: FieldEntry, lines: string): string {
  const { body } = sheet;
  const { value, behindColon } = entry;
  const [start, end] = value.range;
  const key = body.slice(entry.start, behindColon);
  if (standsBelow(value)) return key + keyLineRest(sheet, entry) + lines;
  if (isBlockScalar(value)) return key + headerRest(sheet, start) + lines;
  const rest = commentOrNothing(sheet, body.slice(end, entry.end));
  if (!body.slice(behindColon, start).includes('\n')) return key + rest + lines;
  return key + keyLineRest(sheet, entry) + lines.replace(/\r?\n$/, '') + rest;
}

/** The single value as a member, in its own bytes where they fit on one line; nothing where there was no value. */
function formerMember(sheet: NoteDocument, value: ParsedNode, indent: string): string {
  if (yaml().isScalar(value) && value.value === null) return '';
  const [start, end] = value.range;
  const own = sheet.body.slice(start, end);
  const source = yaml().isScalar(value) && own.includes('\n') ? valueSource(String(value.value), 'double') : own;
  return `${indent}- ${source}${sheet.eol}`;
}

function removedLines(
  sheet: NoteDocument,
  entry: FieldEntry,
  list: YAMLSeq.Parsed,
  places: ReadonlySet<number>,
): string {
  const { body } = sheet;
  const lastKept = list.items.findLastIndex((_, place) => !places.has(place));
  let kept = '';
  let from = entry.start;
  for (const [place, line] of memberLines(body, list).entries()) {
    if (!places.has(place)) continue;
    if (place > lastKept) break;
    kept += body.slice(from, line.start);
    from = line.end;
  }
  const end = memberLines(body, list)[lastKept]?.end ?? entry.end;
  return kept + body.slice(from, end);
}

/** The whole lines of each member. */
function memberLines(body: string, list: YAMLSeq.Parsed): readonly { start: number; end: number }[] {
  const dashes = dashOffsets(list);
  return list.items.map((item, place) => {
    const dash = dashes[place] ?? item.range[0];
    return { start: lineStart(body, dash), end: nextLine(body, Math.max(contentEnd(body, item), dash + 1)) };
  });
}

function dashOffsets(list: YAMLSeq.Parsed): readonly number[] {
  if (list.srcToken?.type !== 'block-seq') return [];
  return list.srcToken.items.flatMap((item) => item.start.find((token) => token.type === 'seq-item-ind')?.offset ?? []);
}

/** The indent of the list's last member, or the usual one where there is no such list yet. */
function memberIndent(sheet: NoteDocument, entry: FieldEntry): string {
  const dash = isBlockList(entry.value) ? dashOffsets(entry.value).at(-1) : undefined;
  return dash === undefined ? sheet.indent + MEMBER_INDENT : sheet.body.slice(lineStart(sheet.body, dash), dash);
}

/** The last member's dash with the blanks behind it. */
function memberDash(sheet: NoteDocument, entry: FieldEntry): string {
  const dash = isBlockList(entry.value) ? dashOffsets(entry.value).at(-1) : undefined;
  return dash === undefined ? '- ' : (/^- +(?=\S)/.exec(sheet.body.slice(dash))?.[0] ?? '- ');
}

// --- lists in brackets -----------------------------------------------------------------------------------------------

function addedInBrackets(
  sheet: NoteDocument,
  entry: FieldEntry,
  list: YAMLSeq.Parsed,
  members: readonly string[],
): string {
  const sources = members.map((member) => valueSource(member, quotingOfMembers(list), 'flow')).join(', ');
  const last = list.items.at(-1);
  const at = last === undefined ? list.range[0] + 1 : last.range[1];
  const { body } = sheet;
  return `${body.slice(entry.start, at)}${last === undefined ? '' : ', '}${sources}${body.slice(at, entry.end)}`;
}

/** Each member goes with the comma and the blanks behind it; the last one kept keeps none. */
function removedInBrackets(
  sheet: NoteDocument,
  entry: FieldEntry,
  list: YAMLSeq.Parsed,
  places: ReadonlySet<number>,
): string {
  demandPlainMembers(sheet, list);
  const { body } = sheet;
  const kept = list.items.filter((_, place) => !places.has(place));
  const parts = kept.map((item, nth) => {
    const follower = nth === kept.length - 1 ? undefined : list.items[list.items.indexOf(item) + 1];
    return body.slice(item.range[0], follower?.range[0] ?? item.range[1]);
  });
  const first = list.items[0]?.range[0] ?? list.range[1];
  const last = list.items.at(-1)?.range[1] ?? list.range[1];
  return body.slice(entry.start, first) + parts.join('') + body.slice(last, entry.end);
}

function demandPlainMembers(sheet: NoteDocument, list: YAMLSeq.Parsed): void {
  const odd = list.items.some(
    (item) => !yaml().isAlias(item) && (item.tag !== undefined || item.anchor || !yaml().isScalar(item)),
  );
  if (!odd) return;
  throw unsupported(
    sheet.file,
    'The list in brackets holds more than plain members, so one of them cannot be changed exactly.',
    'Write the list with one member a line ("- member").',
  );
}

// --- what stands there now -------------------------------------------------------------------------------------------

function isBlockList(value: ParsedNode): value is YAMLSeq.Parsed {
  return yaml().isSeq(value) && value.srcToken?.type === 'block-seq';
}

function isFlowList(value: ParsedNode): value is YAMLSeq.Parsed {
  return yaml().isSeq(value) && value.srcToken?.type === 'flow-collection';
}

/** How a text is quoted there; null where there is no text on one line. */
function quotingOf(value: ParsedNode | undefined): Quoting | null {
  if (value === undefined || !yaml().isScalar(value)) return null;
  if (value.type === 'QUOTE_DOUBLE') return 'double';
  if (value.type === 'QUOTE_SINGLE') return 'single';
  return value.type === 'PLAIN' && value.source !== '' ? 'plain' : null;
}

function quotingOfMembers(value: ParsedNode): Quoting {
  return (yaml().isSeq(value) ? quotingOf(value.items.at(-1)) : null) ?? 'double';
}
