import { currentRecipe, type UndoAssessment } from './assessment.ts';
import type { Answerable, UndoOrder } from './order.ts';
import type { UndoSpace } from './undo-space.ts';

/**
 * Returns until when an undo must wait (epoch ms), because somebody may still be writing the note, the dropped file or
 * the event; null where it need not.
 *
 * A refusal does not wait for the note, and a note that is still exactly what the action left is not being edited.
 */
export function settlingUntil(
  space: UndoSpace,
  assessment: UndoAssessment,
  event: Answerable | null,
  order: UndoOrder,
): number | null {
  const { note } = assessment;
  const isOurs = note?.sha === event?.fields.undo_recipe?.vault_patch.after_sha256;
  const file = order.file === null ? null : space.notes.fresh(order.file.path);
  const mayBeEarly = event === null || (event.fields.undo_recipe !== null && note === null);
  const until = Math.max(
    isOurs ? 0 : (note?.settledAt ?? 0),
    file?.settledAt ?? 0,
    assessment.outcome === 'refused' ? targetWholeAt(space, event) : 0,
    mayBeEarly && (order.by === 'file' || order.by === 'checkbox') ? othersArriveBy(space, order) : 0,
  );
  return until > space.context.now() ? until : null;
}

// A target that is empty or ends inside its frontmatter is still being written, and the undo waits until it is whole.
// One that cannot be read for another reason holds the undo up only as long as somebody typing would.
function targetWholeAt(space: UndoSpace, event: Answerable | null): number {
  const target = currentRecipe(space, event)?.vault_patch.target;
  const record = target === undefined ? undefined : space.vault.catalogue.get(target);
  if (record?.kind !== 'bad') return 0;
  const window = Math.max(1, space.context.settings.settle_seconds) * 1000;
  if (['note-empty', 'frontmatter-unclosed'].includes(record.trouble.code)) return space.context.now() + window;
  return record.stat.mtimeMs > space.context.now() + window ? 0 : record.stat.mtimeMs + window;
}

// Notes are synced in any order, so what a new order is about may still be on its way. The undo waits for it as long as
// for somebody typing. The change time says when the order arrived; the time of last writing comes from another
// machine.
function othersArriveBy(space: UndoSpace, order: UndoOrder): number {
  const window = space.context.settings.settle_seconds * 1000;
  const arrivedAt = Math.max(order.file?.stat.ctimeMs ?? 0, order.event?.stat.ctimeMs ?? 0);
  return arrivedAt > space.context.now() + window ? 0 : arrivedAt + window;
}
