import { makePatch, makeRecipe } from '../undo/recipe.ts';
import { appendFields, type EditStep, editFields, type Step, textStep } from '../vault/edit.ts';
import { isRefusal } from '../vault/errors.ts';
import {
  type AnswerState,
  answerBody,
  boxFields,
  choiceBody,
  closedBody,
  closedWords,
  EVENT_CLASSES,
  gateWarning,
  isForged,
  JUDGED_BY,
  saysField,
  saysForcible,
  undoable,
  undoableKind,
} from '../vault/event-text.ts';
import type { Catalogue } from '../vault/index.ts';
import { fold, stem } from '../vault/layout.ts';
import { distinctTitles, nameKey, wikilink } from '../vault/links.ts';
import {
  briefly,
  changeLine,
  clipped,
  fieldLine,
  hasChosen,
  linkTo,
  NOBODY_SPOKE,
  noteText,
  type SaidBy,
  sha256,
  shellWord,
  shown,
  spokenFields,
} from '../vault/note-text.ts';
import {
  type EventRecord,
  type FieldChange,
  type MutationProposal,
  ORDER_OUTCOMES,
  type OrderOutcome,
  type OrderRecord,
  type ReversalRecord,
  type SignalRecord,
  type TargetRecord,
  type UndoRecipe,
  type VaultRecord,
} from '../vault/record.ts';
import { packRecord } from '../vault/record-text.ts';
import { sealEvent } from '../vault/seal.ts';
import { isBankChannel, isOfBookings, sourceKey } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import type { NoteReader, NoteSnapshot, Transactions } from '../vault/transaction.ts';
import {
  type FieldEditLike,
  inOwnNames,
  mutationContext,
  ourName,
  type Permission,
  permit,
  permitted,
  proposalChanges,
  recordedChanges,
} from './change.ts';
import {
  chosenTarget,
  closingStep,
  externalEffect,
  mailField,
  recordedGate,
  remarkOn,
  spokenBy,
  warningField,
  withRevert,
} from './event-note.ts';
import { namedEvent, recordMeant } from './find-event.ts';
import { currentMode, recordedMode } from './gates.ts';
import { recorded } from './instinct.ts';
import { licenceTerms, signLicence } from './licence.ts';
import {
  type Gesture,
  LESSON_WORDS,
  type LessonPlan,
  lessonField,
  NOTHING_TAUGHT,
  reportLesson,
  teachOutcome,
} from './outcomes.ts';
import {
  findSignal,
  fitOn,
  handsOffReason,
  isChoice,
  isHandsOff,
  isQuestion,
  isUndecided,
  isWaiting,
  leadsToOpen,
  mayMeanAnother,
  proposalState,
  resolvedOn,
  supersedes,
  waitingOn,
  withoutPending,
} from './proposals.ts';
import { answeredTarget, eventTarget, isKnownNote, matterField, targetPath } from './records.ts';
import { evaluateForgery, identifySpeaker, shutOut } from './sender.ts';
import { forgetLeftOut, signalPaths, stampSteps } from './signals.ts';
import {
  type Answerable,
  type AnsweredBy,
  type AnswerRecord,
  type ExternalEffect,
  ONLY_ASKED,
  type UndoOrder,
} from './types.ts';
import type { DecisionContext, DecisionReadAccess, DecisionWriteAccess } from './workspace.ts';

/** A person's order to confirm or dismiss a proposal. */
export interface AnswerOrder {
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord;
  /** The note that a person says is meant, as a link; null if they name no note. */
  readonly choose: string | null;
  readonly by: AnsweredBy;
  /** Confirms what a sender proposes that the user's mail server has rejected. */
  readonly force?: boolean;
  /** Whether to sign a licence for the sender as well: from now on it may make such changes on this matter. */
  readonly always?: boolean;
  /** The file that the person dropped; null if the answer came through another door. */
  readonly file: OrderRecord | null;
  /** Whether a dismissal means "not now": then it teaches no source. */
  readonly later?: boolean;
  /** The senders that the command has taught before; absent if it answers only this. */
  readonly gesture?: Gesture;
}

/** Confirms or dismisses what waits, or takes the note that a person chose, and returns what came of it. */
export function answer(space: DecisionWriteAccess, order: AnswerOrder): AnswerRecord {
  const { event } = order;
  const given = space.transactions.attempt(
    concerned(space, order),
    () => refusal(space, order) ?? carryOut(space, order),
  );
  return given ?? beingEdited(event, space.context.now() + 1000);
}

function concerned({ vault }: DecisionReadAccess, { event, file }: AnswerOrder): string[] {
  return [eventTarget(vault, event)?.path, event.path, file?.path].filter((path) => path !== undefined);
}

function carryOut(space: DecisionWriteAccess, order: AnswerOrder): AnswerRecord | null {
  if (order.kind === 'dismiss') return dismiss(space, order);
  return isChosen(space, order) ? choose(space, order) : confirm(space, order);
}

// The note that the proposal is about is no other one.
function isChosen(space: DecisionReadAccess, { event, choose }: Pick<AnswerOrder, 'event' | 'choose'>): boolean {
  if (isChoice(event) || choose === null) return isChoice(event);
  const target = chosenTarget(space, choose);
  return typeof target === 'string' || target.path !== targetPath(space.vault, event);
}

type AskedAnswer = Pick<AnswerOrder, 'kind' | 'event' | 'choose' | 'force'>;

/** Returns what an answer would do, without doing it. */
export function previewAnswer(space: DecisionReadAccess, order: AskedAnswer): AnswerRecord {
  const { kind, event } = order;
  const refused = refusal(space, order);
  if (refused !== null) return refused;
  if (kind === 'dismiss') return wouldCarryOut(event, 'dismissed');
  return isChosen(space, order) ? previewChoose(space, order) : previewConfirm(space, event);
}

function refusal(space: DecisionReadAccess, order: AskedAnswer): AnswerRecord | null {
  const { event } = order;
  const target = eventTarget(space.vault, event);
  const reason =
    closedReason(space, event) ??
    meaninglessReason(space, order) ??
    (target === null ? null : handsOffReason(space, target));
  return reason === null ? null : notOpen(event, reason);
}

function meaninglessReason(space: DecisionReadAccess, { kind, event, choose, force }: AskedAnswer): string | null {
  if (kind === 'confirm' && isQuestion(event))
    return 'It proposes no change: dismiss it when you are finished with it.';
  if (kind === 'confirm' && isForged(event.fields.gates) && force !== true)
    return `${gateWarning(event.fields.gates)} If you are sure who wrote it: steward confirm ${shellWord(event.name)} --force`;
  if (choose !== null && !isChoice(event) && !mayMeanAnother(space, event))
    return 'It means only one note, so there is no choice.';
  return null;
}

function closedReason(space: DecisionReadAccess, event: EventRecord): string | null {
  const status = proposalState(space, event);
  switch (status.kind) {
    case 'none':
      return "The event proposes no change that isn't done already.";
    case 'confirmed':
    case 'dismissed':
      return `The proposal was closed before, by [[${status.by.name}]].`;
    case 'superseded':
      return `The proposal was replaced by [[${status.by.name}]].`;
    case 'settled':
      return `The proposal closed itself: ${status.reason}.`;
    default:
      return null;
  }
}

/**
 * Makes a proposed change with the person's authority, in any mode, if the note still is what the proposal saw
 * (contract, section 8). Leaves an answer note with a recipe of its own; the proposal is not rewritten. Returns null if
 * a note changed before anything was written.
 */
function confirm(space: DecisionWriteAccess, order: AnswerOrder): AnswerRecord | null {
  const { event } = order;
  const subject = findSubject(space, event);
  if (subject !== null && isBeingTyped(event, subject.note, space.context.now()))
    return beingEdited(event, subject.note.settledAt);
  const plan = planConfirm(space, event, subject);
  return plan.ok ? confirmed(space, order, plan) : conflict(event, plan.reason, plan.next);
}

function previewConfirm(space: DecisionReadAccess, event: EventRecord): AnswerRecord {
  const plan = planConfirm(space, event, findSubject(space, event));
  return plan.ok ? wouldCarryOut(event, 'confirmed') : conflict(event, plan.reason, plan.next);
}

/** The matter or task that a proposal is about, as catalogued and as it is on disk now. */
interface Subject {
  readonly target: TargetRecord;
  readonly note: NoteSnapshot;
}

function findSubject(space: DecisionReadAccess, event: EventRecord): Subject | null {
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

const MEND = 'Correct that, or dismiss the proposal.';
const GONE: NoPlan = {
  ok: false,
  reason: 'The note is gone, or cannot be read just now.',
  next: 'Try again when it is back.',
};

function planConfirm(space: DecisionReadAccess, event: EventRecord, subject: Subject | null): ConfirmPlan | NoPlan {
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
function movedOn(space: DecisionReadAccess, event: EventRecord, note: NoteSnapshot, field: string): NoPlan {
  const again = waitingOn(space, note.path, note).find((one) => one.event.path === event.path)?.again ?? [];
  const next =
    again.length > 0
      ? 'Its signals are evaluated again on the present note, at the next check.'
      : 'Its signals were evaluated again since, or are gone: dismiss it, or make the change by hand.';
  return { ok: false, reason: `The field ${field} has changed since the proposal was made.`, next };
}

function permissionFor(space: DecisionReadAccess, event: EventRecord, { target, note }: Subject) {
  const { field_mapping: mapping } = space.context.settings;
  const context = mutationContext(space, target, note.data);
  return inOwnNames(permit(recordedChanges(event.fields.changes, mapping, context.words), context), context, mapping);
}

// A confirmation also closes the other proposals that the change overtakes.
function bareText(space: DecisionReadAccess, event: EventRecord, note: NoteSnapshot): string {
  const made = { ...event.fields, speakers: null };
  return withoutPending(space, note, (other) => other.path === event.path || supersedes(made, other));
}

function editPlan(note: NoteSnapshot, bare: string, edits: readonly FieldEditLike[], now: number): ConfirmPlan {
  const edited = editFields(note.path, bare, edits);
  const recipe = makeRecipe(makePatch(note.path, bare, edited.text, edited.patch), now);
  return { ok: true, note, text: edited.text, recipe, cleared: bare !== note.text };
}

const CHOOSE = 'Choose another note, or dismiss it.';

/**
 * Takes the note that a person chose for a signal that may be about any of several. The signal's proposal is made there
 * with the person's authority, as if confirmed. If it proposes no change, the choice settles it. Returns null if a note
 * changed before anything was written.
 */
function choose(space: DecisionWriteAccess, order: AnswerOrder): AnswerRecord | null {
  const chosen = choiceOf(space, order);
  if (!chosen.ok) return chosen.answer;
  const { event, note } = chosen;
  if (chosen.edits.length > 0 && note.settledAt > space.context.now()) return beingEdited(event, note.settledAt);
  return carryOutEdits(space, { ...order, event }, note, chosen.edits);
}

function previewChoose(space: DecisionReadAccess, order: Pick<AnswerOrder, 'event' | 'choose'>): AnswerRecord {
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
  space: DecisionReadAccess,
  { event, choose: written }: Pick<AnswerOrder, 'event' | 'choose'>,
): Choice | { readonly ok: false; readonly answer: AnswerRecord } {
  const refused = (answer: AnswerRecord) => ({ ok: false, answer }) as const;
  const [only, ...others] = event.fields.candidates;
  const meant = written ?? (others.length === 0 ? (only ?? null) : null);
  if (meant === null)
    return refused(notOpen(event, 'It may mean any of several notes: say which, with choose or --choose NOTE.'));
  const target = chosenTarget(space, meant);
  if (typeof target === 'string') return refused(notOpen(event, target));
  const note = space.notes.fresh(target.path);
  if (note === null) return refused(conflict(event, 'The chosen note cannot be read just now.', CHOOSE));
  const permission = permissionOn(space, event, target, note);
  if (!permission.ok) return refused(conflict(event, permission.reason, CHOOSE));
  return { ok: true, event: aimed(space, event, target, permission), note, edits: permission.edits };
}

function permissionOn(
  space: DecisionReadAccess,
  event: EventRecord,
  target: TargetRecord,
  note: NoteSnapshot,
): Permission {
  const signal = findSignal(space, event);
  const proposal = signal?.fields.mutation_proposal ?? null;
  const changes = proposal === null ? [] : proposalChanges(proposal);
  return permitted(
    { changes, proposal },
    mutationContext(space, target, note.data, signal === null ? [] : [signal]),
    space.context.settings.field_mapping,
  );
}

// To choose is to confirm: the sender was right.
function aimed(
  space: DecisionReadAccess,
  event: EventRecord,
  target: TargetRecord,
  { changes }: Extract<Permission, { ok: true }>,
): EventRecord {
  const signal = findSignal(space, event);
  const contributions = signal === null ? {} : { [identifySpeaker(space, signal).source]: 1 };
  const fields = { ...event.fields, target_path: target.path, changes, source_contributions: contributions };
  return { ...event, fields };
}

/**
 * Makes edits of a note as a confirmation of an event does; an empty list settles the event. Returns null if a note
 * changed before anything was written.
 */
function carryOutEdits(
  space: DecisionWriteAccess,
  order: AnswerOrder,
  note: NoteSnapshot,
  edits: readonly FieldEditLike[],
): AnswerRecord | null {
  if (edits.length === 0) return confirmed(space, order, { note, text: note.text, recipe: null, cleared: false });
  try {
    return confirmed(space, order, editPlan(note, bareText(space, order.event, note), edits, space.context.now()));
  } catch (error) {
    if (isRefusal(error)) return conflict(order.event, error.message, MEND);
    throw error;
  }
}

type Confirmed = Pick<ConfirmPlan, 'note' | 'text' | 'cleared'> & { readonly recipe: UndoRecipe | null };

function confirmed(space: DecisionWriteAccess, order: AnswerOrder, plan: Confirmed): AnswerRecord | null {
  const { note, text, recipe, cleared } = plan;
  const committed = commitAnswer(space, order, {
    what: 'confirmed',
    edits: text === note.text ? [] : [textStep(note.path, note.text, text)],
    recipe,
    cleared,
  });
  if (committed === null) return null;
  const { changes, decision, confidence } = order.event.fields;
  const signed = order.always === true ? signFor(space, order) : null;
  space.context.emit({
    what: 'confirmed',
    event: committed.path,
    target: note.path,
    decision,
    confidence,
    changes,
    reason: `by ${order.by}`,
  });
  const given = carriedOut(order, 'confirmed', committed);
  return signed === null ? given : { ...given, message: `${given.message} ${signed}` };
}

// The terms were on the note that the person has answered. Returns what came of it, a sentence.
function signFor(space: DecisionWriteAccess, { event, by }: AnswerOrder): string {
  const terms = licenceTerms(space, event);
  const path = terms === null ? null : signLicence(space, terms, by === 'checkbox' ? 'box' : 'inbox');
  if (path !== null) return `The licence is signed: ${path}.`;
  if (terms === null)
    space.context.emit({ what: 'refused', file: event.path, outcome: 'no licence', reason: UNSIGNED });
  return NOT_SIGNED;
}

const NOT_SIGNED = 'No licence is signed by it. To sign one, run: steward licence sign SENDER';
const UNSIGNED =
  "The change was made, but this proposal can't sign a licence here. To sign one, run: steward licence sign SENDER";

/**
 * Closes a proposal without making its change, and lowers the confidence of its sources. Returns null if a note changed
 * before anything was written.
 */
function dismiss(space: DecisionWriteAccess, order: AnswerOrder): AnswerRecord | null {
  const { event } = order;
  const note = proposalNote(space, event);
  const bare = note === null ? null : withoutPending(space, note, (other) => other.path === event.path);
  if (note === null || bare === null || bare === note.text) return dismissed(space, order, note, note?.text ?? '');
  if (isBeingTyped(event, note, space.context.now())) return beingEdited(event, note.settledAt);
  return dismissed(space, order, note, bare);
}

// The recipe restores no field: whether the flag belongs in the note shows only when the answer is taken back.
function dismissed(
  space: DecisionWriteAccess,
  order: AnswerOrder,
  note: NoteSnapshot | null,
  bare: string,
): AnswerRecord | null {
  const { event } = order;
  const edits = note === null || note.text === bare ? [] : [textStep(note.path, note.text, bare)];
  const patch = makePatch(note?.path ?? '', note?.text ?? '', bare, { fields: {} });
  const committed = commitAnswer(space, order, {
    what: 'dismissed',
    edits,
    recipe: makeRecipe(patch, space.context.now()),
    cleared: edits.length > 0,
  });
  if (committed === null) return null;
  forgetLeftOut(space, event);
  space.context.emit({ what: 'dismissed', event: committed.path, target: event.fields.target_path ?? '' });
  return carriedOut(order, 'dismissed', committed);
}

/** The note that a proposal is about, as it is on disk now; null if it is gone or cannot be read. */
function proposalNote(space: DecisionReadAccess, event: EventRecord): NoteSnapshot | null {
  const path = targetPath(space.vault, event);
  return path === null ? null : space.notes.fresh(path);
}

/** Whether a person may still be typing in the note. Bytes that the proposal itself left there are not typing. */
function isBeingTyped(event: EventRecord, note: NoteSnapshot, now: number): boolean {
  return note.sha !== event.fields.pending_patch?.after_sha256 && note.settledAt > now;
}

interface AnswerAction {
  readonly what: 'confirmed' | 'dismissed';
  /** The edit of the note that the proposal is about; empty if that note stays as it is. */
  readonly edits: readonly EditStep[];
  /** How the answer is taken back; null if it can't be. */
  readonly recipe: UndoRecipe | null;
  /** Whether the note's flag is taken away. */
  readonly cleared: boolean;
}

interface CommittedAnswer {
  readonly path: string;
  readonly taught: LessonPlan;
}

/**
 * Publishes an answer as one transaction: the edit of the note, which decides, then the answer note, the stamps in the
 * signals and the lesson for the sources. Returns null, without writing, if a note changed in between.
 */
function commitAnswer(space: DecisionWriteAccess, order: AnswerOrder, action: AnswerAction): CommittedAnswer | null {
  const { event, by, file, later = false } = order;
  const { what, edits, recipe, cleared } = action;
  const now = space.context.now();
  const path = answerNotePath(space.transactions, { event, what, file, now });
  const taught = lessonOf(space, order, { ...action, path, now });
  const external = what === 'dismissed' || edits.length === 0 ? null : confirmedEffect(space, event);
  const isShadow = currentMode(space.context, null) === 'shadow';
  const effect = isShadow ? null : external; // what is confirmed in shadow stays in the vault
  const isUntold = isShadow && external !== null;
  const note = answerNoteStep(space, path, {
    event,
    what,
    by,
    file,
    later,
    now,
    recipe,
    effect,
    isUntold,
    taught,
    cleared,
  });
  if (note === null) return null;
  const status = what === 'confirmed' ? 'applied' : 'skipped';
  const stamps = stampSteps(space, signalPaths(space.vault, event), path, now, status);
  // A person may still be writing in the note whose box they ticked: that one is closed when it has been quiet.
  const closing = by === 'checkbox' ? null : closingStep(space, event, what, answerState(path, now, action, later));
  const following = closing === null ? stamps : [closing, ...stamps];
  if (!space.transactions.commit(path, [...edits, note, ...following, ...taught.steps])) return null;
  for (const sender of taught.senders) order.gesture?.add(sourceKey(sender));
  reportLesson(space, taught, what === 'confirmed' ? 'right' : 'wrong', path);
  return { path, taught };
}

function answerState(path: string, at: number, { what, recipe }: AnswerAction, later: boolean): AnswerState {
  const by = stem(path);
  const until = recipe === null ? null : Date.parse(recipe.expires_at);
  return what === 'dismissed' ? { kind: 'dismissed', by, at, later, until } : { kind: 'confirmed', by, at, until };
}

function confirmedEffect(space: DecisionWriteAccess, event: EventRecord): ExternalEffect | null {
  const target = eventTarget(space.vault, event);
  return target === null ? null : externalEffect(space, target, event.fields.changes);
}

// To have seen a question to is no verdict on who raised it, and "not now" is no verdict on who proposed.
function lessonOf(
  space: DecisionWriteAccess,
  { event: { fields }, by, later, gesture = new Set() }: AnswerOrder,
  { what, path, now }: Pick<AnswerAction, 'what'> & { path: string; now: number },
): LessonPlan {
  if (Object.keys(fields.changes).length === 0 || later === true) return NOTHING_TAUGHT;
  return teachOutcome(space, fields.source_contributions, {
    ...{ outcome: what === 'confirmed' ? 'right' : 'wrong', at: now, by, gesture },
    ...{ about: fields.target_path, what: `${LESSON_WORDS[what]} ${linkTo(stem(path))}` },
  });
}

/** A person's answer to a proposal, as the answer note records it. */
interface AnswerNote {
  readonly event: EventRecord;
  readonly what: 'confirmed' | 'dismissed';
  readonly by: AnsweredBy;
  /** The file that the person dropped, which becomes the answer note; null if the program writes one. */
  readonly file: OrderRecord | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly recipe: UndoRecipe | null;
  readonly effect: ExternalEffect | null;
  /** Whether there is an effect that the mode doesn't permit. */
  readonly isUntold: boolean;
  readonly taught: LessonPlan;
  readonly later: boolean;
  /** Whether the answer took the note's flag away. */
  readonly cleared: boolean;
}

function answerNotePath(
  transactions: Transactions,
  { event, what, file, now }: Pick<AnswerNote, 'event' | 'what' | 'file' | 'now'>,
): string {
  return (
    file?.path ?? transactions.eventPath(`${actionType(event)}-${what}`, event.fields.target_path ?? 'unknown', now)
  );
}

/** Returns the step that writes the answer note to `path`; null if the person's own file has gone. */
function answerNoteStep(
  { notes, vault, context }: DecisionReadAccess,
  path: string,
  answerNote: AnswerNote,
): Step | null {
  const { seal } = context;
  const { event, what, file, later } = answerNote;
  const { target_path: about } = event.fields;
  const links = { ...matterField(vault, about), target: about === null ? null : vault.catalogue.linkTo(about) };
  const fields = answerNoteFields(path, answerNote, { ...links, mode: recordedMode(context) });
  if (file !== null) {
    const completed = ownFirst(file, event, fields);
    return appendStep(notes, file, sealEvent(seal, path, completed, notes.fresh(path)?.data));
  }
  const { from, quote, target_path: target, changes } = event.fields;
  const telling = {
    what,
    later,
    event: event.name,
    target: target === null ? null : stem(target),
    changes,
    from,
    isBooking: isOfBookings(event.fields.source_contributions),
    quote,
  };
  const text = noteText(sealEvent(seal, path, fields), answerBody(telling, undoableAnswer(answerNote.recipe)));
  return { do: 'create', path, text };
}

/**
 * Returns the step that writes into a dropped file why it was not carried out; null if the file is gone. `isFound`:
 * whether the file names an event note of the vault.
 */
function refusalStep(
  space: DecisionReadAccess,
  file: OrderRecord,
  outcome: OrderOutcome,
  message: string,
  isFound: boolean,
): Step | null {
  const found = isFound && file.fields.event_found !== false ? {} : { event_found: isFound };
  const fields = { ...found, outcome, message, settled_at: utc(space.context.now()) };
  return appendStep(space.notes, file, packRecord('order', fields));
}

function appendStep(notes: NoteReader, { path }: OrderRecord, append: Readonly<Record<string, unknown>>): Step | null {
  const text = notes.text(path);
  return text === null ? null : { ...textStep(path, text, appendFields(path, text, append)), append };
}

function answerNoteFields(
  path: string,
  { event, what, by, later, now, recipe, effect, isUntold, taught, cleared }: AnswerNote,
  {
    target,
    mode,
    ...matter
  }: ReturnType<typeof matterField> & { readonly target: string | null; readonly mode: 'shadow' | 'live' },
): Record<string, unknown> {
  const { fields } = event;
  const becoming = undoableAnswer(recipe);
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
    ...(later ? { later } : {}),
    target,
    target_path: fields.target_path,
    decision: fields.decision,
    confidence: fields.confidence,
    mode,
    changes: what === 'confirmed' ? briefly(fields.changes) : {},
    source_contributions: fields.source_contributions,
    signals: fields.signals,
    ...recorded(taught.calibrations),
    lesson: lessonField(by, taught),
    ...(cleared ? { pending_cleared: true } : {}),
    plane_action: effect?.action ?? null,
    ...(isUntold ? { plane_skipped: NOT_UPDATED } : {}),
    ...saysField(becoming),
    undo_recipe: withRevert(recipe, effect, path),
  };
}

const NOT_UPDATED = 'Plane was not updated: in shadow mode, changes stay in the vault.';

function undoableAnswer(recipe: UndoRecipe | null): AnswerState {
  return undoable(undoableKind('event', recipe), recipe);
}

/** Fields of notes that the program makes: about the body, or the look of the note. */
const OF_NEW_NOTES: ReadonlySet<string> = new Set(['change', 'cssclasses', 'says']);

// The person's own fields stay as they wrote them; the program adds the others.
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

/**
 * Takes the flag from a note whose proposals have closed themselves: overtaken, or resolved by hand. Leaves an event
 * note that says why, and teaches no source. Has no effect in shadow mode, which changes no note. Returns when to look
 * again (epoch ms) if somebody is editing the note, else null.
 */
export function clearFlag(space: DecisionWriteAccess, target: TargetRecord): number | null {
  if (!target.fields.pending_confirmation || isHandsOff(space, target) || currentMode(space.context, null) === 'shadow')
    return null;
  space.transactions.finishHeldUp([target.path]);
  const note = space.notes.fresh(target.path);
  if (note === null) return null;
  const bare = withoutPending(space, note, () => false);
  if (bare === note.text) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  return cleared(space, target, note, bare) ? null : space.context.now() + 1000;
}

function cleared(space: DecisionWriteAccess, target: TargetRecord, note: NoteSnapshot, bare: string): boolean {
  const now = space.context.now();
  const path = space.transactions.eventPath('steward-action', target.path, now);
  const closed = resolvedOn(space, target.path, note).filter(({ event }) => event.fields.mode === 'live');
  const why = closed.map(({ event, reason }) => ({ name: event.name, reason }));
  const reason = closedWords(why);
  const names = closed.map(({ event }) => event.name);
  const fields = {
    ...closingFields(target, now, sha256(bare), closed.at(-1)?.event.fields ?? NOBODY_SPOKE),
    target: space.vault.catalogue.linkTo(target.path),
  };
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

interface DroppedAnswer {
  readonly file: OrderRecord;
  readonly kind: 'confirm' | 'dismiss';
  readonly event: EventRecord | null;
  /** Why it can't be carried out, or null. */
  readonly trouble: string | null;
}

/** Returns what a dropped file asks for: by its link, or else by its own name. */
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
  return { file, kind, event: null, trouble: `${found.name} isn't a proposal.` };
}

/**
 * Carries out what a dropped file asks, and completes the file: it becomes the answer note, or says why it was refused
 * (contract, section 8). Waits while somebody may still be writing it.
 */
export function carryDroppedAnswer(space: DecisionWriteAccess, dropped: DroppedAnswer): AnswerRecord {
  space.transactions.finishHeldUp(notesOf(dropped));
  const until = quietAt(space, dropped);
  if (until > space.context.now()) return pending(dropped, until);
  if (dropped.event === null) return refused(space, dropped, 'refused', dropped.trouble ?? NO_PROPOSAL);
  const { kind, event, file } = dropped;
  const { choose, later } = file.fields;
  const given = answer(space, { kind, event, choose, by: 'file', file, later });
  const outcome = ORDER_OUTCOMES.find((one) => one === given.outcome);
  if (given.note !== null || given.until !== null || outcome === undefined) return given;
  return refused(space, dropped, outcome, given.message);
}

function notesOf({ file, event }: DroppedAnswer): string[] {
  return event === null ? [file.path] : [file.path, event.path];
}

const NO_PROPOSAL = 'It names no event note of this vault; no note was changed.';

// Notes are synced in any order. The proposal that a file names may still be on its way, so the file waits as long as
// for somebody typing. Its change time tells when it arrived.
function quietAt(space: DecisionReadAccess, { file, event, trouble }: DroppedAnswer): number {
  const window = space.context.settings.settle_seconds * 1000;
  const typed = space.notes.fresh(file.path)?.settledAt ?? settledWithout(space.context, file);
  const { ctimeMs } = file.stat;
  const early = event === null && trouble === null && ctimeMs <= space.context.now() + window ? ctimeMs + window : 0;
  return Math.max(typed, early);
}

// An empty file has no frontmatter to read; a person may just have made it, and be about to write.
function settledWithout(context: DecisionContext, { stat }: OrderRecord): number {
  const window = context.settings.settle_seconds * 1000;
  return stat.mtimeMs > context.now() + window ? 0 : stat.mtimeMs + window;
}

function refused(
  space: DecisionWriteAccess,
  dropped: DroppedAnswer,
  outcome: OrderOutcome,
  message: string,
): AnswerRecord {
  const { file, event, trouble } = dropped;
  const answer = unanswered(fileSubject(dropped), outcome, message);
  const step = refusalStep(space, file, outcome, message, event !== null || trouble !== null);
  if (step === null) return answer;
  if (!space.transactions.commit(file.path, [step])) return pending(dropped, space.context.now() + 1000);
  space.context.emit({ what: 'refused', file: file.path, outcome, reason: message });
  return { ...answer, note: file.path };
}

function pending(dropped: DroppedAnswer, until: number): AnswerRecord {
  const message = `${dropped.file.path} is being written; it is read as soon as it is quiet.`;
  return unanswered(fileSubject(dropped), 'settling', message, until);
}

function fileSubject({ file, event }: DroppedAnswer): Pick<AnswerRecord, 'event' | 'target'> {
  return { event: event?.name ?? file.name, target: event?.fields.target_path ?? null };
}

/** A request that a person made by ticking a box or dropping a file. */
export type Order =
  | { readonly kind: 'undo'; readonly path: string; readonly order: UndoOrder }
  | {
      readonly kind: 'confirm' | 'dismiss';
      readonly path: string;
      readonly event: EventRecord;
      readonly later: boolean;
    }
  | { readonly kind: 'file'; readonly path: string; readonly order: DroppedAnswer };

/**
 * Returns the order in a note, or null. `before` is the note as it was known before: a box whose tick was answered is
 * no order until it is ticked again.
 */
export function readOrder(
  space: DecisionReadAccess,
  before: VaultRecord | null,
  after: VaultRecord | null,
): Order | null {
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

// Read once: an answered file stays answered, unless it was refused because the event it names had not arrived yet.
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

// After a conflict a person may still have it taken back. An undo that was forced from the beginning is not tried
// again.
function forceTicked(catalogue: Catalogue, before: VaultRecord | null, after: ReversalRecord): Order | null {
  const { outcome, force, reason } = after.fields;
  const event = outcome === 'conflict' && force && couldForce(before, after) ? namedEvent(catalogue, after) : null;
  if (event === null) return null;
  return { kind: 'undo', path: after.path, order: { event, by: 'checkbox', reason, force: true, file: null } };
}

// At a start the former note is unknown: as long as a conflict is not answered, the note itself says that it can be
// forced.
function couldForce(before: VaultRecord | null, { fields: { says } }: ReversalRecord): boolean {
  if (before === null) return says !== null && saysForcible(says);
  return before.kind === 'reversal' && before.fields.outcome === 'conflict' && !before.fields.force;
}

// It was refused because it didn't name anything, and the event that it names has arrived since.
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

// If neither the event nor its answers changed a note, an undo has no effect: the note says so.
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

function answerTicked(space: DecisionReadAccess, event: EventRecord): Order | null {
  const { dismiss, later } = event.fields;
  const isChosen = hasChosen(event.fields);
  const confirm = isChoice(event) ? isChosen : event.fields.confirm || event.fields.always || isChosen;
  // With several ticked the order is unclear: it waits until only one is. The note itself says why.
  if ([confirm, dismiss, later].filter(Boolean).length !== 1) return null;
  if (!isWaiting(space, event) || remarkOn(space, event) !== null) return null;
  return { kind: confirm ? 'confirm' : 'dismiss', path: event.path, event, later };
}

/**
 * Returns why a box or a dropped file may not answer here, as an answer; null if it may. In a shared vault either may
 * be anybody's, and so may the note that it answers: what such a note would write is believed only if the program wrote
 * it. To answer it anyway, a person names it in a command.
 */
export function strangersNote(space: DecisionReadAccess, order: Order): AnswerRecord | null {
  const event = order.kind === 'undo' || order.kind === 'file' ? order.order.event : order.event;
  if (event === null || isKnownNote(space, event)) return null;
  const command = `steward --vault ${shellWord(space.vault.root)} ${order.kind === 'file' ? order.order.kind : order.kind} ${shellWord(event.name)}`;
  const message = `${event.name} was not written by this program on this machine, or was changed since. If you mean it, run: ${command}`;
  return unanswered({ event: event.name, target: answeredTarget(event) }, 'refused', message);
}

/** How many notes a person is given to choose from. */
const MOST_CANDIDATES = 10;
const MAX_TEXT = 4000;

/**
 * Asks a person which of several notes a signal is about: writes an event note that waits for the answer. Returns its
 * path; null if there is no question, or it was asked before.
 */
export function askChoice(space: DecisionWriteAccess, signal: SignalRecord): string | null {
  const { catalogue } = space.vault;
  const isAsked = catalogue.eventsOfSignal(signal.name).some((event) => isChoice(event) || isJudged(event.fields));
  if (!isUndecided(signal) || isAsked) return null;
  const candidates = candidatesOf(space, signal);
  if (candidates.length === 0) return null;
  const now = space.context.now();
  const path = space.transactions.eventPath('signal-action', 'undecided', now);
  const text = choiceNote(space, signal, candidates, { now, path });
  if (!space.transactions.commit(path, [{ do: 'create', path, text }])) return null;
  const names = distinctTitles(candidates.map((one) => one.path));
  space.context.emit({ what: 'asked', event: path, signal: signal.path, candidates: names });
  return path;
}

function isJudged({ decision }: { readonly decision: string }): boolean {
  return decision !== 'rate_guarded';
}

// A note whose matter ignores the source is not one of them.
function candidatesOf(space: DecisionWriteAccess, signal: SignalRecord): TargetRecord[] {
  const { fields } = signal;
  const { source } = identifySpeaker(space, signal);
  const written = [...fields.target_candidates, ...(fields.target_path === null ? [] : [fields.target_path])];
  const found = new Map<string, TargetRecord>();
  for (const link of written) {
    const record = space.vault.catalogue.resolve(link, ['task', 'matter']);
    if (record?.kind !== 'task' && record?.kind !== 'matter') continue;
    if (!leadsToOpen(space, link) || isHandsOff(space, record)) continue;
    if (shutOut(space, source, record) === null) found.set(record.path, record);
  }
  return [...found.values()].slice(0, MOST_CANDIDATES);
}

function choiceNote(
  space: DecisionWriteAccess,
  signal: SignalRecord,
  targets: readonly TargetRecord[],
  { now, path }: { readonly now: number; readonly path: string },
): string {
  const { fields } = signal;
  const links = targets.map((target) => space.vault.catalogue.linkTo(target.path));
  const { mutation_proposal: proposal } = fields;
  const changes = proposal === null ? [] : (inNamesOfAll(space, proposal, targets) ?? proposalChanges(proposal));
  const asked = changes.length === 0 ? (fields.headline ?? fields.raw_quote ?? '') : changes.map(changeText).join('; ');
  const spoken = spokenBy(space, [signal]);
  const said = spokenFields(spoken);
  const gates = [evaluateForgery(space, signal)].filter(({ held }) => !held).map(recordedGate);
  const open: AnswerState = { kind: 'open', asks: isForged(gates) ? 'forged' : 'choice' };
  const frontmatter = {
    ...warningField(gates),
    ...boxFields(open),
    change: fieldLine(asked),
    ...said,
    waiting: true,
    outcome: 'proposed',
    candidates: links,
    cssclasses: EVENT_CLASSES,
    ...mailField(spoken.mail),
    type: 'signal-action',
    timestamp: utc(now),
    target: null,
    target_path: null,
    decision: 'needs_input',
    confidence: fields.target_confidence,
    mode: recordedMode(space.context),
    changes: {},
    source_contributions: {},
    signals: [wikilink(signal.path)],
    signals_summary: fieldLine(fields.headline ?? ''),
    evaluator: JUDGED_BY.chooses,
    gates,
    pending_confirmation: true,
    ...saysField(open),
    plane_action: null,
    undo_recipe: null,
  };
  const body = choiceBody({
    signal: signal.name,
    candidates: links,
    from: said.from,
    isBooking: isBankChannel(fields.source_type),
    quote: said.quote,
    mail: spoken.mail,
    headline: fields.headline,
    reasoning: fields.reasoning,
    changes: changes.map(changeText),
    gates,
  });
  return noteText(sealEvent(space.context.seal, path, frontmatter), body);
}

// As each of the notes would have it written, in its own field and words; null if they differ or one refuses it.
function inNamesOfAll(
  space: DecisionWriteAccess,
  proposal: MutationProposal,
  targets: readonly TargetRecord[],
): FieldChange[] | null {
  const written = targets.map((target): FieldChange[] | null => {
    const note = space.notes.fresh(target.path);
    if (note === null) return null;
    const { field_mapping: mapping } = space.context.settings;
    const asked = { changes: proposalChanges(proposal), proposal };
    const permission = permitted(asked, mutationContext(space, target, note.data), mapping);
    if (!permission.ok || permission.edits.some(({ op }) => op !== 'set')) return null;
    const changes = permission.edits.flatMap((edit) => (edit.op === 'set' ? edit : []));
    // The day of completion is that of the answer.
    return changes.filter(({ field }) => ourName(field, mapping) !== 'completedDate');
  });
  const [first = null] = written;
  return first !== null && first.length > 0 && written.every((one) => JSON.stringify(one) === JSON.stringify(first))
    ? first
    : null;
}

function changeText({ field, op, value }: FieldChange): string {
  return clipped(op === 'set' ? `${field} → ${shown(value)}` : `${field}: ${op} ${shown(value)}`, MAX_TEXT);
}

/** Says that a proposal was confirmed or dismissed. `committed`: null in a dry run. */
function carriedOut(
  { event, later = false }: Pick<AnswerOrder, 'event' | 'later'>,
  outcome: 'confirmed' | 'dismissed',
  committed: CommittedAnswer | null,
): AnswerRecord {
  const taught = committed?.taught ?? NOTHING_TAUGHT;
  return {
    event: event.name,
    outcome,
    note: committed?.path ?? null,
    target: event.fields.target_path,
    changes: outcome === 'confirmed' ? event.fields.changes : {},
    calibration: recorded(taught.calibrations).calibration,
    untaught: taught.untaught,
    message: doneMessage(event, outcome, later),
    until: null,
  };
}

function doneMessage({ fields }: EventRecord, outcome: 'confirmed' | 'dismissed', later: boolean): string {
  const proposes = Object.keys(fields.changes).length > 0;
  if (outcome === 'dismissed' && later) return 'Not now: it comes back only with something new.';
  if (outcome === 'dismissed') return `${proposes ? 'The proposal' : 'It'} is closed; the note stays as it is.`;
  return proposes ? 'The change is made.' : 'It is settled; no change proposed.';
}

function wouldCarryOut(event: EventRecord, outcome: 'confirmed' | 'dismissed'): AnswerRecord {
  return { ...carriedOut({ event }, outcome, null), message: ONLY_ASKED };
}

function conflict(event: EventRecord, reason: string, next: string): AnswerRecord {
  return unanswered(subjectOf(event), 'conflict', `No note was changed. ${reason} ${next}`);
}

function notOpen(event: EventRecord, reason: string): AnswerRecord {
  return unanswered(subjectOf(event), 'not-a-proposal', reason);
}

function beingEdited(event: EventRecord, until: number): AnswerRecord {
  const message = `${event.fields.target_path} is being edited; the answer is carried out as soon as the note is quiet.`;
  return unanswered(subjectOf(event), 'settling', message, until);
}

/** Says why an order was not carried out. `until` is when to try again (epoch ms), or null if that is pointless. */
export function unanswered(
  { event, target }: Pick<AnswerRecord, 'event' | 'target'>,
  outcome: AnswerRecord['outcome'],
  message: string,
  until: number | null = null,
): AnswerRecord {
  return { event, outcome, note: null, target, changes: {}, calibration: {}, untaught: null, message, until };
}

function subjectOf({ name, fields }: EventRecord): Pick<AnswerRecord, 'event' | 'target'> {
  return { event: name, target: fields.target_path };
}
