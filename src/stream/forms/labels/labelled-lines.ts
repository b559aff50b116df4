import { type Line, linesOf } from './lines.ts';
import { folded, kindsOf, type LabelKind, labelLength } from './table.ts';

/** A line of a text, or of a table in it, that says what is behind its label. */
export interface LabelledLine {
  /** What its label may say. */
  readonly kinds: readonly LabelKind[];
  readonly label: string;
  readonly value: string;
  /** Where the value begins in the text. */
  readonly at: number;
  /** Where the line begins, and where the line with the value ends. */
  readonly start: number;
  readonly end: number;
  /** Whether no colon stands between them: then only a value that is nothing else counts. */
  readonly isBare: boolean;
  /** The number of its block: lines without an empty one between them, or with only one. */
  readonly block: number;
}

const MOST_LABEL = 40;
const MOST_VALUE = 120;
/** After so many empty lines a value no longer belongs to the label above it. */
const MOST_BETWEEN = 2;

/** Returns the labelled lines of a text, in its order. */
export function labelledLines(text: string): readonly LabelledLine[] {
  const lines = linesOf(text);
  return lines.flatMap((line, nth) => labelledLine(line, lines.slice(nth + 1, nth + 1 + MOST_BETWEEN)) ?? []);
}

function labelledLine(line: Line, next: readonly Line[]): LabelledLine | null {
  return byColon(line, next) ?? withoutColon(line, next);
}

function byColon(line: Line, next: readonly Line[]): LabelledLine | null {
  const colon = line.text.search(/[:：](?:\s|$|\*)/u);
  if (colon < 1 || colon > MOST_LABEL) return null;
  const label = line.text.slice(0, colon);
  return kindsOf(label).length === 0 ? null : lineWith(line, label, colon + 1, next, false);
}

function withoutColon(line: Line, next: readonly Line[]): LabelledLine | null {
  const words = line.text.slice(0, 2 * MOST_LABEL).match(/\S+/g) ?? [];
  const length = labelLength(words);
  if (length === 0) return null;
  const label = words.slice(0, length).join(' ');
  let at = 0;
  for (const word of words.slice(0, length)) at = line.text.indexOf(word, at) + word.length;
  return lineWith(line, label, at, next, true);
}

function lineWith(
  line: Line,
  label: string,
  from: number,
  next: readonly Line[],
  isBare: boolean,
): LabelledLine | null {
  const own = line.text.slice(from);
  const isOwn = folded(own) !== '';
  const [below] = next;
  const holder = isOwn ? { text: own, start: line.start + from } : below;
  // What is itself a label is no value of the one above.
  if (holder === undefined || (!isOwn && /[:：]\s*$/u.test(holder.text))) return null;
  const lead = /^[\s*:：]*/u.exec(holder.text)?.[0].length ?? 0;
  const value = holder.text.slice(lead).trimEnd().slice(0, MOST_VALUE);
  const at = holder.start + lead;
  const { start, block } = line;
  return { kinds: kindsOf(label), label, value, at, start, end: at + value.length, isBare, block };
}
