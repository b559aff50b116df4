import { utcMidnight } from '../../vault/time.ts';

/*
 * A wall time is what a clock on the wall shows, somewhere: in ms, counted as if it were UTC. Two of the same place can be
 * compared and subtracted; what moment it is, only a zone can tell.
 */

const WRITTEN = /^(\d{4})-?(\d{2})-?(\d{2})(?:Z|[T ](\d{2}):?(\d{2})(?::?(\d{2}))?(Z)?)?$/i;
const DAY_MS = 86_400_000;

/** What tells the moment (epoch ms) of a wall time, and the other way round. */
export interface Zone {
  readonly momentOf: (wall: number) => number;
  readonly wallOf: (moment: number) => number;
}

/** The zone of times that end in `Z`. */
export const UTC: Zone = { momentOf: (wall) => wall, wallOf: (moment) => moment };

/** A date or a time as a calendar writes it. */
export interface Written {
  readonly wall: number;
  /** Whether it is a whole day. */
  readonly isDay: boolean;
  readonly isUtc: boolean;
}

/** Returns what `20350302`, `20350302T090000` or `20350302T080000Z` says; null where that is no such date or time. */
export function readWritten(text: string): Written | null {
  const [whole, year, month, day, hour, minute, second, utc] = WRITTEN.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (midnight === null) return null;
  if (hour === undefined) return { wall: midnight, isDay: true, isUtc: false };
  const time = timeOf(Number(hour), Number(minute), Number(second ?? 0));
  return time === null ? null : { wall: midnight + time, isDay: false, isUtc: utc !== undefined };
}

/** `YYYY-MM-DD`. */
export function dayText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** `YYYY-MM-DDTHH:mm`. */
export function minuteText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
}

/** Returns the midnight at which the day of a wall time began. */
export function dayStart(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

function midnightOf(year: number, month: number, day: number): number | null {
  return year < 1600 || year > 2400 ? null : utcMidnight(year, month, day);
}

/** Some write midnight as the hour 24; a leap second is the one before. */
function timeOf(hour: number, minute: number, second: number): number | null {
  const ms = (hour * 60 + minute) * 60_000 + Math.min(second, 59) * 1000;
  return minute > 59 || second > 60 || ms > DAY_MS ? null : ms;
}
