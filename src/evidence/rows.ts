import { createRequire } from 'node:module';
import type { parse } from 'csv-parse/sync';
import { StewardError } from '../vault/errors.ts';
import { readForeignJson } from '../vault/json.ts';
import { type EvidenceSource, fileExtension } from './files.ts';

const csv = (): { readonly parse: typeof parse } => createRequire(import.meta.url)('csv-parse/sync');

/** A row of a table. `isText`: all its values are texts (CSV), so a text that reads as a number counts as one. */
export interface Row {
  readonly value: unknown;
  readonly isText: boolean;
}

export interface PlacedRow extends Row {
  readonly first: number;
  readonly last: number;
}

/** One list of rows. A JSON file may contain several. */
export interface EvidenceTable {
  /** The path of the list in the file: `results` of `{"results": […]}`; empty if the list is the whole file. */
  readonly at: string;
  readonly rows: readonly PlacedRow[];
  /** Lines that are not valid rows. */
  readonly unread: readonly number[];
}

type TableReader = (source: EvidenceSource) => readonly EvidenceTable[];

const READERS: Readonly<Record<string, TableReader>> = {
  json: jsonTables,
  jsonl: jsonLines,
  ndjson: jsonLines,
  csv: (source) => separated(source, delimiterOf(source)),
  tsv: (source) => separated(source, '\t'),
};

/**
 * Returns the tables in a file, by its extension; null for an extension without rows. Throws a `StewardError` for a
 * malformed file.
 */
export function findTables(source: EvidenceSource): readonly EvidenceTable[] | null {
  return READERS[fileExtension(source)]?.(source) ?? null;
}

function jsonTables(source: EvidenceSource): readonly EvidenceTable[] {
  const root = parseJson(source.text);
  const lineOf = lineFinder(source.text);
  return listsIn(root).map(({ at, items }) => ({
    at,
    unread: [],
    rows: items.map((item) => ({
      value: parsePlainValue(source.text, item),
      isText: false,
      first: lineOf(item.from),
      last: lineOf(item.to - 1),
    })),
  }));
}

function listsIn(root: JsonNode): readonly { at: string; items: readonly JsonNode[] }[] {
  if (root.items !== undefined) return [{ at: '', items: root.items }];
  return (root.members ?? []).flatMap(({ key, value }) => {
    if (value.items?.some((item) => item.members !== undefined) === true) return [{ at: key, items: value.items }];
    return value.members === undefined ? [] : listsIn(value).map((list) => ({ ...list, at: `${key}.${list.at}` }));
  });
}

function jsonLines({ lines }: EvidenceSource): readonly EvidenceTable[] {
  const rows: PlacedRow[] = [];
  const unread: number[] = [];
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const value = readForeignJson(text);
    if (value === undefined) unread.push(at + 1);
    else rows.push({ value, isText: false, first: at + 1, last: at + 1 });
  }
  return [{ at: '', rows, unread }];
}

interface CsvRecord {
  readonly values: readonly string[];
  /** How many bytes were read up to the end of the record. */
  readonly bytes: number;
}

/** Reads separated values. The first record names the columns. Line ends inside quotes belong to the value. */
function separated(source: EvidenceSource, delimiter: string): readonly EvidenceTable[] {
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
      hint: 'Correct its quotes, or ask for its lines.',
    });
  }
}

/** Returns the first line after another that is not empty: empty lines between records do not count. */
function firstLine({ lines }: EvidenceSource, before: number): number {
  let first = before + 1;
  while (first < lines.length && lines[first - 1] === '') first += 1;
  return first;
}

function rowOf(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name.trim(), values[index] ?? '']));
}

/** Returns the separator that occurs most often in the first line, outside of quotes. */
function delimiterOf({ lines }: EvidenceSource): string {
  const head = (lines[0] ?? '').replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).sign;
}

/** A value of a JSON text, and its offsets. */
export interface JsonNode {
  readonly from: number;
  readonly to: number;
  readonly items?: readonly JsonNode[];
  readonly members?: readonly JsonMember[];
}

interface JsonMember {
  readonly key: string;
  readonly from: number;
  readonly value: JsonNode;
}

const MAX_DEPTH = 500;
const BLANK = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/**
 * Parses a JSON text and returns each value with its offsets. Throws `evidence-not-json` with the line where the text is
 * invalid or nests more than 500 deep.
 */
export function parseJson(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.value(0);
  reader.end();
  return node;
}

export function parsePlainValue(text: string, { from, to }: JsonNode): unknown {
  return JSON.parse(text.slice(from, to));
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#blanks();
  }

  value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.#wrong(`nests more than ${MAX_DEPTH} deep`);
    const open = this.#text[this.#at];
    if (open === '[') return this.#array(depth);
    return open === '{' ? this.#object(depth) : this.#scalar();
  }

  end(): void {
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#wrong('goes on behind its end');
  }

  #array(depth: number): JsonNode {
    const from = this.#at;
    const items: JsonNode[] = [];
    this.#listed(']', () => items.push(this.value(depth + 1)));
    return { from, to: this.#at, items };
  }

  #object(depth: number): JsonNode {
    const from = this.#at;
    const members: JsonMember[] = [];
    this.#listed('}', () => members.push(this.#member(depth)));
    return { from, to: this.#at, members };
  }

  #member(depth: number): JsonMember {
    const { from, to } = this.#scalar();
    const key: unknown = JSON.parse(this.#text.slice(from, to));
    this.#blanks();
    if (typeof key !== 'string' || this.#text[this.#at] !== ':') throw this.#wrong('is not valid JSON');
    this.#at += 1;
    this.#blanks();
    return { key, from, value: this.value(depth + 1) };
  }

  /** Reads what is between two brackets, separated by commas. */
  #listed(close: string, take: () => void): void {
    this.#at += 1;
    this.#blanks();
    for (let first = true; this.#text[this.#at] !== close; first = false) {
      if (!first) {
        if (this.#text[this.#at] !== ',') throw this.#wrong('is not valid JSON');
        this.#at += 1;
        this.#blanks();
      }
      take();
      this.#blanks();
    }
    this.#at += 1;
    if (this.#at > this.#text.length) throw this.#wrong('ends too early');
  }

  #scalar(): JsonNode {
    SCALAR.lastIndex = this.#at;
    const from = this.#at;
    const length = SCALAR.exec(this.#text)?.[0].length;
    if (length === undefined) throw this.#wrong('is not valid JSON');
    this.#at += length;
    return { from, to: this.#at };
  }

  #blanks(): void {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.#text)?.[0].length ?? 0;
  }

  #wrong(how: string): StewardError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new StewardError({
      code: 'evidence-not-json',
      line,
      message: `The text ${how} (line ${line}).`,
      hint: 'Correct the file, or ask for its lines.',
    });
  }
}

/** Returns a function from an offset in the text to its line, counted from 1. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
