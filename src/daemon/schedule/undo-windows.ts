import { afterWindows, type Instinct } from '../../steward/learning/instinct.ts';
import { fileName } from '../../steward/learning/instinct-note.ts';
import { type Lesson, teach } from '../../steward/learning/lessons.ts';
import { distinct, instinctOf } from '../../steward/learning/sources.ts';
import { wasReversed } from '../../undo/reversed.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { sourceKey } from '../../vault/note-names.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import { nameTimeExact } from '../../vault/time.ts';
import { modeOf } from '../context/effective-mode.ts';
import type { WriteAccess } from '../context/ports.ts';

/** As `since`: every window of the vault. */
export const EVER = 0;

/** The result of a count of closed windows. */
interface WindowCount {
  /** False in shadow mode, which touches no instinct: what closes meanwhile is counted in the next live mode. */
  readonly looked: boolean;
  /** When an instinct note that is being edited can be written (epoch ms), or null. */
  readonly retryAt: number | null;
}

/**
 * Counts the live actions whose undo window closed unreversed, as observations of the sources behind them (contract,
 * section 7). Looks at windows that close from `since` (epoch ms) on. The count and the moment up to which it counts
 * are one edit of one note, so that no restart, crash or clock set back counts an action twice.
 */
export function countWindows(space: WriteAccess, since: number): WindowCount {
  if (modeOf(space.context, null) === 'shadow') return { looked: false, retryAt: null };
  space.transactions.finishHeldUp();
  const now = space.context.now();
  const closed = space.vault.catalogue.closing(since, now).filter((event) => closesAt(event) < now);
  const waits = [...bySource(closed)].flatMap(([source, events]) => countFor(space, source, events) ?? []);
  return { looked: true, retryAt: waits.length === 0 ? null : Math.min(...waits) };
}

// Returns when to try again (epoch ms) where somebody is editing the note.
function countFor(space: WriteAccess, source: string, events: readonly EventRecord[]): number | null {
  const until = instinctOf(space, source).countedUntil ?? Number.NEGATIVE_INFINITY;
  const kept = events
    .filter((event) => closesAt(event) > until && !wasReversed(space, event, closesAt(event)))
    .sort((a, b) => closesAt(a) - closesAt(b) || (a.name < b.name ? -1 : 1));
  const last = kept.at(-1);
  if (last === undefined) return null;
  const record = space.vault.catalogue.instinctOf(source);
  const settledAt = record === null ? 0 : (space.notes.fresh(record.path)?.settledAt ?? 0);
  if (settledAt > space.context.now()) return settledAt;
  const { steps } = teach(space, [source], lessonOf(kept, last, until));
  const id = `instinct-${nameTimeExact(space.context.now())}-${fileName(source)}`;
  space.transactions.commit(id, steps);
  return null;
}

// The history row is dated by the closing, not by when it was noticed, so that two machines write the same bytes.
function lessonOf(kept: readonly EventRecord[], last: EventRecord, from: number): Lesson {
  const at = closesAt(last);
  const more = kept.length === 1 ? '' : ` and ${kept.length - 1} more`;
  // Another machine may have counted in the note since it was catalogued; then nothing is counted here.
  const isAsKnown = (instinct: Instinct) => (instinct.countedUntil ?? Number.NEGATIVE_INFINITY) === from;
  return {
    at,
    what: `kept for seven days: ${linkTo(last.name)}${more}`,
    move: (instinct) => (isAsKnown(instinct) ? afterWindows(instinct, kept.length, at) : instinct),
  };
}

function bySource(events: readonly EventRecord[]): Map<string, EventRecord[]> {
  const found = new Map<string, { source: string; events: EventRecord[] }>();
  for (const event of events) {
    for (const source of distinct(Object.keys(event.fields.source_contributions))) {
      const known = found.get(sourceKey(source));
      if (known === undefined) found.set(sourceKey(source), { source, events: [event] });
      else known.events.push(event);
    }
  }
  return new Map([...found.values()].map((one) => [one.source, one.events]));
}

function closesAt({ fields }: EventRecord): number {
  return Date.parse(fields.undo_recipe?.expires_at ?? '');
}
