import { insideVault, readBytes } from '../../vault/files.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import { fieldPosition } from '../../vault/frontmatter/parsed-note.ts';
import type { Position } from '../../vault/frontmatter/position.ts';
import type { IndexAccess } from '../context/ports.ts';

/** Where a field stands in a note that is in trouble, under whichever name: the only notes that are read for a status. */
export function fieldLocation(space: IndexAccess, file: string, field: string): Position | null {
  const mapped = Object.entries(space.context.settings.field_mapping).filter(([, ours]) => ours === field);
  const names = [field, ...mapped.map(([theirs]) => theirs)];
  try {
    const read = readNote(file, readBytes(insideVault(space.vault.root, file), MAX_NOTE_BYTES).bytes);
    if (!read.ok) return null;
    return names.map((name) => fieldPosition(read.note, name)).find((place) => place !== null) ?? null;
  } catch {
    return null; // gone meanwhile: the next look tells
  }
}
