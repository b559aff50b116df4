import type { StreamEvent } from '../steward/ports.ts';
import { DOUBTS } from '../vault/reading-words.ts';
import type { LanguageTable } from './languages/language-table.ts';
import { patternOfAll } from './languages/union.ts';
import type { Span } from './mail.ts';
import { ownSubject, sentencesOf, viewOf } from './mail-own-words.ts';

/** How many matches of one phrase in one sentence are read: no honest sentence has more, and a hostile one costs seconds. */
const MAX_MATCHES = 8;

/** A phrase of the table as a regular expression. */
export interface PhrasePattern {
  readonly id: string;
  readonly pattern: RegExp;
  readonly confidence: number;
}

/** Returns the first matches of a global pattern, eight at most. */
export function firstMatches(view: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  // `matchAll` would copy the pattern for each sentence, which takes longer than the search.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(view); match !== null && found.length < MAX_MATCHES; match = pattern.exec(view)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}

/** Returns a pattern of the phrase table as a global regular expression over whole words, in any case. */
export function phrasePattern(source: string): RegExp {
  return spacedPattern(source, 'giu');
}

/** Returns the phrases with their patterns compiled by `phrasePattern`. */
export function phrasePatterns(
  phrases: readonly { readonly id: string; readonly pattern: string; readonly confidence: number }[],
): readonly PhrasePattern[] {
  return phrases.map(({ id, pattern, confidence }) => ({ id, pattern: phrasePattern(pattern), confidence }));
}

/** Returns a regular expression over whole words in which each blank matches any run of blanks. */
export function spacedPattern(source: string, flags = 'iu'): RegExp {
  return wordPattern(spaced(source), flags);
}

/** Returns the source of a pattern in which each blank matches any run of blanks. */
export function spaced(source: string): string {
  return source.replace(/(?<!\[\^?) (?![*+?{])/g, ' +');
}

/** Returns a regular expression over whole words. `\b` would not do: it knows only ASCII and ends "será" before its accent. */
export function wordPattern(source: string, flags = 'iu'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, flags);
}

/** Why a phrase does not mean what it says. */
type Defeat =
  | 'question'
  | 'negated'
  | 'condition'
  | 'not yet so'
  | 'request'
  | 'only in part'
  | 'still open'
  | 'not due then';

/** How a phrase is meant: as it is written, with doubts, or not at all. */
interface Assessment {
  readonly defeat: Defeat | null;
  /** The word that gives the defeat away; empty without a defeat. */
  readonly cue: string;
  /** The raw confidence is multiplied by this: 1 without doubts, 0 after a defeat. */
  readonly factor: number;
  readonly doubts: readonly string[];
}

/** A phrase in its sentence. `start` and `end` count from the beginning of the sentence. */
export interface PhraseInSentence {
  readonly sentence: string;
  readonly start: number;
  readonly end: number;
  /** See `Frame.bare`. */
  readonly bare: boolean;
  /** A planned date may be spoken of in the future tense; something already done may not. */
  readonly ofFuture: boolean;
  /** See `FixedPhrase.negative`. */
  readonly negative: boolean;
}

const QUESTION_OPENERS = cue((cues) => cues.questionOpeners);
const INVERTED = cue((cues) => cues.inverted);
const NEUTRAL = cue((cues) => cues.neutral, 'giu');
const NEGATION = cue((cues) => cues.negation);
const CONDITION = cue((cues) => cues.condition);
const CONDITION_BEHIND = cue((cues) => cues.conditionBehind);
const CONDITION_FOR_DATES = cue((cues) => cues.conditionForDates);
const IFS = new RegExp(`^ (?:${patternOfAll(({ cues }) => cues.ifs)}) `, 'iu');
const FUTURE = cue((cues) => cues.future);
const FUTURE_FOR_DATES = cue((cues) => cues.futureForDates);
const FUTURE_BEHIND = cue((cues) => cues.futureBehind);
const REQUEST = cue((cues) => cues.request);
const PARTIAL = cue((cues) => cues.partial);
const STILL_OPEN = cue((cues) => cues.stillOpen);
const HEDGE = cue((cues) => cues.hedge);
const OF_THE_PAST = cue((cues) => cues.past);
const LONG_AGO = cue((cues) => cues.longAgo);
const NOT_DUE = cue((cues) => cues.notDue);
const GONE_WRONG = cue((cues) => cues.goneWrong);
/** "… that the fee was paid" is hearsay, unless it comes from somebody who must know. */
const REPORTED = wordPattern(`(?:${patternOfAll(({ cues }) => cues.that)}) [^,;]{0,300}$`);
/** Neutral words are masked by `_`. */
const ANNOUNCED = wordPattern(`_+|${patternOfAll(({ cues }) => cues.announced)}`);
const SOMEBODY_ELSE = cue((cues) => cues.somebodyElse);
const TURNS = cue((cues) => cues.turns);
const RELATIVE = wordPattern(`(?:${patternOfAll(({ cues }) => cues.relative)}) *$`);
const BOUNDARY = new RegExp(`[;()]|,(?!\\d)| [-–—] |—| (?:${patternOfAll(({ cues }) => cues.clauseBreaks)}) `, 'giu');
const NEXT_STATEMENT = new RegExp(
  ` (?:${patternOfAll(({ cues }) => cues.and)}) (?:${patternOfAll(({ cues }) => cues.subjects)})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** A sentence this long is a list or a legal text, where a helping verb can be anywhere. */
const LONG_SENTENCE = 400;

/** Returns a phrase that may be spoken of in the future tense: a planned date or a request. */
export function plannedPhrase(sentence: string, start: number, end: number): PhraseInSentence {
  return { sentence, start, end, bare: false, negative: false, ofFuture: true };
}

/** Assesses how a phrase is meant in its sentence. */
export function assess(phrase: PhraseInSentence): Assessment {
  const sentence = phrase.sentence.replace(NEUTRAL, (words) => '_'.repeat(words.length));
  const literal = { ...phrase, sentence };
  const defeat = defeatOf(literal);
  return defeat === null ? doubtsOf(literal) : { ...defeat, factor: 0, doubts: [] };
}

/** Returns whether a request is negated or only a figure of speech: "please do not reply", "let us know if". */
export function isNegated(phrase: PhraseInSentence): boolean {
  const { sentence, start, end } = phrase;
  const clause = clauseOf(sentence, start, end);
  return NEGATION.test(clause.before) || IFS.test(sentence.slice(end, end + 12));
}

type DefeatingCue = Pick<Assessment, 'cue'> & { readonly defeat: Defeat };

function defeatOf(phrase: PhraseInSentence): DefeatingCue | null {
  const { sentence, start, end } = phrase;
  const clause = clauseOf(sentence, start, end);
  const before = sentence.slice(0, start);
  // German and French put "nicht" and "pas" between the helping verb and the participle.
  const within = phrase.negative ? '' : sentence.slice(start, end);
  return (
    defeatBy('question', questionCue(phrase)) ??
    defeatBy('negated', cueIn(NEGATION, clause.before, within, clause.after, phrase.bare ? before : '')) ??
    defeatBy('condition', cueIn(phrase.ofFuture ? CONDITION_FOR_DATES : CONDITION, before)) ??
    defeatBy('condition', cueIn(phrase.ofFuture ? CONDITION_FOR_DATES : CONDITION_BEHIND, clause.after)) ??
    defeatBy('not yet so', cueIn(phrase.ofFuture ? FUTURE_FOR_DATES : FUTURE, clause.before, within)) ??
    defeatBy('not yet so', phrase.ofFuture ? '' : cueIn(FUTURE_BEHIND, clause.after.slice(0, 24))) ??
    defeatBy('not due then', phrase.ofFuture ? cueIn(NOT_DUE, clause.before, within) : '') ??
    defeatBy('request', cueIn(REQUEST, before)) ??
    defeatBy('only in part', phrase.ofFuture ? '' : cueIn(PARTIAL, clause.before, within, ownPart(clause.after))) ??
    defeatBy('still open', phrase.ofFuture ? '' : cueIn(STILL_OPEN, clause.before, clause.after))
  );
}

/** In "… is paid, and we only need", a second statement starts with its own subject. */
function ownPart(after: string): string {
  return after.split(NEXT_STATEMENT, 1)[0] ?? '';
}

function defeatBy(defeat: Defeat, cue: string): DefeatingCue | null {
  return cue === '' ? null : { defeat, cue };
}

function cueIn(pattern: RegExp, ...stretches: readonly string[]): string {
  for (const stretch of stretches) {
    const cue = pattern.exec(stretch)?.[0];
    if (cue !== undefined) return cue.toLowerCase();
  }
  return '';
}

function questionCue(phrase: PhraseInSentence): string {
  const { sentence, start, end } = phrase;
  if (/[?？¿]/u.test(sentence)) return '?';
  const opening = sentence.slice(0, start).replace(/^[\s"'“„«>*•–-]+/u, '');
  const opener = QUESTION_OPENERS.exec(opening);
  // "Was delivered today." opens with the phrase itself, so it asks nothing.
  if (opener !== null && opener.index === 0) return opener[0].toLowerCase();
  return INVERTED.exec(sentence.slice(0, end))?.[0].toLowerCase() ?? '';
}

function doubtsOf(phrase: PhraseInSentence): Assessment {
  const { sentence, start, end } = phrase;
  const rest = `${sentence.slice(0, start)} _ ${sentence.slice(end)}`;
  const doubts: [string, number][] = [];
  if (HEDGE.test(sentence)) doubts.push([DOUBTS.hedged(cueIn(HEDGE, sentence)), 0.7]);
  if (NEGATION.test(rest)) doubts.push([DOUBTS.beside(cueIn(NEGATION, rest)), 0.85]);
  if (!phrase.ofFuture && CONDITION_BEHIND.test(sentence.slice(end))) doubts.push(['a condition follows', 0.85]);
  if (!phrase.ofFuture && OF_THE_PAST.test(sentence)) doubts.push(['it may speak of something earlier', 0.8]);
  if (!phrase.ofFuture && LONG_AGO.test(sentence)) doubts.push([DOUBTS.longAgo(cueIn(LONG_AGO, sentence)), 0.5]);
  if (GONE_WRONG.test(rest)) doubts.push([DOUBTS.beside(cueIn(GONE_WRONG, rest)), 0.6]);
  const before = sentence.slice(0, start);
  if (REPORTED.test(before) && !ANNOUNCED.test(before)) doubts.push(['it repeats what somebody said', 0.85]);
  if (SOMEBODY_ELSE.test(sentence)) doubts.push([DOUBTS.beside(cueIn(SOMEBODY_ELSE, sentence)), 0.4]);
  if (TURNS.test(sentence.slice(end))) doubts.push([DOUBTS.follows(cueIn(TURNS, sentence.slice(end))), 0.8]);
  if (!phrase.ofFuture && RELATIVE.test(sentence.slice(0, start)))
    doubts.push(['it only says which one is meant', 0.6]);
  if (isQuoted(sentence, start, end)) doubts.push(['it stands in quotation marks', 0.7]);
  if (sentence.length > LONG_SENTENCE) doubts.push(['the sentence is very long', 0.85]);
  const factor = doubts.reduce((product, [, each]) => product * each, 1);
  return { defeat: null, cue: '', factor, doubts: doubts.map(([words]) => words) };
}

function isQuoted(sentence: string, start: number, end: number): boolean {
  const marks = sentence.slice(0, start).match(/["“„«]/gu)?.length ?? 0;
  return marks > 0 && /["”“»]/u.test(sentence.slice(end)) && isOdd(sentence.slice(0, start));
}

function isOdd(before: string): boolean {
  const straight = before.match(/"/g)?.length ?? 0;
  const opened = before.match(/[“„«]/gu)?.length ?? 0;
  const closed = before.match(/[”»]/gu)?.length ?? 0;
  return straight % 2 === 1 || opened > closed;
}

function cue(pick: (cues: LanguageTable['cues']) => string, flags?: string): RegExp {
  return wordPattern(
    patternOfAll(({ cues }) => pick(cues)),
    flags,
  );
}

function clauseOf(sentence: string, start: number, end: number): { before: string; after: string } {
  let from = 0;
  let to = sentence.length;
  for (const mark of sentence.matchAll(BOUNDARY)) {
    if (mark.index + mark[0].length <= start + 1) from = Math.min(start, mark.index + mark[0].length);
    else if (mark.index >= end) {
      to = mark.index;
      break;
    }
  }
  return { before: sentence.slice(from, start), after: sentence.slice(end, to) };
}

const MAX_SENTENCES = 400;
const MAX_SHOWN = 300;

/** One sentence of a mail, with the text it is part of. */
export interface Passage {
  /** The whole subject or body. */
  readonly text: string;
  /** Where the sentence is in the text. */
  readonly sentence: Span;
  /** The sentence as `viewOf` shows it, character for character as long as the sentence. */
  readonly view: string;
  readonly isSubject: boolean;
}

/** Returns the sentences that the mail's author wrote: the subject's, then the body's, at most 400. */
export function passagesOf(event: StreamEvent): readonly Passage[] {
  return [...passagesIn(ownSubject(event), true), ...passagesIn(event.text, false)].slice(0, MAX_SENTENCES);
}

/** Returns the sentences of a text. */
export function passagesIn(text: string, isSubject: boolean): readonly Passage[] {
  const view = viewOf(text);
  return sentencesOf(text).map((sentence) => {
    return { text, sentence, view: view.slice(sentence.start, sentence.end), isSubject };
  });
}

/** Returns a sentence as findings carry it: with single blanks, at most 300 characters. */
export function shownSentence(view: string): string {
  return view.replace(/ +/g, ' ').trim().slice(0, MAX_SHOWN);
}

/**
 * Returns the sentences of the same paragraph that stand before a sentence of the body, nearest first. None for a sentence
 * of the subject, and for one that the mail says more than once.
 */
export function sentencesBefore(event: StreamEvent, sentence: string): readonly string[] {
  const passages = passagesOf(event);
  const same = passages.filter(({ view }) => shownSentence(view) === sentence);
  const [only] = same;
  if (only === undefined || only.isSubject || same.length > 1) return [];
  const body = passages.filter(({ isSubject }) => !isSubject);
  const at = body.indexOf(only);
  const start = body.findLastIndex((passage, nth) => nth <= at && startsParagraph(body[nth - 1], passage));
  return body
    .slice(start, at)
    .map(({ view }) => shownSentence(view))
    .reverse();
}

function startsParagraph(before: Passage | undefined, { text, sentence }: Passage): boolean {
  return before === undefined || /\n[^\S\n]*\n/.test(text.slice(before.sentence.start, sentence.start));
}
