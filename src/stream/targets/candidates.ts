import type { CandidateNote } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { leadPhrase } from '../../vault/words/reading-words.ts';
import { oneLine } from '../mail/plain-text.ts';
import { byNouns, leadsIn } from './fitting/leads.ts';
import { type ScoredTarget, scoreTargets } from './ranking.ts';
import { MAX_CANDIDATES } from './target-choice.ts';
import type { TargetIndex } from './target-index.ts';

/**
 * Below this score a note shares no more than a word with the event, which notes do with any event. Measured on the mails
 * of test/eval, without senders: 134 of the 137 notes that are meant score higher. When the part of the vault that a mail
 * is about is left out, some other note still scores higher for 90 of the 320 mails.
 */
const CANDIDATE_FLOOR = 0.4;
const MAX_WHY = 200;

/**
 * Returns the notes that an event could be about, best first, at most five; none where nothing in the vault fits. The
 * remaining room goes to open tasks of the matters found, since the event may mean them in other words than their own.
 */
export function candidatesFor(index: TargetIndex, event: StreamEvent): readonly CandidateNote[] {
  const ranked = scoreTargets(index, event).filter(isCandidate);
  const matters = new Set(ranked.map(({ candidate }) => candidate.matterPath ?? candidate.path));
  const tasks = [...matters].flatMap((matter) => tasksOf(index, matter));
  const found = [...new Map([...tasks, ...ranked].map((each) => [each.candidate.path, each])).values()];
  const order = new Map(ranked.map(({ candidate }, nth) => [candidate.path, nth]));
  const rankOf = ({ candidate }: ScoredTarget) => order.get(candidate.path) ?? ranked.length;
  return found
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, MAX_CANDIDATES)
    .map((each) => noteOf(index, each, event));
}

/** Whether there is any such note. */
export function hasCandidates(index: TargetIndex, event: StreamEvent): boolean {
  return scoreTargets(index, event).some(isCandidate);
}

function isCandidate({ score }: ScoredTarget): boolean {
  return score >= CANDIDATE_FLOOR;
}

function tasksOf(index: TargetIndex, matter: string): ScoredTarget[] {
  return index
    .openTasksOf(matter)
    .map((candidate) => ({ candidate, score: 0, leads: byNouns('a task of its matter') }));
}

function noteOf(index: TargetIndex, { candidate, leads }: ScoredTarget, event: StreamEvent): CandidateNote {
  const { kind, path, name, matterPath, state, summary } = candidate;
  const matter = matterPath === null ? null : (index.get(matterPath)?.name ?? null);
  return { kind, path, name, matter, state, summary, why: oneLine(leadPhrase(leadsIn(leads, event)), MAX_WHY) };
}
