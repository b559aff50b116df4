import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { quoteAround } from '../mail/quote.ts';
import { type Sentence, sentencesOf, viewOf } from '../mail/sentence.ts';
import { isNegated, type PhraseInSentence, readingOf } from './cues.ts';
import { readDate } from './date-text.ts';
import { phrasePattern } from './pattern.ts';
import {
  DATE_TRIGGERS,
  FIXED_PHRASES,
  FRAMES,
  REQUEST_PHRASES,
  TOPICS,
  type Topic,
  type TopicEntry,
} from './phrases.ts';
import { topicPatterns } from './topic-pattern.ts';
import { lowerTo, rounded, weighed } from './weighing.ts';

/** What one phrase of an event says should become of a matter or task. */
export interface Finding {
  readonly effect: 'mutation' | 'action';
  readonly class: 'state_change' | 'context_edit' | null;
  readonly set: Readonly<Record<string, string>>;
  /** Which entry of the phrase table it was, as `topic: frame`. */
  readonly phrase: string;
  /** Words for the thing done, as tasks are named. */
  readonly verbs: readonly string[];
  /** Words for other things to be done: what is paid is not thereby signed. */
  readonly otherVerbs: readonly string[];
  /** Verbatim from the subject or the text, on one line, at most 50 characters. */
  readonly quote: string;
  /** The phrase alone, likewise verbatim. */
  readonly words: string;
  readonly sentence: string;
  readonly rawConfidence: number;
  readonly reason: string;
  readonly defeatedBy: string | null;
}

interface Findings {
  /** One for each distinct proposal, surest first. */
  readonly findings: readonly Finding[];
  /** Phrases that stand there but do not mean it. */
  readonly defeated: readonly Finding[];
}

interface Place {
  readonly text: string;
  readonly view: string;
  readonly sentence: Sentence;
  readonly isSubject: boolean;
}

interface Entry {
  readonly id: string;
  readonly topic: TopicEntry;
  readonly pattern: RegExp;
  /** A cheap look whether a sentence holds the form, before its frames are tried. */
  readonly form: RegExp | null;
  readonly confidence: number;
  readonly bare: boolean;
  readonly negative: boolean;
}

interface DateEntry {
  readonly id: string;
  readonly pattern: RegExp;
  readonly confidence: number;
}

const BY_TOPIC: ReadonlyMap<Topic, TopicEntry> = new Map(TOPICS.map((entry) => [entry.topic, entry]));
const ENTRIES = Map.groupBy([...framedEntries(), ...fixedEntries()], (entry) => entry.topic.topic);
/** Whether a sentence holds any form of a topic. */
const MENTIONS: ReadonlyMap<Topic, RegExp> = new Map(TOPICS.map((topic) => [topic.topic, mentionOf(topic)]));
const SPOILERS: ReadonlyMap<Topic, RegExp> = topicPatterns((topic) => topic.spoiltBy);
const DOUBTS: ReadonlyMap<Topic, RegExp> = topicPatterns((topic) => topic.doubtedBy);
const DATE_ENTRIES: readonly DateEntry[] = DATE_TRIGGERS.map((each) => ({
  ...each,
  pattern: phrasePattern(each.pattern),
}));
const REQUESTS: readonly DateEntry[] = REQUEST_PHRASES.map((each) => ({
  ...each,
  pattern: phrasePattern(each.pattern),
}));

const DATE_FILLERS = /^(?: |:|,|(?:on|the|to|le|au|al|el|den|dem|am|auf|a|para|es|is)(?= ))*/iu;
const REPLY_SUBJECT = /^\s*(?:re|aw|antw|sv|rif|fw|fwd|wg|tr|rv|réf)\s*(?:\[\d+\])?\s*:/iu;
const MAX_SENTENCES = 400;
const MAX_FINDINGS = 12;
/** No sentence says one thing more often; a mail that does would be weighed for seconds. */
const MAX_MATCHES = 8;
/** Less sure than even is not worth a signal. */
const LEAST_CONFIDENCE = 0.5;
const DOUBT_FACTOR = 0.75;

/** What an event's subject and text say was done, called off, moved to another day, or asked for. */
export function readFindings(event: StreamEvent): Findings {
  const places = placesOf(event);
  const all = places.flatMap((place) => [...statesIn(place), ...datesIn(place, event.originAt), ...requestsIn(place)]);
  const defeated = all.filter((finding) => finding.defeatedBy !== null);
  const standing = all.filter((finding) => finding.defeatedBy === null);
  const findings = weighed(standing, defeated, event).filter((each) => each.rawConfidence >= LEAST_CONFIDENCE);
  return { findings: findings.slice(0, MAX_FINDINGS), defeated };
}

function placesOf(event: StreamEvent): readonly Place[] {
  return [...placesIn(ownSubject(event), true), ...placesIn(event.text, false)].slice(0, MAX_SENTENCES);
}

/** The subject as far as it is the author's own: a reply carries that of the mail it answers, somebody's earlier words. */
export function ownSubject({ subject }: StreamEvent): string {
  return REPLY_SUBJECT.test(subject) ? '' : subject;
}

function placesIn(text: string, isSubject: boolean): Place[] {
  const view = viewOf(text);
  return sentencesOf(text).map((sentence) => ({ text, view, sentence, isSubject }));
}

function statesIn(place: Place): Finding[] {
  const words = wordsOf(place);
  return TOPICS.flatMap(({ topic }) => {
    const mention = MENTIONS.get(topic)?.exec(words);
    if (mention === null || mention === undefined || SPOILERS.get(topic)?.test(words) === true) return [];
    const matches = outermost(
      (ENTRIES.get(topic) ?? [])
        .filter((entry) => entry.form?.test(words) !== false)
        .flatMap((entry) => matchesOf(entry, words)),
    );
    const framed = surest(matches.map(({ entry, span }) => stateFinding(entry, span, place)));
    return framed.length > 0 ? framed : mentionedOnly(topic, mention, place);
  });
}

interface Match {
  readonly entry: Entry;
  readonly span: PhraseInSentence;
}

function matchesOf(entry: Entry, words: string): Match[] {
  return [...words.matchAll(entry.pattern)].slice(0, MAX_MATCHES).map((match) => {
    const { bare, negative } = entry;
    const [start, end] = [match.index, match.index + match[0].length];
    return { entry, span: { sentence: words, start, end, bare, negative, ofFuture: false } };
  });
}

/** "paid" within "has been paid" is read with its helping verb, not once more by itself. */
function outermost(matches: readonly Match[]): Match[] {
  return matches.filter(({ span }) => !matches.some((other) => other.span !== span && contains(other.span, span)));
}

function contains(outer: PhraseInSentence, inner: PhraseInSentence): boolean {
  const isLonger = outer.end - outer.start > inner.end - inner.start;
  return isLonger && outer.start <= inner.start && outer.end >= inner.end;
}

/** The word stands there in no frame: never a finding, but "has not been paid by them" is worth knowing. */
function mentionedOnly(topic: Topic, mention: RegExpExecArray, place: Place): Finding[] {
  const entry = ENTRIES.get(topic)?.[0];
  if (entry === undefined) return [];
  const span = { sentence: wordsOf(place), start: mention.index, end: mention.index + mention[0].length };
  const finding = stateFinding(
    { ...entry, id: `${topic}: mentioned` },
    { ...span, bare: true, negative: false, ofFuture: false },
    place,
  );
  return finding.defeatedBy === null ? [] : [finding];
}

function stateFinding(entry: Entry, span: PhraseInSentence, place: Place): Finding {
  const set = { state: entry.topic.state };
  const { verbs } = entry.topic;
  const otherVerbs = otherVerbsOf(entry.topic);
  const finding = findingOf(
    { effect: 'mutation', class: 'state_change', set, phrase: entry.id, verbs, otherVerbs },
    entry.confidence,
    span,
    place,
  );
  const doubt = DOUBTS.get(entry.topic.topic)?.exec(span.sentence)?.[0];
  if (doubt === undefined || finding.defeatedBy !== null) return finding;
  return lowerTo(finding, finding.rawConfidence * DOUBT_FACTOR, `"${doubt}" may mean a part of it`);
}

/** Whatever a task asks for can be completed or called off; only the others are particular. */
function otherVerbsOf(topic: TopicEntry): readonly string[] {
  if (topic.topic === 'completion' || topic.topic === 'cancellation') return [];
  const others = TOPICS.filter((other) => other.topic !== 'completion').flatMap((other) => other.verbs);
  return others.filter((verb) => !topic.verbs.includes(verb));
}

function datesIn(place: Place, originAt: string | null): Finding[] {
  const words = wordsOf(place);
  return DATE_ENTRIES.flatMap((entry) =>
    [...words.matchAll(entry.pattern)]
      .slice(0, MAX_MATCHES)
      .flatMap((match) => dateFinding(entry, match, place, originAt)),
  );
}

function dateFinding(entry: DateEntry, match: RegExpExecArray, place: Place, originAt: string | null): Finding[] {
  const words = wordsOf(place);
  const behind = words.slice(match.index + match[0].length);
  const filler = DATE_FILLERS.exec(behind)?.[0].length ?? 0;
  // "due" must be followed by the date itself; anything between them may change what is due.
  const date = readDate(behind.slice(filler, filler + 80), originAt);
  if (date === null) return [];
  const end = match.index + match[0].length + filler + date.length;
  const span = { sentence: words, start: match.index, end, bare: false, negative: false, ofFuture: true };
  const confidence = date.kind === 'weekday' ? entry.confidence * 0.9 : entry.confidence;
  const what = {
    effect: 'mutation',
    class: 'context_edit',
    set: { due: date.day },
    phrase: `date: ${entry.id}`,
    verbs: [],
    otherVerbs: [],
  } as const;
  const finding = findingOf(what, confidence, span, place);
  const isPast = originAt !== null && date.day < originAt.slice(0, 10);
  return [isPast && finding.defeatedBy === null ? { ...finding, defeatedBy: 'the day lies before the mail' } : finding];
}

function requestsIn(place: Place): Finding[] {
  const words = wordsOf(place);
  return REQUESTS.flatMap((entry) => {
    const match = [...words.matchAll(entry.pattern)][0];
    if (match === undefined) return [];
    const span = {
      sentence: words,
      start: match.index,
      end: match.index + match[0].length,
      bare: false,
      negative: false,
      ofFuture: true,
    };
    if (isNegated(span)) return [];
    const what = {
      effect: 'action',
      class: null,
      set: {},
      phrase: `request: ${entry.id}`,
      verbs: [],
      otherVerbs: [],
    } as const;
    return [unreadFinding(what, entry.confidence, span, place)];
  });
}

type What = Pick<Finding, 'effect' | 'class' | 'set' | 'phrase' | 'verbs' | 'otherVerbs'>;

function findingOf(what: What, confidence: number, span: PhraseInSentence, place: Place): Finding {
  const reading = readingOf(span);
  const finding = unreadFinding(what, confidence, span, place);
  if (reading.defeat !== null)
    return { ...finding, rawConfidence: 0, defeatedBy: defeatWords(reading.defeat, reading.cue) };
  const doubts = reading.doubts.map((doubt) => `; ${doubt}`).join('');
  return { ...finding, rawConfidence: rounded(confidence * reading.factor), reason: `${finding.reason}${doubts}` };
}

function unreadFinding(what: What, confidence: number, span: PhraseInSentence, place: Place): Finding {
  const { sentence, text } = place;
  const [start, end] = [sentence.start + span.start, sentence.start + span.end];
  const quote = quoteAround(text, start, end, sentence);
  const words = quoteAround(text, start, end, { start, end });
  const shown = span.sentence.replace(/ +/g, ' ').trim().slice(0, 300);
  const where = place.isSubject ? 'subject' : 'text';
  const reason = `phrase "${what.phrase}" in the ${where}`;
  return { ...what, quote, words, sentence: shown, rawConfidence: confidence, reason, defeatedBy: null };
}

function defeatWords(defeat: string, cue: string): string {
  return cue === '?' ? 'a question' : `${defeat} ("${cue.replace(/ +/g, ' ').slice(0, 40)}")`;
}

/** Of the phrases of one topic in one sentence the surest reading counts, unless any of them was defeated. */
function surest(findings: readonly Finding[]): Finding[] {
  const defeated = findings.find((finding) => finding.defeatedBy !== null);
  if (defeated !== undefined) return [defeated];
  return [...findings].sort((one, other) => other.rawConfidence - one.rawConfidence).slice(0, 1);
}

function wordsOf(place: Place): string {
  return place.view.slice(place.sentence.start, place.sentence.end);
}

function framedEntries(): Entry[] {
  return TOPICS.flatMap((topic) =>
    topic.forms.flatMap((form) => {
      const mention = new RegExp(phrasePattern(form.words).source, 'iu');
      return FRAMES.filter((frame) => frame.language === form.language).map((frame) => ({
        id: `${topic.topic}: ${frame.id}`,
        topic,
        pattern: phrasePattern(frame.pattern.replace('W', `(?:${form.words})`)),
        form: mention,
        confidence: Math.min(frame.confidence, form.ceiling),
        bare: frame.bare ?? false,
        negative: false,
      }));
    }),
  );
}

function fixedEntries(): Entry[] {
  return FIXED_PHRASES.flatMap((phrase) => {
    const topic = BY_TOPIC.get(phrase.topic);
    if (topic === undefined) return [];
    const { confidence, negative = false } = phrase;
    const pattern = phrasePattern(phrase.pattern);
    return [{ id: `${phrase.topic}: ${phrase.id}`, topic, pattern, form: null, confidence, bare: false, negative }];
  });
}

function mentionOf(topic: TopicEntry): RegExp {
  const fixed = FIXED_PHRASES.filter((phrase) => phrase.topic === topic.topic).map((phrase) => phrase.pattern);
  const forms = topic.forms.map((form) => form.words);
  return new RegExp(phrasePattern([...forms, ...fixed].join('|')).source, 'iu');
}
