import { fold } from '../vault/note-names.ts';
import { extractOf, type Finding, found, notFound, type Source } from './files.ts';
import type { PlacedPart, Row, Table } from './formats.ts';
import { miniSearch } from './formats-json.ts';

/** What rows are filtered by. */
export type Condition =
  | Compared
  | { readonly kind: 'and'; readonly parts: readonly Condition[] }
  | { readonly kind: 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition };

/** One comparison. `loose`: the value is a word without quotes, which may say something else than a text. */
interface Compared {
  readonly kind: 'compare';
  readonly field: string;
  readonly op: Comparison;
  readonly to: Literal;
  readonly loose?: true;
}

/** The comparisons that a condition may make. */
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
type Comparison = (typeof COMPARISONS)[number];

/** A value to compare with. */
type Literal = string | number | boolean | null;

/** Returns whether a row matches. Where it lacks the field, neither a comparison nor its negation matches. */
export function holds(condition: Condition, row: Row): boolean {
  if (condition.kind === 'not') return !holds(condition.part, row) && hasEach(fieldsIn(condition.part), row);
  if (condition.kind === 'and') return condition.parts.every((part) => holds(part, row));
  if (condition.kind === 'or') return condition.parts.some((part) => holds(part, row));
  const found = fieldOf(row.value, condition.field);
  return found.there && compare(found.value, condition.op, condition.to, row.isText);
}

/** Returns the comparisons of a condition. */
function comparisonsIn(condition: Condition): readonly Compared[] {
  if (condition.kind === 'compare') return [condition];
  return condition.kind === 'not' ? comparisonsIn(condition.part) : condition.parts.flatMap(comparisonsIn);
}

/** Returns the fields of a condition. */
export function fieldsIn(condition: Condition): readonly string[] {
  return [...new Set(comparisonsIn(condition).map(({ field }) => field))];
}

/** Returns the members of a row on which a condition depends, each field by its whole name and as the start of a path. */
export function keysAsked(condition: Condition): readonly string[] {
  // A word without quotes may be the name of a field as well.
  const words = comparisonsIn(condition).flatMap(({ loose, to }) => (loose && typeof to === 'string' ? [to] : []));
  return [...new Set([...fieldsIn(condition), ...words].flatMap((field) => [field, ...pathOf(field).slice(0, 1)]))];
}

/** Returns whether a row has each of some fields. */
export function hasEach(fields: readonly string[], { value }: Row): boolean {
  return fields.every((field) => fieldOf(value, field).there);
}

/** Returns the comparisons of a condition that ask for an order. */
export function ordersIn(condition: Condition): readonly Compared[] {
  return comparisonsIn(condition).filter(({ op }) => op !== '==' && op !== '!=');
}

/** Returns whether a row has a value that cannot be ordered against a comparison's, such as a text and a number. */
export function isIncomparable({ field, op, to }: Compared, row: Row): boolean {
  const found = fieldOf(row.value, field);
  if (!found.there) return false;
  const [left, right] = converted(found.value, to, row.isText, op);
  return typeof left !== typeof right || !['number', 'string'].includes(typeof left);
}

type Found = { readonly there: true; readonly value: unknown } | { readonly there: false };

/** Looks a field up by its whole name or by a path such as `a.b[0].c`. */
function fieldOf(row: unknown, field: string): Found {
  const whole = own(row, field);
  if (whole.there) return whole;
  return pathOf(field).reduce<Found>((found, part) => (found.there ? own(found.value, part) : found), {
    there: true,
    value: row,
  });
}

/** Returns the parts of a path: `a.b[0]["c"]` is a, b, 0, c. */
export function pathOf(field: string): readonly string[] {
  return field
    .split(/[.[\]]/)
    .map((part) => part.trim().replace(/^["']|["']$/g, ''))
    .filter((part) => part !== '');
}

function own(value: unknown, key: string): Found {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return { there: false };
  return { there: true, value: Reflect.get(value, key) };
}

/** Compares numbers as numbers, texts as texts, and dates as moments. Values of different kinds are only unequal. */
function compare(value: unknown, op: Comparison, to: Literal, isText: boolean): boolean {
  const [left, right] = converted(value, to, isText, op);
  if (op === '==') return left === right;
  if (op === '!=') return left !== right;
  if (typeof left === 'number' && typeof right === 'number') return ordered(left, op, right);
  return typeof left === 'string' && typeof right === 'string' && ordered(left, op, right);
}

function ordered<One extends number | string>(left: One, op: Comparison, right: One): boolean {
  if (op === '<') return left < right;
  if (op === '<=') return left <= right;
  return op === '>' ? left > right : left >= right;
}

function converted(value: unknown, to: Literal, isText: boolean, op: Comparison): readonly [unknown, unknown] {
  if (isText && typeof value === 'string') {
    if (typeof to === 'number') return [numberIn(value) ?? value, to];
    if (typeof to === 'boolean') return [value.toLowerCase(), String(to)];
    if (to === null) return [value, ''];
  }
  const isOrder = op !== '==' && op !== '!=';
  const moment = isOrder && typeof to === 'string' ? momentIn(to) : null;
  // A text that is no date, as an empty one, is neither before nor after a date.
  if (moment !== null && typeof value === 'string') return [momentIn(value), moment];
  return [value, to];
}

function numberIn(text: string): number | null {
  return /^[+-]?(?=\.?\d)\d*(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : null;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a text is a date, or a date with a time. */
function isMoment(text: string): boolean {
  return momentIn(text) !== null;
}

// A time without an offset is taken as UTC, so that the answer is the same everywhere.
function momentIn(text: string): number | null {
  if (!MOMENT.test(text)) return null;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) || text.length === 10;
  const at = Date.parse(zoned ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : at;
}

/** A piece of a request: a word, a text in quotes, a comparison or a bracket. */
interface Word {
  readonly kind: 'word' | 'quoted' | 'sign';
  /** The text without its quotes. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

// An apostrophe within a word, as in "what's", opens no quotes.
const WORD =
  /"(?<double>[^"]{0,100})"|(?<!\p{L})'(?<single>[^']{0,100})'|`(?<code>[^`]{0,100})`|“(?<curly>[^”]{0,100})”|‘(?<curled>[^’]{0,100})’|(?<sign>===|!==|==|!=|<>|<=|>=|&&|\|\||[≠≤≥<>=()!])|(?<word>(?:[^\s"'`“”‘’≠≤≥<>=()!&|]|(?<=\p{L})['’](?=\p{L}))+|[^\s])/gu;

/** Returns the words of a request. Quoted text is one word. */
export function requestWords(request: string): readonly Word[] {
  return [...request.matchAll(WORD)].map(({ 0: all, index, groups = {} }) => {
    const { sign, word, ...quotes } = groups;
    const quoted = Object.values(quotes).find((text) => text !== undefined);
    const kind = quoted !== undefined ? 'quoted' : sign !== undefined ? 'sign' : 'word';
    return { kind, text: quoted ?? sign ?? word ?? '', from: index, to: index + all.length };
  });
}

/** Returns whether a piece is one of these words, unquoted, in upper or lower case. */
export function isWord(piece: Word | undefined, ...words: readonly string[]): boolean {
  return piece?.kind === 'word' && words.includes(piece.text.toLowerCase());
}

const SIGNS: Readonly<Record<string, Comparison>> = {
  '==': '==',
  '===': '==',
  '=': '==',
  '!=': '!=',
  '!==': '!=',
  '<>': '!=',
  '≠': '!=',
  '<': '<',
  '<=': '<=',
  '≤': '<=',
  '>': '>',
  '>=': '>=',
  '≥': '>=',
};
/** The words for each sign; "is" may stand before them. */
const SAID: Readonly<Record<Comparison, readonly string[]>> = {
  '==': ['equal to', 'equals to', 'equals', 'equal', 'exactly', 'of', 'the same as'],
  '!=': ['not equal to', 'does not equal', 'not', 'different from', 'other than'],
  '<=': ['less than or equal to', 'smaller than or equal to', 'at most', 'no more than', 'not more than', 'up to'],
  '>=': ['greater than or equal to', 'more than or equal to', 'at least', 'no less than', 'not less than'],
  '<': ['less than', 'smaller than', 'lower than', 'fewer than', 'below', 'under', 'before'],
  '>': ['greater than', 'more than', 'larger than', 'bigger than', 'higher than', 'above', 'over', 'after'],
};
/** Longer ones first, so that "at least" is not taken for less. */
const OPERATORS = COMPARISONS.flatMap((op) =>
  SAID[op].flatMap((text) => [`is ${text}`, `are ${text}`, text].map((said) => ({ words: said.split(' '), op }))),
)
  .concat([
    { words: ['is'], op: '==' },
    { words: ['are'], op: '==' },
  ])
  .sort((one, other) => other.words.length - one.words.length);
const MAX_DEPTH = 20;

/** Parses a condition: comparisons joined by and, or, not and brackets. Returns null where the words are not one. */
export function parseCondition(words: readonly Word[]): Condition | null {
  const reader = new Reader(words);
  const condition = reader.any(0);
  return reader.atEnd ? condition : null;
}

class Reader {
  readonly #words: readonly Word[];
  #at = 0;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  get atEnd(): boolean {
    return this.#at === this.#words.length;
  }

  any(depth: number): Condition | null {
    return this.#joined('or', ['or'], '||', () => this.#all(depth));
  }

  #all(depth: number): Condition | null {
    return this.#joined('and', ['and'], '&&', () => this.#one(depth));
  }

  #joined(kind: 'and' | 'or', names: readonly string[], sign: string, read: () => Condition | null): Condition | null {
    const parts: Condition[] = [];
    do {
      const part = read();
      if (part === null) return null;
      parts.push(part);
    } while (this.#takeWord(...names) || this.#takeSign(sign));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind, parts };
  }

  #one(depth: number): Condition | null {
    if (depth > MAX_DEPTH) return null;
    if (this.#takeWord('not') || this.#takeSign('!')) {
      const part = this.#one(depth + 1);
      return part === null ? null : { kind: 'not', part };
    }
    if (!this.#takeSign('(')) return this.#comparison();
    const inner = this.any(depth + 1);
    return this.#takeSign(')') ? inner : null;
  }

  #comparison(): Condition | null {
    const field = this.#take();
    if (field === null || field.kind === 'sign' || pathOf(field.text).length === 0) return null;
    const op = this.#operator();
    const literal = op === null ? null : this.#take();
    if (op === null || literal === null || literal.kind === 'sign') return null;
    const to = literalOf(literal);
    const isLoose = literal.kind === 'word' && typeof to === 'string';
    // What is over "1,000", "average" or another field is for somebody who understands it.
    if (isLoose && op !== '==' && op !== '!=' && !isMoment(to)) return null;
    return { kind: 'compare', field: field.text, op, to, ...(isLoose ? { loose: true } : {}) };
  }

  #operator(): Comparison | null {
    const said = OPERATORS.find(({ words }) => this.#takeWords(words));
    if (said !== undefined) return said.op;
    const sign = this.#words[this.#at];
    const op = sign?.kind === 'sign' ? SIGNS[sign.text] : undefined;
    if (op === undefined) return null;
    this.#at += 1;
    return op;
  }

  #take(): Word | null {
    const word = this.#words[this.#at];
    if (word === undefined) return null;
    this.#at += 1;
    return word;
  }

  #takeWord(...names: readonly string[]): boolean {
    const fits = isWord(this.#words[this.#at], ...names);
    if (fits) this.#at += 1;
    return fits;
  }

  /** Takes words that follow each other, or none of them. */
  #takeWords(words: readonly string[]): boolean {
    const fits = words.every((word, nth) => isWord(this.#words[this.#at + nth], word));
    // What is left must still hold a value: in "status is over", over is one.
    if (!fits || this.#words.length <= this.#at + words.length) return false;
    this.#at += words.length;
    return true;
  }

  #takeSign(sign: string): boolean {
    const word = this.#words[this.#at];
    const fits = word?.kind === 'sign' && word.text === sign;
    if (fits) this.#at += 1;
    return fits;
  }
}

/** Returns what a person means by a value. In quotes it is always a text. */
function literalOf({ kind, text }: Word): Literal {
  if (kind === 'quoted') return text;
  const folded = text.toLowerCase();
  if (folded === 'true' || folded === 'false') return folded === 'true';
  if (folded === 'null') return null;
  return /^[+-]?(?=\.?\d)\d*(?:\.\d*)?(?:e[+-]?\d+)?$/.test(folded) ? Number(text) : text;
}

/** A request that can be answered without a model. `file` is the name as written. */
export type Query = { readonly file: string } & (RowsAsked | PartAsked | LinesAsked);

/** Rows are counted or, as `rows`, shown. */
export interface RowsAsked {
  readonly kind: 'count' | 'rows';
  readonly where: Condition | null;
  readonly whereText: string;
}

/** A value, or whatever has a name. */
export interface PartAsked {
  readonly kind: 'value' | 'show';
  readonly name: string;
  /** What it was called, such as `class`; empty where nothing was said. */
  readonly noun?: string;
  /** The words may be a question rather than a name: finding nothing then says nothing. */
  readonly maybe?: true;
}

/** Lines by number. A negative number counts from the end: -1 is the last line. */
export interface LinesAsked {
  readonly kind: 'lines';
  readonly first: number;
  readonly last: number;
}

/** Words that say something about a value, where no row holds them as one. */
const ABOUT_VALUES =
  /^(?:(?:un|non-?)?(?:empty|set|defined|specified|known|given|blank|missing|absent|present|available|assigned|valid)|invalid|none|nothing|nil|n\/a|na|nan|yes|no|on|off|even|odd|positive|negative|numeric|unique|distinct|duplicated?s?|max|maximum|min|minimum|highest|lowest|largest|smallest|greatest|least|most|average|median|mean|today|yesterday|tomorrow|now|recent|past|future|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|same|different)$/i;
const LIKE_A_NUMBER = /^[+\-~]?\p{Sc}?\.?\d/u;

/**
 * Whether a word of a condition may mean something else than the text that it is: no row holds that text, and it is said
 * of values rather than being one (`empty`), names another field, is a number in a form of its own (`1,000`), or differs
 * from a value in upper and lower case alone. To count none would then be a guess.
 */
export function isDoubtful(where: Condition, tables: readonly Pick<Table, 'rows'>[]): boolean {
  const loose = comparisonsIn(where).filter((one) => one.loose === true);
  if (loose.length === 0) return false;
  const rows = tables.flatMap((table) => table.rows);
  return loose.some((one) => isWordDoubtful(one, rows));
}

function isWordDoubtful({ field, op, to }: Compared, rows: Table['rows']): boolean {
  if (typeof to !== 'string' || (op !== '==' && op !== '!=')) return false;
  const values = new Set(rows.flatMap(({ value }) => textIn(value, field)));
  if (values.has(to)) return false;
  if (ABOUT_VALUES.test(to) || (LIKE_A_NUMBER.test(to) && !isMoment(to))) return true;
  return rows.some(({ value }) => fieldOf(value, to).there) || [...values].some((one) => fold(one) === fold(to));
}

function textIn(row: unknown, field: string): string[] {
  const found = fieldOf(row, field);
  return found.there && typeof found.value === 'string' ? [found.value] : [];
}

const MOST_LETTERS = 100;
/** What could end a line, or pass for a mark of an answer or for a request. */
const NO_NAME = /[\p{C}\p{Zl}\p{Zp}`[\]|]+/gu;

/** Returns what a part is called, as `method Store.load` or `section Setup`. One line, whatever its name holds. */
export function partTitle({ noun, kind, path }: Pick<PlacedPart, 'noun' | 'kind' | 'path'>): string {
  const name = (kind === 'heading' ? (path.at(-1) ?? '') : path.join('.'))
    .replace(NO_NAME, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${noun} ${name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}…` : name}`.trim();
}

/** A few consecutive lines that can be found. */
interface Passage {
  readonly id: number;
  readonly source: Source;
  readonly first: number;
  readonly last: number;
  readonly text: string;
  /** The file's path. Its words count too, but less. */
  readonly path: string;
}

const MAX_LINES = 12;
const MAX_PASSAGES = 20_000;
const MAX_HITS = 5;
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an the of for to in on at by and or with from is are was were be it this that what which who how when where why do does did please find show tell me us all any there file files'.split(
    ' ',
  ),
);

/**
 * Returns the passages that share the most distinctive words with a request, best first. They may not answer it. Each
 * source is asked for once, and only those that hold a word of the request are kept.
 */
export function search(request: string, sources: Iterable<Source>): Finding {
  const checked: string[] = [];
  const all: Passage[] = [];
  const words = [...new Set(termsOf(request))];
  for (const source of sources) {
    checked.push(source.path);
    if (words.length > 0) for (const passage of passagesWith(words, source)) all.push(passage);
  }
  if (words.length === 0) return notFound(['The request holds no word to search for.'], checked);
  const passages = all.slice(0, MAX_PASSAGES);
  const MiniSearch = miniSearch();
  const index = new MiniSearch<Passage>({ fields: ['text', 'path'], tokenize: termsOf, processTerm: (term) => term });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  const hits = index
    .search(words.join(' '), { prefix: (term) => term.length > 4, boost: { text: 4 } })
    .slice(0, MAX_HITS);
  const extracts = hits.flatMap(({ id }) => {
    const passage = passages[Number(id)];
    return passage === undefined ? [] : [extractOf(passage.source, passage.first, passage.last)];
  });
  if (extracts.length === 0) return notFound(['No passage holds a word of the request.'], checked);
  const left =
    all.length > MAX_PASSAGES
      ? [`Only the first ${MAX_PASSAGES} of ${all.length} passages that hold a word of it were compared.`]
      : [];
  return found({
    statements: ['A search for the words of the request; whether these passages answer it was not judged.', ...left],
    extracts,
    checked,
  });
}

/**
 * Returns the passages that hold a word of the request, or of which the path does; what else they hold is never asked. The
 * words are letters and figures alone.
 */
function passagesWith(words: readonly string[], source: Source): readonly Passage[] {
  const some = new RegExp(words.join('|'), 'iu');
  const holds = (text: string) => some.test(text.normalize('NFC'));
  if (holds(source.path)) return passagesOf(source);
  return holds(source.text) ? passagesOf(source).filter(({ text }) => holds(text)) : [];
}

/** Returns the paragraphs of a text. Long ones are split. */
function passagesOf(source: Source): readonly Passage[] {
  const passages: Passage[] = [];
  let first = 1;
  const close = (last: number) => {
    const text = source.lines.slice(first - 1, last).join('\n');
    if (text.trim() !== '') passages.push({ id: 0, source, first, last, text, path: source.path });
    first = last + 1;
  };
  for (const [index, line] of source.lines.entries()) {
    if (line.trim() === '') {
      close(index);
      first = index + 2;
    } else if (index + 2 - first >= MAX_LINES) close(index + 1);
  }
  close(source.lines.length);
  return passages;
}

/** Returns the words of a text. Names in code also count by their parts. */
function termsOf(text: string): string[] {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words
    .flatMap((word) => [word, ...(word.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? [])])
    .map((word) => word.toLowerCase())
    .filter(
      (word, at, all) => word.length > 1 && !SMALL_WORDS.has(word) && all.indexOf(word, Math.max(0, at - 8)) === at,
    );
}
