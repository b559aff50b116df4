/** How far a sentence or a line is followed in either direction. */
const MAX_REACH = 600;

/**
 * A stop before a blank, or a line end that ends a paragraph, a list item or a table row: other line ends only wrap.
 */
const STOP = /[.!?;](?=\s|$)|\n(?=[ \t]{0,12}(?:\n|[-*#|>+]|\d{1,3}[.)]))/g;

/** Returns the sentence around an offset. */
export function sentenceAt(text: string, at: number): string {
  const { start, end } = sentenceBounds(text, at);
  return text.slice(start, end);
}

/** Returns where the sentence around an offset starts and ends, as offsets into the text. */
export function sentenceBounds(text: string, at: number): { readonly start: number; readonly end: number } {
  const before = text.slice(Math.max(0, at - MAX_REACH), at);
  const stops = [...before.matchAll(STOP)];
  const start = stops.length === 0 ? at - before.length : at - before.length + (stops.at(-1)?.index ?? 0) + 1;
  const after = text.slice(at, at + MAX_REACH);
  const stop = after.search(STOP);
  return { start, end: at + (stop === -1 ? after.length : stop + 1) };
}

/** Returns the line around an offset, without its line end. */
export function lineAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(Math.max(start, at - MAX_REACH), end === -1 ? at + MAX_REACH : Math.min(end, at + MAX_REACH));
}
