/** A line of a text that is not empty. */
export interface Line {
  readonly text: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** The number of its block: lines without an empty one between them, or with only one. */
  readonly block: number;
}

const MOST_LINES = 400;
const MOST_CHARACTERS = 300;

/** Returns the lines of a text that are not empty, at most 400, of each the first 300 characters. */
export function linesOf(text: string): readonly Line[] {
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

/** Returns the text of a block, as one line. */
export function blockText(text: string, block: number): string {
  const lines = linesOf(text).filter((line) => line.block === block);
  return lines.map((line) => line.text.trim()).join(' ');
}
