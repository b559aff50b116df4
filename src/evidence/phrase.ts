import { stem } from '../vault/note-names.ts';
import {
  isWord,
  type LinesAsked,
  type PartAsked,
  parseCondition,
  pathOf,
  type RowsAsked,
  requestWords,
} from './asked.ts';
import { looksLikeFile } from './files.ts';

/** Stands in a phrase in the place of the file. */
export const HOLE = '▢';
const MARK = /\uE000(\d{1,4})\uE001/g;
const OWN_SIGNS = /[\uE000\uE001▢]/gu;

/** A text that stood in quotes, with and without them. */
interface Quote {
  readonly written: string;
  readonly inner: string;
}

/** A request in which each text in quotes is one mark, so that nothing within quotes is taken for a word. */
export interface PlainText {
  /** With single spaces, and without the signs that end a sentence. */
  readonly text: string;
  readonly quotes: readonly Quote[];
}

/** Returns a request with its quotes as marks. */
export function plainText(request: string): PlainText {
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

/** Returns a piece of a plain text as it was written. */
function written({ quotes }: PlainText, piece: string): string {
  return piece.replace(MARK, (_, nth) => quotes[Number(nth)]?.written ?? '').trim();
}

/** Returns the name that a piece of a plain text is: a text in quotes without them, or else the words as written. */
export function nameIn(plain: PlainText, piece: string): string {
  const only = /^\uE000(\d{1,4})\uE001$/.exec(piece.trim())?.[1];
  return only === undefined ? written(plain, piece) : (plain.quotes[Number(only)]?.inner ?? '');
}

/** One way to read a request: the file that it names, and the rest with a hole in its place. */
export interface FileReading {
  readonly file: string;
  readonly rest: string;
}

const MAX_WORDS = 300;
/** A request in which a file may be named in more ways is not clear. */
const MAX_READINGS = 8;
const STRONG: ReadonlySet<string> = new Set(['in', 'from', 'inside', 'within', 'at']);
const BEFORE_FILE: ReadonlySet<string> = new Set(['the', 'file', 'module', 'script']);

/** Returns the ways in which a request may name its file, the likeliest first. */
export function fileReadings(plain: PlainText): readonly FileReading[] {
  const words = plain.text.split(' ');
  if (words.length > MAX_WORDS || plain.text === '') return [];
  const last = [...words.keys()].toReversed();
  const strong = last.filter((at) => STRONG.has(lower(words[at])));
  const weak = last.filter((at) => lower(words[at]) === 'of');
  const likely = (at: number) => namesFile(plain, words, at);
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

function namesFile(plain: PlainText, words: readonly string[], at: number): boolean {
  return isFile(plain, words[fileAfter(words, at)]);
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

/** Returns the lines that a phrase without its file asks for; null where it asks for something else. */
export function linesAsked(words: string): LinesAsked | null {
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
export function isAboutLines(words: string): boolean {
  return /^(?:the )?(?:lines?|first|last|head|tail) ?L?\d/i.test(words);
}

/** Returns a place such as `FILE:8-13`, with its file; null where a request is none. */
export function placeAsked(request: string): { readonly file: string; readonly lines: LinesAsked } | null {
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

function lines(first: number, last: number): LinesAsked | null {
  return first >= 1 && last >= first ? { kind: 'lines', first, last } : null;
}

function fromEnd(count: number): LinesAsked | null {
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
const SAID = form(`(?:the )?${FULL}(?:(?:${KIND}|${TEXT}) .+|.+ (?:${KIND}|${TEXT}))`);
/** What stands where a name would, and tells which part rather than what it is called: "the second section". */
const TELLING = form(
  'after|before|on|about|with|without|that|which|whose|every|each|all|any|no|only|other|another|same|first|second|third|fourth|fifth|last|next|previous|top|bottom|exported|private|public|static|nested|main|return|\\d+',
);
const NOUN = form(KIND);
const MARKED = /^(?:\uE000\d+\uE001|(?=\S*?[\p{Lu}\d_.()[\]$])\S+)$/u;

/** How a request began: with a word for showing, with one that may also begin a search, or with neither. */
export type Opening = 'show' | 'find' | 'none';

/** Returns the part that a phrase without its file asks for; null where it asks for something else. */
export function partAsked(plain: PlainText, phrase: string, opening: Opening): PartAsked | null {
  const value = firstOf(VALUES, phrase);
  if (value !== null) return valueAsked(plain, value);
  const question = firstOf(QUESTIONS, phrase);
  if (question !== null) return namedAsked(plain, question);
  const perhaps = opening === 'show' ? null : firstOf(PERHAPS_VALUES, phrase);
  if (perhaps !== null) return maybe(valueAsked(plain, perhaps));
  if (opening === 'show') return namedAsked(plain, phrase);
  if (SAID.test(phrase)) return unlessMarked(namedAsked(plain, phrase), phrase);
  return MARKED.test(phrase) || opening === 'find' ? maybe(namedAsked(plain, phrase)) : null;
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

function valueAsked(plain: PlainText, piece: string): PartAsked | null {
  const only = form(`(?:(?:${SETTING}) )?(\\S+)(?: (?:${SETTING}))?`).exec(piece)?.[1];
  const name = only === undefined ? '' : nameIn(plain, only);
  return pathOf(name).length === 0 ? null : { kind: 'value', name };
}

function namedAsked(plain: PlainText, phrase: string): PartAsked | null {
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

/** Several words that stand in no quotes may be a question rather than a name. */
function shown(written: string, noun: string | undefined, words: string): PartAsked | null {
  const name = bareCall(written);
  if (name === '') return null;
  const said: PartAsked = { kind: 'show', name, ...(noun === undefined ? {} : { noun: noun.toLowerCase() }) };
  const isTelling = TELLING.test(words.split(' ')[0] ?? '') || NOUN.test(words);
  return isTelling || (/\s/.test(words) && !HEADINGS.test(noun ?? '')) ? maybe(said) : said;
}

function maybe(asked: PartAsked | null): PartAsked | null {
  return asked === null ? null : { ...asked, maybe: true };
}

/** Without a word for showing, "errors in the parser" names something only where it looks like a name. */
function unlessMarked(asked: PartAsked | null, phrase: string): PartAsked | null {
  return phrase.split(' ').some((word) => MARKED.test(word)) ? asked : maybe(asked);
}

const ROWS = 'rows?|records?|entry|entries|items?|objects?|elements?';
const COUNT =
  /^(?:how many|(?:what(?: is|'s|’s) )?(?:the |a )?(?:exact |total )?(?:number|count) of|count(?: up)?(?: (?:the|all))?(?: number of)?) (?:(?:the|all|of) ){0,3}(\S+)(?: (.+))?$/i;
const LIST = /^(?:which |what |all |the |every |each |only ){0,3}(\S+)(?: (.+))?$/i;
const ROW = new RegExp(`^(?:${ROWS})$`, 'i');
/** What stands between the rows and the condition. */
const WHERE =
  /^(?:(?:are|is) (?:there )?|there (?:are|is) |do (?:we|you) have )?(?:(▢) )?(?:(?:for|in) which|such that|that|which|who)? ?\b(where|with|having|whose|have|has|match|matches|matching) (.+)$/i;
const DOES_HAVE = /^does ▢ have (?:where|with|whose|that have|having) (.+)$/i;
const ALL =
  /^(?:(?:(?:are|is) (?:there )?|there (?:are|is) |do (?:we|you) have )?(?:▢)?|(?:does )?▢ (?:have|has|hold|contain)|has ▢|(?:are|is) there(?: ▢)?)(?: in (?:total|all))?$/i;

/** Whether a phrase asks for rows, be it in words that are understood or not. */
export function isAboutRows(rest: string): boolean {
  const [, noun = ''] = COUNT.exec(rest) ?? LIST.exec(rest) ?? [];
  return ROW.test(noun) || COUNT.test(rest);
}

/** Returns the rows that a phrase asks for, and whether they are to be counted; null where it asks for something else. */
export function rowsAsked(plain: PlainText, { rest, file }: FileReading): RowsAsked | null {
  const count = COUNT.exec(rest);
  const [, noun = '', tail = ''] = count ?? LIST.exec(rest) ?? [];
  const kind = count === null ? 'rows' : 'count';
  if (ROW.test(noun)) return tailAsked(plain, tail, kind);
  const asked = count !== null && isNamedAfter(noun, file) ? tailAsked(plain, tail, kind) : null;
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

function tailAsked(plain: PlainText, tail: string, kind: RowsAsked['kind']): RowsAsked | null {
  if (ALL.test(tail)) return kind === 'rows' && !tail.includes(HOLE) ? null : { kind, where: null, whereText: '' };
  const [, hole, link = '', words = ''] = WHERE.exec(tail) ?? [];
  const given = words === '' ? DOES_HAVE.exec(tail)?.[1] : words;
  if (given === undefined) return null;
  const condition = hole === undefined && given.endsWith(` ${HOLE}`) ? given.slice(0, -2) : given;
  return condition.includes(HOLE) ? null : conditionAsked(written(plain, condition), link, kind);
}

/** "Rows that have status failed" leaves out the `is`. */
function conditionAsked(whereText: string, link: string, kind: RowsAsked['kind']): RowsAsked | null {
  const words = requestWords(whereText);
  const [field, value] = words;
  const isArticle = field?.kind === 'word' && /^(?:an?|the)$/i.test(field.text);
  const isName = field !== undefined && !isArticle && !isWord(field, 'no', 'any', 'some');
  const isShort = words.length === 2 && /^(?:with|having|have|has)$/i.test(link) && isName;
  const full = isShort && value !== undefined ? [field, { ...value, kind: 'word' as const, text: 'is' }, value] : words;
  const where = parseCondition(full) ?? (isArticle ? parseCondition(words.slice(1)) : null);
  return where === null ? null : { kind, where, whereText };
}
