import type { FieldChange } from '../../vault/records/mutation.ts';
import { stateMeant, stateWritten } from '../../vault/records/status-words.ts';
import type { Frontmatter, State } from '../../vault/records/values.ts';
import { classOfField } from '../ports/mutation-class.ts';
import { parseLocalTime } from '../schedule/local-time.ts';
import { type CheckedEdits, withoutHeld } from './field-edit.ts';
import { checkedDate, refused } from './field-value.ts';
import { heldIn } from './held-value.ts';
import type { FieldEditLike, MutationContext } from './permission.ts';
import { transition } from './state-machine.ts';
import { isProtected } from './writable-fields.ts';

const NO_EDITS: CheckedEdits = { ok: true, value: [] };

/**
 * Returns the edits of the state and of `completedDate`, which goes with the state done where the note has the field or
 * uses `status` (section 16).
 */
export function stateEdits(changes: readonly FieldChange[], context: MutationContext): CheckedEdits {
  const parts = changes.filter((change) => classOfField(change.field) === 'state_change');
  const completed = parts.find((change) => change.field === 'completedDate');
  const wanted = parts.find((change) => change.field !== 'completedDate');
  if (wanted === undefined) {
    return completed === undefined ? NO_EDITS : refused('completedDate is only written together with the state done.');
  }
  const state = stateMeant(wanted.value, context.words);
  if (state === null) return refused(`${wanted.field} must be open, snoozed, done or archived.`);
  if (completed !== undefined && state !== 'done') return refused('completedDate goes only with the state done.');
  const date = completed === undefined ? null : checkedDate('completedDate', completed.value);
  if (date !== null && !date.ok) return date;
  return editsTo(state, date?.value ?? context.today, context);
}

/** Returns whether edits open a note again that was done or archived. */
export function reopens(edits: readonly FieldEditLike[], { state, stateField, words }: MutationContext): boolean {
  if (transition(state, 'open') !== 'reopens') return false;
  return edits.some(
    (edit) => edit.op === 'set' && edit.field === stateField && stateMeant(edit.value, words) === 'open',
  );
}

function editsTo(state: State, completed: string, context: MutationContext): CheckedEdits {
  const { state: from, stateField, fields } = context;
  const kind = transition(from, state);
  if (kind === 'forbidden') return refused(`${stateField} cannot go from ${from} to ${state}.`);
  if (kind === 'stays') return NO_EDITS;
  const value = stateWritten(state, stateField, heldIn(fields, stateField), context.words);
  const edit: FieldEditLike = { op: 'set', field: stateField, value };
  const isDated = stateField === 'status' || Object.hasOwn(fields, 'completedDate');
  if (state !== 'done' || !isDated || isProtected('completedDate', context.protectedFields)) {
    return { ok: true, value: [edit] };
  }
  if (isHeldMoment(fields, completed)) return { ok: true, value: [edit] };
  const completion = withoutHeld({ op: 'set', field: 'completedDate', value: completed }, fields);
  return { ok: true, value: [edit, ...completion] };
}

// The same moment, as a person wrote it.
function isHeldMoment(fields: Frontmatter, completed: string): boolean {
  const held = heldIn(fields, 'completedDate');
  const at = typeof held === 'string' ? parseLocalTime(held) : null;
  return at !== null && at === parseLocalTime(completed);
}
