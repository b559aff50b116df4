import { iso, utcMidnight } from '../../vault/time.ts';

/** Returns a day as `YYYY-MM-DD`; null where there is no such day, or it is in no century of ours. */
export function dayOf(year: number, month: number, day: number): string | null {
  const midnight = year >= 1900 && year <= 2199 ? utcMidnight(year, month, day) : null;
  return midnight === null ? null : iso(midnight).slice(0, 10);
}

/** Returns the day of `2035-03-02` or `20350302`, as the bank writes it, whatever time and zone stand behind it; null where it is none. */
export function dayIn(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) ?? [];
  return year === undefined ? null : dayOf(Number(year), Number(month), Number(day));
}
