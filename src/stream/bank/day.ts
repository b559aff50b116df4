/** Returns a day as `YYYY-MM-DD`; null where there is no such day, or it is in no century of ours. */
export function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThere && year >= 1900 && year <= 2199 ? date.toISOString().slice(0, 10) : null;
}
