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

interface Line {
  readonly text: string;
  readonly start: number;
  readonly block: number;
}

const MOST_LINES = 400;
const MOST_CHARACTERS = 300;
const MOST_LABEL = 40;
const MOST_VALUE = 120;
/** After so many empty lines a value no longer belongs to the label above it. */
const MOST_BETWEEN = 2;

/** Returns the labelled lines of a text, in its order. */
export function labelledLines(text: string): readonly LabelledLine[] {
  const lines = linesOf(text);
  return lines.flatMap((line, nth) => labelledLine(line, lines.slice(nth + 1, nth + 1 + MOST_BETWEEN)) ?? []);
}

/** Returns the text of the block that a labelled line stands in, as one line. */
export function blockText(text: string, { block }: LabelledLine): string {
  const lines = linesOf(text).filter((line) => line.block === block);
  return lines.map((line) => line.text.trim()).join(' ');
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let [at, block, empty] = [0, 0, 0];
  for (const line of text.split('\n')) {
    if (line.trim() === '') empty += 1;
    else {
      if (empty > 1) block += 1;
      empty = 0;
      lines.push({ text: line.slice(0, MOST_CHARACTERS), start: at, block });
    }
    at += line.length + 1;
    if (lines.length >= MOST_LINES) break;
  }
  return lines;
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
