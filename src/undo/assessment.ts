import { isReversed } from '../steward/proposals/reversed.ts';
import { isRefusal } from '../vault/errors.ts';
import { brief } from '../vault/notes/note-text.ts';
import type { Outcome, UndoRecipe } from '../vault/records/event.ts';
import type { Changes } from '../vault/records/mutation.ts';
import type { NoteSnapshot } from '../vault/transaction/note-snapshot.ts';
import { recipeTarget, refusedHere } from './given-back.ts';
import type { Answerable } from './order.ts';
import { refusal } from './outcome.ts';
import { changesOf, recipeOf } from './patch.ts';
import { type Conflict, planUndo } from './plan.ts';
import type { UndoSpace } from './undo-space.ts';

/** How an undo would end, found out before anything is written. */
export interface UndoAssessment {
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
export function assessUndo(space: UndoSpace, event: Answerable | null, force: boolean): UndoAssessment {
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
export function currentRecipe(space: UndoSpace, event: Answerable | null): UndoRecipe | null {
  const recipe = event?.fields.undo_recipe ?? null;
  if (recipe === null) return null;
  const target = space.vault.catalogue.currentPath(recipe.vault_patch.target);
  return { ...recipe, vault_patch: { ...recipe.vault_patch, target } };
}

/** Returns what an undo changes, as the `changes` of a note; empty where it changes nothing. */
export function changesMade({ inverse }: UndoAssessment): Changes {
  return inverse === null ? {} : changesOf(inverse.vault_patch);
}

/** Returns the conflicts of an undo with their values cut short, fit for a note or a sentence. */
export function briefConflicts({ conflicts }: UndoAssessment): readonly Conflict[] {
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
