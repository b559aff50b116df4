import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/note-text.ts';
import { isKnownNote } from '../ports/own-notes.ts';
import type { Records, Seals } from '../ports.ts';

type Answerable = EventRecord | ReversalRecord;
type Space = Records & Seals;

/**
 * Returns whether an event is taken back, by a reversal that is not itself reversed. Where two machines have each
 * reversed it, the two count as one: undoing either undoes both, until the event is taken back again. What somebody else
 * says to have taken back was not.
 */
export function isReversed(space: Space, event: Answerable): boolean {
  return isTakenBack(space, event, new Set());
}

/** Returns the reversal by which an event is taken back; null where it is not, or where only a twin of it was. */
export function reversalHolding(space: Space, event: Answerable): ReversalRecord | null {
  return reversalsOf(space, event).find((reversal) => !isReversed(space, reversal)) ?? null;
}

// `seen` guards against notes written by hand that reverse each other in a circle, which takes nothing back.
function isTakenBack(space: Space, event: Answerable, seen: ReadonlySet<string>): boolean {
  if (seen.has(event.path)) return false;
  const visited = new Set([...seen, event.path]);
  if (event.kind === 'reversal' && isUndoneByTwin(space, event, visited)) return true;
  return reversalsOf(space, event).some((reversal) => !isTakenBack(space, reversal, visited));
}

// Whether another reversal of the same event was taken back after this one was made.
function isUndoneByTwin(space: Space, reversal: ReversalRecord, seen: ReadonlySet<string>): boolean {
  const { reverses } = reversal.fields;
  const subject = reverses === null ? null : space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind !== 'event' && subject?.kind !== 'reversal') return false;
  return reversalsOf(space, subject)
    .filter((twin) => twin.path !== reversal.path)
    .flatMap((twin) => reversalsOf(space, twin))
    .some((undoing) => isLater(undoing, reversal) && !isTakenBack(space, undoing, seen));
}

function reversalsOf(space: Space, event: Answerable): ReversalRecord[] {
  return space.vault.catalogue
    .answersTo(event.name)
    .filter((answer) => answer.kind === 'reversal')
    .filter((reversal) => reversal.fields.outcome === 'reversed' && isKnownNote(space, reversal));
}

function isLater(one: ReversalRecord, other: ReversalRecord): boolean {
  return momentOf(one.name, one.fields.settled_at) > momentOf(other.name, other.fields.settled_at);
}
