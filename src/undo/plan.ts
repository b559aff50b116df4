import { restoreFields } from '../vault/edit.ts';
import { readNote } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/hash.ts';
import type { VaultPatch } from '../vault/records/event.ts';
import type { Yaml } from '../vault/records/values.ts';
import type { Trouble } from '../vault/trouble.ts';
import { same } from '../vault/values-equal.ts';
import { patchOf } from './recipe.ts';

/** A field that no longer holds what the steward wrote: a person has decided since. */
export interface Conflict {
  readonly field: string;
  readonly wrote: Yaml;
  readonly found: Yaml;
}

export type UndoPlan =
  | { readonly kind: 'restore'; readonly text: string /** Takes the undo itself back. */; readonly inverse: VaultPatch }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }
  | { readonly kind: 'unreadable'; readonly trouble: Trouble };

/**
 * What it takes to give a note its former fields back, on the note as it is now. Nothing is planned for a field
 * that a person has changed since, unless forced; then nothing at all is changed.
 * Throws what `restoreFields` throws where it cannot be done to the byte.
 */
export function planUndo(patch: VaultPatch, text: string, force: boolean): UndoPlan {
  const read = readNote(patch.target, Buffer.from(text));
  if (!read.ok) return { kind: 'unreadable', trouble: read.trouble };
  const conflicts = conflictsWith(patch, read.note.data);
  if (conflicts.length > 0 && !force) return { kind: 'conflict', conflicts };
  const restored = restoreFields(patch.target, text, frontmatterOnly(patch, text));
  return { kind: 'restore', text: restored.text, inverse: patchOf(patch.target, text, restored.text, restored.patch) };
}

function conflictsWith(patch: VaultPatch, data: Readonly<Record<string, Yaml>>): Conflict[] {
  return Object.entries(patch.fields)
    .map(([field, { after }]) => ({ field, wrote: after, found: data[field] ?? null }))
    .filter(({ wrote, found }) => !same(wrote, found));
}

// The frontmatter block that the change made is taken away only from a note that nobody touched since: a person
// who has added a field of their own to it keeps it.
function frontmatterOnly(patch: VaultPatch, text: string): Pick<VaultPatch, 'fields' | 'created_frontmatter'> {
  if (patch.created_frontmatter !== true || sha256(text) === patch.after_sha256) return patch;
  return { fields: patch.fields };
}
