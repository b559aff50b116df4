import { DOUBTS } from '../../vault/words/reading-words.ts';
import type { LanguageTable } from '../languages/language-table.ts';
import { patternOfAll } from '../languages/union.ts';
import { wordPattern } from './pattern.ts';

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
