import { createRequire } from 'node:module';
import type { detectAll } from 'tinyld/light';
import { z } from 'zod';
import { lazily, loadData } from '../vault/data.ts';

/*
 * The words of each language that is read: one file of data/languages each, with what is below. docs/languages.md says what each
 * part is for, with an example. All tables hold for every mail, so that one in two languages is understood.
 *
 * A *pattern* is the source of a regular expression over whole words in any case, in which a blank stands for any white
 * space and `{{name}}` for one of the table's pieces. *Words* is a list with blanks between.
 */

/** The languages that are read. To add one: its code here, and its file in data/languages. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

const pattern = z.string();
const words = z.string();
const confidence = z.number().min(0.5).max(0.97);

/** A phrase that a pattern finds, and the highest confidence of a finding by it. */
const phrase = z.strictObject({ id: z.string(), pattern, confidence });
/** `negative`: the phrase is itself a negation ("no longer needed"), so its own "no" does not defeat it. */
const fixedPhrase = phrase.extend({ negative: z.boolean().optional(), onlyAsked: z.boolean().optional() });
/**
 * In the pattern, `W` stands for the form of a topic. `bare`: without a helping verb before it, so that a "not" anywhere
 * before it counts. `alone`: without any helping verb.
 */
const frame = phrase.extend({ bare: z.boolean().optional(), alone: z.boolean().optional() });
/** `onlyAsked`: it counts only for a task that asks for it: "shipped" ends "Order the lamp", not "Lamp". */
const form = z.strictObject({ words: pattern, ceiling: confidence, onlyAsked: z.boolean().optional() });
const topic = z.strictObject({
  verbs: words,
  forms: z.array(form).min(1),
  phrases: z.array(fixedPhrase),
  spoiltBy: pattern,
  doubtedBy: pattern,
  contradictedBy: pattern,
});

/** Something that a mail says has happened; the last two only of a whole matter. */
const TOPIC_NAMES = [
  'payment',
  'signature',
  'delivery',
  'completion',
  'approval',
  'booking',
  'renewal',
  'cancellation',
  'ending',
  'withdrawal',
] as const;
export type TopicName = (typeof TOPIC_NAMES)[number];

/** What people say in a chat that they have done. */
export const DEED_NAMES = ['payment', 'sending', 'signature', 'booking', 'call'] as const;
export type DeedName = (typeof DEED_NAMES)[number];

/** How a phrase is meant in its sentence: as it stands, with doubts, or not at all. */
const CUES = [
  ...([
    'questionOpeners',
    'inverted',
    'neutral',
    'negation',
    'condition',
    'conditionBehind',
    'conditionForDates',
  ] as const),
  ...(['ifs', 'future', 'futureForDates', 'futureBehind', 'request', 'partial', 'stillOpen', 'hedge', 'past'] as const),
  ...(['longAgo', 'moneyBack', 'replaced', 'notDue', 'machine', 'goneWrong', 'that', 'announced'] as const),
  ...(['somebodyElse', 'turns', 'relative', 'clauseBreaks', 'and', 'subjects', 'takenBack'] as const),
  ...(['pointsBack', 'refersBack', 'undone', 'circumstances'] as const),
] as const;

/** What stands before the colon of a labelled line. */
export const LABEL_KINDS = [
  ...(['when', 'about', 'former', 'next', 'due', 'open', 'reference'] as const),
  ...(['status', 'statusOfPayment', 'statusOfDelivery', 'statusOfBooking'] as const),
] as const;
/** What stands behind the colon of a status. */
export const LABEL_STATES = [
  'paid',
  'delivered',
  'booked',
  'cancelled',
  'signed',
  'approved',
  'completed',
  'pending',
] as const;

const table = z.strictObject({
  code: z.enum(LANGUAGES),
  /** Patterns that the other patterns are put together from. */
  pieces: z.record(z.string(), pattern),
  /** How a sentence says that something has happened, around the form of a topic. */
  frames: z.array(frame),
  topics: z.record(z.enum(TOPIC_NAMES), topic),
  affairs: patterns(['ended', 'affair', 'contract', 'contractMade', 'excepted']),
  /** The words before a date that becomes `due`. */
  dates: z.array(phrase),
  requests: z.array(phrase),
  /** Past participles that no rule forms, by infinitive, with a blank between several. */
  participles: z.record(z.string(), words),
  cues: patterns(CUES),
  spoken: z.strictObject({
    yes: pattern,
    opening: pattern,
    deeds: z.record(z.enum(DEED_NAMES), z.strictObject({ verbs: words, words: pattern })),
    /** Around the participle, `~`, says who did it. */
    frame: pattern,
    /** The frame has no word of its own to begin with, so it counts only at the beginning of a clause. */
    frameOpensClause: z.boolean(),
    allDone: pattern,
    requests: z.array(phrase),
  }),
  names: z.strictObject({
    small: words,
    generic: words,
    stop: words,
    articles: words,
    salutation: pattern,
    several: pattern,
    abbreviations: pattern,
  }),
  quoting: patterns(['forwardMarks', 'youWrote', 'sentFrom', 'replyMarks']),
  days: patterns([
    ...(['before', 'next', 'this', 'coming', 'today', 'tomorrow', 'dayAfterTomorrow'] as const),
    ...(['joins', 'at', 'hour', 'vague', 'roughly'] as const),
  ]).extend({
    /** January and Monday first. Whole names are known in a text of any language, short ones in their own. */
    months: z.array(pattern).length(12),
    shortMonths: z.array(pattern).length(12),
    weekdays: z.array(pattern).length(7),
    shortWeekdays: z.array(pattern).length(7),
    loneWeekdays: pattern.optional(),
    nextBehind: pattern.optional(),
  }),
  moves: patterns(['oldBefore', 'newBefore', 'between']),
  /** Words in lower case, as they are written, with ` | ` between them. */
  labels: patterns([...LABEL_KINDS, ...LABEL_STATES, 'fillers', 'notDone', 'notCancelled']),
  /** The words for each everyday thing, in lower case, `*` behind a beginning of words. */
  things: z.record(z.string(), words),
});
export type LanguageTable = z.infer<typeof table>;

function patterns<const Name extends string>(names: readonly Name[]) {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, pattern])) as Record<Name, typeof pattern>);
}

/** Returns the tables of all languages. */
export const languageTables = lazily((): readonly LanguageTable[] =>
  LANGUAGES.map((code) => {
    const read = loadData(`languages/${code}.yaml`, table);
    return withPieces(read, read.pieces);
  }),
);

/** Puts the pieces in place of their names, in all texts of a value. */
function withPieces<Value>(value: Value, pieces: LanguageTable['pieces']): Value;
function withPieces(value: unknown, pieces: LanguageTable['pieces']): unknown {
  if (typeof value === 'string') return value.replace(/\{\{(\w+)\}\}/g, (_, name: string) => pieceNamed(name, pieces));
  if (Array.isArray(value)) return value.map((each) => withPieces(each, pieces));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withPieces(each, pieces)]));
}

function pieceNamed(name: string, pieces: LanguageTable['pieces']): string {
  const piece = pieces[name];
  if (piece === undefined) throw new Error(`data/languages: there is no piece {{${name}}}`);
  return piece;
}

/** Matches nothing: for what no language has a word for. */
const NOTHING = '(?!)';

/** Returns one pattern with what all languages have of a kind. */
export function patternOfAll(pick: (language: LanguageTable) => string): string {
  const all = languageTables()
    .map(pick)
    .filter((each) => each !== '');
  return all.length === 0 ? NOTHING : all.join('|');
}

/** Returns the words that all languages have of a kind. */
export function wordsOfAll(pick: (language: LanguageTable) => string): readonly string[] {
  return languageTables().flatMap((language) =>
    pick(language)
      .split(/\s+/)
      .filter((word) => word !== ''),
  );
}

/** A longer text hardly comes again. */
const MOST_REMEMBERED_CHARACTERS = 400;

/** What was worked out for short texts, the last few thousand: mails repeat words, greetings, signatures and small print. */
export class TextMemory<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  /** Returns the value itself. */
  keep(text: string, value: Value): Value {
    if (text.length > MOST_REMEMBERED_CHARACTERS) return value;
    if (this.#values.size >= this.#most) this.#values.clear();
    // A copy: of a text that was cut out of a mail, the engine would keep the whole mail.
    this.#values.set(Buffer.from(text, 'utf16le').toString('utf16le'), value);
    return value;
  }
}

/** What language a text is in: one that is read, another by its ISO code, or too little text to tell. */
export type DetectedLanguage =
  | { readonly kind: 'read'; readonly language: Language }
  | { readonly kind: 'other'; readonly code: string }
  | { readonly kind: 'unknown' };

const names = lazily(() => new Intl.DisplayNames(['en'], { type: 'language' }));

/** Returns whether a code is that of a language whose words are read. */
export function isRead(code: string): code is Language {
  return LANGUAGES.some((language) => language === code);
}

/** Returns the English name of a language: "Polish" for `pl`. */
export function languageName(code: string): string {
  return names().of(code) ?? code;
}

/** The beginning tells as much as the whole, and costs no more in a long text. */
const MOST_CHARACTERS = 800;
const LEAST_WORDS = 5;
/** That a text is in a language that is not read silences it, so it takes more words to say so. */
const LEAST_WORDS_FOR_OTHER = 12;
/** The second best has to stay this far behind the best. */
const CLEAR = 0.9;
const CLEAR_FOR_OTHER = 0.75;
const LETTERS = /\p{L}+/gu;
/** Addresses, codes and sums are in no language. */
const IN_NO_LANGUAGE = /[@/\d_]/;
const CAPITAL = /^\p{Lu}/u;
/** Loaded with the first text: most commands read none. */
const detector = lazily((): typeof detectAll => {
  const tinyld: { readonly detectAll: typeof detectAll } = createRequire(import.meta.url)('tinyld/light');
  return tinyld.detectAll;
});
const UNKNOWN: DetectedLanguage = { kind: 'unknown' };

/** Returns the languages that a text may be in, the likeliest first. Names, numbers and addresses aside. */
export function rankLanguages(text: string): Ranked {
  return detector()(languageWords(text).join(' '));
}

function languageWords(text: string): readonly string[] {
  const written = text.slice(0, MOST_CHARACTERS).split(/\s+/);
  return written.filter((each) => !IN_NO_LANGUAGE.test(each)).flatMap((each) => each.match(LETTERS) ?? []);
}

/** Returns what language a text is in. Names, numbers and addresses alone say nothing. */
export function detectLanguage(text: string): DetectedLanguage {
  const words = languageWords(text);
  const whole = languageOf(words);
  if (whole.kind !== 'other') return whole;
  // A name can look like a word of another language: without all that may be one, it has to look the same.
  const small = languageOf(words.filter((word) => !CAPITAL.test(word)));
  return small.kind === 'other' && small.code !== whole.code ? UNKNOWN : small;
}

/** Whether a text is in a language that isn't read. Most sentences are too short to tell that, and need no detector. */
export function isInOtherLanguage(text: string): boolean {
  const words = languageWords(text);
  return (words.length >= LEAST_WORDS_FOR_OTHER || !isLatin(words)) && detectLanguage(text).kind === 'other';
}

function languageOf(words: readonly string[]): DetectedLanguage {
  return isEnough(words) ? languageBy(detector()(words.join(' ')), words.length, isLatin(words)) : UNKNOWN;
}

function isLatin(words: readonly string[]): boolean {
  return !words.some((word) => /[^\p{sc=Latn}\p{M}]/u.test(word));
}

function languageBy(ranked: Ranked, words: number, isLatin: boolean): DetectedLanguage {
  const [best, second] = ranked;
  if (best === undefined) return UNKNOWN;
  if (!isRead(best.lang)) return isOther(ranked, words, isLatin) ? { kind: 'other', code: best.lang } : UNKNOWN;
  const isClear = second === undefined || second.accuracy < best.accuracy * CLEAR;
  return isClear ? { kind: 'read', language: best.lang } : UNKNOWN;
}

/** Two words of a script without blanks may be a whole sentence. */
function isEnough(words: readonly string[]): boolean {
  return words.length >= LEAST_WORDS || words.some((word) => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}]{8}/u.test(word));
}

type Ranked = ReturnType<typeof detectAll>;

function isOther(ranked: Ranked, words: number, isLatin: boolean): boolean {
  const [best] = ranked;
  const closest = ranked.find(({ lang }) => isRead(lang))?.accuracy ?? 0;
  if (best === undefined) return false;
  const isLong = words >= LEAST_WORDS_FOR_OTHER;
  return (closest === 0 && (isLong || !isLatin)) || (isLong && closest < best.accuracy * CLEAR_FOR_OTHER);
}

/** What tells words apart, in all languages. */
const marks = lazily(() => {
  return {
    stopWords: new Set(wordsOfAll(({ names }) => names.stop)),
    articles: new Set(wordsOfAll(({ names }) => names.articles)),
    abbreviation: new RegExp(`(?:^|[\\s(])(?:${patternOfAll(({ names }) => names.abbreviations)}|\\p{L})\\.$`, 'iu'),
  };
});
const WORDS = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text, folded and stemmed, so that "Invoices" matches "invoice". */
export function stemmedWords(text: string): readonly string[] {
  return (text.normalize('NFC').toLowerCase().match(WORDS) ?? []).map(stem);
}

/** Returns the words that tell one name from another, each once. A name of stop words only keeps them all. */
export function tellingWords(text: string): readonly string[] {
  const folded = text.normalize('NFC').toLowerCase().match(WORDS) ?? [];
  const telling = folded.filter((word) => !marks().stopWords.has(word));
  return [...new Set((telling.length > 0 ? telling : folded).map(stem))];
}

/** Returns the words of a name as a phrase to search for: "The house" is searched for as "house". */
export function phraseWords(name: string): readonly string[] {
  const words = stemmedWords(name);
  const first = words.findIndex((word) => !marks().articles.has(word));
  return first === -1 ? words : words.slice(first);
}

/** Returns stemmed words as a text has them: "invoic" as "Invoice". What it does not have stays a stem. */
export function asWritten(stems: readonly string[], text: string): readonly string[] {
  const wanted = new Set(stems);
  const found = new Map<string, string>();
  for (const word of text.normalize('NFC').match(WORDS) ?? []) {
    const cut = stem(word.toLowerCase());
    if (wanted.has(cut) && !found.has(cut)) found.set(cut, word);
  }
  return stems.map((one) => found.get(one) ?? one);
}

/** Returns a crude stem. Both sides of a comparison are cut the same way, so it need not be a word. */
export function stem(word: string): string {
  if (word.length < 5 || /\d/.test(word))
    return word.length === 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, 3) : word;
  const cut = word.replace(/(?:ings?|ed|es|s|e)$/u, '');
  return cut.length >= 3 ? cut : word;
}

/** So many words in a row are compared. */
const RUN = 3;

/** Whether a text says, word for word, what another quotes from it. Addresses and what stands in brackets aside. */
export function saysToo(text: string, quote: string): boolean {
  const words = spokenWords(quote);
  const said = ` ${spokenWords(text).join(' ')} `;
  const runs = words.length <= RUN ? [words] : words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN));
  return runs.every((run) => said.includes(` ${run.join(' ')} `));
}

/** Whether a text has all those words of some names that another has. Addresses aside. */
export function saysWordsToo(text: string, other: string, names: readonly string[]): boolean {
  const [said, asked] = [new Set(spokenWords(text)), new Set(spokenWords(other))];
  return names.flatMap(tellingWords).every((word) => !asked.has(word) || said.has(word));
}

function spokenWords(text: string): readonly string[] {
  return stemmedWords(text.replace(/<?\b[a-z]{2,8}:\/\/[^\s>)]+>?/gi, ' ').replace(/…$/, ''));
}

const LIST_ITEM = /^\s*(?:[-*•–+]|\d{1,2}[.)])\s/;
const LABELLED = /^\s*\p{Lu}[\p{L} ]{0,30}:\s/u;
// The lookbehind makes a long run of marks match once, instead of once for each of its characters.
const ENDS = /(?<![.!?…？！])[.!?…？！]+["'”’»)\]]*(?=\s|$)|\n[^\S\n]*\n|\n/gu;

/**
 * Returns the text with every white space as a blank and every apostrophe straight, character for character: an offset
 * in the view is the same offset in the text.
 */
export function plainView(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\u2018\u2019\u02BC]/g, "'");
}

/**
 * Returns the sentences of a text. When in doubt, two are read as one: a negation too many only loses a finding, a
 * negation too few invents one.
 */
export function splitSentences(text: string): readonly Span[] {
  const sentences: Span[] = [];
  let start = 0;
  for (const match of text.matchAll(ENDS)) {
    if (!endsSentence(text, start, match.index, match[0])) continue;
    const end = match.index + match[0].length;
    sentences.push({ start, end });
    start = end;
  }
  sentences.push({ start, end: text.length });
  return sentences.filter(({ start: from, end }) => text.slice(from, end).trim() !== '');
}

function endsSentence(text: string, start: number, at: number, mark: string): boolean {
  if (mark === '\n') return lineEnds(text, start, at);
  if (mark.startsWith('\n')) return !goesOn(text.slice(start, at), text.slice(at + mark.length, at + mark.length + 40));
  if (!mark.startsWith('.') || mark.startsWith('..')) return true;
  const before = text.slice(Math.max(start, at - 12), at + 1);
  if (marks().abbreviation.test(before)) return false;
  // "am 28.11. reserviert": a dotted date does not end the sentence if a lower-case letter follows.
  if (/(?:^|[^\p{L}\p{N}.,:])\d{1,2}\.\d{1,2}\.$/u.test(before))
    return !/^\s+\p{Ll}/u.test(text.slice(at + 1, at + 40));
  // "am 3. November": an ordinal does not end the sentence, unless the text ends with it.
  return !/(?:^|[^\p{L}\p{N}.,:])\d{1,2}\.$/u.test(before) || text.slice(at + 1).trim() === '';
}

/** Whether a paragraph goes on with the sentence of the one before: hostile mail cuts a sentence in two. */
function goesOn(before: string, next: string): boolean {
  if (/^[\s\p{Cf}]*\p{Ll}/u.test(next) || /:[\s\p{Cf}]*$/u.test(before)) return true;
  // Shorter ones are titles, greetings and names.
  return /[\p{L}\p{N}][\s\p{Cf}]*$/u.test(before) && (before.match(WORDS)?.length ?? 0) > MOST_IN_A_TITLE;
}

const MOST_IN_A_TITLE = 8;

/** A list item or a labelled line ends a sentence; a wrapped line does not. */
function lineEnds(text: string, start: number, at: number): boolean {
  const next = text.slice(at + 1, at + 60);
  const line = text.slice(Math.max(start, text.lastIndexOf('\n', at - 1) + 1), at);
  return LIST_ITEM.test(next) || LABELLED.test(next) || (LABELLED.test(line) && line.length < 60);
}

/** A stretch of a text, in UTF-16 units: from `start`, up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const MAX_QUOTE_CHARACTERS = 50;
const MAX_CLAIMED = 500;

/** Marks that are written one for the other: a model that copies a quote often does. */
const ALIKE = [`"“”„‟«»″`, `'’‘‚‛ʼ´\``, '-‐‑‒–—'].map((marks) => new RegExp(`[${marks}]`, 'gu'));
/** What a model may put around a quote that it was asked for, and what the quote itself may not end in. */
const AROUND = /^["“”„«»'’‘‚\s]+|(?<!["“”„«»'’‘‚\s])["“”„«»'’‘‚\s]+$/gu;

/**
 * Returns where the text has the claimed words, with any white space between them and any kind of quotation mark, apostrophe
 * and dash in the place of another; null where it does not.
 */
export function locate(claimed: string, text: string): Span | null {
  const words = claimed.slice(0, MAX_CLAIMED);
  return placeOf(words, text) ?? placeOf(words.replace(AROUND, ''), text);
}

function placeOf(claimed: string, text: string): Span | null {
  const words = claimed.match(/\S+/g);
  if (words === null) return null;
  const found = new RegExp(words.map(alikePattern).join('\\s+'), 'u').exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

function alikePattern(word: string): string {
  const literally = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return ALIKE.reduce((said, marks) => said.replace(marks, `${marks.source}`), literally);
}

/**
 * Returns at most 50 characters of the sentence, verbatim and on one line, that show the span with as many whole words
 * around it as there is room for. Of a span over several lines only the last line is shown.
 */
export function quoteAround(text: string, span: Span, sentence: Span): string {
  const line = lineOf(text, span.end, sentence);
  const to = Math.min(span.end, line.end);
  let from = wholeWordFrom(text, Math.max(span.start, line.start), to);
  let until = to;
  for (let grows = true; grows; ) {
    const left = wordBefore(text, from, line.start);
    const growsLeft = until - left <= MAX_QUOTE_CHARACTERS && left < from;
    if (growsLeft) from = left;
    const right = wordAfter(text, until, line.end);
    const growsRight = right - from <= MAX_QUOTE_CHARACTERS && right > until;
    if (growsRight) until = right;
    grows = growsLeft || growsRight;
  }
  return withoutHalves(text.slice(from, until)).trim();
}

/** Returns where a span that is too long starts to be shown: not inside a word, unless that word is all there is. */
function wholeWordFrom(text: string, start: number, to: number): number {
  const from = to - MAX_QUOTE_CHARACTERS;
  if (from <= start) return start;
  const cut = /^\S*\s+(?=\S)/.exec(text.slice(from - 1, to))?.[0].length ?? 1;
  return from - 1 + cut;
}

/** Returns the part of the sentence that is in the same line as `end`. */
function lineOf(text: string, end: number, sentence: Span): Span {
  let from = end;
  while (from > sentence.start && !isBreak(text, from - 1)) from -= 1;
  let to = end;
  while (to < sentence.end && !isBreak(text, to)) to += 1;
  return { start: from, end: to };
}

function isBreak(text: string, at: number): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text.charAt(at));
}

function wordBefore(text: string, at: number, limit: number): number {
  const before = text.slice(Math.max(limit, at - MAX_QUOTE_CHARACTERS - 1), at);
  return at - (/\S+\s*$/.exec(before)?.[0].length ?? 0);
}

function wordAfter(text: string, at: number, limit: number): number {
  const behind = text.slice(at, Math.min(limit, at + MAX_QUOTE_CHARACTERS + 1));
  return at + (/^\s*\S+/.exec(behind)?.[0].length ?? 0);
}

/** Half a character is not what the source says. */
function withoutHalves(quote: string): string {
  return quote.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}

/** A link to a note in a text. */
interface ExplicitLink {
  /** As written: a name, or a path with or without `.md`. */
  readonly target: string;
  readonly start: number;
}

const WIKILINK = /\[\[([^[\]|#^\n]{1,300})(?:[#^|][^[\]\n]{0,300})?\]\]/gu;
const OBSIDIAN = /obsidian:\/\/open\?([^\s<>"')\]]{1,1000})/giu;
const NOTE_PATH =
  /(?<![\p{L}\p{N}/._-])(?:\.{1,2}\/){0,6}((?:[\p{L}\p{N}_-][\p{L}\p{N}_.-]{0,80}\/){1,6}[\p{L}\p{N}_-][\p{L}\p{N}_.-]{0,120}\.md)(?![\p{L}\p{N}])/giu;
/** `[shown](../task/Pay%20rent.md)`. A path without blanks is found as a path. */
const MARKDOWN = /\]\(<?([^()<>\n]{1,300}\.md)(?:#[^()<>\n]{0,100})?>?\)/giu;
const MAX_LINKS = 20;
/** Every link has one of these. */
const LINK_MARK = /\[\[|obsidian:|\.md/iu;

/** Returns the notes that a text links to, at most 20: `[[name]]`, `[[folder/name|shown]]`, `[shown](path.md)`, `obsidian://open?file=…`, or a path ending in `.md`. */
export function findLinks(text: string): readonly ExplicitLink[] {
  if (!LINK_MARK.test(text)) return [];
  const wikilinks = [...text.matchAll(WIKILINK)].map((match) => ({ target: match[1] ?? '', start: match.index }));
  const urls = [...text.matchAll(OBSIDIAN)].map((match) => ({ target: fileOf(match[1] ?? ''), start: match.index }));
  const shown = [...text.matchAll(MARKDOWN)].map((match) => ({ target: decoded(match[1] ?? ''), start: match.index }));
  const paths = [...text.matchAll(NOTE_PATH)].map((match) => ({ target: match[1] ?? '', start: match.index }));
  return [...wikilinks, ...urls, ...shown, ...paths].filter((link) => link.target.trim() !== '').slice(0, MAX_LINKS);
}

/** Returns the key under which a link's target is looked up: case-folded, NFC, without `.md`. */
export function foldedTarget(target: string): string {
  const folded = target.normalize('NFC').trim().replaceAll('\\', '/').toLowerCase();
  return folded.replace(/^(?:\.{0,2}\/)+/, '').replace(/\.md$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fileOf(query: string): string {
  const parameters = new URLSearchParams(query.replaceAll('&amp;', '&').slice(0, 1000));
  return parameters.get('file') ?? parameters.get('path') ?? '';
}

/** The name of an everyday thing, as in data/languages: `dentist`. */
export type Thing = string;

/** The everyday things that a text names. */
export type ThingSet = ReadonlySet<Thing>;

const SHORTEST_BEGINNING = 3;
/** Words of fewer letters stand within others by chance. */
const SHORTEST_WITHIN = 4;
/** What is left of a word beside one that stands within it. */
const SHORTEST_REST = 3;
const NONE: readonly Thing[] = [];

interface Beginning {
  readonly word: string;
  readonly thing: Thing;
}

/** The words of one language. */
interface ThingWords {
  readonly language: Language;
  readonly whole: ReadonlyMap<string, readonly Thing[]>;
  /** By their first letters, so that a word costs one look where nothing begins like it. */
  readonly beginnings: ReadonlyMap<string, readonly Beginning[]>;
  /** How many letters the longest whole word has: of a word without an end, no longer part is looked for. */
  readonly longest: number;
}

// Dutch last, as when the reader was trained: sums of things in another order differ in their last bits.
const tables = lazily(() => {
  const ordered = languageTables().toSorted((one, other) => Number(one.code === 'nl') - Number(other.code === 'nl'));
  return ordered.map(({ code, things }) => thingWords(code, things));
});

/**
 * Returns the everyday things that a text names: "your hygienist appointment" names the dentist. A text is read in the
 * language named, and in every one where that finds nothing or none is named.
 */
export function thingsNamed(text: string, language: Language | null): ThingSet {
  const words = new Set(withoutAccents(text).toLowerCase().match(WORDS) ?? []);
  const named = thingsIn(
    words,
    tables().filter((table) => table.language === language),
  );
  return named.size > 0 ? named : thingsIn(words, tables());
}

function thingsIn(words: Iterable<string>, tables: readonly ThingWords[]): ThingSet {
  const all = [...words];
  return new Set(tables.flatMap((known) => all.flatMap((word) => thingsOf(word, known))));
}

/** Returns the things that a sender's name and domain name, also within a word: "ironyardgym" is a gym. */
export function thingsOfSender(words: string, language: Language | null): ThingSet {
  const named = new Set(thingsNamed(words, language));
  const own = tables().filter((table) => table.language === language || table.language === 'en');
  for (const word of withoutAccents(words).toLowerCase().match(WORDS) ?? [])
    for (const known of own) for (const thing of thingsAtEnds(word, known)) named.add(thing);
  return named;
}

function thingsAtEnds(word: string, { whole, longest }: ThingWords): readonly Thing[] {
  const named: Thing[] = [];
  for (let length = SHORTEST_BEGINNING; length <= Math.min(longest, word.length - SHORTEST_REST); length += 1) {
    named.push(...(whole.get(word.slice(-length)) ?? NONE));
    if (length >= SHORTEST_WITHIN) named.push(...(whole.get(word.slice(0, length)) ?? NONE));
  }
  return named;
}

function thingsOf(word: string, { whole, beginnings }: ThingWords): readonly Thing[] {
  const begun = beginnings.get(word.slice(0, SHORTEST_BEGINNING));
  if (begun === undefined) return whole.get(word) ?? NONE;
  const named = begun.filter((each) => word.startsWith(each.word)).map(({ thing }) => thing);
  return [...(whole.get(word) ?? NONE), ...named];
}

function thingWords(language: Language, table: Readonly<Record<Thing, string>>): ThingWords {
  const [whole, beginnings] = [new Map<string, Thing[]>(), new Map<string, Beginning[]>()];
  for (const [thing, words] of Object.entries(table))
    for (const word of withoutAccents(words).toLowerCase().split(' '))
      if (word.endsWith('*')) addBeginning(beginnings, { word: word.slice(0, -1), thing });
      else if (word.length >= SHORTEST_BEGINNING) addTo(whole, word, thing);
  return { language, whole, beginnings, longest: Math.max(...[...whole.keys()].map(({ length }) => length)) };
}

function addBeginning(map: Map<string, Beginning[]>, beginning: Beginning): void {
  if (beginning.word.length >= SHORTEST_BEGINNING) addTo(map, beginning.word.slice(0, SHORTEST_BEGINNING), beginning);
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Returns a text without its accents. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** A note, as far as the things in its name are concerned. */
interface NamedNote {
  readonly path: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly keywords: readonly string[];
}

/** A thing that more notes name tells nothing. */
const TOO_MANY = 40;
const NO_THINGS: ThingSet = new Set();

/** Which notes name which everyday things, so that a mail finds them in time proportional to the mail. */
export class ThingIndex {
  readonly #paths = new Map<Thing, Set<string>>();
  readonly #things = new Map<string, ThingSet>();

  constructor(notes: readonly NamedNote[]) {
    for (const note of notes) this.add(note);
  }

  /** Adds a note, or replaces the one known under its path. */
  add({ path, name, aliases, keywords }: NamedNote): void {
    this.remove(path);
    const things = thingsNamed([name, ...aliases, ...keywords].join(' '), null);
    this.#things.set(path, things);
    for (const thing of things) this.#paths.set(thing, (this.#paths.get(thing) ?? new Set()).add(path));
  }

  /** Removes a note. Does nothing where the path is not known. */
  remove(path: string): void {
    for (const thing of this.#things.get(path) ?? []) this.#paths.get(thing)?.delete(path);
    this.#things.delete(path);
  }

  /** Returns the things that a note names, in whatever language; none where the note is not known. */
  of(path: string): ThingSet {
    return this.#things.get(path) ?? NO_THINGS;
  }

  /** Returns the notes that name any of some things, those of the rarest thing first. */
  naming(things: ThingSet): readonly string[] {
    const named = [...things]
      .map((thing) => this.#paths.get(thing) ?? new Set<string>())
      .filter(({ size }) => size > 0 && size <= TOO_MANY)
      .toSorted((one, other) => one.size - other.size);
    return [...new Set(named.flatMap((paths) => [...paths].toSorted()))];
  }
}
