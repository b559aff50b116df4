import type { Changes, FieldChange, MutationProposal } from '../../vault/records/mutation.ts';
import { stateMeant } from '../../vault/records/status-words.ts';
import type { Frontmatter, Yaml } from '../../vault/records/values.ts';
import { fieldOutsideClass, proposalChanges } from '../ports/mutation-class.ts';
import { fieldEdits } from './field-edit.ts';
import { refused } from './field-value.ts';
import { heldIn, isStateField, textsOf } from './held-value.ts';
import { includesLink } from './link.ts';
import type { FieldEditLike, MutationContext, Permission } from './permission.ts';
import { reopens, stateEdits } from './state-edit.ts';
import { forbiddenReason, nameInNote } from './writable-fields.ts';

/** The most characters of JSON that a field may hold before and after: an event note must have room for both. */
const MAX_CHANGE = 128 * 1024;

/**
 * Returns what may be written into a note, whoever asks for it. It is all or nothing: one forbidden change refuses the
 * whole list (sections 3, 10, 16). Edits that would change nothing are left out.
 */
export function permit(changes: readonly FieldChange[], context: MutationContext): Permission {
  const forbidden = changes.map((change) => forbiddenReason(change, context)).find((reason) => reason !== null);
  if (forbidden !== undefined) return refused(forbidden);
  const contradiction = contradictionIn(changes, context);
  if (contradiction !== null) return refused(contradiction);

  const state = stateEdits(changes, context);
  if (!state.ok) return state;
  const others = fieldEdits(changes, context);
  if (!others.ok) return others;

  const edits = [...state.value, ...others.value];
  const made = changesOf(edits, context.fields);
  const long = Object.keys(made).find((field) => JSON.stringify(made[field]).length > MAX_CHANGE);
  if (long !== undefined) return refused(`${long} holds too much to be changed exactly.`);
  return { ok: true, edits, changes: made, needsPerson: reopens(state.value, context) };
}

/** Returns what may be written of a signal's proposal, which must also keep to the class it names. */
export function permitProposal(proposal: MutationProposal, context: MutationContext): Permission {
  const outside = fieldOutsideClass(proposal);
  if (outside !== null) return refused(`${outside} is not for a ${proposal.class} to write.`);
  return permit(proposalChanges(proposal), context);
}

/** Why a list of changes contradicts itself about some field, or null. */
function contradictionIn(changes: readonly FieldChange[], context: MutationContext): string | null {
  for (const [field, group] of Map.groupBy(changes, (change) => nameInNote(change.field, context))) {
    const sets = group.filter((change) => change.op === 'set');
    const values = new Set(sets.map((change) => comparable(field, change.value, context)));
    if (values.size > 1) return `${field} is given two different values.`;
    if (sets.length > 0 && sets.length < group.length) return `${field} is both set and added to or removed from.`;
    const removed = membersOf(group, 'remove');
    if (membersOf(group, 'add').some((member) => includesLink(removed, member))) {
      return `${field}: one member is both added and removed.`;
    }
  }
  return null;
}

function comparable(field: string, value: Yaml, { words }: MutationContext): string {
  const state = isStateField(field) ? stateMeant(value, words) : null;
  return state ?? JSON.stringify(value);
}

function membersOf(changes: readonly FieldChange[], op: 'add' | 'remove'): readonly string[] {
  return changes.filter((change) => change.op === op).flatMap((change) => textsOf(change.value));
}

/** Each field before and after; a field that is added to and removed from is one entry. */
function changesOf(edits: readonly FieldEditLike[], fields: Frontmatter): Changes {
  const changes = new Map<string, { before: Yaml; after: Yaml }>();
  for (const edit of edits) {
    const known = changes.get(edit.field);
    const before = known?.before ?? heldIn(fields, edit.field);
    changes.set(edit.field, { before, after: valueAfter(known?.after ?? before, edit) });
  }
  return Object.fromEntries(changes);
}

function valueAfter(value: Yaml, edit: FieldEditLike): Yaml {
  if (edit.op === 'set') return edit.value;
  const held = textsOf(value);
  return edit.op === 'add' ? [...held, ...edit.members] : held.filter((member) => !edit.members.includes(member));
}
