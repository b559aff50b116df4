import { round4 } from '../../steward/gates/rounding.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { TargetEvidence } from '../../vault/records/signal.ts';
import { namedById, pointsTo } from '../../vault/words/reading-words.ts';
import { leadsIn } from './fitting/leads.ts';
import { isBeside } from './nearness.ts';
import { rankTargets } from './ranking.ts';
import { isNear, TARGET_FLOOR } from './score.ts';
import type { TargetIndex } from './target-index.ts';
import type { Clue } from './target-query.ts';

/** What an event is about, and how sure that is. */
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
  /** What leads to the note. */
  readonly evidence: readonly TargetEvidence[];
  /** Whether that stands beside the clue; false without a clue. */
  readonly near: boolean;
  readonly reasoning: string;
}

export const MAX_CANDIDATES = 5;

/** Returns the matter or task that an event, or one clue in it, is about; null where no note reaches the floor. */
export function chooseTarget(index: TargetIndex, event: StreamEvent, clue: Clue | null): TargetChoice | null {
  if (event.about !== undefined) return namedTarget(index, event.about);
  const ranked = rankTargets(index, event, clue).filter(({ score }) => score >= TARGET_FLOOR);
  const [best, second] = ranked;
  if (best === undefined) return null;
  const ambiguous = second !== undefined && isNear(best.score, second.score);
  return {
    kind: best.candidate.kind,
    path: best.candidate.path,
    name: best.candidate.name,
    matterPath: best.candidate.kind === 'matter' ? best.candidate.path : best.candidate.matterPath,
    confidence: round4(best.score),
    candidates: ranked.slice(0, MAX_CANDIDATES).map(({ candidate }) => candidate.path),
    ambiguous,
    evidence: best.evidence,
    near: clue !== null && isBeside(best.candidate, event, clue, index),
    reasoning: pointsTo(leadsIn(best.leads, event), best.candidate.name, ambiguous ? second.candidate.name : null),
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
