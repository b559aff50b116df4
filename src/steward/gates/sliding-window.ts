const DAY = 24 * 60 * 60 * 1000;

/** Something that was spent at a moment (epoch ms). */
interface Spent {
  readonly at: number;
}

/** Returns the entries of the last `ms`: the tail of a list that is oldest first. An entry exactly `ms` old is out. */
export function since<Entry extends Spent>(entries: readonly Entry[], ms: number, now: number): readonly Entry[] {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.at ?? now) > now - ms) high = middle;
    else low = middle + 1;
  }
  return entries.slice(low);
}

/**
 * Returns what was spent in the last day, oldest first. A clock that was set back leaves entries in the future. The
 * newest of them counts as made now, and the others keep their distance from it. So setting the clock back neither
 * frees what was spent nor holds it longer than its day.
 */
export function lastDay<Entry extends Spent>(entries: readonly Entry[], now: number): Entry[] {
  const ahead = (entries.at(-1)?.at ?? now) - now;
  if (ahead <= 0) return [...since(entries, DAY, now)];
  const moved = entries.map((one) => (one.at > now ? { ...one, at: one.at - ahead } : one));
  return [
    ...since(
      moved.toSorted((one, other) => one.at - other.at),
      DAY,
      now,
    ),
  ];
}

/** Something that refuses until a moment (epoch ms). */
interface Refusal {
  readonly freeAt: number;
}

/** Returns the refusal that lasts longest, or null where there is none: before it ends, nothing goes through. */
export function longestRefusal<One extends Refusal>(refusals: readonly (One | null)[]): One | null {
  return refusals.reduce<One | null>(
    (longest, other) => (longest === null || (other !== null && other.freeAt > longest.freeAt) ? other : longest),
    null,
  );
}
