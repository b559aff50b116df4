import { sha256 } from '../vault/hash.ts';
import type { UndoRecipe, VaultPatch } from '../vault/records/event.ts';
import type { Changes } from '../vault/records/mutation.ts';
import { utc } from '../vault/time.ts';

/** How long an action can be taken back: seven days, in ms (contract, section 8). */
export const UNDO_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

/** The patch of one edit: what it takes to give the note back exactly as it was. */
export function patchOf(
  target: string,
  before: string,
  after: string,
  edit: Pick<VaultPatch, 'fields' | 'created_frontmatter'>,
): VaultPatch {
  return { target, before_sha256: sha256(before), after_sha256: sha256(after), ...edit };
}

/** The recipe that an event note carries, made when the change is made. `now` in epoch ms. */
export function recipeOf(patch: VaultPatch, now: number): UndoRecipe {
  return { expires_at: utc(now + UNDO_WINDOW_MS), vault_patch: patch, plane_revert: null };
}

/** What a patch changes, as an event note's `changes`. */
export function changesOf(patch: Pick<VaultPatch, 'fields'>): Changes {
  return Object.fromEntries(
    Object.entries(patch.fields).map(([field, { before, after }]) => [field, { before, after }]),
  );
}
