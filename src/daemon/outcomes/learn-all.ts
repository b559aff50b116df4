import { fold } from '../../vault/note-names.ts';
import { targetPath } from '../context/event-target.ts';
import type { WriteAccess } from '../context/ports.ts';
import { eachAlone } from '../runtime/each-alone.ts';
import { learnByHand } from './by-hand.ts';
import { learnFromWeeks } from './kept.ts';

const DAY = 24 * 60 * 60 * 1000;
/** How far back a start looks for outcomes that came about while the program was away. */
export const AWAY_MS = 60 * DAY;
/** How far back each hour looks: what a sync brings late is a few days old. */
export const LATE_MS = 14 * DAY;

/**
 * Learns from every outcome since a moment (epoch ms) that nothing was learnt from yet: what persons did by hand, and
 * the weeks that ended. Returns when to look again (epoch ms) where somebody is editing, else null.
 */
export function learnOutcomes(space: WriteAccess, since: number): number | null {
  const paths = space.vault.catalogue.chronicle
    .untaught('decided', since, space.context.now())
    .flatMap((event) => targetPath(space.vault, event) ?? []);
  const distinct = new Map(paths.map((path) => [fold(path), path]));
  const byHand = [...distinct.values()].map((path) => () => {
    const target = space.vault.catalogue.get(path);
    return target?.kind === 'task' || target?.kind === 'matter' ? learnByHand(space, target) : null;
  });
  const waits: number[] = [];
  eachAlone([...byHand, () => learnFromWeeks(space, since)], (learn) => waits.push(...[learn() ?? []].flat()));
  return waits.length === 0 ? null : Math.min(...waits);
}
