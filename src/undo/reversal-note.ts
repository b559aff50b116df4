import { answeredTarget, matterField } from '../steward/records.ts';
import type { Answerable, UndoOrder } from '../steward/types.ts';
import type { DecisionWriteAccess } from '../steward/workspace.ts';
import { appendFields, type Step, textStep } from '../vault/edit.ts';
import {
  type AnswerMove,
  type AnswerState,
  boxFields,
  EVENT_CLASSES,
  reversalBody,
  saysField,
  undoable,
  undoableKind,
} from '../vault/event-text.ts';
import type { Changes, Yaml } from '../vault/frontmatter.ts';
import { stem } from '../vault/layout.ts';
import { wikilink } from '../vault/links.ts';
import { brief, briefly, changeLine, NOBODY_SPOKE, noteText, spokenFields } from '../vault/note-text.ts';
import type { EventRecord, Outcome, UndoRecipe } from '../vault/record.ts';
import { sealReversal } from '../vault/seal.ts';
import { utc } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { patchedFields } from './recipe.ts';

/** An order to take an event back, and how that ends: known before anything is written. */
export interface Undo {
  readonly order: UndoOrder;
  /** The event that made the change, or null if the order names no event. */
  readonly subject: Answerable | null;
  readonly outcome: Outcome;
  /** The note as it was just read; null if it wasn't needed, or couldn't be read. */
  readonly note: NoteSnapshot | null;
  /** The note's text after the undo; null if unchanged. */
  readonly text: string | null;
  /** The recipe that takes the undo itself back; null if the note is unchanged. */
  readonly inverse: UndoRecipe | null;
  readonly conflicts: readonly Conflict[];
  readonly why: string | null;
  /** The effect on an answer that changed no field; null if the undo takes a change back, or does not take place. */
  readonly answer: UndoneAnswer | null;
}

/** An answer that is taken back, or given again. */
export interface UndoneAnswer {
  readonly move: AnswerMove;
  /** The note of the answer. */
  readonly dismissal: EventRecord;
  /** The proposal that was answered; null if its note is gone. */
  readonly proposal: EventRecord | null;
}

/** A field without the value that Steward wrote, because a person has changed it since. */
export interface Conflict {
  readonly field: string;
  readonly wrote: Yaml;
  readonly found: Yaml;
}

/** Returns what an undo changes, as the `changes` of a note; empty if it changes no field. */
export function changesMade({ inverse }: Undo): Changes {
  return inverse === null ? {} : patchedFields(inverse.vault_patch);
}

/** Returns the conflicts of an undo with their values cut short, fit for a note or a sentence. */
export function briefConflicts({ conflicts }: Undo): readonly Conflict[] {
  return conflicts.map(({ field, wrote, found }) => ({ field, wrote: brief(wrote), found: brief(found) }));
}

/** Returns the vault-relative path of the reversal note: the file that a person dropped, or a new one. */
export function reversalPath(space: DecisionWriteAccess, { order, subject }: Undo, now: number): string {
  if (order.file !== null) return order.file.path;
  const target = subject === null ? 'unknown' : (answeredTarget(subject) ?? 'unknown');
  return space.transactions.eventPath(typeOf(order), target, now);
}

/**
 * Returns the step that writes the reversal note: a new one, or a person's own, completed. Null if the person's file
 * has gone in the meantime. `lesson`: the fields that say how the undo moved the sources.
 */
export function reversalStep(
  space: DecisionWriteAccess,
  undo: Undo,
  path: string,
  lesson: Readonly<Record<string, unknown>>,
  now: number,
): Step | null {
  const matter = matterField(space.vault, undo.subject === null ? null : answeredTarget(undo.subject));
  const about = undo.subject === null ? null : answeredTarget(undo.subject);
  const target = about === null ? null : space.vault.catalogue.linkTo(about);
  const fields: Record<string, unknown> = { ...reversalFields(undo, lesson, now), target };
  if (undo.order.file !== null) {
    const text = space.notes.text(path);
    if (text === null) return null;
    const completed = missingFields(undo.order, { ...matter, ...fields });
    const append = sealReversal(space.context.seal, path, completed, space.notes.fresh(path)?.data);
    return { ...textStep(path, text, appendFields(path, text, append)), append };
  }
  const becoming = becomingOf(undo, now);
  const { from, quote, outcome, force, ...rest } = fields;
  const frontmatter = {
    ...boxFields(becoming),
    change: changeLine(changesMade(undo)),
    from,
    quote,
    outcome,
    cssclasses: EVENT_CLASSES,
    type: typeOf(undo.order),
    timestamp: utc(now),
    ...matter,
    ...rest,
    ...(force ? { force } : {}),
    ...saysField(becoming),
  };
  const sealed = sealReversal(space.context.seal, path, frontmatter);
  return { do: 'create', path, text: noteText(sealed, bodyOf(undo, becoming)) };
}

// An undo can be undone. One that found a changed field can still be forced, as long as an undo is possible.
function becomingOf({ order, subject, outcome, inverse }: Undo, now: number): AnswerState {
  if (outcome === 'reversed') return undoable(undoableKind('reversal', inverse), inverse);
  const until = Date.parse(subject?.fields.undo_recipe?.expires_at ?? '');
  return outcome === 'conflict' && !order.force && until > now ? { kind: 'forcible', until } : { kind: 'nothing' };
}

function reversalFields(undo: Undo, lesson: Readonly<Record<string, unknown>>, now: number): Record<string, unknown> {
  const { order, subject, outcome, inverse } = undo;
  const target = subject === null ? null : answeredTarget(subject);
  const conflicts = briefConflicts(undo);
  return {
    reverses: subject === null ? null : wikilink(subject.path),
    target: target === null ? null : wikilink(target),
    target_path: target,
    change: changeLine(changesMade(undo)),
    ...spokenFields(subject?.fields ?? NOBODY_SPOKE),
    ...(subject === null || order.file?.fields.event_found === false ? { event_found: subject !== null } : {}),
    ...(order.reason === null ? {} : { reason: order.reason }),
    reversed_by: order.by,
    force: order.force,
    outcome,
    vault_patch_applied: outcome === 'reversed',
    plane_revert_applied: false,
    ...(conflicts.length === 0 ? {} : { conflicts }),
    changes: briefly(changesMade(undo)),
    ...lesson,
    settled_at: utc(now),
    undo_recipe: inverse,
  };
}

// Everything that a person wrote in their file stays; the program adds what it knows.
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

function bodyOf(undo: Undo, becoming: AnswerState): string {
  const { order, subject, outcome, why } = undo;
  const target = subject === null ? null : answeredTarget(subject);
  const telling = {
    outcome,
    event: subject?.name ?? null,
    target: target === null ? null : stem(target),
    why,
    reason: order.reason,
    conflicts: briefConflicts(undo),
    changes: changesMade(undo),
    answer: undo.answer?.move ?? null,
  };
  return reversalBody(telling, becoming);
}
