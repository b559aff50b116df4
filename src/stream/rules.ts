import { round4 } from '../steward/gates-rounding.ts';
import type { StreamEvent } from '../steward/ports.ts';
import { DOUBTS, saidWords } from '../vault/reading-words.ts';
import {
  assess,
  firstMatches,
  isNegated,
  type Passage,
  type PhraseInSentence,
  type PhrasePattern,
  phrasePattern,
  phrasePatterns,
  plannedPhrase,
  shownSentence,
  spacedPattern,
  wordPattern,
} from './cues.ts';
import { anyMove, type DateOrigin, type DatePlace, datePlacesIn, originIn, readDate } from './dates.ts';
import type { FixedPhrase, LanguageTable, TopicName, TopicWords } from './languages/language-table.ts';
import { LANGUAGES } from './languages/languages.ts';
import { patternOfAll, wordsOfAll } from './languages/union.ts';
import { lazily } from './lazily.ts';
import { stem, wordsOf } from './mail/word.ts';
import { quoteAround } from './mail.ts';
import { viewOf } from './mail-own-words.ts';

/** What one phrase of an event says should become of a matter or task. */
export interface Finding {
  readonly effect: 'mutation' | 'action';
  readonly class: 'state_change' | 'context_edit' | null;
  readonly set: Readonly<Record<string, string>>;
  /** The time of day that goes with a new day, `HH:mm`; absent where none is named. */
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
  /** Why the phrase does not mean what it says; null where it does. */
  readonly defeatedBy: string | null;
  /** The numbers and codes, folded, of what it is about, where a form names them as such; absent of a phrase. */
  readonly references?: readonly string[];
}

/** What a finding proposes, without the place where it was read. */
export type Claim = Pick<
  Finding,
  'effect' | 'class' | 'set' | 'time' | 'phraseId' | 'verbs' | 'otherVerbs' | 'onlyAsked'
>;

/** Returns the finding for a claim, with its confidence lowered by doubts in the sentence, or defeated by them. */
export function assessedFinding(claim: Claim, confidence: number, phrase: PhraseInSentence, passage: Passage): Finding {
  const { defeat, cue, factor, doubts } = assess(phrase);
  const finding = findingOf(claim, confidence, phrase, passage);
  if (defeat !== null) return { ...finding, rawConfidence: 0, defeatedBy: defeatWords(defeat, cue) };
  const reason = [finding.reason, ...doubts].join('; ');
  return { ...finding, rawConfidence: round4(confidence * factor), reason };
}

/** Returns the finding for a claim, whatever the rest of the sentence says. */
export function findingOf(claim: Claim, confidence: number, phrase: PhraseInSentence, passage: Passage): Finding {
  const { sentence, text } = passage;
  const [start, end] = [sentence.start + phrase.start, sentence.start + phrase.end];
  const quote = quoteAround(text, { start, end }, sentence);
  const words = quoteAround(text, { start, end }, { start, end });
  const shown = shownSentence(phrase.sentence);
  const reason = saidWords(words, passage.isSubject);
  return { ...claim, quote, words, sentence: shown, rawConfidence: confidence, reason, defeatedBy: null };
}

/** Returns the finding with this confidence, and with `because` added to its reason. */
function lowerTo(finding: Finding, confidence: number, because: string): Finding {
  return { ...finding, rawConfidence: round4(confidence), reason: `${finding.reason}; ${because}` };
}

/** Returns the findings, surest first. */
function surestFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => other.rawConfidence - one.rawConfidence);
}

function defeatWords(defeat: string, cue: string): string {
  return cue === '?' ? 'a question' : `${defeat} ("${cue.replace(/ +/g, ' ').slice(0, 40)}")`;
}

const FORM = 'form: ';

/** Returns the topic of the phrase table that a finding was read by. What a form says of it, `form: payment: …`, is of that topic. */
export function topicOf({ phraseId }: Pick<Finding, 'phraseId'>): string {
  const read = phraseId.startsWith(FORM) ? phraseId.slice(FORM.length) : phraseId;
  return read.slice(0, read.indexOf(':'));
}

const TRIGGERS: readonly PhrasePattern[] = phrasePatterns(LANGUAGES.flatMap(({ dates }) => dates));
const FILLERS = /^(?: |:|,|(?:on|the|to|le|au|al|el|den|dem|am|auf|a|para|es|is)(?= ))*/iu;
const MAX_DATE_CHARACTERS = 120;
/** A weekday's name is less certain than a date. */
const WEEKDAY_FACTOR = 0.9;

/** Words of a sentence behind which a new day may stand: "is now due". */
interface DayTrigger {
  readonly trigger: PhrasePattern;
  readonly match: RegExpExecArray;
}

/** Returns the words of a sentence behind which a new day may stand. */
export function dayTriggersIn(view: string): readonly DayTrigger[] {
  return TRIGGERS.flatMap((trigger) => firstMatches(view, trigger.pattern).map((match) => ({ trigger, match })));
}

/** Returns what a sentence says is due on another day. `origin`: when and in which language the mail was written. */
export function datesIn(passage: Passage, triggers: readonly DayTrigger[], origin: DateOrigin): Finding[] {
  if (triggers.length === 0) return [];
  const here = originIn(passage.view, origin);
  return triggers.flatMap(({ trigger, match }) => dateFinding(trigger, match, passage, here));
}

function dateFinding(trigger: PhrasePattern, match: RegExpExecArray, passage: Passage, origin: DateOrigin): Finding[] {
  const triggerEnd = match.index + match[0].length;
  const behind = passage.view.slice(triggerEnd);
  const filler = FILLERS.exec(behind)?.[0].length ?? 0;
  // The date must follow "due" directly; any other word between them may change what is due.
  const date = readDate(behind.slice(filler, filler + MAX_DATE_CHARACTERS), origin);
  if (date === null) return [];
  const phrase = plannedPhrase(passage.view, match.index, triggerEnd + filler + date.length);
  const confidence = date.kind === 'weekday' ? trigger.confidence * WEEKDAY_FACTOR : trigger.confidence;
  const claim: Claim = {
    effect: 'mutation',
    class: 'context_edit',
    set: { due: date.day },
    ...(date.time === null ? {} : { time: date.time }),
    phraseId: `date: ${trigger.id}`,
    verbs: [],
    otherVerbs: [],
  };
  const finding = assessedFinding(claim, confidence, phrase, passage);
  const isPast = origin.at !== null && date.day < origin.at.slice(0, 10);
  return [isPast && finding.defeatedBy === null ? { ...finding, defeatedBy: 'the day lies before the mail' } : finding];
}

/** The day to which something has moved, and where the sentence says so. */
interface NewDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:mm`, where one goes with it; else null. */
  readonly time: string | null;
  /** Whether the day is less certain than a date: a weekday, or "tomorrow". */
  readonly isNear: boolean;
  /** In the sentence, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const OLD_BEFORE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('oldBefore')})[ :,(]*$`, 'iu');
const NEW_BEFORE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('newBefore')})[ :,]*$`, 'iu');
/** More than any words that tell an old day from a new one take. */
const LONGEST_MARK = 60;
const INSTEAD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('between')})(?![\\p{L}\\p{N}])`, 'iu');
const ARROW = /^ *(?:→|->|=>|»|-->) *$/u;
/** "vom 3. auf den 5. Dezember": the month stands only behind the second. */
const OLD_WITHOUT_MONTH = /(?:vom|van) (?:de[nm]? )?\d{1,2}\.? (?:auf (?:den )?|naar (?:de )?)$/iu;

/**
 * Returns the day that something has moved to, given the sentence that says it has moved; null where that is not certain.
 * Of two days, one has to be told as the former: "from X to Y", "statt X nun Y", "Y (was X)".
 */
export function newDayIn(view: string, origin: DateOrigin): NewDay | null {
  const places = datePlacesIn(view, originIn(view, origin));
  const fresh = places.filter((place) => !isOld(place, view));
  const [only, second] = distinct(fresh);
  const [first, last, third] = places;
  if (only !== undefined && second === undefined) return dayAt(only, places, view);
  if (first === undefined || last === undefined || third !== undefined) return null;
  return tellsNew(first, last, view) ? dayAt(last, places, view) : null;
}

function tellsNew(first: DatePlace, last: DatePlace, view: string): boolean {
  if (isNew(first, view)) return false;
  const between = view.slice(first.end, last.start);
  return isNew(last, view) || ARROW.test(between) || (INSTEAD.test(between) && !last.isOneOfSeveral);
}

function isOld({ start }: DatePlace, view: string): boolean {
  return OLD_BEFORE.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

function isNew({ start }: DatePlace, view: string): boolean {
  return NEW_BEFORE.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

/** The same day in two ways is one: "Thursday (3 December)". The one with a time stands for it. */
function distinct(places: readonly DatePlace[]): readonly DatePlace[] {
  const byDay = Map.groupBy(places, ({ date, start }) => date?.day ?? `unread at ${start}`);
  return [...byDay.values()].flatMap((same) => same.find(({ date }) => date?.time !== null) ?? same.slice(0, 1));
}

function dayAt(place: DatePlace, places: readonly DatePlace[], view: string): NewDay | null {
  const { date, start, end } = place;
  if (date === null || (place.isOneOfSeveral && !followsOld(place, places, view))) return null;
  return { day: date.day, time: date.time, isNear: date.kind === 'weekday', start, end };
}

/** What stands before it is the former day, and no second one that may be meant. */
function followsOld(place: DatePlace, places: readonly DatePlace[], view: string): boolean {
  const before = places[places.indexOf(place) - 1];
  return before === undefined ? OLD_WITHOUT_MONTH.test(view.slice(0, place.start)) : isOld(before, view);
}

/** Something that a mail can say has happened, in whatever language. */
interface Topic {
  readonly name: TopicName;
  readonly state: 'done' | 'archived';
  /** The words that tasks use for it. */
  readonly verbs: readonly string[];
}

/** What may be said of a task. */
export const TOPICS: readonly Topic[] = [
  topic('payment', 'done'),
  topic('signature', 'done'),
  topic('delivery', 'done'),
  topic('completion', 'done'),
  topic('approval', 'done'),
  topic('booking', 'done'),
  topic('renewal', 'done'),
  topic('cancellation', 'archived'),
];

/**
 * What is said of an affair as a whole, and of much else: a case, a shop, a road is closed. These count only where it is a
 * matter, by its own name, that has ended, so no task has verbs for them.
 */
export const ENDINGS: readonly Topic[] = [topic('ending', 'done'), topic('withdrawal', 'archived')];

function topic(name: TopicName, state: Topic['state']): Topic {
  return { name, state, verbs: wordsOfAll(({ topics }) => topics[name].verbs) };
}

/** One way of saying that a topic's thing has happened, ready to be searched for. */
interface PhraseMatcher {
  readonly id: string;
  readonly topic: Topic;
  readonly pattern: RegExp;
  /** A cheap test whether the sentence has the form at all; null where only the pattern can tell. */
  readonly form: RegExp | null;
  readonly confidence: number;
  /** See `Frame.bare`. */
  readonly bare: boolean;
  /** See `FixedPhrase.negative`. */
  readonly negative: boolean;
  /** See `Finding.onlyAsked`. */
  readonly onlyAsked: boolean;
}

const ALL_TOPICS = [...TOPICS, ...ENDINGS];
const matchers = lazily(() => Map.groupBy([...framedMatchers(), ...fixedMatchers()], ({ topic }) => topic.name));
const mentions = lazily(
  (): ReadonlyMap<TopicName, RegExp> => new Map(ALL_TOPICS.map((topic) => [topic.name, mentionPattern(topic)])),
);

/** Returns every matcher of a topic. */
function matchersOf(topic: Topic): readonly PhraseMatcher[] {
  return matchers().get(topic.name) ?? [];
}

/** Returns where a sentence has any form of a topic, in a frame or not; null where it has none. */
function mentionIn(view: string, topic: Topic): RegExpExecArray | null {
  return mentions().get(topic.name)?.exec(view) ?? null;
}

function framedMatchers(): PhraseMatcher[] {
  return ALL_TOPICS.flatMap((topic) => LANGUAGES.flatMap((language) => framedIn(language, topic)));
}

function framedIn({ frames, topics }: LanguageTable, topic: Topic): PhraseMatcher[] {
  return topics[topic.name].forms.flatMap(({ words, ceiling, onlyAsked = false }) => {
    const form = new RegExp(phrasePattern(words).source, 'iu');
    return frames.map((frame) => ({
      id: `${topic.name}: ${frame.id}`,
      topic,
      pattern: phrasePattern(frame.pattern.replace('W', `(?:${words})`)),
      form,
      confidence: Math.min(frame.confidence, ceiling),
      bare: frame.bare ?? false,
      negative: false,
      onlyAsked,
    }));
  });
}

function fixedMatchers(): PhraseMatcher[] {
  return ALL_TOPICS.flatMap((topic) =>
    fixedPhrasesOf(topic).map(({ id, pattern, confidence, negative = false, onlyAsked = false }) => {
      const matcher = { id: `${topic.name}: ${id}`, topic, form: null, confidence, bare: false, negative, onlyAsked };
      return { ...matcher, pattern: phrasePattern(pattern) };
    }),
  );
}

function mentionPattern(topic: Topic): RegExp {
  const forms = LANGUAGES.flatMap(({ topics }) => topics[topic.name].forms.map(({ words }) => words));
  const fixed = fixedPhrasesOf(topic).map(({ pattern }) => pattern);
  return new RegExp(phrasePattern([...forms, ...fixed].join('|')).source, 'iu');
}

function fixedPhrasesOf({ name }: Topic): readonly FixedPhrase[] {
  return LANGUAGES.flatMap(({ topics }) => topics[name].phrases);
}

/** Words meant for a program rather than a person. */
const ADDRESSED_TO_A_PROGRAM =
  /ignore (?:all |any |the |your )*(?:previous|prior|above|earlier) (?:instructions|prompts?|rules)|disregard (?:all |any |the |your )*(?:previous|prior|above) |system prompt|you are (?:now )?an? (?:ai|assistant|language model|agent)|<\/?(?:system|assistant|instructions?)>|vault[- ]?steward|mutation_proposal|effect_confidence|target_path/i;

/** The highest confidence of anything that a mail addressed to a program says. */
export const PROGRAM_CEILING = 0.5;

/** Returns whether a mail speaks to the program that reads it: nothing it says is then surer than `PROGRAM_CEILING`. */
export function isAddressedToProgram({ subject, text }: StreamEvent): boolean {
  return ADDRESSED_TO_A_PROGRAM.test(`${subject}\n${text}`);
}

const REQUESTS: readonly PhrasePattern[] = phrasePatterns(LANGUAGES.flatMap(({ requests }) => requests));

/** Returns what a sentence asks the reader to do, at most one finding per phrase of the table. */
export function requestsIn(passage: Passage): Finding[] {
  return REQUESTS.flatMap((request) => {
    const match = firstMatches(passage.view, request.pattern)[0];
    if (match === undefined) return [];
    const phrase = plannedPhrase(passage.view, match.index, match.index + match[0].length);
    if (isNegated(phrase)) return [];
    const claim: Claim = {
      effect: 'action',
      class: null,
      set: {},
      phraseId: `request: ${request.id}`,
      verbs: [],
      otherVerbs: [],
    };
    return [findingOf(claim, request.confidence, phrase, passage)];
  });
}

const SMALL: ReadonlySet<string> = new Set(wordsOfAll(({ names }) => names.small).flatMap(wordsOf));
const DEEDS: ReadonlySet<string> = new Set(TOPICS.flatMap(({ verbs }) => verbs).map(stem));
const DEEDS_DONE = spacedPattern(
  [...TOPICS, ...ENDINGS]
    .map(({ name }) => patternOfAll(({ topics }) => topics[name].forms.map(({ words }) => words).join('|')))
    .join('|'),
  'giu',
);
const SALUTATION = new RegExp(
  `^\\s*(?:${patternOfAll(({ names }) => names.salutation)})(?: [^,!.\\n]{0,60})?[,!]`,
  'iu',
);

/** Returns the words of a text that name something, folded and stemmed: neither small words, nor days and years. */
export function namingWords(text: string): readonly string[] {
  return wordsOf(text).filter(
    (word) => word.length > 1 && !SMALL.has(word) && !/^(?:\d{1,2}|(?:19|20)\d\d)$/.test(word),
  );
}

/** Returns a sentence without the "Dear Sam," that it may begin with. */
export function withoutSalutation(sentence: string): string {
  return sentence.replace(SALUTATION, '');
}

/** Returns the words of a text that name something, other than what was done: of "your payment was received", none. */
export function thingsIn(text: string): readonly string[] {
  return namingWords(withoutSalutation(text).replace(DEEDS_DONE, ' ')).filter((word) => !DEEDS.has(word));
}

/** Returns one pattern per topic, as `pick` selects it. */
function topicPatterns(pick: (words: TopicWords) => string): ReadonlyMap<TopicName, RegExp> {
  return new Map(
    [...TOPICS, ...ENDINGS].map(({ name }) => [name, spacedPattern(patternOfAll(({ topics }) => pick(topics[name])))]),
  );
}

const SPOILERS: ReadonlyMap<TopicName, RegExp> = topicPatterns((words) => words.spoiltBy);
const DOUBTS_STATE_FINDING: ReadonlyMap<TopicName, RegExp> = topicPatterns((words) => words.doubtedBy);
const OTHER_VERBS: ReadonlyMap<TopicName, readonly string[]> = new Map(
  [...TOPICS, ...ENDINGS].map((topic) => [topic.name, otherVerbsOf(topic)]),
);
const DOUBT_FACTOR = 0.75;

interface Match {
  readonly matcher: PhraseMatcher;
  readonly phrase: PhraseInSentence;
}

/** Returns what a sentence says was done or called off, at most one finding per topic. */
export function statesIn(passage: Passage): Finding[] {
  return statesOf(TOPICS, passage);
}

/** Returns what a sentence says has come to its end, which counts only where that is a whole matter. */
export function endingsIn(passage: Passage): Finding[] {
  return statesOf(ENDINGS, passage);
}

function statesOf(topics: readonly Topic[], passage: Passage): Finding[] {
  return topics.flatMap((topic) => {
    const mention = mentionIn(passage.view, topic);
    if (mention === null || SPOILERS.get(topic.name)?.test(passage.view) === true) return [];
    const matches = matchersOf(topic)
      .filter((matcher) => matcher.form?.test(passage.view) !== false)
      .flatMap((matcher) => matchesIn(passage.view, matcher));
    const framed = surest(outermost(matches).map(({ matcher, phrase }) => stateFinding(matcher, phrase, passage)));
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
function mentionedOnly(topic: Topic, mention: RegExpExecArray, passage: Passage): Finding[] {
  const matcher = matchersOf(topic)[0];
  if (matcher === undefined) return [];
  const [start, end] = [mention.index, mention.index + mention[0].length];
  const phrase = { sentence: passage.view, start, end, bare: true, negative: false, ofFuture: false };
  const finding = stateFinding({ ...matcher, id: `${topic.name}: mentioned` }, phrase, passage);
  return finding.defeatedBy === null ? [] : [finding];
}

function stateFinding(
  { id, topic, confidence, onlyAsked }: PhraseMatcher,
  phrase: PhraseInSentence,
  passage: Passage,
): Finding {
  const finding = assessedFinding({ ...stateClaim(topic, id), onlyAsked }, confidence, phrase, passage);
  const doubt = DOUBTS_STATE_FINDING.get(topic.name)?.exec(phrase.sentence)?.[0];
  if (doubt === undefined || finding.defeatedBy !== null) return finding;
  return lowerTo(finding, finding.rawConfidence * DOUBT_FACTOR, `"${doubt}" may mean a part of it`);
}

/** Returns the claim that a topic's thing was done or called off, as the rule `phraseId` reads it. */
export function stateClaim(topic: Topic, phraseId: string): Claim {
  const { state, verbs } = topic;
  return {
    ...{ effect: 'mutation', class: 'state_change', set: { state }, phraseId, verbs },
    otherVerbs: OTHER_VERBS.get(topic.name) ?? [],
  };
}

/** Whatever a task asks for can be completed or called off, so those two topics rule out no other verb. */
function otherVerbsOf(topic: Topic): readonly string[] {
  if (topic.name === 'completion' || topic.name === 'cancellation') return [];
  const own = new Set(topic.verbs);
  const others = TOPICS.filter((other) => other.name !== 'completion').flatMap((other) => other.verbs);
  return others.filter((verb) => !own.has(verb));
}

/** Of several phrases for one topic in one sentence, the surest counts, unless one of them was defeated. */
function surest(findings: readonly Finding[]): Finding[] {
  const defeated = findings.find((finding) => finding.defeatedBy !== null);
  return defeated === undefined ? surestFirst(findings).slice(0, 1) : [defeated];
}

const CONTRADICTIONS: ReadonlyMap<string, RegExp> = topicPatterns((words) => words.contradictedBy);
/** Words that take back what the mail says, or mark it as not meant. */
const TAKEN_BACK = wordPattern(patternOfAll(({ cues }) => cues.takenBack));
const TAKEN_BACK_FACTOR = 0.5;
/** For two proposals of one mail about the same field, of which only one can be true. */
export const RIVAL_FACTOR = 0.7;
const CONTRADICTION_FACTOR = 0.6;
/** Something else has taken its place, so that what the note is about goes on. */
const REPLACED = wordPattern(patternOfAll(({ cues }) => cues.replaced));
const REPLACED_FACTOR = 0.5;
const NEGATED = wordPattern(patternOfAll(({ cues }) => cues.negation));
/** How far before "rescheduled" a "not" denies it. */
const REACH = 24;

/**
 * Weighs the findings of one event against each other. Returns one for each distinct proposal, surest first, each lowered
 * by what the same event says against it. `asserted`: findings that are meant; `defeated`: those that are not.
 */
export function weighed(
  asserted: readonly Finding[],
  defeated: readonly Finding[],
  event: StreamEvent,
): readonly Finding[] {
  // What speaks against a proposal is the same for each of its wordings, so only the surest wording is weighed.
  const lowered = bestOfEach(asserted).map((finding) => weighedAgainst(finding, defeated, event));
  return quotedApart(againstRivals(lowered));
}

function weighedAgainst(finding: Finding, defeated: readonly Finding[], event: StreamEvent): Finding {
  const view = viewOf(`${event.subject} \n ${event.text}`);
  const lowered = afterReplacement(afterRetraction(afterContradiction(finding, defeated, view), view), view);
  if (!isAddressedToProgram(event)) return lowered;
  const ceiling = Math.min(lowered.rawConfidence, PROGRAM_CEILING);
  return lowerTo(lowered, ceiling, 'the mail holds words addressed to a program');
}

function afterContradiction(finding: Finding, defeated: readonly Finding[], view: string): Finding {
  const contradiction = contradictionOf(finding, defeated, view);
  if (contradiction === null) return finding;
  const factor = finding.set.state === 'archived' ? REPLACED_FACTOR : CONTRADICTION_FACTOR;
  return lowerTo(finding, finding.rawConfidence * factor, DOUBTS.contradicted(contradiction));
}

function afterRetraction(finding: Finding, view: string): Finding {
  const words = finding.class === null ? undefined : TAKEN_BACK.exec(view)?.[0];
  if (words === undefined) return finding;
  return lowerTo(finding, finding.rawConfidence * TAKEN_BACK_FACTOR, DOUBTS.alsoSaid(words));
}

function afterReplacement(finding: Finding, view: string): Finding {
  const words = finding.set.state === 'archived' ? saidIn(view, REPLACED) : null;
  if (words === null) return finding;
  return lowerTo(finding, finding.rawConfidence * REPLACED_FACTOR, DOUBTS.replaced(words));
}

/** Returns the words of a text that a pattern finds; null where they are denied: "will not be rescheduled". */
function saidIn(view: string, pattern: RegExp | undefined): string | null {
  const found = pattern?.exec(view) ?? null;
  if (found === null || NEGATED.test(view.slice(Math.max(0, found.index - REACH), found.index))) return null;
  return found[0];
}

function contradictionOf(finding: Finding, defeated: readonly Finding[], view: string): string | null {
  if (finding.class === null) return null;
  const topic = topicOf(finding);
  const denied = defeated.find(
    (each) => topicOf(each) === topic && /^(?:negated|still open|only in part)/.test(each.defeatedBy ?? ''),
  );
  if (denied !== undefined) return denied.quote;
  return saidIn(view, CONTRADICTIONS.get(topic))?.slice(0, 50) ?? null;
}

/** Keeps only the surest wording of each proposal: the same proposal in other words adds nothing. */
function bestOfEach(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>();
  for (const finding of findings) {
    const key = proposalKey(finding);
    const known = best.get(key);
    if (known === undefined || finding.rawConfidence > known.rawConfidence) best.set(key, finding);
  }
  return surestFirst([...best.values()]);
}

/** "The deposit was paid. The deed was signed." are two proposals: each topic may mean another task. */
function proposalKey(finding: Finding): string {
  const topic = finding.class === 'state_change' ? topicOf(finding) : '';
  return JSON.stringify([finding.effect, finding.class, finding.set, topic]);
}

/** A task cannot be due on two days, nor be both done and called off. */
function againstRivals(findings: readonly Finding[]): Finding[] {
  const lowered = findings.map((finding) => {
    const rival = findings.find((other) => areRivals(finding, other));
    if (rival === undefined) return finding;
    return lowerTo(finding, finding.rawConfidence * RIVAL_FACTOR, DOUBTS.alsoSaid(rival.quote));
  });
  return surestFirst(lowered);
}

/** Two findings in one short sentence each quote only their own phrase, because a signal is identified by its quote. */
function quotedApart(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => {
    const isShared = findings.some((other) => other !== finding && other.quote === finding.quote);
    return isShared ? { ...finding, quote: finding.words } : finding;
  });
}

function areRivals(one: Finding, other: Finding): boolean {
  if (one === other || one.class === null || one.class !== other.class) return false;
  return Object.entries(one.set).some(([field, value]) => other.set[field] !== undefined && other.set[field] !== value);
}
