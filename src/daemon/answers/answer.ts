import type { PlaneAction } from '../../plane/order.ts';
import { isChoice, isQuestion, isWaiting, signalOf, standingOf } from '../../steward/attention.ts';
import { type FieldEditLike, mutationContext, type Permission } from '../../steward/changes/permission.ts';
import { recordedChanges } from '../../steward/changes/recorded-changes.ts';
import { inOwnNames, permit, permitted } from '../../steward/changes.ts';
import { type Calibration, recorded } from '../../steward/learning/calibration.ts';
import { NOTHING_TAUGHT, type Taught, teachOutcome } from '../../steward/learning-outcomes.ts';
import { matterField } from '../../steward/ports/matter-link.ts';
import { proposalChanges } from '../../steward/ports/mutation-class.ts';
import { isKnownNote } from '../../steward/ports/own-notes.ts';
import { handsOffReason, isHandsOff } from '../../steward/proposal-fit.ts';
import { withoutPending } from '../../steward/proposals/pending-flag.ts';
import { fitOn, resolvedOn, supersedes, waitingOn } from '../../steward/proposals.ts';
import { speakerOf } from '../../steward/trust/speaker.ts';
import { type Answer, type Answerable, type Door, targetOf, type UndoOrder } from '../../undo/order.ts';
import { patchOf, recipeOf } from '../../undo/recipe.ts';
import { ORDER_OUTCOMES, type OrderOutcome } from '../../vault/answer-file.ts';
import { isRefusal } from '../../vault/errors.ts';
import { appendFields } from '../../vault/frontmatter/append.ts';
import { editFields } from '../../vault/frontmatter.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { EventRecord, OrderRecord, ReversalRecord, TargetRecord, VaultRecord } from '../../vault/index/record.ts';
import { nameKey, sealEvent } from '../../vault/index-keys.ts';
import { wikilink } from '../../vault/links.ts';
import { fold, stem } from '../../vault/note-names.ts';
import { briefly, changeLine, noteText } from '../../vault/note-text.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import { NOBODY_SPOKE, type SaidBy, spokenFields } from '../../vault/notes/spoken.ts';
import { isChosenIn, linkTo } from '../../vault/notes.ts';
import type { UndoRecipe } from '../../vault/records.ts';
import { utc } from '../../vault/time.ts';
import type { EditStep, Step } from '../../vault/transaction/intent.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Transactions } from '../../vault/transaction/transaction.ts';
import type { NoteReader, NoteSnapshot } from '../../vault/transaction.ts';
import type { Vault } from '../../vault/watch.ts';
import {
  answerBody,
  type Becoming,
  boxFields,
  closedBody,
  closedWords,
  EVENT_CLASSES,
  JUDGED_BY,
  saysField,
  saysForcible,
  undoable,
} from '../../vault/words.ts';
import { chosenTarget, closingStep, remarkOn } from '../attention.ts';
import type { Context, ReadAccess, WriteAccess } from '../context.ts';
import { stampSteps } from '../decide-fresh-signals.ts';
import { eventTarget, modeOf } from '../effective-mode.ts';
import { planeActionFor, withPlaneRevert } from '../plane-action.ts';
import {
  type AnswerOrder,
  beingEdited,
  carriedOut,
  conflict,
  isBeingTyped,
  namedEvent,
  notOpen,
  proposalNote,
  recordMeant,
  unanswered,
  wouldCarryOut,
} from './orders.ts';

/** A person's answer to a proposal, as the answer note records it. */
interface AnswerNote {
  readonly event: EventRecord;
  readonly what: 'confirmed' | 'dismissed';
  readonly by: Door;
  /** The file that the person dropped, which becomes the answer note; null where the program writes one. */
  readonly file: OrderRecord | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly recipe: UndoRecipe | null;
  /** What Plane is to be told of it; null where nothing. */
  readonly plane: PlaneAction | null;
  readonly calibrations: readonly Calibration[];
  /** Whether the answer took the note's flag away. */
  readonly cleared: boolean;
}

/** Returns the path of the answer note: the dropped file, or a new event note. */
function answerNotePath(
  transactions: Transactions,
  { event, what, file, now }: Pick<AnswerNote, 'event' | 'what' | 'file' | 'now'>,
): string {
  return (
    file?.path ?? transactions.eventPath(`${actionType(event)}-${what}`, event.fields.target_path ?? 'unknown', now)
  );
}

/** Returns the step that writes the answer note to `path`; null where the person's own file is gone by now. */
function answerNoteStep(
  { notes, vault, context: { seal } }: ReadAccess,
  path: string,
  answerNote: AnswerNote,
): Step | null {
  const { event, what, file } = answerNote;
  const fields = answerNoteFields(path, answerNote, matterField(vault, event.fields.target_path));
  if (file !== null) {
    const completed = ownFirst(file, event, fields);
    const sealed = sealEvent(seal, path, { ...notes.fresh(path)?.data, ...completed });
    return appendStep(notes, file, { ...completed, seal: sealed.seal });
  }
  const { from, quote, target_path: target, changes } = event.fields;
  const telling = { what, event: event.name, target: target === null ? null : stem(target), changes, from, quote };
  const text = noteText(sealEvent(seal, path, fields), answerBody(telling, undoable('change', answerNote.recipe)));
  return { do: 'create', path, text };
}

/**
 * Returns the step that writes into a dropped file why it was not carried out; null where the file is gone. `isFound`:
 * whether the file names an event note of the vault.
 */
function refusalStep(
  space: ReadAccess,
  file: OrderRecord,
  outcome: OrderOutcome,
  message: string,
  isFound: boolean,
): Step | null {
  const found = isFound && file.fields.event_found !== false ? {} : { event_found: isFound };
  return appendStep(space.notes, file, { ...found, outcome, message, settled_at: utc(space.context.now()) });
}

function appendStep(notes: NoteReader, { path }: OrderRecord, append: Readonly<Record<string, unknown>>): Step | null {
  const text = notes.text(path);
  return text === null ? null : { ...textStep(path, text, appendFields(path, text, append)), append };
}

function answerNoteFields(
  path: string,
  { event, what, by, now, recipe, plane, calibrations, cleared }: AnswerNote,
  matter: ReturnType<typeof matterField>,
): Record<string, unknown> {
  const { fields } = event;
  const becoming = undoable('change', recipe);
  return {
    ...boxFields(becoming),
    change: changeLine(fields.changes) ?? fields.change,
    ...spokenFields(fields),
    outcome: what,
    cssclasses: EVENT_CLASSES,
    type: `${actionType(event)}-${what}`,
    timestamp: utc(now),
    ...matter,
    [linkField(what)]: wikilink(event.path),
    [`${what}_by`]: by,
    target: fields.target_path === null ? null : wikilink(fields.target_path),
    target_path: fields.target_path,
    decision: fields.decision,
    confidence: fields.confidence,
    mode: 'live',
    changes: what === 'confirmed' ? briefly(fields.changes) : {},
    source_contributions: fields.source_contributions,
    signals: fields.signals,
    ...recorded(calibrations),
    ...(cleared ? { pending_cleared: true } : {}),
    plane_action: plane,
    ...saysField(becoming),
    undo_recipe: withPlaneRevert(recipe, plane, path),
  };
}

/** What stands only in a note that the program makes: it is about the body, or about how the whole looks. */
const OF_NEW_NOTES: ReadonlySet<string> = new Set(['change', 'cssclasses', 'says']);

// What the person wrote in their file stays as they wrote it; the program adds the other fields.
function ownFirst(file: OrderRecord, event: EventRecord, fields: Record<string, unknown>): Record<string, unknown> {
  const { type, confirms, dismisses, event_found: found } = file.fields;
  const isNamed = nameKey(confirms ?? dismisses ?? '') === fold(event.name);
  const kept = new Set([...(type === null ? [] : ['type']), ...(isNamed ? ['confirms', 'dismisses'] : [])]);
  const added = Object.entries(fields).filter(([field]) => !kept.has(field) && !OF_NEW_NOTES.has(field));
  return { ...Object.fromEntries(added), ...(found === false ? { event_found: true } : {}) };
}

function linkField(what: AnswerNote['what']): 'confirms' | 'dismisses' {
  return what === 'confirmed' ? 'confirms' : 'dismisses';
}

function actionType(event: EventRecord): 'steward-action' | 'signal-action' {
  return event.fields.type.startsWith('signal-') ? 'signal-action' : 'steward-action';
}

/** What an answer changes, and what it teaches the sources behind the proposal. */
interface AnswerAction {
  readonly what: 'confirmed' | 'dismissed';
  /** The edit of the note that the proposal is about; empty where that note stays as it is. */
  readonly edits: readonly EditStep[];
  /** How the change is taken back; null for a dismissal. */
  readonly recipe: UndoRecipe | null;
  /** Whether the note's flag is taken away. */
  readonly cleared: boolean;
}

/** What was written: the answer note's path, and how far each source moved. */
interface CommittedAnswer {
  readonly path: string;
  readonly calibrations: readonly Calibration[];
}

/**
 * Publishes an answer as one transaction: the edit of the note, which decides, then the answer note, the stamps in the
 * signals and the lesson for the sources. Returns null where a note changed in between: then nothing was written.
 */
function commitAnswer(space: WriteAccess, order: AnswerOrder, action: AnswerAction): CommittedAnswer | null {
  const { event, by, file } = order;
  const { what, edits, recipe, cleared } = action;
  const now = space.context.now();
  const path = answerNotePath(space.transactions, { event, what, file, now });
  const { calibrations, steps: lesson } = lessonOf(space, event, { ...action, path, now });
  const plane = edits.length === 0 ? null : confirmedToPlane(space, event);
  const note = answerNoteStep(space, path, { event, what, by, file, now, recipe, plane, calibrations, cleared });
  if (note === null) return null;
  const status = what === 'confirmed' ? 'applied' : 'skipped';
  const stamps = stampSteps(space.notes, signalPaths(space.vault, event), path, now, status);
  // A person may still be writing in the note whose box they ticked: that one is closed when it has been quiet.
  const closing = by === 'checkbox' ? null : closingStep(space, event, what, answeredBy(path, now, action));
  const following = closing === null ? stamps : [closing, ...stamps];
  return space.transactions.commit(path, [...edits, note, ...following, ...lesson]) ? { path, calibrations } : null;
}

function answeredBy(path: string, at: number, { what, recipe }: AnswerAction): Becoming {
  const by = stem(path);
  if (what === 'dismissed') return { kind: 'dismissed', by, at };
  return { kind: 'confirmed', by, at, until: recipe === null ? null : Date.parse(recipe.expires_at) };
}

// What is confirmed in shadow stays in the vault.
function confirmedToPlane(space: WriteAccess, event: EventRecord): PlaneAction | null {
  const target = modeOf(space.context, null) === 'shadow' ? null : eventTarget(space.vault, event);
  return target === null ? null : planeActionFor(space, target, event.fields.changes);
}

// To have seen a question to is no judgement of who raised it.
function lessonOf(
  space: WriteAccess,
  { fields }: EventRecord,
  { what, path, now }: Pick<AnswerAction, 'what'> & { path: string; now: number },
): Taught {
  if (Object.keys(fields.changes).length === 0) return NOTHING_TAUGHT;
  const outcome = what === 'confirmed' ? 'right' : 'dismissed';
  return teachOutcome(space, fields.source_contributions, {
    outcome,
    at: now,
    what: `${what} in ${linkTo(stem(path))}`,
  });
}

function signalPaths(vault: Vault, event: EventRecord): { path: string }[] {
  return event.fields.signals.flatMap((link) => {
    const signal = vault.catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' ? [{ path: signal.path }] : [];
  });
}

/**
 * Makes a proposed change with the person's authority, in any mode, if the note still is what the proposal saw
 * (contract, section 8). Leaves an answer note with a recipe of its own; the proposal is not rewritten. Returns null
 * where a note changed before anything was written.
 */
function confirm(space: WriteAccess, order: AnswerOrder): Answer | null {
  const { event } = order;
  const subject = subjectOf(space, event);
  if (subject !== null && isBeingTyped(event, subject.note, space.context.now()))
    return beingEdited(event, subject.note.settledAt);
  const plan = planConfirm(space, event, subject);
  return plan.ok ? confirmed(space, order, plan) : conflict(event, plan.reason, plan.next);
}

/** Returns what `confirm` would say, without changing anything. Does not wait for a note that is being edited. */
function previewConfirm(space: ReadAccess, event: EventRecord): Answer {
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
function carryOutEdits(
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

const CHOOSE = 'Choose another note, or dismiss it.';

/**
 * Takes the note that a person chose for a signal that may be about any of several: what the signal proposes is made
 * there with the person's authority, as a confirmed proposal is. Where it proposes nothing, the choice settles it.
 * Returns null where a note changed before anything was written.
 */
function choose(space: WriteAccess, order: AnswerOrder): Answer | null {
  const chosen = choiceOf(space, order);
  if (!chosen.ok) return chosen.answer;
  const { event, note } = chosen;
  if (chosen.edits.length > 0 && note.settledAt > space.context.now()) return beingEdited(event, note.settledAt);
  return carryOutEdits(space, { ...order, event }, note, chosen.edits);
}

/** Returns what `choose` would say, without changing anything. */
function previewChoose(space: ReadAccess, order: Pick<AnswerOrder, 'event' | 'choose'>): Answer {
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

/**
 * Closes a proposal without making its change, and lowers the confidence of its sources. Returns null where a note
 * changed before anything was written.
 */
function dismiss(space: WriteAccess, order: AnswerOrder): Answer | null {
  const { event } = order;
  const note = proposalNote(space, event);
  const bare = note === null ? null : withoutPending(space, note, (other) => other.path === event.path);
  if (note === null || bare === null || bare === note.text) return dismissed(space, order, []);
  if (isBeingTyped(event, note, space.context.now())) return beingEdited(event, note.settledAt);
  return dismissed(space, order, [textStep(note.path, note.text, bare)]);
}

/** Returns what `dismiss` would say, without changing anything. */
function previewDismiss(event: EventRecord): Answer {
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

/**
 * Takes the flag from a note whose proposals have closed themselves: overtaken, or resolved by hand. Leaves an event
 * note that says why, and teaches no source. Does nothing in shadow mode, which changes no note by itself. Returns when
 * to look again (epoch ms) where somebody is editing the note, else null.
 */
export function clearFlag(space: WriteAccess, target: TargetRecord): number | null {
  if (!target.fields.pending_confirmation || isHandsOff(space, target) || modeOf(space.context, null) === 'shadow')
    return null;
  space.transactions.finishHeldUp([target.path]);
  const note = space.notes.fresh(target.path);
  if (note === null) return null;
  const bare = withoutPending(space, note, () => false);
  if (bare === note.text) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  return cleared(space, target, note, bare) ? null : space.context.now() + 1000;
}

function cleared(space: WriteAccess, target: TargetRecord, note: NoteSnapshot, bare: string): boolean {
  const now = space.context.now();
  const path = space.transactions.eventPath('steward-action', target.path, now);
  const closed = resolvedOn(space, target.path, note).filter(({ event }) => event.fields.mode === 'live');
  const why = closed.map(({ event, reason }) => ({ name: event.name, reason }));
  const reason = closedWords(why);
  const names = closed.map(({ event }) => event.name);
  const fields = closingFields(target, now, sha256(bare), closed.at(-1)?.event.fields ?? NOBODY_SPOKE);
  const body = closedBody(reason, names, target.name);
  const text = noteText(sealEvent(space.context.seal, path, fields), body);
  const steps = [textStep(note.path, note.text, bare), { do: 'create' as const, path, text }];
  if (!space.transactions.commit(path, steps)) return false;
  space.context.emit({ what: 'closed', event: path, target: target.path, reason });
  return true;
}

function closingFields(target: TargetRecord, now: number, noteSha: string, said: SaidBy) {
  return {
    change: null,
    ...spokenFields(said),
    waiting: false,
    outcome: 'recorded',
    cssclasses: EVENT_CLASSES,
    type: 'steward-action',
    timestamp: utc(now),
    target: wikilink(target.path),
    target_path: target.path,
    decision: 'proposal_closed',
    confidence: 1,
    mode: 'live',
    prior_state: target.fields.state,
    changes: {},
    source_contributions: {},
    signals: [],
    evaluator: JUDGED_BY.settled,
    gates: [],
    pending_confirmation: false,
    pending_cleared: true,
    note_sha256: noteSha,
    plane_action: null,
    undo_recipe: null,
  };
}

/** What a dropped file asks for, as far as that is clear. */
interface DroppedAnswer {
  readonly file: OrderRecord;
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord | null;
  /** Why nothing can be done about it, or null. */
  readonly trouble: string | null;
}

/** Returns what a dropped file asks for: what its link says, or else what its own name says. */
function readDroppedAnswer(catalogue: Catalogue, file: OrderRecord): DroppedAnswer {
  const { confirms, dismisses } = file.fields;
  const said = file.fields.type ?? file.name;
  const kind = /^(steward|signal)-action-dismissed\b/i.test(said) ? 'dismiss' : 'confirm';
  const wrong = kind === 'confirm' ? dismisses : confirms;
  if (wrong !== null) {
    return { file, kind, event: null, trouble: 'Its name or type and its link say two different things.' };
  }
  const link = kind === 'confirm' ? confirms : dismisses;
  const found = recordMeant(catalogue, link, file.name, ['confirmed', 'dismissed']);
  if (found === null) return { file, kind, event: null, trouble: null };
  if (found.kind === 'event') return { file, kind, event: found, trouble: null };
  return { file, kind, event: null, trouble: `${found.name} is no proposal.` };
}

/**
 * Carries out what a dropped file asks, and completes the file: it becomes the answer note, or says why it was refused
 * (contract, section 8). Waits while somebody may still be writing it.
 */
export function carryDroppedAnswer(space: WriteAccess, dropped: DroppedAnswer): Answer {
  space.transactions.finishHeldUp(notesOf(dropped));
  const until = quietAt(space, dropped);
  if (until > space.context.now()) return pending(dropped, until);
  if (dropped.event === null) return refused(space, dropped, 'refused', dropped.trouble ?? NO_PROPOSAL);
  const { kind, event, file } = dropped;
  const given = answer(space, { kind, event, choose: file.fields.choose, by: 'file', file });
  const outcome = ORDER_OUTCOMES.find((one) => one === given.outcome);
  if (given.note !== null || given.until !== null || outcome === undefined) return given;
  return refused(space, dropped, outcome, given.message);
}

function notesOf({ file, event }: DroppedAnswer): string[] {
  return event === null ? [file.path] : [file.path, event.path];
}

const NO_PROPOSAL = 'It names no event note of this vault; nothing was changed.';

// Notes are synced in any order. The proposal that a file names may still be on its way, so the file waits as long as
// for somebody typing. Its change time tells when it arrived.
function quietAt(space: ReadAccess, { file, event, trouble }: DroppedAnswer): number {
  const window = space.context.settings.settle_seconds * 1000;
  const typed = space.notes.fresh(file.path)?.settledAt ?? settledWithout(space.context, file);
  const { ctimeMs } = file.stat;
  const early = event === null && trouble === null && ctimeMs <= space.context.now() + window ? ctimeMs + window : 0;
  return Math.max(typed, early);
}

// An empty file has no frontmatter to read; a person may just have made it, and be about to write.
function settledWithout(context: Context, { stat }: OrderRecord): number {
  const window = context.settings.settle_seconds * 1000;
  return stat.mtimeMs > context.now() + window ? 0 : stat.mtimeMs + window;
}

function refused(space: WriteAccess, dropped: DroppedAnswer, outcome: OrderOutcome, message: string): Answer {
  const { file, event, trouble } = dropped;
  const answer = unanswered(subjectOfDroppedAnswers(dropped), outcome, message);
  const step = refusalStep(space, file, outcome, message, event !== null || trouble !== null);
  if (step === null) return answer;
  if (!space.transactions.commit(file.path, [step])) return pending(dropped, space.context.now() + 1000);
  space.context.emit({ what: 'refused', file: file.path, outcome, reason: message });
  return { ...answer, note: file.path };
}

function pending(dropped: DroppedAnswer, until: number): Answer {
  const message = `${dropped.file.path} is being written; it is read as soon as it is quiet.`;
  return unanswered(subjectOfDroppedAnswers(dropped), 'settling', message, until);
}

function subjectOfDroppedAnswers({ file, event }: DroppedAnswer): Pick<Answer, 'event' | 'target'> {
  return { event: event?.name ?? file.name, target: event?.fields.target_path ?? null };
}

/** What a person asked for by ticking a box or dropping a file. */
export type Order =
  | { readonly kind: 'undo'; readonly path: string; readonly order: UndoOrder }
  | { readonly kind: 'confirm' | 'dismiss'; readonly path: string; readonly event: EventRecord }
  | { readonly kind: 'file'; readonly path: string; readonly order: DroppedAnswer };

/**
 * Returns the order that a note holds, or null. `before` is the note as it was known before: a box whose tick was
 * answered already asks for nothing until it is ticked again.
 */
export function orderOf(space: ReadAccess, before: VaultRecord | null, after: VaultRecord | null): Order | null {
  const { catalogue } = space.vault;
  switch (after?.kind) {
    case 'reversal':
      return reversalOrder(catalogue, before, after);
    case 'order':
      return fileOrder(catalogue, after);
    case 'event':
      return undoTicked(catalogue, before, after) ?? answerTicked(space, after);
    default:
      return null;
  }
}

// Read once: an answer stands, unless the file was refused because the event it names had not arrived yet.
function fileOrder(catalogue: Catalogue, file: OrderRecord): Order | null {
  const order = readDroppedAnswer(catalogue, file);
  const cameEarly = file.fields.event_found === false && order.event !== null;
  return file.fields.outcome === null || cameEarly ? { kind: 'file', path: file.path, order } : null;
}

function reversalOrder(catalogue: Catalogue, before: VaultRecord | null, after: ReversalRecord): Order | null {
  if (after.fields.outcome !== null && !cameEarly(catalogue, after))
    return forceTicked(catalogue, before, after) ?? undoTicked(catalogue, before, after);
  const { reason, force } = after.fields;
  const order = { event: namedEvent(catalogue, after), by: 'file' as const, reason, force, file: after };
  return { kind: 'undo', path: after.path, order };
}

// After a conflict a person may still have it taken back. What was forced from the beginning is not tried once more.
function forceTicked(catalogue: Catalogue, before: VaultRecord | null, after: ReversalRecord): Order | null {
  const { outcome, force, reason } = after.fields;
  const event = outcome === 'conflict' && force && couldForce(before, after) ? namedEvent(catalogue, after) : null;
  if (event === null) return null;
  return { kind: 'undo', path: after.path, order: { event, by: 'checkbox', reason, force: true, file: null } };
}

// At a start nothing is known of before: as long as a conflict is not answered, the note itself says that it can be forced.
function couldForce(before: VaultRecord | null, { fields: { says } }: ReversalRecord): boolean {
  if (before === null) return says !== null && saysForcible(says);
  return before.kind === 'reversal' && before.fields.outcome === 'conflict' && !before.fields.force;
}

// It was refused because it named nothing, and the event that it names has arrived since.
function cameEarly(catalogue: Catalogue, reversal: ReversalRecord): boolean {
  return reversal.fields.event_found === false && namedEvent(catalogue, reversal) !== null;
}

function undoTicked(catalogue: Catalogue, before: VaultRecord | null, after: Answerable): Order | null {
  if (!after.fields.undo || isUnmade(catalogue, after)) return null;
  const wasTicked = before?.kind === after.kind && before.fields.undo;
  const answered = reversalsOf(catalogue, after).length > 0;
  // A box that was ticked when first seen, or is still ticked, has its answer already.
  if (answered && (before === null || wasTicked)) return null;
  const order = { event: after, by: 'checkbox' as const, reason: null, force: false, file: null };
  return { kind: 'undo', path: after.path, order };
}

// Where nothing was changed, neither by the event nor by its answers, there is nothing to take back: the note says so.
function isUnmade(catalogue: Catalogue, event: Answerable): boolean {
  if (event.kind !== 'event' || event.fields.undo_recipe !== null) return false;
  return catalogue.answersTo(event.name).every(({ fields }) => fields.undo_recipe === null);
}

// A confirmed proposal is undone at its confirmation, so the reversal answers the confirmation.
function reversalsOf(catalogue: Catalogue, event: Answerable): VaultRecord[] {
  const answers = catalogue.answersTo(event.name);
  const confirmations = answers.filter((answer) => answer.kind === 'event');
  const all = [...answers, ...confirmations.flatMap((answer) => catalogue.answersTo(answer.name))];
  return all.filter((answer) => answer.kind === 'reversal');
}

function answerTicked(space: ReadAccess, event: EventRecord): Order | null {
  const { dismiss } = event.fields;
  const confirm = isChoice(event) ? isChosenIn(event.fields) : event.fields.confirm;
  // With both ticked the order is unclear: it waits until one is unticked. The note itself says why.
  if (confirm === dismiss || !isWaiting(space, event) || remarkOn(space, event) !== null) return null;
  return { kind: confirm ? 'confirm' : 'dismiss', path: event.path, event };
}

/**
 * Returns why a box or a dropped file answers nothing here, as an answer; null where it may. In a shared vault either may
 * be anybody's, and so may the note that it answers: what such a note would write is believed only where the program
 * wrote it. Whoever means it all the same says so by name.
 */
export function strangersNote(space: ReadAccess, order: Order): Answer | null {
  const event = order.kind === 'undo' || order.kind === 'file' ? order.order.event : order.event;
  if (event === null || isKnownNote(space, event)) return null;
  const command = `steward --vault ${shellWord(space.vault.root)} ${order.kind === 'file' ? order.order.kind : order.kind} ${shellWord(event.name)}`;
  const message = `${event.name} was not written by this program on this machine, or was changed since. If you mean it, run: ${command}`;
  return unanswered({ event: event.name, target: targetOf(event) }, 'refused', message);
}
