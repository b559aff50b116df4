import { NOTHING_TAUGHT, type Taught } from '../../steward/learning/lessons.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { resealed } from '../../vault/index/seals.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import { historyOf } from '../../vault/notes/history-block.ts';
import { nameTimeExact, utc } from '../../vault/time.ts';
import { followStep } from '../../vault/transaction/steps.ts';
import type { WriteAccess } from '../context/ports.ts';

/** What an event has shown of the sources behind it, and by which outcome. */
interface Finding {
  readonly taught: 'right' | 'wrong' | 'nothing';
  /** The outcome in a person's words: `made by hand`. */
  readonly by: string;
}

/**
 * Whether an outcome of this event is in the history of a source behind it. A sync or a backup may bring back the event
 * note as it was before that, and the same outcome is no second one.
 */
export function hasTaught(space: WriteAccess, event: EventRecord): boolean {
  const link = linkTo(event.name);
  return Object.keys(event.fields.source_contributions).some((source) => {
    const path = space.vault.catalogue.instinctOf(source)?.path;
    const text = path === undefined ? null : space.notes.text(path);
    return path !== undefined && text !== null && historyOf(path, text).some(({ what }) => what.includes(link));
  });
}

/**
 * Writes into an event note what it has taught, together with the lesson itself: after a crash both are done, or
 * neither, so that nothing teaches twice. Returns when to try again (epoch ms) where the note could not be written,
 * else null.
 */
export function markTaught(
  space: WriteAccess,
  event: EventRecord,
  { taught, by }: Finding,
  lesson: Taught = NOTHING_TAUGHT,
): number | null {
  const now = space.context.now();
  const seal = resealed(space.context.seal, event, { taught, taught_by: by });
  const marks = [
    { op: 'set', field: 'taught', value: taught },
    { op: 'set', field: 'taught_by', value: by },
    { op: 'set', field: 'taught_at', value: utc(now) },
    { op: 'set', field: 'seal', value: seal },
  ] as const;
  // The note on disk may know more than the records do: another machine may have taken the lesson down since.
  const step = followStep(space.notes, event.path, (data) => ((data.taught ?? null) === null ? marks : []));
  if (step === null) return null;
  // Not under the event's own name: the action may still have something to do there.
  const id = `taught-action-${nameTimeExact(now)}-${event.name}`;
  return space.transactions.commit(id, [step, ...lesson.steps]) ? null : now + 1000;
}
