import { byPath } from '../../vault/index/links/link-resolver.ts';
import type { EventRecord, ReversalRecord, SignalRecord } from '../../vault/index/record.ts';
import { isAnswerable, isOwn, isOwnSignal } from '../../vault/index-keys.ts';
import type { Records, Seals } from '../ports.ts';

type Space = Records & Seals;
type Note = SignalRecord | EventRecord | ReversalRecord;

/** Whether the program itself wrote a signal, an event or a reversal, as its note is now. A second copy is not its own. */
export function isOwnNote(space: Space, record: Note): boolean {
  const { seal } = space.context;
  const isSealed = (one: Note) => (one.kind === 'signal' ? isOwnSignal(seal, one) : isOwn(seal, one));
  return isSealed(record) && !isCopy(space, record, isSealed);
}

/**
 * Whether an event or a reversal counts: the program wrote it or carried it out, or found it when it first met the vault.
 * What anybody else says has been decided, answered or taken back is only said.
 */
export function isKnownNote(space: Space, record: EventRecord | ReversalRecord): boolean {
  const isMarked = (one: Note) => one.kind !== 'signal' && isAnswerable(space.context.seal, one);
  return isMarked(record) && !isCopy(space, record, isMarked);
}

// Whoever copies a note into another folder makes no two of it: of one name, only the first of its kind counts. A note
// without the mark takes nobody's place.
function isCopy({ vault }: Records, record: Note, isMarked: (other: Note) => boolean): boolean {
  return vault.catalogue.named(record.name).some((other) => {
    if (other.kind !== record.kind || other.path === record.path) return false;
    return byPath(other, record) < 0 && isMarked(other);
  });
}
