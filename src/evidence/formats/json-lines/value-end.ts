const [TAB, LINE_END, RETURN, BLANK, QUOTE, BACKSLASH] = [9, 10, 13, 32, 34, 92];
const [COMMA, MINUS, DOT, ZERO, NINE, COLON] = [44, 45, 46, 48, 57, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125];
const WORDS: readonly Buffer[] = ['true', 'false', 'null'].map((word) => Buffer.from(word));
/** What may stand behind a backslash in a text, but for the number of a letter. */
const ESCAPED: readonly number[] = [...Buffer.from('"\\/bfnrt')];
const MAX_DEPTH = 64;
/** What is not surely JSON ends nowhere. */
const UNSURE = -1;

/** Receives each member of an object: its key and its value, as offsets into the bytes, without the quotes of the key. */
export type Member = (key: number, keyEnd: number, from: number, to: number) => void;

/**
 * Returns the end of the JSON object that is all of a line, which is where the line ends; null where it is not surely one.
 * `member` receives its members, also those of an object of which more turns out not to be sure.
 */
export function endOfRow(bytes: Uint8Array, from: number, member: Member): number | null {
  const at = pastBlanks(bytes, from);
  const end = bytes[at] === OPEN ? endOfObject(bytes, at, 0, member) : UNSURE;
  const last = end === UNSURE ? UNSURE : pastBlanks(bytes, end);
  return last === bytes.length || bytes[last] === LINE_END ? last : null;
}

// Loops over bytes, in plain variables: rows have millions of them.
function endOfObject(bytes: Uint8Array, open: number, depth: number, member: Member | null): number {
  let at = pastBlanks(bytes, open + 1);
  if (bytes[at] === CLOSE) return at + 1;
  for (;;) {
    const key = at + 1;
    const keyEnd = bytes[at] === QUOTE ? endOfKey(bytes, key) : UNSURE;
    if (keyEnd === UNSURE) return UNSURE;
    at = pastBlanks(bytes, keyEnd + 1);
    if (bytes[at] !== COLON) return UNSURE;
    const from = pastBlanks(bytes, at + 1);
    const to = endOfValue(bytes, from, depth + 1);
    if (to === UNSURE) return UNSURE;
    if (member !== null) member(key, keyEnd, from, to);
    at = pastBlanks(bytes, to);
    if (bytes[at] === CLOSE) return at + 1;
    if (bytes[at] !== COMMA) return UNSURE;
    at = pastBlanks(bytes, at + 1);
  }
}

function endOfList(bytes: Uint8Array, open: number, depth: number): number {
  let at = pastBlanks(bytes, open + 1);
  if (bytes[at] === CLOSE_LIST) return at + 1;
  for (;;) {
    const to = endOfValue(bytes, at, depth + 1);
    if (to === UNSURE) return UNSURE;
    at = pastBlanks(bytes, to);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    if (bytes[at] !== COMMA) return UNSURE;
    at = pastBlanks(bytes, at + 1);
  }
}

function endOfValue(bytes: Uint8Array, from: number, depth: number): number {
  const code = bytes[from];
  if (code === QUOTE) return endOfText(bytes, from + 1);
  if (code === MINUS || isDigit(code)) return endOfNumber(bytes, from);
  if (depth > MAX_DEPTH) return UNSURE;
  if (code === OPEN) return endOfObject(bytes, from, depth, null);
  return code === OPEN_LIST ? endOfList(bytes, from, depth) : endOfWord(bytes, from);
}

/** A key with a backslash is unusual. */
function endOfKey(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at += 1) {
    const code = bytes[at];
    if (code === QUOTE) return at;
    if (code === undefined || code < BLANK || code === BACKSLASH) return UNSURE;
  }
}

function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at += 1) {
    const code = bytes[at];
    if (code === QUOTE) return at + 1;
    if (code === undefined || code < BLANK) return UNSURE;
    if (code !== BACKSLASH) continue;
    at += 1;
    if (!ESCAPED.includes(bytes[at] ?? 0)) return UNSURE;
  }
}

/** A number with an exponent is unusual. */
function endOfNumber(bytes: Uint8Array, from: number): number {
  const whole = bytes[from] === MINUS ? from + 1 : from;
  const end = pastDigits(bytes, whole);
  if (end === whole || (bytes[whole] === ZERO && end > whole + 1)) return UNSURE;
  if (bytes[end] !== DOT) return end;
  const last = pastDigits(bytes, end + 1);
  return last > end + 1 ? last : UNSURE;
}

function endOfWord(bytes: Uint8Array, from: number): number {
  const word = WORDS.find((letters) => letters.every((letter, nth) => bytes[from + nth] === letter));
  return word === undefined ? UNSURE : from + word.length;
}

function pastDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

function pastBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === BLANK || bytes[at] === TAB || bytes[at] === RETURN) at += 1;
  return at;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE;
}
