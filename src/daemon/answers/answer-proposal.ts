import { permit } from '../../steward/changes/change-policy.ts';
import { inOwnNames } from '../../steward/changes/field-mapping.ts';
import { isHandsOff } from '../../steward/changes/opt-out.ts';
import type { FieldEditLike } from '../../steward/changes/permission.ts';
import { recordedChanges } from '../../steward/changes/recorded-changes.ts';
import { type Calibration, recorded } from '../../steward/learning/calibration.ts';
import { afterDismissal, afterObservation, type Instinct } from '../../steward/learning/instinct.ts';
import { teach } from '../../steward/learning/lessons.ts';
import { withoutPending } from '../../steward/proposals/pending-flag.ts';
import { fitOn, proposalStatus, supersedes, waitingOn } from '../../steward/proposals/proposal-status.ts';
import { type Answer, type Door, ONLY_ASKED } from '../../undo/order.ts';
import { patchOf, recipeOf } from '../../undo/patch.ts';
import { StewardError } from '../../vault/errors.ts';
import { editFields } from '../../vault/frontmatter/edit.ts';
import type { EventRecord, OrderRecord, TargetRecord } from '../../vault/index/record.ts';
import { stem } from '../../vault/note-names.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import type { UndoRecipe } from '../../vault/records/event.ts';
import type { Step } from '../../vault/transaction/journal.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { ReadAccess, WriteAccess } from '../context/ports.ts';
import { contextFor } from '../decide/permission.ts';
import { stampSteps } from '../decide/signal-stamps.ts';
import { answerNotePath, answerNoteStep } from './answer-note.ts';

/** A person's answer to a proposal. */
export interface AnswerOrder {
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord;
  readonly by: Door;
  /** The file that the person dropped; null where the answer came through another door. */
  readonly file: OrderRecord | null;
}

/** Confirms or dismisses a proposal, as a person ordered. */
export function answer(space: WriteAccess, order: AnswerOrder): Answer {
  return (order.kind === 'confirm' ? confirm : dismiss)(space, order);
}

/** What an answer would do, without doing it. */
export function previewAnswer(space: ReadAccess, { kind, event }: Pick<AnswerOrder, 'kind' | 'event'>): Answer {
  return (kind === 'confirm' ? previewConfirm : previewDismiss)(space, event);
}

/**
 * Makes a proposed change with the person's authority, in any mode, if the note still is what the proposal saw
 * (contract, section 8). Leaves a sibling note with a recipe of its own; the proposal is not rewritten.
 */
function confirm(space: WriteAccess, order: AnswerOrder): Answer {
  const { event } = order;
  const answer = space.transactions.attempt(() => {
    const refused = notOpen(space, event);
    if (refused !== null) return refused;
    const note = noteOf(space, event);
    const target = targetOf(space.vault, event);
    if (note === null || target === null)
      return conflict(event, 'The note is gone, or cannot be read just now.', 'Try again when it is back.');
    if (isTyped(event, note, space.context.now())) return settling(event, note.settledAt);
    const plan = planConfirm(space, event, target, note);
    return plan.ok ? confirmed(space, order, note, plan) : conflict(event, plan.reason, plan.next);
  });
  return answer ?? settling(event, space.context.now() + 1000);
}

/** Closes a proposal without making its change, and tells the sources so. */
function dismiss(space: WriteAccess, order: AnswerOrder): Answer {
  const { event } = order;
  const answer = space.transactions.attempt(() => {
    const refused = notOpen(space, event);
    if (refused !== null) return refused;
    const note = noteOf(space, event);
    const bare = note === null ? null : withoutPending(space, note, (other) => other.path === event.path);
    const flagged = note !== null && bare !== null && bare !== note.text;
    if (flagged && isTyped(event, note, space.context.now())) return settling(event, note.settledAt);
    return dismissed(space, order, flagged ? [textStep(note.path, note.text, bare)] : []);
  });
  return answer ?? settling(event, space.context.now() + 1000);
}

function previewConfirm(space: ReadAccess, event: EventRecord): Answer {
  const refused = notOpen(space, event);
  if (refused !== null) return refused;
  const note = noteOf(space, event);
  const target = targetOf(space.vault, event);
  if (note === null || target === null)
    return conflict(event, 'The note is gone, or cannot be read just now.', 'Try again when it is back.');
  const plan = planConfirm(space, event, target, note);
  if (!plan.ok) return conflict(event, plan.reason, plan.next);
  return { ...answerOk(event, 'confirmed', null, []), message: ONLY_ASKED };
}

function previewDismiss(space: ReadAccess, event: EventRecord): Answer {
  return notOpen(space, event) ?? { ...answerOk(event, 'dismissed', null, []), message: ONLY_ASKED };
}

// A note that still is what the proposal left is nobody's typing, whichever process wrote it.
function isTyped(event: EventRecord, note: NoteSnapshot, now: number): boolean {
  return note.sha !== event.fields.pending_patch?.after_sha256 && note.settledAt > now;
}

type Plan =
  | { readonly ok: true; readonly text: string; readonly recipe: UndoRecipe; readonly cleared: boolean }
  | { readonly ok: false; readonly reason: string; readonly next: string };

const MEND = 'Mend that, or dismiss the proposal.';

function planConfirm(space: ReadAccess, event: EventRecord, target: TargetRecord, note: NoteSnapshot): Plan {
  const fit = fitOn(event, target, note);
  if (fit.kind === 'moved') return movedOn(space, event, note, fit.field);
  if (fit.kind === 'closed')
    return { ok: false, reason: `${target.name} is ${fit.state} since.`, next: 'It closes itself.' };
  const { field_mapping: mapping } = space.context.settings;
  const permission = inOwnNames(
    permit(recordedChanges(event.fields.changes, mapping), contextFor(space, target, note)),
    note.data,
    mapping,
  );
  if (!permission.ok) return { ...permission, next: MEND };
  try {
    return editPlan(note, bareText(space, event, note), permission.edits, space.context.now());
  } catch (error) {
    if (error instanceof StewardError) return { ok: false, reason: error.message, next: MEND };
    throw error;
  }
}

// Where a person has moved one of the fields that the proposal rests on, it is about a note that is no more.
function movedOn(space: ReadAccess, event: EventRecord, note: NoteSnapshot, field: string): Plan {
  const again = waitingOn(space, note.path, note).find((one) => one.event.path === event.path)?.again ?? [];
  const next =
    again.length > 0
      ? 'Its signals are weighed again on the note as it is, at the next tick.'
      : 'Its signals were weighed again since, or are gone: dismiss it, or make the change by hand.';
  return { ok: false, reason: `The field ${field} has changed since the proposal was made.`, next };
}

function editPlan(note: NoteSnapshot, bare: string, edits: readonly FieldEditLike[], now: number): Plan {
  const edited = editFields(note.path, bare, edits);
  const recipe = recipeOf(patchOf(note.path, bare, edited.text, edited.patch), now);
  return { ok: true, text: edited.text, recipe, cleared: bare !== note.text };
}

function confirmed(
  space: WriteAccess,
  order: AnswerOrder,
  note: NoteSnapshot,
  plan: Extract<Plan, { ok: true }>,
): Answer | null {
  const { event, by } = order;
  const now = space.context.now();
  const made = { ...order, what: 'confirmed' as const, now };
  const path = answerNotePath(space.transactions, made);
  const what = `confirmed in ${linkTo(stem(path))}`;
  const move = (instinct: Instinct) => afterObservation(instinct);
  const taught = teach(space, Object.keys(event.fields.source_contributions), { at: now, what, move });
  const sibling = answerNoteStep(space.notes, path, { ...made, ...plan, calibrations: taught.calibrations });
  if (sibling === null) return null;
  const steps: Step[] = [
    ...(plan.text === note.text ? [] : [textStep(note.path, note.text, plan.text)]),
    sibling,
    ...stampSteps(space.notes, signalPaths(space.vault, event), path, now),
    ...taught.steps,
  ];
  if (!space.transactions.commit(path, steps)) return null;
  const { changes, decision, confidence } = event.fields;
  space.context.emit({
    what: 'confirmed',
    event: path,
    target: note.path,
    decision,
    confidence,
    changes,
    reason: `by ${by}`,
  });
  return answerOk(event, 'confirmed', path, []);
}

function dismissed(space: WriteAccess, order: AnswerOrder, edit: Step[]): Answer | null {
  const { event } = order;
  const now = space.context.now();
  const made = { ...order, what: 'dismissed' as const, now };
  const path = answerNotePath(space.transactions, made);
  const sources = Object.keys(event.fields.source_contributions);
  const what = `dismissed in ${linkTo(stem(path))}`;
  const taught = teach(space, sources, { at: now, what, move: (instinct) => afterDismissal(instinct, now) });
  const cleared = edit.length > 0;
  const sibling = answerNoteStep(space.notes, path, {
    ...made,
    recipe: null,
    calibrations: taught.calibrations,
    cleared,
  });
  if (sibling === null) return null;
  const steps: Step[] = [
    ...edit,
    sibling,
    ...stampSteps(space.notes, signalPaths(space.vault, event), path, now, 'skipped'),
    ...taught.steps,
  ];
  if (!space.transactions.commit(path, steps)) return null;
  space.context.emit({ what: 'dismissed', event: path, target: event.fields.target_path ?? '' });
  return answerOk(event, 'dismissed', path, taught.calibrations);
}

function signalPaths(vault: Vault, event: EventRecord): { path: string }[] {
  return event.fields.signals.flatMap((link) => {
    const signal = vault.catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' ? [{ path: signal.path }] : [];
  });
}

// Confirming closes whatever the same change overtakes.
function bareText(space: ReadAccess, event: EventRecord, note: NoteSnapshot): string {
  return withoutPending(space, note, (other) => other.path === event.path || supersedes(event.fields, other));
}

function targetOf(vault: Vault, event: EventRecord): TargetRecord | null {
  const path = placeOf(vault, event);
  const record = path === null ? undefined : vault.catalogue.get(path);
  if (record?.kind !== 'task' && record?.kind !== 'matter') return null;
  return record;
}

function noteOf(space: ReadAccess, event: EventRecord): NoteSnapshot | null {
  const path = placeOf(space.vault, event);
  return path === null ? null : space.notes.fresh(path);
}

// The note may have been moved since the event was written.
function placeOf(vault: Vault, event: EventRecord): string | null {
  const { target_path: path } = event.fields;
  return path === null ? null : vault.catalogue.currentPath(path);
}

function notOpen(space: ReadAccess, event: EventRecord): Answer | null {
  const target = targetOf(space.vault, event);
  const reason =
    closedReason(space, event) ??
    (target !== null && isHandsOff(space, target) ? `${target.name} says steward: false.` : null);
  return reason === null ? null : { ...answerOk(event, 'not-a-proposal', null, []), message: reason };
}

function closedReason(space: ReadAccess, event: EventRecord): string | null {
  const standing = proposalStatus(space, event);
  switch (standing.kind) {
    case 'none':
      return 'The event proposes nothing that is not done already.';
    case 'confirmed':
    case 'dismissed':
      return `The proposal was closed before, by [[${standing.by.name}]].`;
    case 'superseded':
      return `The proposal was overtaken by [[${standing.by.name}]].`;
    case 'settled':
      return `The proposal closed itself: ${standing.reason}.`;
    default:
      return null;
  }
}

function conflict(event: EventRecord, reason: string, next: string): Answer {
  return { ...answerOk(event, 'conflict', null, []), message: `Nothing was changed. ${reason} ${next}` };
}

function settling(event: EventRecord, until: number): Answer {
  const message = `${event.fields.target_path} is being edited just now; it is done as soon as it has been quiet.`;
  return { ...answerOk(event, 'settling', null, []), message, until };
}

function answerOk(
  event: EventRecord,
  outcome: Answer['outcome'],
  note: string | null,
  calibrations: readonly Calibration[],
): Answer {
  const said = outcome === 'confirmed' ? 'The change was made.' : 'The proposal was closed; nothing was changed.';
  return {
    event: event.name,
    outcome,
    note,
    target: event.fields.target_path,
    changes: outcome === 'confirmed' ? event.fields.changes : {},
    calibration: recorded(calibrations).calibration,
    message: said,
    until: null,
  };
}
