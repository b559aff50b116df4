import { silenceCounts, teachOutcome } from '../../steward/learning/outcomes.ts';
import { instinctOf } from '../../steward/learning/sources.ts';
import { isUnanswered, stands } from '../../steward/trust/by-hand.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import { targetPath } from '../context/event-target.ts';
import type { WriteAccess } from '../context/ports.ts';
import { hasTaught, markTaught } from './teaching.ts';

/** Yields the live changes whose week has ended between `since` and now (epoch ms), and that have taught nothing yet. */
export function* weeksEnded(space: WriteAccess, since: number): Generator<EventRecord> {
  const now = space.context.now();
  for (const event of space.vault.catalogue.chronicle.untaught('closing', since, now)) {
    if (Date.parse(event.fields.undo_recipe?.expires_at ?? '') < now) yield event;
  }
}

/**
 * Learns from a live change that a person has left alone for seven days (contract, section 7): right, where every source
 * behind the change has been right five times before. Silence says nothing about a source that nobody knows yet. Does
 * nothing where the change has been answered. Returns when to try again (epoch ms), or null.
 */
export function learnFromWeek(space: WriteAccess, event: EventRecord): number | null {
  if (!isUnanswered(space, event)) return null;
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
