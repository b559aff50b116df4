/** The checkboxes of a note's body. */
export interface Checkboxes {
  readonly open: number;
  /** Ticked, or crossed out (`[-]`). */
  readonly ticked: number;
}

/** `- [x] text`, also numbered, indented and quoted: the mark is what stands in the brackets. */
const BOX = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\](?:[ \t]|$)/u;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
/** Themes know many more marks: started, put off, a question. Whatever is none of these is still open. */
const TICKED: ReadonlySet<string> = new Set(['x', 'X', '-']);

/** Returns how many checkboxes a note's body has; null where there are none. What stands in a block of code is none. */
export function checkboxesIn(body: string): Checkboxes | null {
  const marks = boxesOf(body).map(({ mark }) => mark);
  const ticked = marks.filter((mark) => TICKED.has(mark)).length;
  return marks.length === 0 ? null : { open: marks.length - ticked, ticked };
}

/** Returns the last line with a ticked checkbox, without the spaces around it; null where none is ticked. */
export function lastTicked(body: string): string | null {
  return boxesOf(body).findLast(({ mark }) => TICKED.has(mark))?.line ?? null;
}

/** Returns each line with a checkbox that is ticked with an x, without the spaces around it. */
export function tickedLines(body: string): string[] {
  return boxesOf(body).flatMap(({ mark, line }) => (mark === 'x' || mark === 'X' ? [line] : []));
}

interface Box {
  readonly line: string;
  readonly mark: string;
}

function boxesOf(body: string): Box[] {
  if (!body.includes('[')) return []; // most notes have none, and are read often
  const boxes: Box[] = [];
  let fence: string | null = null;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const marks = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (marks?.startsWith(fence)) fence = null;
      continue;
    }
    fence = marks;
    const mark = marks === null ? BOX.exec(line)?.[1] : undefined;
    if (mark !== undefined) boxes.push({ line: line.trim(), mark });
  }
  return boxes;
}
