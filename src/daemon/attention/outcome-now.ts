import { isChoice, isQuestion } from '../../steward/attention/asking.ts';
import { standingOf } from '../../steward/attention/standing.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import { saysItWaits } from '../../vault/index/index-keys.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { type EventOutcome, isSiblingType } from '../../vault/records/event.ts';
import type { ReadAccess } from '../context/ports.ts';

/** What the fields of an event note should say of it now. */
export interface EventNow {
  readonly waits: boolean;
  readonly outcome: EventOutcome;
}

/** Returns what has become of an event, as its note should say it; null for a note whose fields are never moved. */
export function outcomeNow(space: ReadAccess, event: EventRecord): EventNow | null {
  const { fields } = event;
  // The record of an answer is an answer because of its outcome.
  if (isSiblingType(fields.type)) return null;
  const closed = (outcome: EventOutcome): EventNow => ({ waits: false, outcome });
  if (fields.undo_recipe !== null) return closed(isReversed(space, event) ? 'reversed' : 'acted');
  const status = standingOf(space, event);
  switch (status.kind) {
    case 'none':
      return saysItWaits(fields) ? closed('recorded') : null;
    case 'waiting':
    case 'stale':
      return { waits: true, outcome: isQuestion(event) ? 'recorded' : 'proposed' };
    case 'confirmed':
      return closed(isReversed(space, status.by) ? 'reversed' : 'confirmed');
    case 'settled':
      // A person's own hand has overtaken a proposal; the occasion of a question has passed.
      return closed(isAsking(event) ? 'expired' : 'superseded');
    default:
      return closed(status.kind);
  }
}

function isAsking(event: EventRecord): boolean {
  return isChoice(event) || isQuestion(event);
}
