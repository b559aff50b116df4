import { mutationContext } from '../steward/changes/permission.ts';
import { recordedChanges } from '../steward/changes/recorded-changes.ts';
import { ourName, permit } from '../steward/changes.ts';
import { heldIn, isProtected, mayBeWritten } from '../steward/changes-held-value.ts';
import { round4 } from '../steward/gates-rounding.ts';
import { type Calibration, calibrationFigures, recorded } from '../steward/learning/calibration.ts';
import { afterReversalUndone, type Instinct, withConfidence, withoutRight } from '../steward/learning.ts';
import { type Classroom, NOTHING_TAUGHT, type Taught, teach, teachOutcome } from '../steward/learning-outcomes.ts';
import { matterField } from '../steward/ports/matter-link.ts';
import { isOwnNote } from '../steward/ports/own-notes.ts';
import { handsOffReason } from '../steward/proposal-fit.ts';
import { isReversed } from '../steward/proposals/reversed.ts';
import { answerOf } from '../steward/proposals.ts';
import { type Diagnostic, isRefusal } from '../vault/errors.ts';
import { appendFields } from '../vault/frontmatter/append.ts';
import { withTypedComments } from '../vault/frontmatter/typed-comments.ts';
import { findField, openDocument, restoreFields } from '../vault/frontmatter.ts';
import { readNote } from '../vault/frontmatter-parse.ts';
import { sha256 } from '../vault/hash.ts';
import type { EventRecord, FieldMapping, ReversalRecord, TargetRecord } from '../vault/index/record.ts';
import { sealReversal } from '../vault/index-keys.ts';
import { wikilink } from '../vault/links.ts';
import { stem } from '../vault/note-names.ts';
import { brief, briefly, changeLine, noteText, shown } from '../vault/note-text.ts';
import { NOBODY_SPOKE, spokenFields } from '../vault/notes/spoken.ts';
import { linkTo, liveMark } from '../vault/notes.ts';
import { same } from '../vault/parsed-note.ts';
import { stewardSwitch, type Yaml } from '../vault/records/values.ts';
import type { Changes, FieldRecipe, Outcome, UndoRecipe, VaultPatch } from '../vault/records.ts';
import type { Seal } from '../vault/seal.ts';
import { channelOf, patternOf, sourceKey } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import type { Step } from '../vault/transaction/intent.ts';
import { textStep } from '../vault/transaction/steps.ts';
import type { Transactions } from '../vault/transaction/transaction.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { reversalBody } from '../vault/words/reversal-words.ts';
import { type Becoming, boxFields, EVENT_CLASSES, saysField, undoable } from '../vault/words.ts';
import { type Answer, type Answerable, ONLY_ASKED, type Reversed, targetOf, type UndoOrder } from './order.ts';
import { changesOf, patchOf, recipeOf } from './recipe.ts';

// What is given back passes the same rules of writing as what is written. Only what the program itself recorded is given
// back as it was, whatever it says: it stood in the note before.

/** The note that a recipe is for, or the sentence that says why it is for none. */
type Aimed = { readonly ok: true; readonly target: TargetRecord | null } | { readonly ok: false; readonly why: string };

/** Returns the matter or task that a recipe is for, null where it is gone, or why the recipe is not carried out at all. */
function recipeTarget(space: UndoSpace, { target: path, fields }: VaultPatch): Aimed {
  const refused = (why: string): Aimed => ({ ok: false, why });
  if (path === '') return refused('Its recipe names no note of this vault.');
  const outside = Object.keys(fields).find((field) => !isWritable(space, field));
  if (outside !== undefined) return refused(`The field ${outside} is not one that the steward writes.`);
  const record = space.vault.catalogue.get(path);
  const kind = record?.kind ?? space.vault.layout.kindOf(path);
  if (record?.kind === 'bad') return refused(record.trouble.message);
  if (kind !== 'matter' && kind !== 'task') return refused(`${path} is no matter and no task.`);
  if (record?.kind !== 'matter' && record?.kind !== 'task') return { ok: true, target: null };
  const off = handsOffReason(space, record);
  return off === null ? { ok: true, target: record } : refused(off);
}

// A field that has another name in the note is protected under either.
function isWritable({ context: { settings } }: UndoSpace, field: string): boolean {
  const names = [field, ourName(field, settings.field_mapping)];
  if (names.some((name) => isProtected(name, settings.protected_fields))) return false;
  return names.some((name) => mayBeWritten(name, settings));
}

/** Returns why a recipe may not be carried out on a note as it is on disk; null where it may. */
function refusedHere(
  space: UndoSpace,
  { event, target }: { readonly event: Answerable; readonly target: TargetRecord },
  note: NoteSnapshot,
  patch: VaultPatch,
): string | null {
  if (!stewardSwitch.parse(note.data.steward)) return `${target.name} says steward: false.`;
  return isOwnNote(space, event) ? null : strangersReason(space, target, note, patch);
}

// Anybody may have written this event, and a person who orders it by name may not have read it to the last byte.
function strangersReason(
  space: UndoSpace,
  target: TargetRecord,
  note: NoteSnapshot,
  { fields }: VaultPatch,
): string | null {
  const odd = Object.entries(fields).find(([field, recipe]) => !isPlainEntry(field, recipe));
  if (odd !== undefined) return notOurs(`${odd[0]} would not be given back as one plain field`);
  const { settings } = space.context;
  const changes = recordedChanges(changesTo(fields, note), settings.field_mapping, space.vault.catalogue.words);
  const permission = permit(changes, mutationContext(space, target, note.data));
  return permission.ok ? null : notOurs(permission.reason.replace(/\.$/, ''));
}

function notOurs(why: string): string {
  return `The event was not written by this program on this machine, and ${why}.`;
}

/** What would be written; a field that is taken away, or is there without a value, writes nothing. */
function changesTo(fields: VaultPatch['fields'], { data }: NoteSnapshot): Changes {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, { before, before_source: source }]) => source !== null && before !== null)
      .map(([field, { before }]) => [field, { before: heldIn(data, field), after: before }]),
  );
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
    return isWhole && alone.entries.length === 1 && same(heldIn(alone.data, field), before);
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

function isPlainValue(value: Yaml): boolean {
  if (Array.isArray(value)) return value.every((member) => typeof member === 'string');
  return value === null || typeof value !== 'object';
}

/** The facts that decide whether an event can be taken back at all. */
interface Reversible {
  /** Null where nothing was changed: a record in shadow, a proposal, a dismissal. */
  readonly recipe: UndoRecipe | null;
  /** Whether a reversal of it holds that is not itself reversed. */
  readonly reversed: boolean;
}

/** Returns why an event cannot be taken back, or null where its recipe is worth trying. `now` in epoch ms. */
export function refusal(event: Reversible | null, now: number): Outcome | null {
  if (event === null) return 'refused';
  if (event.recipe === null) return 'not-applied';
  if (event.reversed) return 'already-reversed';
  // An end that cannot be read counts as passed: the comparison is false.
  return now <= Date.parse(event.recipe.expires_at) ? null : 'expired';
}

/** Returns one sentence for an outcome, for the reversal note and the terminal. */
export function outcomeSentence(outcome: Outcome): string {
  switch (outcome) {
    case 'reversed':
      return 'The change was taken back: each field is as it was before it.';
    case 'conflict':
      return 'Nothing was changed: somebody has edited the same field since.';
    case 'expired':
      return 'Nothing was changed: the seven days for taking it back are over.';
    case 'already-reversed':
      return 'Nothing was changed: it had already been taken back.';
    case 'not-applied':
      return 'Nothing was changed: the event had not changed anything.';
    case 'refused':
      return 'Nothing was changed: there is no such event, or its recipe may not be carried out.';
  }
}

/** A field that no longer holds what the steward wrote, because a person has changed it since. */
interface Conflict {
  readonly field: string;
  readonly wrote: Yaml;
  readonly found: Yaml;
}

/** What an undo does to the text of a note. */
export type UndoPlan =
  /** `text` is the note after the undo; `inverse` takes the undo itself back. */
  | { readonly kind: 'restore'; readonly text: string; readonly inverse: VaultPatch }
  /** Every field is already what it was before the change, to the byte: somebody has taken the change back. */
  | { readonly kind: 'restored' }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }
  | { readonly kind: 'unreadable'; readonly trouble: Diagnostic };

/**
 * Returns what it takes to give a note its former fields back, given its text now. If a person has changed one of the
 * fields since, nothing is restored unless `force` is true.
 * @throws StewardError as `restoreFields` does, where the fields cannot be restored to the byte.
 */
export function planUndo(patch: VaultPatch, text: string, force: boolean): UndoPlan {
  const read = readNote(patch.target, Buffer.from(text));
  if (!read.ok) return { kind: 'unreadable', trouble: read.trouble };
  const conflicts = conflictsWith(patch, read.note.data);
  if (conflicts.length > 0 && isRestored(patch, text)) return { kind: 'restored' };
  if (conflicts.length > 0 && !force) return { kind: 'conflict', conflicts };
  // What a person has typed beside a value that they left as it is stays. Whoever forces an undo has decided about both.
  const keepsComments = conflicts.length === 0 && sha256(text) !== patch.after_sha256;
  const former = keepsComments ? withTypedComments(patch.target, text, patch) : patch;
  const restored = restoreFields(patch.target, text, former);
  return { kind: 'restore', text: restored.text, inverse: patchOf(patch.target, text, restored.text, restored.patch) };
}

// Another machine may have undone the same action, or a person by hand. That is no conflict, and nothing is left to do.
function isRestored(patch: VaultPatch, text: string): boolean {
  if (sha256(text) === patch.before_sha256) return true;
  try {
    return restoreFields(patch.target, text, { fields: patch.fields }).text === text;
  } catch (error) {
    if (isRefusal(error)) return false; // fields that cannot be restored to the byte are not restored yet
    throw error;
  }
}

function conflictsWith(patch: VaultPatch, data: Readonly<Record<string, Yaml>>): Conflict[] {
  return Object.entries(patch.fields)
    .map(([field, { after }]) => ({ field, wrote: after, found: data[field] ?? null }))
    .filter(({ wrote, found }) => !same(wrote, found));
}

/** How an undo would end, found out before anything is written. */
interface UndoAssessment {
  readonly outcome: Outcome;
  /** The note as it was just read; null where nothing had to be read, or nothing could be. */
  readonly note: NoteSnapshot | null;
  /** The note's text after the undo; null where nothing is changed. */
  readonly text: string | null;
  /** The recipe that takes the undo itself back; null where nothing is changed. */
  readonly inverse: UndoRecipe | null;
  readonly conflicts: readonly Conflict[];
  /** What the outcome alone does not say, as a sentence. */
  readonly why: string | null;
}

const GONE = 'The note is gone, or unreadable just now.';
const RESTORED = 'Each field is as it was before, to the byte.';

/**
 * Returns how taking an event back would end, on the note as it is now. `event` is null where the order names no event.
 * `force` takes fields back that a person has changed since.
 */
function assessUndo(space: UndoSpace, event: Answerable | null, force: boolean): UndoAssessment {
  const recipe = currentRecipe(space, event);
  const refused = refusal(event === null ? null : { recipe, reversed: isReversed(space, event) }, space.context.now());
  const nothing = { note: null, text: null, inverse: null, conflicts: [], why: null };
  if (refused !== null || recipe === null || event === null) return { ...nothing, outcome: refused ?? 'not-applied' };
  const { vault_patch: patch } = recipe;
  const aimed = recipeTarget(space, patch);
  if (!aimed.ok) return { ...nothing, outcome: 'refused', why: aimed.why };
  // A note that is not in the catalogue is never looked for under the name that a recipe gives it.
  const note = aimed.target === null ? null : space.notes.fresh(aimed.target.path);
  if (aimed.target === null || note === null) return { ...nothing, outcome: 'conflict', why: GONE };
  const forbidden = refusedHere(space, { event, target: aimed.target }, note, patch);
  if (forbidden !== null) return { ...nothing, outcome: 'refused', why: forbidden };
  return assessOn(space, recipe, note, force);
}

/**
 * Returns an event's recipe, aimed at where its note lies now: the note may have moved since. Null where it has none.
 */
function currentRecipe(space: UndoSpace, event: Answerable | null): UndoRecipe | null {
  const recipe = event?.fields.undo_recipe ?? null;
  if (recipe === null) return null;
  const target = space.vault.catalogue.currentPath(recipe.vault_patch.target);
  return { ...recipe, vault_patch: { ...recipe.vault_patch, target } };
}

/** Returns what an undo changes, as the `changes` of a note; empty where it changes nothing. */
function changesMade({ inverse }: UndoAssessment): Changes {
  return inverse === null ? {} : changesOf(inverse.vault_patch);
}

/** Returns the conflicts of an undo with their values cut short, fit for a note or a sentence. */
function briefConflicts({ conflicts }: UndoAssessment): readonly Conflict[] {
  return conflicts.map(({ field, wrote, found }) => ({ field, wrote: brief(wrote), found: brief(found) }));
}

function assessOn(space: UndoSpace, recipe: UndoRecipe, note: NoteSnapshot, force: boolean): UndoAssessment {
  const nothing = { note, text: null, inverse: null, conflicts: [], why: null };
  try {
    const plan = planUndo(recipe.vault_patch, note.text, force);
    if (plan.kind === 'restored') return { ...nothing, outcome: 'already-reversed', why: RESTORED };
    if (plan.kind === 'conflict') return { ...nothing, outcome: 'conflict', conflicts: plan.conflicts };
    if (plan.kind === 'unreadable') return { ...nothing, outcome: 'conflict', why: plan.trouble.message };
    return { ...nothing, outcome: 'reversed', text: plan.text, inverse: recipeOf(plan.inverse, space.context.now()) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...nothing, outcome: 'conflict', why: error.message };
  }
}

/**
 * Returns what the reversal of an event teaches the sources behind it. Reversing a reversal gives them back what the
 * first one took. `path` is the path of the reversal note, which the history names.
 */
function reversalLesson(space: UndoSpace, event: Answerable, path: string): Taught {
  const at = space.context.now();
  const by = linkTo(stem(path));
  if (event.kind === 'reversal') return givenBack(space, event, { at, what: `given back by ${by}` });
  const lesson = { outcome: 'reversed', at, what: `taken back by ${by}` } as const;
  return teachOutcome(space, event.fields.source_contributions, lesson, wasRight(event) ? withoutRight : undefined);
}

/** Whether an event has counted as a right outcome: a confirmation does at once, an action once its week was over. */
function wasRight({ fields }: EventRecord): boolean {
  return fields.type.endsWith('-confirmed') || fields.taught === 'right';
}

// What a reversal moved is recorded in it: source → `before → after`.
function givenBack(space: UndoSpace, reversal: ReversalRecord, lesson: { at: number; what: string }) {
  const { calibration, observations } = reversal.fields;
  const sources = Object.keys(calibration);
  const counts = new Map(Object.entries(observations).map(([source, moved]) => [sourceKey(source), moved]));
  const moves = new Map(Object.entries(calibration).map(([source, moved]) => [sourceKey(source), moved]));
  const patterned = sources.filter((source) => patternOf(source) !== null);
  const bearing = new Set(bearersOf(space, reversal).map(sourceKey));
  // A channel that only followed its patterns has counted nothing itself.
  const followers = new Set(patterned.map((source) => sourceKey(channelOf(source))).filter((one) => !bearing.has(one)));
  const move = (instinct: Instinct) => {
    const key = sourceKey(instinct.source);
    const moved = calibrationFigures(moves.get(key) ?? '');
    if (moved === null) return instinct;
    const former = formerOf(instinct, moved);
    return followers.has(key)
      ? withConfidence(instinct, former)
      : undone(instinct, former, moved, calibrationFigures(counts.get(key) ?? ''));
  };
  return teach(space, sources, { ...lesson, move });
}

/** The sources that bore the event at the root of a row of reversals; none where that event is gone. */
function bearersOf(space: UndoSpace, reversal: ReversalRecord, seen: readonly string[] = []): string[] {
  const { reverses } = reversal.fields;
  const subject = reverses === null ? null : space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind === 'event') return Object.keys(subject.fields.source_contributions);
  if (subject?.kind !== 'reversal' || seen.includes(subject.path)) return [];
  return bearersOf(space, subject, [...seen, subject.path]);
}

interface Figures {
  readonly before: number;
  readonly after: number;
}

// The exact former confidence where nothing has moved it since; otherwise only the step itself is taken back.
function formerOf({ confidence }: Instinct, { before, after }: Figures): number {
  return confidence === after ? before : round4(confidence + before - after);
}

function undone(instinct: Instinct, former: number, moved: Figures, counted: Figures | null): Instinct {
  const given = afterReversalUndone(instinct, former);
  const observations = Math.max(0, instinct.observations + (counted === null ? 0 : counted.before - counted.after));
  // A step that raised the confidence had itself undone a reversal: that reversal holds again, and counts, and the source
  // owes what it owed.
  if (moved.before >= moved.after) return { ...given, observations };
  const [reversals, wrong] = [instinct.reversals + 1, instinct.wrong + 1];
  return { ...given, observations, reversals, wrong, wrongInARow: instinct.wrongInARow + 1, rightSinceReversal: 0 };
}

/** An order to take an event back, and how that ends. */
interface AssessedOrder {
  readonly order: UndoOrder;
  /** The event that made the change, or null where the order names none. */
  readonly subject: Answerable | null;
  readonly assessment: UndoAssessment;
}

/** Returns the vault-relative path of the reversal note: the file that a person dropped, or a new one. */
function reversalPath(space: UndoSpace, { order, subject }: AssessedOrder): string {
  if (order.file !== null) return order.file.path;
  const target = subject === null ? 'unknown' : (targetOf(subject) ?? 'unknown');
  return space.transactions.eventPath(typeOf(order), target, space.context.now());
}

/**
 * Returns the step that writes the reversal note: a new one, or a person's own, completed. Null where the person's file
 * has gone meanwhile.
 */
function reversalStep(
  space: UndoSpace,
  assessed: AssessedOrder,
  path: string,
  calibrations: readonly Calibration[],
): Step | null {
  const { order, subject, assessment } = assessed;
  const now = space.context.now();
  const matter = matterField(space.vault, subject === null ? null : targetOf(subject));
  const fields = reversalFields(assessed, calibrations, now);
  if (order.file !== null) {
    const text = space.notes.text(path);
    if (text === null) return null;
    const completed = missingFields(order, { ...matter, ...fields });
    const written = { ...space.notes.fresh(path)?.data, ...completed };
    const append = { ...completed, seal: sealReversal(space.context.seal, path, written) };
    return { ...textStep(path, text, appendFields(path, text, append)), append };
  }
  const becoming = becomingOf(assessed, now);
  const { from, quote, outcome, force, ...recorded } = fields;
  const frontmatter = {
    ...boxFields(becoming),
    change: changeLine(changesMade(assessment)),
    ...{ from, quote, outcome, cssclasses: EVENT_CLASSES, type: typeOf(order), timestamp: utc(now), ...matter },
    ...recorded,
    ...(force ? { force } : {}),
    ...saysField(becoming),
  };
  const sealed = { ...frontmatter, seal: sealReversal(space.context.seal, path, frontmatter) };
  return { do: 'create', path, text: noteText(sealed, bodyOf(assessed, becoming)) };
}

// What was taken back can be made again; what found the field changed can still be forced, as long as an undo is possible.
function becomingOf({ order, subject, assessment }: AssessedOrder, now: number): Becoming {
  const { outcome, inverse } = assessment;
  if (outcome === 'reversed') return undoable('reversal', inverse);
  const until = Date.parse(subject?.fields.undo_recipe?.expires_at ?? '');
  return outcome === 'conflict' && !order.force && until > now ? { kind: 'forcible', until } : { kind: 'nothing' };
}

function reversalFields(
  { order, subject, assessment }: AssessedOrder,
  calibrations: readonly Calibration[],
  now: number,
): Record<string, unknown> {
  const target = subject === null ? null : targetOf(subject);
  const conflicts = briefConflicts(assessment);
  return {
    reverses: subject === null ? null : wikilink(subject.path),
    target: target === null ? null : wikilink(target),
    target_path: target,
    change: changeLine(changesMade(assessment)),
    ...spokenFields(subject?.fields ?? NOBODY_SPOKE),
    ...(subject === null || order.file?.fields.event_found === false ? { event_found: subject !== null } : {}),
    ...(order.reason === null ? {} : { reason: order.reason }),
    reversed_by: order.by,
    force: order.force,
    outcome: assessment.outcome,
    vault_patch_applied: assessment.outcome === 'reversed',
    plane_revert_applied: false,
    ...(conflicts.length === 0 ? {} : { conflicts }),
    changes: briefly(changesMade(assessment)),
    ...recorded(calibrations),
    settled_at: utc(now),
    undo_recipe: assessment.inverse,
  };
}

// What a person wrote in their file stays as they wrote it; the program adds what it knows.
function missingFields(order: UndoOrder, fields: Record<string, unknown>): Record<string, unknown> {
  const own = order.file?.fields;
  const { reverses, reversed_by, force, reason: _, ...rest } = fields;
  return {
    ...(own?.type ? {} : { type: typeOf(order) }),
    ...(own?.reverses ? {} : { reverses }),
    ...(own?.reversed_by ? {} : { reversed_by }),
    ...(own?.force ? {} : { force }),
    ...rest,
  };
}

function typeOf({ event }: UndoOrder): 'signal-action-reversed' | 'steward-action-reversed' {
  return event?.name.startsWith('signal-') ? 'signal-action-reversed' : 'steward-action-reversed';
}

function bodyOf({ order, subject, assessment }: AssessedOrder, becoming: Becoming): string {
  const target = subject === null ? null : targetOf(subject);
  const telling = {
    ...{ outcome: assessment.outcome, event: subject?.name ?? null, target: target === null ? null : stem(target) },
    ...{ why: assessment.why, reason: order.reason, conflicts: briefConflicts(assessment) },
    changes: changesMade(assessment),
  };
  return reversalBody(telling, becoming);
}

/**
 * Returns until when an undo must wait (epoch ms), because somebody may still be writing the note, the dropped file or
 * the event; null where it need not.
 *
 * A refusal does not wait for the note, and a note that is still exactly what the action left is not being edited.
 */
function settlingUntil(
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

/**
 * Returns the answer to an order: how taking `subject` back ended, or would end. `event` is the event the person named,
 * `note` the reversal note's path, null where none was written.
 */
function undoAnswer(
  event: Answerable | null,
  subject: Answerable | null,
  assessment: UndoAssessment,
  note: string | null,
  calibrations: readonly Calibration[],
): Answer {
  const { outcome, why } = assessment;
  const conflicts = briefConflicts(assessment).map(
    ({ field, wrote, found }) => `${field} now holds ${shown(found)}, the steward had written ${shown(wrote)}.`,
  );
  return {
    event: event?.name ?? '(none)',
    outcome,
    note,
    target: subject === null ? null : targetOf(subject),
    changes: changesMade(assessment),
    calibration: recorded(calibrations).calibration,
    message: [outcomeSentence(outcome), ...(why === null ? [] : [why]), ...conflicts].join(' '),
    until: null,
  };
}

/** Returns the answer to an order that waits until the note has been quiet. `until`: when to try again, epoch ms. */
function settlingAnswer(order: UndoOrder, subject: Answerable | null, until: number): Answer {
  const target = subject === null ? null : targetOf(subject);
  return {
    event: order.event?.name ?? stem(order.file?.path ?? ''),
    outcome: 'settling',
    note: null,
    target,
    changes: {},
    calibration: {},
    message: `${target ?? 'The note'} is being edited; the change is taken back as soon as the note is quiet.`,
    until,
  };
}

/**
 * Takes an event back, or says why not, and leaves one reversal note either way (contract, section 8). Only `reversed`
 * teaches the sources. While somebody is editing the note, nothing is written and the answer says when to try again.
 */
export function undo(space: UndoSpace, order: UndoOrder): Answer {
  const subject = order.event === null ? null : changingEvent(space, order.event);
  const answer = space.transactions.attempt(concerned(space, subject, order), () => {
    const assessment = assessUndo(space, subject, order.force);
    const until = settlingUntil(space, assessment, subject, order);
    return until === null ? carryOut(space, { order, subject, assessment }) : settlingAnswer(order, subject, until);
  });
  return answer ?? settlingAnswer(order, subject, space.context.now() + 1000);
}

function concerned(space: UndoSpace, subject: Answerable | null, { file }: UndoOrder): string[] {
  const target = currentRecipe(space, subject)?.vault_patch.target;
  return [target, subject?.path, file?.path].filter((path) => path !== undefined);
}

/** Returns what an undo would do, as an answer without a note. Changes nothing. */
export function previewUndo(space: UndoSpace, event: Answerable, force: boolean): Answer {
  const subject = changingEvent(space, event);
  const assessment = assessUndo(space, subject, force);
  const answer = undoAnswer(event, subject, assessment, null, []);
  return assessment.outcome === 'reversed' ? { ...answer, message: ONLY_ASKED } : answer;
}

// A confirmed proposal is undone by undoing its confirmation: that is where the change was made.
function changingEvent(space: UndoSpace, event: Answerable): Answerable {
  if (event.kind !== 'event' || event.fields.undo_recipe !== null) return event;
  const answer = answerOf(space, event);
  return answer?.fields.undo_recipe ? answer : event;
}

/**
 * Writes the note, the reversal note and the lesson in one transaction; null where one of them has changed meanwhile.
 */
function carryOut(space: UndoSpace, assessed: AssessedOrder): Answer | null {
  const { order, subject, assessment } = assessed;
  const path = reversalPath(space, assessed);
  const isReversed = assessment.outcome === 'reversed' && subject !== null;
  const taught = isReversed ? reversalLesson(space, subject, path) : NOTHING_TAUGHT;
  const reversal = reversalStep(space, assessed, path, taught.calibrations);
  if (reversal === null) return null;
  const steps: Step[] = [...noteSteps(assessment), reversal, ...taught.steps];
  if (!space.transactions.commit(reversal.path, steps)) return null;
  const answer = undoAnswer(order.event, subject, assessment, reversal.path, taught.calibrations);
  space.context.emit({
    what: 'reversed',
    event: answer.event,
    outcome: assessment.outcome,
    target: answer.target ?? '',
    calibration: answer.calibration,
  });
  return answer;
}

function noteSteps({ note, text }: UndoAssessment): Step[] {
  return note === null || text === null || text === note.text ? [] : [textStep(note.path, note.text, text)];
}

/** What an undo needs: the notes, the one place that writes into them, and what the settings allow it to write. */
interface UndoSpace extends Classroom {
  readonly transactions: Transactions;
  readonly context: {
    /** Epoch milliseconds. */
    readonly now: () => number;
    /** The program's mark on its own notes. */
    readonly seal: Seal;
    readonly settings: UndoSettings;
    readonly emit: (event: Reversed) => void;
  };
}

interface UndoSettings {
  readonly settle_seconds: number;
  readonly editable_fields: readonly string[];
  readonly protected_fields: readonly string[];
  readonly field_mapping: FieldMapping;
}
