import { isChoice, isQuestion } from '../../steward/attention/asking.ts';
import { standingOf } from '../../steward/attention/standing.ts';
import type { ProposalStatus } from '../../steward/proposals/proposal-status.ts';
import { isReversed, reversalHolding } from '../../steward/proposals/reversed.ts';
import { saysItWaits } from '../../vault/index/index-keys.ts';
import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { type EventOutcome, isSiblingType } from '../../vault/records/event.ts';
import { type Becoming, undoable } from '../../vault/words/becoming.ts';
import type { ReadAccess } from '../context/ports.ts';

/** What an event note should say of itself now. */
export interface EventNow {
  /** The flat fields; null for a note whose fields are never moved: the record of an answer, and a reversal. */
  readonly flags: { readonly waits: boolean; readonly outcome: EventOutcome } | null;
  /** What the program's part of the body says; null where it stays as it is. */
  readonly becoming: Becoming | null;
}

/** Returns what has become of an event, as its note should say it. */
export function outcomeNow(space: ReadAccess, event: EventRecord | ReversalRecord): EventNow {
  // The record of an answer is an answer because of its outcome.
  if (event.kind === 'reversal' || isSiblingType(event.fields.type))
    return { flags: null, becoming: madeNow(space, event) };
  if (event.fields.undo_recipe !== null) {
    return closed(isReversed(space, event) ? 'reversed' : 'acted', madeNow(space, event));
  }
  const status = standingOf(space, event);
  switch (status.kind) {
    case 'none':
      // One that was closed before stays as it is.
      return saysItWaits(event.fields) ? closed('recorded', { kind: 'nothing' }) : { flags: null, becoming: null };
    case 'waiting':
    case 'stale':
      return openNow(event);
    case 'confirmed':
      return confirmedNow(space, status.by);
    case 'dismissed':
      return closed('dismissed', { kind: 'dismissed', by: status.by.name, at: timeOf(status.by) });
    case 'superseded':
      return closed('superseded', { kind: 'superseded', by: status.by.name });
    case 'settled':
      // A person's own hand has overtaken a proposal; the occasion of a question has passed.
      return closed(isChoice(event) || isQuestion(event) ? 'expired' : 'superseded', settled(status));
  }
}

function closed(outcome: EventOutcome, becoming: Becoming): EventNow {
  return { flags: { waits: false, outcome }, becoming };
}

function openNow(event: EventRecord): EventNow {
  const asks = isChoice(event) ? 'choice' : isQuestion(event) ? 'question' : 'proposal';
  const outcome = asks === 'question' ? 'recorded' : 'proposed';
  return { flags: { waits: true, outcome }, becoming: { kind: 'open', asks } };
}

function confirmedNow(space: ReadAccess, answer: EventRecord): EventNow {
  const made = madeNow(space, answer);
  if (made.kind === 'reversed' || isReversed(space, answer)) return closed('reversed', made);
  const until = made.kind === 'undoable' ? made.until : null;
  return closed('confirmed', { kind: 'confirmed', by: answer.name, at: timeOf(answer), until });
}

function settled({ reason, by, isMade }: Extract<ProposalStatus, { kind: 'settled' }>): Becoming {
  return { kind: 'settled', by: by?.name ?? null, reason, isMade: isMade === true };
}

/** What has become of something that was made: a change, the record of an answer, a reversal. */
function madeNow(space: ReadAccess, event: EventRecord | ReversalRecord): Becoming {
  const reversal = reversalHolding(space, event);
  if (reversal !== null) return { kind: 'reversed', by: reversal.name, at: timeOf(reversal) };
  if (event.kind === 'reversal' && event.fields.outcome === 'conflict') return conflictNow(space, event);
  return stillOpen(space, undoable(event.kind === 'reversal' ? 'reversal' : 'change', event.fields.undo_recipe));
}

// Once it was taken back after all, there is nothing left to force.
function conflictNow(space: ReadAccess, { fields }: ReversalRecord): Becoming {
  const { reverses } = fields;
  const subject = reverses === null ? null : space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind !== 'event' && subject?.kind !== 'reversal') return { kind: 'nothing' };
  const reversal = reversalHolding(space, subject);
  if (reversal !== null) return { kind: 'reversed', by: reversal.name, at: timeOf(reversal) };
  const until = Date.parse(subject.fields.undo_recipe?.expires_at ?? '');
  const isOpen = !Number.isNaN(until) && !fields.force;
  return isOpen ? stillOpen(space, { kind: 'forcible', until }) : { kind: 'nothing' };
}

function stillOpen(space: ReadAccess, becoming: Becoming): Becoming {
  const isOver = 'until' in becoming && becoming.until !== null && becoming.until < space.context.now();
  return isOver ? { kind: 'over', until: becoming.until } : becoming;
}

function timeOf({ name, kind, fields }: EventRecord | ReversalRecord): number {
  return momentOf(name, kind === 'event' ? fields.timestamp : fields.settled_at);
}
