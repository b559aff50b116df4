import { utcMidnight } from '../../vault/time.ts';

const DAY_MS = 86_400_000;
/** A yearless day further ahead than this more likely means the past one. */
const YEARLESS_HORIZON_DAYS = 300;
const PLAUSIBLE_YEARS = 30;

/** The parts of a date as they are written. Months count from 1; a year that is not written is null. */
export interface DayParts {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** Returns the day, as its midnight in UTC, that `at` begins with: `YYYY-MM-DD…`; null where it is none. */
export function dayOf(at: string | null): number | null {
  const time = at === null ? Number.NaN : Date.parse(`${at.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(time) ? null : time;
}

/** Returns `YYYY-MM-DD`. */
export function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the weekday: 0 is Monday. */
export function weekdayOf(time: number): number {
  return (new Date(time).getUTCDay() + 6) % 7;
}

/** Returns the day so many days behind another. */
export function daysLater(time: number, days: number): number {
  return time + days * DAY_MS;
}

/**
 * Returns the day that the parts mean, or null where there is none. Without a year it is the next such day from `origin`
 * on, which is not read without one; with a year it must lie within thirty years.
 */
export function dayFrom(parts: DayParts, origin: number | null): number | null {
  if (parts.year !== null) {
    const day = utcMidnight(parts.year, parts.month, parts.day);
    return day === null || !isPlausible(day, origin) ? null : day;
  }
  if (origin === null) return null;
  const year = new Date(origin).getUTCFullYear();
  const candidates = [year, year + 1].map((each) => utcMidnight(each, parts.month, parts.day));
  const next = candidates.find((day) => day !== null && day >= origin) ?? null;
  return next === null || next - origin > YEARLESS_HORIZON_DAYS * DAY_MS ? null : next;
}

function isPlausible(day: number, origin: number | null): boolean {
  if (origin === null) return true;
  return Math.abs(day - origin) < PLAUSIBLE_YEARS * 365.25 * DAY_MS;
}
