import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { TargetEvidence } from '../../vault/records/signal.ts';
import { codesIn } from '../money/reference.ts';
import { coverageOf } from './coverage.ts';
import { type DirectMatch, directMatches, strengthOf } from './direct-match.ts';
import { sentenceEndsMatter } from './ending.ts';
import { evidenceFor } from './evidence.ts';
import { byNouns, type Leads, ofMatter } from './fitting/leads.ts';
import { asksForIt, misfitOf } from './fitting/misfit.ts';
import { AMBIGUITY_BAND, SCORE, TARGET_FLOOR } from './score.ts';
import type { TargetCandidate, TargetIndex } from './target-index.ts';
import { type Clue, queryFor, type TargetQuery } from './target-query.ts';

/** One note that could be meant, and what leads to it. */
export interface RankedTarget {
  readonly candidate: TargetCandidate;
  readonly score: number;
  readonly leads: Leads;
  /** The kinds of evidence that lead to the note, in the order of `TARGET_EVIDENCE`. */
  readonly evidence: readonly TargetEvidence[];
}

/** A note with its score, before it is said by which evidence. */
export type ScoredTarget = Omit<RankedTarget, 'evidence'>;

/** At this score a task stands out, and its matter steps back. */
const TASK_STANDS_OUT = 0.5;
/** How much of the text the search reads. */
const MAX_SEARCH_TEXT = 600;

/** Returns every note that could be meant, best first, including those below the floor. */
export function rankTargets(index: TargetIndex, event: StreamEvent, clue: Clue | null): readonly RankedTarget[] {
  const query = queryFor(event, clue);
  const { matches, bySearch, ranked } = found(index, query);
  const leads = {
    matches,
    searched: new Set(bySearch.map(({ candidate }) => candidate.path)),
    referenced: referencedIn(event, index),
  };
  return ranked.map((target) => {
    return { ...target, evidence: evidenceFor(target.candidate, leads, index, query) };
  });
}

/** Does the same without saying by which evidence, which takes as long again: most mails are about nothing. */
export function scoreTargets(index: TargetIndex, event: StreamEvent): readonly ScoredTarget[] {
  return found(index, queryFor(event, null)).ranked;
}

function found(index: TargetIndex, query: TargetQuery) {
  const matches = directMatches(index, query);
  const direct = [...directTargets(index, query, matches), ...byReference(index, query, matches)];
  const isFound = direct.some(({ score }) => score >= TARGET_FLOOR);
  const bySearch = isFound ? [] : searched(index, query);
  return { matches, bySearch, ranked: reranked(bestPerNote([...direct, ...bySearch]), query.clue) };
}

/** The notes of which a form names the number, as no other note has it. */
function byReference(
  index: TargetIndex,
  { clue }: TargetQuery,
  matches: ReadonlyMap<string, DirectMatch>,
): ScoredTarget[] {
  return (clue?.references ?? []).flatMap((code) => {
    const path = index.byReference(code);
    const candidate = path === null ? null : index.get(path);
    if (candidate === null) return [];
    const sender = matches.get(candidate.path)?.sender ?? matches.get(candidate.matterPath ?? '')?.sender ?? null;
    return [
      {
        candidate,
        score: sender === null ? SCORE.sender : SCORE.senderAndPhrase,
        leads: byNouns(`the number ${code}`),
      },
    ];
  });
}

function referencedIn({ subject, text }: StreamEvent, index: TargetIndex): ReadonlySet<string> {
  const paths = [...codesIn(`${subject}\n${text}`)].map((code) => index.byReference(code));
  return new Set(paths.filter((path) => path !== null));
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
    const self = match.link > 0 ? strength : withPenalties(index, strength, query);
    return candidate.kind === 'matter' ? [self, ...tasksUnder(index, self, query, match)] : [self];
  });
}

/** A single word of a note that has nothing to do with the sender stands in many mails: "invoice". */
function isStray({ link, sender, phrase }: DirectMatch, matter: DirectMatch | undefined): boolean {
  return link === 0 && sender === null && (matter?.sender ?? null) === null && phrase?.words === 1;
}

function tasksUnder(index: TargetIndex, matter: ScoredTarget, query: TargetQuery, match: DirectMatch): ScoredTarget[] {
  const open = index.openTasksOf(matter.candidate.path);
  const isOnly = open.length === 1 && match.sender === 'exact' && match.link === 0 && isOfTask(matter, query);
  return open.flatMap((task) => {
    const { share, shown } = coverageOf(task, query, index);
    if (share === 0) return isOnly ? [onlyTask(index, task, query)] : [];
    const reach = Math.min(SCORE.coverageCap, matter.score + SCORE.coverageGain);
    const score = reach * (SCORE.leastReach + (1 - SCORE.leastReach) * share);
    const leads = { ...ofMatter(matter.leads), stems: shown };
    return [withPenalties(index, { candidate: task, score, leads }, query)];
  });
}

function isOfTask({ candidate }: ScoredTarget, { clue }: TargetQuery): boolean {
  return clue !== null && clue.class !== null && !sentenceEndsMatter(clue.sentence, candidate);
}

/** Whoever has to do with one open task alone speaks of that, as long as nothing else is said to be meant. */
function onlyTask(index: TargetIndex, task: TargetCandidate, query: TargetQuery): ScoredTarget {
  const score = asksForIt(task, query, index) ? SCORE.onlyTaskAsked : SCORE.onlyTask;
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
    const isOneWord = index.telling(candidate.name).length < 2;
    const cap = isOneWord ? SCORE.searchCapForOneWord : SCORE.searchCap;
    return [withPenalties(index, { candidate, score: share() * cap, leads: byNouns('words in common') }, query)];
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

// What says that the affair itself has ended means the matter, and no task of it.
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
