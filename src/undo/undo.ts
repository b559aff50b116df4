import { ourName } from '../steward/changes/field-mapping.ts';
import { isHandsOff } from '../steward/changes/opt-out.ts';
import { mayBeWritten } from '../steward/changes/writable-fields.ts';
import { type Calibration, calibrationFigures, recorded } from '../steward/learning/calibration.ts';
import { afterObservation, afterReversal, afterReversalUndone, type Instinct } from '../steward/learning/instinct.ts';
import type { Classroom } from '../steward/learning/lessons.ts';
import { NOTHING_TAUGHT, type Taught, teach } from '../steward/learning/lessons.ts';
import { answerOf } from '../steward/proposals/proposal-status.ts';
import { StewardError } from '../vault/errors.ts';
import { appendFields } from '../vault/frontmatter/append.ts';
import type { EventRecord, FieldMapping, ReversalRecord } from '../vault/index/record.ts';
import { wikilink } from '../vault/links.ts';
import { stem } from '../vault/note-names.ts';
import { escapeMarkdown, linkTo } from '../vault/notes/escape.ts';
import { brief, briefly, changeTable, noteText, shown } from '../vault/notes/note-text.ts';
import type { Outcome, UndoRecipe } from '../vault/records/event.ts';
import type { Changes } from '../vault/records/mutation.ts';
import { utc } from '../vault/time.ts';
import type { Step } from '../vault/transaction/journal.ts';
import type { NoteSnapshot } from '../vault/transaction/note-snapshot.ts';
import { textStep } from '../vault/transaction/steps.ts';
import type { Transactions } from '../vault/transaction/transaction.ts';
import { type Answer, type Answerable, type Door, ONLY_ASKED, type Reversed } from './order.ts';
import { outcomeSentence, refusal } from './outcome.ts';
import { changesOf, recipeOf } from './patch.ts';
import { type Conflict, planUndo } from './plan.ts';
import { isReversed } from './reversed.ts';

/** What taking back needs: the notes, the one place that writes into them, and what the settings allow to be written. */
interface UndoSpace extends Classroom {
  readonly transactions: Transactions;
  readonly context: {
    readonly now: () => number;
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

/** A person's order to take an event back. */
export interface UndoOrder {
  /** The event, or null where a dropped file names none. */
  readonly event: Answerable | null;
  readonly by: Door;
  readonly reason: string | null;
  readonly force: boolean;
  /** The reversal note that a person dropped, to be completed; null where the program writes one. */
  readonly file: ReversalRecord | null;
}

/** What an undo would do or did to the vault. */
interface Verdict {
  readonly outcome: Outcome;
  readonly note: NoteSnapshot | null;
  /** The note's text after the undo; null where nothing is changed. */
  readonly text: string | null;
  readonly recipe: UndoRecipe | null;
  readonly conflicts: readonly Conflict[];
  readonly why: string | null;
}

const RESTORED = 'The fields are what they were before the action, to the byte.';

/**
 * Takes an event back, or says why not, and leaves one reversal note either way (contract, section 8).
 * Only `reversed` teaches the sources. Nothing is done while somebody is editing the note.
 */
export function undo(space: UndoSpace, order: UndoOrder): Answer {
  const subject = order.event === null ? null : confirmedSibling(space, order.event);
  const answer = space.transactions.attempt(() => {
    const verdict = judge(space, subject, order.force);
    const waiting = settlingUntil(space, verdict, subject, order);
    return waiting === null ? carried(space, order, subject, verdict) : settling(order, subject, waiting);
  });
  return answer ?? settling(order, subject, space.context.now() + 1000);
}

/** What an undo would do, as an answer whose note was not written. Changes nothing. */
export function previewUndo(space: UndoSpace, event: Answerable, force: boolean): Answer {
  const subject = confirmedSibling(space, event);
  const verdict = judge(space, subject, force);
  const answer = answerFor(event, subject, verdict, null, []);
  return verdict.outcome === 'reversed' ? { ...answer, message: ONLY_ASKED } : answer;
}

// Undoing a proposal that was confirmed means undoing the confirmation: that is where the change was made.
function confirmedSibling(space: UndoSpace, event: Answerable): Answerable {
  if (event.kind !== 'event' || event.fields.undo_recipe !== null) return event;
  const answer = answerOf(space.vault.catalogue, event);
  return answer?.fields.undo_recipe ? answer : event;
}

function judge(space: UndoSpace, event: Answerable | null, force: boolean): Verdict {
  const recipe = relocated(space, event?.fields.undo_recipe ?? null);
  const refused = refusal(event === null ? null : { recipe, reversed: isReversed(space, event) }, space.context.now());
  const nothing = { note: null, text: null, recipe: null, conflicts: [], why: null };
  if (refused !== null || recipe === null) return { ...nothing, outcome: refused ?? 'not-applied' };
  const forbidden = forbiddenReason(space, recipe);
  if (forbidden !== null) return { ...nothing, outcome: 'refused', why: forbidden };
  const note = space.notes.fresh(recipe.vault_patch.target);
  if (note === null) return { ...nothing, outcome: 'conflict', why: 'The note is gone, or cannot be read just now.' };
  return judgeNote(space, recipe, note, force);
}

// The note may have been moved since the change was made.
function relocated(space: UndoSpace, recipe: UndoRecipe | null): UndoRecipe | null {
  if (recipe === null) return null;
  const target = space.vault.catalogue.currentPath(recipe.vault_patch.target);
  return { ...recipe, vault_patch: { ...recipe.vault_patch, target } };
}

function judgeNote(space: UndoSpace, recipe: UndoRecipe, note: NoteSnapshot, force: boolean): Verdict {
  const nothing = { note, text: null, recipe: null, conflicts: [], why: null };
  try {
    const plan = planUndo(recipe.vault_patch, note.text, force);
    if (plan.kind === 'restored') return { ...nothing, outcome: 'already-reversed', why: RESTORED };
    if (plan.kind === 'conflict') return { ...nothing, outcome: 'conflict', conflicts: plan.conflicts };
    if (plan.kind === 'unreadable') return { ...nothing, outcome: 'conflict', why: plan.trouble.message };
    return { ...nothing, outcome: 'reversed', text: plan.text, recipe: recipeOf(plan.inverse, space.context.now()) };
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return { ...nothing, outcome: 'conflict', why: error.message };
  }
}

// A recipe is a note's text, and may have been dropped by anybody: it may do no more than a decision may.
function forbiddenReason(space: UndoSpace, recipe: UndoRecipe): string | null {
  const { target, fields } = recipe.vault_patch;
  const record = space.vault.catalogue.get(target);
  if (record === undefined) {
    const kind = space.vault.layout.kindOf(target);
    // Of a matter or task that is gone, or cannot be read just now, the note itself will tell.
    return kind === 'matter' || kind === 'task' ? null : `${target} is no matter and no task.`;
  }
  if (record.kind === 'bad') return record.trouble.message;
  if (record.kind !== 'matter' && record.kind !== 'task') return `${target} is no matter and no task.`;
  if (isHandsOff(space, record)) return `${record.name} says steward: false.`;
  const outside = Object.keys(fields).find(
    (field) =>
      !mayBeWritten(field, space.context.settings) &&
      !mayBeWritten(ourName(field, space.context.settings.field_mapping), space.context.settings),
  );
  return outside === undefined ? null : `The field ${outside} is not one that the steward writes.`;
}

// A refusal waits for nobody, and a note that still is what the action left is nobody's typing.
function settlingUntil(space: UndoSpace, verdict: Verdict, event: Answerable | null, order: UndoOrder): number | null {
  const { note } = verdict;
  const isOurs = note?.sha === event?.fields.undo_recipe?.vault_patch.after_sha256;
  const file = order.file === null ? null : space.notes.fresh(order.file.path);
  const early = event === null || (event.fields.undo_recipe !== null && note === null);
  const until = Math.max(
    isOurs ? 0 : (note?.settledAt ?? 0),
    file?.settledAt ?? 0,
    verdict.outcome === 'refused' ? wholeAt(space, event) : 0,
    early && order.by !== 'command' ? arrivedUntil(space, order) : 0,
  );
  return until > space.context.now() ? until : null;
}

// A target that is empty or ends inside its fence is being written, and waited for until it is whole; one that cannot be
// read for another reason, as long as for somebody typing.
function wholeAt(space: UndoSpace, event: Answerable | null): number {
  const target = relocated(space, event?.fields.undo_recipe ?? null)?.vault_patch.target;
  const record = target === undefined ? undefined : space.vault.catalogue.get(target);
  if (record?.kind !== 'bad') return 0;
  const window = Math.max(1, space.context.settings.settle_seconds) * 1000;
  if (['note-empty', 'frontmatter-unclosed'].includes(record.trouble.code)) return space.context.now() + window;
  return record.stat.mtimeMs > space.context.now() + window ? 0 : record.stat.mtimeMs + window;
}

// Notes are synced in any order: what an order just come is about may be on its way, and is waited for as long as for
// somebody typing. When it came, its change time tells; the time of its last writing comes from another machine.
function arrivedUntil(space: UndoSpace, order: UndoOrder): number {
  const window = space.context.settings.settle_seconds * 1000;
  const arrivedAt = Math.max(order.file?.stat.ctimeMs ?? 0, order.event?.stat.ctimeMs ?? 0);
  return arrivedAt > space.context.now() + window ? 0 : arrivedAt + window;
}

function carried(space: UndoSpace, order: UndoOrder, subject: Answerable | null, verdict: Verdict): Answer | null {
  const reversed = verdict.outcome === 'reversed' && subject !== null;
  const path = reversalPath(space, order, subject);
  const taught = reversed ? lessonOf(space, subject, path) : NOTHING_TAUGHT;
  const reversal = reversalStep(space, order, subject, verdict, path, taught.calibrations);
  if (reversal === null) return null;
  const edited = verdict.note !== null && verdict.text !== null && verdict.text !== verdict.note.text;
  const edit =
    edited && verdict.note !== null ? [textStep(verdict.note.path, verdict.note.text, verdict.text ?? '')] : [];
  const steps: Step[] = [...edit, reversal, ...taught.steps];
  if (!space.transactions.commit(reversal.path, steps)) return null;
  const answer = answerFor(order.event, subject, verdict, reversal.path, taught.calibrations);
  space.context.emit({
    what: 'reversed',
    event: answer.event,
    outcome: verdict.outcome,
    target: answer.target ?? '',
    calibration: answer.calibration,
  });
  return answer;
}

function lessonOf(space: UndoSpace, event: Answerable, path: string): Taught {
  const at = space.context.now();
  const by = linkTo(stem(path));
  if (event.kind === 'reversal') {
    const { calibration } = event.fields;
    const observations = new Map(Object.entries(event.fields.observations));
    const move = (instinct: Instinct) =>
      unlearnt(instinct, calibration[instinct.source] ?? '', observations.get(instinct.source) ?? '');
    return teach(space, Object.keys(calibration), { at, what: `given back by ${by}`, move });
  }
  const move = (instinct: Instinct) => withoutObservation(afterReversal(instinct, at), event);
  return teach(space, Object.keys(event.fields.source_contributions), { at, what: `taken back by ${by}`, move });
}

// A confirmation counted as an observation; an action did where its window was seen to close, by a clock that ran ahead.
function withoutObservation(instinct: Instinct, { fields }: EventRecord): Instinct {
  const closes = Date.parse(fields.undo_recipe?.expires_at ?? '');
  const wasCounted =
    fields.type.endsWith('-confirmed') || closes <= (instinct.countedUntil ?? Number.NEGATIVE_INFINITY);
  return wasCounted ? afterObservation(instinct, -1) : instinct;
}

// The exact former confidence where nothing moved it since; otherwise the step is taken back from where it is.
function unlearnt(before: Instinct, text: string, counted: string): Instinct {
  const figures = calibrationFigures(text);
  if (figures === null) return before;
  const observed = calibrationFigures(counted);
  const instinct = observed === null ? before : afterObservation(before, observed.before - observed.after);
  const moved =
    instinct.confidence === figures.after ? figures.before : instinct.confidence + figures.before - figures.after;
  const undone = afterReversalUndone(instinct, Math.round(moved * 10_000) / 10_000);
  // What is taken back was itself an undone reversal: that one stands again, and counts.
  return figures.before < figures.after ? { ...undone, reversals: instinct.reversals + 1 } : undone;
}

function reversalPath(space: UndoSpace, order: UndoOrder, subject: Answerable | null): string {
  if (order.file !== null) return order.file.path;
  const target = subject === null ? 'unknown' : (targetOf(subject) ?? 'unknown');
  return space.transactions.eventPath(`${kindOf(order.event)}-reversed`, target, space.context.now());
}

/** The reversal note: written by the program, or a person's own, completed. Null where theirs is gone meanwhile. */
function reversalStep(
  space: UndoSpace,
  order: UndoOrder,
  subject: Answerable | null,
  verdict: Verdict,
  path: string,
  calibrations: readonly Calibration[],
): Step | null {
  const now = space.context.now();
  const fields = reversalFields(order, subject, verdict, calibrations, now);
  if (order.file !== null) {
    const text = space.notes.text(path);
    if (text === null) return null;
    const append = completing(order, fields);
    return { ...textStep(path, text, appendFields(path, text, append)), append };
  }
  const type = `${kindOf(order.event)}-reversed`;
  return { do: 'create', path, text: noteText({ type, timestamp: utc(now), ...fields, undo: false }, body(verdict)) };
}

function reversalFields(
  order: UndoOrder,
  subject: Answerable | null,
  verdict: Verdict,
  calibrations: readonly Calibration[],
  now: number,
): Record<string, unknown> {
  const target = subject === null ? null : targetOf(subject);
  const reversed = verdict.outcome === 'reversed';
  return {
    reverses: subject === null ? null : wikilink(subject.path),
    target: target === null ? null : wikilink(target),
    target_path: target,
    ...(subject === null || order.file?.fields.event_found === false ? { event_found: subject !== null } : {}),
    ...(order.reason === null ? {} : { reason: order.reason }),
    reversed_by: order.by,
    force: order.force,
    outcome: verdict.outcome,
    vault_patch_applied: reversed,
    plane_revert_applied: false,
    ...(verdict.conflicts.length === 0 ? {} : { conflicts: verdict.conflicts.map(inShort) }),
    changes: briefly(changesFor(verdict)),
    ...recorded(calibrations),
    settled_at: utc(now),
    undo_recipe: verdict.recipe,
  };
}

// What the person wrote in their file stays as they wrote it; the program adds what it knows.
function completing(order: UndoOrder, fields: Record<string, unknown>): Record<string, unknown> {
  const own = order.file?.fields;
  const { reverses, reversed_by, force, reason: _, ...rest } = fields;
  return {
    ...(own?.type ? {} : { type: `${kindOf(order.event)}-reversed` }),
    ...(own?.reverses ? {} : { reverses }),
    ...(own?.reversed_by ? {} : { reversed_by }),
    ...(own?.force ? {} : { force }),
    ...rest,
  };
}

function inShort({ field, wrote, found }: Conflict): Conflict {
  return { field, wrote: brief(wrote), found: brief(found) };
}

function kindOf(event: Answerable | null): 'steward-action' | 'signal-action' {
  return event?.name.startsWith('signal-') ? 'signal-action' : 'steward-action';
}

function targetOf(event: Answerable): string | null {
  if (event.kind === 'event') return event.fields.target_path;
  return event.fields.undo_recipe?.vault_patch.target ?? null;
}

function changesFor(verdict: Verdict): Changes {
  return verdict.recipe === null ? {} : changesOf(verdict.recipe.vault_patch);
}

function body(verdict: Verdict): string {
  const lines = verdict.conflicts
    .map(inShort)
    .map(
      ({ field, wrote, found }) =>
        `- ${escapeMarkdown(`${field}: the steward wrote ${shown(wrote)}, the note now holds ${shown(found)}`)}`,
    );
  const why = verdict.why === null ? null : escapeMarkdown(verdict.why);
  const opening = [outcomeSentence(verdict.outcome), why].filter((part) => part !== null).join(' ');
  const changes = verdict.recipe === null ? null : changeTable(briefly(changesFor(verdict)));
  return [opening, lines.join('\n'), changes].filter((part) => part !== null && part !== '').join('\n\n');
}

function answerFor(
  event: Answerable | null,
  subject: Answerable | null,
  verdict: Verdict,
  note: string | null,
  calibrations: readonly Calibration[],
): Answer {
  const conflicts = verdict.conflicts
    .map(inShort)
    .map(({ field, wrote, found }) => `${field} now holds ${shown(found)}, the steward had written ${shown(wrote)}.`);
  return {
    event: event?.name ?? '(none)',
    outcome: verdict.outcome,
    note,
    target: subject === null ? null : targetOf(subject),
    changes: changesFor(verdict),
    calibration: recorded(calibrations).calibration,
    message: [outcomeSentence(verdict.outcome), ...(verdict.why === null ? [] : [verdict.why]), ...conflicts].join(' '),
    until: null,
  };
}

function settling(order: UndoOrder, subject: Answerable | null, until: number): Answer {
  const target = subject === null ? null : targetOf(subject);
  return {
    event: order.event?.name ?? stem(order.file?.path ?? ''),
    outcome: 'settling',
    note: null,
    target,
    changes: {},
    calibration: {},
    message: `${target ?? 'The note'} is being edited just now; it is taken back as soon as it has been quiet.`,
    until,
  };
}
