import { readInside } from '../../vault/disk/read-inside.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import { fieldPosition } from '../../vault/frontmatter/parsed-note.ts';
import type { Position } from '../../vault/frontmatter/position.ts';
import type { IndexAccess } from '../context/ports.ts';

/**
 * Returns where a field stands in a note, under its own or a mapped name; null where it is not found. Only notes with a
 * problem are read for a status.
 */
export function fieldLocation(space: IndexAccess, file: string, field: string): Position | null {
  const mapped = Object.entries(space.context.settings.field_mapping).filter(([, ours]) => ours === field);
  const names = [field, ...mapped.map(([theirs]) => theirs)];
  try {
    const read = readNote(file, readInside(space.vault.root, file, MAX_NOTE_BYTES).bytes);
    if (!read.ok) return null;
    return names.map((name) => fieldPosition(read.note, name)).find((position) => position !== null) ?? null;
  } catch {
    return null; // the note is gone by now; the next status shows that
  }
}
