/**
 * Returns how many letters must be put in, taken out or replaced to make one word of another; infinite where the lengths
 * alone differ by more than `most`.
 */
export function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
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
