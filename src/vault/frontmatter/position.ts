/** A position in a file as shown to a person: 1-based, with the source line and a caret under the column. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

/** Returns the line, the column and an excerpt for a character offset. */
export function positionAt(text: string, offset: number): Position {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.indexOf('\n', start);
  const line = text.slice(start, next === -1 ? text.length : next).replace(/^\uFEFF|\r$/g, '');
  const before = text.slice(start, offset).replace(/^\uFEFF/, '');
  return { line: countLines(text, start), column: [...before].length + 1, excerpt: excerptOf(line, before) };
}

const EXCERPT_WIDTH = 120;

/** The line with a caret after `before`: only a window of a long line, and without control characters. */
function excerptOf(line: string, before: string): string {
  const from = before.length > EXCERPT_WIDTH / 2 && line.length > EXCERPT_WIDTH ? before.length - EXCERPT_WIDTH / 2 : 0;
  const shown = line.slice(from, from + EXCERPT_WIDTH).replace(/(?!\t)\p{Cc}/gu, '?');
  const pad = [...before.slice(from)].map((char) => (char === '\t' ? '\t' : ' ')).join('');
  return `${shown}\n${pad}^`;
}

function countLines(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
