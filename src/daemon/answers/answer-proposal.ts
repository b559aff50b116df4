import { isHandsOff } from '../../steward/changes/opt-out.ts';
import { proposalStatus } from '../../steward/proposals/proposal-status.ts';
import type { Answer } from '../../undo/order.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { eventTarget } from '../context/event-target.ts';
import type { ReadAccess, WriteAccess } from '../context/ports.ts';
import type { AnswerOrder } from './answer-order.ts';
import { beingEdited, notOpen } from './answer-result.ts';
import { confirm, previewConfirm } from './confirm.ts';
import { dismiss, previewDismiss } from './dismiss.ts';

/** Confirms or dismisses a proposal, as a person ordered, and returns what came of it. */
export function answer(space: WriteAccess, order: AnswerOrder): Answer {
  const { kind, event } = order;
  const carryOut = kind === 'confirm' ? confirm : dismiss;
  const given = space.transactions.attempt(() => refusal(space, event) ?? carryOut(space, order));
  return given ?? beingEdited(event, space.context.now() + 1000);
}

/** Returns what an answer would do, without doing it. */
export function previewAnswer(space: ReadAccess, { kind, event }: Pick<AnswerOrder, 'kind' | 'event'>): Answer {
  return refusal(space, event) ?? (kind === 'confirm' ? previewConfirm(space, event) : previewDismiss(event));
}

function refusal(space: ReadAccess, event: EventRecord): Answer | null {
  const target = eventTarget(space.vault, event);
  const reason =
    closedReason(space, event) ??
    (target !== null && isHandsOff(space, target) ? `${target.name} says steward: false.` : null);
  return reason === null ? null : notOpen(event, reason);
}

function closedReason(space: ReadAccess, event: EventRecord): string | null {
  const status = proposalStatus(space, event);
  switch (status.kind) {
    case 'none':
      return 'The event proposes nothing that is not done already.';
    case 'confirmed':
    case 'dismissed':
      return `The proposal was closed before, by [[${status.by.name}]].`;
    case 'superseded':
      return `The proposal was overtaken by [[${status.by.name}]].`;
    case 'settled':
      return `The proposal closed itself: ${status.reason}.`;
    default:
      return null;
  }
}
