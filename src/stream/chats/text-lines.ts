/** One line of a text, and its number from 0 on. */
interface TextLine {
  readonly nth: number;
  readonly text: string;
}

/** Yields the lines of a text without their ends (LF), one by one. */
export function* linesOf(text: string): Generator<TextLine> {
  let start = 0;
  for (let nth = 0; start < text.length; nth += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield { nth, text: text.slice(start, end) };
    start = end + 1;
  }
}
