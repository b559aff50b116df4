import MiniSearch from 'minisearch';
import { type CandidateNote, type StreamEvent, TARGET_FLOOR } from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import { leadPhrase, namedById, pointsTo } from '../vault/event-text.ts';
import { oneLine } from '../vault/note-text.ts';
import {
  type MutationClass,
  type PaymentFields,
  parseState,
  TARGET_EVIDENCE,
  type TargetEvidence,
} from '../vault/record.ts';
import { addressSkeleton, findLookAlike, findNearSkeletons, plainSender, SENT } from '../vault/source-names.ts';
import { atOnce } from '../vault/time.ts';
import {
  classifyDeed,
  findAmounts,
  type PaymentClues,
  type PaymentNote,
  paymentClues,
  plainReference,
  referencesKnown,
  referencesWritten,
  sameCurrency,
} from './money.ts';
import { ownSubject } from './own-words.ts';
import {
  ENDINGS,
  findEndings,
  findStates,
  findThings,
  namingWords,
  phraseTopic,
  type RuleFinding,
  round4,
  sentencesBefore,
  shownSentence,
  spacedPattern,
  splitPassages,
  withoutSalutation,
  wordPattern,
} from './rules.ts';
import {
  asWritten,
  findLinks,
  foldedTarget,
  patternOfAll,
  phraseWords,
  plainView,
  stem,
  stemmedWords,
  ThingIndex,
  tellingWords,
  wordsOfAll,
} from './text.ts';

/** Two notes whose scores are this close cannot be distinguished. */
const AMBIGUITY_BAND = 0.05;
/** The highest confidence of something that must not be acted on by itself. */
const NOT_ALONE = 0.55;

/**
 * All scores in one place. A link names the note outright. A sender's address with a name or keyword is next best; an
 * address alone tells the matter but not which of its affairs; words alone tell less, the fewer they are.
 */
export const SCORE = {
  link: 0.99,
  linkElsewhere: 0.9,
  linkInHistory: 0.85,
  senderAndPhrase: 0.97,
  domainAndPhrase: 0.92,
  sender: 0.9,
  domain: 0.75,
  senderAndAmount: 0.9,
  /** Below the floor: other things cost the same. */
  amount: 0.45,
  /** For a phrase of one word, and of more. */
  name: [0.7, 0.88],
  keyword: [0.65, 0.82],
  /** What a task gains over its matter when the mail has every word of its name. */
  coverageGain: 0.05,
  coverageCap: 0.97,
  searchCap: 0.85,
  /** A task's share of its matter's score without any word of its own; with half of them it is still too little to act on. */
  leastReach: 0.25,
  /** A single word occurs in many mails. */
  searchCapForOneWord: 0.6,
  /** No single mail closes a whole matter. */
  matterChangeCap: NOT_ALONE,
  /** The task asks for something else than what was done: "Sign the deed" when the deed was paid for. */
  otherDeed: 0.5,
  /** The task has one number and the sentence another: invoice 114 is not invoice 141. */
  otherNumber: 0.7,
  /** The sentence names something, and nothing of the task. */
  otherThing: 0.5,
  /** It was done years before the mail. */
  longAgo: 0.5,
  /** The sender belongs to other notes, and one word speaks for this one. */
  strayWord: 0.6,
  /** The sender's matter has one open task alone, and the mail says that done what it asks for; or does not say what. */
  onlyTaskAsked: 0.75,
  onlyTask: 0.6,
} as const;

/** Returns whether `score` is so close below `best` that the two cannot be distinguished. */
export function isNear(best: number, score: number): boolean {
  return best - score <= AMBIGUITY_BAND + 1e-9;
}

/** The sentence of an event that a search is about, and what it says was done. */
export interface Clue extends Pick<RuleFinding, 'sentence' | 'verbs' | 'otherVerbs' | 'onlyAsked'> {
  /** Null if there is no change to make. */
  readonly class: MutationClass | null;
  /** See `Finding.references`. */
  readonly references?: readonly string[];
}

/** The note that an event is about, and how sure that is. */
export interface TargetChoice {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  readonly name: string;
  readonly matterPath: string | null;
  readonly confidence: number;
  /** Paths, best first, at most five. */
  readonly candidates: readonly string[];
  /** Another note fits nearly as well, so the choice must never be acted on. */
  readonly ambiguous: boolean;
  readonly evidence: readonly TargetEvidence[];
  /** Whether this evidence is next to the clue; false without a clue. */
  readonly near: boolean;
  readonly reasoning: string;
  /** The line of a matter's note that the event is about; absent if it is about the note itself. */
  readonly line?: string;
}

export const MAX_CANDIDATES = 5;

/** Returns the matter or task that an event, or one clue in it, is about; null if no note reaches the floor. */
export function chooseTarget(index: TargetIndex, event: StreamEvent, clue: Clue | null): TargetChoice | null {
  if (event.about !== undefined) return namedTarget(index, event.about);
  const ranked = rankTargets(index, event, clue).filter(({ score }) => score >= TARGET_FLOOR);
  const [best, second] = ranked;
  if (best === undefined) return null;
  const ambiguous = second !== undefined && isNear(best.score, second.score);
  return {
    ...lineMeant(event, clue, best.candidate),
    kind: best.candidate.kind,
    path: best.candidate.path,
    name: best.candidate.name,
    matterPath: best.candidate.kind === 'matter' ? best.candidate.path : best.candidate.matterPath,
    confidence: round4(best.score),
    candidates: ranked.slice(0, MAX_CANDIDATES).map(({ candidate }) => candidate.path),
    ambiguous,
    evidence: best.evidence,
    near: clue !== null && isBeside(best.candidate, event, clue, index),
    reasoning: pointsTo(findLeads(best.leads, event), best.candidate.name, ambiguous ? second.candidate.name : null),
  };
}

// Its channel names the note by an id, so that no word of the event can lead to another.
function namedTarget(index: TargetIndex, path: string): TargetChoice | null {
  const named = index.get(path);
  if (named === null) return null;
  const { kind, name } = named;
  return {
    ...{ kind, path, name, matterPath: kind === 'matter' ? path : named.matterPath, confidence: 1 },
    ...{ candidates: [path], ambiguous: false, evidence: ['link'], near: true },
    reasoning: namedById(name),
  };
}

/** One note that could be meant, and what leads to it. */
export interface RankedTarget {
  readonly candidate: TargetCandidate;
  readonly score: number;
  readonly leads: Leads;
  /** The kinds of evidence that lead to the note, in the order of `TARGET_EVIDENCE`. */
  readonly evidence: readonly TargetEvidence[];
}

/** A note with its score, before it is said by which evidence. */
type ScoredTarget = Omit<RankedTarget, 'evidence'>;

/** At this score a task stands out, and its matter steps back. */
const TASK_STANDS_OUT = 0.5;
/** How much of the text the search reads. */
const MAX_SEARCH_TEXT = 600;

/** Returns every note that could be meant, best first, including those below the floor. */
export function rankTargets(index: TargetIndex, event: StreamEvent, clue: Clue | null): readonly RankedTarget[] {
  if (clue !== null) return ranked(index, event, clue);
  const known = index.rankings.get(event) ?? ranked(index, event, null);
  index.rankings.set(event, known);
  return known;
}

function ranked(index: TargetIndex, event: StreamEvent, clue: Clue | null): readonly RankedTarget[] {
  const query = queryFor(event, clue);
  const { leads, targets } = found(index, query);
  return targets.map((target) => ({ ...target, evidence: evidenceFor(target.candidate, leads, index, query) }));
}

/**
 * Returns the kinds of evidence by which an event leads to a note, however little they are worth. If the clue speaks of
 * something else than the task, only a link or a number counts.
 */
export function findEvidence(
  index: TargetIndex,
  event: StreamEvent,
  clue: Clue,
  note: TargetCandidate,
): readonly TargetEvidence[] {
  const query = queryFor(event, clue);
  const evidence = evidenceFor(note, found(index, query).leads, index, query);
  const isMisfit = note.kind === 'task' && misfitOf(note, query, index) < 1;
  return isMisfit ? evidence.filter((kind) => kind === 'link' || kind === 'reference') : evidence;
}

/** Does the same as `rankTargets` without saying by which evidence, which takes as long again: most mails are about nothing. */
function scoreTargets(index: TargetIndex, event: StreamEvent): readonly ScoredTarget[] {
  return found(index, queryFor(event, null)).targets;
}

function found(index: TargetIndex, query: TargetQuery) {
  const matches = directMatches(index, query);
  const direct = directTargets(index, query, matches);
  const isFound = direct.some(({ score }) => score >= TARGET_FLOOR);
  const bySearch = isFound ? [] : [...searched(index, query), ...searchedBoxes(index, query)];
  const leads = { matches, searched: new Set(bySearch.map(({ candidate }) => candidate.path)) };
  return { leads, targets: reranked(bestPerNote([...direct, ...bySearch]), query.clue) };
}

function directTargets(
  index: TargetIndex,
  query: TargetQuery,
  matches: ReadonlyMap<string, DirectMatch>,
): ScoredTarget[] {
  const isSomebodys = [...matches.values()].some(({ sender }) => sender === 'exact');
  return [...matches].flatMap(([path, match]) => {
    const candidate = index.get(path);
    if (candidate === null) return [];
    const matter = candidate.matterPath === null ? undefined : matches.get(candidate.matterPath);
    const stray = isSomebodys && isStray(match, matter) ? SCORE.strayWord : 1;
    const { score, leads } = strengthOf(match, matter);
    const strength = { candidate, score: score * stray, leads };
    // A link or the number in a form is the note itself; a sentence with a number may report another deed.
    const isNamed = match.link > 0 || match.reference?.isOfForm === true;
    const self = isNamed ? strength : withPenalties(index, strength, query);
    return candidate.kind === 'matter' ? [self, ...tasksUnder(index, self, query, match)] : [self];
  });
}

/** A single word of a note without a tie to the sender is in many mails: "invoice". */
function isStray(match: DirectMatch, matter: DirectMatch | undefined): boolean {
  const { link, sender, phrase } = match;
  const isNamed = link > 0 || isNumbered(match);
  return !isNamed && sender === null && (matter?.sender ?? null) === null && phrase?.words === 1;
}

function tasksUnder(index: TargetIndex, matter: ScoredTarget, query: TargetQuery, match: DirectMatch): ScoredTarget[] {
  const open = index.openTasksOf(matter.candidate.path);
  const isOnly =
    open.length === 1 &&
    match.sender === 'exact' &&
    match.link === 0 &&
    isOfTask(matter, query) &&
    boxIn(matter.candidate, query) === null;
  return open.flatMap((task) => {
    const { share, shown } = coverageOf(task, query);
    if (share === 0) return isOnly ? [onlyTask(index, task, query)] : [];
    const reach = Math.min(SCORE.coverageCap, matter.score + SCORE.coverageGain);
    const score = reach * (SCORE.leastReach + (1 - SCORE.leastReach) * share);
    const leads = { ...ofMatter(matter.leads), stems: shown };
    const named = withPenalties(index, { candidate: task, score, leads }, query);
    // Who writes to somebody with one task need not say all of its name.
    const alone = isOnly && query.event.sourceType === SENT ? onlyTask(index, task, query) : named;
    return [alone.score > named.score ? alone : named];
  });
}

function isOfTask({ candidate }: ScoredTarget, { clue }: TargetQuery): boolean {
  return clue !== null && clue.class !== null && !sentenceEndsMatter(clue.sentence, candidate);
}

/** A sender who is linked to only one open task means that task, unless the mail names another. */
function onlyTask(index: TargetIndex, task: TargetCandidate, query: TargetQuery): ScoredTarget {
  const score = asksForIt(task, query) ? SCORE.onlyTaskAsked : SCORE.onlyTask;
  return withPenalties(
    index,
    { candidate: task, score, leads: byNouns('the sender, with this task alone open,') },
    query,
  );
}

/** Lowers a task that the sentence does not speak of. */
function withPenalties(index: TargetIndex, target: ScoredTarget, query: TargetQuery): ScoredTarget {
  if (target.candidate.kind === 'matter') return target;
  return { ...target, score: target.score * misfitOf(target.candidate, query, index) };
}

function searched(index: TargetIndex, query: TargetQuery): ScoredTarget[] {
  const { event, clue } = query;
  const hits = index.search(`${event.subject} ${clue?.sentence ?? ''} ${event.text.slice(0, MAX_SEARCH_TEXT)}`);
  return hits.flatMap(({ path, share }) => {
    const candidate = index.get(path);
    if (candidate === null) return [];
    const isOneWord = tellingWords(candidate.name).length < 2;
    const cap = isOneWord ? SCORE.searchCapForOneWord : SCORE.searchCap;
    return [withPenalties(index, { candidate, score: share() * cap, leads: byNouns('words in common') }, query)];
  });
}

/** A line of a note that an event is about, with how much of it the event has. */
interface BoxMatch extends Coverage {
  readonly line: string;
}

/** This share of a line must be said, since it has no sender of its own; less if no verb is known. */
const BOX_SHARE = 0.75;
const BOX_SHARE_WITH_VERB = 0.6;
const LEAST_BOX_WORDS = 2;
const MOST_BOX_MATTERS = 20;

/** Returns the open checkbox in the note of a matter that an event is about: the one of which it has most, if that is nearly all. */
function boxIn({ kind, boxes }: TargetCandidate, query: TargetQuery): BoxMatch | null {
  if (kind === 'task' || boxes === undefined) return null;
  const least = query.verbs.size === 0 ? BOX_SHARE_WITH_VERB : BOX_SHARE;
  const found = boxes.split('\n').flatMap((line) => {
    const words = tellingWords(line);
    const coverage = coverageBy(words, query);
    return words.length >= LEAST_BOX_WORDS && coverage.share >= least ? [{ ...coverage, line }] : [];
  });
  return found.toSorted((one, other) => other.share - one.share)[0] ?? null;
}

/** Returns the line of a matter's note that an event is about; empty if it isn't about a line. */
export function lineMeant(event: StreamEvent, clue: Clue | null, note: TargetCandidate): Pick<TargetChoice, 'line'> {
  const box = note.boxes === undefined ? null : boxIn(note, queryFor(event, clue));
  return box === null ? {} : { line: box.line };
}

function searchedBoxes(index: TargetIndex, query: TargetQuery): ScoredTarget[] {
  return index.mattersByBoxes(query.weights.keys()).flatMap((candidate) => {
    const box = boxIn(candidate, query);
    if (box === null) return [];
    return [{ candidate, score: box.share * SCORE.searchCap, leads: { nouns: [], stems: box.shown } }];
  });
}

function bestPerNote(targets: readonly ScoredTarget[]): ScoredTarget[] {
  const byPath = new Map<string, ScoredTarget>();
  for (const target of targets) {
    const known = byPath.get(target.candidate.path);
    if (known === undefined || target.score > known.score) byPath.set(target.candidate.path, target);
  }
  return [...byPath.values()];
}

/** Drops each matter that has a task standing out, and caps the matters that would be closed by this one mail. */
function reranked(ranked: readonly ScoredTarget[], clue: Clue | null): ScoredTarget[] {
  const left = ranked.filter(
    (target) => target.candidate.kind === 'task' || !ranked.some((task) => outranks(task, target, clue)),
  );
  const capped = clue?.class === 'state_change' ? left.map((target) => cappedMatter(target, clue)) : left;
  return capped.toSorted(
    (one, other) => other.score - one.score || (one.candidate.path < other.candidate.path ? -1 : 1),
  );
}

// Only a sentence that says the affair itself has ended means the matter, and no task of it.
function cappedMatter(target: ScoredTarget, { sentence }: Clue): ScoredTarget {
  if (target.candidate.kind === 'task' || target.score <= SCORE.matterChangeCap) return target;
  if (sentenceEndsMatter(sentence, target.candidate)) return target;
  return { ...target, score: SCORE.matterChangeCap };
}

function outranks(task: ScoredTarget, matter: ScoredTarget, clue: Clue | null): boolean {
  if (task.candidate.kind !== 'task' || task.candidate.matterPath !== matter.candidate.path) return false;
  const changes = clue !== null && clue.class !== null;
  return changes ? task.score >= TASK_STANDS_OUT : task.score >= matter.score - AMBIGUITY_BAND;
}

/**
 * Below this score a note shares no more than a word with the event, which notes do with any event. Measured on the mails
 * of test/eval, without senders: 134 of the 137 notes that are meant score higher. When the part of the vault that a mail
 * is about is left out, some other note still scores higher for 90 of the 320 mails.
 */
const CANDIDATE_FLOOR = 0.4;
const MAX_WHY = 200;

/** Returns the notes that the event itself leads to, best first; empty if no note fits. */
export function likelyTargets(index: TargetIndex, event: StreamEvent): readonly ScoredTarget[] {
  return scoreTargets(index, event).filter(isCandidate);
}

/** Returns whether there is any such note. */
export function hasCandidates(index: TargetIndex, event: StreamEvent): boolean {
  return scoreTargets(index, event).some(isCandidate);
}

function isCandidate({ score }: ScoredTarget): boolean {
  return score >= CANDIDATE_FLOOR;
}

/** Returns a note as it is offered to a model. `leads`: the evidence for it; null if there isn't any. */
export function describeCandidate(
  index: TargetIndex,
  candidate: TargetCandidate,
  leads: Leads | null,
  event: StreamEvent,
): CandidateNote {
  const { kind, path, name, matterPath, state, summary, due } = candidate;
  const matter = matterPath === null ? null : (index.get(matterPath)?.name ?? null);
  const why = leads === null ? '' : oneLine(leadPhrase(findLeads(leads, event)), MAX_WHY);
  return { kind, path, name, matter, state, due: due ?? null, summary, why };
}

/** An event as words to search for. All words are folded and stemmed. */
interface TargetQuery {
  readonly event: StreamEvent;
  readonly clue: Clue | null;
  readonly sentence: readonly string[];
  readonly subject: readonly string[];
  readonly text: readonly string[];
  /** How much each word counts, 0–1. */
  readonly weights: ReadonlyMap<string, number>;
  readonly verbs: ReadonlySet<string>;
  readonly otherVerbs: ReadonlySet<string>;
}

/** How much a word counts, by where it is: in the clue's sentence, the subject, or elsewhere. */
const WORD_WEIGHT = { sentence: 1, subject: 0.95, elsewhere: 0.4 } as const;

/** Returns the query for an event. Without a clue, the whole text counts as its sentence. */
function queryFor(event: StreamEvent, clue: Clue | null): TargetQuery {
  const sentence = stemmedWords(clue?.sentence ?? event.text);
  const subject = event.spoken === undefined ? stemmedWords(event.subject) : [];
  // The name of a chat room only says what it is mostly about.
  const text = stemmedWords(event.spoken?.room === undefined ? event.text : `${event.spoken.room ?? ''} ${event.text}`);
  const weights = new Map<string, number>();
  for (const word of text) weights.set(word, WORD_WEIGHT.elsewhere);
  for (const word of subject) weights.set(word, WORD_WEIGHT.subject);
  for (const word of sentence) weights.set(word, WORD_WEIGHT.sentence);
  return {
    event,
    clue,
    sentence,
    subject,
    text,
    weights,
    verbs: new Set(clue?.verbs.map(stem)),
    otherVerbs: new Set(clue?.otherVerbs.map(stem)),
  };
}

interface DirectMatch {
  /** The score of the best link to the note; 0 without one. */
  link: number;
  /** Whether the author's own words have a link that can mean no other note. */
  isLinkedAlone: boolean;
  sender: 'exact' | 'domain' | null;
  /** A number, code or IBAN that leads to no other open note, and how near to the clue it is; null without one. */
  reference: { readonly code: string; readonly weight: number; readonly isOfForm: boolean } | null;
  /** The event names a sum of money that no other open task does. */
  hasAmount: boolean;
  /** The best name or keyword: its score, how near to the clue it is, which of the two it is, and how long. */
  phrase: { score: number; weight: number; kind: string; words: number } | null;
  /** Which of the note's phrases the event has. */
  readonly phrases: Set<'name' | 'keyword'>;
}

/** How strongly a match points to its note, 0–1, and what leads there. */
interface MatchStrength {
  readonly score: number;
  readonly leads: Leads;
}

/** How much a phrase counts, by where it is: in the clue's sentence, the subject, or elsewhere. */
const PHRASE_WEIGHT = { sentence: 1, subject: 0.98, elsewhere: 0.88 } as const;

/** Returns the notes that the event links to, that its sender belongs to, or that it names, by path. */
function directMatches(index: TargetIndex, query: TargetQuery): ReadonlyMap<string, DirectMatch> {
  const matches = new Map<string, DirectMatch>();
  addLinks(index, query, matches);
  for (const { path, exact } of listCorrespondents(query.event).flatMap((address) => index.bySender(address))) {
    const match = matchOf(matches, path);
    if (match.sender !== 'exact') match.sender = exact ? 'exact' : 'domain';
  }
  addReferences(index, query, matches);
  for (const path of tasksByAmount(index, `${ownSubject(query.event)}\n${query.event.text}`))
    matchOf(matches, path).hasAmount = true;
  addPhrases(index, query.sentence, PHRASE_WEIGHT.sentence, matches);
  addPhrases(index, query.subject, PHRASE_WEIGHT.subject, matches);
  addPhrases(index, query.text, PHRASE_WEIGHT.elsewhere, matches);
  return matches;
}

/** So many recipients of a mail that the user sent are looked up. */
const MAX_RECIPIENTS = 10;

/** Returns with whom the user deals in an event: who sent it, or to whom the user did. */
export function listCorrespondents({ from, to, sourceType }: StreamEvent): readonly string[] {
  return sourceType === SENT ? to.slice(0, MAX_RECIPIENTS) : [from ?? ''];
}

function addReferences(index: TargetIndex, { event, clue }: TargetQuery, matches: Map<string, DirectMatch>): void {
  const add = (codes: Iterable<string>, weight: number, isOfForm = false) => {
    for (const code of codes) {
      const path = index.byReference(code);
      if (path !== null) matchOf(matches, path).reference ??= { code, weight, isOfForm };
    }
  };
  add(clue?.references ?? [], PHRASE_WEIGHT.sentence, true);
  add(referencesWritten(clue?.sentence ?? event.text), PHRASE_WEIGHT.sentence);
  add(referencesWritten(ownSubject(event)), PHRASE_WEIGHT.subject);
  // A number elsewhere is evidence for a note that is found by something else, but doesn't find one by itself.
  add(referencesWritten(event.text), 0);
}

/** Returns the open tasks that name a sum of money in a text which no other open task names. */
function tasksByAmount(index: TargetIndex, text: string): readonly string[] {
  return findAmounts(text).flatMap((money) => {
    const having = index.payments
      .having('sum', String(money.thousandths))
      .filter(({ note: { kind }, isOpen }) => kind === 'task' && isOpen)
      .filter(({ clues }) =>
        clues.amounts.some((one) => one.thousandths === money.thousandths && sameCurrency(one, money)),
      );
    const [only, another] = having;
    return only === undefined || another !== undefined ? [] : [only.note.path];
  });
}

/** Returns how strong a match is. A task with a name, keyword or sum also counts its matter's sender. */
function strengthOf(own: DirectMatch, matter: DirectMatch | undefined): MatchStrength {
  if (own.link > 0) return { score: own.link, leads: byNouns('a link') };
  if (isNumbered(own)) return strengthOfReference(own.reference, own.sender ?? matter?.sender ?? null);
  const { phrase, hasAmount } = own;
  const sender = own.sender ?? (phrase === null && !hasAmount ? null : (matter?.sender ?? null));
  if (phrase === null && hasAmount) return strengthOfAmount(sender);
  if (sender === null) return { score: phrase?.score ?? 0, leads: byNouns(`the ${phrase?.kind ?? 'name'}`) };
  const isExact = sender === 'exact';
  const who = isExact ? 'the sender' : "the sender's domain";
  if (phrase === null) return { score: isExact ? SCORE.sender : SCORE.domain, leads: byNouns(who) };
  const both = isExact ? SCORE.senderAndPhrase : SCORE.domainAndPhrase;
  // A name far from the clue passes half of its doubt on to the pair.
  return { score: both * (0.5 + 0.5 * phrase.weight), leads: byNouns(who, `the ${phrase.kind}`) };
}

function isNumbered(match: DirectMatch): match is DirectMatch & { reference: NonNullable<DirectMatch['reference']> } {
  return match.reference !== null && match.reference.weight > 0;
}

function strengthOfReference({ code, weight }: NonNullable<DirectMatch['reference']>, sender: DirectMatch['sender']) {
  const whole = sender === null ? SCORE.sender : SCORE.senderAndPhrase;
  // A number far from the clue passes half of its doubt on.
  return { score: whole * (0.5 + 0.5 * weight), leads: byNouns(`the number ${code}`) };
}

// For a sender who belongs to a matter, the sum means the task that alone names it; from others, it may be the sum of
// anything.
function strengthOfAmount(sender: DirectMatch['sender']): MatchStrength {
  if (sender === null) return { score: SCORE.amount, leads: byNouns('the amount') };
  const isExact = sender === 'exact';
  const who = isExact ? 'the sender' : "the sender's domain";
  return { score: isExact ? SCORE.senderAndAmount : SCORE.domain, leads: byNouns(who, 'the amount') };
}

function matchOf(matches: Map<string, DirectMatch>, path: string): DirectMatch {
  const known = matches.get(path);
  if (known !== undefined) return known;
  const fresh: DirectMatch = {
    ...{ link: 0, isLinkedAlone: false, sender: null, reference: null, hasAmount: false },
    ...{ phrase: null, phrases: new Set() },
  };
  matches.set(path, fresh);
  return fresh;
}

function addLinks(index: TargetIndex, { event, clue }: TargetQuery, matches: Map<string, DirectMatch>): void {
  const own = [...findLinks(event.subject), ...findLinks(event.text)].map((link) => link.target);
  const near = new Set(findLinks(clue?.sentence ?? '').map((link) => foldedTarget(link.target)));
  for (const target of own) {
    const isElsewhere = near.size > 0 && !near.has(foldedTarget(plainView(target)));
    addLink(index, target, isElsewhere ? SCORE.linkElsewhere : SCORE.link, matches);
  }
  for (const { target } of own.length > 0 ? [] : findLinks(event.quoted))
    addLink(index, target, SCORE.linkInHistory, matches);
  // A link in the subject of a reply is as old as the mail that is answered.
  for (const { target } of [...findLinks(ownSubject(event)), ...findLinks(event.text)]) {
    const [only, another] = index.byLink(target);
    if (only !== undefined && another === undefined) matchOf(matches, only).isLinkedAlone = true;
  }
}

function addLink(index: TargetIndex, target: string, score: number, matches: Map<string, DirectMatch>): void {
  for (const path of index.byLink(target)) {
    const match = matchOf(matches, path);
    match.link = Math.max(match.link, score);
  }
}

function addPhrases(
  index: TargetIndex,
  words: readonly string[],
  weight: number,
  matches: Map<string, DirectMatch>,
): void {
  for (const hit of index.phrasesIn(words)) {
    const score = SCORE[hit.kind][hit.words > 1 ? 1 : 0] * weight;
    const match = matchOf(matches, hit.path);
    match.phrases.add(hit.kind);
    if (score > (match.phrase?.score ?? 0)) match.phrase = { score, weight, kind: hit.kind, words: hit.words };
  }
}

/** How much of a name an event has. */
interface Coverage {
  /** The share of the name's own words, weighted, 0–1; 0 where it is too little to count. */
  readonly share: number;
  /** The words of the name that the event has. */
  readonly shown: readonly string[];
}

const MIN_COVERAGE = 0.5;

/**
 * Returns how much of a task's name, or of its best alias, an event has. The task's verb counts as said when the clue says
 * that it was done: "paid" covers "pay". A verb alone does not tell tasks apart, so the share is only of the other words.
 */
function coverageOf(task: TargetCandidate, query: TargetQuery): Coverage {
  const coverages = [task.name, ...task.aliases].map((name) => coverageBy(tellingWords(name), query));
  return coverages.reduce((one, other) => (other.share > one.share ? other : one));
}

function coverageBy(words: readonly string[], { verbs, weights }: TargetQuery): Coverage {
  const own = words.filter((word) => !verbs.has(word));
  const said = own.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  const isEnough = said > 0 && said + words.length - own.length >= words.length * MIN_COVERAGE;
  return { share: isEnough ? said / own.length : 0, shown: words.filter((word) => weights.has(word)) };
}

interface Leads {
  /** As a person says them: `the sender`, `the name`. */
  readonly nouns: readonly string[];
  /** The words that both have, folded and stemmed. */
  readonly stems: readonly string[];
}

/** Returns leads that are no words in common. */
export function byNouns(...nouns: readonly string[]): Leads {
  return { nouns, stems: [] };
}

/** Returns what leads to a matter, said of one of its tasks. */
export function ofMatter({ nouns, stems }: Leads): Leads {
  return { nouns: nouns.map((noun) => noun.replace(/^(?:the (name|keyword)|a link)$/, wordsOfMatter)), stems };
}

function wordsOfMatter(noun: string, what?: string): string {
  return what === undefined ? `${noun} to the matter` : `the matter's ${what}`;
}

/** Returns what leads to a note, with the words as the event writes them. */
export function findLeads({ nouns: found, stems }: Leads, { subject, text, spoken, sourceType }: StreamEvent) {
  const nouns = sourceType === SENT ? found.map((noun) => noun.replace('the sender', 'the recipient')) : found;
  return { nouns, words: stems.length === 0 ? [] : asWritten(stems, `${subject} ${spoken?.room ?? ''} ${text}`) };
}

interface LeadsEvidence {
  readonly matches: ReadonlyMap<string, DirectMatch>;
  /** The notes to which the search by words leads. */
  readonly searched: ReadonlySet<string>;
}

/**
 * Returns the kinds of evidence by which an event leads to a note. A matter's sender speaks for its tasks as well, and its
 * name or keyword for a task of which the event has words that are not the matter's.
 */
function evidenceFor(
  note: TargetCandidate,
  { matches, searched }: LeadsEvidence,
  index: TargetIndex,
  query: TargetQuery,
): readonly TargetEvidence[] {
  const own = matches.get(note.path);
  const matter = note.matterPath === null ? undefined : matches.get(note.matterPath);
  const found = new Set<TargetEvidence>(own?.phrases);
  if (own?.isLinkedAlone === true) found.add('link');
  if ((own?.reference ?? null) !== null) found.add('reference');
  const { share, shown } = coverageOf(note, query);
  // The words of a name that the event has as a whole are not counted again one by one.
  if (found.size === 0 && (share > 0 || searched.has(note.path))) found.add('words');
  if (found.size > 0 && hasOwnWord(shown, note, index)) for (const kind of matter?.phrases ?? []) found.add(kind);
  if ((own?.sender ?? matter?.sender ?? null) !== null) found.add('sender');
  if (own?.hasAmount === true) found.add('amount');
  return TARGET_EVIDENCE.filter((kind) => found.has(kind));
}

function hasOwnWord(shown: readonly string[], { matterPath }: TargetCandidate, index: TargetIndex): boolean {
  const matter = matterPath === null ? null : index.get(matterPath);
  if (matter === null) return false;
  const shared = calledBy(matter);
  return shown.some((word) => !shared.has(word));
}

const SEVERAL_MARKS = /[&;+,]| \/ /u;

/**
 * Returns whether a note is in the passage of a finding, or the event's sender belongs to that note alone. The passage
 * is the finding's sentence. It includes the sentence before and the subject, if they name all that the finding's
 * sentence names. "It has been paid" rests on the text before it, "Invoice 114 is paid" does not.
 */
export function isBeside(note: TargetCandidate, event: StreamEvent, clue: Clue, index: TargetIndex): boolean {
  if (event.sourceType !== SENT && senderBelongsTo(note, event.from ?? '', index)) return true;
  return isShownIn(passageOf(event, shownSentence(clue.sentence), note), note, event, clue, index);
}

/** Every note that lists the sender is the note itself; the matter of which it is the only open task; or one of its tasks. */
function senderBelongsTo(note: TargetCandidate, sender: string, index: TargetIndex): boolean {
  const listing = index.listing(sender).map(({ path }) => path);
  const open = note.matterPath === null ? [] : index.openTasksOf(note.matterPath);
  const isOnly = open.length === 1 && open[0]?.path === note.path;
  const own = new Set([note.path, ...(isOnly ? [note.matterPath] : []), ...index.under(note.path)]);
  return listing.length > 0 && listing.every((path) => own.has(path));
}

function passageOf(event: StreamEvent, sentence: string, note: TargetCandidate): string {
  const things = findThings(sentence).filter((word) => !calledBy(note).has(word));
  const before = sentencesBefore(event, sentence);
  const [last] = before;
  const goesBack = last !== undefined && namesAll(last, things) && !namesSeveral(last);
  // A sentence without names speaks of what the paragraph has named so far, if that is anything.
  const sinceSubject =
    things.length > 0 ? things : before.flatMap(findThings).filter((word) => !calledBy(note).has(word));
  const isOfSubject = namesAll(event.subject, sinceSubject) && !namesSeveral(event.subject);
  return [sentence, ...(goesBack ? [last] : []), ...(isOfSubject ? [event.subject] : [])].join('\n');
}

function namesAll(text: string, things: readonly string[]): boolean {
  const words = new Set(stemmedWords(text));
  return things.every((thing) => words.has(thing));
}

function namesSeveral(text: string): boolean {
  const said = withoutSalutation(text);
  return known().several.test(said) || SEVERAL_MARKS.test(said);
}

function isShownIn(
  passage: string,
  note: TargetCandidate,
  { subject, text }: StreamEvent,
  clue: Clue,
  index: TargetIndex,
): boolean {
  const words = stemmedWords(passage);
  if (findLinks(passage).some(({ target }) => isAlone(index.byLink(target), note))) return true;
  if ([...referencesWritten(passage)].some((code) => index.byReference(code) === note.path)) return true;
  if (tasksByAmount(index, passage).includes(note.path)) return true;
  if (index.phrasesIn(words).some(({ path }) => path === note.path)) return true;
  // Words in common: of those that the mail has, none stands only elsewhere, where it may be about another thing.
  const verbs = new Set(stemmedWords(clue.verbs.join(' ')));
  const shown = new Set(stemmedWords(`${subject} ${text}`));
  const common = [...calledBy(note)].filter((word) => shown.has(word) && !verbs.has(word));
  return common.length > 0 && common.every((word) => words.includes(word));
}

function isAlone(paths: readonly string[], { path }: TargetCandidate): boolean {
  return paths.length === 1 && paths[0] === path;
}

/** "For 2024" is said of many things in 2025; what was done two years ago is no news. */
const OLD_YEARS = 2;

/** Returns the factor for a task's score because the sentence speaks of something else: 1 without a sign of that. */
function misfitOf(task: TargetCandidate, query: TargetQuery, index: TargetIndex): number {
  const misfits: readonly (readonly [boolean, number])[] = [
    [asksForOther(task, query), SCORE.otherDeed],
    [query.clue?.onlyAsked === true && !asksForIt(task, query), SCORE.otherDeed],
    [hasOtherNumber(task, query), SCORE.otherNumber],
    [isLongAgo(task, query), SCORE.longAgo],
    [isPaymentGivenBack(task, query), SCORE.otherDeed],
    [isOfOtherThing(task, query, index), SCORE.otherThing],
  ];
  return misfits.reduce((factor, [isMisfit, each]) => (isMisfit ? factor * each : factor), 1);
}

/** The task asks for something else than what was done. */
function asksForOther(task: TargetCandidate, query: TargetQuery): boolean {
  return tellingWords(task.name).some((word) => query.otherVerbs.has(word)) && !asksForIt(task, query);
}

/** Returns whether a task's name has a verb of what the clue says was done. */
function asksForIt({ name }: TargetCandidate, { verbs }: TargetQuery): boolean {
  return tellingWords(name).some((word) => verbs.has(word));
}

function hasOtherNumber({ name }: TargetCandidate, { sentence, subject }: TargetQuery): boolean {
  const own = stemmedWords(name).filter(isTellingNumber);
  const isMissing = own.some((word) => !sentence.includes(word) && !subject.includes(word));
  return isMissing && sentence.some((word) => isTellingNumber(word) && !own.includes(word));
}

/** Matches years, invoice numbers and the like; days and hours have fewer digits. */
function isTellingNumber(word: string): boolean {
  return /^\d{3,}$/.test(word);
}

/** "Kaution haben wir 2019 erhalten" is no news, unless the task itself is of that year. */
function isLongAgo(task: TargetCandidate, { event, clue, sentence }: TargetQuery): boolean {
  if (clue?.class !== 'state_change' || event.originAt === null) return false;
  const written = Number(event.originAt.slice(0, 4));
  const years = sentence.filter((word) => /^(?:19|20)\d\d$/.test(word)).map(Number);
  const latest = Math.max(...years);
  return years.length > 0 && latest <= written - OLD_YEARS && !calledBy(task).has(String(latest));
}

/** A payment comes back, so it neither is to be paid any more, nor was called off. */
function isPaymentGivenBack({ name }: TargetCandidate, { event, clue }: TargetQuery): boolean {
  if (clue?.class !== 'state_change' || classifyDeed(name) !== 'out') return false;
  return known().moneyBack.test(clue.sentence) || known().moneyBack.test(event.subject);
}

/**
 * The sentence names something, and neither it nor the subject has any word of the task or its matter. The words that
 * the mail shares with the task are about something else.
 */
function isOfOtherThing(task: TargetCandidate, query: TargetQuery, index: TargetIndex): boolean {
  const { clue, event } = query;
  // A task with senders of its own is found by them: an invitation need not repeat its name.
  if (clue === null || clue.class === null || (clue.class === 'context_edit' && task.senders.length > 0)) return false;
  // The number of the task is the thing that the sentence names.
  if ([...referencesWritten(clue.sentence)].some((code) => index.byReference(code) === task.path)) return false;
  const own = wordsOfItsOwn(task, query, index);
  const words = new Set(stemmedWords(`${clue.sentence} ${ownSubject(event)}`));
  if (isOfMachine(`${clue.sentence} ${ownSubject(event)}`, own)) return true;
  if (own.length === 0 || own.some((word) => words.has(word))) return false;
  const sender = new Set(stemmedWords(`${event.from ?? ''} ${event.fromName ?? ''}`));
  return findThings(clue.sentence).some((word) => !known().generic.has(word) && !sender.has(word) && !/\d/.test(word));
}

function wordsOfItsOwn(task: TargetCandidate, { verbs }: TargetQuery, index: TargetIndex): readonly string[] {
  const matter = task.matterPath === null ? null : index.get(task.matterPath);
  const called = [...new Set([...calledBy(task), ...(matter === null ? [] : calledBy(matter))])];
  const own = called.filter((word) => !known().generic.has(word) && !verbs.has(word));
  const named = tellingWords(task.name).filter((word) => !verbs.has(word));
  return named.every((word) => known().generic.has(word)) ? [...own, ...named] : own;
}

function isOfMachine(said: string, own: readonly string[]): boolean {
  const machine = (said.match(known().ofAMachine) ?? []).flatMap(stemmedWords);
  return machine.length > 0 && !machine.some((word) => own.includes(word));
}

/** Returns the words by which a note can be called. */
function calledBy({ name, aliases, keywords }: TargetCandidate): ReadonlySet<string> {
  return new Set([name, ...aliases, ...keywords].flatMap(tellingWords));
}

type EndingWords = Pick<RuleFinding, 'phraseId' | 'words' | 'sentence' | 'rawConfidence'>;

/** A doubt in the sentence lowers a finding below this, a denial to 0. */
const SURE = 0.8;
const CLAUSES = /,(?!\d)|[;()]| [-–—] /u;

/**
 * Returns whether a finding says that a matter itself has ended: its clause has only the matter's name, alias or
 * keyword, words for such affairs, and small words. In "the survey for 14 Alder Lane is complete" something else is.
 */
export function endsMatter(finding: EndingWords, matter: TargetCandidate): boolean {
  const { sentence, words, rawConfidence } = finding;
  if (matter.kind !== 'matter' || rawConfidence < SURE || known().exception.test(sentence)) return false;
  if (known().endsIt.get(phraseTopic(finding))?.test(words) !== true) return false;
  const clauses = [sentence, ...sentence.split(CLAUSES)].filter((clause) => clause.search(known().ends) >= 0);
  return clauses.some(
    (clause) => isOnly(matter, clause) && !(known().contracts.test(clause) && known().made.test(words)),
  );
}

/** Returns whether one sentence, read by the phrase table, says that a matter itself has ended. */
export function sentenceEndsMatter(sentence: string, matter: TargetCandidate): boolean {
  const findings = splitPassages(sentence, false).flatMap((passage) => [
    ...findStates(passage),
    ...findEndings(passage),
  ]);
  return findings.some((finding) => endsMatter(finding, matter));
}

function isOnly(matter: TargetCandidate, clause: string): boolean {
  const said = clause.replace(known().ends, ' ');
  const words = new Set(stemmedWords(said));
  const named = namesForWhole(matter, said).filter((name) => name.every((word) => words.has(word)));
  const own = new Set(named.flat());
  return named.length > 0 && namingWords(said.replace(known().affairs, ' ')).every((word) => own.has(word));
}

/**
 * A keyword may name a part of the matter, so it needs a number, as in "case 2231", or a word for the whole next to it.
 */
function namesForWhole({ name, aliases, keywords }: TargetCandidate, clause: string): (readonly string[])[] {
  const wholes = (clause.match(known().affairs) ?? []).flatMap(tellingWords);
  const ofKeywords = keywords.flatMap((keyword) => {
    const words = tellingWords(keyword);
    if (/\d{3}/.test(keyword)) return [tellingWords(keyword.replace(known().affairs, ' '))];
    return wholes.some((whole) => !words.includes(whole)) ? [words] : [];
  });
  return [...[name, ...aliases].map(tellingWords), ...ofKeywords].filter((words) => words.length > 0);
}

/** Returns whether a date of a note says the same as one of a calendar: to the minute where both have a time. */
export function isSameDate(written: string, start: string): boolean {
  const length = written.length > 10 && start.length > 10 ? 16 : 10;
  return written.replace(' ', 'T').slice(0, length) === start.slice(0, length);
}

/** Returns the `due` that a task gets by an appointment: with a time only if it had one before. */
export function dueBy(task: TargetCandidate, start: string): string {
  return (task.due ?? '').length > 10 && start.length > 10 ? `${start}:00` : start.slice(0, 10);
}

/** Returns whether an appointment has passed. `now`: local, to the minute. A day has passed when it is over. */
export function hasPassed(
  { start, end }: { readonly start: string; readonly end: string | null },
  now: string,
): boolean {
  const last = end ?? start;
  return last < now.slice(0, last.length);
}

/**
 * Returns whether a day in a mail leaves a task as it is. The task has that day already, or a form only says when
 * something takes place and the task has a day of its own.
 */
export function isOldNews({ phraseId, set }: RuleFinding, { due, scheduled }: TargetCandidate): boolean {
  const own = due ?? scheduled ?? null;
  if (set.due === undefined || own === null) return false;
  return phraseId === 'form: date: when' || isSameDate(own, set.due);
}

const known = lazily(() => {
  const ended = ENDINGS.map(({ name }) =>
    patternOfAll(({ topics }) => topics[name].forms.map(({ words }) => words).join('|')),
  ).join('|');
  const whole = patternOfAll(({ affairs }) => affairs.ended);
  const contract = patternOfAll(({ affairs }) => affairs.contract);
  const endsWhole = spacedPattern(whole);
  const endsAny = spacedPattern(ended);
  return {
    ends: spacedPattern(`${whole}|${ended}`, 'giu'),
    /** By topic. */
    endsIt: new Map<string, RegExp>([
      ['completion', endsWhole],
      ['cancellation', endsWhole],
      ...ENDINGS.map(({ name }) => [name, endsAny] as const),
    ]),
    made: spacedPattern(patternOfAll(({ affairs }) => affairs.contractMade)),
    exception: spacedPattern(patternOfAll(({ affairs }) => affairs.excepted)),
    affairs: spacedPattern(`${patternOfAll(({ affairs }) => affairs.affair)}|${contract}`, 'giu'),
    contracts: spacedPattern(contract),
    /** The places at which a sentence or subject may go on to another thing. */
    several: wordPattern(patternOfAll(({ names }) => names.several)),
    moneyBack: spacedPattern(patternOfAll(({ cues }) => cues.moneyBack)),
    ofAMachine: spacedPattern(
      patternOfAll(({ cues }) => cues.machine),
      'giu',
    ),
    generic: new Set(wordsOfAll(({ names }) => names.generic).flatMap(stemmedWords)),
  };
});

/** A matter or task that a signal could be about. */
export interface TargetCandidate {
  readonly kind: 'task' | 'matter';
  /** Vault-relative, with `.md`. */
  readonly path: string;
  /** The file name without `.md`. */
  readonly name: string;
  /** The matter a task belongs to, by path. */
  readonly matterPath: string | null;
  readonly aliases: readonly string[];
  /** Addresses, or `@domain`. */
  readonly senders: readonly string[];
  readonly keywords: readonly string[];
  readonly summary: string;
  readonly state: string;
  /** A task's dates as in the note, null if unset; absent for a matter. */
  readonly due?: string | null;
  readonly scheduled?: string | null;
  /** The lines of its body with a number; absent if there aren't any. */
  readonly numbers?: string;
  /** The task's own fields about a payment; absent if it has no such fields. */
  readonly payment?: PaymentFields | null;
  /** The texts of the open checkboxes in the note of a matter, one on a line; absent if there aren't any. */
  readonly boxes?: string;
}

interface SearchHit {
  readonly path: string;
  /** Returns the share of what the note's own name would score: 1 where the text has all of it. It takes another search. */
  readonly share: () => number;
}

interface Document {
  readonly id: string;
  readonly name: string;
  readonly aliases: string;
  readonly keywords: string;
  readonly summary: string;
}

const [MAX_SEARCH_WORDS, MAX_SEARCH_HITS] = [60, 6];

/**
 * Everything a signal could be about, indexed for lookup. It is updated note by note; looking up a mail takes time
 * proportional to the mail, not to the vault.
 */
export class TargetIndex {
  readonly #candidates = new Map<string, TargetCandidate>();
  readonly #bySender = new Listing();
  /** The senders by what their addresses look like. */
  readonly #bySkeleton = new Listing();
  readonly #byName = new Listing();
  readonly #byMatter = new Listing();
  readonly #byReference = new Listing();
  /** The open matters by the words of their open checkboxes. */
  readonly #byBoxWord = new Listing();
  readonly #phrases = new PhraseIndex();
  /** What the own names of the notes score that were found last, as long as no note changes: it takes a search for each. */
  readonly #ownScores = new Map<string, number>();
  readonly #search = new MiniSearch<Document>({
    fields: ['name', 'aliases', 'keywords', 'summary'],
    tokenize: (text) => [...tellingWords(text)],
    processTerm: (term) => term,
    searchOptions: { boost: { name: 3, aliases: 3, keywords: 2 } },
    autoVacuum: false,
  });

  #payments: PaymentIndex | null = null;
  #revision = 0;
  #things: ThingIndex | null = null;
  #rankings = new WeakMap<StreamEvent, readonly RankedTarget[]>();

  /** Another number whenever a note is another. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#candidates.size;
  }

  /** The rankings of whole events, as long as no note changes: several readers ask for the same one. */
  get rankings(): WeakMap<StreamEvent, readonly RankedTarget[]> {
    return this.#rankings;
  }

  /** The payment data of the notes. Built when the first bank line is read, then kept up to date. */
  get payments(): PaymentIndex {
    if (this.#payments === null) {
      this.#payments = new PaymentIndex();
      for (const candidate of this.#candidates.values()) this.#payments.add(candidate);
    }
    return this.#payments;
  }

  /** Which open notes name which things. Put together when the first mail asks, then kept up to date. */
  get things(): ThingIndex {
    return this.#things ?? atOnce(this.prepareThings());
  }

  /** Puts them together, a note at a time. No note may be added meanwhile. */
  *prepareThings(): Generator<void, ThingIndex> {
    const things = new ThingIndex([]);
    for (const candidate of this.#candidates.values()) {
      if (!isOpen(candidate)) continue;
      things.add(candidate);
      yield;
    }
    this.#things ??= things;
    return this.#things;
  }

  /** Adds a note, or replaces the one known under its path. */
  add(candidate: TargetCandidate): void {
    this.remove(candidate.path);
    this.#candidates.set(candidate.path, candidate);
    this.#payments?.add(candidate);
    if (isOpen(candidate)) this.#things?.add(candidate);
    this.#forget();
    for (const sender of sendersOf(candidate)) {
      this.#bySender.add(sender, candidate.path);
      this.#bySkeleton.add(addressSkeleton(sender), sender);
    }
    for (const name of linkEnds(candidate)) this.#byName.add(name, candidate.path);
    if (candidate.matterPath !== null) this.#byMatter.add(candidate.matterPath, candidate.path);
    for (const reference of referencesKnown(candidate)) this.#byReference.add(reference, candidate.path);
    for (const [phrase, kind] of phrasesOf(candidate)) this.#phrases.add(phrase, { path: candidate.path, kind });
    // A finished note is found only by a link to it, never by its words.
    if (isOpen(candidate)) this.#search.add(documentOf(candidate));
    if (isOpen(candidate)) for (const word of boxWordsOf(candidate)) this.#byBoxWord.add(word, candidate.path);
  }

  /** Removes a note, if its path is known. */
  remove(path: string): void {
    const candidate = this.#candidates.get(path);
    if (candidate === undefined) return;
    this.#candidates.delete(path);
    this.#payments?.remove(path);
    this.#things?.remove(path);
    this.#forget();
    for (const sender of sendersOf(candidate)) {
      this.#bySender.remove(sender, path);
      if (!this.#bySender.has(sender)) this.#bySkeleton.remove(addressSkeleton(sender), sender);
    }
    for (const name of linkEnds(candidate)) this.#byName.remove(name, path);
    if (candidate.matterPath !== null) this.#byMatter.remove(candidate.matterPath, path);
    for (const reference of referencesKnown(candidate)) this.#byReference.remove(reference, path);
    for (const [phrase] of phrasesOf(candidate)) this.#phrases.remove(phrase, path);
    if (isOpen(candidate)) this.#search.remove(documentOf(candidate));
    if (isOpen(candidate)) for (const word of boxWordsOf(candidate)) this.#byBoxWord.remove(word, path);
  }

  /** Returns the note at a path, or null. */
  get(path: string): TargetCandidate | null {
    return this.#candidates.get(path) ?? null;
  }

  /** Returns whether any note lists this very address among its senders. A known domain is not enough. */
  knowsSender(address: string): boolean {
    return this.#bySender.has(plainSender(address));
  }

  /** Returns the sender or domain that notes list and that this address, which none lists, could be taken for, or null. */
  lookAlike(address: string): string | null {
    const folded = plainSender(address);
    if (this.#bySender.has(folded)) return null;
    const domain = folded.slice(Math.max(0, folded.lastIndexOf('@')));
    return this.#alike(folded) ?? (this.#bySender.has(domain) ? null : this.#alike(domain));
  }

  #alike(address: string): string | null {
    const skeletons = findNearSkeletons(this.#bySkeleton, address);
    return findLookAlike(
      address,
      skeletons.flatMap((skeleton) => this.#bySkeleton.get(skeleton)),
    );
  }

  /** Returns the open notes that list the address (`exact`), or only its domain. */
  bySender(address: string): readonly { path: string; exact: boolean }[] {
    return this.listing(address).filter(({ path }) => this.isOpen(path));
  }

  /** Returns the notes that list the address (`exact`), or only its domain, including finished notes. */
  listing(address: string): readonly { path: string; exact: boolean }[] {
    const folded = plainSender(address);
    const exact = this.#bySender.get(folded);
    const domain = folded.slice(folded.lastIndexOf('@'));
    const loose = this.#bySender.get(domain).filter((path) => !exact.includes(path));
    return [...exact.map((path) => ({ path, exact: true })), ...loose.map((path) => ({ path, exact: false }))];
  }

  /**
   * Returns the open note that alone is known by a number, code or IBAN: by its name, an alias, a keyword, a field, its
   * state or its body. If a task and its own matter have it, that is the task. Null if several others have it.
   */
  byReference(code: string): string | null {
    const open = this.#byReference.get(plainReference(code)).filter((path) => this.isOpen(path));
    const [only, another] = open.filter((path) => !open.some((other) => this.get(other)?.matterPath === path));
    return another === undefined ? (only ?? null) : null;
  }

  /** Returns the paths that a link can mean, including finished notes. More than one where the name is not unique. */
  byLink(target: string): readonly string[] {
    const folded = foldedTarget(target);
    return this.#byName.get(lastPart(folded)).filter((path) => {
      const candidate = this.#candidates.get(path);
      return candidate !== undefined && linkNames(candidate).includes(folded);
    });
  }

  /** Returns the paths of a matter's tasks, including finished ones. */
  under(matterPath: string): readonly string[] {
    return this.#byMatter.get(matterPath);
  }

  /** Returns a matter's tasks that are neither done nor archived. */
  openTasksOf(matterPath: string): readonly TargetCandidate[] {
    const tasks = this.#byMatter.get(matterPath).map((path) => this.#candidates.get(path));
    return tasks.filter(
      (task) => task !== undefined && task.kind === 'task' && isOpen(task),
    ) as readonly TargetCandidate[];
  }

  /**
   * Returns the names, aliases and keywords that a text has as whole phrases. A phrase within a longer one does not count:
   * "House insurance" does not name the matter "House".
   */
  phrasesIn(words: readonly string[]): readonly PhraseHit[] {
    return this.#phrases.in(words, (path) => this.isOpen(path));
  }

  /** Returns the open notes that share the most words with the text, best first, at most six. */
  search(text: string): readonly SearchHit[] {
    const query = tellingWords(text).slice(0, MAX_SEARCH_WORDS).join(' ');
    if (query === '') return [];
    // The words are already stemmed. Stemmed twice, they would no longer match those of the notes.
    const found = this.#search.search(query, { tokenize: (text) => text.split(' ') }).slice(0, MAX_SEARCH_HITS);
    return found.map(({ id, score }) => ({ path: String(id), share: () => this.#share(String(id), score) }));
  }

  /** Returns the open matters whose open checkboxes share the most words with an event, at most twenty. */
  mattersByBoxes(words: Iterable<string>): readonly TargetCandidate[] {
    if (this.#byBoxWord.size === 0) return [];
    const counts = new Map<string, number>();
    for (const word of words) {
      const paths = this.#byBoxWord.get(word);
      if (paths.length > TOO_MANY) continue;
      for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    return [...counts]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, MOST_BOX_MATTERS)
      .flatMap(([path]) => this.#candidates.get(path) ?? []);
  }

  #share(path: string, score: number): number {
    const own = this.#ownScores.get(path) ?? this.#ownScore(path);
    this.#ownScores.set(path, own);
    // MiniSearch multiplies the sum by the number of terms found, so the score grows with the square of the share.
    return own === 0 ? 0 : Math.min(1, Math.sqrt(score / own));
  }

  #ownScore(path: string): number {
    const name = this.#candidates.get(path)?.name ?? '';
    return this.#search.search(name, { filter: (result) => result.id === path })[0]?.score ?? 0;
  }

  // None of it holds once a note is another: a word counts by how many notes have it.
  #forget(): void {
    this.#revision += 1;
    this.#ownScores.clear();
    this.#rankings = new WeakMap();
  }

  /** Yields the tasks that are neither done nor archived. */
  *openTasks(): Generator<TargetCandidate> {
    for (const candidate of this.#candidates.values())
      if (candidate.kind === 'task' && isOpen(candidate)) yield candidate;
  }

  /** Returns whether there is a note at a path that is neither done nor archived. */
  isOpen(path: string): boolean {
    const candidate = this.#candidates.get(path);
    return candidate !== undefined && isOpen(candidate);
  }
}

/** Returns whether a note is neither done nor archived. An unknown state counts as open. */
function isOpen(candidate: TargetCandidate): boolean {
  const state = parseState(candidate.state);
  return state !== 'done' && state !== 'archived';
}

function sendersOf(candidate: TargetCandidate): readonly string[] {
  const senders = candidate.senders.map(plainSender).filter((sender) => /^[^\s@]*@[^\s@]+$/u.test(sender));
  return [...new Set(senders)];
}

/** Returns what a link can call a note: its name, an alias, its path, or any tail of its path. */
function linkNames(candidate: TargetCandidate): readonly string[] {
  const parts = foldedTarget(candidate.path).split('/');
  const tails = parts.map((_, index) => parts.slice(index).join('/'));
  return [...new Set([...tails, foldedTarget(candidate.name), ...candidate.aliases.map(foldedTarget)])];
}

/** The last parts of the names by which a link can call a note. */
function linkEnds(candidate: TargetCandidate): ReadonlySet<string> {
  return new Set(linkNames(candidate).map(lastPart));
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function phrasesOf(candidate: TargetCandidate): ReadonlyMap<string, PhraseKind> {
  const phrases = new Map<string, PhraseKind>();
  for (const keyword of candidate.keywords) phrases.set(phraseWords(keyword).join(' '), 'keyword');
  for (const name of [candidate.name, ...candidate.aliases]) phrases.set(phraseWords(name).join(' '), 'name');
  for (const phrase of [...phrases.keys()]) if (!isUsablePhrase(phrase)) phrases.delete(phrase);
  return phrases;
}

function boxWordsOf({ boxes }: TargetCandidate): ReadonlySet<string> {
  return new Set(boxes === undefined ? [] : tellingWords(boxes));
}

function documentOf(candidate: TargetCandidate): Document {
  const { path, name, summary } = candidate;
  return { id: path, name, aliases: candidate.aliases.join(' '), keywords: candidate.keywords.join(' '), summary };
}

type PhraseKind = 'name' | 'keyword';

/** A name or keyword of a note that a text contains. `at` and `words` count words. */
interface PhraseHit {
  readonly path: string;
  readonly kind: PhraseKind;
  readonly words: number;
  readonly at: number;
}

interface NamedPhrase {
  readonly path: string;
  readonly kind: PhraseKind;
}

/** A longer name is found by its words, not as a phrase. */
const MAX_PHRASE_WORDS = 8;

/** Whether a phrase is looked for: one of one or two letters would match any mail. */
function isUsablePhrase(phrase: string): boolean {
  return phrase.length >= 3 && phrase.split(' ').length <= MAX_PHRASE_WORDS;
}

/** The names, aliases and keywords of notes, found in texts as whole phrases. */
class PhraseIndex {
  readonly #phrases = new Map<string, NamedPhrase[]>();
  /** How many phrases begin with a word: most words of a text begin none, and cost one look. */
  readonly #beginnings = new Map<string, number>();

  /** Adds a phrase of a note. */
  add(phrase: string, named: NamedPhrase): void {
    const known = this.#phrases.get(phrase);
    if (known !== undefined) {
      known.push(named);
      return;
    }
    this.#phrases.set(phrase, [named]);
    const first = firstWord(phrase);
    this.#beginnings.set(first, (this.#beginnings.get(first) ?? 0) + 1);
  }

  /** Removes a phrase of the note at a path. */
  remove(phrase: string, path: string): void {
    const left = (this.#phrases.get(phrase) ?? []).filter((named) => named.path !== path);
    if (left.length > 0) this.#phrases.set(phrase, left);
    else if (this.#phrases.delete(phrase)) this.#forgetBeginning(firstWord(phrase));
  }

  /** Returns the phrases that a text has, of those notes that `counts` lets count; none within a longer one. */
  in(words: readonly string[], counts: (path: string) => boolean): readonly PhraseHit[] {
    const beginnings = [...words.keys()].filter((at) => this.#beginnings.has(words[at] ?? ''));
    const taken = new Array<boolean>(words.length).fill(false);
    const hits: PhraseHit[] = [];
    for (let length = MAX_PHRASE_WORDS; length > 0; length -= 1) {
      for (const at of beginnings) hits.push(...this.#at(words.slice(at, at + length), at, length, taken, counts));
    }
    return hits;
  }

  #at(
    phrase: readonly string[],
    at: number,
    length: number,
    taken: boolean[],
    counts: (path: string) => boolean,
  ): PhraseHit[] {
    if (phrase.length < length || taken.slice(at, at + length).every(Boolean)) return [];
    const named = (this.#phrases.get(phrase.join(' ')) ?? []).filter(({ path }) => counts(path));
    if (named.length > 0) taken.fill(true, at, at + length);
    return named.map(({ path, kind }) => ({ path, kind, words: length, at }));
  }

  #forgetBeginning(word: string): void {
    const left = (this.#beginnings.get(word) ?? 1) - 1;
    if (left === 0) this.#beginnings.delete(word);
    else this.#beginnings.set(word, left);
  }
}

function firstWord(phrase: string): string {
  return phrase.split(' ', 1)[0] ?? '';
}

/** A task or matter, as far as payments are concerned. */
interface PayableNote extends PaymentNote {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  readonly matterPath: string | null;
  readonly state: string;
  /** The day a task is due, as it is written. */
  readonly due?: string | null;
}

/** A note with what it says of a payment. */
export interface Payable {
  readonly note: PayableNote;
  readonly clues: PaymentClues;
  /** Neither done nor archived. */
  readonly isOpen: boolean;
}

/** By what a line of an account leads to notes. */
export type ClueKind = 'reference' | 'sum' | 'iban' | 'tail' | 'word';

/** How many digits of an account two ends of it are compared by. */
export const TAIL_DIGITS = 4;
/** A word or a sum that more notes have doesn't identify any. */
const TOO_MANY = 200;

/** The payment data of tasks and matters, so that a line is looked up in time proportional to the line. */
export class PaymentIndex {
  readonly #notes = new Map<string, Payable>();
  readonly #paths = new Listing();

  /** Adds a note, or replaces the one known under its path. */
  add(note: PayableNote): void {
    this.remove(note.path);
    const state = parseState(note.state);
    if (state === 'archived') return;
    const payable = { note, clues: paymentClues(note), isOpen: state !== 'done' };
    this.#notes.set(note.path, payable);
    for (const key of keysOf(payable)) this.#paths.add(key, note.path);
  }

  /** Removes a note, if its path is known. */
  remove(path: string): void {
    const known = this.#notes.get(path);
    if (known === undefined) return;
    this.#notes.delete(path);
    for (const key of keysOf(known)) this.#paths.remove(key, path);
  }

  /** Returns the note at a path, or null. */
  get(path: string): Payable | null {
    return this.#notes.get(path) ?? null;
  }

  /** Returns the notes that have a clue; empty if too many have it. */
  having(kind: ClueKind, value: string): readonly Payable[] {
    const paths = this.#paths.get(`${kind} ${value}`);
    return paths.length > TOO_MANY ? [] : paths.flatMap((path) => this.#notes.get(path) ?? []);
  }
}

function keysOf({ clues: { references, amounts, ibans, tails, words } }: Payable): ReadonlySet<string> {
  const ends = [...ibans, ...tails].map((one) => one.slice(-TAIL_DIGITS));
  return new Set([
    ...[...references].map((one) => `reference ${one}`),
    ...amounts.map(({ thousandths }) => `sum ${thousandths}`),
    ...[...ibans].map((one) => `iban ${one}`),
    ...ends.map((one) => `tail ${one}`),
    ...[...words].map((one) => `word ${one}`),
  ]);
}

/**
 * Values by keys, in the order in which they were added. Most keys have one value, which is kept without a set: the sets
 * would take more memory than all notes.
 */
class Listing {
  readonly #values = new Map<string, string | Set<string>>();

  get size(): number {
    return this.#values.size;
  }

  keys(): Iterable<string> {
    return this.#values.keys();
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string): readonly string[] {
    const known = this.#values.get(key);
    if (known === undefined) return [];
    return typeof known === 'string' ? [known] : [...known];
  }

  add(key: string, value: string): void {
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, value);
    else if (typeof known !== 'string') known.add(value);
    else if (known !== value) this.#values.set(key, new Set([known, value]));
  }

  remove(key: string, value: string): void {
    const known = this.#values.get(key);
    if (known === undefined) return;
    if (typeof known !== 'string') known.delete(value);
    if (known === value || (typeof known !== 'string' && known.size === 0)) this.#values.delete(key);
  }
}
