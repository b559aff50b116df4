import { editDistance } from '../spelling.ts';

/** How many letters a mistyped name may differ by. */
const MOST_EDITS = 3;

/** Returns the name that is spelt most like a written one, or null where none is near. */
export function nearest(mistyped: string, names: readonly string[]): string | null {
  const written = mistyped.toLowerCase();
  const near = names
    .map((name) => ({ name, edits: editDistance(written, name.toLowerCase(), MOST_EDITS) }))
    .filter(({ name, edits }) => edits <= Math.min(MOST_EDITS, name.length / 2))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.name ?? null;
}
