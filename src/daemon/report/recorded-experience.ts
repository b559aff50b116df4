import { Experience, type Observation } from '../../steward/learning/experience.ts';
import { instinctOf } from '../../steward/learning/sources.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import type { IndexAccess } from '../context/ports.ts';

/** Returns how often each source had been right at any moment, as the notes tell it. */
export function recordedExperience(space: IndexAccess): Experience {
  return new Experience(observationsIn(space), (source) => instinctOf(space, source).observations);
}

/** Returns the sources that bore something of a conclusion. */
export function bearing({ fields }: EventRecord): readonly string[] {
  return Object.entries(fields.source_contributions).flatMap(([source, share]) => (share > 0 ? [source] : []));
}

/** The right outcomes that were not taken back: each counts for every source that bore something of the conclusion. */
function observationsIn(space: IndexAccess): readonly Observation[] {
  return space.vault.catalogue.events().flatMap((event) => {
    const at = observedAt(event);
    if (!Number.isFinite(at) || isReversed(space, event)) return [];
    return bearing(event).map((source) => ({ source, at }));
  });
}

// A confirmation counts from when it is made. A decision that was borne out counts from when that was noticed.
function observedAt({ fields }: EventRecord): number {
  if (fields.confirms !== null && Object.keys(fields.changes).length > 0) return Date.parse(fields.timestamp);
  return fields.taught === 'right' ? Date.parse(fields.taught_at ?? fields.timestamp) : Number.NaN;
}
