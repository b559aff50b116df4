const DAY = 24 * 60 * 60 * 1000;

/** Something that was spent at a moment (epoch ms). */
interface Spent {
  readonly at: number;
}

/** The entries of the last `ms`, which are the tail of a list that is oldest first. An entry exactly `ms` old is out. */
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
 * What was spent in the last day, oldest first. A clock set back leaves entries in the future. The newest of them counts
 * as made now and the others keep their distance from it, so that going back neither frees what was spent nor holds
 * any of it longer than the day it had to last.
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
