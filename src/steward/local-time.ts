import { utcMidnight } from '../vault/time.ts';

const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ms: number;
  /** `Z`, `+02:00`, or null for local. */
  readonly offset: string | null;
}

/**
 * Returns a date or time as people write it in epoch milliseconds, or null where the text is neither. Without an offset
 * it is local (contract, section 3); a date alone is the start of its local day. A day that does not exist is null.
 */
export function parseLocalTime(text: string): number | null {
  const parts = partsOf(text);
  if (parts === null) return null;
  return parts.offset === null ? localMoment(parts) : utcMoment(parts) - offsetMs(parts.offset);
}

/** Returns whether a text is a date without a time. */
export function isDateOnly(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
}

/** Returns the first moment of the next local day (epoch ms): from then on, what was due on this day is overdue. */
export function endOfLocalDay(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

function partsOf(text: string): Parts | null {
  const match = WRITTEN.exec(text.trim());
  if (match === null) return null;
  const at = (index: number) => Number(match[index] ?? 0);
  const ms = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const offset = match[8] ?? null;
  const parts = { year: at(1), month: at(2), day: at(3), hour: at(4), minute: at(5), second: at(6), ms, offset };
  return isReal(parts) ? parts : null;
}

function isReal(parts: Parts): boolean {
  if (parts.year < 1000 || parts.hour > 23 || parts.minute > 59 || parts.second > 59) return false;
  return utcMidnight(parts.year, parts.month, parts.day) !== null;
}

function localMoment({ year, month, day, hour, minute, second, ms }: Parts): number {
  return new Date(year, month - 1, day, hour, minute, second, ms).getTime();
}

function utcMoment({ year, month, day, hour, minute, second, ms }: Parts): number {
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

/** Returns what an offset from UTC is in ms: of `Z`, `+02:00` or `-0330`. */
export function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const sign = offset.startsWith('-') ? -1 : 1;
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000;
}
