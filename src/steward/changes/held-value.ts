import type { Frontmatter, Yaml } from '../../vault/records/values.ts';

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
