import { fold } from '../../vault/note-names.ts';
import { targetPath } from '../context/event-target.ts';
import type { WriteAccess } from '../context/ports.ts';
import { stepsAlone } from '../runtime/each-alone.ts';
import { learnByHand } from './by-hand.ts';
import { learnFromWeek, weeksEnded } from './kept.ts';

const DAY = 24 * 60 * 60 * 1000;
/** How far back a start looks for outcomes that came about while the program was away. */
export const AWAY_MS = 60 * DAY;
/** How far back each hour looks: what a sync brings late is a few days old. */
export const LATE_MS = 14 * DAY;

/**
 * Learns from every outcome since a moment (epoch ms) that nothing was learnt from yet: what persons did by hand, and
 * the weeks that ended. Pauses after each small step: whether an outcome was taught already is asked in the step itself, so
 * two that learn side by side teach it once. Returns when to look again (epoch ms) where somebody is editing, else null.
 */
export function* learningOutcomes(space: WriteAccess, since: number): Generator<void, number | null> {
  const targets = new Map<string, string>();
  for (const event of space.vault.catalogue.chronicle.untaught('decided', since, space.context.now())) {
    yield;
    const path = targetPath(space.vault, event);
    if (path !== null) targets.set(fold(path), path);
  }
  let next: number | null = null;
  const learn = (work: () => number | null) => {
    next = sooner(next, work());
  };
  yield* stepsAlone(worksFor(space, targets.values(), since), learn);
  return next;
}

function* worksFor(space: WriteAccess, targets: Iterable<string>, since: number): Generator<() => number | null> {
  for (const path of targets) {
    yield () => {
      const target = space.vault.catalogue.get(path);
      return target?.kind === 'task' || target?.kind === 'matter' ? learnByHand(space, target) : null;
    };
  }
  for (const event of weeksEnded(space, since)) yield () => learnFromWeek(space, event);
}

function sooner(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
