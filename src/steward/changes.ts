import type { FieldMapping } from '../vault/index/record.ts';
import { liveMark } from '../vault/notes.ts';
import type { Frontmatter, State, Yaml } from '../vault/records/values.ts';
import type { Changes, FieldChange, MutationProposal } from '../vault/records.ts';
import { stateMeant, stateWritten } from '../vault/status-words.ts';
import { localTime } from '../vault/time.ts';
import type { FieldEditLike, MutationContext, Permission } from './changes/permission.ts';
import {
  forbiddenReason,
  heldIn,
  isListLike,
  isProtected,
  isStateField,
  nameInNote,
  textsOf,
} from './changes-held-value.ts';
import { isDateOnly, parseLocalTime } from './local-time.ts';
import { classOfField, fieldOutsideClass, proposalChanges } from './ports/mutation-class.ts';

const MAX_LINK = 300;

/** Returns the wikilink to write for a link in any form people use (contract, section 3); null where it is no link. */
function asWikilink(written: string): string | null {
  const text = written.trim();
  const inner = /^\[\[([^[\]]+)\]\]$/.exec(text)?.[1] ?? text;
  if (inner.trim() === '' || text.length > MAX_LINK || /[[\]\p{Cc}\p{Zl}\p{Zp}]/u.test(inner)) return null;
  return inner === text ? `[[${inner.replace(/\.md$/i, '')}]]` : text;
}

/** Returns whether a text is nothing but one wikilink. */
function isWikilink(text: string): boolean {
  return /^\s*\[\[[^[\]]+\]\]\s*$/.test(text);
}

/** Returns whether two links mean the same note: folder, shown text, heading, `.md` and case aside. */
export function sameLink(one: string, other: string): boolean {
  const [a, b] = [linkName(one), linkName(other)];
  if (a === b) return true;
  return a.includes('/') !== b.includes('/') && lastPart(a) === lastPart(b);
}

/** Returns whether a member of a list is the given text, or links to the same note. */
export function includesLink(members: readonly string[], member: string): boolean {
  return members.some((one) => one === member || sameLink(one, member));
}

function linkName(written: string): string {
  const inner = /^\s*\[\[([^[\]]*)\]\]\s*$/.exec(written)?.[1] ?? written;
  const target = inner.split('|')[0]?.split('#')[0] ?? '';
  return target.trim().replace(/\.md$/i, '').normalize('NFC').toLowerCase();
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** A value fit to be written, or the sentence that says why it is not. */
type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

const MAX_TEXT = 2000;
const MAX_CURRENT_STATE = 200;
const MAX_MEMBERS = 50;
const DATE_FIELDS: readonly string[] = ['due', 'scheduled', 'snoozed_until', 'next_check_after', 'completedDate'];
const PROSE_FIELDS: readonly string[] = ['summary', 'description', 'current_state', 'owner'];
const MANY_LINES: readonly string[] = ['summary', 'description'];

type Exists = (link: string) => boolean;

/** Returns the value of a `set`, checked by type, length and, for links, existence (contract, section 10). */
function checkedValue(field: string, value: Yaml, before: Yaml, noteExists: Exists): Checked<Yaml> {
  if (DATE_FIELDS.includes(field)) return checkedDate(field, value);
  if (PROSE_FIELDS.includes(field)) return checkedText(field, value, noteExists);
  if (field === 'blocked_on') return checkedTextOrList(field, value, before, noteExists);
  return checkedLikeBefore(field, value, before, noteExists);
}

/** Returns the members of an `add` or `remove`: a text or a list of texts, each on one line. */
function checkedMembers(field: string, value: Yaml): Checked<readonly string[]> {
  const members = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(members)) return refused(`${field}: members must be a list of texts.`);
  if (members.length > MAX_MEMBERS) return refused(`${field}: more than ${MAX_MEMBERS} members at once.`);
  const texts: string[] = [];
  for (const member of members) {
    if (typeof member !== 'string' || member.trim() === '') return refused(`${field}: each member must be a text.`);
    if (lengthOf(member) > MAX_TEXT) return refused(`${field}: a member is longer than ${MAX_TEXT} characters.`);
    if (hasControls(member, false)) return refused(`${field}: a member holds a line break or control character.`);
    const mark = markIn(member);
    if (mark !== null)
      return refused(`${field}: a member holds ${mark}; only plain text and links to notes are written.`);
    texts.push(member.trim());
  }
  return { ok: true, value: texts };
}

/** Returns the wikilink to write for a link, which must lead to an existing note. */
function checkedLink(field: string, value: Yaml, exists: Exists, what: string): Checked<string> {
  const link = typeof value === 'string' ? asWikilink(value) : null;
  if (link === null || liveMark(link) !== null) return refused(`${field} must be a link to ${what}.`);
  return exists(link) ? { ok: true, value: link } : refused(`${field}: there is no ${what} ${link}.`);
}

/**
 * Returns a date or a local time as it is, and a time with an offset as local time: notes that people edit carry none.
 */
function checkedDate(field: string, value: Yaml): Checked<string> {
  const text = typeof value === 'string' ? value.trim() : '';
  const at = parseLocalTime(text);
  if (at === null) return refused(`${field} must be a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:mm:ss).`);
  return { ok: true, value: isDateOnly(text) ? text : localTime(at) };
}

function checkedText(field: string, value: Yaml, noteExists: Exists): Checked<string> {
  if (typeof value !== 'string' || value.trim() === '') return refused(`${field} must be a text.`);
  const limit = field === 'current_state' ? MAX_CURRENT_STATE : MAX_TEXT;
  if (lengthOf(value) > limit) return refused(`${field} is longer than ${limit} characters.`);
  const manyLines = MANY_LINES.includes(field);
  if (hasControls(value, manyLines)) return refused(`${field} holds a control character or a forbidden line break.`);
  const mark = markIn(value);
  if (mark !== null) return refused(`${field} holds ${mark}; only plain text is written.`);
  if (isWikilink(value) && !noteExists(value.trim())) return refused(`${field}: there is no note ${value.trim()}.`);
  return { ok: true, value };
}

/** A field that may hold one text or several keeps the form the note has. */
function checkedTextOrList(field: string, value: Yaml, before: Yaml, noteExists: Exists): Checked<Yaml> {
  if (!Array.isArray(value)) {
    const text = checkedText(field, value, noteExists);
    return text.ok && Array.isArray(before) ? { ok: true, value: [text.value] } : text;
  }
  const members = checkedMembers(field, value);
  if (!members.ok) return members;
  if (members.value.length === 0) return refused(`${field} must not be emptied; its members are removed by name.`);
  const missing = members.value.find((member) => isWikilink(member) && !noteExists(member));
  return missing === undefined ? members : refused(`${field}: there is no note ${missing}.`);
}

/** A field the settings list as editable: of the type the note has there, or any plain one where it has none. */
function checkedLikeBefore(field: string, value: Yaml, before: Yaml, noteExists: Exists): Checked<Yaml> {
  if (before !== null && kindOf(value) !== kindOf(before)) {
    return refused(`${field} holds a ${kindOf(before)} and cannot become a ${kindOf(value)}.`);
  }
  if (typeof value === 'string') return checkedText(field, value, noteExists);
  if (Array.isArray(value)) return checkedTextOrList(field, value, before, noteExists);
  const plain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return plain ? { ok: true, value } : refused(`${field} must be a text, a number, a checkbox or a list of texts.`);
}

/** What makes a value more than plain text; null for plain text, and for a single link. */
function markIn(text: string): string | null {
  return text.includes('[[') && !isWikilink(text) ? 'a link within a text' : liveMark(text);
}

function kindOf(value: Yaml): string {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'nothing';
  if (typeof value === 'object') return 'mapping';
  return { string: 'text', number: 'number', boolean: 'checkbox' }[typeof value as 'string' | 'number' | 'boolean'];
}

/** Length as a person counts it: an emoji beyond the basic plane is one character, not two. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** Control characters, line separators and halves of characters, which no note could hold as they are. */
function hasControls(text: string, manyLines: boolean): boolean {
  const rest = manyLines ? text.replace(/[\n\t]/g, '') : text;
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(rest);
}

/** Returns a refusal with its reason. */
function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** Edits that may be made, or the sentence that says why none of them may. */
type CheckedEdits = Checked<readonly FieldEditLike[]>;

/** Returns the edits of every field except the state: one for each field and operation, in the order first named. */
function fieldEdits(changes: readonly FieldChange[], context: MutationContext): CheckedEdits {
  const others = changes.filter((change) => classOfField(change.field) !== 'state_change');
  const edits: FieldEditLike[] = [];
  for (const group of Map.groupBy(others, (change) => JSON.stringify([change.field, change.op])).values()) {
    const edit = editOf(group, context);
    if (!edit.ok) return edit;
    edits.push(...withoutHeld(edit.value, context.fields));
  }
  return { ok: true, value: edits };
}

/**
 * Returns an edit without what the note already holds, or an empty list where nothing is left of it. Members to be
 * removed are spelled as in the note.
 */
function withoutHeld(edit: FieldEditLike, fields: Frontmatter): readonly FieldEditLike[] {
  const before = heldIn(fields, edit.field);
  if (edit.op === 'set') return JSON.stringify(before) === JSON.stringify(edit.value) ? [] : [edit];
  const held = textsOf(before);
  const members =
    edit.op === 'add'
      ? edit.members.filter((member) => !includesLink(held, member))
      : held.filter((member) => includesLink(edit.members, member));
  return members.length === 0 ? [] : [{ ...edit, members }];
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
      if (!includesLink(members, member.value)) members.push(member.value);
    }
  }
  return { ok: true, value: { op, field, members } };
}

/** A related_* field takes only links to existing notes. Any other list also takes texts, but no dead links. */
function checkedMember(field: string, text: string, context: MutationContext): Checked<string> {
  if (classOfField(field) !== 'related' && !isWikilink(text)) return { ok: true, value: text };
  return checkedLink(field, text, (link) => context.noteExists(link), 'note');
}

/** `moves` may be decided, `reopens` only proposed, `forbidden` neither; `stays` changes nothing. */
type Transition = 'stays' | 'moves' | 'reopens' | 'forbidden';

const MOVES: Readonly<Record<State, readonly State[]>> = {
  open: ['snoozed', 'done', 'archived'],
  snoozed: ['open', 'done', 'archived'],
  done: ['archived'],
  archived: [],
};

/**
 * Returns what a step from one state to another is (contract, section 16): open ↔ snoozed, open or snoozed → done or
 * archived, and done → archived may be decided; reopening is only proposed.
 */
export function transition(from: State, to: State): Transition {
  if (from === to) return 'stays';
  if (MOVES[from].includes(to)) return 'moves';
  return to === 'open' ? 'reopens' : 'forbidden';
}

const NO_EDITS: CheckedEdits = { ok: true, value: [] };

/**
 * Returns the edits of the state and of `completedDate`, which goes with the state done where the note has the field or
 * uses `status` (section 16).
 */
function stateEdits(changes: readonly FieldChange[], context: MutationContext): CheckedEdits {
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
function reopens(edits: readonly FieldEditLike[], { state, stateField, words }: MutationContext): boolean {
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
