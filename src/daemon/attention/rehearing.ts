import type { MatterRecord, SignalRecord } from '../../vault/index/record.ts';
import type { Change } from '../../vault/watch/known-files.ts';
import type { IndexAccess } from '../context/ports.ts';

/**
 * Returns the signals that a change of `signal_sources` may let be heard: those for the matter and its tasks, and those
 * of no sure target. Whoever was shut out is neither weighed nor forgotten.
 */
export function heardAnew({ vault: { catalogue } }: IndexAccess, changes: readonly Change[]): SignalRecord[] {
  const matters = changes.flatMap(({ before, after }) => (hearsOthers(before, after) ? [after] : []));
  if (matters.length === 0) return [];
  const notes = matters.flatMap((matter) => [matter, ...catalogue.tasksOf(matter)]);
  return [...notes.flatMap((note) => catalogue.signalsFor(note)), ...catalogue.waiting('signal')];
}

type Changed = Change['after'] | Change['before'];

function hearsOthers(before: Changed, after: Changed): after is MatterRecord {
  return isMatter(before) && isMatter(after) && sourcesIn(before) !== sourcesIn(after);
}

function isMatter(record: Changed): record is MatterRecord {
  return record?.kind === 'matter';
}

function sourcesIn({ fields }: MatterRecord): string {
  return fields.signal_sources.join('\n');
}
