import type { Row } from './condition.ts';
import { type JsonNode, parseJson, plainOf } from './json.ts';
import { lineFinder } from './places.ts';
import type { Source } from './source.ts';

/** A row of a table, and its lines. */
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
