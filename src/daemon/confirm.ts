import { afterDismissal, afterObservation } from '../steward/instinct.ts';
import { type FieldEditLike, permit } from '../steward/mutation.ts';
import { patchOf, recipeOf } from '../undo/recipe.ts';
import { calibrationText } from '../undo/reversal.ts';
import { editFields } from '../vault/edit.ts';
import { briefly, changeTable, noteText } from '../vault/event-note.ts';
import type { Step } from '../vault/journal.ts';
import { wikilink } from '../vault/links.ts';
import type { EventRecord, TargetRecord } from '../vault/record.ts';
import type { UndoRecipe } from '../vault/records/event.ts';
import type { Frontmatter } from '../vault/records/values.ts';
import { utc } from '../vault/time.ts';
import { StewardError } from '../vault/trouble.ts';
import { same } from '../vault/values-equal.ts';
import { type Answer, type Door, ONLY_ASKED } from './answer.ts';
import { carryOut, finishHeldUp } from './apply.ts';
import { askedChanges } from './asked-changes.ts';
import { contextFor, stampSteps } from './judgement.ts';
import { freeEventPath, intentId } from './names.ts';
import { inOwnNames } from './own-names.ts';
import { isHandsOff } from './perceive.ts';
import { answerOf, isProposal, supersededBy, withoutPending } from './proposals.ts';
import { type Reading, readFresh } from './reading.ts';
import { type Calibration, calibrate } from './sources.ts';
import { textStep } from './steps.ts';
import type { Workspace } from './workspace.ts';

const TRIES = 3;

/**
 * Makes a proposed change with the person's authority, in any mode, if the note still is what the proposal saw
 * (contract, section 8). Leaves a sibling note with a recipe of its own; the proposal is not rewritten.
 */
export function confirm(space: Workspace, event: EventRecord, by: Door): Answer {
  finishHeldUp(space);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const refused = notOpen(space, event);
    if (refused !== null) return refused;
    const note = noteOf(space, event);
    const target = targetOf(space, event);
    if (note === null || target === null) return conflict(event, 'The note is gone, or cannot be read just now.');
    if (isTyped(event, note, space.now())) return settling(event, note.settledAt);
    const plan = planConfirm(space, event, target, note);
    if (!plan.ok) return conflict(event, plan.reason);
    const answer = confirmed(space, event, note, plan, by);
    if (answer !== null) return answer;
  }
  return settling(event, space.now() + 1000);
}

/** Closes a proposal without making its change, and tells the sources so. */
export function dismiss(space: Workspace, event: EventRecord, by: Door): Answer {
  finishHeldUp(space);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const refused = notOpen(space, event);
    if (refused !== null) return refused;
    const note = noteOf(space, event);
    const bare = note === null ? null : bareText(space, event, note);
    const flagged = note !== null && bare !== null && bare !== note.text;
    if (flagged && isTyped(event, note, space.now())) return settling(event, note.settledAt);
    const edit = flagged ? [textStep(note.path, note.text, bare)] : [];
    const answer = dismissed(space, event, edit, by);
    if (answer !== null) return answer;
  }
  return settling(event, space.now() + 1000);
}

/** What confirming would do, without doing it. */
export function previewConfirm(space: Workspace, event: EventRecord): Answer {
  const refused = notOpen(space, event);
  if (refused !== null) return refused;
  const note = noteOf(space, event);
  const target = targetOf(space, event);
  if (note === null || target === null) return conflict(event, 'The note is gone, or cannot be read just now.');
  const plan = planConfirm(space, event, target, note);
  if (!plan.ok) return conflict(event, plan.reason);
  return { ...answerOk(event, 'confirmed', null, []), message: ONLY_ASKED };
}

/** What dismissing would do, without doing it. */
export function previewDismiss(space: Workspace, event: EventRecord): Answer {
  return notOpen(space, event) ?? { ...answerOk(event, 'dismissed', null, []), message: ONLY_ASKED };
}

// A note that still is what the proposal left is nobody's typing, whichever process wrote it.
function isTyped(event: EventRecord, note: Reading, now: number): boolean {
  return note.sha !== event.fields.pending_patch?.after_sha256 && note.settledAt > now;
}

type Plan =
  | { readonly ok: true; readonly text: string; readonly recipe: UndoRecipe }
  | { readonly ok: false; readonly reason: string };

function planConfirm(space: Workspace, event: EventRecord, target: TargetRecord, note: Reading): Plan {
  const moved = movedOn(event, note.data);
  if (moved !== null) return { ok: false, reason: moved };
  const { field_mapping: mapping } = space.settings;
  const permission = inOwnNames(
    permit(askedChanges(event.fields.changes, mapping), contextFor(space, target, note)),
    note.data,
    mapping,
  );
  if (!permission.ok) return permission;
  try {
    return editPlan(note, bareText(space, event, note), permission.edits, space.now());
  } catch (error) {
    if (error instanceof StewardError) return { ok: false, reason: error.message };
    throw error;
  }
}

function editPlan(note: Reading, bare: string, edits: readonly FieldEditLike[], now: number): Plan {
  const edited = editFields(note.path, bare, edits);
  return { ok: true, text: edited.text, recipe: recipeOf(patchOf(note.path, bare, edited.text, edited.patch), now) };
}

// The proposed fields, and the state and parent that the proposal was made on: where a person has moved one of them
// since, the proposal is about a note that is no more.
function movedOn(event: EventRecord, data: Frontmatter): string | null {
  for (const [field, { before }] of Object.entries(event.fields.changes)) {
    if (!same(data[field] ?? null, before)) return `The field ${field} has changed since the proposal was made.`;
  }
  const prior = event.fields.prior_frontmatter;
  if (Object.keys(prior).length === 0) return null;
  const anchor = ['state', 'status', 'parent_matter'].find((field) => !same(data[field] ?? null, prior[field] ?? null));
  return anchor === undefined ? null : `The field ${anchor} has changed since the proposal was made.`;
}

function confirmed(
  space: Workspace,
  event: EventRecord,
  note: Reading,
  plan: Extract<Plan, { ok: true }>,
  by: Door,
): Answer | null {
  const now = space.now();
  const path = freeEventPath(space, `${kindOf(event)}-confirmed`, note.path, now);
  const taught = calibrate(space, Object.keys(event.fields.source_contributions), afterObservation);
  const text = siblingText(event, 'confirmed', by, now, plan.recipe, []);
  const steps: Step[] = [
    ...(plan.text === note.text ? [] : [textStep(note.path, note.text, plan.text)]),
    { do: 'create', path, text },
    ...stampSteps(space, signalPaths(space, event), path, now),
    ...taught.steps,
  ];
  if (!carryOut(space, { schemaVersion: 1, id: intentId(path), at: utc(now), steps }).done) return null;
  const { changes, decision, confidence } = event.fields;
  space.say({ what: 'confirmed', event: path, target: note.path, decision, confidence, changes, reason: `by ${by}` });
  return answerOk(event, 'confirmed', path, []);
}

function dismissed(space: Workspace, event: EventRecord, edit: Step[], by: Door): Answer | null {
  const now = space.now();
  const path = freeEventPath(space, `${kindOf(event)}-dismissed`, event.fields.target_path ?? 'unknown', now);
  const sources = Object.keys(event.fields.source_contributions);
  const taught = calibrate(space, sources, (instinct) => afterDismissal(instinct, now));
  const text = siblingText(event, 'dismissed', by, now, null, taught.calibrations);
  const steps: Step[] = [
    ...edit,
    { do: 'create', path, text },
    ...stampSteps(space, signalPaths(space, event), path, now, 'skipped'),
    ...taught.steps,
  ];
  if (!carryOut(space, { schemaVersion: 1, id: intentId(path), at: utc(now), steps }).done) return null;
  space.say({ what: 'dismissed', event: path, target: event.fields.target_path ?? '' });
  return answerOk(event, 'dismissed', path, taught.calibrations);
}

function siblingText(
  event: EventRecord,
  what: 'confirmed' | 'dismissed',
  by: Door,
  now: number,
  recipe: UndoRecipe | null,
  calibrations: readonly Calibration[],
): string {
  const { fields } = event;
  const frontmatter = {
    type: `${kindOf(event)}-${what}`,
    timestamp: utc(now),
    [what === 'confirmed' ? 'confirms' : 'dismisses']: wikilink(event.path),
    [`${what}_by`]: by,
    target: fields.target_path === null ? null : wikilink(fields.target_path),
    target_path: fields.target_path,
    decision: fields.decision,
    confidence: fields.confidence,
    mode: 'live',
    changes: what === 'confirmed' ? briefly(fields.changes) : {},
    source_contributions: fields.source_contributions,
    signals: fields.signals,
    calibration: Object.fromEntries(calibrations.map((one) => [one.source, calibrationText(one.before, one.after)])),
    plane_action: null,
    undo_recipe: recipe,
    undo: false,
  };
  const opening = `A person ${what} the proposal [[${event.name}]].`;
  return noteText(
    frontmatter,
    what === 'confirmed' ? `${opening}\n\n${changeTable(briefly(fields.changes))}` : opening,
  );
}

function signalPaths(space: Workspace, event: EventRecord): { path: string }[] {
  return event.fields.signals.flatMap((link) => {
    const signal = space.vault.catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' ? [{ path: signal.path }] : [];
  });
}

function bareText(space: Workspace, event: EventRecord, note: Reading): string {
  return withoutPending(space.vault.catalogue, note, (other) => other.path === event.path);
}

function targetOf(space: Workspace, event: EventRecord): TargetRecord | null {
  const path = placeOf(space, event);
  const record = path === null ? undefined : space.vault.catalogue.get(path);
  if (record?.kind !== 'task' && record?.kind !== 'matter') return null;
  return record;
}

function noteOf(space: Workspace, event: EventRecord): Reading | null {
  const path = placeOf(space, event);
  return path === null ? null : readFresh(space, path);
}

// The note may have been moved since the event was written.
function placeOf(space: Workspace, event: EventRecord): string | null {
  const { target_path: path } = event.fields;
  return path === null ? null : space.vault.catalogue.whereabouts(path);
}

function kindOf(event: EventRecord): 'steward-action' | 'signal-action' {
  return event.fields.type.startsWith('signal-') ? 'signal-action' : 'steward-action';
}

function notOpen(space: Workspace, event: EventRecord): Answer | null {
  const { catalogue } = space.vault;
  const target = targetOf(space, event);
  const reason = !isProposal(event)
    ? 'The event proposes nothing that is not done already.'
    : answerOf(catalogue, event) !== null
      ? `The proposal was closed before, by [[${answerOf(catalogue, event)?.name}]].`
      : supersededBy(catalogue, event) !== null
        ? `The proposal was overtaken by [[${supersededBy(catalogue, event)?.name}]].`
        : target !== null && isHandsOff(space, target)
          ? `${target.name} says steward: false.`
          : null;
  return reason === null ? null : { ...answerOk(event, 'not-a-proposal', null, []), message: reason };
}

function conflict(event: EventRecord, reason: string): Answer {
  const message = `Nothing was changed. ${reason} It will be judged again when a new signal comes.`;
  return { ...answerOk(event, 'conflict', null, []), message };
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
    calibration: Object.fromEntries(calibrations.map((one) => [one.source, calibrationText(one.before, one.after)])),
    message: said,
    until: null,
  };
}
