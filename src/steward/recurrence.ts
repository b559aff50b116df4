import type { Frontmatter, Yaml } from '../vault/frontmatter.ts';
import { utcMidnight } from '../vault/time.ts';

// Which day of a recurring task is open, by the fields of TaskNotes. Days are counted as ms of their midnight in UTC.

const DAY_MS = 86_400_000;
/** A rule that has no day for this long is one that can't be followed. */
const MAX_DAYS = 5 * 366;

/**
 * Returns the day (`YYYY-MM-DD`) of a recurring task that is completed next: the scheduled or due day, or, if that is completed
 * or skipped already, the next one that the rule gives. Null if the fields don't say. `fields`: under the names of TaskNotes.
 */
export function openOccurrence(fields: Frontmatter): string | null {
  const completed = daysIn(fields.complete_instances);
  const closed = new Set([...completed, ...daysIn(fields.skipped_instances)]);
  const planned = [...daysIn(fields.scheduled), ...daysIn(fields.due)];
  const open = planned.find((day) => !closed.has(day));
  if (open !== undefined) return dayText(open);
  const rule = ruleIn(fields.recurrence);
  const last = Math.max(...planned.slice(0, 1), ...completed);
  const start = fields.recurrence_anchor === 'completion' ? last : (rule?.start ?? planned[0] ?? completed[0]);
  if (rule === null || start === undefined || !Number.isFinite(start)) return null;
  const first = Number.isFinite(last) ? last + DAY_MS : start;
  for (let day = first; day < first + MAX_DAYS * DAY_MS; day += DAY_MS) {
    if (rule.until !== null && day > rule.until) return null;
    if (!closed.has(day) && isOn(rule, start, day)) return dayText(day);
  }
  return null;
}

/** A rule of RFC 5545, as far as tasks have one. */
interface Rule {
  readonly every: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  /** Days of the week, Sunday is 0; of a month, counted from its end if negative. Empty: as the start. */
  readonly weekdays: readonly number[];
  readonly monthDays: readonly number[];
  readonly start: number | null;
  readonly until: number | null;
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const KNOWN = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'DTSTART', 'UNTIL', 'WKST'];
const EVERY = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const MAX_RULE_CHARACTERS = 500;

// Null for a rule with parts that aren't followed here, such as COUNT or the second Tuesday of a month.
function ruleIn(written: Yaml | undefined): Rule | null {
  if (typeof written !== 'string' || written.length > MAX_RULE_CHARACTERS) return null;
  const pairs = written
    .toUpperCase()
    .replace(/^\s*RRULE:/, '')
    .split(/[;\n]/)
    .map((part) => part.trim().split(/[=:]/));
  const parts = new Map(pairs.map(([name = '', value = '']) => [name, value]));
  const every = EVERY.find((one) => one === parts.get('FREQ'));
  const weekdays = listIn(parts.get('BYDAY')).map((day) => WEEKDAYS.indexOf(day));
  const monthDays = listIn(parts.get('BYMONTHDAY')).map(Number);
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const isKnown = [...parts.keys()].every((name) => KNOWN.includes(name));
  const isPlain = !weekdays.includes(-1) && monthDays.every(Number.isInteger) && interval >= 1;
  // A start of the week on another day matters only to every other week.
  const isOdd = parts.has('WKST') && parts.get('WKST') !== 'MO' && interval > 1;
  if (every === undefined || !isKnown || !isPlain || isOdd) return null;
  if ((weekdays.length > 0 && every !== 'WEEKLY') || (monthDays.length > 0 && every !== 'MONTHLY')) return null;
  const until = parts.get('UNTIL');
  const end = until === undefined ? null : dayIn(until);
  if (until !== undefined && end === null) return null;
  return { every, interval, weekdays, monthDays, start: dayIn(parts.get('DTSTART') ?? ''), until: end };
}

function listIn(value: string | undefined): string[] {
  return (value ?? '').split(',').filter(Boolean);
}

function isOn({ every, interval, weekdays, monthDays }: Rule, start: number, day: number): boolean {
  if (day < start) return false;
  const [then, now] = [new Date(start), new Date(day)];
  const months = (now.getUTCFullYear() - then.getUTCFullYear()) * 12 + now.getUTCMonth() - then.getUTCMonth();
  switch (every) {
    case 'DAILY':
      return ((day - start) / DAY_MS) % interval === 0;
    case 'WEEKLY': {
      const isDay = weekdays.length === 0 ? now.getUTCDay() === then.getUTCDay() : weekdays.includes(now.getUTCDay());
      return isDay && ((monday(day) - monday(start)) / (7 * DAY_MS)) % interval === 0;
    }
    case 'MONTHLY': {
      const fromEnd = now.getUTCDate() - daysOfMonth(now) - 1;
      const wanted = monthDays.length === 0 ? [then.getUTCDate()] : monthDays;
      return months % interval === 0 && (wanted.includes(now.getUTCDate()) || wanted.includes(fromEnd));
    }
    case 'YEARLY':
      return months % (12 * interval) === 0 && now.getUTCDate() === then.getUTCDate();
  }
}

function monday(day: number): number {
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function daysIn(value: Yaml | undefined): number[] {
  const items: readonly Yaml[] = Array.isArray(value) ? value : [value ?? null];
  return items.flatMap((item) => (typeof item === 'string' ? (dayIn(item) ?? []) : []));
}

// `2026-12-01`, `20261201` or either with a time.
function dayIn(text: string): number | null {
  const [, year, month, day] = /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:[T ]|\s*$)/.exec(text) ?? [];
  return year === undefined ? null : utcMidnight(Number(year), Number(month), Number(day));
}

function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
