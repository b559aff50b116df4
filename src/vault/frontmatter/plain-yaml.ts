import type { Frontmatter, Yaml } from '../records/values.ts';

/*
 * Nearly all frontmatter is a small part of YAML: one field a line, lists, nested fields, texts plain, quoted or as
 * `|` blocks. A reader of only that takes a fraction of the time of a whole YAML reader, which is most of what a start
 * over ten thousand notes would take.
 *
 * LAW: it gives exactly what js-yaml gives by its core schema, or declines. It declines whatever it is not sure of, all
 * errors among it: what is wrong with a note is for the whole reader to say.
 */

/** So short that no limit of the whole reader (values, depth) is reached. */
const MAX_CHARS = 16 * 1024;
const MAX_DEPTH = 20;
/** Tabs, carriage returns, and whatever some reader takes for a line end, a blank, or not for text. */
const UNUSUAL = /[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
/** No desert of blanks, for which the whole reader refuses a note: shorter runs come to less in so few characters. */
const DESERT = /[ \n]{64}/;

/** The fields of a frontmatter in plain YAML (its lines, each ended by `\n`), or null where it is anything but plain. */
export function plainYaml(yaml: string): Frontmatter | null {
  if (yaml.length > MAX_CHARS || !yaml.endsWith('\n') || UNUSUAL.test(yaml) || DESERT.test(yaml)) return null;
  try {
    return new Reader(yaml).fields();
  } catch (error) {
    if (error instanceof Declined) return null;
    throw error;
  }
}

class Declined extends Error {}

function decline(): never {
  throw new Declined();
}

const LINE_END = 10;
const BLANK = 32;
const HASH = 35;
const DASH = 45;
const COLON = 58;

const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"/y;
const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/y;
const NOTHING_IN_BRACES = /\{\}/y;
/** A plain text among others in brackets, with the blanks behind it. */
const MEMBER = /[^\s,[\]{}:#&*!|>'"%@`?-][^,[\]{}:#'"\n]*/y;
const LITERAL = /\|[-+]?(?=\n)/y;
/** What a plain text does not begin with, or only sometimes. */
const INDICATORS = new Set(',[]{}:#&*!|>\'"%@`?-');

/** Goes through the text from one line with content to the next. */
class Reader {
  readonly #text: string;
  /** The line at hand: where it begins, where its content does, and where it ends. */
  #lineStart = 0;
  #content = 0;
  #lineEnd = -1;
  /** How deep the content stands; -1 behind the last line. */
  #column = 0;
  /** Where the value ends that was read last. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next();
  }

  fields(): Frontmatter {
    return this.#column === 0 ? this.#mapping(0, Object.create(null)) : decline();
  }

  // --- lines ---------------------------------------------------------------------------------------------------------

  /** On to the next line that is neither blank nor a comment. */
  #next(): void {
    while (this.#lineEnd + 1 < this.#text.length) {
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = this.#text.indexOf('\n', this.#lineStart);
      this.#content = this.#behindBlanks(this.#lineStart);
      this.#column = this.#content - this.#lineStart;
      if (this.#isContent(this.#content)) return;
    }
    this.#column = -1;
  }

  #isContent(at: number): boolean {
    const code = this.#code(at);
    return code !== LINE_END && code !== HASH;
  }

  /** Behind a value: nothing more may stand on its line, and no line may go on with it. */
  #demandEnd(parent: number): void {
    const rest = this.#behindBlanks(this.#end);
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

  #behindBlanks(from: number): number {
    let at = from;
    while (this.#code(at) === BLANK) at += 1;
    return at;
  }

  #isDash(): boolean {
    return this.#column >= 0 && this.#code(this.#content) === DASH && this.#code(this.#content + 1) === BLANK;
  }

  /** Where the colon of a key stands that begins at `from`, or -1 where none does. */
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
      const key = this.#text.slice(this.#content, colon);
      if (colon === -1 || key in fields || WORDS.has(key)) decline(); // there, or inherited: for the whole reader
      fields[key] = this.#fieldValue(colon + 1, column, depth);
    }
    return this.#column > column ? decline() : fields;
  }

  #fieldValue(from: number, parent: number, depth: number): Yaml {
    const start = this.#behindBlanks(from);
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
    const start = this.#behindBlanks(this.#content + 1);
    if (this.#colon(start) === -1) return this.#value(start, parent);
    this.#content = start;
    this.#column = start - this.#lineStart;
    const fields = this.#mapping(depth + 1, {});
    return this.#column > parent ? decline() : fields;
  }

  // --- values that begin on the line at hand --------------------------------------------------------------------------

  #value(start: number, parent: number): Yaml {
    const first = this.#text[start];
    if (first === '|') return this.#literal(start, parent);
    const value = first === '[' ? this.#inBrackets(start) : this.#inline(start);
    this.#demandEnd(parent);
    return value;
  }

  #inline(start: number): Yaml {
    const first = this.#text[start] ?? '';
    if (first === '"') return this.#doubleQuoted(start);
    if (first === "'") return this.#singleQuoted(start);
    if (first === '{') return this.#match(NOTHING_IN_BRACES, start) && {};
    return INDICATORS.has(first) ? decline() : resolved(this.#plain(start));
  }

  /** A plain text up to the line's end or a comment. */
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
    let at = this.#behindBlanks(start + 1);
    while (this.#text[at] !== ']' || members.length > 0) {
      members.push(this.#inFlow(at));
      at = this.#behindBlanks(this.#end);
      if (this.#text[at] === ']') break;
      if (this.#text[at] !== ',') decline();
      at = this.#behindBlanks(at + 1);
    }
    this.#end = at + 1;
    return members;
  }

  #inFlow(at: number): Yaml {
    const first = this.#text[at];
    if (first === '"') return this.#doubleQuoted(at);
    if (first === "'") return this.#singleQuoted(at);
    return resolved(withoutBlanksBehind(this.#match(MEMBER, at)));
  }

  /** A text of several lines behind `|`, `|-` or `|+`. */
  #literal(start: number, parent: number): string {
    const header = this.#match(LITERAL, start);
    const first = this.#lineEnd + 1;
    const content = this.#behindBlanks(first);
    const indent = content - first;
    if (indent <= parent || this.#code(content) === LINE_END) decline();
    const lines = this.#linesBelow(indent);
    const kept = lines.findLastIndex((line) => line !== '') + 1;
    this.#nextNotBelow(parent);
    const ending = header === '|-' ? 0 : header === '|' ? 1 : lines.length - kept + 1;
    return lines.slice(0, kept).join('\n') + '\n'.repeat(ending);
  }

  /** The lines below that are indented as deep or blank, without their indent; the last of them is then at hand. */
  #linesBelow(indent: number): readonly string[] {
    const lines: string[] = [];
    while (this.#lineEnd + 1 < this.#text.length) {
      const start = this.#lineEnd + 1;
      const content = this.#behindBlanks(start);
      if (content < start + indent && this.#code(content) !== LINE_END) break;
      this.#lineEnd = this.#text.indexOf('\n', content);
      lines.push(this.#text.slice(Math.min(start + indent, this.#lineEnd), this.#lineEnd));
    }
    return lines;
  }
}

function withoutBlanksBehind(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === BLANK) end -= 1;
  return text.slice(0, end);
}

// --- what a plain text means by the core schema --------------------------------------------------------------------------

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const LONGEST_WORD = 5;
const NUMBER = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
/** Whatever else the core schema takes for a number, and some that it does not. */
const OTHER_NUMBER = /^[-+]?(?:0b[01]*|0o[0-7]*|0x[0-9a-f]*|[0-9]*(?:\.[0-9]*)?(?:e[-+]?[0-9]*)?|\.inf|\.nan)$/i;

function resolved(text: string): Yaml {
  if (!beginsNumber(text.charCodeAt(0))) return text.length <= LONGEST_WORD ? wordOr(text) : text;
  if (NUMBER.test(text)) return Number(text);
  return OTHER_NUMBER.test(text) ? decline() : text;
}

function wordOr(text: string): Yaml {
  const word = WORDS.get(text);
  return word === undefined ? text : word;
}

/** A digit, a sign or a point. */
function beginsNumber(code: number): boolean {
  return isDigit(code) || code === 43 || code === DASH || code === 46;
}

/** A letter, a digit, `_` or `-`. */
function isInKey(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 95 || code === DASH;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
