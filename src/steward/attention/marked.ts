/** A part of a note that the program keeps: between two marks, each alone on its line and there once. */
interface MarkedPart {
  readonly begin: string;
  readonly end: string;
  /** Whether a line between the marks is one that the program wrote. What a person adds to it makes it theirs. */
  readonly isOwn: (line: string) => boolean;
}

/**
 * Returns a note's text with these lines between the marks, and every other byte as it was; null where the marks do not
 * stand there once each, on lines of their own. What somebody wrote between them moves below them.
 */
export function withLines(text: string, { begin, end, isOwn }: MarkedPart, lines: readonly string[]): string | null {
  const [first, last] = [lineOf(text, begin), lineOf(text, end)];
  if (first === null || last === null || last < first) return null;
  const from = first + begin.length;
  const eol = text.startsWith('\r\n', from) ? '\r\n' : '\n';
  const strangers = text
    .slice(from, last)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !isOwn(line));
  const below = strangers.length === 0 ? '' : `${eol}${eol}${strangers.join(eol)}`;
  return `${text.slice(0, from)}${eol}${lines.join(eol)}${eol}${end}${below}${text.slice(last + end.length)}`;
}

// Where a mark stands alone on its line; null where it does so nowhere, or more than once: then nobody knows which is meant.
function lineOf(text: string, mark: string): number | null {
  const [only, ...more] = [...text.matchAll(new RegExp(`^${mark}(?=[ \\t]*\\r?$)`, 'gm'))];
  return only === undefined || more.length > 0 ? null : only.index;
}
