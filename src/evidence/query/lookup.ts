import { StewardError } from '../../vault/errors.ts';
import { fold } from '../../vault/note-names.ts';
import { type Citation, cite, extractOf, type Finding, found, notFound } from '../files/finding.ts';
import type { Source } from '../files/source.ts';
import { outlineOf, type PlacedPart } from '../formats/outline.ts';
import { type PlacedRow, type Table, tablesIn } from '../formats/rows.ts';
import { fieldsIn, hasFields, holds, pathOf, unlikeIn } from './condition.ts';
import type { Query } from './query.ts';

const MAX_CITED = 200;
const MAX_SHOWN = 40;
/** How many parts of one name are shown. */
const MAX_PARTS = 100;

/**
 * What a query finds in one file: lines verbatim, or a count with the lines of its rows. Pure: the same text gives the
 * same finding. Null where files of its kind are not known well enough to say that something is not there.
 */
export function lookUp(query: Query, source: Source): Finding | null {
  try {
    if (query.kind === 'lines') return linesOf(query, source);
    if (query.kind === 'count') return countOf(query, source);
    return namedParts(query, source);
  } catch (error) {
    if (error instanceof StewardError) return notFound([error.message], [source.path]);
    throw error;
  }
}

function linesOf({ first, last }: Extract<Query, { kind: 'lines' }>, source: Source): Finding {
  const end = Math.min(last, source.lines.length);
  if (first > end) return notFound([`${source.path} has ${source.lines.length} lines.`], [source.path]);
  return found({ statements: [], extracts: [extractOf(source, first, end)], checked: [source.path] });
}

// --- values, functions, headings -------------------------------------------------------------------------------------

function namedParts(query: Extract<Query, { kind: 'value' | 'show' }>, source: Source): Finding | null {
  const outline = outlineOf(source);
  if (outline === null) return null;
  const named = chosen(query, outline);
  if (named.length === 0) return notNamed(query.name, source);
  const extracts = withoutInner(named.slice(0, MAX_PARTS)).map(({ first, last }) => extractOf(source, first, last));
  const several = named.length === 1 ? [] : [`${query.name} stands in ${source.path} at ${named.length} places.`];
  return found({ statements: several, extracts, checked: [source.path] });
}

/** What has the name exactly; only where nothing has, what has it in other letters. */
function chosen(
  { kind, name }: Extract<Query, { kind: 'value' | 'show' }>,
  outline: readonly PlacedPart[],
): readonly PlacedPart[] {
  const possible = kind === 'show' ? outline : outline.filter((part) => part.kind === 'value');
  const exact = possible.filter((part) => isNamed(part, name));
  if (exact.length > 0) return definitionsFirst(exact, kind);
  return definitionsFirst(
    possible.filter((part) => part.kind === 'heading' && isNamed(part, name, fold)),
    kind,
  );
}

/** Who asks to be shown something wants where it is defined, and not where it is given a value, if there are both. */
function definitionsFirst(named: readonly PlacedPart[], kind: 'value' | 'show'): readonly PlacedPart[] {
  const defined = named.filter((part) => part.kind !== 'value');
  return kind === 'show' && defined.length > 0 ? defined : named;
}

function isNamed({ path, kind }: PlacedPart, name: string, as: (text: string) => string = (text) => text): boolean {
  const own = path.at(-1) ?? '';
  if (as(own) === as(name)) return true;
  const wanted = kind === 'heading' ? [name] : pathOf(name);
  return (
    wanted.length > 0 &&
    wanted.length <= path.length &&
    wanted.every((part, index) => path.at(index - wanted.length) === part)
  );
}

/** Extracts that lie within another are in it already. */
function withoutInner(named: readonly PlacedPart[]): readonly PlacedPart[] {
  return named.filter(
    (part, index) =>
      !named.some(
        (other, at) =>
          other.first <= part.first &&
          part.last <= other.last &&
          (other.last - other.first > part.last - part.first || at < index),
      ),
  );
}

function notNamed(name: string, source: Source): Finding {
  const last = pathOf(name).at(-1) ?? name;
  const mentions = source.lines.flatMap((line, index) => (line.includes(last) ? [index + 1] : []));
  const where = mentions.slice(0, 10).map((line) => cite({ path: source.path, first: line, last: line }));
  const rest = mentions.length > 10 ? ` and ${mentions.length - 10} more lines` : '';
  const said = where.length === 0 ? [] : [`The text ${JSON.stringify(last)} stands at ${where.join(', ')}${rest}.`];
  return notFound([`Nothing in ${source.path} is named ${name}.`, ...said], [source.path]);
}

// --- rows ------------------------------------------------------------------------------------------------------------

type Count = Extract<Query, { kind: 'count' }>;

function countOf(query: Count, source: Source): Finding | null {
  const tables = tablesIn(source);
  if (tables === null) return null;
  const known = tables.filter((table) => isKnown(query, table));
  if (known.length === 0) return noSuchRows(query, source, tables);
  const counts = known.map((table) => counted(query, source, table));
  return {
    found: true,
    statements: counts.flatMap(({ statements }) => statements),
    extracts: [],
    citations: counts.flatMap(({ citations }) => citations),
    checked: [source.path],
  };
}

function isKnown({ where }: Count, { rows }: Table): boolean {
  return (
    where === null ||
    fieldsIn(where).every((field) => rows.some((row) => hasFields({ kind: 'compare', field, op: '==', to: null }, row)))
  );
}

function counted(
  { where, whereText }: Count,
  source: Source,
  table: Table,
): { statements: string[]; citations: Citation[] } {
  const matching = where === null ? table.rows : table.rows.filter((row) => holds(where, row));
  const others = where === null ? [] : table.rows.filter((row) => !holds(where, row));
  const lacking = where === null ? 0 : others.filter((row) => !hasFields(where, row)).length;
  const unlike = where === null ? [] : table.rows.filter((row) => unlikeIn(where, row));
  const cited = joined(matching).map(({ first, last }) => ({ path: source.path, first, last }));
  const at = table.at === '' ? source.path : `${table.at} in ${source.path}`;
  return {
    citations: cited.slice(0, MAX_CITED),
    statements: [
      `${matching.length} of ${rowWord(table.rows.length)} of ${at}${where === null ? '' : ` where ${whereText}`}.`,
      ...(cited.length === 0 || where === null ? [] : [rowsText(cited)]),
      ...(lacking === 0
        ? []
        : [`${rowWord(lacking)} without ${fieldsText(where)} ${lacking === 1 ? 'is' : 'are'} not among them.`]),
      ...(unlike.length === 0 ? [] : [unlikeText(unlike, source.path)]),
      ...(table.unread.length === 0 ? [] : [`Not read as rows, and not counted: ${unreadText(table.unread)}.`]),
    ],
  };
}

function noSuchRows({ where }: Count, source: Source, tables: readonly Table[]): Finding {
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

/** Rows that follow each other, as one place. */
function joined(rows: readonly PlacedRow[]): readonly { first: number; last: number }[] {
  const places: { first: number; last: number }[] = [];
  for (const { first, last } of rows) {
    const before = places.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else places.push({ first, last });
  }
  return places;
}

function unlikeText(rows: readonly PlacedRow[], path: string): string {
  const places = joined(rows).map(({ first, last }) => cite({ path, first, last }));
  const rest = places.length > MAX_SHOWN ? ` and ${places.length - MAX_SHOWN} more places` : '';
  return `Not to be compared as asked, in ${rowWord(rows.length)}: ${places.slice(0, MAX_SHOWN).join(', ')}${rest}.`;
}

function fieldsText(where: Count['where']): string {
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
