import { StewardError } from '../../vault/errors.ts';
import { extensionOf, type Source } from '../files/source.ts';
import { type JsonNode, parseJson, plainOf } from './json.ts';
import { RowScan } from './json-lines/row-scan.ts';
import { csv } from './lazy-parsers.ts';
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

/** One list of rows. A JSON file may hold several. */
export interface Table {
  /** The path of the list in the file: `results` of `{"results": […]}`; empty where the list is the whole file. */
  readonly at: string;
  readonly rows: readonly PlacedRow[];
  /** Lines that are not valid rows. */
  readonly unread: readonly number[];
}

/** `keys`: the only members of a row that are asked for, where that is known. */
type Reader = (source: Source, keys: readonly string[] | null) => readonly Table[];

const READERS: Readonly<Record<string, Reader>> = {
  json: jsonTables,
  jsonl: jsonLines,
  ndjson: jsonLines,
  csv: (source) => separated(source, delimiterOf(source)),
  tsv: (source) => separated(source, '\t'),
};

/**
 * Returns the tables in a file, by its extension; null for an extension without rows. Throws a `StewardError` for a
 * malformed file. `keys`: what else an object holds may be left out of its row.
 */
export function tablesIn(source: Source, keys: readonly string[] | null = null): readonly Table[] | null {
  return READERS[extensionOf(source)]?.(source, keys) ?? null;
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

/** Returns the list that is the whole file, or the lists of rows inside it. */
function listsIn(root: JsonNode): readonly { at: string; items: readonly JsonNode[] }[] {
  if (root.items !== undefined) return [{ at: '', items: root.items }];
  return (root.members ?? []).flatMap(({ key, value }) => {
    if (value.items?.some((item) => item.members !== undefined) === true) return [{ at: key, items: value.items }];
    return value.members === undefined ? [] : listsIn(value).map((list) => ({ ...list, at: `${key}.${list.at}` }));
  });
}

function jsonLines({ text }: Source, keys: readonly string[] | null): readonly Table[] {
  const scan = new RowScan(text, keys);
  const rows: PlacedRow[] = [];
  const unread: number[] = [];
  for (let line = 1; scan.hasNext; line += 1) {
    const read = scan.next();
    if (read.value !== undefined) rows.push({ value: read.value, isText: false, first: line, last: line });
    else if ('text' in read && read.text.trim() !== '') unread.push(line);
  }
  return [{ at: '', rows, unread }];
}

/** One record of a CSV text. */
interface CsvRecord {
  readonly values: readonly string[];
  /** How many bytes were read up to the end of the record. */
  readonly bytes: number;
}

/** Reads separated values. The first record names the columns. Line ends inside quotes belong to the value. */
function separated(source: Source, delimiter: string): readonly Table[] {
  const text = source.lines.join('\n');
  const [names, ...records] = recordsOf(source.path, text, delimiter);
  if (names === undefined) return [];
  // By bytes, since the library counts lines differently where quotes contain a lone `\r`.
  const lineOf = lineFinder(Buffer.from(text).toString('latin1'));
  const unread: number[] = [];
  const rows: PlacedRow[] = [];
  let before = lineOf(names.bytes - 1);
  for (const { values, bytes } of records) {
    const [first, last] = [firstLine(source, before), lineOf(bytes - 1)];
    before = last;
    if (values.length !== names.values.length) unread.push(first);
    else rows.push({ value: rowOf(names.values, values), isText: true, first, last });
  }
  return [{ at: '', rows, unread }];
}

function recordsOf(file: string, text: string, delimiter: string): readonly CsvRecord[] {
  const form = { delimiter, record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true };
  const records: CsvRecord[] = [];
  // Collected while they are read, since the types of the library's result do not include the offsets.
  const on_record = (values: string[], { bytes }: { readonly bytes: number }) => {
    records.push({ values, bytes });
    return null;
  };
  try {
    csv().parse(text, { ...form, on_record });
    return records;
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

/** Returns the first line after another that is not empty: empty lines between records do not count. */
function firstLine({ lines }: Source, before: number): number {
  let first = before + 1;
  while (first < lines.length && lines[first - 1] === '') first += 1;
  return first;
}

function rowOf(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name.trim(), values[index] ?? '']));
}

/** Returns the separator that occurs most often in the first line, outside of quotes. */
function delimiterOf({ lines }: Source): string {
  const head = (lines[0] ?? '').replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).sign;
}
