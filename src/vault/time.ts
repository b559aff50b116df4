/** Returns UTC with `Z` and seconds, as written in event and signal notes. `ms` since the epoch, here and below. */
export function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Returns UTC with milliseconds, for `--json` and state. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns a moment as part of a file name: `2026-11-21T20-19-54Z` (contract, section 16). */
export function nameTime(ms: number): string {
  return utc(ms).replaceAll(':', '-');
}

/** The same with milliseconds, where two things happened within one second. */
export function nameTimeExact(ms: number): string {
  return iso(ms).replace(/[:.]/g, '-');
}

/** Returns the midnight in UTC at which a day of the calendar begins (epoch ms); null where there is no such day. */
export function utcMidnight(year: number, month: number, day: number): number | null {
  const time = Date.UTC(year, month - 1, day);
  const date = new Date(time);
  const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThere ? time : null;
}

/** Returns the local date, `YYYY-MM-DD`. */
export function localDate(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Returns the local time, `YYYY-MM-DDTHH:mm:ss` without offset, as in notes that people edit. */
export function localTime(ms: number): string {
  const date = new Date(ms);
  return `${localDate(ms)}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

function pad(figure: number): string {
  return String(figure).padStart(2, '0');
}
