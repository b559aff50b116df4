/**
 * Returns an object with at most so many entries in each of its lists; `left_out` says how many more there are, where there
 * are any. A vault may have ten thousand schedules, and whoever asks pays for each.
 */
export function withShortLists<Whole extends object>(whole: Whole, most: number): Whole & { left_out?: object } {
  const over = Object.entries(whole).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > most ? [[name, value] as const] : [],
  );
  if (over.length === 0) return whole;
  const cut = Object.fromEntries(over.map(([name, value]) => [name, value.slice(0, most)]));
  return { ...whole, ...cut, left_out: Object.fromEntries(over.map(([name, value]) => [name, value.length - most])) };
}
