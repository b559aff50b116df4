import type { DayParts } from './calendar-day.ts';
import type { DateOrigin } from './origin.ts';

/** A date in figures at the beginning of a text: what it may mean, and how long it is. */
export interface Figures {
  /** One, or two where day and month can be told apart only by a weekday. */
  readonly readings: readonly DayParts[];
  readonly length: number;
  /** As it stands in an ISO date: `HH:mm`. */
  readonly time: string | null;
}

/** What may stand around a date in figures. */
interface Around {
  /** A weekday stands before it, which the date has to fit. */
  readonly hasWeekday: boolean;
  readonly origin: DateOrigin;
}

const ISO =
  /^(?<year>\d{4})(?<mark>[-/])(?<month>\d{2})\k<mark>(?<day>\d{2})(?:T(?<time>[0-2]\d:[0-5]\d)(?<zone>(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?(?::\d{2})?)?(?![\d/-])/u;
const DOTTED =
  /^(?<first>\d{1,2})\. ?(?<second>\d{1,2})\.(?: ?(?<year>\d{4}|\d{2})(?![\p{L}\d]|[.:,/]\d| ?(?:uhr|h|€|%)))?(?!\d)/iu;
const DOTTED_OPEN = /^(?<first>\d{1,2})\.(?<second>\d{1,2})(?![\p{L}\d]|[.:,/]\d)/u;
const SLASHED = /^(?<first>\d{1,2})(?<mark>[/-])(?<second>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})(?![\p{L}\d/-]|[.:,]\d)/u;
const SLASHED_OPEN = /^(?<first>\d{1,2})\/(?<second>\d{1,2})(?![\p{L}\d/%-]|[.:,]\d)/u;

/** Returns the date in figures that a text begins with, or null where it has none, or one that nobody could read surely. */
export function figuresAt(text: string, around: Around): Figures | null {
  return iso(text) ?? dotted(text, around) ?? slashed(text, around);
}

function iso(text: string): Figures | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const { year, month, day, time, zone } = match.groups ?? {};
  const parts = { year: Number(year), month: Number(month), day: Number(day) };
  // In another zone it may be another day here, and another time surely.
  return { readings: [parts], length: match[0].length, time: zone === undefined ? (time ?? null) : null };
}

/** Whoever writes points puts the day first. Without a year it may as well be a chapter, or a sum. */
function dotted(text: string, { hasWeekday, origin }: Around): Figures | null {
  const match = DOTTED.exec(text) ?? (hasWeekday ? DOTTED_OPEN.exec(text) : null);
  if (match === null) return null;
  const { first, second, year } = match.groups ?? {};
  const isEnglish = origin.language === 'en' && year === undefined && !hasWeekday;
  const parts = { year: fullYear(year), month: Number(second), day: Number(first) };
  return isEnglish ? null : { readings: [parts], length: match[0].length, time: null };
}

function slashed(text: string, { hasWeekday, origin }: Around): Figures | null {
  const match = SLASHED.exec(text) ?? slashedOpen(text, hasWeekday, origin);
  if (match === null) return null;
  const { first, second, year } = match.groups ?? {};
  const readings = readingsOf(Number(first), Number(second), fullYear(year), origin);
  return readings.length > 1 && !hasWeekday ? null : { readings, length: match[0].length, time: null };
}

/** "24/7", "1/2" and "3/4" are no days: without a year both have two figures, in a language that puts the day first. */
function slashedOpen(text: string, hasWeekday: boolean, { order }: DateOrigin): RegExpExecArray | null {
  const match = SLASHED_OPEN.exec(text);
  if (match === null || hasWeekday) return match;
  return order === 'day first' && /^\d\d\/\d\d/.test(match[0]) ? match : null;
}

function readingsOf(first: number, second: number, year: number | null, { order }: DateOrigin): readonly DayParts[] {
  const dayFirst = { year, month: second, day: first };
  const monthFirst = { year, month: first, day: second };
  if (first > 12 || first === second) return [dayFirst];
  if (second > 12) return [monthFirst];
  if (order === null) return [dayFirst, monthFirst];
  return [order === 'day first' ? dayFirst : monthFirst];
}

function fullYear(written: string | undefined): number | null {
  if (written === undefined) return null;
  return written.length === 2 ? 2000 + Number(written) : Number(written);
}
