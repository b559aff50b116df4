import { fold } from '../vault/note-names.ts';
import type { Frontmatter, Yaml } from '../vault/records/values.ts';
import type { FieldChange } from '../vault/records.ts';
import type { FieldSettings, TargetNote } from './changes/permission.ts';
import { classOfField } from './ports/mutation-class.ts';

/**
 * Returns what a note holds in a field, null where it has no such field. Every object answers to `constructor`, so only
 * own keys count.
 */
export function heldIn(fields: Frontmatter, field: string): Yaml {
  return Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
}

/** Returns the texts and numbers of a value, or of a list, as texts. */
export function textsOf(value: Yaml): readonly string[] {
  return itemsOf(value).filter(isTextLike).map(String);
}

/** Returns whether a value is a list of texts, or can become one: a single text, or nothing. */
export function isListLike(value: Yaml): boolean {
  return itemsOf(value).every((item) => item === null || isTextLike(item));
}

/** Returns whether a field holds the note's state. A note has one of the two names for it. */
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

/** Returns why a change is never allowed, whatever value it sets; null where it may be. */
export function forbiddenReason({ field, op }: FieldChange, context: TargetNote & FieldSettings): string | null {
  const { protectedFields } = context;
  const own = nameInNote(field, context);
  if (isProtected(field, protectedFields) || isProtected(own, protectedFields)) {
    return `${field} is protected and never written.`;
  }
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

/**
 * Returns whether a field is protected. Obsidian takes property names in any case, so `Tags` is as protected as `tags`.
 */
export function isProtected(field: string, protectedFields: readonly string[]): boolean {
  const key = fieldKey(field);
  return PROTECTED.includes(key) || protectedFields.some((name) => fieldKey(name) === key);
}

/** Returns the name under which the note keeps a field: `state` and `status` are one. */
export function nameInNote(field: string, { stateField }: Pick<TargetNote, 'stateField'>): string {
  return isStateField(field) ? stateField : field;
}

function forbiddenContext(
  field: string,
  op: FieldChange['op'],
  { editable, fields }: TargetNote & FieldSettings,
): string | null {
  if (!isContextField(field, editable)) return `${field} is not a field that may be written.`;
  if (op === 'set' || LISTS.includes(field)) return null;
  const before = heldIn(fields, field);
  const mayBeList = !CONTEXT.includes(field) && (before === null || Array.isArray(before));
  return mayBeList ? null : `${field} holds one value; it can only be set.`;
}

function isContextField(field: string, editable: readonly string[]): boolean {
  return CONTEXT.includes(field) || editable.includes(field);
}

function fieldKey(name: string): string {
  return fold(name.trim());
}
