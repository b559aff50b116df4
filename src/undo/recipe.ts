import { StewardError } from '../vault/errors.ts';
import { type Changes, countValues, MAX_FRONTMATTER_CHARS, readNote, stringifyYaml } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/note-text.ts';
import type { UndoRecipe, VaultPatch } from '../vault/record.ts';
import { utc } from '../vault/time.ts';

/** How long an action can be taken back: seven days, in ms (contract, section 8). */
export const UNDO_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the patch of one edit: what it takes to restore the note exactly. `before` and `after` are its whole texts.
 */
export function makePatch(
  target: string,
  before: string,
  after: string,
  edit: Pick<VaultPatch, 'fields' | 'created_frontmatter'>,
): VaultPatch {
  return { target, before_sha256: sha256(before), after_sha256: sha256(after), ...edit };
}

/** The most characters a recipe may take of an event note's frontmatter; the rest is for the note's other fields. */
const MAX_RECIPE = MAX_FRONTMATTER_CHARS - 56 * 1024;
/** The most values a recipe may hold, of the 10 000 that are read. */
const MAX_VALUES = 4000;

/**
 * Returns the recipe that an event note carries, made when the change is made. `now` in epoch ms.
 * @throws StewardError `edit-unsupported` where it is too large to be read from a note again: a change that cannot be
 * taken back is not made.
 */
export function makeRecipe(patch: VaultPatch, now: number): UndoRecipe {
  const recipe = { expires_at: utc(now + UNDO_WINDOW_MS), vault_patch: patch, plane_revert: null };
  const yaml = stringifyYaml({ recipe });
  const read = readNote(patch.target, Buffer.from(`---\n${yaml}---\n`));
  if (read.ok && yaml.length <= MAX_RECIPE && countValues(patch.fields) <= MAX_VALUES) return recipe;
  throw new StewardError({
    code: 'edit-unsupported',
    file: patch.target,
    message: `What ${Object.keys(patch.fields).join(', ')} had is too long for the note that would undo the change.`,
    hint: 'Change it by hand, or keep the long text below the closing ---.',
  });
}

/** Returns what a patch changes, as an event note's `changes`. */
export function patchedFields(patch: Pick<VaultPatch, 'fields'>): Changes {
  return Object.fromEntries(
    Object.entries(patch.fields).map(([field, { before, after }]) => [field, { before, after }]),
  );
}
