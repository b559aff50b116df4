import { utc } from '../vault/time.ts';

/** When a mail says that it was written. */
interface MailTime {
  /** UTC, ISO with `Z`, to the second; null where the header gives no usable time. */
  readonly originAt: string | null;
  /** As the writer's clock showed it: `YYYY-MM-DDTHH:mm`; absent where the header names no zone by its hours. */
  readonly writtenAt?: string;
}

const MINUTE_MS = 60_000;
const OFFSET = /(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})$/;
const MOST_OFFSET_MINUTES = 14 * 60;

/** Returns the time in a mail's own header. Without a zone it is read as UTC, so that no machine reads it differently. */
export function mailTime(header: string): MailTime {
  const raw = header.replace(/\([^()]*\)/g, ' ').trim();
  const hasZone = /(?:[+-]\d{2}:?\d{2}|\b[A-Z]{1,4}|Z)$/i.test(raw) && !/\b(?:am|pm)$/i.test(raw);
  const time = Date.parse(hasZone ? raw : `${raw} UTC`);
  const year = Number.isNaN(time) ? 0 : new Date(time).getUTCFullYear();
  if (year < 1970 || year > 9999) return { originAt: null };
  const minutes = offsetIn(raw);
  if (minutes === null || minutes === 0) return { originAt: utc(time) };
  return { originAt: utc(time), writtenAt: new Date(time + minutes * MINUTE_MS).toISOString().slice(0, 16) };
}

function offsetIn(raw: string): number | null {
  const { sign, hours, minutes } = OFFSET.exec(raw)?.groups ?? {};
  if (sign === undefined) return null;
  const size = Number(hours) * 60 + Number(minutes);
  return size > MOST_OFFSET_MINUTES ? null : sign === '-' ? -size : size;
}
