import { bodyOf, keyPosition, type ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import type { FieldMapping } from '../../vault/index/record.ts';
import { lastTicked } from '../../vault/notes/checkboxes.ts';
import { cutAt, plainText } from '../mail/plain-text.ts';
import type { EditKind } from './edit.ts';

const MAX_QUOTE = 50;

/** Returns the line of a note that an edit has changed, as it reads and cut; null where it has no such line any more. */
export function quoteOf(kind: EditKind, note: ParsedNote, mapping: FieldMapping): string | null {
  const line = kind === 'boxes' ? lastTicked(bodyOf(note)) : fieldLine(note, namesOf(FIELD[kind], mapping));
  return line === null ? null : cutAt(plainText(line).trim(), MAX_QUOTE).trimEnd();
}

const FIELD = { done: 'state', completed: 'completedDate' } as const;

// Where a note has both, ours counts.
function namesOf(field: string, mapping: FieldMapping): string[] {
  const theirs = Object.entries(mapping).flatMap(([name, ours]) => (ours === field ? [name] : []));
  return [field, ...theirs];
}

function fieldLine(note: ParsedNote, names: readonly string[]): string | null {
  const name = names.find((one) => Object.hasOwn(note.data, one));
  const at = name === undefined ? null : keyPosition(note, name);
  return at === null ? null : (note.text.split('\n')[at.line - 1] ?? null);
}
