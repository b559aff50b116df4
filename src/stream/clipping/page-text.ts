/** The body of a note. */
interface PageText {
  readonly text: string;
  /** Its first heading; null where it has none. */
  readonly heading: string | null;
}

const TAG = /<\/?[a-z][a-z0-9-]{0,20}(?:\s[^<>]{0,2000})?\/?>/gi;
/** Elements that say how, or whether, they are shown. */
const STYLED =
  /<[a-z][a-z0-9-]{0,20}\s[^<>]{0,2000}?\b(?:style|class|hidden|aria-hidden|color|size)\b|<(?:style|script|template|noscript|details)\b/i;
const HEADING = /^#{1,2}[ \t]{1,8}(\S[^\n]{0,400})$/m;

/** Returns what a reader sees of a note's body: its Markdown as it stands, without comments and tags. */
export function pageText(body: string): PageText {
  const plain = body.replace(/\r\n?/g, '\n');
  // Comments of HTML, and those of Obsidian, are seen by nobody.
  const shown = [...without([...without([plain], '<!--', '-->')], '%%', '%%')].join(' ').replace(TAG, '');
  return { text: shown.trim(), heading: HEADING.exec(shown)?.[1]?.trim() ?? null };
}

/** Whether a note has HTML that a reader may not see as it is read here. */
export function mayHideWords(text: string): boolean {
  return STYLED.test(text);
}

/** Yields the texts without what stands between two marks. A mark that is never closed hides all behind it. */
function* without(texts: Iterable<string>, open: string, close: string): Generator<string> {
  for (const text of texts) {
    let at = 0;
    while (at < text.length) {
      const from = text.indexOf(open, at);
      yield text.slice(at, from < 0 ? text.length : from);
      const until = from < 0 ? -1 : text.indexOf(close, from + open.length);
      at = until < 0 ? text.length : until + close.length;
    }
  }
}
