/** The last day for which the example vault is written: on the next one its first open task is due. */
const LAST_DAY = '2026-11-26';
const ISO_DAY = /\b(\d{4})(-\d\d-\d\d)\b/g;
/** A day as a sample mail writes it out. The month is one that lies ahead in the example. */
const WRITTEN_DAY = /\b(\d{1,2} (?:December|January|February|March)) (\d{4})\b/g;

/** Returns by how many whole years the example is to be moved for a local day, so that what lies ahead in it still does. */
export function yearsTo(today: string): number {
  const years = Number(today.slice(0, 4)) - Number(LAST_DAY.slice(0, 4));
  return Math.max(0, today.slice(4) > LAST_DAY.slice(4) ? years + 1 : years);
}

/**
 * Returns a text of the example with the days that lie ahead in it moved by so many years. What has happened keeps its
 * day, and since only the year moves, “the keys come in January” stays true.
 */
export function daysMoved(text: string, years: number): string {
  const later = (year: string) => String(Number(year) + years);
  return text
    .replace(ISO_DAY, (day, year: string, rest: string) => (day > LAST_DAY ? `${later(year)}${rest}` : day))
    .replace(WRITTEN_DAY, (_, day: string, year: string) => `${day} ${later(year)}`);
}
