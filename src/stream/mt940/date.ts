import { dayOf } from '../bank/day.ts';

/** The year of a statement has two digits: from here on they are of the last century. */
const LAST_CENTURY = 80;

/** Returns the day of `YYMMDD`; null where it is none. */
export function dateOf(digits: string): string | null {
  const [, year, month, day] = /^(\d{2})(\d{2})(\d{2})$/.exec(digits) ?? [];
  if (year === undefined) return null;
  return dayOf(Number(year) + (Number(year) < LAST_CENTURY ? 2000 : 1900), Number(month), Number(day));
}

/** Returns the day of `MMDD` that is nearest to a day: around the new year its year is another one. */
export function nearestDate(digits: string, near: string): string | null {
  const [month, day] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 4))];
  const year = Number(near.slice(0, 4));
  const days = [year - 1, year, year + 1].map((one) => dayOf(one, month, day)).filter((one) => one !== null);
  const away = (one: string) => Math.abs(Date.parse(one) - Date.parse(near));
  return days.toSorted((one, other) => away(one) - away(other))[0] ?? null;
}
