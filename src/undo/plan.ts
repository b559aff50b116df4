import { type Diagnostic, isRefusal } from '../vault/errors.ts';
import { restoreFields } from '../vault/frontmatter/edit.ts';
import { same } from '../vault/frontmatter/equal.ts';
import { readNote } from '../vault/frontmatter/parse.ts';
import { withTypedComments } from '../vault/frontmatter/typed-comments.ts';
import { sha256 } from '../vault/hash.ts';
import type { VaultPatch } from '../vault/records/event.ts';
import type { Yaml } from '../vault/records/values.ts';
import { patchOf } from './patch.ts';

/** A field that no longer holds what the steward wrote, because a person has changed it since. */
export interface Conflict {
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
