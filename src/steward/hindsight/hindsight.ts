import type { Changes } from '../../vault/records/mutation.ts';
import { HAND_COUNTS_FOR, handSays, type Sight } from '../learning/hand.ts';

/**
 * What became of a change that the steward made or would have made: the outcomes that teach (contract, section 7), and
 * what teaches nothing. Each change has exactly one fate:
 *
 * - `confirmed`, `dismissed`, `reversed`: a person said so (a confirmation that was taken back counts as reversed);
 * - `borne_out`: it was not made, and a person later made the same change by hand;
 * - `kept`: it was made and left alone for a week, by sources that had each been right five times before;
 * - `contradicted`: within a week of it a person set a field by hand to something else;
 * - `silent`: it was made and its week is over, but nothing follows from that: its sources were too little known, or the
 *   note had moved on;
 * - `overtaken`: before any of that was seen, the steward decided about the same field again; the later case counts;
 * - `open`: none of these, so far.
 */
export const FATES = [
  'confirmed',
  'borne_out',
  'kept',
  'dismissed',
  'reversed',
  'contradicted',
  'silent',
  'overtaken',
  'open',
] as const;
export type Fate = (typeof FATES)[number];

type Finding = 'right' | 'wrong' | 'undecided';

/** Returns whether a fate shows the steward right or wrong; undecided where it shows neither. */
export function findingOf(fate: Fate): Finding {
  if (fate === 'confirmed' || fate === 'kept' || fate === 'borne_out') return 'right';
  return fate === 'dismissed' || fate === 'reversed' || fate === 'contradicted' ? 'wrong' : 'undecided';
}

/** The note as it was seen at one moment after the change was decided. */
export interface Sighting extends Sight {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Fields the steward itself decided about at that moment: what they hold from then on is not the person's doing. */
  readonly decided: readonly string[];
}

/** Everything the notes say about one change. */
export interface Trail {
  readonly changes: Changes;
  /** When it was decided, in epoch milliseconds. */
  readonly at: number;
  /** Whether the change was made by the steward itself. */
  readonly acted: boolean;
  /** Whether its undo window has closed; false for a change that was not made. */
  readonly closed: boolean;
  /** Whether a week of silence counts for its sources, once the window has closed. */
  readonly known: boolean;
  readonly answer: 'confirmed' | 'dismissed' | null;
  /** Whether the action, or the confirmation of the proposal, was taken back. */
  readonly reversed: boolean;
  /** What the event note says that it has taught; null where nothing was learnt from it yet. */
  readonly taught: 'right' | 'wrong' | 'nothing' | null;
  /** Oldest first, ending with the note as it is now. */
  readonly sightings: Iterable<Sighting>;
  /** The note as it is now; null where it is gone. */
  readonly present: Sight | null;
}

/** Returns what became of a change: what the person said, else what was learnt from it, else what the notes show. */
export function fateOf(trail: Trail): Fate {
  if (trail.reversed) return 'reversed';
  if (trail.answer !== null) return trail.answer;
  switch (trail.taught) {
    case 'right':
      return trail.acted ? 'kept' : 'borne_out';
    case 'wrong':
      return 'contradicted';
    case 'nothing':
      return 'silent';
    default:
      return shownFate(trail);
  }
}

function shownFate(trail: Trail): Fate {
  for (const sighting of trail.sightings) {
    const said = handSays(trail, sighting);
    if (said === 'right') return 'borne_out';
    if (said === 'otherwise' && sighting.at - trail.at < HAND_COUNTS_FOR) return 'contradicted';
    if (!sighting.decided.some((field) => Object.hasOwn(trail.changes, field))) continue;
    if (!trail.acted) return 'overtaken';
    break;
  }
  if (!trail.closed) return 'open';
  const stands = trail.present !== null && handSays(trail, trail.present) === null;
  return trail.known && stands ? 'kept' : 'silent';
}
