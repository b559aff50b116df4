import { type Line, linesOf } from './lines.ts';
import { kindsOf, type LabelKind, labelLength } from './table.ts';

/** A row of a table whose columns have labels above them. */
export interface TableRow extends Line {
  /** What the columns may say. */
  readonly kinds: readonly LabelKind[];
}

const MOST_ROWS = 6;
const MOST_HEAD = 120;
const LEAST_LABELS = 2;

/** Returns the rows that stand below a line of labels, at least half of whose words are known as such. */
export function tableRows(text: string): readonly TableRow[] {
  const lines = linesOf(text);
  return lines.flatMap((line, nth) => {
    const kinds = kindsInHead(line.text);
    if (kinds.length < LEAST_LABELS) return [];
    const below = lines.slice(nth + 1, nth + 1 + MOST_ROWS);
    const end = below.findIndex((row) => row.block !== line.block || !/\d/.test(row.text) || row.text.includes(':'));
    return (end === -1 ? below : below.slice(0, end)).map((row) => ({ ...row, kinds }));
  });
}

/** Of "Amount Due date" both "Amount due" and "Due date" count: where one column ends is lost. */
function kindsInHead(line: string): readonly LabelKind[] {
  if (line.length > MOST_HEAD || /\d|[:.!?]\s*$/.test(line)) return [];
  const words = line.match(/[^\s|]+/g) ?? [];
  const labels = words.map((_, at) => words.slice(at, at + labelLength(words.slice(at))));
  const covered = new Set(labels.flatMap((label, at) => label.map((_, nth) => at + nth)));
  const kinds = labels.flatMap((label) => (label.length === 0 ? [] : kindsOf(label.join(' '))));
  return covered.size * 2 < words.length ? [] : [...new Set(kinds)];
}
