import { MUTATION_CLASSES, type MutationClass } from '../../vault/records/mutation-class.ts';
import type { FieldChange, MutationProposal } from '../../vault/records.ts';

/** Every field belongs to exactly one class (section 3); whether it may be written at all is another question. */
const CLASS_OF_FIELD: ReadonlyMap<string, MutationClass> = new Map<string, MutationClass>([
  ['state', 'state_change'],
  ['status', 'state_change'],
  ['completedDate', 'state_change'],
  ['parent_matter', 'parent_matter'],
  ['related_orgs', 'related'],
  ['related_projects', 'related'],
  ['related_to', 'related'],
]);

/** Returns the class of a field. A field that is not in the table is a context_edit. */
export function classOfField(field: string): MutationClass {
  return CLASS_OF_FIELD.get(field) ?? 'context_edit';
}

/**
 * Returns the class of a list of changes: where there are several, the first in the contract's order. An empty list is
 * a context_edit.
 */
export function classOf(changes: readonly Pick<FieldChange, 'field'>[]): MutationClass {
  const classes = changes.map((change) => classOfField(change.field));
  return MUTATION_CLASSES.find((name) => classes.includes(name)) ?? 'context_edit';
}

/** Returns the changes that a proposal asks for, in the order written: set, add, remove. */
export function proposalChanges(proposal: MutationProposal): FieldChange[] {
  const sets = Object.entries(proposal.set).map(([field, value]): FieldChange => ({ field, op: 'set', value }));
  const adds = Object.entries(proposal.add).map(([field, value]): FieldChange => ({ field, op: 'add', value }));
  const removes = Object.entries(proposal.remove).map(
    ([field, value]): FieldChange => ({ field, op: 'remove', value }),
  );
  return [...sets, ...adds, ...removes];
}

/**
 * Returns the first field of a proposal that its class may not write, or null. One such field refuses the whole
 * proposal (section 3).
 */
export function fieldOutsideClass(proposal: MutationProposal): string | null {
  const outside = proposalChanges(proposal).find((change) => classOfField(change.field) !== proposal.class);
  return outside?.field ?? null;
}
