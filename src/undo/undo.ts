import {
  isProtected,
  mayBeWritten,
  mutationContext,
  ourName,
  permit,
  readHeldValue,
  recordedChanges,
} from '../steward/change.ts';
import { closingStep, reopeningStep } from '../steward/event-note.ts';
import { recorded } from '../steward/instinct.ts';
import { endedByUndo } from '../steward/licence.ts';
import { learnFromUndo, lessonField, NOTHING_TAUGHT, reportLesson } from '../steward/outcomes.ts';
import {
  findAnswer,
  handsOffReason,
  isAnswerOnly,
  isHandsOff,
  isReversed,
  waitsFlagged,
  withoutPending,
  wouldWait,
} from '../steward/proposals.ts';
import { answeredTarget, eventTarget, isKnownNote, isOwnNote, targetPath } from '../steward/records.ts';
import { forgetLeftOut, signalPaths, stampSteps } from '../steward/signals.ts';
import { type Answerable, type AnswerRecord, ONLY_ASKED, type UndoOrder } from '../steward/types.ts';
import type { DecisionWriteAccess } from '../steward/workspace.ts';
import {
  editedText,
  findField,
  openDocument,
  restoreFields,
  type Step,
  textStep,
  withTypedComments,
} from '../vault/edit.ts';
import { type Diagnostic, isRefusal } from '../vault/errors.ts';
import { MOVED_ANSWER } from '../vault/event-text.ts';
import { type Changes, readNote, same, type Yaml } from '../vault/frontmatter.ts';
import { stem } from '../vault/layout.ts';
import { liveMark, noteMoment, sha256, shown } from '../vault/note-text.ts';
import {
  type EventRecord,
  type FieldRecipe,
  type Outcome,
  stewardSwitch,
  type TargetRecord,
  type UndoRecipe,
  type VaultPatch,
} from '../vault/record.ts';
import { sourceKey } from '../vault/source-names.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { makePatch, makeRecipe } from './recipe.ts';
import {
  briefConflicts,
  type Conflict,
  changesMade,
  reversalPath,
  reversalStep,
  type Undo,
  type UndoneAnswer,
} from './reversal-note.ts';

/**
 * Takes an event back, or says why not, and leaves one reversal note either way (contract, section 8). Only `reversed`
 * teaches the sources. While somebody is editing the note, it doesn't write anything, and the answer says when to try
 * again.
 */
export function undo(space: DecisionWriteAccess, order: UndoOrder): AnswerRecord {
  const subject = order.event === null ? null : changingEvent(space, order.event);
  const target = currentRecipe(space, subject)?.vault_patch.target;
  const concerned = [target, subject?.path, order.file?.path].filter((path) => path !== undefined);
  const answer = space.transactions.attempt(concerned, () => {
    const assessed = assess(space, order, subject);
    const until = settlingUntil(space, assessed);
    return until === null ? carryOut(space, assessed) : settlingAnswer(order, subject, until);
  });
  return answer ?? settlingAnswer(order, subject, space.context.now() + 1000);
}

/** Returns what an undo would do, as an answer without a note. Changes nothing. */
export function previewUndo(space: DecisionWriteAccess, event: Answerable, force: boolean): AnswerRecord {
  const order: UndoOrder = { event, by: 'command', reason: null, force, file: null };
  const answer = answerTo(assess(space, order, changingEvent(space, event)), null, {});
  return answer.outcome === 'reversed' ? { ...answer, message: ONLY_ASKED } : answer;
}

// A confirmed proposal is undone by undoing its confirmation, because that made the change.
function changingEvent(space: DecisionWriteAccess, event: Answerable): Answerable {
  if (event.kind !== 'event' || event.fields.undo_recipe !== null) return event;
  const answer = findAnswer(space, event);
  return answer?.fields.undo_recipe ? answer : event;
}

/** Returns an event's recipe, with the path to which its note has moved since; null if the event has no recipe. */
function currentRecipe(space: DecisionWriteAccess, event: Answerable | null): UndoRecipe | null {
  const recipe = event?.fields.undo_recipe ?? null;
  if (recipe === null) return null;
  const target = space.vault.catalogue.currentPath(recipe.vault_patch.target);
  return { ...recipe, vault_patch: { ...recipe.vault_patch, target } };
}

/** Returns how the undo would end on the note as it is now. Writes nothing. */
function assess(space: DecisionWriteAccess, order: UndoOrder, subject: Answerable | null): Undo {
  const end = (outcome: Outcome, why: string | null = null): Undo => {
    return { order, subject, outcome, note: null, text: null, inverse: null, conflicts: [], why, answer: null };
  };
  if (subject === null) return end('refused');
  const recipe = currentRecipe(space, subject);
  if (recipe === null) return end('not-applied');
  if (isReversed(space, subject)) return end('already-reversed');
  // An end that can't be read counts as passed: the comparison is false.
  if (!(space.context.now() <= Date.parse(recipe.expires_at))) return end('expired');

  const { vault_patch: patch } = recipe;
  if (isAnswerOnly(subject)) return { ...end('not-applied'), ...assessAnswer(space, subject) };
  const found = findTarget(space, patch);
  if (!found.ok) return end('refused', found.why);
  // A note that isn't in the catalogue is never looked for under the name that a recipe gives it.
  const note = found.target === null ? null : space.notes.fresh(found.target.path);
  if (found.target === null || note === null) return end('conflict', 'The note is gone, or unreadable just now.');
  if (!stewardSwitch.parse(note.data.steward)) return end('refused', `${found.target.name} says steward: false.`);
  const objection = isOwnNote(space, subject) ? null : whyForeignRecipeIsUnsafe(space, found.target, note, patch);
  if (objection !== null)
    return end('refused', `The event was not written by this program on this machine, and ${objection}.`);

  try {
    const plan = planUndo(patch, note.text, order.force);
    switch (plan.kind) {
      case 'restored':
        return { ...end('already-reversed', 'Each field is as it was before, to the byte.'), note };
      case 'conflict':
        return { ...end('conflict'), note, conflicts: plan.conflicts };
      case 'unreadable':
        return { ...end('conflict', plan.trouble.message), note };
      case 'restore': {
        const text = reflaggedText(space, subject, note, plan.text);
        const inverse = makePatch(patch.target, note.text, text, plan.inverse);
        return { ...end('reversed'), note, text, inverse: makeRecipe(inverse, space.context.now()) };
      }
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...end('conflict', error.message), note };
  }
}

type Found = { readonly ok: true; readonly target: TargetRecord | null } | { readonly ok: false; readonly why: string };

/** Returns the matter or task that a recipe is for, null if it is gone, or why the recipe may not be carried out. */
function findTarget(space: DecisionWriteAccess, { target: path, fields }: VaultPatch): Found {
  const refused = (why: string): Found => ({ ok: false, why });
  if (path === '') return refused('Its recipe names no note of this vault.');
  const outside = Object.keys(fields).find((field) => !isWritable(space, field));
  if (outside !== undefined) return refused(`The field ${outside} isn't one that Steward writes.`);
  const record = space.vault.catalogue.get(path);
  const kind = record?.kind ?? space.vault.layout.kindOf(path);
  if (record?.kind === 'bad') return refused(record.trouble.message);
  if (kind !== 'matter' && kind !== 'task') return refused(`${path} isn't a matter or task.`);
  if (record?.kind !== 'matter' && record?.kind !== 'task') return { ok: true, target: null };
  const off = handsOffReason(space, record);
  return off === null ? { ok: true, target: record } : refused(off);
}

// A field that has another name in the note is protected under both names.
function isWritable({ context: { settings } }: DecisionWriteAccess, field: string): boolean {
  const names = [field, ourName(field, settings.field_mapping)];
  if (names.some((name) => isProtected(name, settings.protected_fields))) return false;
  return names.some((name) => mayBeWritten(name, settings));
}

/**
 * Returns what is wrong with a recipe that this program didn't write on this machine, or null. Anybody may have written
 * the event, so what it gives back must pass the rules for writing. A value that the program itself recorded is given
 * back as it was.
 */
function whyForeignRecipeIsUnsafe(
  space: DecisionWriteAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  { fields }: VaultPatch,
): string | null {
  const odd = Object.entries(fields).find(([field, recipe]) => !isPlainEntry(field, recipe));
  if (odd !== undefined) return `${odd[0]} would not be restored as one plain field`;
  // Removing a field, or restoring one that had no value, writes no value.
  const given: Changes = Object.fromEntries(
    Object.entries(fields)
      .filter(([, { before, before_source: source }]) => source !== null && before !== null)
      .map(([field, { before }]) => [field, { before: readHeldValue(note.data, field), after: before }]),
  );
  const changes = recordedChanges(given, space.context.settings.field_mapping, space.vault.catalogue.words);
  const permission = permit(changes, mutationContext(space, target, note.data));
  return permission.ok ? null : permission.reason.replace(/\.$/, '');
}

/** Line ends that some readers of YAML take for one, and others for a part of the text. */
const ODD_BREAKS = /\r(?!\n)|[\u0085\u2028\u2029]|(?![\t\r\n])\p{Cc}/u;

/** Whether the former bytes of a field are that field alone, with the value they are said to have and nothing live. */
function isPlainEntry(field: string, { before, before_source: source }: FieldRecipe): boolean {
  if (source === null) return true;
  if (!isPlainValue(before) || ODD_BREAKS.test(source) || liveMark(source) !== null) return false;
  try {
    const alone = openDocument('recipe.md', `---\n${source.replace(/\n?$/, '\n')}---\n`);
    const entry = findField(alone, field);
    const isWhole = entry?.simple === true && entry.start === 0 && entry.end === alone.body.length;
    return isWhole && alone.entries.length === 1 && same(readHeldValue(alone.data, field), before);
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

function isPlainValue(value: Yaml): boolean {
  if (Array.isArray(value)) return value.every((member) => typeof member === 'string');
  return value === null || typeof value !== 'object';
}

/** The effect of an undo on the text of a note. */
export type UndoPlan =
  /** `text` is the note after the undo; `inverse` takes the undo itself back. */
  | { readonly kind: 'restore'; readonly text: string; readonly inverse: VaultPatch }
  /** Every field is as it was before the change, to the byte: the change was undone by somebody else. */
  | { readonly kind: 'restored' }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }
  | { readonly kind: 'unreadable'; readonly trouble: Diagnostic };

/**
 * Returns what it takes to give a note its former fields back, given its text now. If a person has changed one of the
 * fields since, nothing is restored unless `force` is true.
 * @throws StewardError as `restoreFields` does, if the fields cannot be restored to the byte.
 */
export function planUndo(patch: VaultPatch, text: string, force: boolean): UndoPlan {
  const read = readNote(patch.target, Buffer.from(text));
  if (!read.ok) return { kind: 'unreadable', trouble: read.trouble };
  const conflicts = Object.entries(patch.fields)
    .map(([field, { after }]) => ({ field, wrote: after, found: read.note.data[field] ?? null }))
    .filter(({ wrote, found }) => !same(wrote, found));
  if (conflicts.length > 0 && isRestored(patch, text)) return { kind: 'restored' };
  if (conflicts.length > 0 && !force) return { kind: 'conflict', conflicts };
  // Comments that a person typed next to an unchanged value stay. A forced undo decides about both.
  const keepsComments = conflicts.length === 0 && sha256(text) !== patch.after_sha256;
  const former = keepsComments ? withTypedComments(patch.target, text, patch) : patch;
  const restored = restoreFields(patch.target, text, former);
  return {
    kind: 'restore',
    text: restored.text,
    inverse: makePatch(patch.target, text, restored.text, restored.patch),
  };
}

// Another machine may have undone the same action, or a person by hand.
function isRestored(patch: VaultPatch, text: string): boolean {
  if (sha256(text) === patch.before_sha256) return true;
  try {
    return restoreFields(patch.target, text, { fields: patch.fields }).text === text;
  } catch (error) {
    if (isRefusal(error)) return false; // fields that can't be restored to the byte aren't restored yet
    throw error;
  }
}

/**
 * Returns until when an undo must wait (epoch ms), because somebody may still be writing the note, the dropped file or
 * the event; null if it needn't. A refusal doesn't wait for the note, and a note that is still exactly as the action left
 * it isn't being edited.
 */
function settlingUntil(space: DecisionWriteAccess, { order, subject, outcome, note, answer }: Undo): number | null {
  const isOurs = note?.sha === subject?.fields.undo_recipe?.vault_patch.after_sha256;
  const file = order.file === null ? null : space.notes.fresh(order.file.path);
  const isSettled = outcome === 'already-reversed' || outcome === 'expired';
  const isChange = subject?.fields.undo_recipe != null && answer === null;
  const mayBeEarly = subject === null || (!isSettled && isChange && note === null);
  // The note with the ticked box is edited as well.
  const ticked = order.by === 'checkbox' && order.event?.path === answer?.proposal?.path ? order.event : null;
  const until = Math.max(
    ticked === null ? 0 : (space.notes.fresh(ticked.path)?.settledAt ?? 0),
    isOurs ? 0 : (note?.settledAt ?? 0),
    file?.settledAt ?? 0,
    outcome === 'refused' ? targetWholeAt(space, subject) : 0,
    outcome === 'conflict' && note === null ? wholeAt(space, subject) : 0,
    mayBeEarly && (order.by === 'file' || order.by === 'checkbox') ? othersArriveBy(space, order) : 0,
  );
  return until > space.context.now() ? until : null;
}

// A target that is empty or ends inside its frontmatter is still being written, and the undo waits until it is whole.
// One that can't be read for another reason delays the undo only as long as somebody typing would.
function targetWholeAt(space: DecisionWriteAccess, event: Answerable | null): number {
  const target = currentRecipe(space, event)?.vault_patch.target;
  const record = target === undefined ? undefined : space.vault.catalogue.get(target);
  if (record?.kind !== 'bad') return 0;
  const window = Math.max(1, space.context.settings.settle_seconds) * 1000;
  if (['note-empty', 'frontmatter-unclosed'].includes(record.trouble.code)) return space.context.now() + window;
  return record.stat.mtimeMs > space.context.now() + window ? 0 : record.stat.mtimeMs + window;
}

// An editor that writes a note in place empties it first: the catalogue still holds the note as it was before.
function wholeAt(space: DecisionWriteAccess, event: Answerable | null): number {
  const target = currentRecipe(space, event)?.vault_patch.target;
  const text = target === undefined ? null : space.notes.text(target);
  if (target === undefined || text === null) return 0;
  const read = text === '' ? null : readNote(target, Buffer.from(text));
  // The editor may have finished since the undo looked.
  if (read?.ok === true) return space.vault.catalogue.get(target) === undefined ? 0 : space.context.now() + 1;
  const isWhole = read !== null && read.trouble.code !== 'frontmatter-unclosed';
  return isWhole ? 0 : space.context.now() + Math.max(1, space.context.settings.settle_seconds) * 1000;
}

// Notes are synced in any order, so the event of a new order may still be on its way. The undo waits for it as long as
// for somebody typing. The change time says when the order arrived; the time of last writing comes from another machine.
function othersArriveBy(space: DecisionWriteAccess, order: UndoOrder): number {
  const window = space.context.settings.settle_seconds * 1000;
  const arrivedAt = Math.max(order.file?.stat.ctimeMs ?? 0, order.event?.stat.ctimeMs ?? 0);
  return arrivedAt > space.context.now() + window ? 0 : arrivedAt + window;
}

/**
 * Writes the note, the reversal note and the lesson in one transaction; null if one of them has changed in the
 * meantime.
 */
function carryOut(space: DecisionWriteAccess, assessed: Undo): AnswerRecord | null {
  const { subject, outcome, note, text } = assessed;
  // Read once: the name and the time in the note must be in the same second to be put in order.
  const now = space.context.now();
  const path = reversalPath(space, assessed, now);
  const { order } = assessed;
  const taught =
    outcome === 'reversed' && subject !== null ? learnFromUndo(space, subject, path, order) : NOTHING_TAUGHT;
  const ended = outcome === 'reversed' && subject?.kind === 'event' ? endedByUndo(space, subject) : [];
  const { calibration, ...counted } = recorded(taught.calibrations);
  const lesson = lessonField(order.by, taught);
  const reversal = reversalStep(space, assessed, path, { calibration, ...counted, lesson }, now);
  if (reversal === null) return null;
  const edits: Step[] =
    note === null || text === null || text === note.text ? [] : [textStep(note.path, note.text, text)];
  const following = [...answerSteps(space, assessed), ...taught.steps, ...ended];
  if (!space.transactions.commit(reversal.path, [...edits, reversal, ...following])) return null;
  const { answer: undone } = assessed;
  if (undone?.move === 'closed' && undone.proposal !== null) forgetLeftOut(space, undone.proposal);
  for (const sender of taught.senders) order.gesture?.add(sourceKey(sender));
  reportLesson(space, taught, 'reversed', reversal.path);
  const answer = { ...answerTo(assessed, reversal.path, calibration), untaught: taught.untaught };
  space.context.emit({ what: 'reversed', event: answer.event, outcome, target: answer.target ?? '', calibration });
  return answer;
}

const SENTENCES: Readonly<Record<Outcome, string>> = {
  reversed: 'The change was undone: each field is as it was before.',
  conflict: 'Not undone: somebody has edited the same field since.',
  expired: 'Not undone: the seven days for an undo are over.',
  'already-reversed': 'Not undone: it was already undone.',
  'not-applied': 'Not undone: the event changed no note.',
  refused: "Not undone: the event doesn't exist, or its recipe isn't allowed.",
};

function sentenceFor(outcome: Outcome, subject: Answerable | null): string {
  if (outcome !== 'reversed' || subject?.kind !== 'reversal') return SENTENCES[outcome];
  return 'The undo was undone: each field is as it was before that undo.';
}

/** Returns the answer to an order. `note`: the reversal note's path, null if it wasn't written. */
function answerTo(assessed: Undo, note: string | null, calibration: AnswerRecord['calibration']): AnswerRecord {
  const { order, subject, outcome, why } = assessed;
  const conflicts = briefConflicts(assessed).map(
    ({ field, wrote, found }) => `${field} is now ${shown(found)}, Steward had written ${shown(wrote)}.`,
  );
  return {
    event: order.event?.name ?? '(none)',
    outcome,
    note,
    target: subject === null ? null : answeredTarget(subject),
    changes: changesMade(assessed),
    calibration,
    untaught: null,
    message: [
      assessed.answer === null ? sentenceFor(outcome, subject) : MOVED_ANSWER[assessed.answer.move],
      ...(why === null ? [] : [why]),
      ...conflicts,
    ].join(' '),
    until: null,
  };
}

/** Returns the answer to an order that waits until the note has been quiet. `until`: when to try again, epoch ms. */
function settlingAnswer(order: UndoOrder, subject: Answerable | null, until: number): AnswerRecord {
  const target = subject === null ? null : answeredTarget(subject);
  return {
    event: order.event?.name ?? stem(order.file?.path ?? ''),
    outcome: 'settling',
    note: null,
    target,
    changes: {},
    calibration: {},
    untaught: null,
    message: `${target ?? 'The note'} is being edited; the change is undone once the note has stopped changing.`,
    until,
  };
}

/**
 * Assesses the undo of an answer that changed no field, or of such an undo (contract, section 8). The note's flag goes
 * with the proposal: it is set again if the proposal or its answer says that it was there.
 */
function assessAnswer(space: DecisionWriteAccess, subject: Answerable): Partial<Undo> {
  const found = findDismissal(space, subject);
  if (found === null || !isKnownNote(space, found.dismissal)) return {};
  const { dismissal, isOpening } = found;
  const linked = space.vault.catalogue.resolve(dismissal.fields.dismisses ?? '', ['event']);
  const proposal = linked?.kind === 'event' ? linked : null;
  const waits = proposal !== null && wouldWait(space, proposal, dismissal);
  const answer: UndoneAnswer = { move: !isOpening ? 'closed' : waits ? 'opened' : 'overtaken', dismissal, proposal };
  if (proposal !== null && space.notes.fresh(proposal.path)?.refusal !== null)
    return { outcome: 'refused', why: `${proposal.name} cannot be edited just now.` };
  const path = proposal === null ? null : targetPath(space.vault, proposal);
  const note = path === null ? null : space.notes.fresh(path);
  const before = note?.text ?? '';
  const after = note === null ? before : flaggedText(space, answer, note);
  const patch = makePatch(path ?? '', before, after, { fields: {} });
  const inverse = makeRecipe(patch, space.context.now());
  const edited = before === after ? { note: null, text: null } : { note, text: after };
  return { outcome: 'reversed', inverse, answer, ...edited };
}

function findDismissal(
  space: DecisionWriteAccess,
  subject: Answerable,
): { readonly dismissal: EventRecord; readonly isOpening: boolean } | null {
  const { event, isTakenBack } = findOrigin(space, subject);
  return event === null || event.fields.dismisses === null ? null : { dismissal: event, isOpening: isTakenBack };
}

/**
 * Returns the event that an undo is about in the end, and whether it is taken back then. Every undo turns it around: what
 * takes back the undo of a dismissal dismisses again.
 */
function findOrigin(
  { vault: { catalogue } }: DecisionWriteAccess,
  subject: Answerable,
): { readonly event: EventRecord | null; readonly isTakenBack: boolean } {
  let [now, isTakenBack]: [Answerable | null, boolean] = [subject, true];
  for (let depth = 0; depth < MOST_UNDOS && now?.kind === 'reversal'; depth += 1) {
    const next = catalogue.resolve(now.fields.reverses ?? '', ['event', 'reversal']);
    now = next?.kind === 'event' || next?.kind === 'reversal' ? next : null;
    isTakenBack = !isTakenBack;
  }
  return { event: now?.kind === 'event' ? now : null, isTakenBack };
}

/** Undos of undos are followed this far. */
const MOST_UNDOS = 20;

/** Returns a note's text with or without `pending_confirmation`, as the answer moves; the same text if it says so already. */
function flaggedText(
  space: DecisionWriteAccess,
  { move, dismissal, proposal }: UndoneAnswer,
  note: NoteSnapshot,
): string {
  if (move === 'closed') return withoutPending(space, note, (other) => other.path === proposal?.path);
  const target = proposal === null ? null : eventTarget(space.vault, proposal);
  const wasFlagged = (proposal?.fields.pending_patch ?? null) !== null || dismissal.fields.pending_cleared;
  const isMeant = move === 'opened' && wasFlagged && proposal?.fields.mode === 'live';
  if (!isMeant || target === null || isHandsOff(space, target)) return note.text;
  return editedText(note.path, note.text, [{ op: 'set', field: 'pending_confirmation', value: true }]) ?? note.text;
}

/**
 * Returns the text to which an undo restores a note, with or without `pending_confirmation`: a proposal may wait again that
 * only the end of the note had closed, or be closed once more.
 */
function reflaggedText(space: DecisionWriteAccess, subject: Answerable, note: NoteSnapshot, text: string): string {
  const { event: change, isTakenBack } = findOrigin(space, subject);
  const read = readNote(note.path, Buffer.from(text));
  if (change === null || !read.ok) return text;
  const restored = { ...note, text, data: read.note.data, sha: sha256(text) };
  if (!isTakenBack) return waitsFlagged(space, change, note) ? withoutPending(space, restored, () => false) : text;
  if (read.note.data.pending_confirmation === true || !waitsFlagged(space, change, restored)) return text;
  return editedText(note.path, text, [{ op: 'set', field: 'pending_confirmation', value: true }]) ?? text;
}

function answerSteps(space: DecisionWriteAccess, { answer }: Undo): Step[] {
  if (answer === null || answer.proposal === null) return [];
  const { move, dismissal, proposal } = answer;
  const stamps = stampSteps(
    space,
    signalPaths(space.vault, proposal),
    dismissal.path,
    space.context.now(),
    move === 'closed' ? 'skipped' : 'unrouted',
  );
  const told =
    move === 'closed' ? dismissedStep(space, dismissal, proposal) : reopeningStep(space, proposal, move === 'opened');
  return told === null ? stamps : [told, ...stamps];
}

function dismissedStep(space: DecisionWriteAccess, dismissal: EventRecord, proposal: EventRecord) {
  const until = Date.parse(dismissal.fields.undo_recipe?.expires_at ?? '');
  return closingStep(space, proposal, 'dismissed', {
    ...{ kind: 'dismissed', by: dismissal.name, at: noteMoment(dismissal.name, dismissal.fields.timestamp) },
    ...{ later: dismissal.fields.later, until: until > space.context.now() ? until : null },
  });
}
