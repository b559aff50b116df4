import { silenceCounts, teachOutcome } from '../../steward/learning/outcomes.ts';
import { instinctOf } from '../../steward/learning/sources.ts';
import { isUnanswered, stands } from '../../steward/trust/by-hand.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import { targetPath } from '../context/event-target.ts';
import type { WriteAccess } from '../context/ports.ts';
import { eachAlone } from '../runtime/each-alone.ts';
import { hasTaught, markTaught } from './teaching.ts';

/**
 * Learns from live changes that a person has left alone for seven days (contract, section 7): right, where every source
 * behind the change has been right five times before. Silence says nothing about a source that nobody knows yet. Looks
 * at the weeks that ended between `since` and now (epoch ms), and returns when to try again, or null.
 */
export function learnFromWeeks(space: WriteAccess, since: number): number | null {
  const now = space.context.now();
  const ended = space.vault.catalogue.chronicle
    .untaught('closing', since, now)
    .filter((event) => Date.parse(event.fields.undo_recipe?.expires_at ?? '') < now)
    .filter((event) => isUnanswered(space, event));
  const waits: number[] = [];
  eachAlone(ended, (event) => waits.push(...[learn(space, event) ?? []].flat()));
  return waits.length === 0 ? null : Math.min(...waits);
}

function learn(space: WriteAccess, event: EventRecord): number | null {
  const contributions = event.fields.source_contributions;
  const isKnown = silenceCounts(contributions, (source) => instinctOf(space, source).observations);
  if (!isKnown || !isAsWritten(space, event)) {
    return markTaught(space, event, { taught: 'nothing', by: 'its week is over' });
  }
  const what = `kept for seven days: ${linkTo(event.name)}`;
  const at = Date.parse(event.fields.undo_recipe?.expires_at ?? event.fields.timestamp);
  const occasion = { outcome: 'right', at, what } as const;
  const lesson = hasTaught(space, event) ? undefined : teachOutcome(space, contributions, occasion);
  return markTaught(space, event, { taught: 'right', by: 'kept for seven days' }, lesson);
}

function isAsWritten(space: WriteAccess, event: EventRecord): boolean {
  const path = targetPath(space.vault, event);
  const note = path === null ? null : space.notes.fresh(path);
  return note !== null && stands(space, event, note);
}
