/** How much each word, or thing, of some tasks tells: the fewer of them have it, the more. */
export type Rarity<K> = ReadonlyMap<K, number>;

/** Returns the rarity of the words, or things, that some tasks have, each task's in a list of their own. */
export function rarityOf<K>(owned: readonly Iterable<K>[]): Rarity<K> {
  const counts = new Map<K, number>();
  for (const own of owned) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Map([...counts].map(([one, count]) => [one, Math.log(1 + owned.length / count)]));
}
