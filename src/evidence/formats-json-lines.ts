const [MINUS, DOT, ZERO, NINE] = [45, 46, 48, 57];
/** As many digits are always exact, and so is a power of ten with as many zeros: what is divided is rounded once. */
const MAX_DIGITS = 15;

/**
 * Returns the number that the bytes of a JSON value write without an exponent and in a few digits; null for any other value.
 * LAW: it is what `JSON.parse` makes of them, which takes ten times as long.
 */
export function shortNumber(bytes: Uint8Array, from: number, to: number): number | null {
  const isNegative = bytes[from] === MINUS;
  let [digits, point, count] = [0, to, 0];
  for (let at = isNegative ? from + 1 : from; at < to; at += 1) {
    const code = bytes[at] ?? 0;
    if (code === DOT && point === to) point = at + 1;
    else if (code < ZERO || code > NINE) return null;
    else {
      digits = digits * 10 + (code - ZERO);
      count += 1;
    }
  }
  if (count === 0 || count > MAX_DIGITS) return null;
  const number = point === to ? digits : digits / 10 ** (to - point);
  return isNegative ? -number : number;
}

const [TAB, LINE_END, RETURN, BLANK, QUOTE, BACKSLASH] = [9, 10, 13, 32, 34, 92];
const [COMMA, MINUS_VALUE_END, DOT_VALUE_END, ZERO_VALUE_END, NINE_VALUE_END, COLON] = [44, 45, 46, 48, 57, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125];
const WORDS: readonly Buffer[] = ['true', 'false', 'null'].map((word) => Buffer.from(word));
/** What may stand behind a backslash in a text, but for the number of a letter. */
const ESCAPED: readonly number[] = [...Buffer.from('"\\/bfnrt')];
const MAX_DEPTH = 64;
/** What is not surely JSON ends nowhere. */
const UNSURE = -1;

/** Receives each member of an object: its key and its value, as offsets into the bytes, without the quotes of the key. */
type Member = (key: number, keyEnd: number, from: number, to: number) => void;

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
  if (code === MINUS_VALUE_END || isDigit(code)) return endOfNumber(bytes, from);
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
  const whole = bytes[from] === MINUS_VALUE_END ? from + 1 : from;
  const end = pastDigits(bytes, whole);
  if (end === whole || (bytes[whole] === ZERO_VALUE_END && end > whole + 1)) return UNSURE;
  if (bytes[end] !== DOT_VALUE_END) return end;
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
  return code !== undefined && code >= ZERO_VALUE_END && code <= NINE_VALUE_END;
}

/** A member that is asked for. */
interface Key {
  readonly name: string;
  readonly bytes: Buffer;
}

const LINE_END_ROW_SCAN = 10;

/**
 * Reads lines of JSON, and of objects only the members that are asked for: rows have many, and a condition asks for one.
 * LAW: each line is what `JSON.parse` says of it, but for other members. What is unusual is left to it whole.
 */
export class RowScan {
  readonly #bytes: Buffer;
  readonly #keys: readonly Key[] | null;
  readonly #member: Member;
  #value: Record<string, unknown> = {};
  #next = 0;

  /** `keys`: the members that are asked for; null for all. */
  constructor(text: string, keys: readonly string[] | null) {
    const bytes = Buffer.from(text);
    this.#bytes = bytes;
    // That member would be none after it is assigned.
    this.#keys =
      keys === null || keys.includes('__proto__') ? null : keys.map((name) => ({ name, bytes: Buffer.from(name) }));
    this.#member = (key, keyEnd, from, to) => this.#take(key, keyEnd, from, to);
  }

  /** Whether there is another line. */
  get hasNext(): boolean {
    return this.#next < this.#bytes.length;
  }

  /** Steps over the next line. Returns the value in it, or its text where that is no value. */
  next(): { readonly value: unknown } | { readonly value: undefined; readonly text: string } {
    return this.#needed() ?? this.#whole();
  }

  // Nothing is made for a row but what is asked for: there may be a hundred thousand.
  #needed(): { readonly value: unknown } | null {
    if (this.#keys === null) return null;
    this.#value = {};
    const end = endOfRow(this.#bytes, this.#next, this.#member);
    if (end === null) return null;
    this.#next = end + 1;
    return { value: this.#value };
  }

  #take(key: number, keyEnd: number, from: number, to: number): void {
    for (const { name, bytes } of this.#keys ?? [])
      if (bytes.length === keyEnd - key && isAt(this.#bytes, key, bytes))
        this.#value[name] = shortNumber(this.#bytes, from, to) ?? JSON.parse(this.#bytes.toString('utf8', from, to));
  }

  #whole(): { readonly value: unknown } | { readonly value: undefined; readonly text: string } {
    const end = this.#bytes.indexOf(LINE_END_ROW_SCAN, this.#next);
    const text = this.#bytes.toString('utf8', this.#next, end === -1 ? this.#bytes.length : end);
    this.#next = end === -1 ? this.#bytes.length : end + 1;
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { value: undefined, text };
    }
  }
}

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let nth = 0; nth < wanted.length; nth += 1) if (bytes[at + nth] !== wanted[nth]) return false;
  return true;
}
