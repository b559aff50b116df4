import {
  type Changes,
  type FieldChange,
  MUTATION_CLASSES,
  type MutationClass,
  type MutationProposal,
} from '../../vault/records/mutation.ts';
import { type Frontmatter, type State, stateOf, type Yaml } from '../../vault/records/values.ts';
import { classOfField, fieldOutsideClass, proposalChanges } from '../ports/evaluator.ts';
import { type Checked, checkedDate, checkedLink, checkedMembers, checkedValue } from './field-value.ts';
import { isWikilink, sameLink } from './link.ts';
import { transition } from './state-machine.ts';

export { proposalChanges };

/** What is known of the note a change is meant for. */
export interface MutationContext {
  readonly kind: 'task' | 'matter';
  /** The note's frontmatter as written, under the note's own names. */
  readonly fields: Frontmatter;
  readonly state: State;
  /** The name under which this note keeps its state (contract, section 3). */
  readonly stateField: 'state' | 'status';
  /** Fields the settings add to the class context_edit. */
  readonly editable: readonly string[];
  /** Fields the settings add to the protected ones (section 10). */
  readonly protectedFields: readonly string[];
  matterExists(link: string): boolean;
  noteExists(link: string): boolean;
  /** YYYY-MM-DD, local. */
  readonly today: string;
}

export type FieldEditLike =
  | { readonly op: 'set'; readonly field: string; readonly value: Yaml }
  | { readonly op: 'add' | 'remove'; readonly field: string; readonly members: readonly string[] };

export type Permission =
  | {
      readonly ok: true;
      readonly edits: readonly FieldEditLike[];
      readonly changes: Changes;
      /** A reopening: to be proposed, never decided (section 16). */
      readonly needsPerson: boolean;
    }
  | { readonly ok: false; readonly reason: string };

const PROTECTED: readonly string[] = ['type', 'id', 'steward', 'tags', 'discretion_threshold', 'pinned'];
const CONTEXT: readonly string[] = ['summary', 'description', 'owner', 'due', 'blocked_on', 'current_state'];
const LISTS: readonly string[] = ['blocked_on'];
/** What a field holds before and after, as JSON: an event note must have room for it. */
const MAX_CHANGE = 128 * 1024;

type Edits = Checked<readonly FieldEditLike[]>;
const NONE: Edits = { ok: true, value: [] };

/**
 * What of a list of changes may be written into a note, whoever asks for it: all of it or nothing, since one forbidden
 * part refuses the whole (sections 3, 10, 16). Edits that would change nothing are left out.
 */
export function permit(changes: readonly FieldChange[], context: MutationContext): Permission {
  const forbidden = changes.map((change) => forbiddenPart(change, context)).find((reason) => reason !== null);
  if (forbidden !== undefined) return { ok: false, reason: forbidden };
  const clash = clashOf(changes, context);
  if (clash !== null) return { ok: false, reason: clash };

  const state = stateEdits(changes, context);
  if (!state.ok) return state;
  const others = otherEdits(changes, context);
  if (!others.ok) return others;

  const edits = [...state.value, ...others.value];
  const made = changesOf(edits, context.fields);
  const long = Object.keys(made).find((field) => JSON.stringify(made[field]).length > MAX_CHANGE);
  if (long !== undefined) return { ok: false, reason: `${long} holds too much to be changed exactly.` };
  return { ok: true, edits, changes: made, needsPerson: reopens(state.value, context) };
}

/** The same for a signal's proposal, which must also keep to the class it names. */
export function permitProposal(proposal: MutationProposal, context: MutationContext): Permission {
  const outside = fieldOutsideClass(proposal);
  if (outside !== null) return { ok: false, reason: `${outside} is not for a ${proposal.class} to write.` };
  return permit(proposalChanges(proposal), context);
}

/** The class of a list of changes; of several, the first in the contract's order. None at all is a context_edit. */
export function classOf(changes: readonly Pick<FieldChange, 'field'>[]): MutationClass {
  const classes = changes.map((change) => classOfField(change.field));
  return MUTATION_CLASSES.find((name) => classes.includes(name)) ?? 'context_edit';
}

/** Why a change is not allowed at all, whatever the note holds; null where it may be. */
function forbiddenPart({ field, op }: FieldChange, context: MutationContext): string | null {
  const own = ownName(field, context);
  if (isProtected(field, context) || isProtected(own, context)) return `${field} is protected and never written.`;
  switch (classOfField(field)) {
    case 'state_change':
      return op === 'set' ? null : `${field} holds one value; it can only be set.`;
    case 'parent_matter':
      if (context.kind === 'matter') return 'parent_matter belongs to a task, not to a matter.';
      return op === 'set' ? null : 'parent_matter holds one link; it can only be set.';
    case 'related':
      return op === 'set' ? `${field}: members are added or removed, the list is not replaced.` : null;
    case 'context_edit':
      return forbiddenContext(field, op, context);
  }
}

function forbiddenContext(field: string, op: FieldChange['op'], { editable, fields }: MutationContext): string | null {
  if (!CONTEXT.includes(field) && !editable.includes(field)) return `${field} is not a field that may be written.`;
  if (op === 'set' || LISTS.includes(field)) return null;
  const before = heldIn(fields, field);
  const mayBeList = !CONTEXT.includes(field) && (before === null || Array.isArray(before));
  return mayBeList ? null : `${field} holds one value; it can only be set.`;
}

/** Obsidian takes property names in any case, so `Tags` is as protected as `tags`. */
function isProtected(field: string, { protectedFields }: Pick<MutationContext, 'protectedFields'>): boolean {
  const folded = fold(field);
  return PROTECTED.includes(folded) || protectedFields.some((name) => fold(name) === folded);
}

function fold(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

/** The name under which the note keeps a field: `state` and `status` are one. */
function ownName(field: string, { stateField }: MutationContext): string {
  return field === 'state' || field === 'status' ? stateField : field;
}

/** A list of changes that says two things about one field is refused whole. */
function clashOf(changes: readonly FieldChange[], context: MutationContext): string | null {
  for (const [field, group] of Map.groupBy(changes, (change) => ownName(change.field, context))) {
    const sets = group.filter((change) => change.op === 'set');
    const values = new Set(sets.map((change) => sayingOf(field, change.value)));
    if (values.size > 1) return `${field} is given two different values.`;
    if (sets.length > 0 && sets.length < group.length) return `${field} is both set and added to or removed from.`;
    const removed = membersOf(group, 'remove');
    if (membersOf(group, 'add').some((member) => has(removed, member))) {
      return `${field}: one member is both added and removed.`;
    }
  }
  return null;
}

function sayingOf(field: string, value: Yaml): string {
  const state =
    field === 'state' || field === 'status' ? stateOf(typeof value === 'string' ? value : JSON.stringify(value)) : null;
  return state ?? JSON.stringify(value);
}

function membersOf(changes: readonly FieldChange[], op: 'add' | 'remove'): readonly string[] {
  return changes.filter((change) => change.op === op).flatMap((change) => textsOf(change.value));
}

/** The state and what goes with it: `completedDate`, where the note has it or uses `status` (section 16). */
function stateEdits(changes: readonly FieldChange[], context: MutationContext): Edits {
  const parts = changes.filter((change) => classOfField(change.field) === 'state_change');
  const completed = parts.find((change) => change.field === 'completedDate');
  const wanted = parts.find((change) => change.field !== 'completedDate');
  if (wanted === undefined) {
    return completed === undefined ? NONE : refused('completedDate is only written together with the state done.');
  }
  const state = typeof wanted.value === 'string' ? stateOf(wanted.value) : null;
  if (state === null) return refused(`${wanted.field} must be open, snoozed, done or archived.`);
  if (completed !== undefined && state !== 'done') return refused('completedDate goes only with the state done.');
  const date = completed === undefined ? null : checkedDate('completedDate', completed.value);
  if (date !== null && !date.ok) return date;
  return movedTo(state, date?.value ?? context.today, context);
}

function movedTo(state: State, completed: string, context: MutationContext): Edits {
  const { state: from, stateField, fields } = context;
  const kind = transition(from, state);
  if (kind === 'forbidden') return refused(`${stateField} cannot go from ${from} to ${state}.`);
  if (kind === 'stays') return NONE;
  const edit: FieldEditLike = { op: 'set', field: stateField, value: state };
  const dated = stateField === 'status' || Object.hasOwn(fields, 'completedDate');
  if (state !== 'done' || !dated || isProtected('completedDate', context)) return { ok: true, value: [edit] };
  const completion = withoutChange({ op: 'set', field: 'completedDate', value: completed }, fields);
  return { ok: true, value: [edit, ...completion] };
}

function reopens(stateEdit: readonly FieldEditLike[], { state, stateField }: MutationContext): boolean {
  if (transition(state, 'open') !== 'reopens') return false;
  return stateEdit.some((edit) => edit.op === 'set' && edit.field === stateField && edit.value === 'open');
}

/** Everything but the state, one edit for each field and operation, in the order first named. */
function otherEdits(changes: readonly FieldChange[], context: MutationContext): Edits {
  const others = changes.filter((change) => classOfField(change.field) !== 'state_change');
  const edits: FieldEditLike[] = [];
  for (const group of Map.groupBy(others, (change) => JSON.stringify([change.field, change.op])).values()) {
    const edit = editOf(group, context);
    if (!edit.ok) return edit;
    edits.push(...withoutChange(edit.value, context.fields));
  }
  return { ok: true, value: edits };
}

/** Changes of one field and one operation as one edit. */
function editOf(group: readonly FieldChange[], context: MutationContext): Checked<FieldEditLike> {
  const [first] = group;
  if (first === undefined) return refused('No change is named.');
  const { field, op } = first;
  if (op !== 'set') return memberEdit(field, op, group, context);
  const before = heldIn(context.fields, field);
  const value =
    classOfField(field) === 'parent_matter'
      ? checkedParent(first.value, before, context)
      : checkedValue(field, first.value, before, (link) => context.noteExists(link));
  return value.ok ? { ok: true, value: { op, field, value: value.value } } : value;
}

/** A list stays a list: TaskNotes keeps a task's projects as one. */
function checkedParent(value: Yaml, before: Yaml, context: MutationContext): Checked<Yaml> {
  const one = Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value;
  const link = checkedLink('parent_matter', one, (written) => context.matterExists(written), 'matter');
  if (!link.ok) return link;
  const [only, ...rest] = textsOf(before);
  if (only !== undefined && rest.length === 0 && sameLink(only, link.value)) return { ok: true, value: before };
  return { ok: true, value: Array.isArray(before) ? [link.value] : link.value };
}

function memberEdit(
  field: string,
  op: 'add' | 'remove',
  group: readonly FieldChange[],
  context: MutationContext,
): Checked<FieldEditLike> {
  if (!isListLike(heldIn(context.fields, field)))
    return refused(`${field} holds something that is not a list of texts.`);
  const members: string[] = [];
  for (const change of group) {
    const texts = checkedMembers(field, change.value);
    if (!texts.ok) return texts;
    for (const text of texts.value) {
      const member = op === 'add' ? checkedMember(field, text, context) : { ok: true as const, value: text };
      if (!member.ok) return member;
      if (!has(members, member.value)) members.push(member.value);
    }
  }
  return { ok: true, value: { op, field, members } };
}

/** What is added to a related_* field is a link to a note that exists; elsewhere only what looks like a link is held to that. */
function checkedMember(field: string, text: string, context: MutationContext): Checked<string> {
  if (classOfField(field) !== 'related' && !isWikilink(text)) return { ok: true, value: text };
  return checkedLink(field, text, (link) => context.noteExists(link), 'note');
}

/** An edit without what the note already holds, or nothing. What is removed is named as the note spells it. */
function withoutChange(edit: FieldEditLike, fields: Frontmatter): readonly FieldEditLike[] {
  const before = heldIn(fields, edit.field);
  if (edit.op === 'set') return same(before, edit.value) ? [] : [edit];
  const held = textsOf(before);
  const members =
    edit.op === 'add'
      ? edit.members.filter((member) => !has(held, member))
      : held.filter((member) => has(edit.members, member));
  return members.length === 0 ? [] : [{ ...edit, members }];
}

/** Each field before and after; a field that is added to and removed from is one entry. */
function changesOf(edits: readonly FieldEditLike[], fields: Frontmatter): Changes {
  const changes = new Map<string, { before: Yaml; after: Yaml }>();
  for (const edit of edits) {
    const known = changes.get(edit.field);
    const before = known?.before ?? heldIn(fields, edit.field);
    changes.set(edit.field, { before, after: applied(known?.after ?? before, edit) });
  }
  return Object.fromEntries(changes);
}

function applied(value: Yaml, edit: FieldEditLike): Yaml {
  if (edit.op === 'set') return edit.value;
  const held = textsOf(value);
  return edit.op === 'add' ? [...held, ...edit.members] : held.filter((member) => !edit.members.includes(member));
}

function has(members: readonly string[], member: string): boolean {
  return members.some((one) => one === member || sameLink(one, member));
}

/** Own keys only: a note may hold no `constructor`, but every object answers to it. */
function heldIn(fields: Frontmatter, field: string): Yaml {
  return Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
}

function textsOf(value: Yaml): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
}

/** A list of texts, or one text or nothing that can become one. */
function isListLike(value: Yaml): boolean {
  const items = Array.isArray(value) ? value : [value];
  return items.every((item) => item === null || typeof item === 'string' || typeof item === 'number');
}

function same(one: Yaml, other: Yaml): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** Whether a field is one that a decision may ever write: of some class, and not protected (sections 3 and 10). */
export function mayBeWritten(
  field: string,
  settings: { readonly editable_fields: readonly string[]; readonly protected_fields: readonly string[] },
): boolean {
  if (isProtected(field, { protectedFields: settings.protected_fields })) return false;
  return classOfField(field) !== 'context_edit' || CONTEXT.includes(field) || settings.editable_fields.includes(field);
}
