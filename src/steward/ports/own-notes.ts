import type { EventRecord, ReversalRecord, SignalRecord } from '../../vault/index/record.ts';
import { isAnswerable, isOwn, isOwnSignal } from '../../vault/index/seals.ts';
import type { Records, Seals } from './space.ts';

type Space = Records & Seals;

/** Whether the program itself wrote a signal, an event or a reversal, as its note is now. A second copy is not its own. */
export function isOwnNote(space: Space, record: SignalRecord | EventRecord | ReversalRecord): boolean {
  const { seal } = space.context;
  const isSealed = record.kind === 'signal' ? isOwnSignal(seal, record) : isOwn(seal, record);
  return isSealed && !space.vault.catalogue.isCopy(record);
}

/**
 * Whether an event or a reversal counts: the program wrote it or carried it out, or found it when it first met the vault.
 * What anybody else says has been decided, answered or taken back is only said.
 */
export function isKnownNote(space: Space, record: EventRecord | ReversalRecord): boolean {
  return isAnswerable(space.context.seal, record) && !space.vault.catalogue.isCopy(record);
}
