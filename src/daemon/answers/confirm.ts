import { permit } from '../../steward/changes/change-policy.ts';
import { inOwnNames } from '../../steward/changes/field-mapping.ts';
import { type FieldEditLike, mutationContext } from '../../steward/changes/permission.ts';
import { recordedChanges } from '../../steward/changes/recorded-changes.ts';
import { supersedes } from '../../steward/proposals/overtaking.ts';
import { withoutPending } from '../../steward/proposals/pending-flag.ts';
import { fitOn, waitingOn } from '../../steward/proposals/proposal-status.ts';
import type { Answer } from '../../undo/order.ts';
import { patchOf, recipeOf } from '../../undo/patch.ts';
import { isRefusal } from '../../vault/errors.ts';
import { editFields } from '../../vault/frontmatter/edit.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import type { UndoRecipe } from '../../vault/records/event.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import { eventTarget } from '../context/event-target.ts';
import type { ReadAccess, WriteAccess } from '../context/ports.ts';
import type { AnswerOrder } from './answer-order.ts';
import { beingEdited, carriedOut, conflict, wouldCarryOut } from './answer-result.ts';
import { commitAnswer } from './answer-transaction.ts';
import { isBeingTyped, proposalNote } from './proposal-note.ts';

/**
 * Makes a proposed change with the person's authority, in any mode, if the note still is what the proposal saw
 * (contract, section 8). Leaves an answer note with a recipe of its own; the proposal is not rewritten. Returns null
 * where a note changed before anything was written.
 */
export function confirm(space: WriteAccess, order: AnswerOrder): Answer | null {
  const { event } = order;
  const subject = subjectOf(space, event);
  if (subject !== null && isBeingTyped(event, subject.note, space.context.now()))
    return beingEdited(event, subject.note.settledAt);
  const plan = planConfirm(space, event, subject);
  return plan.ok ? confirmed(space, order, plan) : conflict(event, plan.reason, plan.next);
}

/** Returns what `confirm` would say, without changing anything. Does not wait for a note that is being edited. */
export function previewConfirm(space: ReadAccess, event: EventRecord): Answer {
  const plan = planConfirm(space, event, subjectOf(space, event));
  return plan.ok ? wouldCarryOut(event, 'confirmed') : conflict(event, plan.reason, plan.next);
}

/** The matter or task that a proposal is about, as catalogued and as it is on disk now. */
interface Subject {
  readonly target: TargetRecord;
  readonly note: NoteSnapshot;
}

function subjectOf(space: ReadAccess, event: EventRecord): Subject | null {
  const target = eventTarget(space.vault, event);
  const note = proposalNote(space, event);
  return target === null || note === null ? null : { target, note };
}

/** The edit that makes a proposed change. `cleared`: it also takes the note's flag away. */
interface ConfirmPlan {
  readonly ok: true;
  readonly note: NoteSnapshot;
  readonly text: string;
  readonly recipe: UndoRecipe;
  readonly cleared: boolean;
}

/** Why a proposed change cannot be made, and what the person can do next. */
interface NoPlan {
  readonly ok: false;
  readonly reason: string;
  readonly next: string;
}

const MEND = 'Mend that, or dismiss the proposal.';
const GONE: NoPlan = {
  ok: false,
  reason: 'The note is gone, or cannot be read just now.',
  next: 'Try again when it is back.',
};

function planConfirm(space: ReadAccess, event: EventRecord, subject: Subject | null): ConfirmPlan | NoPlan {
  if (subject === null) return GONE;
  const { target, note } = subject;
  const fit = fitOn(space, event, target, note);
  if (fit.kind === 'moved') return movedOn(space, event, note, fit.field);
  if (fit.kind === 'closed')
    return { ok: false, reason: `${target.name} is ${fit.state} since.`, next: 'It closes itself.' };
  const permission = permissionFor(space, event, subject);
  if (!permission.ok) return { ...permission, next: MEND };
  try {
    return editPlan(note, bareText(space, event, note), permission.edits, space.context.now());
  } catch (error) {
    if (isRefusal(error)) return { ok: false, reason: error.message, next: MEND };
    throw error;
  }
}

// A person has changed a field that the proposal rests on, so it no longer fits the note.
function movedOn(space: ReadAccess, event: EventRecord, note: NoteSnapshot, field: string): NoPlan {
  const again = waitingOn(space, note.path, note).find((one) => one.event.path === event.path)?.again ?? [];
  const next =
    again.length > 0
      ? 'Its signals are weighed again on the note as it is, at the next tick.'
      : 'Its signals were weighed again since, or are gone: dismiss it, or make the change by hand.';
  return { ok: false, reason: `The field ${field} has changed since the proposal was made.`, next };
}

function permissionFor(space: ReadAccess, event: EventRecord, { target, note }: Subject) {
  const { field_mapping: mapping } = space.context.settings;
  const context = mutationContext(space, target, note.data);
  return inOwnNames(permit(recordedChanges(event.fields.changes, mapping, context.words), context), context, mapping);
}

// A confirmation also closes the other proposals that the change overtakes.
function bareText(space: ReadAccess, event: EventRecord, note: NoteSnapshot): string {
  const made = { ...event.fields, speakers: null };
  return withoutPending(space, note, (other) => other.path === event.path || supersedes(made, other));
}

function editPlan(note: NoteSnapshot, bare: string, edits: readonly FieldEditLike[], now: number): ConfirmPlan {
  const edited = editFields(note.path, bare, edits);
  const recipe = recipeOf(patchOf(note.path, bare, edited.text, edited.patch), now);
  return { ok: true, note, text: edited.text, recipe, cleared: bare !== note.text };
}

/**
 * Makes edits of a note as a confirmation of an event does; none settle the event. Returns null where a note changed
 * before anything was written.
 */
export function carryOutEdits(
  space: WriteAccess,
  order: AnswerOrder,
  note: NoteSnapshot,
  edits: readonly FieldEditLike[],
): Answer | null {
  if (edits.length === 0) return confirmed(space, order, { note, text: note.text, recipe: null, cleared: false });
  try {
    return confirmed(space, order, editPlan(note, bareText(space, order.event, note), edits, space.context.now()));
  } catch (error) {
    if (isRefusal(error)) return conflict(order.event, error.message, MEND);
    throw error;
  }
}

/** What a confirmation makes of a note; without a recipe where it changes nothing. */
type Confirmed = Pick<ConfirmPlan, 'note' | 'text' | 'cleared'> & { readonly recipe: UndoRecipe | null };

function confirmed(space: WriteAccess, order: AnswerOrder, plan: Confirmed): Answer | null {
  const { note, text, recipe, cleared } = plan;
  const committed = commitAnswer(space, order, {
    what: 'confirmed',
    edits: text === note.text ? [] : [textStep(note.path, note.text, text)],
    recipe,
    cleared,
  });
  if (committed === null) return null;
  const { changes, decision, confidence } = order.event.fields;
  space.context.emit({
    what: 'confirmed',
    event: committed.path,
    target: note.path,
    decision,
    confidence,
    changes,
    reason: `by ${order.by}`,
  });
  return carriedOut(order.event, 'confirmed', committed.path, committed.calibrations);
}
