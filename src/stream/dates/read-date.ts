import { type DayParts, dayFrom, dayOf, isoDay, weekdayOf } from './calendar-day.ts';
import { type Figures, figuresAt } from './figure-date.ts';
import { nearDayAt } from './lone-weekday.ts';
import { namedDateAt } from './named-date.ts';
import { anyOf, nameAt } from './names.ts';
import type { DateOrigin } from './origin.ts';
import { timeAfter } from './time-of-day.ts';

/** A calendar day at the start of a text. */
export interface ReadDate {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:mm`, where one goes with it; else null. */
  readonly time: string | null;
  /** How many characters of the text it takes, its time among them. */
  readonly length: number;
  /** `full`: with a year; `yearless`: the next such day; `weekday`: only the name of a day, or "tomorrow". */
  readonly kind: 'full' | 'yearless' | 'weekday';
}

type DayRead = Omit<ReadDate, 'time'> & { readonly time?: string | null };

/** More than any date takes with its weekday, its time and what is looked for behind it. */
const WINDOW = 120;
const BEFORE = new RegExp(`^(?:(?:${anyOf('before')}) +|l')+`, 'iu');
const AFTER_WEEKDAY = new RegExp(`^\\.?(?:,? *\\(?| +[-–—] +)(?:(?:${anyOf('before')}) +|l')*(?=[\\p{L}\\d])`, 'iu');
/** "12 or 19 December", "12.–14. Dezember": neither day is read, because it could be either. */
const GOES_ON = new RegExp(
  `^(?:,? +(?:${anyOf('joins')}|or on) +| *[-–—/] *)(?:(?:${anyOf('before')}) +)*(?=\\d|\\p{L}+\\.? +\\d)`,
  'iu',
);
const UNTIL_TIME = new RegExp(
  `^(?: +(?:${anyOf('joins')}) +| *[-–—] *)(?:(?:${anyOf('at')}) *)?\\d{1,2}(?:[:.h]\\d\\d| ?[ap]\\.?m\\b| ?(?:${anyOf('hour')})(?![\\p{L}\\d]))`,
  'iu',
);
const OR_WEEKDAY = new RegExp(`^,? +(?:${anyOf('joins')}) +(?:(?:${anyOf('before')}) +)*(?=\\p{L})`, 'iu');

/**
 * Returns the day that `text` begins with, or null where there is none or it could be read in two ways. Days without a
 * year, weekdays and "tomorrow" count from the day when the text was written; without it they are not read.
 */
export function readDate(text: string, origin: DateOrigin): ReadDate | null {
  if (origin.language === 'other') return null;
  const window = text.slice(0, WINDOW);
  const read = dateWithWeekday(window, origin) ?? plainDate(window, origin) ?? nearDay(window, origin);
  if (read === null) return null;
  const date = withTime(read, window, origin);
  return goesOn(window.slice(date.length), date, origin) ? null : date;
}

/** A weekday before the date must match it; otherwise one of the two is a mistake. */
function dateWithWeekday(text: string, origin: DateOrigin): DayRead | null {
  const start = BEFORE.exec(text)?.[0].length ?? 0;
  const named = weekdayAt(text.slice(start), origin);
  if (named === null) return null;
  const end = start + named.length;
  const between = AFTER_WEEKDAY.exec(text.slice(end))?.[0].length;
  if (between === undefined) return null;
  const date = dateAt(text.slice(end + between), origin, named.index);
  return date === null ? null : { ...date, length: end + between + date.length };
}

function plainDate(text: string, origin: DateOrigin): DayRead | null {
  const start = BEFORE.exec(text)?.[0].length ?? 0;
  const date = dateAt(text.slice(start), origin, null);
  return date === null ? null : { ...date, length: start + date.length };
}

function nearDay(text: string, origin: DateOrigin): DayRead | null {
  const start = BEFORE.exec(text)?.[0].length ?? 0;
  const near = nearDayAt(text, origin);
  if (near !== null) return { day: isoDay(near.day), length: near.length, kind: 'weekday' };
  const behind = nearDayAt(text.slice(start), origin);
  return behind === null ? null : { day: isoDay(behind.day), length: start + behind.length, kind: 'weekday' };
}

function weekdayAt(text: string, { language }: DateOrigin): ReturnType<typeof nameAt> {
  return language === 'other' ? null : nameAt('weekdays', text, language);
}

/** Returns the date in words or in figures that a text begins with. `weekday`: what it has to be, where one goes with it. */
function dateAt(text: string, origin: DateOrigin, weekday: number | null): DayRead | null {
  const figures = figuresAt(text, { hasWeekday: weekday !== null, origin });
  if (figures !== null) return figureDate(figures, origin, weekday);
  const named = namedDateAt(text, origin);
  if (named === null) return null;
  const day = fitting(named.parts, origin, weekday);
  return day === null ? null : { day: isoDay(day), length: named.length, kind: kindOf(named.parts) };
}

function figureDate({ readings, length, time }: Figures, origin: DateOrigin, weekday: number | null): DayRead | null {
  const fit = readings.flatMap((parts) => {
    const day = fitting(parts, origin, weekday);
    return day === null ? [] : [{ day: isoDay(day), length, time, kind: kindOf(parts) }];
  });
  const [only, second] = fit;
  return second === undefined ? (only ?? null) : null;
}

function fitting(parts: DayParts, origin: DateOrigin, weekday: number | null): number | null {
  const day = dayFrom(parts, dayOf(origin.at));
  return day === null || (weekday !== null && weekdayOf(day) !== weekday) ? null : day;
}

function kindOf({ year }: DayParts): ReadDate['kind'] {
  return year === null ? 'yearless' : 'full';
}

function withTime(read: DayRead, text: string, { language }: DateOrigin): ReadDate {
  const written = read.time ?? null;
  const found = written === null && language !== 'other' ? timeAfter(text.slice(read.length), language) : null;
  return { ...read, time: found?.time ?? written, length: read.length + (found?.length ?? 0) };
}

function goesOn(rest: string, { time }: ReadDate, origin: DateOrigin): boolean {
  // "10:00–11:30" says how long it takes.
  if (GOES_ON.test(rest)) return time === null || !UNTIL_TIME.test(rest);
  const or = OR_WEEKDAY.exec(rest)?.[0].length;
  return or !== undefined && weekdayAt(rest.slice(or), origin) !== null;
}
