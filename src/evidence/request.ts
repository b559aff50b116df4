import { fold, stem } from '../vault/layout.ts';
import { cutExtract, type EvidenceSource, found, type LookupFinding, looksLikeFile, notFound } from './files.ts';
import { miniSearch, type PlacedPart } from './outline.ts';
import type { EvidenceTable, Row } from './rows.ts';

/** The marks of a message: fences, runs of backticks, openings of requests, and blank lines, which end inline code. */
const MARKS =
  /^ {0,3}(?<fence>`{3,}|~{3,})(?<rest>[^\n]*)|(?<run>`+)|(?<opening>\[\[\s{0,9}request\s{0,9}:)|(?<blank>(?:^[ \t]*\r?\n)+)/gim;
/** How many characters of a request have their brackets matched. A longer request ends at the first `]]`. */
const MAX_BALANCED = 2_000;

interface Mark {
  readonly kind: 'fence' | 'run' | 'opening' | 'blank';
  /** The backticks or tildes of a fence or run. */
  readonly ticks: string;
  /** For a fence: whether nothing follows it on its line. */
  readonly bare: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the requests in an agent's message, in order, each on one line. Requests in code, fenced or inline, do not
 * count, and neither do openings that are never closed.
 */
export function parseRequests(message: string): readonly string[] {
  const marks = marksOf(message);
  const lastEnd = message.lastIndexOf(']]');
  const requests: string[] = [];
  let past = 0;
  for (let index = 0; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark === undefined || mark.from < past) continue;
    if (mark.kind === 'fence') index = closingFence(marks, index);
    if (mark.kind === 'run') index = closingRun(marks, index);
    const end = mark.kind === 'opening' && mark.to <= lastEnd ? endOfRequest(message, mark.to) : null;
    if (end === null) continue;
    requests.push(
      message
        .slice(mark.to, end - 2)
        .replace(/\s+/g, ' ')
        .trim(),
    );
    past = end;
  }
  return requests.filter((request) => request !== '');
}

function marksOf(message: string): readonly Mark[] {
  return [...message.matchAll(MARKS)].map((match) => {
    const { fence, run, opening, rest = '' } = match.groups ?? {};
    const kind =
      fence !== undefined ? 'fence' : run !== undefined ? 'run' : opening !== undefined ? 'opening' : 'blank';
    const ticks = fence ?? run ?? '';
    return { kind, ticks, bare: rest.trim() === '', from: match.index, to: match.index + match[0].length };
  });
}

function closingFence(marks: readonly Mark[], opening: number): number {
  const ticks = marks[opening]?.ticks ?? '';
  for (let index = opening + 1; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark?.kind === 'fence' && mark.bare && mark.ticks.startsWith(ticks)) return index;
  }
  return marks.length;
}

/**
 * Returns the index of the mark that closes inline code: as many backticks in the same paragraph. Without one,
 * `opening`.
 */
function closingRun(marks: readonly Mark[], opening: number): number {
  const ticks = marks[opening]?.ticks;
  for (let index = opening + 1; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark?.kind === 'blank' || mark?.kind === 'fence') break;
    if (mark?.kind === 'run' && mark.ticks === ticks) return index;
  }
  return opening;
}

/** Returns the offset after the brackets that close a request. It may contain pairs, as in `a.b[0]` and `[[note]]`. */
function endOfRequest(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < Math.min(text.length, at + MAX_BALANCED); end += 1) {
    if (text[end] === '[') depth += 1;
    else if (text[end] === ']' && depth > 0) depth -= 1;
    else if (text.startsWith(']]', end)) return end + 2;
  }
  return text.indexOf(']]', at) + 2;
}

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

type Literal = string | number | boolean | null;

/** Returns whether a row matches. If it lacks the field, neither a comparison nor its negation matches. */
export function holds(condition: Condition, row: Row): boolean {
  if (condition.kind === 'not') return !holds(condition.part, row) && hasEach(listFields(condition.part), row);
  if (condition.kind === 'and') return condition.parts.every((part) => holds(part, row));
  if (condition.kind === 'or') return condition.parts.some((part) => holds(part, row));
  const found = fieldOf(row.value, condition.field);
  return found.there && compare(found.value, condition.op, condition.to, row.isText);
}

function comparisonsIn(condition: Condition): readonly Compared[] {
  if (condition.kind === 'compare') return [condition];
  return condition.kind === 'not' ? comparisonsIn(condition.part) : condition.parts.flatMap(comparisonsIn);
}

export function listFields(condition: Condition): readonly string[] {
  return [...new Set(comparisonsIn(condition).map(({ field }) => field))];
}

/** Returns whether a row has each of some fields. */
export function hasEach(fields: readonly string[], { value }: Row): boolean {
  return fields.every((field) => fieldOf(value, field).there);
}

/** Returns the comparisons of a condition that ask for an order. */
export function listOrders(condition: Condition): readonly Compared[] {
  return comparisonsIn(condition).filter(({ op }) => op !== '==' && op !== '!=');
}

/** Returns whether a row has a value that cannot be ordered against a comparison's, such as a text and a number. */
export function isIncomparable({ field, op, to }: Compared, row: Row): boolean {
  const found = fieldOf(row.value, field);
  if (!found.there) return false;
  const [left, right] = converted(found.value, to, row.isText, op);
  return typeof left !== typeof right || !['number', 'string'].includes(typeof left);
}

type FieldValue = { readonly there: true; readonly value: unknown } | { readonly there: false };

function fieldOf(row: unknown, field: string): FieldValue {
  const whole = own(row, field);
  if (whole.there) return whole;
  return splitFieldPath(field).reduce<FieldValue>((found, part) => (found.there ? own(found.value, part) : found), {
    there: true,
    value: row,
  });
}

/** Returns the parts of a path: `a.b[0]["c"]` is a, b, 0, c. */
export function splitFieldPath(field: string): readonly string[] {
  return field
    .split(/[.[\]]/)
    .map((part) => part.trim().replace(/^["']|["']$/g, ''))
    .filter((part) => part !== '');
}

function own(value: unknown, key: string): FieldValue {
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

function requestWords(request: string): readonly Word[] {
  return [...request.matchAll(WORD)].map(({ 0: all, index, groups = {} }) => {
    const { sign, word, ...quotes } = groups;
    const quoted = Object.values(quotes).find((text) => text !== undefined);
    const kind = quoted !== undefined ? 'quoted' : sign !== undefined ? 'sign' : 'word';
    return { kind, text: quoted ?? sign ?? word ?? '', from: index, to: index + all.length };
  });
}

function isWord(piece: Word | undefined, ...words: readonly string[]): boolean {
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
/** The words for each sign; "is" may be before them. */
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

/** Parses a condition: comparisons joined by and, or, not and brackets. Returns null if the words are no condition. */
function parseCondition(words: readonly Word[]): Condition | null {
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
    if (field === null || field.kind === 'sign' || splitFieldPath(field.text).length === 0) return null;
    const op = this.#operator();
    const literal = op === null ? null : this.#take();
    if (op === null || literal === null || literal.kind === 'sign') return null;
    const to = literalOf(literal);
    const isLoose = literal.kind === 'word' && typeof to === 'string';
    // A comparison with "1,000", "average" or another field needs somebody who understands it.
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

  #takeWords(words: readonly string[]): boolean {
    const fits = words.every((word, nth) => isWord(this.#words[this.#at + nth], word));
    // The rest must still contain a value: in "status is over", over is one.
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
export type Query = { readonly file: string } & (RowsQuery | PartQuery | LinesQuery);

/** Rows are counted or, as `rows`, shown. */
export interface RowsQuery {
  readonly kind: 'count' | 'rows';
  readonly where: Condition | null;
  readonly whereText: string;
}

/** A value, or whatever has a name. */
export interface PartQuery {
  readonly kind: 'value' | 'show';
  readonly name: string;
  /** The word for its kind, such as `class`; empty if unsaid. */
  readonly noun?: string;
  /** The words may be a question rather than a name: then it proves little that they aren't found. */
  readonly maybe?: true;
}

/** Lines by number. A negative number counts from the end: -1 is the last line. */
export interface LinesQuery {
  readonly kind: 'lines';
  readonly first: number;
  readonly last: number;
}

/** Words that describe a value, if no row contains them as one. */
const ABOUT_VALUES =
  /^(?:(?:un|non-?)?(?:empty|set|defined|specified|known|given|blank|missing|absent|present|available|assigned|valid)|invalid|none|nothing|nil|n\/a|na|nan|yes|no|on|off|even|odd|positive|negative|numeric|unique|distinct|duplicated?s?|max|maximum|min|minimum|highest|lowest|largest|smallest|greatest|least|most|average|median|mean|today|yesterday|tomorrow|now|recent|past|future|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|same|different)$/i;
const LIKE_A_NUMBER = /^[+\-~]?\p{Sc}?\.?\d/u;

/**
 * Whether a word of a condition may mean something else than its text: to count zero rows would then be a guess. No row
 * contains that text, and the word describes values rather than being one (`empty`), or names another field. Or it is a
 * number in a form of its own (`1,000`), or differs from a value in upper and lower case alone.
 */
export function isDoubtful(where: Condition, tables: readonly Pick<EvidenceTable, 'rows'>[]): boolean {
  const loose = comparisonsIn(where).filter((one) => one.loose === true);
  if (loose.length === 0) return false;
  const rows = tables.flatMap((table) => table.rows);
  return loose.some((one) => isWordDoubtful(one, rows));
}

function isWordDoubtful({ field, op, to }: Compared, rows: EvidenceTable['rows']): boolean {
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
/** Characters that could end a line, or look like part of an answer or a request. */
const NO_NAME = /[\p{C}\p{Zl}\p{Zp}`[\]|]+/gu;

/** Returns what a part is called, as `method Store.load` or `section Setup`. One line, whatever its name holds. */
export function partTitle({ noun, kind, path }: Pick<PlacedPart, 'noun' | 'kind' | 'path'>): string {
  const name = (kind === 'heading' ? (path.at(-1) ?? '') : path.join('.'))
    .replace(NO_NAME, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${noun} ${name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}…` : name}`.trim();
}

interface Passage {
  readonly id: number;
  readonly source: EvidenceSource;
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
 * source is asked for once, and only those that contain a word of the request are kept.
 */
export function search(request: string, sources: Iterable<EvidenceSource>): LookupFinding {
  const checked: string[] = [];
  const all: Passage[] = [];
  const words = [...new Set(termsOf(request))];
  for (const source of sources) {
    checked.push(source.path);
    if (words.length > 0) for (const passage of passagesWith(words, source)) all.push(passage);
  }
  if (words.length === 0) return notFound(['The request has no word to search for.'], checked);
  const passages = all.slice(0, MAX_PASSAGES);
  const MiniSearch = miniSearch();
  const index = new MiniSearch<Passage>({ fields: ['text', 'path'], tokenize: termsOf, processTerm: (term) => term });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  const hits = index
    .search(words.join(' '), { prefix: (term) => term.length > 4, boost: { text: 4 } })
    .slice(0, MAX_HITS);
  const extracts = hits.flatMap(({ id }) => {
    const passage = passages[Number(id)];
    return passage === undefined ? [] : [cutExtract(passage.source, passage.first, passage.last)];
  });
  if (extracts.length === 0) return notFound(['No passage has a word of the request.'], checked);
  const left =
    all.length > MAX_PASSAGES
      ? [`Only the first ${MAX_PASSAGES} of ${all.length} passages with a word of it were compared.`]
      : [];
  return found({
    statements: [
      "A search for the words of the request. Steward didn't check whether these passages answer it.",
      ...left,
    ],
    extracts,
    checked,
  });
}

/**
 * Returns the passages that contain a word of the request, or whose path does; their other words don't matter. The
 * words are letters and figures alone.
 */
function passagesWith(words: readonly string[], source: EvidenceSource): readonly Passage[] {
  const some = new RegExp(words.join('|'), 'iu');
  const holds = (text: string) => some.test(text.normalize('NFC'));
  if (holds(source.path)) return passagesOf(source);
  return holds(source.text) ? passagesOf(source).filter(({ text }) => holds(text)) : [];
}

function passagesOf(source: EvidenceSource): readonly Passage[] {
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

/** Stands in a phrase in the place of the file. */
const HOLE = '▢';
const MARK = /\uE000(\d{1,4})\uE001/g;
const OWN_SIGNS = /[\uE000\uE001▢]/gu;

/** A text that stood in quotes, with and without them. */
interface Quote {
  readonly written: string;
  readonly inner: string;
}

/** A request in which each text in quotes is one mark, so that nothing within quotes is taken for a word. */
interface PlainText {
  /** With single spaces, and without the signs that end a sentence. */
  readonly text: string;
  readonly quotes: readonly Quote[];
}

function plainText(request: string): PlainText {
  const clean = request.replace(OWN_SIGNS, ' ');
  const quoted = requestWords(clean).filter(({ kind }) => kind === 'quoted');
  const between = quoted.map(({ from }, nth) => `${clean.slice(quoted[nth - 1]?.to ?? 0, from)}\uE000${nth}\uE001`);
  const text = between.join('') + clean.slice(quoted.at(-1)?.to ?? 0);
  return {
    text: text
      .replace(/\s+/g, ' ')
      .replace(/^ /, '')
      .replace(/(?<=\S)[ .?!]{1,20}$/, ''),
    quotes: quoted.map(({ from, to, text: inner }) => ({ written: clean.slice(from, to), inner })),
  };
}

function written({ quotes }: PlainText, piece: string): string {
  return piece.replace(MARK, (_, nth) => quotes[Number(nth)]?.written ?? '').trim();
}

/** Returns the name that a piece of a plain text is: a text in quotes without them, or else the words as written. */
function nameIn(plain: PlainText, piece: string): string {
  const only = /^\uE000(\d{1,4})\uE001$/.exec(piece.trim())?.[1];
  return only === undefined ? written(plain, piece) : (plain.quotes[Number(only)]?.inner ?? '');
}

/** One way to read a request: the file that it names, and the rest with a hole in its place. */
interface FileReading {
  readonly file: string;
  readonly rest: string;
}

const MAX_WORDS = 300;
/** A request in which a file may be named in more ways is not clear. */
const MAX_READINGS = 8;
const STRONG: ReadonlySet<string> = new Set(['in', 'from', 'inside', 'within', 'at']);
const BEFORE_FILE: ReadonlySet<string> = new Set(['the', 'file', 'module', 'script']);

/** Returns the ways in which a request may name its file, the likeliest first. */
function fileReadings(plain: PlainText): readonly FileReading[] {
  const words = plain.text.split(' ');
  if (words.length > MAX_WORDS || plain.text === '') return [];
  const last = [...words.keys()].toReversed();
  const strong = last.filter((at) => STRONG.has(lower(words[at])));
  const weak = last.filter((at) => lower(words[at]) === 'of');
  const likely = (at: number) => isFile(plain, words[fileAfter(words, at)]);
  const readings = [
    ...(STRONG.has(lower(words[0])) ? atFront(plain, words) : []),
    ...[...strong.filter(likely), ...weak.filter(likely)].flatMap((at) => oneWord(plain, words, at)),
    ...last
      .filter((at) => isFile(plain, words[at]) && !isLed(words[at - 1]))
      .flatMap((at) => withHole(plain, words, at, at, at + 1)),
    ...[...strong.slice(0, 1), ...weak.slice(0, 1)].flatMap((at) => toTheEnd(plain, words, at)),
  ];
  return readings.slice(0, MAX_READINGS);
}

/** "In FILE, count rows": the file is first, whatever its name looks like. */
function atFront(plain: PlainText, words: readonly string[]): readonly FileReading[] {
  const at = fileAfter(words, 0);
  const rest = words[at + 1] === ',' ? at + 2 : at + 1;
  return rest >= words.length ? [] : withHole(plain, words, at, 0, rest);
}

function oneWord(plain: PlainText, words: readonly string[], at: number): readonly FileReading[] {
  const file = fileAfter(words, at);
  return withHole(plain, words, file, at, file + 1);
}

/** A name with spaces, or without an extension. */
function toTheEnd(plain: PlainText, words: readonly string[], at: number): readonly FileReading[] {
  const from = fileAfter(words, at);
  const file = nameIn(plain, words.slice(from).join(' '));
  return file === '' || at === 0 ? [] : [{ file, rest: [...words.slice(0, at), HOLE].join(' ') }];
}

function withHole(
  plain: PlainText,
  words: readonly string[],
  file: number,
  from: number,
  to: number,
): readonly FileReading[] {
  const name = nameIn(plain, bare(words[file] ?? ''));
  return name === '' ? [] : [{ file: name, rest: [...words.slice(0, from), HOLE, ...words.slice(to)].join(' ') }];
}

function fileAfter(words: readonly string[], at: number): number {
  let next = at + 1;
  while (next < words.length - 1 && BEFORE_FILE.has(lower(words[next]))) next += 1;
  return next;
}

/** A word that leads to a file was read with it already. */
function isLed(before: string | undefined): boolean {
  return STRONG.has(lower(before)) || lower(before) === 'of';
}

function isFile(plain: PlainText, word: string | undefined): boolean {
  return word !== undefined && looksLikeFile(nameIn(plain, bare(word)));
}

/** A comma or a colon behind a name is not of the name. */
function bare(word: string): string {
  return word.replace(/[,:;]$/, '');
}

function lower(word: string | undefined): string {
  return word?.toLowerCase() ?? '';
}

const RANGE =
  /^(?:between |from )?(?:the )?(?:exact )?(?:lines?|ll?\.) ?(?:numbers? )?L?(\d{1,9})(?: ?(?:-|–|—|\.\.|to|through|thru|until|till) ?(?:line )?L?(\d{1,9}))?$/i;
const BETWEEN = /^(?:the )?(?:lines )?between (?:lines? )?(\d{1,9}) and (?:line )?(\d{1,9})$/i;
const SHORT = /^L(\d{1,9})(?: ?[-–] ?L?(\d{1,9}))?$/i;
const FIRST = /^(?:the )?(?:first|top|head) (?:(\d{1,9}|[a-z]{3,5}) )?lines?$/i;
const LAST = /^(?:the )?(?:last|bottom|final|tail) (?:(\d{1,9}|[a-z]{3,5}) )?lines?$/i;
const HEAD = /^head (?:-n ?|-|--lines[= ])?(\d{1,9})$/i;
const TAIL = /^tail (?:-n ?|-|--lines[= ])?(\d{1,9})$/i;
const PLACE = /^(.{1,400}?)(?::|#)(?:L|line )?(\d{1,9})(?:[-–]L?(\d{1,9}))?$/i;
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Returns the lines that a phrase without its file asks for; null if it asks for something else. */
function parseLinesQuery(words: string): LinesQuery | null {
  const range = RANGE.exec(words) ?? BETWEEN.exec(words) ?? SHORT.exec(words);
  if (range !== null) return lines(Number(range[1]), Number(range[2] ?? range[1]));
  const [first, last] = [countOf(FIRST, words), countOf(LAST, words)];
  if (first !== null) return lines(1, first);
  if (last !== null) return fromEnd(last);
  const [head, tail] = [HEAD.exec(words)?.[1], TAIL.exec(words)?.[1]];
  if (head !== undefined) return lines(1, Number(head));
  return tail === undefined ? null : fromEnd(Number(tail));
}

/** Whether a phrase asks for lines by number, be it in words that are understood or not. */
function isAboutLines(words: string): boolean {
  return /^(?:the )?(?:lines?|first|last|head|tail) ?L?\d/i.test(words);
}

function parsePlace(request: string): { readonly file: string; readonly lines: LinesQuery } | null {
  const [, file = '', first, last] = PLACE.exec(request) ?? [];
  const asked = lines(Number(first), Number(last ?? first));
  return asked === null || /\s/.test(file) ? null : { file, lines: asked };
}

/** "The first line" is one, "the first lines" are no number. */
function countOf(form: RegExp, words: string): number | null {
  const match = form.exec(words);
  if (match === null) return null;
  const [, written] = match;
  if (written === undefined) return words.endsWith('s') ? null : 1;
  const count = /^\d/.test(written) ? Number(written) : NUMBERS.indexOf(written.toLowerCase()) + 1;
  return count > 0 ? count : null;
}

function lines(first: number, last: number): LinesQuery | null {
  return first >= 1 && last >= first ? { kind: 'lines', first, last } : null;
}

function fromEnd(count: number): LinesQuery | null {
  return count < 1 ? null : { kind: 'lines', first: -count, last: -1 };
}

const SETTING =
  'variable|constant|const|setting|option|field|key|property|parameter|threshold|attribute|default|default value';
const CODE =
  'async function|function|func|fn|def|method|routine|class|interface|type|enum|struct|structure|trait|impl|record|constructor|getter|macro|module|namespace|mixin|extension|typedef|table|object|widget|component';
const HEADING = 'heading|section|subsection|chapter';
const KIND = `${CODE}|${HEADING}|${SETTING}`;
const TEXT = 'source code|source|code|body|text|contents?|definition|declaration|implementation';
const FULL = '(?:(?:full|whole|entire|complete|exact|actual|current) )?';
const IS = "what(?: is|'s|’s| are)";
const FOUND = '(?:defined|declared|implemented|located|found|written|coded)';

const VALUES = [
  form(`(?:${IS} )?(?:the )?(?:current |exact |actual |default )?values? (?:of|for) (?:the )?(.+)`),
  form('(?:what|which) value does (?:the )?(\\S+) have'),
  form('(?:what|which) value does (?:give|set|have|use) (?:to|for) (\\S+)'),
  form('(?:to )?what is (?:the )?(\\S+) (?:set(?: to)?|equal to|assigned(?: to)?)'),
  form('what (\\S+) is set to'),
  form('what does set (\\S+) to'),
  form(`(?:${IS} )?(\\S+?)(?:'s|’s) (?:current |exact )?value`),
];
/** These may also be questions: "what is new in README.md". */
const PERHAPS_VALUES = [
  form(`${IS} (?:the )?(?:(?:${SETTING}) )?(\\S+)`),
  form(`(?:${IS} )?(?:the )?(?:current )?(\\S+) (?:${SETTING}|value)`),
  form('what (\\S+) is'),
];
const QUESTIONS = [
  form(`where(?: is|'s|’s) (.+) ${FOUND}`),
  form(`how(?: is|'s|’s) (.+) ${FOUND}`),
  form('what does (.+) look like'),
  form(`${IS} ((?:the )?${FULL}(?:${TEXT}) (?:of|for) .+)`),
  form(`what does ((?:the )?(?:${HEADING}) .+|.+ (?:${HEADING})) (?:say|contain|read)`),
  form(`what(?: is|'s|’s) (?:written |said )?(?:in|under) ((?:the )?(?:${HEADING}) .+|.+ (?:${HEADING}))`),
];
/** "the definition of load", "load's body", "load defined". */
const AROUND = [
  form(`${FULL}(?:${TEXT}) (?:of |for |from )?(.+)`),
  form(`(.+?)(?:'s|’s)? (?:${TEXT})`),
  form(`(.+?)(?: that is| which is)? ${FOUND}`),
];
/** "the method step of class Foo": one of the two is said to be code, since "statement of work" may be a heading. */
const INNER = form(
  `(?:(?<kind>${CODE}) )?(?<inner>\\S+)(?: (?<behind>${CODE}))? (?:of|in|on|from|inside) (?:the )?(?:(?<outerKind>${CODE}) )?(?<outer>\\S+?)(?: (?<outerBehind>${CODE}))?`,
);
const KIND_FIRST = form(`(${KIND})(?: (?:named|called|titled))? (.+)`);
const KIND_LAST = form(`(.+) (${KIND})`);
const HEADINGS = form(HEADING);
const PHRASED_COMPARISONS = form(`(?:the )?${FULL}(?:(?:${KIND}|${TEXT}) .+|.+ (?:${KIND}|${TEXT}))`);
/** Words in the place of a name that say which part is meant rather than its name: "the second section". */
const TELLING = form(
  'after|before|on|about|with|without|that|which|whose|every|each|all|any|no|only|other|another|same|first|second|third|fourth|fifth|last|next|previous|top|bottom|exported|private|public|static|nested|main|return|\\d+',
);
const NOUN = form(KIND);
const MARKED = /^(?:\uE000\d+\uE001|(?=\S*?[\p{Lu}\d_.()[\]$])\S+)$/u;

/** How a request began: with a word for showing, with one that may also begin a search, or with neither. */
type Opening = 'show' | 'find' | 'none';

/** Returns the part that a phrase without its file asks for; null if it asks for something else. */
function parsePartQuery(plain: PlainText, phrase: string, opening: Opening): PartQuery | null {
  const value = firstOf(VALUES, phrase);
  if (value !== null) return parseValueQuery(plain, value);
  const question = firstOf(QUESTIONS, phrase);
  if (question !== null) return parseNamedQuery(plain, question);
  const perhaps = opening === 'show' ? null : firstOf(PERHAPS_VALUES, phrase);
  if (perhaps !== null) return maybe(parseValueQuery(plain, perhaps));
  if (opening === 'show') return parseNamedQuery(plain, phrase);
  if (PHRASED_COMPARISONS.test(phrase)) return unlessMarked(parseNamedQuery(plain, phrase), phrase);
  return MARKED.test(phrase) || opening === 'find' ? maybe(parseNamedQuery(plain, phrase)) : null;
}

function form(text: string): RegExp {
  return new RegExp(`^(?:${text})$`, 'i');
}

function firstOf(forms: readonly RegExp[], phrase: string): string | null {
  for (const one of forms) {
    const found = one.exec(phrase)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

function parseValueQuery(plain: PlainText, piece: string): PartQuery | null {
  const only = form(`(?:(?:${SETTING}) )?(\\S+)(?: (?:${SETTING}))?`).exec(piece)?.[1];
  const name = only === undefined ? '' : nameIn(plain, only);
  return splitFieldPath(name).length === 0 ? null : { kind: 'value', name };
}

function parseNamedQuery(plain: PlainText, phrase: string): PartQuery | null {
  const piece = bareName(phrase);
  const { kind, inner, behind, outerKind, outer, outerBehind } = INNER.exec(piece)?.groups ?? {};
  const code = kind ?? behind;
  if (inner !== undefined && outer !== undefined && (code ?? outerKind ?? outerBehind) !== undefined)
    return shown(`${nameIn(plain, outer)}.${bareCall(nameIn(plain, inner))}`, code, nameIn(plain, inner));
  const [, first, named] = KIND_FIRST.exec(piece) ?? [];
  if (named !== undefined) return shown(nameIn(plain, named), first, named);
  const [, before, last] = KIND_LAST.exec(piece) ?? [];
  const name = before ?? piece;
  return shown(nameIn(plain, name), last, name);
}

/** Returns a name without what is said around it. */
function bareName(phrase: string): string {
  const bare = phrase.replace(/^(?:the|a|an) (?=\S)/i, '');
  const inner = firstOf(AROUND, bare);
  return inner === null ? bare : bareName(inner);
}

/** `load()` is load. */
function bareCall(name: string): string {
  return name.replace(/\(\)$/, '');
}

/** Several words without quotes may be a question rather than a name. */
function shown(written: string, noun: string | undefined, words: string): PartQuery | null {
  const name = bareCall(written);
  if (name === '') return null;
  const said: PartQuery = { kind: 'show', name, ...(noun === undefined ? {} : { noun: noun.toLowerCase() }) };
  const isTelling = TELLING.test(words.split(' ')[0] ?? '') || NOUN.test(words);
  return isTelling || (/\s/.test(words) && !HEADINGS.test(noun ?? '')) ? maybe(said) : said;
}

function maybe(asked: PartQuery | null): PartQuery | null {
  return asked === null ? null : { ...asked, maybe: true };
}

/** Without a word for showing, "errors in the parser" names something only if it looks like a name. */
function unlessMarked(asked: PartQuery | null, phrase: string): PartQuery | null {
  return phrase.split(' ').some((word) => MARKED.test(word)) ? asked : maybe(asked);
}

const ROWS = 'rows?|records?|entry|entries|items?|objects?|elements?';
const COUNT =
  /^(?:how many|(?:what(?: is|'s|’s) )?(?:the |a )?(?:exact |total )?(?:number|count) of|count(?: up)?(?: (?:the|all))?(?: number of)?) (?:(?:the|all|of) ){0,3}(\S+)(?: (.+))?$/i;
const LIST = /^(?:which |what |all |the |every |each |only ){0,3}(\S+)(?: (.+))?$/i;
const ROW = new RegExp(`^(?:${ROWS})$`, 'i');
const WHERE =
  /^(?:(?:are|is) (?:there )?|there (?:are|is) |do (?:we|you) have )?(?:(▢) )?(?:(?:for|in) which|such that|that|which|who)? ?\b(where|with|having|whose|have|has|match|matches|matching) (.+)$/i;
const DOES_HAVE = /^does ▢ have (?:where|with|whose|that have|having) (.+)$/i;
const ALL =
  /^(?:(?:(?:are|is) (?:there )?|there (?:are|is) |do (?:we|you) have )?(?:▢)?|(?:does )?▢ (?:have|has|hold|contain)|has ▢|(?:are|is) there(?: ▢)?)(?: in (?:total|all))?$/i;

/** Whether a phrase asks for rows, be it in words that are understood or not. */
function isAboutRows(rest: string): boolean {
  const [, noun = ''] = COUNT.exec(rest) ?? LIST.exec(rest) ?? [];
  return ROW.test(noun) || COUNT.test(rest);
}

/** Returns the rows that a phrase asks for, and whether they are to be counted; null if it asks for something else. */
function parseRowsQuery(plain: PlainText, { rest, file }: FileReading): RowsQuery | null {
  const count = COUNT.exec(rest);
  const [, noun = '', tail = ''] = count ?? LIST.exec(rest) ?? [];
  const kind = count === null ? 'rows' : 'count';
  if (ROW.test(noun)) return parseTailQuery(plain, tail, kind);
  const asked = count !== null && isNamedAfter(noun, file) ? parseTailQuery(plain, tail, kind) : null;
  return asked?.where === null ? null : asked;
}

/** The runs in `runs.csv` are its rows. */
function isNamedAfter(noun: string, file: string): boolean {
  return (
    noun.toLowerCase() ===
    stem(file)
      .toLowerCase()
      .replace(/\.[^.]*$/, '')
  );
}

function parseTailQuery(plain: PlainText, tail: string, kind: RowsQuery['kind']): RowsQuery | null {
  if (ALL.test(tail)) return kind === 'rows' && !tail.includes(HOLE) ? null : { kind, where: null, whereText: '' };
  const [, hole, link = '', words = ''] = WHERE.exec(tail) ?? [];
  const given = words === '' ? DOES_HAVE.exec(tail)?.[1] : words;
  if (given === undefined) return null;
  const condition = hole === undefined && given.endsWith(` ${HOLE}`) ? given.slice(0, -2) : given;
  return condition.includes(HOLE) ? null : parseConditionQuery(written(plain, condition), link, kind);
}

/** "Rows that have status failed" leaves out the `is`. */
function parseConditionQuery(whereText: string, link: string, kind: RowsQuery['kind']): RowsQuery | null {
  const words = requestWords(whereText);
  const [field, value] = words;
  const isArticle = field?.kind === 'word' && /^(?:an?|the)$/i.test(field.text);
  const isName = field !== undefined && !isArticle && !isWord(field, 'no', 'any', 'some');
  const isShort = words.length === 2 && /^(?:with|having|have|has)$/i.test(link) && isName;
  const full = isShort && value !== undefined ? [field, { ...value, kind: 'word' as const, text: 'is' }, value] : words;
  const where = parseCondition(full) ?? (isArticle ? parseCondition(words.slice(1)) : null);
  return where === null ? null : { kind, where, whereText };
}

/** A longer request is no plain one. */
const MAX_LETTERS = 2_000;
const COURTESY = [
  /^(?:please|kindly|hi|hello|hey|ok|okay|so|now|and|also|then|just)[,!:]? /i,
  /^(?:can|could|would|will) (?:you|we|i) /i,
  /^(?:i|we)(?:['’]d| would) (?:like|love) (?:you )?(?:to )?/i,
  /^(?:i|we) (?:want|need)(?: you)?(?: to)? /i,
  /^let(?:['’]s| me| us) /i,
];
const THANKS = /(?<![, ])[, ]+(?:please|thanks|thank you|for me)$/i;
const SHOW = /^(?:show|print|display|quote|cite|output|dump|extract|return)(?: (?:me|us|out))? /i;
const FIND =
  /^(?:give|get|fetch|find|look ?up|look at|see|read|open|view|grab|pull(?: up)?|list|retrieve|tell|check)(?: (?:me|us|out))? /i;

/** Returns what a request in plain words asks for; null if there is any doubt. */
export function parseQuery(request: string): Query | null {
  if (request.length > MAX_LETTERS) return null;
  const plain = plainText(request);
  const text = withoutCourtesy(plain.text);
  const place = parsePlace(nameIn(plain, opened(text).words));
  if (place !== null) return { ...place.lines, file: place.file };
  for (const reading of fileReadings({ ...plain, text })) {
    const asked = askedBy(plain, reading);
    if (asked !== null) return asked;
  }
  return null;
}

/**
 * Returns the part that a request asks for without naming a file: `show me the relevanceGate function`. Null if there
 * is any doubt: it must be said what the part is, or its name must look like one in code.
 */
export function parsePart(request: string): PartQuery | null {
  if (request.length > MAX_LETTERS) return null;
  const plain = plainText(request);
  const { words, opening } = opened(withoutCourtesy(plain.text));
  const each = words.split(' ');
  if (words === '' || each.length > MAX_WORDS || each.some((word) => isFile(plain, word))) return null;
  const asked = otherwise(plain, words, words, opening);
  if (asked === null) return null;
  const isSaid = asked.noun !== undefined && asked.maybe === undefined;
  return isSaid || isCodeName(asked.name) ? asked : null;
}

/** What a request may want to have about a part that isn't its text: who uses it, how often, why. */
const ABOUT_A_PART =
  /(?<!\b(?:function|method|class|one|thing) )\bcalled\b|\b(?:calls?|callers?|calling|uses?|used|using|usages?|references?|imports?|mentions?|count|many|often|who|why|when|whether|does|is|are|explain|summari[sz]e|describe|compare|differ\w*|versus|vs|tests?|lines?|around|near|before|after|without|except|chang\w+|wrote|history|not|no)\b/i;
const CODE_NOUN = form(CODE);
const MAX_NAMES = 8;

/**
 * Returns the words of a request that may be names in code, however it is phrased: those in the form of one or in quotes, and
 * those next to a word such as `function`. Empty if it names a file, or wants something else than the text of a part.
 */
export function parseNames(request: string): readonly string[] {
  if (request.length > MAX_LETTERS || ABOUT_A_PART.test(request)) return [];
  const plain = plainText(request);
  if (plain.text.split(' ').some((word) => isFile(plain, word))) return [];
  const words = requestWords(request)
    .filter(({ kind }) => kind !== 'sign')
    .map(({ kind, text }) => ({ kind, text: text.replace(/(?:\(\)|['’]s|[.,:;?!]){1,8}$/, '') }));
  const isNoun = (at: number) => CODE_NOUN.test(words[at]?.text ?? '');
  const names = words.filter(({ kind, text }, at) => {
    const mayBe = kind === 'quoted' || isCodeName(text) || isNoun(at - 1) || isNoun(at + 1);
    return mayBe && /^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(text);
  });
  return [...new Set(names.map(({ text }) => text))].slice(0, MAX_NAMES);
}

function isCodeName(name: string): boolean {
  return !/\s/.test(name) && /\p{L}/u.test(name) && /[\d_.$]|\p{Ll}\p{Lu}/u.test(name);
}

function askedBy(plain: PlainText, { file, rest }: FileReading): Query | null {
  const last = rest.startsWith(`${HOLE} `) ? `${rest.slice(2)} ${HOLE}` : rest;
  const { words, opening } = opened(withoutCourtesy(last));
  const bare = words.replace(HOLE, '').replace(/ {2,}/g, ' ').trim();
  if (bare === '') return null;
  const asked =
    parseLinesQuery(bare) ?? parseRowsQuery(plain, { file, rest: words }) ?? otherwise(plain, words, bare, opening);
  return asked === null ? null : { ...asked, file };
}

/** What asks for lines or rows in words that are not understood asks for nothing else. */
function otherwise(plain: PlainText, words: string, bare: string, opening: Opening): PartQuery | null {
  return isAboutLines(bare) || isAboutRows(words) ? null : parsePartQuery(plain, bare, opening);
}

function withoutCourtesy(text: string): string {
  const found = COURTESY.find((one) => one.test(text));
  if (found !== undefined) return withoutCourtesy(text.replace(found, ''));
  return THANKS.test(text) ? withoutCourtesy(text.replace(THANKS, '')) : text;
}

function opened(text: string): { readonly words: string; readonly opening: Opening } {
  if (SHOW.test(text)) return { words: text.replace(SHOW, ''), opening: 'show' };
  return FIND.test(text) ? { words: text.replace(FIND, ''), opening: 'find' } : { words: text, opening: 'none' };
}
