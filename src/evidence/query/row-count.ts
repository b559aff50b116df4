import { type Citation, cite, type Extract, extractOf, type Finding, notFound } from '../files/finding.ts';
import type { Source } from '../files/source.ts';
import { type PlacedRow, type Table, tablesIn } from '../formats/rows.ts';
import type { RowsAsked } from './asked.ts';
import { type Condition, fieldsIn, hasEach, holds, isIncomparable, keysAsked, ordersIn } from './condition.ts';
import { isDoubtful } from './doubt.ts';

const MAX_CITED = 200;
const MAX_SHOWN = 40;

/**
 * Returns how many rows of a file match, and where they are or, where they are asked for, the rows; null for a format
 * without rows, or where a word of the condition may say something else. Throws as `tablesIn` does.
 */
export function rowsOf(query: RowsAsked, source: Source): Finding | null {
  const tables = tablesIn(source, query.where === null ? [] : keysAsked(query.where));
  if (tables === null) return null;
  const fitting = tables.filter((table) => hasAllFields(query, table));
  if (fitting.length === 0) return noSuchRows(query, source, tablesIn(source) ?? []);
  if (query.where !== null && isDoubtful(query.where, fitting)) return null;
  const counts = fitting.map((table) => counted(query, source, table));
  return {
    found: true,
    statements: counts.flatMap(({ statements }) => statements),
    extracts: query.kind === 'rows' ? counts.flatMap(({ citations }) => citations.map(extractIn(source))) : [],
    citations: query.kind === 'rows' ? [] : counts.flatMap(({ citations }) => citations),
    checked: [source.path],
  };
}

function extractIn(source: Source): (rows: Citation) => Extract {
  return ({ first, last }) => extractOf(source, first, last, first === last ? 'row' : 'rows');
}

function hasAllFields({ where }: RowsAsked, { rows }: Table): boolean {
  return where === null || fieldsIn(where).every((field) => rows.some((row) => hasEach([field], row)));
}

function counted(
  { kind, where, whereText }: RowsAsked,
  source: Source,
  table: Table,
): { statements: string[]; citations: Citation[] } {
  const { matching, withoutField, incomparable } = where === null ? allOf(table) : sorted(where, table);
  const cited = lineRanges(matching).map(({ first, last }) => ({ path: source.path, first, last }));
  const at = table.at === '' ? source.path : `${table.at} in ${source.path}`;
  return {
    citations: cited.slice(0, MAX_CITED),
    statements: [
      `${matching.length} of ${rowWord(table.rows.length)} of ${at}${where === null ? '' : ` where ${whereText}`}.`,
      ...(cited.length === 0 || where === null || kind === 'rows' ? [] : [rowsText(cited)]),
      ...(withoutField === 0
        ? []
        : [
            `${rowWord(withoutField)} without ${fieldsText(where)} ${withoutField === 1 ? 'is' : 'are'} not among them.`,
          ]),
      ...(incomparable.length === 0 ? [] : [incomparableText(incomparable, source.path)]),
      ...(table.unread.length === 0 ? [] : [`Not read as rows, and not counted: ${unreadText(table.unread)}.`]),
    ],
  };
}

/** The rows of a table by what a condition says of them. */
interface Sorted {
  readonly matching: readonly PlacedRow[];
  /** How many lack a field of the condition. */
  readonly withoutField: number;
  readonly incomparable: readonly PlacedRow[];
}

function allOf({ rows }: Table): Sorted {
  return { matching: rows, withoutField: 0, incomparable: [] };
}

// One way through all rows: there may be a hundred thousand.
function sorted(where: Condition, { rows }: Table): Sorted {
  const fields = fieldsIn(where);
  const orders = ordersIn(where);
  const matching: PlacedRow[] = [];
  const incomparable: PlacedRow[] = [];
  let withoutField = 0;
  for (const row of rows) {
    if (holds(where, row)) matching.push(row);
    else if (!hasEach(fields, row)) withoutField += 1;
    if (orders.some((order) => isIncomparable(order, row))) incomparable.push(row);
  }
  return { matching, withoutField, incomparable };
}

function noSuchRows({ where }: RowsAsked, source: Source, tables: readonly Table[]): Finding {
  const rows = tables.flatMap((table) => table.rows);
  if (rows.length === 0) return notFound([`${source.path} holds no list of rows.`], [source.path]);
  const fields = [...new Set(rows.slice(0, 100).flatMap(({ value }) => keysOf(value)))].slice(0, 30);
  return notFound(
    [`No row of ${source.path} has ${fieldsText(where)}; ${rowWord(rows.length)} have: ${fields.join(', ')}.`],
    [source.path],
  );
}

function rowsText(cited: readonly Citation[]): string {
  const rest = cited.length > MAX_SHOWN ? ` and ${cited.length - MAX_SHOWN} more places [truncated]` : '';
  return `Rows: ${cited.slice(0, MAX_SHOWN).map(cite).join(', ')}${rest}.`;
}

/** Joins consecutive rows into one range of lines each. */
function lineRanges(rows: readonly PlacedRow[]): readonly { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const { first, last } of rows) {
    const before = ranges.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else ranges.push({ first, last });
  }
  return ranges;
}

function incomparableText(rows: readonly PlacedRow[], path: string): string {
  const citations = lineRanges(rows).map(({ first, last }) => cite({ path, first, last }));
  const rest = citations.length > MAX_SHOWN ? ` and ${citations.length - MAX_SHOWN} more places` : '';
  return `Not to be compared as asked, in ${rowWord(rows.length)}: ${citations.slice(0, MAX_SHOWN).join(', ')}${rest}.`;
}

function fieldsText(where: RowsAsked['where']): string {
  return where === null ? '' : fieldsIn(where).join(', ');
}

function unreadText(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${lines.length > 20 ? ` and ${lines.length - 20} more` : ''}`;
}

function rowWord(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}
