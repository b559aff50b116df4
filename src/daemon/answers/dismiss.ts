import { withoutPending } from '../../steward/proposals/pending-flag.ts';
import type { Answer } from '../../undo/order.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import type { EditStep } from '../../vault/transaction/intent.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { WriteAccess } from '../context/ports.ts';
import type { AnswerOrder } from './answer-order.ts';
import { beingEdited, carriedOut, wouldCarryOut } from './answer-result.ts';
import { commitAnswer } from './answer-transaction.ts';
import { isBeingTyped, proposalNote } from './proposal-note.ts';

/**
 * Closes a proposal without making its change, and lowers the confidence of its sources. Returns null where a note
 * changed before anything was written.
 */
export function dismiss(space: WriteAccess, order: AnswerOrder): Answer | null {
  const { event } = order;
  const note = proposalNote(space, event);
  const bare = note === null ? null : withoutPending(space, note, (other) => other.path === event.path);
  if (note === null || bare === null || bare === note.text) return dismissed(space, order, []);
  if (isBeingTyped(event, note, space.context.now())) return beingEdited(event, note.settledAt);
  return dismissed(space, order, [textStep(note.path, note.text, bare)]);
}

/** Returns what `dismiss` would say, without changing anything. */
export function previewDismiss(event: EventRecord): Answer {
  return wouldCarryOut(event, 'dismissed');
}

function dismissed(space: WriteAccess, order: AnswerOrder, edits: readonly EditStep[]): Answer | null {
  const { event } = order;
  const committed = commitAnswer(space, order, {
    what: 'dismissed',
    edits,
    recipe: null,
    cleared: edits.length > 0,
  });
  if (committed === null) return null;
  space.context.emit({ what: 'dismissed', event: committed.path, target: event.fields.target_path ?? '' });
  return carriedOut(event, 'dismissed', committed.path, committed.calibrations);
}
