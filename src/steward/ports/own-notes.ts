import { byPath } from '../../vault/index/link-resolver.ts';
import type { EventRecord, ReversalRecord, SignalRecord } from '../../vault/index/record.ts';
import { isAnswerable, isOwn, isOwnSignal } from '../../vault/index/seals.ts';
import type { Records, Seals } from './space.ts';

type Space = Records & Seals;

/** Whether the program itself wrote a signal, an event or a reversal, as its note is now. A second copy is not its own. */
export function isOwnNote(space: Space, record: SignalRecord | EventRecord | ReversalRecord): boolean {
  const { seal } = space.context;
  const isSealed = record.kind === 'signal' ? isOwnSignal(seal, record) : isOwn(seal, record);
  return isSealed && !isCopy(space, record);
}

/**
 * Whether an event or a reversal counts: the program wrote it or carried it out, or found it when it first met the vault.
 * What anybody else says has been decided, answered or taken back is only said.
 */
export function isKnownNote(space: Space, record: EventRecord | ReversalRecord): boolean {
  return isAnswerable(space.context.seal, record) && !isCopy(space, record);
}

// Whoever copies a note into another folder makes no two of it: of one name, only the first of its kind counts.
function isCopy({ vault }: Records, record: SignalRecord | EventRecord | ReversalRecord): boolean {
  return vault.catalogue
    .named(record.name)
    .some((other) => other.kind === record.kind && other.path !== record.path && byPath(other, record) < 0);
}
