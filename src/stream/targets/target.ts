import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { MutationClass } from '../../vault/records/mutation.ts';
import { viewOf } from '../mail/sentence.ts';
import { stem, tellingWords, wordsOf } from '../mail/word.ts';
import type { Finding } from '../rules/finding.ts';
import { foldedTarget, linksIn } from './link.ts';
import type { TargetCandidate, TargetIndex } from './target-index.ts';

export { type TargetCandidate, TargetIndex } from './target-index.ts';

/** What an event is about, and how sure that is. */
export interface TargetChoice {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  readonly name: string;
  readonly matterPath: string | null;
  readonly confidence: number;
  /** Paths, best first, at most five. */
  readonly candidates: readonly string[];
  /** Another one fits nearly as well: never to be acted on. */
  readonly ambiguous: boolean;
  /** A matter with open tasks of which none stands out: what was done is one of them, or none, but not all. */
  readonly tasksOpen: boolean;
  readonly reasoning: string;
}

/** One note with the reason why it could be meant. */
export interface RankedTarget {
  readonly candidate: TargetCandidate;
  readonly score: number;
  readonly why: string;
  /** The mail links to it: whatever else it says, this note is meant. */
  readonly linked?: boolean;
}

/** The words that a search is about: a sentence of the event, and what is said to be done in it. */
interface Clue extends Pick<Finding, 'sentence' | 'verbs' | 'otherVerbs'> {
  /** Null where nothing is to be changed. */
  readonly class: MutationClass | null;
}

/** Below this nothing is taken to be meant. */
export const TARGET_FLOOR = 0.5;
/** Two notes this close are not told apart. */
export const AMBIGUITY_BAND = 0.05;
/** As sure as something may be that must not be acted upon alone. */
export const NOT_ALONE = 0.55;
export const MAX_CANDIDATES = 5;

/**
 * The scores, in one place. A link says it outright. An address with a name or keyword beside it is the next best; an
 * address alone tells the matter but not which of its affairs; words alone tell less the fewer they are.
 */
const SCORE = {
  link: 0.99,
  linkElsewhere: 0.9,
  linkInHistory: 0.85,
  senderAndPhrase: 0.97,
  domainAndPhrase: 0.92,
  sender: 0.9,
  domain: 0.75,
  /** By the number of words in the phrase: one, or more. */
  name: [0.7, 0.88],
  keyword: [0.65, 0.82],
  /** What a task gains on its matter when the mail has all the words of its name. */
  coverageGain: 0.05,
  coverageCap: 0.97,
  searchCap: 0.85,
  /** What is left of it where none of the task's own words are said; with half of them it is too little to act on. */
  leastReach: 0.25,
  /** One word is found in many mails. */
  searchCapForOneWord: 0.6,
  /** No single mail closes a whole matter. */
  matterChangeCap: NOT_ALONE,
  /** A task that asks for something else than what was done: "Sign the deed" when the deed was paid for. */
  otherDeed: 0.5,
  /** A task that names a number where the sentence names another: invoice 114 is not invoice 141. */
  otherNumber: 0.7,
} as const;
/** A task found this well speaks for itself, and its matter steps back. */
const TASK_STANDS_OUT = 0.5;
const MIN_COVERAGE = 0.5;
/** How much a word counts by where it stands: in the sentence of the finding, the subject, or elsewhere. */
const WORD_WEIGHT = { sentence: 1, subject: 0.95, elsewhere: 0.4 } as const;
const PHRASE_WEIGHT = { sentence: 1, subject: 0.98, elsewhere: 0.88 } as const;

/** The matter or task an event (or one finding in it) is about, or null where nothing reaches the floor. */
export function chooseTarget(index: TargetIndex, event: StreamEvent, finding: Clue | null): TargetChoice | null {
  const ranked = rankTargets(index, event, finding).filter(({ score }) => score >= TARGET_FLOOR);
  const [best, second] = ranked;
  if (best === undefined) return null;
  const ambiguous = second !== undefined && best.score - second.score <= AMBIGUITY_BAND + 1e-9;
  const doubt = ambiguous ? `, but "${second.candidate.name}" fits nearly as well (${second.why})` : '';
  return {
    kind: best.candidate.kind,
    path: best.candidate.path,
    name: best.candidate.name,
    matterPath: best.candidate.kind === 'matter' ? best.candidate.path : best.candidate.matterPath,
    confidence: rounded(best.score),
    candidates: ranked.slice(0, MAX_CANDIDATES).map(({ candidate }) => candidate.path),
    ambiguous,
    tasksOpen: hasOpenTasks(index, best),
    reasoning: `"${best.candidate.name}" by ${best.why}${doubt}`,
  };
}

function hasOpenTasks(index: TargetIndex, { candidate, linked }: RankedTarget): boolean {
  return candidate.kind === 'matter' && linked !== true && index.openTasksOf(candidate.path).length > 0;
}

/** Every note that could be meant, best first, those below the floor too. */
export function rankTargets(index: TargetIndex, event: StreamEvent, finding: Clue | null): readonly RankedTarget[] {
  const mail = mailOf(event, finding);
  const direct = directTargets(index, signsOf(index, mail), mail);
  const isFound = direct.some(({ score }) => score >= TARGET_FLOOR);
  const ranked = best(isFound ? direct : [...direct, ...searched(index, mail)]);
  return reranked(ranked, finding);
}

interface Mail {
  readonly event: StreamEvent;
  readonly finding: Clue | null;
  readonly sentence: readonly string[];
  readonly subject: readonly string[];
  readonly text: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
  readonly verbs: ReadonlySet<string>;
  readonly otherVerbs: ReadonlySet<string>;
}

function mailOf(event: StreamEvent, finding: Clue | null): Mail {
  const sentence = wordsOf(finding?.sentence ?? event.text);
  const [subject, text] = [wordsOf(event.subject), wordsOf(event.text)];
  const weights = new Map<string, number>();
  for (const word of text) weights.set(word, WORD_WEIGHT.elsewhere);
  for (const word of subject) weights.set(word, WORD_WEIGHT.subject);
  for (const word of sentence) weights.set(word, WORD_WEIGHT.sentence);
  return {
    event,
    finding,
    sentence,
    subject,
    text,
    weights,
    verbs: new Set(finding?.verbs.map(stem)),
    otherVerbs: new Set(finding?.otherVerbs.map(stem)),
  };
}

/** What speaks for a note by itself. */
interface Signs {
  link: number;
  sender: 'exact' | 'domain' | null;
  /** The best name or keyword found: its score, how near to the finding it stands, and which of the two it is. */
  phrase: { score: number; weight: number; kind: string } | null;
}

type SignsByPath = Map<string, Signs>;

function signsOf(index: TargetIndex, mail: Mail): SignsByPath {
  const signs: SignsByPath = new Map();
  addLinks(index, mail, signs);
  for (const { path, exact } of index.bySender(mail.event.from ?? ''))
    at(signs, path).sender = exact ? 'exact' : 'domain';
  addPhrases(index, mail.sentence, PHRASE_WEIGHT.sentence, signs);
  addPhrases(index, mail.subject, PHRASE_WEIGHT.subject, signs);
  addPhrases(index, mail.text, PHRASE_WEIGHT.elsewhere, signs);
  return signs;
}

function at(signs: SignsByPath, path: string): Signs {
  const known = signs.get(path);
  if (known !== undefined) return known;
  const fresh: Signs = { link: 0, sender: null, phrase: null };
  signs.set(path, fresh);
  return fresh;
}

function addLinks(index: TargetIndex, mail: Mail, signs: SignsByPath): void {
  const own = [...linksIn(mail.event.subject), ...linksIn(mail.event.text)].map((link) => link.target);
  const near = new Set(linksIn(mail.finding?.sentence ?? '').map((link) => foldedTarget(link.target)));
  for (const target of own) {
    const isElsewhere = near.size > 0 && !near.has(foldedTarget(viewOf(target)));
    addLink(index, target, isElsewhere ? SCORE.linkElsewhere : SCORE.link, signs);
  }
  for (const { target } of own.length > 0 ? [] : linksIn(mail.event.quoted))
    addLink(index, target, SCORE.linkInHistory, signs);
}

function addLink(index: TargetIndex, target: string, score: number, signs: SignsByPath): void {
  for (const path of index.byLink(target)) {
    const known = at(signs, path);
    known.link = Math.max(known.link, score);
  }
}

function addPhrases(index: TargetIndex, words: readonly string[], weight: number, signs: SignsByPath): void {
  for (const hit of index.phrasesIn(words)) {
    const score = SCORE[hit.kind][hit.words > 1 ? 1 : 0] * weight;
    const known = at(signs, hit.path);
    if (score > (known.phrase?.score ?? 0)) known.phrase = { score, weight, kind: hit.kind };
  }
}

function directTargets(index: TargetIndex, signs: SignsByPath, mail: Mail): RankedTarget[] {
  return [...signs].flatMap(([path, own]) => {
    const candidate = index.get(path);
    if (candidate === null) return [];
    const matter = candidate.matterPath === null ? undefined : signs.get(candidate.matterPath);
    const strength = { candidate, ...strengthOf(own, matter) };
    const self = own.link > 0 ? strength : fitting(strength, mail);
    return candidate.kind === 'matter' ? [self, ...tasksUnder(index, self, mail)] : [self];
  });
}

/** A task is also spoken for by its matter's senders. */
function strengthOf(own: Signs, matter: Signs | undefined): Pick<RankedTarget, 'score' | 'why' | 'linked'> {
  if (own.link > 0) return { score: own.link, why: 'a link to it', linked: true };
  const { phrase } = own;
  const sender = own.sender ?? (phrase === null ? null : (matter?.sender ?? null));
  if (sender === null) return { score: phrase?.score ?? 0, why: `its ${phrase?.kind ?? 'name'}` };
  const isExact = sender === 'exact';
  const why = isExact ? "its sender's address" : "its sender's domain";
  if (phrase === null) return { score: isExact ? SCORE.sender : SCORE.domain, why };
  const both = isExact ? SCORE.senderAndPhrase : SCORE.domainAndPhrase;
  // A name that stands far from the finding lends half of its doubt to the pair.
  return { score: both * (0.5 + 0.5 * phrase.weight), why: `${why} and its ${phrase.kind}` };
}

function tasksUnder(index: TargetIndex, matter: RankedTarget, mail: Mail): RankedTarget[] {
  return index.openTasksOf(matter.candidate.path).flatMap((task) => {
    const { share, shown } = coverageOf(task, mail);
    if (share === 0) return [];
    const reach = Math.min(SCORE.coverageCap, matter.score + SCORE.coverageGain);
    const why = `its matter (${matter.why}) and the words ${shown.map((word) => `"${word}"`).join(', ')}`;
    return [
      fitting({ candidate: task, score: reach * (SCORE.leastReach + (1 - SCORE.leastReach) * share), why }, mail),
    ];
  });
}

/**
 * How much of a task's name a mail has. What the task is to do counts as said when the finding says it was done:
 * "paid" covers "pay". That alone tells no task from another, so the share is of the words of its own.
 */
function coverageOf(task: TargetCandidate, mail: Mail): { share: number; shown: readonly string[] } {
  const covered = [task.name, ...task.aliases].map((name) => coverageBy(tellingWords(name), mail));
  return covered.reduce((one, other) => (other.share > one.share ? other : one));
}

function coverageBy(words: readonly string[], mail: Mail): { share: number; shown: readonly string[] } {
  const own = words.filter((word) => !mail.verbs.has(word));
  const said = own.reduce((sum, word) => sum + (mail.weights.get(word) ?? 0), 0);
  const isEnough = said > 0 && said + words.length - own.length >= words.length * MIN_COVERAGE;
  return { share: isEnough ? said / own.length : 0, shown: words.filter((word) => mail.weights.has(word)) };
}

function fitting(target: RankedTarget, mail: Mail): RankedTarget {
  if (target.candidate.kind === 'matter') return target;
  const words = tellingWords(target.candidate.name);
  const asksForOther = words.some((word) => mail.otherVerbs.has(word)) && !words.some((word) => mail.verbs.has(word));
  const deed = asksForOther ? SCORE.otherDeed : 1;
  const number = namesOtherNumber(target.candidate, mail) ? SCORE.otherNumber : 1;
  return { ...target, score: target.score * deed * number };
}

function namesOtherNumber({ name }: TargetCandidate, mail: Mail): boolean {
  const own = wordsOf(name).filter(isTellingNumber);
  const isMissing = own.some((word) => !mail.sentence.includes(word) && !mail.subject.includes(word));
  return isMissing && mail.sentence.some((word) => isTellingNumber(word) && !own.includes(word));
}

/** Years, invoices and the like; days and hours have fewer digits. */
function isTellingNumber(word: string): boolean {
  return /^\d{3,}$/.test(word);
}

function searched(index: TargetIndex, mail: Mail): RankedTarget[] {
  const sentence = mail.finding?.sentence ?? '';
  const hits = index.search(`${mail.event.subject} ${sentence} ${mail.event.text.slice(0, 600)}`);
  return hits.flatMap(({ path, score }) => {
    const candidate = index.get(path);
    if (candidate === null) return [];
    const isOneWord = tellingWords(candidate.name).length < 2;
    const cap = isOneWord ? SCORE.searchCapForOneWord : SCORE.searchCap;
    return [fitting({ candidate, score: score * cap, why: 'words in common' }, mail)];
  });
}

function best(targets: readonly RankedTarget[]): RankedTarget[] {
  const byPath = new Map<string, RankedTarget>();
  for (const target of targets) {
    const known = byPath.get(target.candidate.path);
    if (known === undefined || target.score > known.score) byPath.set(target.candidate.path, target);
  }
  return [...byPath.values()];
}

/** A matter steps back before a task of its own that stands out, and is never closed by one mail alone. */
function reranked(ranked: readonly RankedTarget[], finding: Clue | null): RankedTarget[] {
  const left = ranked.filter(
    (target) => target.candidate.kind === 'task' || !ranked.some((task) => outranks(task, target, finding)),
  );
  const capped = finding?.class === 'state_change' ? left.map(closing) : left;
  return capped.toSorted(
    (one, other) => other.score - one.score || (one.candidate.path < other.candidate.path ? -1 : 1),
  );
}

/** A matter that is to be closed. */
function closing(target: RankedTarget): RankedTarget {
  if (target.candidate.kind === 'task' || target.score <= SCORE.matterChangeCap) return target;
  return { ...target, score: SCORE.matterChangeCap, why: `${target.why}, with none of its tasks standing out` };
}

function outranks(task: RankedTarget, matter: RankedTarget, finding: Clue | null): boolean {
  if (task.candidate.kind !== 'task' || task.candidate.matterPath !== matter.candidate.path) return false;
  const changes = finding !== null && finding.class !== null;
  return changes ? task.score >= TASK_STANDS_OUT : task.score >= matter.score - AMBIGUITY_BAND;
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
