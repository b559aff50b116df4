import { findSeries, type Series } from '../vault/foreign-fields.ts';
import type { BeforeAfter, Changes, Frontmatter, Yaml } from '../vault/frontmatter.ts';
import { fold } from '../vault/layout.ts';
import { lastPart, linkKey } from '../vault/links.ts';
import { liveMark } from '../vault/note-text.ts';
import {
  classOfField,
  type FieldChange,
  type FieldMapping,
  MUTATION_CLASSES,
  type MutationClass,
  type MutationProposal,
  OCCURRENCES,
  type SignalRecord,
  type State,
  type StatusWords,
  stateMeant,
  stateWritten,
  type TargetRecord,
  wordKey,
} from '../vault/record.ts';
import { isDateOnly, localDate, localTime, parseLocalTime } from '../vault/time.ts';
import { openOccurrence } from './recurrence.ts';
import type { Clock, Records } from './types.ts';

export { classOfField };

/** The note that a change is meant for. */
interface TargetNote {
  readonly kind: 'task' | 'matter';
  /** The note's frontmatter as written; what the note has under another name is under ours too (`names`). */
  readonly fields: Frontmatter;
  readonly state: State;
  /** The name under which this note keeps its state (contract, section 3). */
  readonly stateField: string;
  /** The names that the note has for the program's fields, ours → its; those that are alike are left out. */
  readonly names?: ReadonlyMap<string, string>;
}

interface FieldSettings {
  /** Fields the settings add to the class context_edit. */
  readonly editable: readonly string[];
  /** Fields the settings add to the protected ones (section 10). */
  readonly protectedFields: readonly string[];
  readonly words: StatusWords;
}

/** Everything the rules of writing need to know to judge a change of one note. */
export interface MutationContext extends TargetNote, FieldSettings {
  matterExists(link: string): boolean;
  noteExists(link: string): boolean;
  /** YYYY-MM-DD, local. */
  readonly today: string;
}

/** An edit of one field that a decision may make: every edit a note takes except deleting the field. */
export type FieldEditLike =
  | { readonly op: 'set'; readonly field: string; readonly value: Yaml }
  | { readonly op: 'add' | 'remove'; readonly field: string; readonly members: readonly string[] };

/** The edits for some changes, or the sentence that says why they may not be made. */
export type Permission =
  | {
      readonly ok: true;
      readonly edits: readonly FieldEditLike[];
      readonly changes: Changes;
      /** True for a reopening, which is only ever proposed (contract, 3.22). */
      readonly needsPerson: boolean;
      readonly remark?: string;
    }
  /** `byHand`: it may be made, and the note is written in a way that only a person can change. */
  | { readonly ok: false; readonly reason: string; readonly byHand?: true };

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
 * Returns what may be written into a note, whoever asks for it. It is all or nothing: one forbidden change refuses the
 * whole list (sections 3, 10, 16). Edits without an effect are left out.
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
  const remark = edits.some(({ field }) => field === OCCURRENCES) ? { remark: RECURS } : {};
  const made = changesOf(edits, context.fields);
  const long = Object.keys(made).find((field) => JSON.stringify(made[field]).length > MAX_CHANGE);
  if (long !== undefined) return refused(`${long} is too long to be changed exactly.`);
  return { ok: true, edits, changes: made, needsPerson: reopens(state.value, context), ...remark };
}

const RECURS = 'The task recurs, so only this occurrence is completed; the series goes on.';

/** Returns what may be written of a signal's proposal, which must also keep to the class it names. */
export function permitProposal(proposal: MutationProposal, context: MutationContext): Permission {
  const outside = fieldOutsideClass(proposal);
  if (outside !== null) return refused(`A ${proposal.class} can't write ${outside}.`);
  return permit(proposalChanges(proposal), context);
}

/**
 * Returns what the rules of writing need to know about a note. `data`: its frontmatter as it is on disk. `signals`: those
 * that the change rests on; what is done then counts as done on the day of the newest.
 */
export function mutationContext(
  space: Writing,
  target: TargetRecord,
  data: Frontmatter,
  signals: readonly SignalRecord[] = [],
): MutationContext {
  const { catalogue } = space.vault;
  const names = namesIn(data, space.context.settings.field_mapping);
  return {
    kind: target.kind,
    fields: withOurNames(data, names),
    names,
    state: target.fields.state,
    stateField: target.fields.state_field,
    words: catalogue.words,
    editable: space.context.settings.editable_fields,
    protectedFields: space.context.settings.protected_fields,
    matterExists: (link) => catalogue.resolve(link, ['matter'])?.kind === 'matter',
    noteExists: (link) => catalogue.exists(link),
    today: dayOfNews(signals, localDate(space.context.now())),
  };
}

// An appointment may be still to come. A booking has a day without a time.
function dayOfNews(signals: readonly SignalRecord[], today: string): string {
  const days = signals.flatMap(({ fields: { origin_at: at } }) =>
    at === null ? [] : at.endsWith('T00:00:00Z') ? at.slice(0, 10) : localDate(Date.parse(at)),
  );
  const newest = days.toSorted().at(-1) ?? today;
  return newest < today ? newest : today;
}

/**
 * Returns the names that a note has for our fields, ours → its. A field that it lacks has the name that the settings give it.
 * The state and the matter have their own ways.
 */
function namesIn(data: Frontmatter, mapping: FieldMapping): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [theirs, ours] of Object.entries(mapping)) {
    if (ours === 'state' || ours === 'parent_matter' || ours === theirs || data[ours] !== undefined) continue;
    if (!names.has(ours) || data[theirs] !== undefined) names.set(ours, theirs);
  }
  return names;
}

function withOurNames(data: Frontmatter, names: ReadonlyMap<string, string>): Frontmatter {
  const found = [...names].flatMap(([ours, theirs]) => (Object.hasOwn(data, theirs) ? [[ours, data[theirs]]] : []));
  return found.length === 0 ? data : { ...data, ...Object.fromEntries(found) };
}

interface WritingSettings {
  readonly editable_fields: readonly string[];
  readonly protected_fields: readonly string[];
  readonly field_mapping: FieldMapping;
}

/** The vault, the settings and the time, as the rules of writing ask for them. */
interface Writing extends Records, Clock {
  readonly context: Clock['context'] & { readonly settings: WritingSettings };
}

/**
 * Returns a proposal's recorded changes as changes to make: list members are added and removed, everything else is set,
 * a state as the program calls it.
 */
export function recordedChanges(changes: Changes, mapping: FieldMapping, words: StatusWords): FieldChange[] {
  return Object.entries(changes).flatMap(([written, change]) => {
    const field = ourName(written, mapping);
    if (field === 'parent_matter') return [{ field, op: 'set', value: members(change.after)[0] ?? null }];
    if (field === 'state') {
      const name = isStateField(written) ? written : field;
      return [{ field: name, op: 'set', value: stateMeant(change.after, words) ?? change.after }];
    }
    return listChanges(field, change) ?? [{ field, op: 'set', value: change.after }];
  });
}

function listChanges(field: string, { before, after }: BeforeAfter): FieldChange[] | null {
  if (!field.startsWith('related_') && !Array.isArray(after)) return null;
  const [former, latter] = [members(before), members(after)];
  const added = latter.filter((member) => !former.includes(member));
  const removed = former.filter((member) => !latter.includes(member));
  return [
    ...(added.length === 0 ? [] : [{ field, op: 'add' as const, value: added }]),
    ...(removed.length === 0 ? [] : [{ field, op: 'remove' as const, value: removed }]),
  ];
}

function members(value: Yaml): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}

/** The most characters of JSON that a field may have before and after: an event note must have room for both. */
const MAX_CHANGE = 128 * 1024;

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
    const before = known?.before ?? readHeldValue(fields, edit.field);
    changes.set(edit.field, { before, after: valueAfter(known?.after ?? before, edit) });
  }
  return Object.fromEntries(changes);
}

function valueAfter(value: Yaml, edit: FieldEditLike): Yaml {
  if (edit.op === 'set') return edit.value;
  const held = textsOf(value);
  return edit.op === 'add' ? [...held, ...edit.members] : held.filter((member) => !edit.members.includes(member));
}

/**
 * Returns a permission under the note's own field names. A note that says `projects` instead of `parent_matter` has its
 * `projects` written, and of a list only the first member (contract, section 3). The state already has its own name.
 */
export function inOwnNames(permission: Permission, context: MutationContext, mapping: FieldMapping): Permission {
  if (!permission.ok) return permission;
  const theirs = new Map(Object.keys(permission.changes).flatMap((field) => ownName(field, context, mapping)));
  if (theirs.size === 0) return permission;
  const forbidden = [...theirs.values()].find((name) => isProtected(name, context.protectedFields));
  if (forbidden !== undefined) return refused(`${forbidden} is protected and never written.`);
  const before = context.fields[theirs.get('parent_matter') ?? ''] ?? null;
  const after = (value: Yaml): Yaml => (Array.isArray(before) ? [value, ...before.slice(1)] : value);
  const edits = permission.edits.map((edit): FieldEditLike => {
    const field = theirs.get(edit.field) ?? edit.field;
    return edit.op === 'set' && edit.field === 'parent_matter' && field !== edit.field
      ? { ...edit, field, value: after(edit.value) }
      : { ...edit, field };
  });
  const changes = Object.entries(permission.changes).map(([field, change]): [string, BeforeAfter] => {
    const name = theirs.get(field) ?? field;
    return [name, name !== field && field === 'parent_matter' ? { before, after: after(change.after) } : change];
  });
  return { ...permission, edits, changes: Object.fromEntries(changes) };
}

// The field and the note's name for it; empty if the note uses ours.
function ownName(field: string, { fields, names }: MutationContext, mapping: FieldMapping): [string, string][] {
  if (field !== 'parent_matter') return [...(names ?? [])].filter(([ours]) => ours === field);
  if (fields.parent_matter !== undefined) return [];
  const theirs = Object.keys(mapping).find((name) => mapping[name] === field && fields[name] !== undefined);
  return theirs === undefined ? [] : [[field, theirs]];
}

/** Returns the program's name for a field of a note. */
export function ourName(field: string, mapping: FieldMapping): string {
  return Object.hasOwn(mapping, field) ? (mapping[field] ?? field) : field;
}

/**
 * Returns the edits of the state and of what goes with it: `completedDate` with the state done if the note has the field or
 * uses `status` (section 3), and `snoozed_until` with the state snoozed.
 */
function stateEdits(changes: readonly FieldChange[], context: MutationContext): CheckedEdits {
  const parts = changes.filter((change) => classOfField(change.field) === 'state_change');
  const completed = parts.find(({ field, value }) => field === 'completedDate' && value !== null);
  const snoozed = parts.find((change) => change.field === 'snoozed_until');
  const wanted = parts.find((change) => isStateField(change.field));
  const occurrence = parts.filter((change) => change.field === OCCURRENCES);
  if (occurrence.length > 0) {
    return wanted === undefined && parts.length === occurrence.length
      ? occurrenceEdits(occurrence, context)
      : refused(`${OCCURRENCES} can't be changed together with other fields.`);
  }
  if (wanted === undefined) {
    if (completed !== undefined) return refused('completedDate is only written together with the state done.');
    return snoozed === undefined ? NO_EDITS : snoozeAlone(snoozed, context);
  }
  const state = isCheckbox(wanted.value, context.words) ? null : stateMeant(wanted.value, context.words);
  if (state === null) return refused(`${wanted.field} must be open, snoozed, done or archived.`);
  if (completed !== undefined && state !== 'done') return refused('completedDate goes only with the state done.');
  if (snoozed !== undefined && state !== 'snoozed') return refused('snoozed_until goes only with the state snoozed.');
  const date = completed === undefined ? null : checkedDate('completedDate', completed.value);
  if (date !== null && !date.ok) return date;
  const edits = editsTo(state, date?.value ?? context.today, context);
  const snooze = snoozed === undefined ? NO_EDITS : snoozeEdits(snoozed, context);
  if (!edits.ok || !snooze.ok) return edits.ok ? snooze : edits;
  return { ok: true, value: [...edits.value, ...snooze.value] };
}

// Alone it is a field like any other, which the settings may list as editable.
function snoozeAlone(change: FieldChange, context: MutationContext): CheckedEdits {
  if (context.editable.includes(change.field)) return snoozeEdits(change, context);
  return refused('snoozed_until is only written together with the state snoozed.');
}

function snoozeEdits({ field, value }: FieldChange, { kind, fields }: MutationContext): CheckedEdits {
  if (kind === 'matter') return refused('snoozed_until belongs to a task, not to a matter.');
  const date = checkedDate(field, value);
  return date.ok ? { ok: true, value: [...withoutHeld({ op: 'set', field, value: date.value }, fields)] } : date;
}

const NO_EDITS: CheckedEdits = { ok: true, value: [] };

function editsTo(state: State, completed: string, context: MutationContext): CheckedEdits {
  const { state: from, stateField, fields } = context;
  const kind = transition(from, state);
  if (kind === 'forbidden') return refused(`${stateField} cannot go from ${from} to ${state}.`);
  if (kind === 'stays') return NO_EDITS;
  const series = state === 'done' || state === 'archived' ? findSeries(fields) : null;
  if (series !== null) return seriesEdits(state, series, completed, context);
  const value = stateWritten(state, stateField, readHeldValue(fields, stateField), context.words);
  if (value === undefined) return leftToPerson(`${stateField} is a checkbox or a number here and can't say ${state}.`);
  const edit: FieldEditLike = { op: 'set', field: stateField, value };
  const isDated = stateField !== 'state' || Object.hasOwn(fields, 'completedDate');
  if (isProtected('completedDate', context.protectedFields)) return { ok: true, value: [edit] };
  // With a day of completion, an open task would count as done.
  if (kind === 'reopens')
    return { ok: true, value: [edit, ...withoutHeld({ op: 'set', field: 'completedDate', value: null }, fields)] };
  if (state !== 'done' || !isDated) return { ok: true, value: [edit] };
  if (isHeldMoment(fields, completed)) return { ok: true, value: [edit] };
  const completion = withoutHeld({ op: 'set', field: 'completedDate', value: completed }, fields);
  return { ok: true, value: [edit, ...completion] };
}

// Only a note may mean a state by a checkbox. A request for a state names it.
function isCheckbox(value: Yaml, words: StatusWords): boolean {
  return typeof value === 'boolean' || (/^(?:true|false)$/i.test(String(value)) && !isListed(String(value), words));
}

function isListed(word: string, words: StatusWords): boolean {
  return words.some((one) => wordKey(one.word) === wordKey(word));
}

/** Returns the edit that completes one occurrence of a series; the series itself is never closed. */
function seriesEdits(state: State, series: Series, completed: string, context: MutationContext): CheckedEdits {
  const { field, rule } = series;
  const own = context.names?.get(field) ?? field;
  if (state === 'archived') return leftToPerson(`The note recurs (${own}). Only you can end the whole series.`);
  if (rule === 'series') return leftToPerson(`The note recurs (${own}). Complete it in the program that repeats it.`);
  const held = readHeldValue(context.fields, OCCURRENCES);
  if (!isListLike(held)) return leftToPerson(`${OCCURRENCES} isn't a list of days.`);
  const day = openOccurrence(context.fields);
  if (day === null) return leftToPerson(`The task recurs (${own}), and its fields don't say which day is meant.`);
  // A second mail about the same occurrence doesn't complete the next one.
  const distance = (one: string) => Math.abs((parseLocalTime(one) ?? Number.NaN) - (parseLocalTime(completed) ?? 0));
  if (textsOf(held).some((one) => distance(one) < distance(day))) return NO_EDITS;
  return { ok: true, value: [{ op: 'add', field: OCCURRENCES, members: [day] }] };
}

/** Checks days that are added to those completed, or taken back, when a recorded change is made again. */
function occurrenceEdits(changes: readonly FieldChange[], context: MutationContext): CheckedEdits {
  const days = changes.flatMap(({ value }) => textsOf(value));
  const isPlain = days.every((day) => isDateOnly(day) && parseLocalTime(day) !== null);
  if (!isPlain || findSeries(context.fields)?.rule !== 'occurrence')
    return refused(`${OCCURRENCES} lists the completed days of a recurring task.`);
  return {
    ok: true,
    value: changes.flatMap(({ op, value }) => {
      const members = textsOf(value);
      return op === 'set' ? [] : withoutHeld({ op, field: OCCURRENCES, members }, context.fields);
    }),
  };
}

// The same moment, as a person wrote it.
function isHeldMoment(fields: Frontmatter, completed: string): boolean {
  const held = readHeldValue(fields, 'completedDate');
  const at = typeof held === 'string' ? parseLocalTime(held) : null;
  return at !== null && at === parseLocalTime(completed);
}

/** Returns whether edits open a note again that was done or archived. */
function reopens(edits: readonly FieldEditLike[], { state, stateField, words }: MutationContext): boolean {
  if (transition(state, 'open') !== 'reopens') return false;
  return edits.some(
    (edit) => edit.op === 'set' && edit.field === stateField && stateMeant(edit.value, words) === 'open',
  );
}

/** `moves` may be decided, `reopens` only proposed, `forbidden` neither; `stays` doesn't change anything. */
type Transition = 'stays' | 'moves' | 'reopens' | 'forbidden';

const MOVES: Readonly<Record<State, readonly State[]>> = {
  open: ['snoozed', 'done', 'archived'],
  snoozed: ['open', 'done', 'archived'],
  done: ['archived'],
  archived: [],
};

/**
 * Returns what a step from one state to another is (contract, 3.22): open ↔ snoozed, open or snoozed → done or
 * archived, and done → archived may be decided; reopening is only proposed.
 */
export function transition(from: State, to: State): Transition {
  if (from === to) return 'stays';
  if (MOVES[from].includes(to)) return 'moves';
  return to === 'open' ? 'reopens' : 'forbidden';
}

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

type CheckedEdits = Checked<readonly FieldEditLike[]>;

function editOf(group: readonly FieldChange[], context: MutationContext): Checked<FieldEditLike> {
  const [first] = group;
  if (first === undefined) return refused('No change is named.');
  const { field, op } = first;
  if (op !== 'set') return memberEdit(field, op, group, context);
  const before = readHeldValue(context.fields, field);
  const value =
    classOfField(field) === 'parent_matter'
      ? checkedParent(first.value, before, context)
      : checkedValue(field, first.value, before, (link) => context.noteExists(link));
  return value.ok ? { ok: true, value: { op, field, value: inFormOf(before, value.value) } } : value;
}

// A list of one value stays a list of one.
function inFormOf(before: Yaml, value: Yaml): Yaml {
  return Array.isArray(before) && before.length === 1 && !Array.isArray(value) ? [value] : value;
}

function memberEdit(
  field: string,
  op: 'add' | 'remove',
  group: readonly FieldChange[],
  context: MutationContext,
): Checked<FieldEditLike> {
  if (!isListLike(readHeldValue(context.fields, field))) return refused(`${field} isn't a list of texts.`);
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

/** A list stays a list: TaskNotes keeps a task's projects as one. */
function checkedParent(value: Yaml, before: Yaml, context: MutationContext): Checked<Yaml> {
  const one = Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value;
  const link = checkedLink('parent_matter', one, (written) => context.matterExists(written), 'matter');
  if (!link.ok) return link;
  const [only, ...rest] = textsOf(before);
  if (only !== undefined && rest.length === 0 && sameLink(only, link.value)) return { ok: true, value: before };
  return { ok: true, value: Array.isArray(before) ? [link.value] : link.value };
}

/**
 * A related_* field takes only links to existing notes, `related_orgs` also names of organisations. Any other list also
 * takes texts, but no dead links.
 */
function checkedMember(field: string, text: string, context: MutationContext): Checked<string> {
  if (classOfField(field) !== 'related' && !isWikilink(text)) return { ok: true, value: text };
  const exists = (link: string) => context.noteExists(link) || (field === 'related_orgs' && isBareName(link));
  return checkedLink(field, text, exists, 'note');
}

/** Whether a link is a name alone: an organisation that has no note yet. */
function isBareName(link: string): boolean {
  return /^\[\[[^[\]/\\|#^:]{1,100}\]\]$/.test(link);
}

/**
 * Returns an edit without the values that the note has already, or an empty list if no other value is left. Members to
 * be removed are spelled as in the note.
 */
function withoutHeld(edit: FieldEditLike, fields: Frontmatter): readonly FieldEditLike[] {
  const before = readHeldValue(fields, edit.field);
  if (edit.op === 'set') return JSON.stringify(before) === JSON.stringify(edit.value) ? [] : [edit];
  const held = textsOf(before);
  const members =
    edit.op === 'add'
      ? edit.members.filter((member) => !includesLink(held, member))
      : held.filter((member) => includesLink(edit.members, member));
  return members.length === 0 ? [] : [{ ...edit, members }];
}

/**
 * Returns the class of a list of changes: if there are several, the first in the contract's order. An empty list is a
 * context_edit.
 */
export function classifyChanges(changes: readonly Pick<FieldChange, 'field'>[]): MutationClass {
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
  // A day of a series follows from the state done; it is never named.
  const outside = proposalChanges(proposal).find(
    ({ field }) => classOfField(field) !== proposal.class || field === OCCURRENCES,
  );
  return outside?.field ?? null;
}

/**
 * Returns the value of a note's field, null if it has no such field. Every object answers to `constructor`, so only own
 * keys count.
 */
export function readHeldValue(fields: Frontmatter, field: string): Yaml {
  return Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
}

/** Returns the texts and numbers of a value, or of a list, as texts. */
function textsOf(value: Yaml): readonly string[] {
  return itemsOf(value).filter(isTextLike).map(String);
}

function isListLike(value: Yaml): boolean {
  return itemsOf(value).every((item) => item === null || isTextLike(item));
}

/** Returns whether a field is the note's state. A note has one of the two names for it. */
export function isStateField(field: string): boolean {
  return field === 'state' || field === 'status';
}

function itemsOf(value: Yaml): readonly Yaml[] {
  return Array.isArray(value) ? value : [value];
}

function isTextLike(item: Yaml): boolean {
  return typeof item === 'string' || typeof item === 'number';
}

const PROTECTED: readonly string[] = ['type', 'id', 'steward', 'tags', 'discretion_threshold', 'pinned'];
const CONTEXT: readonly string[] = ['summary', 'description', 'owner', 'due', 'blocked_on', 'current_state'];
const LISTS: readonly string[] = ['blocked_on'];

/** Returns whether a decision may ever write a field: it has a class and is not protected (sections 3 and 10). */
export function mayBeWritten(
  field: string,
  settings: { readonly editable_fields: readonly string[]; readonly protected_fields: readonly string[] },
): boolean {
  if (isProtected(field, settings.protected_fields)) return false;
  return classOfField(field) !== 'context_edit' || isContextField(field, settings.editable_fields);
}

/** Returns why a change is never allowed, whatever value it sets; null if it may be. */
function forbiddenReason({ field, op }: FieldChange, context: TargetNote & FieldSettings): string | null {
  const { protectedFields } = context;
  const own = nameInNote(field, context);
  if (isProtected(field, protectedFields) || isProtected(own, protectedFields)) {
    return `${field} is protected and never written.`;
  }
  switch (classOfField(field)) {
    case 'state_change':
      if (field === OCCURRENCES) return op === 'set' ? `${field}: days are added, the list is not replaced.` : null;
      return op === 'set' ? null : `${field} has one value; it can only be set.`;
    case 'parent_matter':
      if (context.kind === 'matter') return 'parent_matter belongs to a task, not to a matter.';
      return op === 'set' ? null : 'parent_matter has one link; it can only be set.';
    case 'related':
      return op === 'set' ? `${field}: members are added or removed, the list is not replaced.` : null;
    case 'context_edit':
      return forbiddenContext(field, op, context);
  }
}

/**
 * Returns whether a field is protected. Obsidian takes property names in any case, so `Tags` is as protected as `tags`.
 */
export function isProtected(field: string, protectedFields: readonly string[]): boolean {
  const key = fieldKey(field);
  return PROTECTED.includes(key) || protectedFields.some((name) => fieldKey(name) === key);
}

/** Returns the name under which the note keeps a field: `state` and `status` are one. */
function nameInNote(field: string, { stateField }: Pick<TargetNote, 'stateField'>): string {
  return isStateField(field) ? stateField : field;
}

function forbiddenContext(
  field: string,
  op: FieldChange['op'],
  { editable, fields }: TargetNote & FieldSettings,
): string | null {
  if (!isContextField(field, editable)) return `${field} is not a field that may be written.`;
  if (op === 'set' || LISTS.includes(field)) return null;
  const before = readHeldValue(fields, field);
  const mayBeList = !CONTEXT.includes(field) && (before === null || Array.isArray(before));
  return mayBeList ? null : `${field} has one value; it can only be set.`;
}

function isContextField(field: string, editable: readonly string[]): boolean {
  return CONTEXT.includes(field) || editable.includes(field);
}

function fieldKey(name: string): string {
  return fold(name.trim());
}

const MAX_LINK = 300;

/** Returns the wikilink to write for a link in any form people use (contract, section 3); null if it is no link. */
function asWikilink(written: string): string | null {
  const text = written.trim();
  const inner = /^\[\[([^[\]]+)\]\]$/.exec(text)?.[1] ?? text;
  if (inner.trim() === '' || text.length > MAX_LINK || /[[\]\p{Cc}\p{Zl}\p{Zp}]/u.test(inner)) return null;
  return inner === text ? `[[${inner.replace(/\.md$/i, '')}]]` : text;
}

function isWikilink(text: string): boolean {
  return /^\s*\[\[[^[\]]+\]\]\s*$/.test(text);
}

/** Returns whether two links mean the same note: folder, shown text, heading, `.md` and case aside. */
export function sameLink(one: string, other: string): boolean {
  const [a, b] = [one, other].map((link) => linkKey(link).replace(/^(?:\.\.?\/)+/, ''));
  if (a === undefined || b === undefined || a === b) return true;
  return a.includes('/') !== b.includes('/') && lastPart(a) === lastPart(b);
}

/** Returns whether a member of a list is the given text, or links to the same note. */
export function includesLink(members: readonly string[], member: string): boolean {
  return members.some((one) => one === member || sameLink(one, member));
}

/** A value fit to be written, or the sentence that says why it is not. */
type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly byHand?: true };

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
    if (hasControls(member, false)) return refused(`${field}: a member contains a line break or control character.`);
    const mark = markIn(member);
    if (mark !== null)
      return refused(`${field}: a member contains ${mark}; Steward writes only plain text and links to notes.`);
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
 * Returns a date or a local time as it is, and a time with an offset as local time: notes that people edit have no
 * offset.
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
  if (hasControls(value, manyLines)) return refused(`${field} contains a control character or a forbidden line break.`);
  const mark = markIn(value);
  if (mark !== null) return refused(`${field} contains ${mark}; Steward writes only plain text.`);
  if (isWikilink(value) && !noteExists(value.trim())) return refused(`${field}: there is no note ${value.trim()}.`);
  return { ok: true, value };
}

/** A field that may have one text or several keeps the note's form. */
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

/**
 * A field the settings list as editable: of the type the note has there, or any plain one if the note lacks the field.
 */
function checkedLikeBefore(field: string, value: Yaml, before: Yaml, noteExists: Exists): Checked<Yaml> {
  if (before !== null && kindOf(value) !== kindOf(before)) {
    return refused(`${field} holds a ${kindOf(before)} and can't become a ${kindOf(value)}.`);
  }
  if (typeof value === 'string') return checkedText(field, value, noteExists);
  if (Array.isArray(value)) return checkedTextOrList(field, value, before, noteExists);
  const plain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return plain ? { ok: true, value } : refused(`${field} must be a text, a number, a checkbox or a list of texts.`);
}

/** Returns why a text is more than plain text; null for plain text, and for a single link. */
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

/** Control characters, line separators and halves of characters, which no note could store as they are. */
function hasControls(text: string, manyLines: boolean): boolean {
  const rest = manyLines ? text.replace(/[\n\t]/g, '') : text;
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(rest);
}

/** Returns the refusal of a change that only a person can make, with its reason. */
function leftToPerson(reason: string): { readonly ok: false; readonly reason: string; readonly byHand: true } {
  return { ok: false, reason, byHand: true };
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
