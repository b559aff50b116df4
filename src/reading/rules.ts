import { z } from 'zod';
import type { StreamEvent } from '../steward/types.ts';
import { lazily, loadData } from '../vault/data.ts';
import { DOUBTS, messageWords } from '../vault/event-text.ts';
import { type DateOrigin, narrowOrigin, readDate } from './dates.ts';
import { ownSubject } from './own-words.ts';
import {
  LANGUAGES,
  type LanguageTable,
  languageTables,
  patternOfAll,
  plainView,
  quoteAround,
  type Span,
  splitSentences,
  stem,
  stemmedWords,
  type TopicName,
  wordsOfAll,
} from './text.ts';

/** How many matches of one phrase in one sentence are read: no honest sentence has more, and a hostile one costs seconds. */
const MAX_MATCHES = 8;

/** A phrase of the table as a regular expression. */
interface PhrasePattern {
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

/** Returns a confidence with four decimals. */
export function round4(confidence: number): number {
  return Math.round(confidence * 1e4) / 1e4;
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
interface PhraseInSentence {
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

/** The cues of all languages. */
const cues = lazily(() => {
  const any = (name: keyof LanguageTable['cues']) => patternOfAll((language) => language.cues[name]);
  const cue = (name: keyof LanguageTable['cues'], flags?: string) => wordPattern(any(name), flags);
  return {
    questionOpeners: cue('questionOpeners'),
    inverted: cue('inverted'),
    neutral: cue('neutral', 'giu'),
    negation: cue('negation'),
    condition: cue('condition'),
    conditionBehind: cue('conditionBehind'),
    conditionForDates: cue('conditionForDates'),
    ifs: new RegExp(`^ (?:${any('ifs')}) `, 'iu'),
    future: cue('future'),
    futureForDates: cue('futureForDates'),
    futureBehind: cue('futureBehind'),
    request: cue('request'),
    partial: cue('partial'),
    stillOpen: cue('stillOpen'),
    hedge: cue('hedge'),
    past: cue('past'),
    longAgo: cue('longAgo'),
    notDue: cue('notDue'),
    goneWrong: cue('goneWrong'),
    /** "… that the fee was paid" is hearsay, unless it comes from somebody who must know. */
    reported: wordPattern(`(?:${any('that')}) [^,;]{0,300}$`),
    /** Neutral words are masked by `_`. */
    announced: wordPattern(`_+|${any('announced')}`),
    somebodyElse: cue('somebodyElse'),
    turns: cue('turns'),
    relative: wordPattern(`(?:${any('relative')}) *$`),
    boundary: new RegExp(`[;()]|,(?!\\d)| [-–—] |—| (?:${any('clauseBreaks')}) `, 'giu'),
    nextStatement: new RegExp(` (?:${any('and')}) (?:${any('subjects')})(?![\\p{L}\\p{N}])`, 'iu'),
  };
});
/** A sentence this long is a list or a legal text, where a helping verb can be anywhere. */
const LONG_SENTENCE = 400;

/** Returns a phrase that may be spoken of in the future tense: a planned date or a request. */
export function plannedPhrase(sentence: string, start: number, end: number): PhraseInSentence {
  return { sentence, start, end, bare: false, negative: false, ofFuture: true };
}

/** Assesses how a phrase is meant in its sentence. */
export function assess(phrase: PhraseInSentence): Assessment {
  const sentence = withoutLinks(phrase.sentence).replace(cues().neutral, (words) => '_'.repeat(words.length));
  const literal = { ...phrase, sentence };
  const defeat = defeatOf(literal);
  return defeat === null ? doubtsOf(literal) : { ...defeat, factor: 0, doubts: [] };
}

/**
 * Returns a sentence with its links masked, as long as before: the name of a task doesn't say anything about the task.
 */
export function withoutLinks(view: string): string {
  return view.replace(/\[\[[^[\]]{0,300}\]\]/g, (link) => '_'.repeat(link.length));
}

/** Returns whether a request is negated or only a figure of speech: "please do not reply", "let us know if". */
export function isNegated(phrase: PhraseInSentence): boolean {
  const { sentence, start, end } = phrase;
  const clause = clauseOf(sentence, start, end);
  return cues().negation.test(clause.before) || cues().ifs.test(sentence.slice(end, end + 12));
}

type DefeatingCue = Pick<Assessment, 'cue'> & { readonly defeat: Defeat };

function defeatOf(phrase: PhraseInSentence): DefeatingCue | null {
  const { sentence, start, end, ofFuture } = phrase;
  const known = cues();
  const clause = clauseOf(sentence, start, end);
  const before = sentence.slice(0, start);
  // German and French put "nicht" and "pas" between the helping verb and the participle.
  const within = phrase.negative ? '' : sentence.slice(start, end);
  const ofBoth =
    defeatBy('question', questionCue(phrase)) ??
    defeatBy('negated', cueIn(known.negation, clause.before, within, clause.after, phrase.bare ? before : '')) ??
    defeatBy('condition', cueIn(ofFuture ? known.conditionForDates : known.condition, before)) ??
    defeatBy('condition', cueIn(ofFuture ? known.conditionForDates : known.conditionBehind, clause.after)) ??
    defeatBy('not yet so', cueIn(ofFuture ? known.futureForDates : known.future, clause.before, within));
  if (ofBoth !== null) return ofBoth;
  if (ofFuture)
    return (
      defeatBy('not due then', cueIn(known.notDue, clause.before, within)) ??
      defeatBy('request', cueIn(known.request, before))
    );
  return (
    defeatBy('not yet so', cueIn(known.futureBehind, clause.after.slice(0, 24))) ??
    defeatBy('request', cueIn(known.request, before)) ??
    defeatBy('only in part', cueIn(known.partial, clause.before, within, ownPart(clause.after))) ??
    defeatBy('still open', cueIn(known.stillOpen, clause.before, clause.after))
  );
}

/** In "… is paid, and we only need", a second statement starts with its own subject. */
function ownPart(after: string): string {
  return after.split(cues().nextStatement, 1)[0] ?? '';
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
  const opener = cues().questionOpeners.exec(opening);
  // "Was delivered today." opens with the phrase itself, so it is no question.
  if (opener !== null && opener.index === 0) return opener[0].toLowerCase();
  return cues().inverted.exec(sentence.slice(0, end))?.[0].toLowerCase() ?? '';
}

function doubtsOf({ sentence, start, end, ofFuture }: PhraseInSentence): Assessment {
  const known = cues();
  const [before, after] = [sentence.slice(0, start), sentence.slice(end)];
  const rest = `${before} _ ${after}`;
  const doubts: [string, number][] = [];
  const addIf = (isSo: boolean, words: string, factor: number) => {
    if (isSo) doubts.push([words, factor]);
  };
  const addCue = (pattern: RegExp, text: string, words: (cue: string) => string, factor: number) => {
    const found = cueIn(pattern, text);
    addIf(found !== '', words(found), factor);
  };
  addCue(known.hedge, sentence, DOUBTS.hedged, 0.7);
  addCue(known.negation, rest, DOUBTS.beside, 0.85);
  addIf(!ofFuture && known.conditionBehind.test(after), 'a condition follows', 0.85);
  addIf(!ofFuture && known.past.test(sentence), 'it may be about something earlier', 0.8);
  addCue(known.longAgo, ofFuture ? '' : sentence, DOUBTS.longAgo, 0.5);
  addCue(known.goneWrong, rest, DOUBTS.beside, 0.6);
  addIf(known.reported.test(before) && !known.announced.test(before), 'it repeats what somebody said', 0.85);
  addCue(known.somebodyElse, sentence, DOUBTS.beside, 0.4);
  addCue(known.turns, after, DOUBTS.follows, 0.8);
  addIf(!ofFuture && known.relative.test(before), 'it only says which one is meant', 0.6);
  addIf(isQuoted(before, after), 'it is in quotation marks', 0.7);
  addIf(sentence.length > LONG_SENTENCE, 'the sentence is very long', 0.85);
  const factor = doubts.reduce((product, [, each]) => product * each, 1);
  return { defeat: null, cue: '', factor, doubts: doubts.map(([words]) => words) };
}

/** A quotation mark before the phrase is still open, and one follows. */
function isQuoted(before: string, after: string): boolean {
  const count = (marks: RegExp) => before.match(marks)?.length ?? 0;
  const isOpen = count(/"/g) % 2 === 1 || count(/[“„«]/gu) > count(/[”»]/gu);
  return isOpen && /["”“»]/u.test(after);
}

function clauseOf(sentence: string, start: number, end: number): { before: string; after: string } {
  let from = 0;
  let to = sentence.length;
  for (const mark of sentence.matchAll(cues().boundary)) {
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
  /** The sentence's place in the text. */
  readonly sentence: Span;
  /** The sentence as `plainView` shows it, character for character as long as the sentence. */
  readonly view: string;
  readonly isSubject: boolean;
}

/** Returns the sentences that the mail's author wrote: the subject's, then the body's, at most 400. */
export function splitEvent(event: StreamEvent): readonly Passage[] {
  const known = passagesOfEvents.get(event) ?? passagesOf(event);
  passagesOfEvents.set(event, known);
  return known;
}

const passagesOfEvents = new WeakMap<StreamEvent, readonly Passage[]>();

function passagesOf(event: StreamEvent): readonly Passage[] {
  return [...splitPassages(ownSubject(event), true), ...splitPassages(event.text, false)].slice(0, MAX_SENTENCES);
}

/** Returns the sentences of a text. */
export function splitPassages(text: string, isSubject: boolean): readonly Passage[] {
  const view = plainView(text);
  return splitSentences(text).map((sentence) => {
    return { text, sentence, view: view.slice(sentence.start, sentence.end), isSubject };
  });
}

/** Returns a sentence as findings carry it: with single blanks, at most 300 characters. */
export function shownSentence(view: string): string {
  return view.replace(/ +/g, ' ').trim().slice(0, MAX_SHOWN);
}

/**
 * Returns the sentences of the same paragraph that are before a sentence of the body, nearest first. Empty for a
 * sentence of the subject, and for one that the mail says more than once.
 */
export function sentencesBefore(event: StreamEvent, sentence: string): readonly string[] {
  const passages = splitEvent(event);
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

/** What one phrase of an event says should become of a matter or task. */
export interface RuleFinding {
  readonly effect: 'mutation' | 'action';
  readonly class: 'state_change' | 'context_edit' | null;
  readonly set: Readonly<Record<string, string>>;
  /** The time of day that goes with a new day, `HH:mm`; absent if no time is named. */
  readonly time?: string;
  /** The row of the phrase table, as `topic: frame`. */
  readonly phraseId: string;
  /** The words that tasks use for what was done. */
  readonly verbs: readonly string[];
  /** The words that tasks use for something else: a deed that was paid for is not thereby signed. */
  readonly otherVerbs: readonly string[];
  /** It counts only for a task that has such a verb: "shipped" ends "Order the lamp", not "Lamp". */
  readonly onlyAsked?: boolean;
  /** Verbatim from the subject or the text, on one line, at most 50 characters. */
  readonly quote: string;
  /** The phrase alone, also verbatim. */
  readonly words: string;
  readonly sentence: string;
  readonly rawConfidence: number;
  readonly reason: string;
  /** Why the phrase does not mean what it says; null if it does. */
  readonly defeatedBy: string | null;
  /** The numbers and codes, folded, of what it is about, where a form names them as such; absent of a phrase. */
  readonly references?: readonly string[];
}

/** The proposal of a finding, without its place in the text. */
export type Claim = Pick<
  RuleFinding,
  'effect' | 'class' | 'set' | 'time' | 'phraseId' | 'verbs' | 'otherVerbs' | 'onlyAsked'
>;

/** Returns the claim that a topic's thing was done or called off, as the rule `phraseId` reads it. */
export function stateClaim(name: TopicName, phraseId: string): Claim {
  const state = ALL_TOPICS.find((topic) => topic.name === name)?.state ?? 'done';
  const { verbs = [], otherVerbs = [] } = tableOf(name) ?? {};
  return { effect: 'mutation', class: 'state_change', set: { state }, phraseId, verbs, otherVerbs };
}

/** Returns the claim that something is due on a day, and at a time of day where it is known. */
export function dayClaim(day: string, time: string | null, phraseId: string): Claim {
  const claim: Claim = {
    effect: 'mutation',
    class: 'context_edit',
    set: { due: day },
    phraseId,
    verbs: [],
    otherVerbs: [],
  };
  return time === null ? claim : { ...claim, time };
}

/** Returns the claim that the reader is asked for something. */
export function requestClaim(phraseId: string): Claim {
  return { effect: 'action', class: null, set: {}, phraseId, verbs: [], otherVerbs: [] };
}

/** Returns the finding for a claim, with its confidence lowered by doubts in the sentence, or defeated by them. */
export function assessedFinding(
  claim: Claim,
  confidence: number,
  phrase: PhraseInSentence,
  passage: Passage,
): RuleFinding {
  const { defeat, cue, factor, doubts } = assess(phrase);
  const finding = makeFinding(claim, confidence, phrase, passage);
  if (defeat !== null) return { ...finding, rawConfidence: 0, defeatedBy: defeatWords(defeat, cue) };
  const reason = [finding.reason, ...doubts].join('; ');
  return { ...finding, rawConfidence: round4(confidence * factor), reason };
}

/** Returns the finding for a claim, whatever the rest of the sentence says. */
export function makeFinding(claim: Claim, confidence: number, phrase: PhraseInSentence, passage: Passage): RuleFinding {
  const { sentence, text } = passage;
  const [start, end] = [sentence.start + phrase.start, sentence.start + phrase.end];
  const quote = quoteAround(text, { start, end }, sentence);
  const words = quoteAround(text, { start, end }, { start, end });
  const shown = shownSentence(phrase.sentence);
  const reason = messageWords(words, passage.isSubject);
  return { ...claim, quote, words, sentence: shown, rawConfidence: confidence, reason, defeatedBy: null };
}

/** Returns the finding with this confidence, and with `because` added to its reason. */
function lowerTo(finding: RuleFinding, confidence: number, because: string): RuleFinding {
  return { ...finding, rawConfidence: round4(confidence), reason: `${finding.reason}; ${because}` };
}

/** Returns the findings, surest first. */
function surestFirst(findings: readonly RuleFinding[]): RuleFinding[] {
  return findings.toSorted((one, other) => other.rawConfidence - one.rawConfidence);
}

function defeatWords(defeat: string, cue: string): string {
  return cue === '?' ? 'a question' : `${defeat} ("${cue.replace(/ +/g, ' ').slice(0, 40)}")`;
}

const FORM = 'form: ';

/**
 * Returns the topic of the phrase table that a finding was read by. A finding of a form, `form: payment: …`, has that
 * topic too.
 */
export function phraseTopic({ phraseId }: Pick<RuleFinding, 'phraseId'>): string {
  const read = phraseId.startsWith(FORM) ? phraseId.slice(FORM.length) : phraseId;
  return read.slice(0, read.indexOf(':'));
}

const FILLERS = /^(?: |:|,|(?:on|the|to|le|au|al|el|den|dem|am|auf|a|para|es|is)(?= ))*/iu;
const MAX_DATE_CHARACTERS = 120;
/** A weekday's name is less certain than a date. */
const WEEKDAY_FACTOR = 0.9;

interface DayTrigger {
  readonly trigger: PhrasePattern;
  readonly match: RegExpExecArray;
}

/** Returns the words of a sentence that a new day may follow. */
export function findDayTriggers(view: string): readonly DayTrigger[] {
  return tables().triggers.flatMap((trigger) =>
    firstMatches(view, trigger.pattern).map((match) => ({ trigger, match })),
  );
}

/** Returns what a sentence says is due on another day. `origin`: when and in which language the mail was written. */
export function findDates(passage: Passage, triggers: readonly DayTrigger[], origin: DateOrigin): RuleFinding[] {
  if (triggers.length === 0) return [];
  const here = narrowOrigin(passage.view, origin);
  return triggers.flatMap(({ trigger, match }) => dateFinding(trigger, match, passage, here));
}

function dateFinding(
  trigger: PhrasePattern,
  match: RegExpExecArray,
  passage: Passage,
  origin: DateOrigin,
): RuleFinding[] {
  const triggerEnd = match.index + match[0].length;
  const behind = passage.view.slice(triggerEnd);
  const filler = FILLERS.exec(behind)?.[0].length ?? 0;
  // The date must follow "due" directly; any other word between them may change what is due.
  const date = readDate(behind.slice(filler, filler + MAX_DATE_CHARACTERS), origin);
  if (date === null) return [];
  const phrase = plannedPhrase(passage.view, match.index, triggerEnd + filler + date.length);
  const confidence = date.kind === 'weekday' ? trigger.confidence * WEEKDAY_FACTOR : trigger.confidence;
  const claim = dayClaim(date.day, date.time, `date: ${trigger.id}`);
  const finding = assessedFinding(claim, confidence, phrase, passage);
  const isPast = origin.at !== null && date.day < origin.at.slice(0, 10);
  return [isPast && finding.defeatedBy === null ? { ...finding, defeatedBy: 'the day is before the mail' } : finding];
}

/** Something that a mail can say has happened, in whatever language. */
interface Topic {
  readonly name: TopicName;
  readonly state: 'done' | 'archived';
}

const TOPICS: readonly Topic[] = [
  { name: 'payment', state: 'done' },
  { name: 'signature', state: 'done' },
  { name: 'delivery', state: 'done' },
  { name: 'completion', state: 'done' },
  { name: 'approval', state: 'done' },
  { name: 'booking', state: 'done' },
  { name: 'renewal', state: 'done' },
  { name: 'cancellation', state: 'archived' },
];

/**
 * The endings of a whole affair: a case is closed. Shops and roads are closed too, so these count only if a matter has
 * ended, called by its own name, and no task has verbs for them.
 */
export const ENDINGS: readonly Topic[] = [
  { name: 'ending', state: 'done' },
  { name: 'withdrawal', state: 'archived' },
];

const ALL_TOPICS: readonly Topic[] = [...TOPICS, ...ENDINGS];

/** One way of saying that a topic's thing has happened, ready to be searched for. */
interface PhraseMatcher {
  readonly id: string;
  readonly pattern: RegExp;
  /** A cheap test whether the sentence has the form at all; null if only the pattern can tell. */
  readonly form: RegExp | null;
  readonly confidence: number;
  /** The phrase has no helping verb. */
  readonly bare: boolean;
  /** The phrase is itself a negation. */
  readonly negative: boolean;
  /** See `Finding.onlyAsked`. */
  readonly onlyAsked: boolean;
}

/** All that the tables say of one topic. */
interface TopicTable {
  readonly matchers: readonly PhraseMatcher[];
  /** Finds any form of the topic, in a frame or not. */
  readonly mention: RegExp;
  readonly spoiler: RegExp;
  readonly doubt: RegExp;
  readonly contradiction: RegExp;
  /** The words that tasks use for it, and for anything else. */
  readonly verbs: readonly string[];
  readonly otherVerbs: readonly string[];
}

/** The phrases of each topic in all languages, ready to be searched for. */
const topicTables = new Map<string, () => TopicTable>(
  ALL_TOPICS.map((topic) => [topic.name, lazily(() => topicTable(topic))] as const),
);

/** The other phrases of all languages. */
const tables = lazily(() => {
  return {
    triggers: phrasePatterns(languageTables().flatMap(({ dates }) => dates)),
    requests: phrasePatterns(languageTables().flatMap(({ requests }) => requests)),
    small: new Set(wordsOfAll(({ names }) => names.small).flatMap(stemmedWords)),
    deeds: new Set(TOPICS.flatMap(({ name }) => verbsFor(name)).map(stem)),
    deedsDone: spacedPattern(
      ALL_TOPICS.map(({ name }) => patternOfAll((language) => formsOf(language, name).join('|'))).join('|'),
      'giu',
    ),
    // "Dear Sam,", "Hola, Robin:", "Estimado cliente:".
    salutation: new RegExp(
      `^\\s*(?:(?:${patternOfAll(greetingWithColon)})(?: (?-i:\\p{Ll})\\p{L}*\\.?){0,2}(?:,? (?-i:\\p{Lu})[\\p{L}.'’-]*){0,4}:(?=\\s|$)|(?:${patternOfAll(({ names }) => names.salutation)})(?: [^,!.\\n]{0,60})?[,!])`,
      'iu',
    ),
    /** Words that take back what the mail says, or mark it as not meant. */
    takenBack: wordPattern(patternOfAll(({ cues }) => cues.takenBack)),
    /** Something else has taken its place, so that what the note is about goes on. */
    replaced: wordPattern(patternOfAll(({ cues }) => cues.replaced)),
    negated: wordPattern(patternOfAll(({ cues }) => cues.negation)),
  };
});

// Spanish letters greet so. In German a capital is no name: "Hallo, Muster:" introduces a sample.
function greetingWithColon({ code, names }: LanguageTable): string {
  return code === 'es' ? names.salutation : '';
}

function allTopicTables(): readonly TopicTable[] {
  return [...topicTables.values()].map((table) => table());
}

function tableOf(name: string): TopicTable | undefined {
  return topicTables.get(name)?.();
}

/**
 * Makes the tables and looks up a sentence in each, a part at a time. Otherwise each part would be made on first use,
 * and the first event would delay others.
 */
export function* prepareTables(): Generator<void> {
  const [passage] = splitPassages('Nothing to report.', false);
  if (passage === undefined) return;
  for (const topic of ALL_TOPICS) {
    statesOf([topic], passage);
    yield;
  }
  for (const look of [() => findDayTriggers(passage.view), () => findRequests(passage), () => findEndings(passage)]) {
    look();
    yield;
  }
}

function topicTable(topic: Topic): TopicTable {
  const { name } = topic;
  const fixed = languageTables().flatMap(({ topics }) => topics[name].phrases);
  const forms = languageTables().flatMap((language) => formsOf(language, name));
  const anyOf = (part: 'spoiltBy' | 'doubtedBy' | 'contradictedBy') =>
    spacedPattern(patternOfAll(({ topics }) => topics[name][part]));
  return {
    matchers: [
      ...languageTables().flatMap((language) => framedIn(language, topic)),
      ...fixed.map(({ id, pattern, confidence, negative = false, onlyAsked = false }) => ({
        id: `${name}: ${id}`,
        pattern: phrasePattern(pattern),
        form: null,
        confidence,
        bare: false,
        negative,
        onlyAsked,
      })),
    ],
    mention: spacedPattern([...forms, ...fixed.map(({ pattern }) => pattern)].join('|')),
    spoiler: anyOf('spoiltBy'),
    doubt: anyOf('doubtedBy'),
    contradiction: anyOf('contradictedBy'),
    verbs: verbsFor(name),
    otherVerbs: otherVerbsFor(name),
  };
}

function framedIn({ frames, topics }: LanguageTable, { name }: Topic): PhraseMatcher[] {
  return topics[name].forms.flatMap(({ words, ceiling, onlyAsked = false }) => {
    const form = spacedPattern(words);
    return frames.map((frame) => ({
      id: `${name}: ${frame.id}`,
      pattern: phrasePattern(frame.pattern.replace('W', `(?:${words})`)),
      form,
      confidence: Math.min(frame.confidence, ceiling),
      bare: frame.bare ?? false,
      negative: false,
      onlyAsked,
    }));
  });
}

function formsOf({ topics }: LanguageTable, name: TopicName): readonly string[] {
  return topics[name].forms.map(({ words }) => words);
}

function verbsFor(name: TopicName): readonly string[] {
  return wordsOfAll(({ topics }) => topics[name].verbs);
}

/** Whatever a task asks for can be completed or called off, so those two topics rule out no other verb. */
function otherVerbsFor(name: TopicName): readonly string[] {
  if (name === 'completion' || name === 'cancellation') return [];
  const own = new Set(verbsFor(name));
  const others = TOPICS.filter((other) => other.name !== 'completion').flatMap((other) => verbsFor(other.name));
  return others.filter((verb) => !own.has(verb));
}

const ordersTable = z.record(z.enum(['any', ...LANGUAGES]), z.array(z.string().min(1)));

/** Words that are meant for a program rather than a person: those of all languages, and marks that may be within a word. */
export const orderPatterns = lazily(() => {
  const { any: marks, ...languages } = loadData('orders.yaml', ordersTable);
  return { marks, words: Object.values(languages).flat() };
});

const addressedToProgram = lazily(() => {
  const { marks, words } = orderPatterns();
  return [new RegExp(spaced(marks.join('|')), 'iu'), spacedPattern(words.join('|'))];
});

/** The highest confidence of anything that a mail addressed to a program says. */
export const PROGRAM_CEILING = 0.5;

/** Returns whether a mail speaks to the program that reads it: nothing it says is then surer than `PROGRAM_CEILING`. */
export function isAddressedToProgram({ subject, text }: StreamEvent): boolean {
  const said = `${subject}\n${text}`.replace(/\s+/g, ' ');
  return addressedToProgram().some((pattern) => pattern.test(said));
}

/** Returns what a sentence asks the reader to do, at most one finding per phrase of the table. */
export function findRequests(passage: Passage): RuleFinding[] {
  return tables().requests.flatMap((request) => {
    const match = firstMatches(passage.view, request.pattern)[0];
    if (match === undefined) return [];
    const phrase = plannedPhrase(passage.view, match.index, match.index + match[0].length);
    if (isNegated(phrase)) return [];
    const claim = requestClaim(`request: ${request.id}`);
    return [makeFinding(claim, request.confidence, phrase, passage)];
  });
}

/** Returns the words of a text that name something, folded and stemmed: neither small words, nor days and years. */
export function namingWords(text: string): readonly string[] {
  return stemmedWords(text).filter(
    (word) => word.length > 1 && !tables().small.has(word) && !/^(?:\d{1,2}|(?:19|20)\d\d)$/.test(word),
  );
}

/** Returns a sentence without the "Dear Sam," that it may begin with. */
export function withoutSalutation(sentence: string): string {
  return sentence.replace(tables().salutation, '');
}

/** Whether a sentence has words that a topic of the phrase table with this verb takes for something else: "paid back". */
export function isSpoilt(verb: string, view: string): boolean {
  const own = stem(verb);
  return allTopicTables().some(
    ({ verbs, spoiler, doubt, contradiction }) =>
      verbs.some((one) => stem(one) === own) && [spoiler, doubt, contradiction].some((pattern) => pattern.test(view)),
  );
}

/** Returns the words of all languages, as stems, for the deeds of the topics that a task's name asks for: of "Pay the rent", "payment". */
export function listDeedWords(name: string): ReadonlySet<string> {
  const own = new Set(stemmedWords(name));
  const asked = allTopicTables()
    .map(({ verbs }) => verbs.map(stem))
    .filter((verbs) => verbs.some((one) => own.has(one)));
  return new Set(asked.flat());
}

/** Whether a task's name asks to call something off: "Cancel the dentist". */
export function asksToCancel(name: string): boolean {
  const own = new Set(stemmedWords(name));
  return verbsFor('cancellation').some((verb) => own.has(stem(verb)));
}

/** Returns a sentence without its greeting, and without what it says was done. */
export function withoutDeeds(text: string): string {
  return withoutSalutation(text).replace(tables().deedsDone, ' ');
}

/** Returns the words of a text that name something, other than what was done: of "your payment was received", none. */
export function findThings(text: string): readonly string[] {
  return namingWords(withoutDeeds(text)).filter((word) => !tables().deeds.has(word));
}

const DOUBT_FACTOR = 0.75;

interface Match {
  readonly matcher: PhraseMatcher;
  readonly phrase: PhraseInSentence;
}

/** Returns what a sentence says was done or called off, at most one finding per topic. */
export function findStates(passage: Passage): RuleFinding[] {
  return statesOf(TOPICS, passage);
}

/** Returns the findings that something has ended, which count only if that is a whole matter. */
export function findEndings(passage: Passage): RuleFinding[] {
  return statesOf(ENDINGS, passage);
}

function statesOf(topics: readonly Topic[], passage: Passage): RuleFinding[] {
  return topics.flatMap((topic) => {
    const table = tableOf(topic.name);
    const mention = table?.mention.exec(passage.view) ?? null;
    if (table === undefined || mention === null || table.spoiler.test(passage.view)) return [];
    const matches = table.matchers
      .filter(({ form }) => form?.test(passage.view) !== false)
      .flatMap((matcher) => matchesIn(passage.view, matcher));
    const found = outermost(matches).map(({ matcher, phrase }) => stateFinding(topic, matcher, phrase, passage));
    const framed = surest(found);
    return framed.length > 0 ? framed : mentionedOnly(topic, mention, passage);
  });
}

function matchesIn(view: string, matcher: PhraseMatcher): Match[] {
  const { bare, negative } = matcher;
  return firstMatches(view, matcher.pattern).map((match) => {
    const [start, end] = [match.index, match.index + match[0].length];
    return { matcher, phrase: { sentence: view, start, end, bare, negative, ofFuture: false } };
  });
}

/** Drops matches within longer ones: "paid" in "has been paid" is read with its helping verb, not again by itself. */
function outermost(matches: readonly Match[]): Match[] {
  return matches.filter(
    ({ phrase }) => !matches.some((other) => other.phrase !== phrase && contains(other.phrase, phrase)),
  );
}

function contains(outer: PhraseInSentence, inner: PhraseInSentence): boolean {
  const isLonger = outer.end - outer.start > inner.end - inner.start;
  return isLonger && outer.start <= inner.start && outer.end >= inner.end;
}

/** A word outside every frame is never a finding, but "has not been paid by them" still counts as a denial. */
function mentionedOnly(topic: Topic, mention: RegExpExecArray, passage: Passage): RuleFinding[] {
  const matcher = tableOf(topic.name)?.matchers[0];
  if (matcher === undefined) return [];
  const [start, end] = [mention.index, mention.index + mention[0].length];
  const phrase = { sentence: passage.view, start, end, bare: true, negative: false, ofFuture: false };
  const finding = stateFinding(topic, { ...matcher, id: `${topic.name}: mentioned` }, phrase, passage);
  return finding.defeatedBy === null ? [] : [finding];
}

function stateFinding(
  { name }: Topic,
  { id, confidence, onlyAsked }: PhraseMatcher,
  phrase: PhraseInSentence,
  passage: Passage,
): RuleFinding {
  const finding = assessedFinding({ ...stateClaim(name, id), onlyAsked }, confidence, phrase, passage);
  const doubt = tableOf(name)?.doubt.exec(phrase.sentence)?.[0];
  if (doubt === undefined || finding.defeatedBy !== null) return finding;
  return lowerTo(finding, finding.rawConfidence * DOUBT_FACTOR, `"${doubt}" may mean a part of it`);
}

/** Of several phrases for one topic in one sentence, the surest counts, unless one of them was defeated. */
function surest(findings: readonly RuleFinding[]): RuleFinding[] {
  const defeated = findings.find((finding) => finding.defeatedBy !== null);
  return defeated === undefined ? surestFirst(findings).slice(0, 1) : [defeated];
}

const TAKEN_BACK_FACTOR = 0.5;
/** For two proposals of one mail about the same field, of which only one can be true. */
export const RIVAL_FACTOR = 0.7;
const CONTRADICTION_FACTOR = 0.6;
const REPLACED_FACTOR = 0.5;
/** How far before "rescheduled" a "not" denies it. */
const REACH = 24;

/**
 * Weighs the findings of one event against each other. Returns one for each distinct proposal, surest first, each lowered
 * by what the same event says against it. `asserted`: findings that are meant; `defeated`: those that are not.
 */
export function weighed(
  asserted: readonly RuleFinding[],
  defeated: readonly RuleFinding[],
  event: StreamEvent,
): readonly RuleFinding[] {
  // The evidence against a proposal is the same for each of its wordings, so only the surest wording is weighed.
  const lowered = bestOfEach(asserted).map((finding) => weighedAgainst(finding, defeated, event));
  return quotedApart(againstRivals(lowered));
}

function weighedAgainst(finding: RuleFinding, defeated: readonly RuleFinding[], event: StreamEvent): RuleFinding {
  const view = plainView(`${event.subject} \n ${event.text}`);
  const lowered = afterReplacement(afterRetraction(afterContradiction(finding, defeated, view), view), view);
  if (!isAddressedToProgram(event)) return lowered;
  const ceiling = Math.min(lowered.rawConfidence, PROGRAM_CEILING);
  return lowerTo(lowered, ceiling, 'the mail contains words addressed to a program');
}

function afterContradiction(finding: RuleFinding, defeated: readonly RuleFinding[], view: string): RuleFinding {
  const contradiction = contradictionOf(finding, defeated, view);
  if (contradiction === null) return finding;
  const factor = finding.set.state === 'archived' ? REPLACED_FACTOR : CONTRADICTION_FACTOR;
  return lowerTo(finding, finding.rawConfidence * factor, DOUBTS.contradicted(contradiction));
}

function afterRetraction(finding: RuleFinding, view: string): RuleFinding {
  const words = finding.class === null ? undefined : tables().takenBack.exec(view)?.[0];
  if (words === undefined) return finding;
  return lowerTo(finding, finding.rawConfidence * TAKEN_BACK_FACTOR, DOUBTS.alsoSaid(words));
}

function afterReplacement(finding: RuleFinding, view: string): RuleFinding {
  const words = finding.set.state === 'archived' ? saidIn(view, tables().replaced) : null;
  if (words === null) return finding;
  return lowerTo(finding, finding.rawConfidence * REPLACED_FACTOR, DOUBTS.replaced(words));
}

/** Returns the words of a text that a pattern finds; null if they are denied: "will not be rescheduled". */
function saidIn(view: string, pattern: RegExp | undefined): string | null {
  const found = pattern?.exec(view) ?? null;
  if (found === null || tables().negated.test(view.slice(Math.max(0, found.index - REACH), found.index))) return null;
  return found[0];
}

function contradictionOf(finding: RuleFinding, defeated: readonly RuleFinding[], view: string): string | null {
  if (finding.class === null) return null;
  const topic = phraseTopic(finding);
  const denied = defeated.find(
    (each) => phraseTopic(each) === topic && /^(?:negated|still open|only in part)/.test(each.defeatedBy ?? ''),
  );
  if (denied !== undefined) return denied.quote;
  return saidIn(view, tableOf(topic)?.contradiction)?.slice(0, 50) ?? null;
}

/** Keeps only the surest wording of each proposal: the same proposal in other words adds no evidence. */
function bestOfEach(findings: readonly RuleFinding[]): RuleFinding[] {
  const best = new Map<string, RuleFinding>();
  for (const finding of findings) {
    const key = proposalKey(finding);
    const known = best.get(key);
    if (known === undefined || finding.rawConfidence > known.rawConfidence) best.set(key, finding);
  }
  return surestFirst([...best.values()]);
}

/** "The deposit was paid. The deed was signed." are two proposals: each topic may mean another task. */
function proposalKey(finding: RuleFinding): string {
  const topic = finding.class === 'state_change' ? phraseTopic(finding) : '';
  return JSON.stringify([finding.effect, finding.class, finding.set, topic]);
}

/** A task cannot be due on two days, nor be both done and called off. */
function againstRivals(findings: readonly RuleFinding[]): RuleFinding[] {
  const lowered = findings.map((finding) => {
    const rival = findings.find((other) => areRivals(finding, other));
    if (rival === undefined) return finding;
    return lowerTo(finding, finding.rawConfidence * RIVAL_FACTOR, DOUBTS.alsoSaid(rival.quote));
  });
  return surestFirst(lowered);
}

/** Two findings in one short sentence each quote only their own phrase, because a signal is identified by its quote. */
function quotedApart(findings: readonly RuleFinding[]): readonly RuleFinding[] {
  return findings.map((finding) => {
    const isShared = findings.some((other) => other !== finding && other.quote === finding.quote);
    return isShared ? { ...finding, quote: finding.words } : finding;
  });
}

function areRivals(one: RuleFinding, other: RuleFinding): boolean {
  if (one === other || one.class === null || one.class !== other.class) return false;
  return Object.entries(one.set).some(([field, value]) => other.set[field] !== undefined && other.set[field] !== value);
}
