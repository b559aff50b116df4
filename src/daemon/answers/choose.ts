import { signalOf } from '../../steward/attention/asking.ts';
import { permitted } from '../../steward/changes/field-mapping.ts';
import { mutationContext, type Permission } from '../../steward/changes/permission.ts';
import { proposalChanges } from '../../steward/ports/mutation-class.ts';
import { speakerOf } from '../../steward/trust/speaker.ts';
import type { Answer } from '../../undo/order.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { chosenTarget } from '../attention/remark.ts';
import type { ReadAccess, WriteAccess } from '../context/ports.ts';
import type { AnswerOrder } from './answer-order.ts';
import { beingEdited, conflict, notOpen, wouldCarryOut } from './answer-result.ts';
import { carryOutEdits } from './confirm.ts';

const CHOOSE = 'Choose another note, or dismiss it.';

/**
 * Takes the note that a person chose for a signal that may be about any of several: what the signal proposes is made
 * there with the person's authority, as a confirmed proposal is. Where it proposes nothing, the choice settles it.
 * Returns null where a note changed before anything was written.
 */
export function choose(space: WriteAccess, order: AnswerOrder): Answer | null {
  const chosen = choiceOf(space, order);
  if (!chosen.ok) return chosen.answer;
  const { event, note } = chosen;
  if (chosen.edits.length > 0 && note.settledAt > space.context.now()) return beingEdited(event, note.settledAt);
  return carryOutEdits(space, { ...order, event }, note, chosen.edits);
}

/** Returns what `choose` would say, without changing anything. */
export function previewChoose(space: ReadAccess, order: Pick<AnswerOrder, 'event' | 'choose'>): Answer {
  const chosen = choiceOf(space, order);
  return chosen.ok ? wouldCarryOut(chosen.event, 'confirmed') : chosen.answer;
}

/** A choice that can be carried out: the event as it would be if it had meant the chosen note from the beginning. */
interface Choice {
  readonly ok: true;
  readonly event: EventRecord;
  readonly note: NoteSnapshot;
  readonly edits: Extract<Permission, { ok: true }>['edits'];
}

function choiceOf(
  space: ReadAccess,
  { event, choose: written }: Pick<AnswerOrder, 'event' | 'choose'>,
): Choice | { readonly ok: false; readonly answer: Answer } {
  const refused = (answer: Answer) => ({ ok: false, answer }) as const;
  if (written === null)
    return refused(notOpen(event, 'It may mean any of several notes: say which, with choose or --choose NOTE.'));
  const target = chosenTarget(space, written);
  if (typeof target === 'string') return refused(notOpen(event, target));
  const note = space.notes.fresh(target.path);
  if (note === null) return refused(conflict(event, 'The chosen note cannot be read just now.', CHOOSE));
  const permission = permissionOn(space, event, target, note);
  if (!permission.ok) return refused(conflict(event, permission.reason, CHOOSE));
  return { ok: true, event: aimed(space, event, target, permission), note, edits: permission.edits };
}

function permissionOn(space: ReadAccess, event: EventRecord, target: TargetRecord, note: NoteSnapshot): Permission {
  const proposal = signalOf(space, event)?.fields.mutation_proposal ?? null;
  const changes = proposal === null ? [] : proposalChanges(proposal);
  return permitted(
    { changes, proposal },
    mutationContext(space, target, note.data),
    space.context.settings.field_mapping,
  );
}

// To choose is to confirm: whoever spoke was right.
function aimed(
  space: ReadAccess,
  event: EventRecord,
  target: TargetRecord,
  { changes }: Extract<Permission, { ok: true }>,
): EventRecord {
  const signal = signalOf(space, event);
  const contributions = signal === null ? {} : { [speakerOf(space, signal).source]: 1 };
  const fields = { ...event.fields, target_path: target.path, changes, source_contributions: contributions };
  return { ...event, fields };
}
