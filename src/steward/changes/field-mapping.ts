import type { FieldMapping } from '../../vault/index/record.ts';
import type { Changes, FieldChange, MutationProposal } from '../../vault/records/mutation.ts';
import type { Yaml } from '../../vault/records/values.ts';
import { permit, permitProposal } from './change-policy.ts';
import { refused } from './field-value.ts';
import type { FieldEditLike, MutationContext, Permission } from './permission.ts';
import { isProtected } from './writable-fields.ts';

/** Returns what a decision may write, under the note's own names. A signal's proposal must also keep to its class. */
export function permitted(
  asked: { readonly changes: readonly FieldChange[]; readonly proposal: MutationProposal | null },
  context: MutationContext,
  mapping: FieldMapping,
): Permission {
  const permission = asked.proposal === null ? permit(asked.changes, context) : permitProposal(asked.proposal, context);
  return inOwnNames(permission, context, mapping);
}

/**
 * Returns a permission under the note's own field names. A note that says `projects` instead of `parent_matter` has its
 * `projects` written, and of a list only the first member (contract, section 3). The state already has its own name.
 */
export function inOwnNames(
  permission: Permission,
  { fields: note, protectedFields }: MutationContext,
  mapping: FieldMapping,
): Permission {
  if (!permission.ok || note.parent_matter !== undefined) return permission;
  const theirs = Object.entries(mapping).find(
    ([name, ours]) => ours === 'parent_matter' && note[name] !== undefined,
  )?.[0];
  if (theirs === undefined) return permission;
  if (isProtected(theirs, protectedFields)) return refused(`${theirs} is protected and never written.`);
  const before = note[theirs] ?? null;
  const after = (value: Yaml): Yaml => (Array.isArray(before) ? [value, ...before.slice(1)] : value);
  const edits = permission.edits.map(
    (edit): FieldEditLike =>
      edit.op === 'set' && edit.field === 'parent_matter' ? { ...edit, field: theirs, value: after(edit.value) } : edit,
  );
  return { ...permission, edits, changes: renamed(permission.changes, theirs, before, after) };
}

/** Returns the program's name for a field of a note. */
export function ourName(field: string, mapping: FieldMapping): string {
  return Object.hasOwn(mapping, field) ? (mapping[field] ?? field) : field;
}

function renamed(changes: Changes, theirs: string, before: Yaml, after: (value: Yaml) => Yaml): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, change]) =>
      field === 'parent_matter' ? [theirs, { before, after: after(change.after) }] : [field, change],
    ),
  );
}
