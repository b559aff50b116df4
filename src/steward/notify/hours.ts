/** A span of the day, as minutes since midnight; it may span midnight. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

const HOUR = 60;

/** Returns the first moment at or after `after` (epoch ms) at which the local clock shows a minute of the day. */
export function nextAt(minute: number, after: number): number {
  const today = momentOn(after, 0, minute);
  return today >= after ? today : momentOn(after, 1, minute);
}

/** Returns the last such moment at or before `before` (epoch ms). */
export function lastAt(minute: number, before: number): number {
  const today = momentOn(before, 0, minute);
  return today <= before ? today : momentOn(before, -1, minute);
}

/** Returns when the quiet that lies over a moment ends (epoch ms); null where none does. */
export function quietUntil(hours: Hours | null, now: number): number | null {
  if (hours === null || hours.from === hours.to) return null;
  const date = new Date(now);
  const minute = date.getHours() * HOUR + date.getMinutes();
  const { from, to } = hours;
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  // A clock that is put back shows the same minute twice: what has just ended is over.
  return isQuiet ? nextAt(to, now + 1) : null;
}

/** Returns the first moment of a local day (epoch ms), so many days after that of `now`. */
export function startOfDay(now: number, days = 0): number {
  return momentOn(now, days, 0);
}

// An hour that the clock leaves out is taken for the one behind it, as `Date` does.
function momentOn(now: number, days: number, minute: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate() + days];
  return new Date(year, month, day, Math.floor(minute / HOUR), minute % HOUR).getTime();
}
