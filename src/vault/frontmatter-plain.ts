import { isCoreWord, plainScalar } from './frontmatter/scalar.ts';
import type { Frontmatter, Yaml } from './records/values.ts';

const LINE_END = 10;
const BLANK = 32;
const HASH = 35;
const DASH = 45;
const COLON = 58;
const UNDERSCORE = 95;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const OPENING_BRACKET = 91;
const OPENING_BRACE = 123;
const VERTICAL_BAR = 124;
const DELETE = 127;

/** The full reader refuses a note for long runs of blanks; shorter runs cannot add up to that in so few characters. */
const DESERT = 64;
/** Tabs, carriage returns, and whatever some reader treats as a line end, as a blank, or as no text at all. */
const USUAL = /[\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/uy;

/**
 * Whether a text holds between two offsets what some reader takes for something else than it seems, or too many blanks.
 * One turn over it: each pattern over the whole would take as long as reading it.
 */
function isUnusual(text: string, from: number, to: number): boolean {
  let blanks = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BLANK || code === LINE_END) {
      blanks += 1;
      if (blanks === DESERT) return true;
      continue;
    }
    blanks = 0;
    if (code > BLANK && code < DELETE) continue;
    USUAL.lastIndex = at;
    if (!USUAL.test(text)) return true;
    at = USUAL.lastIndex - 1;
  }
  return false;
}

/** A letter, a digit, `_` or `-`. */
function isInKey(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === UNDERSCORE || code === DASH;
}

/** A letter of the English alphabet. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** No more different names are kept than people and programs use again and again. */
const MOST_NAMES = 500;

/**
 * The names of fields that were read before. An object takes a name that it has seen in half the time of the same name cut
 * out of another note.
 */
class Names {
  readonly #known = new Map<string, string>();

  /** Returns a field's name; null where it is no text. */
  of(written: string): string | null {
    const known = this.#known.get(written);
    if (known !== undefined) return known;
    if (isCoreWord(written)) return null;
    if (this.#known.size >= MOST_NAMES) return written;
    const own = String(JSON.parse(JSON.stringify(written))); // what was cut out of a note keeps the whole of it in memory
    this.#known.set(own, own);
    return own;
  }
}

/*
 * Nearly all frontmatter is a small part of YAML: one field a line, lists, nested fields, texts plain, quoted or as
 * `|` blocks. A reader for just that part takes a fraction of the time of a full YAML reader, and at ten thousand notes
 * the full reader would take up most of a start.
 *
 * LAW: it returns exactly what js-yaml returns with its core schema, or declines. It declines whatever it is not sure
 * of, errors included: the full reader says what is wrong with a note.
 */

/** Short enough that no limit of the full reader (values, depth) can be reached. */
const MAX_CHARS = 16 * 1024;
const MAX_DEPTH = 20;
/**
 * Returns the fields of a frontmatter in plain YAML, or null where it is not plain. It stands in a text from one offset to
 * another, in lines that each end in `\n`: a piece cut out of a text is read at half the pace of the text itself.
 */
export function plainYaml(text: string, from = 0, to = text.length): Frontmatter | null {
  if (to - from > MAX_CHARS || text.charCodeAt(to - 1) !== LINE_END || isUnusual(text, from, to)) return null;
  try {
    return new Reader(text, from, to).fields();
  } catch (error) {
    if (error instanceof Declined) return null;
    throw error;
  }
}

class Declined extends Error {}

function decline(): never {
  throw new Declined();
}

const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"/y;
const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/y;
const NOTHING_IN_BRACES = /\{\}/y;
/** A plain member of a list in brackets, with the blanks after it. */
const MEMBER = /[^\s,[\]{}:#&*!|>'"%@`?-][^,[\]{}:#'"\n]*/y;
const LITERAL = /\|[-+]?(?=\n)/y;
/** Characters a plain text never begins with, or only sometimes. */
const INDICATORS: ReadonlySet<number> = new Set([...',[]{}:#&*!|>\'"%@`?-'].map((one) => one.charCodeAt(0)));

const NAMES = new Names();

/** Reads the text from one line with content to the next. */
class Reader {
  readonly #text: string;
  readonly #to: number;
  /** The current line: where it begins, where its content begins, and where it ends. */
  #lineStart = 0;
  #content = 0;
  #lineEnd: number;
  /** The indent of the content; -1 after the last line. */
  #column = 0;
  /** Where the last value read ends. */
  #end = 0;

  constructor(text: string, from: number, to: number) {
    this.#text = text;
    this.#to = to;
    this.#lineEnd = from - 1;
    this.#next();
  }

  /** Returns the fields of the whole text; declines where it is not plain. */
  fields(): Frontmatter {
    // Made as a usual object: one that begins without a prototype is kept as a table, which is slow to make and to read.
    return this.#column === 0 ? Object.setPrototypeOf(this.#mapping(0, {}), null) : decline();
  }

  // --- lines ---------------------------------------------------------------------------------------------------------

  /** Moves to the next line that is neither blank nor a comment. */
  #next(): void {
    while (this.#lineEnd + 1 < this.#to) {
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = this.#text.indexOf('\n', this.#lineStart);
      this.#content = this.#afterBlanks(this.#lineStart);
      this.#column = this.#content - this.#lineStart;
      if (this.#isContent(this.#content)) return;
    }
    this.#column = -1;
  }

  #isContent(at: number): boolean {
    const code = this.#code(at);
    return code !== LINE_END && code !== HASH;
  }

  /** After a value nothing more may stand on its line, and no further line may continue it. */
  #demandEnd(parent: number): void {
    const rest = this.#afterBlanks(this.#end);
    if (this.#isContent(rest) || (rest === this.#end && rest !== this.#lineEnd)) decline();
    this.#nextNotBelow(parent);
  }

  #nextNotBelow(parent: number): void {
    this.#next();
    if (this.#column > parent) decline();
  }

  #code(at: number): number {
    return this.#text.charCodeAt(at);
  }

  #afterBlanks(from: number): number {
    let at = from;
    while (this.#code(at) === BLANK) at += 1;
    return at;
  }

  #isDash(): boolean {
    return this.#column >= 0 && this.#code(this.#content) === DASH && this.#code(this.#content + 1) === BLANK;
  }

  /** Returns the offset of the colon after the key that begins at `from`, or -1 where no key begins there. */
  #colon(from: number): number {
    if (!isLetter(this.#code(from))) return -1;
    let at = from + 1;
    while (isInKey(this.#code(at))) at += 1;
    return this.#isColon(at) ? at : -1;
  }

  #isColon(at: number): boolean {
    return this.#code(at) === COLON && (this.#code(at + 1) === BLANK || this.#code(at + 1) === LINE_END);
  }

  // --- fields and lists, one a line ----------------------------------------------------------------------------------

  #mapping(depth: number, fields: Record<string, Yaml>): Record<string, Yaml> {
    if (depth > MAX_DEPTH) decline();
    const column = this.#column;
    while (this.#column === column) {
      const colon = this.#colon(this.#content);
      if (colon === -1) decline();
      const key = NAMES.of(this.#text.slice(this.#content, colon)) ?? decline();
      if (key in fields && Object.hasOwn(fields, key)) decline(); // it stands there twice
      fields[key] = this.#fieldValue(colon + 1, column, depth);
    }
    return this.#column > column ? decline() : fields;
  }

  #fieldValue(from: number, parent: number, depth: number): Yaml {
    const start = this.#afterBlanks(from);
    if (this.#isContent(start)) return this.#value(start, parent);
    this.#next();
    if (this.#column >= parent && this.#isDash()) return this.#list(depth + 1);
    return this.#column > parent ? this.#mapping(depth + 1, {}) : null;
  }

  #list(depth: number): readonly Yaml[] {
    if (depth > MAX_DEPTH) decline();
    const column = this.#column;
    const members: Yaml[] = [];
    while (this.#column === column && this.#isDash()) members.push(this.#member(column, depth));
    return this.#column > column ? decline() : members;
  }

  #member(parent: number, depth: number): Yaml {
    const start = this.#afterBlanks(this.#content + 1);
    if (this.#colon(start) === -1) return this.#value(start, parent);
    this.#content = start;
    this.#column = start - this.#lineStart;
    const fields = this.#mapping(depth + 1, {});
    return this.#column > parent ? decline() : fields;
  }

  // --- values that begin on the current line -------------------------------------------------------------------------

  #value(start: number, parent: number): Yaml {
    const first = this.#code(start);
    if (first === VERTICAL_BAR) return this.#literal(start, parent);
    const value = first === OPENING_BRACKET ? this.#inBrackets(start) : this.#inline(start, first);
    this.#demandEnd(parent);
    return value;
  }

  #inline(start: number, first: number): Yaml {
    if (first === DOUBLE_QUOTE) return this.#doubleQuoted(start);
    if (first === SINGLE_QUOTE) return this.#singleQuoted(start);
    if (first === OPENING_BRACE) return this.#match(NOTHING_IN_BRACES, start) && {};
    return INDICATORS.has(first) ? decline() : scalar(this.#plain(start));
  }

  /** A plain text up to the end of the line or a comment. */
  #plain(start: number): string {
    let end = start;
    for (let at = start; at < this.#lineEnd; at += 1) {
      const code = this.#code(at);
      if (code === HASH && this.#code(at - 1) === BLANK) break;
      if (code === COLON && this.#isColon(at)) decline();
      if (code !== BLANK) end = at + 1;
    }
    this.#end = end;
    return end === start ? decline() : this.#text.slice(start, end);
  }

  #doubleQuoted(start: number): string {
    const source = this.#match(DOUBLE_QUOTED, start);
    return source.includes('\\') ? JSON.parse(source) : source.slice(1, -1); // JSON's escapes are YAML's too
  }

  #singleQuoted(start: number): string {
    const inner = this.#match(SINGLE_QUOTED, start).slice(1, -1);
    return inner.includes("'") ? inner.replaceAll("''", "'") : inner;
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    const source = pattern.exec(this.#text)?.[0] ?? decline();
    this.#end = at + source.length;
    return source;
  }

  #inBrackets(start: number): readonly Yaml[] {
    const members: Yaml[] = [];
    let at = this.#afterBlanks(start + 1);
    while (this.#text[at] !== ']' || members.length > 0) {
      members.push(this.#inFlow(at));
      at = this.#afterBlanks(this.#end);
      if (this.#text[at] === ']') break;
      if (this.#text[at] !== ',') decline();
      at = this.#afterBlanks(at + 1);
    }
    this.#end = at + 1;
    return members;
  }

  #inFlow(at: number): Yaml {
    const first = this.#code(at);
    if (first === DOUBLE_QUOTE) return this.#doubleQuoted(at);
    if (first === SINGLE_QUOTE) return this.#singleQuoted(at);
    return scalar(withoutTrailingBlanks(this.#match(MEMBER, at)));
  }

  /** A text of several lines after `|`, `|-` or `|+`. */
  #literal(start: number, parent: number): string {
    const header = this.#match(LITERAL, start);
    const first = this.#lineEnd + 1;
    const content = this.#afterBlanks(first);
    const indent = content - first;
    if (indent <= parent || this.#code(content) === LINE_END) decline();
    const lines = this.#linesBelow(indent);
    const kept = lines.findLastIndex((line) => line !== '') + 1;
    this.#nextNotBelow(parent);
    const ending = header === '|-' ? 0 : header === '|' ? 1 : lines.length - kept + 1;
    return lines.slice(0, kept).join('\n') + '\n'.repeat(ending);
  }

  /**
   * Returns the lines below that are blank or indented at least this far, without their indent; moves to the last one.
   */
  #linesBelow(indent: number): readonly string[] {
    const lines: string[] = [];
    while (this.#lineEnd + 1 < this.#to) {
      const start = this.#lineEnd + 1;
      const content = this.#afterBlanks(start);
      if (content < start + indent && this.#code(content) !== LINE_END) break;
      this.#lineEnd = this.#text.indexOf('\n', content);
      lines.push(this.#text.slice(Math.min(start + indent, this.#lineEnd), this.#lineEnd));
    }
    return lines;
  }
}

function scalar(text: string): Yaml {
  const value = plainScalar(text);
  return value === undefined ? decline() : value;
}

function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === BLANK) end -= 1;
  return text.slice(0, end);
}
