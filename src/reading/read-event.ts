import {
  type Extractor,
  type ExtractorResult,
  type HiddenThing,
  isMail,
  type Meaning,
  type PastAnswer,
  type StandingChange,
  type StreamEvent,
  TARGET_FLOOR,
} from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import {
  boxHeadline,
  boxWords,
  fitsBest,
  hiddenWords,
  INCOMPLETE,
  lineWords,
  sentenceCase,
} from '../vault/event-text.ts';
import { oneLine } from '../vault/note-text.ts';
import { type MutationProposal, TARGET_EVIDENCE, type TargetEvidence } from '../vault/record.ts';
import { findAnswer, forwardedMail } from './carried.ts';
import { type DateOrigin, dateOrigin, readDate } from './dates.ts';
import { joined } from './joined.ts';
import { findFits, type ReadingBasis } from './learnt.ts';
import { findCodes } from './money.ts';
import { isOwnPart, ownVerbFindings } from './own-verb.ts';
import { findOnlyAsked, isOwnWord, onlyAskedAt, ownWordFindings } from './own-word.ts';
import { rememberedSentence, withAnswers } from './past-answers.ts';
import {
  assessedFinding,
  type Claim,
  dayClaim,
  findDates,
  findDayTriggers,
  findEndings,
  findRequests,
  findStates,
  firstMatches,
  isAddressedToProgram,
  isNegated,
  makeFinding,
  type Passage,
  phrasePattern,
  phrasePatterns,
  phraseTopic,
  plannedPhrase,
  type RuleFinding,
  requestClaim,
  round4,
  shownSentence,
  spaced,
  splitEvent,
  stateClaim,
  weighed,
  wordPattern,
} from './rules.ts';
import { takenBack } from './taken-back.ts';
import {
  chooseTarget,
  dueBy,
  endsMatter,
  isOldNews,
  rankTargets,
  type TargetCandidate,
  type TargetChoice,
  type TargetIndex,
} from './targets.ts';
import {
  DEED_NAMES,
  type DeedName,
  type DetectedLanguage,
  detectLanguage,
  isInOtherLanguage,
  isRead,
  LABEL_KINDS,
  LABEL_STATES,
  type LanguageTable,
  languageName,
  languageTables,
  patternOfAll,
  plainView,
  rankLanguages,
  saysToo,
  splitSentences,
  stem,
  stemmedWords,
  TextMemory,
  type TopicName,
  tellingWords,
  wordsOfAll,
} from './text.ts';

/** How it is said that no note is meant. */
export const NO_FIT = 'no matter fits';

/** The basis for reading mails, with the user's answers about earlier ones of the same sender. */
export interface RememberingBasis extends ReadingBasis {
  /** Returns what the user said about earlier changes of an event's sender; absent if a mail is read by itself. */
  readonly answers?: (event: StreamEvent) => readonly PastAnswer[];
  /** Returns what was changed on the word of an event's sender and still stands; absent if a mail is read by itself. */
  readonly standing?: (event: StreamEvent) => readonly StandingChange[];
}

/** Returns an extractor that reads events by the phrase table and by what was learnt, and searches for what they are about. Asks no model. */
export function rulesExtractor(known: RememberingBasis): Extractor {
  return {
    name: 'rules',
    asksModel: false,
    async extract({ event }, abort) {
      abort.throwIfAborted();
      return readByRules(event, known);
    },
  };
}

/** Returns what one stream event means for the notes in the index, or why it has no meaning for them. */
export function readByRules(event: StreamEvent, known: RememberingBasis): ExtractorResult {
  const read = readPhrases(event, known.index);
  if (event.about !== undefined) return concluded(read, read.meant, event, known.index);
  if (!isMail(event)) {
    const isRecord = event.payment !== undefined || event.appointment !== undefined;
    const meant = isRecord ? read.meant : doubtedAlone(read, event, known);
    return concluded(read, meant, event, known.index);
  }
  const meanings = remembering(read, event, known);
  const asked = isAddressedToProgram(event) ? meanings : meanings.map(askedIfDoubted);
  const back = known.standing === undefined ? [] : takenBack(event, known.standing, known.index);
  // What the user promises or asks in their own mail is read below.
  const forwarded = isOwnWord(event) ? null : forwardedMail(event);
  if (forwarded !== null) return concluded(read, asForwarded(readByRules(forwarded, known)), event, known.index);
  const answer = isOwnWord(event) ? null : findAnswer(event, known.index);
  const isSaidToo = answer?.meanings.some(({ candidates }) =>
    asked.some(({ proposal, target }) => proposal !== null && candidates.includes(target)),
  );
  if (answer !== null && isSaidToo !== true) {
    // "Yes, this morning" is about what was asked, whatever else its words may fit.
    const others = asked.filter(({ quote }) => !answer.words.replace(/\s+/g, ' ').includes(quote));
    return concluded(read, [...answer.meanings, ...others], event, known.index);
  }
  const unsaid = back.filter((meaning) => !asked.some((other) => isOfSameField(meaning, other)));
  if (!isOwnWord(event)) return concluded(read, [...asked, ...unsaid], event, known.index);
  const own = ownWordFindings(event, read.found.origin).flatMap((finding) =>
    ownWordMeanings(finding, event, known.index),
  );
  return concluded(read, [...own, ...heldToOwnWord(asked, event)], event, known.index);
}

// The user forwards what they want to be read, and what it asks is asked of them by hand.
function asForwarded({ meanings }: ExtractorResult): readonly Meaning[] {
  return meanings.filter(({ proposal }) => proposal !== null);
}

// A mail that takes a day back and names another says the new one.
function isOfSameField(one: Meaning, other: Meaning): boolean {
  const fields = Object.keys(one.proposal?.set ?? {});
  return one.target === other.target && fields.some((field) => other.proposal?.set[field] !== undefined);
}

/**
 * Returns what is read in a mail that the user sent, as far as the user can mean it: what they only promise or suggest is
 * done to no task, and its day is a question.
 */
export function heldToOwnWord(meanings: readonly Meaning[], event: StreamEvent): readonly Meaning[] {
  if (!isOwnWord(event)) return meanings;
  const { read } = readFindings(event);
  return meanings.flatMap((meaning) => {
    const { proposal, quote } = meaning;
    // A model may take it for a request to the reader, but the user asks it of somebody else.
    if (proposal === null) return meaning.endsMatter ? [meaning] : [];
    const kind = onlyAskedAt(event, quote);
    if (kind === null) return [meaning];
    if (proposal.class === 'context_edit') return [onlyAsked(meaning, kind)];
    // "I have paid the fee and will send the receipt" says both.
    const isSaid = read.some(
      ({ set, defeatedBy, quote: said }) =>
        set.state === proposal.set.state && defeatedBy === null && (said.includes(quote) || quote.includes(said)),
    );
    return isSaid ? [meaning] : [];
  });
}

function onlyAsked(meaning: Meaning, kind: 'promise' | 'wish'): Meaning {
  const doubts = [...new Set([...(meaning.doubts ?? []), INCOMPLETE[kind]])];
  const candidates = meaning.candidates.length === 0 ? [meaning.target] : meaning.candidates;
  return { ...meaning, candidates, ambiguous: true, doubts };
}

function ownWordMeanings(finding: RuleFinding, event: StreamEvent, index: TargetIndex): readonly Meaning[] {
  const kind = findOnlyAsked(finding);
  return meaningsOf(finding, event, index).flatMap((meaning) => {
    if (kind !== null) return [onlyAsked(meaning, kind)];
    return meaning.proposal === null ? [] : [{ ...meaning, doubts: [...(meaning.doubts ?? []), INCOMPLETE.alone] }];
  });
}

/** Returns what a mail means, with the notes first that the user's answers about its sender speak for. */
function remembering({ found, byRules }: Phrases, event: StreamEvent, known: RememberingBasis): readonly Meaning[] {
  const fits = findFits(event, found, known);
  const alone = joined(byRules, fits, event, known);
  const answers = fits.length === 0 ? [] : (known.answers?.(event) ?? []);
  if (answers.length === 0) return alone;
  const { index } = known;
  return joined(byRules, withAnswers(fits, answers, index), event, known).map((meaning) => {
    const task = index.get(meaning.target);
    const said = task === null || meaning.proposal === null ? null : rememberedSentence(task, answers, index);
    const same = alone.find((each) => isSameChange(each, meaning));
    // A change that the mail alone doesn't state surely enough is never made because of the answers (contract, 6.22).
    const ownDoubts = same === undefined ? [INCOMPLETE.remembered] : (same.doubts ?? []);
    const doubts = [...new Set([...ownDoubts, ...(meaning.doubts ?? [])])];
    const reasoning = said === null ? meaning.reasoning : `${meaning.reasoning} ${said}`;
    return { ...meaning, reasoning, ...(doubts.length === 0 ? {} : { doubts }) };
  });
}

/**
 * Returns what the phrases mean in words that are no mail: a chat, a page. The trained reader has learnt from mails, so
 * it proposes no change here; if it disagrees, that is a doubt (contract, 6.26).
 */
function doubtedAlone({ found, byRules, meant }: Phrases, event: StreamEvent, known: ReadingBasis): readonly Meaning[] {
  if (meant.every(({ proposal }) => proposal === null)) return meant;
  const { spoken: _spoken, page: _page, handed: _handed, ...asMail } = event;
  const learnt = joined(byRules, findFits(asMail, found, known), asMail, known);
  return meant.map((meaning) => {
    if (meaning.proposal === null) return meaning;
    const same = learnt.find((each) => isSameChange(each, meaning));
    const doubts = [
      ...new Set([...(meaning.doubts ?? []), ...(same?.doubts ?? (same === undefined ? [INCOMPLETE.alone] : []))]),
    ];
    return doubts.length === 0 ? meaning : { ...meaning, doubts };
  });
}

function isSameChange(one: Meaning, other: Meaning): boolean {
  const [first, second] = [one, other].map(({ target, quote, proposal, ambiguous, targetEvidence }) =>
    JSON.stringify([target, quote, proposal, ambiguous, targetEvidence]),
  );
  return first === second;
}

/** What the phrases read less surely than this has something in its own sentence against it. */
const OUTRIGHT = 0.8;
/** A note less surely meant than this is not clearly the one. */
const CLEAR_NOTE = 0.7;

/**
 * Returns a change that only the phrases read, and not outright, as a question: "I dreamt that the fee was paid". In
 * the tuned cases, 10 of the 126 mails without a meaning led to such a proposal, and 0 of the 87 with one.
 */
function askedIfDoubted(meaning: Meaning): Meaning {
  const { proposal, target, effectConfidence, targetConfidence, doubts = [] } = meaning;
  const isDoubted = effectConfidence < OUTRIGHT || targetConfidence < CLEAR_NOTE;
  return proposal === null || meaning.ambiguous || !isDoubted || !doubts.includes(INCOMPLETE.alone)
    ? meaning
    : { ...meaning, candidates: [target], ambiguous: true };
}

/**
 * Reads an event for nothing, a part at a time: each of the hundreds of patterns is compiled when it is first used, and the
 * first real event would wait for that.
 */
export function* prepareReading(event: StreamEvent, known: RememberingBasis): Generator<void> {
  const found = readFindings(event);
  yield;
  readPhrases(event, known.index);
  yield;
  findFits(event, found, known);
  yield;
  readByRules(event, known);
}

/** Returns the same by the phrase table and the forms alone, with nothing that was learnt. */
export function readByPhrases(event: StreamEvent, index: TargetIndex): ExtractorResult {
  const read = readPhrases(event, index);
  return concluded(read, read.meant, event, index);
}

interface Phrases {
  readonly found: ReturnType<typeof readFindings>;
  readonly byRules: readonly { readonly finding: RuleFinding; readonly meaning: Meaning }[];
  readonly meant: readonly Meaning[];
}

function readPhrases(event: StreamEvent, index: TargetIndex): Phrases {
  const found = readFindings(event);
  const byPhrases = found.findings.flatMap((finding) =>
    meaningsOf(finding, event, index).map((meaning) => ({ finding, meaning })),
  );
  const own = ownVerbMeanings(found, event, index).filter(
    ({ meaning: { target } }) =>
      !byPhrases.some(({ meaning }) => meaning.target === target && meaning.proposal !== null && !meaning.ambiguous),
  );
  const byRules = [...byPhrases.filter(({ meaning, finding }) => !isToldBy(own, meaning, finding)), ...own];
  return { found, byRules, meant: byRules.map(({ meaning }) => meaning) };
}

function concluded(
  { found: { findings, endings, defeated, notRead } }: Phrases,
  meanings: readonly Meaning[],
  event: StreamEvent,
  index: TargetIndex,
): ExtractorResult {
  const ends = endings.flatMap((ending) => meaningsOf(ending, event, index)).filter((meaning) => meaning.endsMatter);
  const all = [...meanings, ...ends];
  if (all.length > 0) return extracted(all, null);
  if (findings.length > 0) return extracted([], noTarget(findings, event, index));
  if (notRead === null) return extracted([], nothingFound(event, defeated));
  return { ...extracted([], `written in ${notRead}, which is not read`), unread: `written in ${notRead}` };
}

function extracted(meanings: readonly Meaning[], skipped: string | null): ExtractorResult {
  return { meanings, skipped, rejected: [], unusable: null, extractor: 'rules (embedded)', usage: null };
}

function nothingFound(event: StreamEvent, defeated: readonly RuleFinding[]): string {
  const [first] = defeated;
  if (first !== undefined) return oneLine(`"${first.quote}": ${first.defeatedBy ?? ''}`, 160);
  if (event.text.trim() === '' && event.quoted.trim() !== '') return 'only quoted or forwarded words';
  return 'no news for a matter';
}

function noTarget(findings: readonly RuleFinding[], event: StreamEvent, index: TargetIndex): string {
  const closest = findings
    .flatMap((finding) => rankTargets(index, event, finding))
    .sort((a, b) => b.score - a.score)[0];
  if (closest === undefined) return NO_FIT;
  return oneLine(`${NO_FIT} (best ${closest.score.toFixed(2)} ${closest.candidate.name})`, 160);
}

function meaningsOf(finding: RuleFinding, event: StreamEvent, index: TargetIndex): Meaning[] {
  const choice = chooseTarget(index, event, finding);
  const target = choice === null ? null : index.get(choice.path);
  if (choice === null || target === null || choice.confidence < TARGET_FLOOR) return [];
  if (isOldNews(finding, target)) return [];
  const ends = endsMatter(finding, target);
  const none = target.kind === 'task' ? null : whyNotForMatter(finding, ends, index.openTasksOf(target.path).length);
  const line = ends ? undefined : choice.line;
  const whyNone = line === undefined ? none : boxWords(line);
  return [
    {
      ...{ target: choice.path, candidates: choice.candidates, ambiguous: choice.ambiguous },
      ...{ targetConfidence: choice.confidence, targetEvidence: choice.evidence, targetNear: choice.near },
      ...{ endsMatter: ends, proposal: whyNone === null ? proposalOf(finding, target) : null },
      ...(line === undefined ? {} : { line, headline: boxHeadline(line) }),
      quote: finding.quote,
      ...timeOf(finding),
      effectConfidence: finding.rawConfidence,
      reasoning: reasoningOf(finding, choice, whyNone),
      ...(asksOtherDeed(finding, target) ? { doubts: [INCOMPLETE.otherDeed] } : {}),
    },
  ];
}

/** A matter is never due, and one thing done does not close it: only its own end does, once no task of it is open. */
function whyNotForMatter({ class: name }: RuleFinding, ends: boolean, openTasks: number): string | null {
  if (name === 'context_edit') return 'No task fits best, so no date is proposed.';
  if (name === null || (ends && openTasks === 0)) return null;
  if (ends) return 'The matter still has open tasks, so no change is proposed.';
  if (openTasks > 0) return 'No task fits best, so no change is proposed.';
  return 'It does not say that the matter itself has ended, so no change is proposed.';
}

function proposalOf(finding: RuleFinding, target: TargetCandidate): MutationProposal | null {
  if (finding.class === null) return null;
  const set = isTheDeed(finding, target) ? { state: 'done' } : setFor(finding, target);
  return { class: finding.class, set, add: {}, remove: {} };
}

function timeOf({ time, set }: RuleFinding): Pick<Meaning, 'time'> {
  return time === undefined || set.due === undefined ? {} : { time };
}

/** A task whose day has a time gets the new one with its time. */
function setFor({ set, time }: RuleFinding, target: TargetCandidate): RuleFinding['set'] {
  return set.due === undefined || time === undefined ? set : { ...set, due: dueBy(target, `${set.due}T${time}`) };
}

/** "Cancel the broadband" is done, not called off, when the broadband is cancelled. */
function isTheDeed(finding: RuleFinding, target: TargetCandidate): boolean {
  if (target.kind !== 'task' || finding.set.state !== 'archived') return false;
  const verbs = new Set(finding.verbs.map(stem));
  return tellingWords(target.name).some((word) => verbs.has(word));
}

/** What the phrases read at least this surely has no doubt in its sentence. */
const UNDOUBTED = 0.9;

/** Returns what an event says of tasks by their own verb and object, one meaning for each sentence. */
function ownVerbMeanings(
  found: EventFindings,
  event: StreamEvent,
  index: TargetIndex,
): { readonly finding: RuleFinding; readonly meaning: Meaning }[] {
  const said = ownVerbFindings(event, index, found.isReadSentence).flatMap(({ finding, task }) => {
    // The tables know more of their own verbs: how they are denied, and by whom.
    const isTabled = found.read.some((one) => one.sentence === finding.sentence && !isOwnPart(one, task));
    const [whole] = isTabled ? undoubted(found.findings, finding) : meant([finding], event);
    return whole === undefined ? [] : [{ finding: whole, task }];
  });
  return [...Map.groupBy(said, ({ finding }) => finding.sentence).values()].flatMap((same) => {
    const named = mostSpecific(same.map(({ task }) => task));
    // Of a task and a line of the same name, the task is meant.
    const own = named.filter(({ path }) => index.get(path)?.kind === 'task');
    const tasks = own.length > 0 ? own : named;
    const [first] = same.filter(({ task }) => tasks.includes(task));
    return first === undefined
      ? []
      : [{ finding: first.finding, meaning: ownMeaning(first.finding, first.task, tasks, event, index) }];
  });
}

/** Of "Repair the fence" and "Repair the garden fence" the second is meant if the sentence has all of its words. */
function mostSpecific(tasks: readonly TargetCandidate[]): readonly TargetCandidate[] {
  const words = new Map(tasks.map((task) => [task, new Set(tellingWords(task.name))]));
  const isWithin = (one: TargetCandidate, other: TargetCandidate) => {
    const [less, more] = [words.get(one) ?? new Set(), words.get(other) ?? new Set()];
    return less.size < more.size && less.isSubsetOf(more);
  };
  return tasks.filter((one) => !tasks.some((other) => isWithin(one, other)));
}

function undoubted(findings: readonly RuleFinding[], { sentence }: RuleFinding): readonly RuleFinding[] {
  return findings.filter(
    (other) => other.sentence === sentence && other.set.state === 'done' && other.rawConfidence >= UNDOUBTED,
  );
}

// A sentence about the task itself isn't about another note.
function isToldBy(
  own: readonly { readonly finding: RuleFinding }[],
  meaning: Meaning,
  { sentence }: RuleFinding,
): boolean {
  return meaning.proposal?.set.due === undefined && own.some(({ finding }) => finding.sentence === sentence);
}

/** With its verb and its object a sentence has the whole name of a task, as surely as if it were written there. */
const OWN_NAME = 0.88;

// Of several tasks with the same name only the user knows which is meant.
function ownMeaning(
  finding: RuleFinding,
  task: TargetCandidate,
  tasks: readonly TargetCandidate[],
  event: StreamEvent,
  index: TargetIndex,
): Meaning {
  const ranked = rankTargets(index, event, finding).find(({ candidate }) => candidate.path === task.path);
  const { score = 0, evidence = [] } = ranked ?? {};
  const kinds = new Set<TargetEvidence>([...evidence.filter((kind) => kind !== 'words'), 'name']);
  const confidence = Math.max(OWN_NAME, score);
  const isLine = index.get(task.path)?.kind === 'matter';
  return {
    ...(isLine ? { line: task.name, headline: boxHeadline(task.name) } : {}),
    target: task.path,
    candidates: [...new Set(tasks.map(({ path }) => path))],
    ambiguous: new Set(tasks.map(({ path }) => path)).size > 1,
    targetConfidence: round4(confidence),
    targetEvidence: TARGET_EVIDENCE.filter((kind) => kinds.has(kind)),
    targetNear: true,
    endsMatter: false,
    proposal: isLine ? null : proposalOf(finding, task),
    quote: finding.quote,
    effectConfidence: finding.rawConfidence,
    reasoning: `${sentenceCase(finding.reason)}. ${isLine ? boxWords(task.name) : fitsBest(task.name, confidence)}`,
  };
}

// "The boiler has been ordered" doesn't settle "Install the boiler".
function asksOtherDeed({ verbs, otherVerbs, set }: RuleFinding, { kind, name }: TargetCandidate): boolean {
  if (kind !== 'task' || set.state === undefined) return false;
  const words = new Set(stemmedWords(name).map(stem));
  const has = (all: readonly string[]) => all.some((verb) => words.has(stem(verb)));
  return has(otherVerbs) && !has(verbs);
}

function reasoningOf(finding: RuleFinding, choice: TargetChoice, whyNone: string | null): string {
  return `${sentenceCase(finding.reason)}. ${choice.reasoning}${whyNone === null ? '' : ` ${whyNone}`}`;
}

/** In which languages an event is written. */
interface EventLanguage {
  /** The language of most of it. Only in one that isn't read if no sentence is in one that is. */
  readonly written: DetectedLanguage;
  /** Returns whether a sentence of the event is in a language that is read, or in none that can be told. */
  readonly isReadSentence: (sentence: string) => boolean;
}

/** Later sentences are small print. */
const MAX_SENTENCES_OF_EVENT = 40;
/** A shorter sentence can look like a related language. */
const LEAST_SURE_WORDS = 8;
/** Fewer words mean little in a mail in another language: "paid" may be anything. */
const FEWEST_FOREIGN_WORDS = 3;
/** How far the other languages of the event have to stay behind the best one that is read, in a short sentence. */
const CLEAR = 0.75;
const MOST_LIKELY = 2;

/**
 * Detects the language of each sentence. A notice in another language below a mail, a second version of its text or the
 * name of a chat doesn't tell the language of the rest. A sentence too short to tell gets the event's language that it
 * resembles most.
 */
function detectLanguages({ text, subject, spoken }: StreamEvent): EventLanguage {
  const whole = detectLanguage(spoken === undefined ? `${text}\n${subject}` : text);
  const sentences = lazily(() => {
    const spans = splitSentences(text).slice(0, MAX_SENTENCES_OF_EVENT);
    return spans.map(({ start, end }) => text.slice(start, end));
  });
  const foreign = lazily(() => {
    const ranked = sentences()
      .filter(isInOtherLanguage)
      .flatMap((one) => rankLanguages(one).slice(0, MOST_LIKELY));
    const codes = [...(whole.kind === 'other' ? [whole.code] : []), ...ranked.map(({ lang }) => lang)];
    return new Set(codes.filter((code) => !isRead(code)));
  });
  const known = new Map<string, boolean>();
  const isReadSentence = (sentence: string) => {
    const isInRead = known.get(sentence) ?? isSentenceRead(sentence, foreign());
    known.set(sentence, isInRead);
    return isInRead;
  };
  const firstRead = () =>
    sentences()
      .values()
      .filter(isReadSentence)
      .map(detectLanguage)
      .find(({ kind }) => kind === 'read');
  return { written: whole.kind === 'other' ? (firstRead() ?? whole) : whole, isReadSentence };
}

function isSentenceRead(sentence: string, foreign: ReadonlySet<string>): boolean {
  if (isInOtherLanguage(sentence)) return false;
  if (foreign.size === 0) return true;
  const words = sentence.trim().split(/\s+/).length;
  if (words < FEWEST_FOREIGN_WORDS) return false;
  if (words >= LEAST_SURE_WORDS && detectLanguage(sentence).kind === 'read') return true;
  const ranked = rankLanguages(sentence);
  const best = (isWanted: (code: string) => boolean) => ranked.find(({ lang }) => isWanted(lang))?.accuracy ?? 0;
  return best((code) => foreign.has(code)) < best(isRead) * CLEAR;
}

interface EventFindings {
  /** One for each distinct proposal, surest first. */
  readonly findings: readonly RuleFinding[];
  /** Statements that something has ended: of use only if that is a whole matter. */
  readonly endings: readonly RuleFinding[];
  /** All that was found, meant or not, before it was weighed. */
  readonly read: readonly RuleFinding[];
  /** Phrases that the event contains but does not mean. */
  readonly defeated: readonly RuleFinding[];
  /** When it was written, and in which language. */
  readonly origin: DateOrigin;
  /** Whether a sentence is in a language that is read. */
  readonly isReadSentence: EventLanguage['isReadSentence'];
  /** The language that it is in, where its words are not read: "Polish". Else null. */
  readonly notRead: string | null;
}

const MAX_FINDINGS = 12;
/** A finding that is more likely wrong than right is not worth a signal. */
const LEAST_CONFIDENCE = 0.5;

/** Returns what an event's subject and text say was done, called off, moved to another day, or asked for. */
export function readFindings(event: StreamEvent): EventFindings {
  const { written, isReadSentence } = detectLanguages(event);
  const origin = dateOrigin(event, written);
  const passages = splitEvent(event);
  const phrases = passages.map((passage) => phrasesIn(passage, origin));
  const sentences = passages.flatMap((passage, at) => [
    ...(phrases[at]?.said ?? []),
    ...(event.spoken === undefined && !isOwnWord(event) ? [] : spokenIn(passage)),
  ]);
  // In the user's own words, a request is to somebody else.
  const heard = isOwnWord(event) ? sentences.filter(({ effect }) => effect !== 'action') : sentences;
  const all = isMail(event) ? mergeForms(heard, readForms(event, origin)) : heard;
  const read = inReadLanguage(all, isReadSentence);
  const ends = inReadLanguage(
    phrases.flatMap(({ ended }) => ended),
    isReadSentence,
  );
  return {
    ...{
      findings: meant(read, event),
      endings: meant(ends, event),
      read,
      origin,
      isReadSentence,
      defeated: read.filter(isDefeated),
    },
    notRead: written.kind === 'other' ? languageName(written.code) : null,
  };
}

interface SentencePhrases {
  readonly said: readonly RuleFinding[];
  readonly ended: readonly RuleFinding[];
}

const NOTHING: SentencePhrases = { said: [], ended: [] };
/** The sentences that have no phrase of the table. */
const silent = new TextMemory<SentencePhrases>(5_000);

function phrasesIn(passage: Passage, origin: DateOrigin): SentencePhrases {
  const { view } = passage;
  const known = silent.get(view);
  if (known !== undefined) return known;
  const triggers = findDayTriggers(view);
  const dates = findDates(passage, triggers, origin);
  const said = [...findStates(passage), ...dates, ...findRequests(passage)];
  const ended = findEndings(passage);
  // What a sentence says depends on its mail: its dates, and from where it is quoted.
  const isSilent = triggers.length === 0 && said.length === 0 && ended.length === 0;
  return isSilent ? silent.keep(view, NOTHING) : { said, ended };
}

/** In a language that is not read, words that look known mean something else. */
function inReadLanguage(
  findings: readonly RuleFinding[],
  isReadSentence: EventLanguage['isReadSentence'],
): readonly RuleFinding[] {
  return findings.filter(({ sentence }) => isReadSentence(sentence));
}

function meant(all: readonly RuleFinding[], event: StreamEvent): readonly RuleFinding[] {
  const asserted = all.filter((finding) => !isDefeated(finding));
  const findings = weighed(asserted, all.filter(isDefeated), event);
  return findings.filter((each) => each.rawConfidence >= LEAST_CONFIDENCE).slice(0, MAX_FINDINGS);
}

function isDefeated({ defeatedBy }: RuleFinding): boolean {
  return defeatedBy !== null;
}

/** A deed, ready to be searched for. */
interface DeedPattern {
  readonly id: string;
  readonly verbs: readonly string[];
  readonly otherVerbs: readonly string[];
  readonly pattern: RegExp;
}

/** A message with fewer words doesn't name a deed. */
const FEWEST_WORDS = 3;
const DEED_CONFIDENCE = 0.8;
const DONE_CONFIDENCE = 0.75;

const spoken = lazily(() => {
  const yes = patternOfAll((language) => language.spoken.yes);
  const opens = patternOfAll((language) => language.spoken.opening);
  const [done, and] = [patternOfAll((language) => language.spoken.allDone), patternOfAll(({ cues }) => cues.and)];
  // Before a deed without an opening word of its own: only a greeting, and "done".
  const opening = `(?:^|[.!,:;–—-]) {0,3}(?:(?:${yes}|${opens})[,!.:]{0,3} {1,3}){0,4}`;
  return {
    deeds: DEED_NAMES.flatMap((deed) => deedPatterns(deed, opening)),
    done: new RegExp(spaced(`^ *(?:(?:${yes})[,!.]* +)?(?:${done})(?= *(?:$|[,.:;!–—✅👍-]| (?:${and}) ))`), 'giu'),
    requests: phrasePatterns(languageTables().flatMap((language) => language.spoken.requests)),
  };
});

/** Returns what a sentence of a chat says was done by whoever says it, and what it asks for. */
function spokenIn(passage: Passage): RuleFinding[] {
  const deeds = deedsIn(passage);
  // "Done, sent the papers" tells what was done; "done" alone does not.
  const done = deeds.length > 0 || stemmedWords(passage.text).length < FEWEST_WORDS ? [] : doneIn(passage);
  return [...deeds, ...done, ...spokenRequestsIn(passage)];
}

function deedPatterns(deed: DeedName, opening: string): DeedPattern[] {
  const verbs = verbsOf(deed);
  const otherVerbs = DEED_NAMES.flatMap(verbsOf).filter((verb) => !verbs.includes(verb));
  return languageTables().map(({ spoken: { frame, frameOpensClause, deeds } }) => {
    const source = frame.replace('~', deeds[deed].words);
    const pattern = frameOpensClause
      ? new RegExp(`${opening}${spaced(source)}(?![\\p{L}\\p{N}_])`, 'giu')
      : phrasePattern(source);
    return { id: `${deed}: said`, verbs, otherVerbs, pattern };
  });
}

function verbsOf(deed: DeedName): readonly string[] {
  return wordsOfAll((language) => language.spoken.deeds[deed].verbs);
}

function deedsIn(passage: Passage): RuleFinding[] {
  return spoken().deeds.flatMap(({ id, verbs, otherVerbs, pattern }) =>
    matchesIn(passage, pattern).map((phrase) =>
      assessedFinding(doneClaim(id, verbs, otherVerbs), DEED_CONFIDENCE, phrase, passage),
    ),
  );
}

function doneIn(passage: Passage): RuleFinding[] {
  return matchesIn(passage, spoken().done).map((phrase) =>
    assessedFinding(doneClaim('completion: said', [], []), DONE_CONFIDENCE, phrase, passage),
  );
}

function doneClaim(phraseId: string, verbs: readonly string[], otherVerbs: readonly string[]): Claim {
  return { effect: 'mutation', class: 'state_change', set: { state: 'done' }, phraseId, verbs, otherVerbs };
}

function matchesIn({ view }: Passage, pattern: RegExp) {
  return firstMatches(view, pattern).map((match) => {
    // Marks before the first letter are no part of the phrase.
    const start = match.index + (/^[^\p{L}\p{N}]*/u.exec(match[0])?.[0].length ?? 0);
    const phrase = { sentence: view, start, end: match.index + match[0].length };
    return { ...phrase, bare: true, negative: false, ofFuture: false };
  });
}

function spokenRequestsIn(passage: Passage): RuleFinding[] {
  return spoken().requests.flatMap((request) => {
    const match = firstMatches(passage.view, request.pattern)[0];
    if (match === undefined) return [];
    const phrase = plannedPhrase(passage.view, match.index, match.index + match[0].length);
    if (request.id !== "don't forget" && isNegated(phrase)) return [];
    return [makeFinding(requestClaim(`request: ${request.id}`), request.confidence, phrase, passage)];
  });
}

/**
 * Returns what the forms of a mail say: the labelled lines of its text, crossed-out days, and what it tells programs where its
 * text names the same.
 */
export function readForms(event: StreamEvent, origin: DateOrigin): readonly RuleFinding[] {
  return [
    ...labelFindings(event, origin),
    ...tableFindings(event, origin),
    ...struckFindings(event, origin),
    ...hiddenFindings(event),
  ];
}

/**
 * Returns the findings of sentences and of forms. If both say the same, the number that the form names applies to both.
 * With "paid", a day to pay by is ignored, and so is a time with "cancelled", however their line is read.
 */
function mergeForms(read: readonly RuleFinding[], forms: readonly RuleFinding[]): readonly RuleFinding[] {
  const said = [...read, ...forms].filter(({ defeatedBy }) => defeatedBy === null);
  const isPaid = said.some((one) => phraseTopic(one) === 'payment');
  const isOff = said.some(({ set }) => set.state === 'archived');
  const [idle, kept] = parted(forms, ({ phraseId }) => (isPaid && isToPay(phraseId)) || (isOff && isWhen(phraseId)));
  const sentences = read.filter((finding) => !idle.some((form) => isSameLine(form, finding)));
  return [...withReferences(sentences, kept), ...kept];
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function withReferences(read: readonly RuleFinding[], forms: readonly RuleFinding[]): readonly RuleFinding[] {
  const named = forms.filter(({ references, defeatedBy }) => (references ?? []).length > 0 && defeatedBy === null);
  return read.map((finding) => {
    const references = named.find((form) => isSame(form, finding))?.references;
    return references === undefined ? finding : { ...finding, references };
  });
}

/** "Due date: 3 December" is a line with a label, and reads as a sentence too. */
function isSameLine(form: RuleFinding, { set: { due }, quote }: RuleFinding): boolean {
  return due !== undefined && form.set.due === due && (form.quote.includes(quote) || quote.includes(form.quote));
}

function isSame(one: RuleFinding, other: RuleFinding): boolean {
  const [first, second] = [one, other].map(({ effect, set }) => JSON.stringify([effect, set]));
  return first === second && phraseTopic(one) === phraseTopic(other);
}

function isToPay(phraseId: string): boolean {
  return /^form: date: (?:due|invoice due|order due)$/.test(phraseId);
}

function isWhen(phraseId: string): boolean {
  return phraseId === 'form: date: when';
}

/** Marks that shops and offices put on what they send to one person as well as on what they send to all. */
const MAYBE_TO_ONE = /^(?:List-Unsubscribe|List-Id|Precedence: bulk|Auto-Submitted: auto-(?:generated|notified))/;
const OF_ALL = new Set(['event', 'confirmation']);

/** Whether a mail that a machine sent may be to one person after all, by its headers alone. An automatic reply is not. */
export function mayBeNotification({ bulkReason }: Pick<StreamEvent, 'bulkReason'>): boolean {
  return MAYBE_TO_ONE.test(bulkReason ?? '');
}

/** Whether a mail that a machine sent is about something of the reader's own: it has a number or a state of an order, say. */
export function isNotification(event: StreamEvent): boolean {
  if (!mayBeNotification(event)) return false;
  const told = event.forms?.things ?? [];
  return told.some(({ kind }) => !OF_ALL.has(kind)) || labelledLines(event.text).some(isOfOne);
}

function isOfOne({ kinds, value, isBare }: LabelledLine): boolean {
  if (kinds.includes('reference')) return findCodes(value).size > 0;
  if (kinds.includes('open')) return !isBare && isNothingLeft(value) !== null;
  return kinds.some((kind) => kind.startsWith('status')) && statusIn(value, isBare) !== null;
}

const RESERVED_ONLY = new Set(['Confirmed', 'Cancelled']);
const NAMED_CONFIDENCE: Readonly<Record<NamedThing['by'], number>> = { reference: 0.84, name: 0.8, party: 0.65 };
const CONFIRM_CONFIDENCE = 0.6;

/**
 * Returns the findings of a mail's hidden things, as far as its text names the same thing by number, name or owner, and
 * doesn't contradict them. Each quotes the text, and is only ever proposed.
 */
function hiddenFindings(event: StreamEvent): readonly RuleFinding[] {
  const things = event.forms?.things ?? [];
  if (things.length === 0) return [];
  const visible = plainView(`${event.subject}\n${event.shown ?? event.text}`);
  return things.flatMap((thing) => findingsOf(thing, event, visible));
}

function findingsOf(thing: HiddenThing, event: StreamEvent, visible: string): readonly RuleFinding[] {
  const named = placeInText(thing, event);
  if (named === null || !isShown(named.place, event)) return [];
  if (thing.kind === 'confirmation') return asked(thing, named);
  return [...statesOf(thing, named, visible), ...dayOf(thing, named, event, visible)];
}

/** If the text is in the plain part alone, readers of the HTML haven't seen it. */
function isShown({ text, start, end }: Place, { shown, subject }: StreamEvent): boolean {
  const line = text.slice(start, end);
  return shown === null || saysToo(shown, line) || saysToo(subject, line);
}

function statesOf(thing: HiddenThing, named: NamedThing, visible: string): readonly RuleFinding[] {
  return thing.statuses.flatMap((status) => {
    const [isDone, isOpen] = [Object.hasOwn(DONE, status), Object.hasOwn(STILL_OPEN, status)];
    const topic = isDone ? DONE[status] : isOpen ? STILL_OPEN[status] : undefined;
    if (topic === undefined || (RESERVED_ONLY.has(status) && thing.kind !== 'reservation')) return [];
    const claim = stateClaim(topic, `form: ${topic}: ${thing.kind} ${status}`);
    const finding = formFinding(claim, NAMED_CONFIDENCE[named.by], named.place, reasonFor(thing, status, named));
    if (isOpen) return [denied(finding, `still open ("${status}")`)];
    const against = (topic === 'cancellation' ? known().notCancelled : known().notDone).exec(visible)?.[0];
    return against === undefined ? [finding] : [denied(finding, `negated by the text ("${against}")`)];
  });
}

function dayOf(thing: HiddenThing, named: NamedThing, event: StreamEvent, visible: string): readonly RuleFinding[] {
  const { kind, statuses, day, dayBefore } = thing;
  const isMoved = kind === 'event' && statuses.includes('EventRescheduled') && day !== dayBefore;
  const isToPay =
    (kind === 'invoice' || kind === 'order') && statuses.some((one) => /^(?:Order)?PaymentDue$/.test(one));
  if (day === null || !(isMoved || isToPay) || known().notCancelled.test(visible)) return [];
  const how = `${kind} ${isMoved ? 'rescheduled' : 'due'}`;
  return [dayFinding(day, how, NAMED_CONFIDENCE[named.by], named.place, reasonFor(thing, day, named), event)];
}

function asked({ names }: HiddenThing, named: NamedThing): readonly RuleFinding[] {
  const claim = requestClaim('form: request: confirm');
  return [formFinding(claim, CONFIRM_CONFIDENCE, named.place, `the mail has a button "${names[0] ?? ''}"`)];
}

function reasonFor({ kind }: HiddenThing, says: string, { by, words }: NamedThing): string {
  return hiddenWords(kind, says, by, words);
}

const DONE: Readonly<Record<string, TopicName>> = {
  OrderDelivered: 'delivery',
  Delivered: 'delivery',
  PaymentComplete: 'payment',
  ReservationConfirmed: 'booking',
  Confirmed: 'booking',
  OrderCancelled: 'cancellation',
  ReservationCancelled: 'cancellation',
  Cancelled: 'cancellation',
  EventCancelled: 'cancellation',
};
const STILL_OPEN: Readonly<Record<string, TopicName>> = {
  OrderInTransit: 'delivery',
  OrderProcessing: 'delivery',
  OrderPickupAvailable: 'delivery',
  OrderProblem: 'delivery',
  InTransit: 'delivery',
  OutForDelivery: 'delivery',
  OrderPaymentDue: 'payment',
  PaymentDue: 'payment',
  PaymentPastDue: 'payment',
  PaymentDeclined: 'payment',
  PaymentAutomaticallyApplied: 'payment',
  ReservationPending: 'booking',
  ReservationHold: 'booking',
};

interface NamedThing {
  readonly by: 'reference' | 'name' | 'party';
  readonly words: string;
  readonly place: Place;
}

interface MailLine {
  readonly text: string;
  readonly start: number;
  readonly isSubject: boolean;
}

const MOST_SHOWN_LINES = 4;
const MOST_LINE = 300;

/**
 * Returns the place in the subject or the text of a mail that names a hidden thing, by its surest sign; null if neither
 * does.
 */
function placeInText(thing: HiddenThing, event: StreamEvent): NamedThing | null {
  const lines = mailLines(event);
  const references = thing.references.filter((one) => lines.some(({ text }) => hasCode(text, one)));
  const signs = [
    ...references.map((words) => ({ by: 'reference' as const, words })),
    ...thing.names.map((words) => ({ by: 'name' as const, words })),
    ...thing.parties.map((words) => ({ by: 'party' as const, words })),
  ];
  const names = (line: MailLine, { by, words }: (typeof signs)[number]) =>
    by === 'reference' ? hasCode(line.text, words) : hasWords(line.text, words);
  for (const sign of signs) {
    const line = lines.findLast((one) => names(one, sign));
    if (line === undefined) continue;
    const others = lines.filter(
      (one) => one !== line && signs.some((other) => other.by !== 'party' && names(one, other)),
    );
    const around = [line, ...others.slice(0, MOST_SHOWN_LINES)].map(({ text }) => text.trim()).join(' ');
    return { ...sign, place: placeOf(line, event, around, references) };
  }
  return null;
}

function placeOf(line: MailLine, event: StreamEvent, around: string, references: readonly string[]): Place {
  const { start, isSubject } = line;
  const text = isSubject ? event.subject : event.text;
  return { text, start, end: start + line.text.length, around, references, isSubject };
}

function mailLines({ subject, text }: StreamEvent): readonly MailLine[] {
  const lines: MailLine[] = subject.trim() === '' ? [] : [{ text: subject, start: 0, isSubject: true }];
  let start = 0;
  for (const line of text.split('\n').slice(0, MOST_LINES)) {
    if (line.trim() !== '') lines.push({ text: line.slice(0, MOST_LINE), start, isSubject: false });
    start += line.length + 1;
  }
  return lines;
}

/** Whether a line has a number or code as one that stands by itself, however its groups are kept apart. */
function hasCode(line: string, reference: string): boolean {
  const wanted = groupsOf(reference);
  return wanted.length > 0 && isWithin(groupsOf(line), wanted);
}

function groupsOf(text: string): readonly string[] {
  return text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function hasWords(line: string, name: string): boolean {
  const wanted = stemmedWords(name);
  return wanted.length > 0 && isWithin(stemmedWords(line), wanted);
}

function isWithin(all: readonly string[], wanted: readonly string[]): boolean {
  return all.some((_, at) => wanted.every((word, nth) => all[at + nth] === word));
}

/** The labelled lines of an event. */
interface Labels {
  readonly event: StreamEvent;
  readonly origin: DateOrigin;
  readonly lines: readonly LabelledLine[];
}

type StatusKind = Extract<LabelKind, `status${string}`>;

const LABEL_CONFIDENCE = {
  moved: 0.84,
  next: 0.8,
  when: 0.7,
  due: 0.8,
  status: 0.84,
  anyStatus: 0.8,
  nothingLeft: 0.8,
} as const;
const TOPIC_OF: Readonly<Record<Exclude<LabelState, 'pending'>, TopicName>> = {
  ...{ paid: 'payment', delivered: 'delivery', booked: 'booking', cancelled: 'cancellation' },
  ...{ signed: 'signature', approved: 'approval', completed: 'completion' },
};
const SAID_BY: Readonly<Record<StatusKind, readonly LabelState[]>> = {
  status: ['paid', 'delivered', 'cancelled', 'signed', 'approved', 'completed', 'pending'],
  statusOfPayment: ['paid', 'cancelled', 'completed', 'pending'],
  statusOfDelivery: ['delivered', 'cancelled', 'completed', 'pending'],
  statusOfBooking: ['booked', 'cancelled', 'completed', 'pending'],
};
/** The topics that each kind denies if it says that something is still open. */
const DENIED_BY: Readonly<Record<StatusKind, readonly TopicName[]>> = {
  status: ['payment', 'delivery', 'booking', 'completion', 'signature', 'approval'],
  statusOfPayment: ['payment'],
  statusOfDelivery: ['delivery'],
  statusOfBooking: ['booking'],
};
const STATUS_KINDS: readonly StatusKind[] = ['statusOfPayment', 'statusOfDelivery', 'statusOfBooking', 'status'];

/** Returns what the labelled lines of an event's text say was done, called off, moved, or is due. */
function labelFindings(event: StreamEvent, origin: DateOrigin): readonly RuleFinding[] {
  const labels = { event, origin, lines: labelledLines(event.text) };
  return [...movesIn(labels), ...duesIn(labels), ...labels.lines.flatMap((line) => statusOf(line, labels))];
}

function movesIn(labels: Labels): readonly RuleFinding[] {
  const { lines, origin } = labels;
  const next = datedBy(lines, 'next', origin);
  const hasFormer = datedBy(lines, 'former', origin).length > 0;
  const whens = datedBy(lines, 'when', origin);
  if (next.length > 0) return next.map((one) => dateFinding(one, labels, hasFormer ? 'moved' : 'next'));
  if (hasFormer) return whens.map((one) => dateFinding(one, labels, 'moved'));
  const arrows = lines
    .filter(({ kinds }) => kinds.includes('when'))
    .flatMap((line) => {
      const move = daysOfMove(line.value, origin);
      return move === null || move[0] === move[1] ? [] : [dateFinding({ line, day: move[1] }, labels, 'moved')];
    });
  if (arrows.length > 0) return arrows;
  return whens.filter(({ line }) => isOfAppointment(line, lines)).map((one) => dateFinding(one, labels, 'when'));
}

function duesIn(labels: Labels): readonly RuleFinding[] {
  return datedBy(labels.lines, 'due', labels.origin).map((one) => dateFinding(one, labels, 'due'));
}

/** A line with the day that it names. */
interface DatedLine {
  readonly line: LabelledLine;
  readonly day: string;
}

function datedBy(lines: readonly LabelledLine[], kind: LabelKind, origin: DateOrigin): readonly DatedLine[] {
  return lines
    .filter(({ kinds }) => kinds.includes(kind))
    .flatMap((line) => {
      const day = dayAt(line.value, origin);
      return day === null ? [] : [{ line, day }];
    });
}

/** "Date:" may be the day of anything, unless another line of its block says what it is about. */
function isOfAppointment({ block }: LabelledLine, lines: readonly LabelledLine[]): boolean {
  return lines.some((line) => line.block === block && line.kinds.includes('about') && !line.isBare);
}

function dateFinding({ line, day }: DatedLine, labels: Labels, how: 'moved' | 'next' | 'when' | 'due'): RuleFinding {
  const confidence = LABEL_CONFIDENCE[how];
  const place = placeOfLine(line, labels);
  return dayFinding(day, how === 'moved' ? 'next' : how, confidence, place, lineReason(line), labels.event);
}

function statusOf(line: LabelledLine, labels: Labels): readonly RuleFinding[] {
  const left = line.kinds.includes('open') ? isNothingLeft(line.value) : null;
  if (left !== null)
    return left ? said(line, labels, 'payment', LABEL_CONFIDENCE.nothingLeft) : deniedBy(line, labels, ['payment']);
  const kind = STATUS_KINDS.find((one) => line.kinds.includes(one));
  if (kind === undefined) return [];
  const state = statusIn(line.value, line.isBare);
  if (state === null || !SAID_BY[kind].includes(state)) return [];
  if (state === 'pending') return deniedBy(line, labels, DENIED_BY[kind]);
  const isPayment = kind === 'statusOfPayment' && state === 'completed';
  const confidence = kind === 'status' ? LABEL_CONFIDENCE.anyStatus : LABEL_CONFIDENCE.status;
  return said(line, labels, isPayment ? 'payment' : TOPIC_OF[state], confidence);
}

function said(line: LabelledLine, labels: Labels, topic: TopicName, confidence: number): readonly RuleFinding[] {
  const claim = stateClaim(topic, `form: ${topic}: ${folded(line.label)}`);
  return [formFinding(claim, confidence, placeOfLine(line, labels), lineReason(line))];
}

function deniedBy(line: LabelledLine, labels: Labels, topics: readonly TopicName[]): readonly RuleFinding[] {
  return topics.flatMap((topic) =>
    said(line, labels, topic, 0).map((one) => denied(one, `still open ("${folded(line.value)}")`)),
  );
}

function placeOfLine(line: LabelledLine, { event: { text }, lines }: Labels): Place {
  const { start, end, block } = line;
  const beside = lines.filter(({ kinds }) => kinds.includes('reference'));
  const own = beside.filter((one) => one.block === block);
  const references = (own.length > 0 ? own : beside).map(({ value }) => value);
  const around = `${text.slice(start, end)} ${blockText(text, block)}`;
  return { text, start, end, around, references, isSubject: false };
}

function lineReason({ label }: LabelledLine): string {
  return lineWords(folded(label));
}

const MOST_WORDS = 5;
const MOST_BEHIND = 60;
const LESS =
  /(?<!\p{L})(?:not|nicht|pas|no|non|niet|part\p{L}*|teil\p{L}*|deels|parc\p{L}*|parz\p{L}*|except|außer|sauf|salvo|tranne|behalve|if|wenn|si|se|als|until|bis|after|once|refund\p{L}*|erstatt\p{L}*|rembours\p{L}*|reembols\p{L}*|rimbors\p{L}*|terugbet\p{L}*)(?!\p{L})/iu;

/**
 * Returns the state in the value of a status line: `Delivered`, `Paid on 3 December`. Null if the value says anything
 * else, or if `isBare` and there is more than that word.
 */
function statusIn(value: string, isBare: boolean): LabelState | null {
  if (/[?？]/u.test(value)) return null;
  const words = value.match(/\S+/g) ?? [];
  for (let length = Math.min(MOST_WORDS, words.length); length > 0; length -= 1) {
    const state = stateIn(words.slice(0, length).join(' '));
    if (state === null) continue;
    const rest = words.slice(length).join(' ');
    return mayFollow(rest, words[length - 1] ?? '', isBare) ? state : null;
  }
  return null;
}

/** Whether the text behind the word leaves its meaning: it is empty, a day, or bracketed. */
function mayFollow(rest: string, last: string, isBare: boolean): boolean {
  if (!/[\p{L}\p{N}]/u.test(rest)) return true;
  if (isBare || rest.length > MOST_BEHIND || LESS.test(rest)) return false;
  const first = rest.split(' ', 1)[0] ?? '';
  return /[,;.)]$/u.test(last) || /^(?:[([–—\-|·,;]|\d)/u.test(first) || isFiller(first);
}

/** A sum as the value of a line: its digits, with its currency before or behind. */
const SUM =
  /^(?:[A-Z]{3}|[€£$¥])? ?(-?\d{1,3}(?:[., '’\u00A0\u202F]?\d{3})*(?:[.,]\d{2})?|-?\d{1,9}(?:[.,]\d{2})?) ?(?:[A-Z]{3}|[€£$¥]|euros?|Euro)?[.,]?$/u;

/** Returns whether a line with the amount left to pay says zero; null if its value is no sum. */
function isNothingLeft(value: string): boolean | null {
  const digits = SUM.exec(value.trim())?.[1];
  return digits === undefined ? null : !/[1-9]/.test(digits);
}

const STRUCK_CONFIDENCE = 0.8;

/** Returns the days that a mail gives in place of crossed-out ones: on the same line, or on the next. */
function struckFindings(event: StreamEvent, origin: DateOrigin): readonly RuleFinding[] {
  return (event.forms?.struck ?? []).flatMap((struck) => moved(struck, event, origin));
}

function moved(struck: string, event: StreamEvent, origin: DateOrigin): readonly RuleFinding[] {
  const { text } = event;
  const before = dayAt(struck, origin);
  const at = before === null ? -1 : text.indexOf(struck);
  if (at === -1 || text.includes(struck, at + 1)) return [];
  const line = { start: text.lastIndexOf('\n', at) + 1, end: endOfLine(text, at) };
  const next = { start: Math.min(text.length, line.end + 1), end: endOfLine(text, line.end + 1) };
  for (const [where, words] of [
    [line, `${text.slice(line.start, at)} ${text.slice(at + struck.length, line.end)}`],
    [next, text.slice(next.start, next.end)],
  ] as const) {
    const day = onlyDayIn(words.replace(/\s+/g, ' ').trim(), origin);
    if (day === null || day === before) continue;
    const around = `${text.slice(Math.max(0, line.start - 150), line.start)} ${text.slice(line.start, where.end)}`;
    const place = { text, ...where, around, references: [], isSubject: false };
    const reason = 'a day is crossed out, and this one is next to it';
    return [dayFinding(day, 'crossed out', STRUCK_CONFIDENCE, place, reason, event)];
  }
  return [];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const TABLE_CONFIDENCE = 0.75;

/** Returns until when the rows of tables with a column for it are to be paid. */
function tableFindings(event: StreamEvent, origin: DateOrigin): readonly RuleFinding[] {
  return tableRows(event.text).flatMap((row) => {
    const day = row.kinds.includes('due') ? onlyDayIn(row.text, origin) : null;
    if (day === null) return [];
    const reason = 'a table in the text says when it is due';
    return [dayFinding(day, 'due', TABLE_CONFIDENCE, placeOfRow(row, event.text), reason, event)];
  });
}

function placeOfRow({ text: row, start, kinds }: TableRow, text: string): Place {
  const references = kinds.includes('reference') ? [row] : [];
  return { text, start, end: start + row.length, around: row, references, isSubject: false };
}

/** The highest confidence of a change that only a form states: it is put to a person, never made without one. */
const MOST_OF_A_FORM = 0.84;

interface Place {
  /** The subject or the body. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The words around it, by which the note is looked for. */
  readonly around: string;
  /** The numbers and codes of what it is about, as they are written. */
  readonly references: readonly string[];
  readonly isSubject: boolean;
}

/** Returns the finding for what a form says at a place. */
function formFinding(claim: Claim, confidence: number, place: Place, reason: string): RuleFinding {
  const { text, start, end, around, isSubject } = place;
  const view = plainView(text.slice(start, end));
  const phrase = { sentence: view, start: 0, end: view.length, bare: false, negative: false, ofFuture: false };
  const finding = makeFinding(claim, Math.min(MOST_OF_A_FORM, confidence), phrase, {
    ...{ text, view, isSubject },
    sentence: { start, end },
  });
  const references = [...findCodes(place.references.join('\n'))];
  return { ...finding, sentence: shownSentence(plainView(around)), reason, references };
}

/** Returns the finding that something is due on a day; not meant if the day is before the mail. */
function dayFinding(
  day: string,
  how: string,
  confidence: number,
  place: Place,
  reason: string,
  { originAt }: Pick<StreamEvent, 'originAt'>,
): RuleFinding {
  const finding = formFinding(dayClaim(day, null, `form: date: ${how}`), confidence, place, reason);
  const isPast = originAt !== null && day < originAt.slice(0, 10);
  return isPast ? denied(finding, 'the day is before the mail') : finding;
}

/** Returns the finding as one that is not meant, and why. */
function denied(finding: RuleFinding, why: string): RuleFinding {
  return { ...finding, rawConfidence: 0, defeatedBy: why };
}

const LEAD =
  /^(?:(?:on|the|by|from|until|am|den|dem|bis|zum|ab|le|au|du|jusqu'au|el|al|del|hasta|il|dal|entro|op|vanaf|tot) )+/iu;
const ARROW = / ?(?:→|➔|➜|⇒|->|=>|»|>) ?/u;
/** This many places of a text are tried. */
const MOST_TRIES = 12;

/** Returns the day that a value begins with; null if there isn't one, or it can be read in two ways. */
function dayAt(value: string, origin: DateOrigin): string | null {
  const plain = value.replace(/\s/g, ' ').trim();
  return readDate(plain.replace(LEAD, ''), origin)?.day ?? null;
}

/** Returns both days of a value with an arrow from one to the other; null of any other. */
function daysOfMove(value: string, origin: DateOrigin): readonly [string, string] | null {
  const [before = '', after = '', more] = value.split(ARROW);
  const [from, to] = [dayAt(before, origin), dayAt(after, origin)];
  return more !== undefined || from === null || to === null ? null : [from, to];
}

function onlyDayIn(text: string, origin: DateOrigin): string | null {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}./-])[\p{L}\p{N}]/gu)]
    .slice(0, MOST_TRIES)
    .map(({ index }) => index);
  const days = new Set<string>();
  let behind = 0;
  for (const at of starts) {
    const found = at < behind ? null : readDate(text.slice(at), origin);
    if (found === null) continue;
    days.add(found.day);
    behind = at + found.length;
  }
  const [only, another] = days;
  return another === undefined ? (only ?? null) : null;
}

/** A line of a text, or of a table in it, that says what is behind its label. */
interface LabelledLine {
  readonly kinds: readonly LabelKind[];
  readonly label: string;
  readonly value: string;
  /** The offset of the value in the text. */
  readonly at: number;
  /** Where the line begins, and where the line with the value ends. */
  readonly start: number;
  readonly end: number;
  /** Whether no colon is between label and value: then a value with other words doesn't count. */
  readonly isBare: boolean;
  /** The number of its block: lines without an empty one between them, or with only one. */
  readonly block: number;
}

const MOST_LABEL = 40;
const MOST_VALUE = 120;
/** After this many empty lines a value no longer belongs to the label above it. */
const MOST_BETWEEN = 2;

/** Returns the labelled lines of a text, in its order. */
function labelledLines(text: string): readonly LabelledLine[] {
  const lines = linesOf(text);
  return lines.flatMap((line, nth) => labelledLine(line, lines.slice(nth + 1, nth + 1 + MOST_BETWEEN)) ?? []);
}

function labelledLine(line: Line, next: readonly Line[]): LabelledLine | null {
  return byColon(line, next) ?? withoutColon(line, next);
}

function byColon(line: Line, next: readonly Line[]): LabelledLine | null {
  const colon = line.text.search(/[:：](?:\s|$|\*)/u);
  if (colon < 1 || colon > MOST_LABEL) return null;
  const label = line.text.slice(0, colon);
  return kindsOf(label).length === 0 ? null : lineWith(line, label, colon + 1, next, false);
}

function withoutColon(line: Line, next: readonly Line[]): LabelledLine | null {
  const words = line.text.slice(0, 2 * MOST_LABEL).match(/\S+/g) ?? [];
  const length = labelLength(words);
  if (length === 0) return null;
  const label = words.slice(0, length).join(' ');
  let at = 0;
  for (const word of words.slice(0, length)) at = line.text.indexOf(word, at) + word.length;
  return lineWith(line, label, at, next, true);
}

function lineWith(
  line: Line,
  label: string,
  from: number,
  next: readonly Line[],
  isBare: boolean,
): LabelledLine | null {
  const own = line.text.slice(from);
  const isOwn = folded(own) !== '';
  const [below] = next;
  const holder = isOwn ? { text: own, start: line.start + from } : below;
  // A line that is itself a label is no value of the one above.
  if (holder === undefined || (!isOwn && /[:：]\s*$/u.test(holder.text))) return null;
  const lead = /^[\s*:：]*/u.exec(holder.text)?.[0].length ?? 0;
  const value = holder.text.slice(lead).trimEnd().slice(0, MOST_VALUE);
  const at = holder.start + lead;
  const { start, block } = line;
  return { kinds: kindsOf(label), label, value, at, start, end: at + value.length, isBare, block };
}

/** A row of a table whose columns have labels above them. */
interface TableRow extends Line {
  readonly kinds: readonly LabelKind[];
}

const MOST_ROWS = 6;
const MOST_HEAD = 120;
const LEAST_LABELS = 2;

function tableRows(text: string): readonly TableRow[] {
  const lines = linesOf(text);
  return lines.flatMap((line, nth) => {
    const kinds = kindsInHead(line.text);
    if (kinds.length < LEAST_LABELS) return [];
    const below = lines.slice(nth + 1, nth + 1 + MOST_ROWS);
    const end = below.findIndex((row) => row.block !== line.block || !/\d/.test(row.text) || row.text.includes(':'));
    return (end === -1 ? below : below.slice(0, end)).map((row) => ({ ...row, kinds }));
  });
}

/** Of "Amount Due date" both "Amount due" and "Due date" count: where one column ends is lost. */
function kindsInHead(line: string): readonly LabelKind[] {
  if (line.length > MOST_HEAD || /\d|[:.!?]\s*$/.test(line)) return [];
  const words = line.match(/[^\s|]+/g) ?? [];
  const labels = words.map((_, at) => words.slice(at, at + labelLength(words.slice(at))));
  const covered = new Set(labels.flatMap((label, at) => label.map((_, nth) => at + nth)));
  const kinds = labels.flatMap((label) => (label.length === 0 ? [] : kindsOf(label.join(' '))));
  return covered.size * 2 < words.length ? [] : [...new Set(kinds)];
}

/** A line of a text that is not empty. */
interface Line {
  readonly text: string;
  /** Its offset in the text. */
  readonly start: number;
  /** The number of its block: lines without an empty one between them, or with only one. */
  readonly block: number;
}

const MOST_LINES = 400;
const MOST_CHARACTERS = 300;

/** Returns the lines of a text that are not empty, at most 400, of each the first 300 characters. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let [at, block, empty] = [0, 0, 0];
  for (const line of text.split('\n')) {
    if (line.trim() === '') empty += 1;
    else {
      if (empty > 1) block += 1;
      empty = 0;
      lines.push({ text: line.slice(0, MOST_CHARACTERS), start: at, block });
    }
    at += line.length + 1;
    if (lines.length >= MOST_LINES) break;
  }
  return lines;
}

/** Returns the text of a block, as one line. */
function blockText(text: string, block: number): string {
  const lines = linesOf(text).filter((line) => line.block === block);
  return lines.map((line) => line.text.trim()).join(' ');
}

type LabelKind = (typeof LABEL_KINDS)[number];
type LabelState = (typeof LABEL_STATES)[number];

const MOST_LABEL_WORDS = 5;

function kindsOf(label: string): readonly LabelKind[] {
  return known().kinds.get(folded(label)) ?? [];
}

/**
 * Returns the state that a word or two name; null if they name no state. A word that means pending in any language is
 * pending.
 */
function stateIn(words: string): LabelState | null {
  const found = known().states.get(folded(words)) ?? [];
  return found.includes('pending') ? 'pending' : (found[0] ?? null);
}

/** Whether a text may follow on what a status says: `on 3 December`. */
function isFiller(words: string): boolean {
  return known().fillers.has(folded(words));
}

/** Returns how many words at the beginning of some are a label, as many as can be; 0 if they aren't one. */
function labelLength(words: readonly string[]): number {
  const most = Math.min(MOST_LABEL_WORDS, words.length);
  for (let length = most; length > 0; length -= 1) {
    if (kindsOf(words.slice(0, length).join(' ')).length > 0) return length;
  }
  return 0;
}

/** Returns a text as the tables have it: in lower case, with single blanks and straight apostrophes, without marks around it. */
function folded(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02BC]/g, "'")
    .replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}#.°º]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** The labels of all languages, folded. */
const known = lazily(() => ({
  kinds: tableOf<LabelKind>(LABEL_KINDS),
  states: tableOf<LabelState>(LABEL_STATES),
  fillers: new Set(labelWords('fillers')),
  notDone: anyLabel('notDone'),
  notCancelled: anyLabel('notCancelled'),
}));

/** Returns the words that all languages have of a kind. */
function labelWords(kind: keyof LanguageTable['labels']): readonly string[] {
  return languageTables().flatMap((language) => wordsFor(kind, language));
}

function wordsFor(kind: keyof LanguageTable['labels'], { labels }: LanguageTable): readonly string[] {
  return labels[kind].split('|').map((word) => word.trim());
}

function tableOf<Kind extends keyof LanguageTable['labels']>(
  kinds: readonly Kind[],
): ReadonlyMap<string, readonly Kind[]> {
  const table = new Map<string, Kind[]>();
  for (const language of languageTables())
    for (const kind of kinds)
      for (const word of wordsFor(kind, language).map(folded)) {
        const known = table.get(word) ?? [];
        if (!known.includes(kind)) table.set(word, [...known, kind]);
      }
  return table;
}

function anyLabel(list: 'notDone' | 'notCancelled'): RegExp {
  const plain = [...new Set(labelWords(list).map(plainView))];
  return wordPattern(plain.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'));
}
