import type { MatterRecord } from '../vault/index/record.ts';
import { cron } from '../vault/lazy-packages.ts';

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

const SECOND = 1000;
const HOUR_CRON_TIME = 3600 * SECOND;
/** Longer than clocks were ever moved at once: a whole day, where islands crossed the date line. */
const LONGEST_GAP = 25 * HOUR_CRON_TIME;

/**
 * Returns what is wrong with a cron expression (five or six fields, or a name like `@daily`); null where it is valid.
 */
function cronFault(expression: string): string | null {
  if (plainCron(expression) !== null) return null;
  const { valid, error } = cron().CronTime.validateCronExpression(expression);
  return valid ? null : (error?.message ?? 'cannot be read');
}

/**
 * Returns the first firing of a cron expression after a moment (both epoch ms), in local time; null where it never
 * fires.
 *
 * The expression is applied to the clock on the wall, without a time zone, and the zone then says which moment that is.
 * A wall time that comes twice in autumn fires the first time only; one that spring skips fires at the change.
 */
export function nextCron(expression: string, after: number): number | null {
  const next = wallTimes(expression); // a package that cannot be loaded now says nothing of the expression
  try {
    return firstAfter(next, after);
  } catch {
    return null; // the parser found no date within its eight years, such as 30 February
  }
}

/** Returns what gives the first firing after a time on the wall, and throws where there is none. */
function wallTimes(expression: string): (wall: number) => number {
  const plain = plainCron(expression);
  if (plain !== null) return (wall) => nextWall(plain, wall);
  const { CronTime } = cron();
  return (wall) => new CronTime(expression, 'UTC').getNextDateFrom(new Date(wall), 'UTC').toMillis();
}

function firstAfter(next: (wall: number) => number, after: number): number {
  const moment = momentOf(next(wallOf(after)));
  if (moment > after) return moment;
  // `after` lies in the hour that comes twice, and all of it has fired already: search on from the end of that hour.
  const change = changeBefore(after);
  return momentOf(next(change + offsetAt(change - 1) - SECOND));
}

/** What the clock on the wall reads at a moment, as if it were UTC. */
function wallOf(moment: number): number {
  const local = new Date(moment);
  const day = [local.getFullYear(), local.getMonth(), local.getDate()] as const;
  return Date.UTC(...day, local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds());
}

/**
 * The first moment at which the clock on the wall shows this time; for a time that is skipped, the moment of the
 * change.
 */
function momentOf(wall: number): number {
  const read = new Date(wall);
  const day = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate()] as const;
  const moment = new Date(...day, read.getUTCHours(), read.getUTCMinutes(), read.getUTCSeconds()).getTime();
  return wallOf(moment) === wall ? moment : changeBefore(moment);
}

/** The latest change of the zone's offset before a moment, by binary search. */
function changeBefore(moment: number): number {
  const offset = offsetAt(moment);
  let [before, after] = [moment - LONGEST_GAP, moment];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

function offsetAt(moment: number): number {
  return wallOf(moment) - moment;
}

/** How often a steward ticks: a period at the matter's own phase, or a cron expression in local time. */
export type Cadence =
  | { readonly kind: 'every'; readonly ms: number }
  | { readonly kind: 'cron'; readonly expression: string };

type ParsedSchedule =
  | { readonly ok: true; readonly cadence: Cadence }
  | { readonly ok: false; readonly reason: string };

const MINUTE_SCHEDULE = 60 * SECOND;
const HOUR_SCHEDULE = 60 * MINUTE_SCHEDULE;
const DAY_SCHEDULE = 24 * HOUR_SCHEDULE;
const LONGEST = 366 * DAY_SCHEDULE;
/** The shortest period between ticks: an edited note must be quiet for at least as long before it is judged. */
const SHORTEST = 10 * SECOND;
/** Some moment from which to ask whether a cron expression ever fires: its parser looks eight years ahead. */
const SOME_DAY = Date.UTC(2026, 0, 1);
/** A last firing further in the future than this was stamped by a wrong clock and does not count. */
export const SET_BACK_LIMIT = 7 * DAY_SCHEDULE;

/** The most characters of a schedule: it stands in a line of `status`, and of `run`. */
const MAX_LENGTH = 120;

const TOO_OFTEN = 'fires more often than every 10 s';

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^s(ec(ond)?s?)?$/, SECOND],
  [/^m(in(ute)?s?)?$/, MINUTE_SCHEDULE],
  [/^h((ou)?rs?)?$/, HOUR_SCHEDULE],
  [/^d(ays?)?$/, DAY_SCHEDULE],
  [/^w(eeks?)?$/, 7 * DAY_SCHEDULE],
];

/**
 * Returns the cadence that a `steward_schedule` or `default_schedule` means, or why it means none: `every 30m`,
 * `every 2 hours`, `30m`, or a cron expression (contract, section 3).
 */
export function parseSchedule(text: string): ParsedSchedule {
  if (text.length > MAX_LENGTH) return refused(text, `is longer than ${MAX_LENGTH} characters`);
  const folded = text.trim().toLowerCase();
  const period = /^(?:every\s+)?(\d{1,6}(?:\.\d{1,3})?)?\s*([a-z]+)$/.exec(folded);
  if (period !== null && !isBareUnit(folded)) return parsePeriod(text, Number(period[1] ?? 1), period[2] ?? '');
  const fields = folded.split(/\s+/).length;
  if (!folded.startsWith('@') && fields !== 5 && fields !== 6)
    return refused(text, 'is no period and no cron expression');
  const fault = cronFault(folded);
  if (fault !== null) return refused(text, `: ${fault}`);
  const cadence: Cadence = { kind: 'cron', expression: folded };
  if (mayNeverFire(folded) && nextCron(folded, SOME_DAY) === null) return refused(text, 'never fires');
  return isTooOften(folded) ? refused(text, TOO_OFTEN) : { ok: true, cadence };
}

// Only a day of the month that some months lack may never come. Most schedules name none, which saves a long search.
function mayNeverFire(expression: string): boolean {
  const [day, month] = expression.split(/\s+/).slice(-3);
  return !expression.startsWith('@') && day !== '*' && month !== '*';
}

// Only cron expressions with a field for seconds can fire more often than once a minute.
function isTooOften(expression: string): boolean {
  const fields = expression.split(/\s+/);
  if (fields.length !== 6 || /^\d+$/.test(fields[0] ?? '')) return false;
  let at = nextCron(expression, SOME_DAY);
  for (let count = 0; at !== null && count < 60; count += 1) {
    const next = nextCron(expression, at);
    if (next !== null && next - at < SHORTEST) return true;
    at = next;
  }
  return false;
}

/** Returns the first firing strictly after a moment (epoch ms); null where a cron expression never fires again. */
export function nextFire(cadence: Cadence, phase: number, after: number): number | null {
  if (cadence.kind === 'cron') return nextCron(cadence.expression, after);
  const { ms } = cadence;
  const offset = ((phase % ms) + ms) % ms;
  return (Math.floor((after - offset) / ms) + 1) * ms + offset;
}

interface Firing {
  /** The next firing, later than now and than the last one. */
  readonly at: number | null;
  /** True where firings since the last one are due or were slept through: one tick is owed, however many there were. */
  readonly missed: boolean;
}

/**
 * Returns the next firing, and whether one was missed (contract, section 4). `last` is the moment of the last firing,
 * or of the start of the schedule. After the clock was set back, the schedule waits until the last firing has passed
 * again, so that no moment fires twice. More than a week back, the earlier clock was wrong, and the schedule starts
 * over.
 */
export function nextAfter(cadence: Cadence, phase: number, last: number | null, now: number): Firing {
  const fired = last === null || last > now + SET_BACK_LIMIT ? null : last;
  const due = fired === null ? null : nextFire(cadence, phase, fired);
  return { at: nextFire(cadence, phase, Math.max(fired ?? now, now)), missed: due !== null && due <= now };
}

/**
 * Returns a matter's phase in ms. It depends on the slug alone, so that matters of one period do not all fire at once
 * (section 4).
 */
export function phaseOf(slug: string, periodMs: number): number {
  return periodMs > 0 ? fnv1a(slug.normalize('NFC').toLowerCase()) % periodMs : 0;
}

/** Returns a period in words: `30 min`, `4 h`, `2 d`. */
export function periodWords(ms: number): string {
  const [size, unit] = (
    [
      [DAY_SCHEDULE, 'd'],
      [HOUR_SCHEDULE, 'h'],
      [MINUTE_SCHEDULE, 'min'],
    ] as const
  ).find(([one]) => ms >= one && ms % one === 0) ?? [SECOND, 's'];
  return `${Math.round((ms / size) * 100) / 100} ${unit}`;
}

/** `every day` means every 1 day; `day` alone means nothing. */
function isBareUnit(folded: string): boolean {
  return /^[a-z]+$/.test(folded);
}

function parsePeriod(text: string, count: number, word: string): ParsedSchedule {
  const unit = UNITS.find(([pattern]) => pattern.test(word))?.[1];
  if (unit === undefined) return refused(text, `has no unit of time ("${word}")`);
  const ms = Math.round(count * unit);
  if (ms < SHORTEST) return refused(text, TOO_OFTEN);
  if (ms > LONGEST) return refused(text, 'is longer than a year');
  return { ok: true, cadence: { kind: 'every', ms } };
}

function refused(text: string, fault: string): ParsedSchedule {
  const shown = text.trim().slice(0, 60);
  return { ok: false, reason: `The schedule "${shown}" ${fault}.`.replace('" :', '":') };
}

/** FNV-1a, 32 bits, over UTF-8. Most names are their own bytes: encoding one takes ten times as long as all the rest. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return fnv1aOf(new TextEncoder().encode(text));
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

function fnv1aOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Returns a cadence in words: `every 30 min`, or the cron expression. */
export function cadenceWords(cadence: Cadence): string {
  return cadence.kind === 'every' ? `every ${periodWords(cadence.ms)}` : `cron ${cadence.expression}`;
}

/** Returns the name of a matter's schedule: `steward-<slug>`, where the slug is the note's file name. */
export function scheduleName(matter: Pick<MatterRecord, 'name'>): string {
  return `steward-${matter.name}`;
}
