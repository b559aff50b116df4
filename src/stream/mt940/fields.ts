/** A field of a statement: `:86:` with all its lines. */
export interface Field {
  readonly tag: string;
  readonly lines: readonly string[];
  /** The number of its first line in the file. */
  readonly line: number;
}

/** The fields of a statement. Words that were broken before `:26:37` are none. */
const TAG = /^:(20|21|25P?|28C?|60[FM]|61|62[FM]|64|65|86|13[CD]?|34F|90[CD]|NS):/;
const END = /^-(?:\}.*|X{3})?\s*$/;
/** What SWIFT puts before the first field, where it stands in the same line. */
const ENVELOPE = /^\{[^\r\n]*\{4:/;
/** A field has six lines of 65 characters, or a few more; what is beyond any measure is left out. */
const MOST_LINES = 200;
const MOST_IN_LINE = 4000;

/** Yields the fields of a text. What lies between statements is left out. */
export function* fieldsOf(text: string): Generator<Field> {
  let open: { readonly tag: string; readonly lines: string[]; readonly line: number } | null = null;
  let number = 0;
  for (const whole of linesOf(text)) {
    number += 1;
    const line = whole.startsWith('{') ? whole.replace(ENVELOPE, '') : whole;
    const [mark, tag] = TAG.exec(line) ?? [];
    if (mark !== undefined && tag !== undefined) {
      if (open !== null) yield open;
      open = { tag, lines: [line.slice(mark.length)], line: number };
    } else if (END.test(line)) {
      if (open !== null) yield open;
      open = null;
    } else if (open !== null && open.lines.length < MOST_LINES) open.lines.push(line);
  }
  if (open !== null) yield open;
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf('\n', from);
    const end = at === -1 ? text.length : at;
    yield text.slice(from, Math.min(end, from + MOST_IN_LINE)).replace(/\r$/, '');
    from = end + 1;
  }
}
