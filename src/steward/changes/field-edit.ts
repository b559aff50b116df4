import type { FieldChange } from '../../vault/records/mutation.ts';
import type { Frontmatter, Yaml } from '../../vault/records/values.ts';
import { classOfField } from '../ports/mutation-class.ts';
import { type Checked, checkedLink, checkedMembers, checkedValue, refused } from './field-value.ts';
import { heldIn, isListLike, textsOf } from './held-value.ts';
import { includesLink, isWikilink, sameLink } from './link.ts';
import type { FieldEditLike, MutationContext } from './permission.ts';

/** Edits that may be made, or the sentence that says why none of them may. */
export type CheckedEdits = Checked<readonly FieldEditLike[]>;

/** Returns the edits of every field except the state: one for each field and operation, in the order first named. */
export function fieldEdits(changes: readonly FieldChange[], context: MutationContext): CheckedEdits {
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
export function withoutHeld(edit: FieldEditLike, fields: Frontmatter): readonly FieldEditLike[] {
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
