import type { CandidateNote } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { oneLine } from '../mail/plain-text.ts';
import { MAX_CANDIDATES, type RankedTarget, rankTargets, type TargetIndex } from './target.ts';

/**
 * Below this a note shares a word with the event, as notes do with any event. Measured on the mails of test/eval: above
 * it lie 134 of the 137 notes that are meant, senders not counted, and something for 90 of the 320 mails where their own
 * part of the vault is left out.
 */
const CANDIDATE_FLOOR = 0.4;
const MAX_WHY = 200;

/**
 * The notes that an event could be about, best first, at most five; none where nothing in the vault speaks for any. Where
 * only a matter is found, its open tasks fill the places that are left: they may be meant in words that are not their own.
 */
export function candidatesFor(index: TargetIndex, event: StreamEvent): readonly CandidateNote[] {
  const ranked = rankTargets(index, event, null).filter(({ score }) => score >= CANDIDATE_FLOOR);
  const matters = new Set(ranked.map(({ candidate }) => candidate.matterPath ?? candidate.path));
  const tasks = [...matters].flatMap((matter) => tasksOf(index, matter));
  const found = [...new Map([...tasks, ...ranked].map((each) => [each.candidate.path, each])).values()];
  const order = new Map(ranked.map(({ candidate }, nth) => [candidate.path, nth]));
  const placeOf = ({ candidate }: RankedTarget) => order.get(candidate.path) ?? ranked.length;
  return found
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .slice(0, MAX_CANDIDATES)
    .map((each) => noteOf(index, each));
}

function tasksOf(index: TargetIndex, matter: string): RankedTarget[] {
  return index.openTasksOf(matter).map((candidate) => ({ candidate, score: 0, why: 'a task of its matter' }));
}

function noteOf(index: TargetIndex, { candidate, why }: RankedTarget): CandidateNote {
  const { kind, path, name, matterPath, state, summary } = candidate;
  const matter = matterPath === null ? null : (index.get(matterPath)?.name ?? null);
  return { kind, path, name, matter, state, summary, why: oneLine(why, MAX_WHY) };
}
