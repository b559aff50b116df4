import { parse } from 'csv-parse/sync';
import { StewardError } from '../../vault/errors.ts';
import type { Source } from '../files/source.ts';
import { type JsonNode, parseJson, plainOf } from './json.ts';
import { lineFinder } from './line-index.ts';

/** A row of a table. `isText`: all its values are texts (CSV), so a text that reads as a number counts as one. */
export interface Row {
  readonly value: unknown;
  readonly isText: boolean;
}

/** A row and the lines it is on. */
export interface PlacedRow extends Row {
  readonly first: number;
  readonly last: number;
}

/** The rows of a file; one list of rows each, where a JSON file holds several. */
export interface Table {
  /** Where in the file the rows are: `results` of `{"results": […]}`; empty where they are the file itself. */
  readonly at: string;
  readonly rows: readonly PlacedRow[];
  /** Lines that could not be read as a row. */
  readonly unread: readonly number[];
}

const READERS: Readonly<Record<string, (source: Source) => readonly Table[]>> = {
  json: jsonTables,
  jsonl: jsonLines,
  ndjson: jsonLines,
  csv: (source) => separated(source, delimiterOf(source)),
  tsv: (source) => separated(source, '\t'),
};

/** The tables in a file, by its name's ending; null where that says nothing of rows. Throws a `StewardError` where it is not well-formed. */
export function tablesIn(source: Source): readonly Table[] | null {
  const ending = source.path.slice(source.path.lastIndexOf('.') + 1).toLowerCase();
  return READERS[ending]?.(source) ?? null;
}

function jsonTables(source: Source): readonly Table[] {
  const root = parseJson(source.text);
  const lineOf = lineFinder(source.text);
  return listsIn(root).map(({ at, items }) => ({
    at,
    unread: [],
    rows: items.map((item) => ({
      value: plainOf(source.text, item),
      isText: false,
      first: lineOf(item.from),
      last: lineOf(item.to - 1),
    })),
  }));
}

/** The list that a file is, or the lists of rows that it holds. */
function listsIn(root: JsonNode): readonly { at: string; items: readonly JsonNode[] }[] {
  if (root.items !== undefined) return [{ at: '', items: root.items }];
  return (root.members ?? []).flatMap(({ key, value }) => {
    if (value.items?.some((item) => item.members !== undefined) === true) return [{ at: key, items: value.items }];
    return value.members === undefined ? [] : listsIn(value).map((list) => ({ ...list, at: `${key}.${list.at}` }));
  });
}

function jsonLines(source: Source): readonly Table[] {
  const rows: PlacedRow[] = [];
  const unread: number[] = [];
  for (const [index, line] of source.lines.entries()) {
    if (line.trim() === '') continue;
    try {
      rows.push({ value: JSON.parse(line), isText: false, first: index + 1, last: index + 1 });
    } catch {
      unread.push(index + 1);
    }
  }
  return [{ at: '', rows, unread }];
}

interface Told {
  readonly record: readonly string[];
  /** How much was read to the record's end. */
  readonly bytes: number;
}

/** Values separated by a sign, the first record naming the columns. Blanks and line ends within quotes are values. */
function separated(source: Source, delimiter: string): readonly Table[] {
  const text = source.lines.join('\n');
  const [names, ...records] = recordsOf(source.path, text, delimiter);
  if (names === undefined) return [];
  // By bytes: what the library calls a line is another thing where a lone `\r` stands within quotes.
  const lineOf = lineFinder(Buffer.from(text).toString('latin1'));
  const unread: number[] = [];
  const rows: PlacedRow[] = [];
  let before = lineOf(names.bytes - 1);
  for (const { record, bytes } of records) {
    const [first, last] = [firstLine(source, before), lineOf(bytes - 1)];
    before = last;
    if (record.length !== names.record.length) unread.push(first);
    else rows.push({ value: rowOf(names.record, record), isText: true, first, last });
  }
  return [{ at: '', rows, unread }];
}

function recordsOf(file: string, text: string, delimiter: string): readonly Told[] {
  const form = { delimiter, record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true };
  const told: Told[] = [];
  // Taken as they are read: of what the library gives in the end, its types do not know where each record stood.
  const on_record = (record: string[], { bytes }: { readonly bytes: number }) => {
    told.push({ record, bytes });
    return null;
  };
  try {
    parse(text, { ...form, on_record });
    return told;
  } catch (error) {
    const line = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : null;
    throw new StewardError({
      code: 'evidence-not-csv',
      file,
      line,
      message: `${file} is not well-formed CSV${line === null ? '' : ` (line ${line})`}.`,
      hint: 'Mend its quotes, or ask for its lines.',
    });
  }
}

/** The first line behind another that is not empty: those between records are none. */
function firstLine({ lines }: Source, before: number): number {
  let first = before + 1;
  while (first < lines.length && lines[first - 1] === '') first += 1;
  return first;
}

function rowOf(names: readonly string[], record: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name.trim(), record[index] ?? '']));
}

/** The sign that the head of a file holds most of, outside of quotes. */
function delimiterOf({ lines }: Source): string {
  const head = (lines[0] ?? '').replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).sign;
}
