/*
 * Nearly all cron expressions have five fields in figures, such as `0 8 * * 1-5`. When such a one fires is told here; the
 * package for all others takes as long to load as a small vault to read.
 *
 * LAW: whatever is read here the package reads too, and finds the same firings.
 */

/** The minutes, hours, days of the month, months and weekdays (Sunday is 0) at which an expression fires. */
interface PlainCron {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const [ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS] = [31, 12, 7];
const LIMITS = [
  [0, 59],
  [0, 23],
  [1, ALL_DAYS],
  [1, ALL_MONTHS],
  [0, ALL_WEEKDAYS],
] as const;
/** `*`, a figure or a range, and a step. */
const PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/**
 * Returns when an expression fires; null for one that is not plain, and for one with a day of the month beside a month or
 * a weekday: it may never fire, or fires on either.
 */
export function plainCron(expression: string): PlainCron | null {
  const fields = expression.trim().split(/\s+/);
  const read = LIMITS.map((limits, nth) => valuesOf(fields[nth] ?? '', limits));
  const [minutes, hours, days, months, weekdays] = read;
  if (fields.length !== LIMITS.length || !minutes || !hours || !days || !months || !weekdays) return null;
  if (weekdays.delete(ALL_WEEKDAYS)) weekdays.add(0); // Sunday has two figures
  const isEveryDay = days.size === ALL_DAYS;
  if (!isEveryDay && (months.size !== ALL_MONTHS || weekdays.size !== ALL_WEEKDAYS)) return null;
  return { minutes, hours, days, months, weekdays };
}

function valuesOf(field: string, [low, high]: readonly [number, number]): Set<number> | null {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const read = PART.exec(part);
    if (read === null) return null;
    const [, from, to, step] = read;
    const isWhole = from === undefined;
    const first = isWhole ? low : Number(from);
    const last = to !== undefined ? Number(to) : isWhole || step !== undefined ? high : first;
    if (first < low || last > high || first > last || Number(step) === 0) return null;
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

/** Returns the first firing after a moment on a clock without a zone; both as if the clock showed UTC (epoch ms). */
export function nextWall(cron: PlainCron, after: number): number {
  const from = (Math.floor(after / MINUTE) + 1) * MINUTE;
  for (let day = Math.floor(from / DAY) * DAY; ; day += DAY) {
    const found = fitsDay(cron, new Date(day)) ? firstOn(day, cron, from) : null;
    if (found !== null) return found;
  }
}

function fitsDay({ days, months, weekdays }: PlainCron, day: Date): boolean {
  return days.has(day.getUTCDate()) && months.has(day.getUTCMonth() + 1) && weekdays.has(day.getUTCDay());
}

function firstOn(day: number, { hours, minutes }: PlainCron, from: number): number | null {
  for (let hour = day; hour < day + DAY; hour += HOUR) {
    if (hour + HOUR <= from || !hours.has((hour - day) / HOUR)) continue;
    for (let at = Math.max(hour, from); at < hour + HOUR; at += MINUTE)
      if (minutes.has((at - hour) / MINUTE)) return at;
  }
  return null;
}
