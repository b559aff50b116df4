/** How many letters a mistyped name may differ by. */
const MOST_EDITS = 3;

/** Returns the name that is spelt most like a written one, or null where none is near. */
export function nearest(mistyped: string, names: readonly string[]): string | null {
  const written = mistyped.toLowerCase();
  const near = names
    .map((name) => ({ name, edits: editDistance(written, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= Math.min(MOST_EDITS, name.length / 2))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.name ?? null;
}

/** How many letters must be put in, taken out or replaced; infinite where the lengths alone differ by too many. */
function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MOST_EDITS) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, edits) => edits);
  for (const [nth, letter] of [...from].entries()) {
    const next = [nth + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
