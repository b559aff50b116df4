import { expect } from 'vitest';
import { editFields, type FieldEdit, restoreFields } from '../../src/vault/edit.ts';
import { type Diagnostic, StewardError } from '../../src/vault/errors.ts';
import type { Yaml } from '../../src/vault/frontmatter.ts';

export const FILE = 'matter/house.md';

/** Returns the YAML between the fences after the edits, which are also taken back once on the way. */
export function edited(yaml: string, ...edits: FieldEdit[]): string {
  const text = `---\n${yaml}---\n# Title\n`;
  const result = editFields(FILE, text, edits);
  expect(restoreFields(FILE, result.text, result.patch).text).toBe(text);
  expect(result.text.startsWith('---\n')).toBe(true);
  expect(result.text.endsWith('---\n# Title\n')).toBe(true);
  return result.text.slice(4, -'---\n# Title\n'.length);
}

/** Returns the diagnostic of edits that are refused. */
export function refused(yaml: string, ...edits: FieldEdit[]): Diagnostic {
  try {
    edited(yaml, ...edits);
  } catch (error) {
    if (error instanceof StewardError) return error.trouble;
    throw error;
  }
  throw new Error('was not refused');
}

export const set = (field: string, value: Yaml): FieldEdit => ({ op: 'set', field, value });
export const add = (field: string, ...members: string[]): FieldEdit => ({ op: 'add', field, members });
export const remove = (field: string, ...members: string[]): FieldEdit => ({ op: 'remove', field, members });
export const drop = (field: string): FieldEdit => ({ op: 'delete', field });
