import { isChoice, isQuestion } from '../../steward/attention/asking.ts';
import { standingOf } from '../../steward/attention/standing.ts';
import { handsOffReason } from '../../steward/changes/opt-out.ts';
import type { Answer } from '../../undo/order.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { eventTarget } from '../context/event-target.ts';
import type { ReadAccess, WriteAccess } from '../context/ports.ts';
import type { AnswerOrder } from './answer-order.ts';
import { beingEdited, notOpen } from './answer-result.ts';
import { choose, previewChoose } from './choose.ts';
import { confirm, previewConfirm } from './confirm.ts';
import { dismiss, previewDismiss } from './dismiss.ts';

/** Confirms or dismisses what waits, or takes the note that a person chose, and returns what came of it. */
export function answer(space: WriteAccess, order: AnswerOrder): Answer {
  const { event } = order;
  const given = space.transactions.attempt(
    concerned(space, order),
    () => refusal(space, order) ?? carryOut(space, order),
  );
  return given ?? beingEdited(event, space.context.now() + 1000);
}

function concerned({ vault }: ReadAccess, { event, file }: AnswerOrder): string[] {
  return [eventTarget(vault, event)?.path, event.path, file?.path].filter((path) => path !== undefined);
}

function carryOut(space: WriteAccess, order: AnswerOrder): Answer | null {
  if (order.kind === 'dismiss') return dismiss(space, order);
  return isChoice(order.event) ? choose(space, order) : confirm(space, order);
}

/** What a preview needs to know of an order. */
type AskedAnswer = Pick<AnswerOrder, 'kind' | 'event' | 'choose'>;

/** Returns what an answer would do, without doing it. */
export function previewAnswer(space: ReadAccess, order: AskedAnswer): Answer {
  const { kind, event } = order;
  const refused = refusal(space, order);
  if (refused !== null) return refused;
  if (kind === 'dismiss') return previewDismiss(event);
  return isChoice(event) ? previewChoose(space, order) : previewConfirm(space, event);
}

function refusal(space: ReadAccess, order: AskedAnswer): Answer | null {
  const { event } = order;
  const target = eventTarget(space.vault, event);
  const reason =
    closedReason(space, event) ?? meaninglessReason(order) ?? (target === null ? null : handsOffReason(space, target));
  return reason === null ? null : notOpen(event, reason);
}

function meaninglessReason({ kind, event, choose }: AskedAnswer): string | null {
  if (kind === 'confirm' && isQuestion(event))
    return 'It asks you for something and proposes no change: dismiss it once you have seen to it.';
  if (choose !== null && !isChoice(event)) return 'It means one note only, so there is nothing to choose.';
  return null;
}

function closedReason(space: ReadAccess, event: EventRecord): string | null {
  const status = standingOf(space, event);
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
