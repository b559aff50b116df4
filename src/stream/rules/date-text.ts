import { utcMidnight } from '../../vault/time.ts';

/** A calendar day at the start of a text. */
interface ReadDate {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** How many characters of the text it takes. */
  readonly length: number;
  /** `full`: with a year; `yearless`: the next such day; `weekday`: only the name of a day. */
  readonly kind: 'full' | 'yearless' | 'weekday';
}

const DAY_MS = 86_400_000;
/** A yearless day further ahead than this more likely means the past one. */
const YEARLESS_HORIZON_DAYS = 300;

const MONTHS: readonly string[] = [
  'january|jan|januar|jänner|janvier|janv|enero|ene',
  'february|feb|februar|février|févr|febrero',
  'march|mar|märz|mär|mars|marzo',
  'april|apr|avril|avr|abril|abr',
  'may|mai|mayo',
  'june|jun|juni|juin|junio',
  'july|jul|juli|juillet|juil|julio',
  'august|aug|août|agosto|ago',
  'september|sept|sep|septembre|septiembre',
  'october|oct|oktober|okt|octobre|octubre',
  'november|nov|novembre|noviembre',
  'december|dec|dezember|dez|décembre|déc|diciembre|dic',
];
/** Monday first. */
const WEEKDAYS: readonly string[] = [
  'monday|mon|montag|lundi|lunes',
  'tuesday|tues|tue|dienstag|mardi|martes',
  'wednesday|wed|mittwoch|mercredi|miércoles',
  'thursday|thurs|thur|thu|donnerstag|jeudi|jueves',
  'friday|fri|freitag|vendredi|viernes',
  'saturday|sat|samstag|sonnabend|samedi|sábado',
  'sunday|sun|sonntag|dimanche|domingo',
];
const MONTH = MONTHS.join('|');
const WEEKDAY = WEEKDAYS.join('|');
const END = '(?![\\p{L}\\p{N}])';
const YEAR = '(?:,? +(?:de +|del +)?(?<year>\\d{4}))?';

const LEADING_WEEKDAY = new RegExp(
  `^(?:on +|the +|le +|el +|den +|dem +)*(?<weekday>${WEEKDAY})\\.?,? +(?:the +|le +|el +|den +|dem +|, *)?(?=[\\p{L}\\d])`,
  'iu',
);
const ISO = /^(?<year>\d{4})-(?<month>\d{2})-(?<dayNumber>\d{2})(?![\d-])/u;
const DAY_FIRST = new RegExp(
  `^(?:the +)?(?<dayNumber>\\d{1,2})(?:st|nd|rd|th|er|\\.)? +(?:of +|de +)?(?<monthName>${MONTH})${END}\\.?${YEAR}${END}`,
  'iu',
);
const MONTH_FIRST = new RegExp(
  `^(?<monthName>${MONTH})\\.? +(?:the +)?(?<dayNumber>\\d{1,2})(?:st|nd|rd|th)?${END}(?:,? +(?<year>\\d{4})${END})?`,
  'iu',
);
const DOTTED = /^(?<dayNumber>\d{1,2})\. ?(?<month>\d{1,2})\.(?: ?(?<year>\d{4}|\d{2})(?!\d|[.:]\d))?(?!\d)/u;
const SLASHED = /^(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<year>\d{4})(?![\d/])/u;
const COMING_WEEKDAY = new RegExp(
  `^(?:on +|le +|el +|am +)*(?<which>this(?: coming)?|coming|upcoming|next|diesen|kommenden|nächsten|próximo|este)? *(?<weekday>${WEEKDAY})${END}(?<later> +prochain| +próximo| +que viene)?`,
  'iu',
);
/** "12 or 19 December", "12.–14. Dezember": neither day is read, because it could be either. */
const GOES_ON =
  /^(?:,? +(?:or|oder|ou|o|and|und|et|y|to|bis|through|until|au|al) +| *[-–—/] *)(?:the +|le +|el +)?(?=\d|(?:\p{L}+ +\d))/iu;

/** "Friday, 12 …": the weekday belongs to a date that was already refused. A time of day may follow a weekday. */
const DATE_FOLLOWS = new RegExp(
  `^,? *(?:the +|den +|dem +|le +|el +)?(?:(?!\\d{1,2}(?::\\d| ?(?:am|pm|uhr|h)${END}))\\d|(?:${MONTH})${END})`,
  'iu',
);

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Returns the day that `text` begins with, or null where there is none or it could be read in two ways. Days without a
 * year and weekdays count from `originAt`, the time when the text was written; without it they are not read.
 */
export function readDate(text: string, originAt: string | null): ReadDate | null {
  const origin = originDay(originAt);
  const date = dateWithWeekday(text, origin) ?? writtenDate(text, origin) ?? comingWeekday(text, origin);
  return date === null || GOES_ON.test(text.slice(date.length)) ? null : date;
}

/** A weekday before the date must match it; otherwise one of the two is a mistake. */
function dateWithWeekday(text: string, origin: number | null): ReadDate | null {
  const match = LEADING_WEEKDAY.exec(text);
  if (match === null) return null;
  const date = writtenDate(text.slice(match[0].length), origin);
  if (date === null) return null;
  const agrees = weekdayOf(Date.parse(date.day)) === indexOfName(WEEKDAYS, match.groups?.weekday);
  return agrees ? { ...date, length: date.length + match[0].length } : null;
}

function writtenDate(text: string, origin: number | null): ReadDate | null {
  for (const pattern of [ISO, DAY_FIRST, MONTH_FIRST, DOTTED, SLASHED]) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const parts = partsOf(match.groups ?? {});
    return parts === null ? null : resolved(parts, match[0].length, origin);
  }
  return null;
}

interface Parts {
  readonly year: number | null;
  readonly month: number;
  readonly dayNumber: number;
}

function partsOf(groups: Groups): Parts | null {
  if (groups.first !== undefined) return slashedParts(groups);
  const month = groups.monthName === undefined ? Number(groups.month) : indexOfName(MONTHS, groups.monthName) + 1;
  return { year: fullYear(groups.year), month, dayNumber: Number(groups.dayNumber) };
}

/** Countries differ in the order of day and month, so both are read only where one of them cannot be a month. */
function slashedParts(groups: Groups): Parts | null {
  const [first, second] = [Number(groups.first), Number(groups.second)];
  const year = fullYear(groups.year);
  if (first > 12 || first === second) return { year, month: second, dayNumber: first };
  return second > 12 ? { year, month: first, dayNumber: second } : null;
}

function fullYear(written: string | undefined): number | null {
  if (written === undefined) return null;
  return written.length === 2 ? 2000 + Number(written) : Number(written);
}

function resolved(parts: Parts, length: number, origin: number | null): ReadDate | null {
  if (parts.year !== null) {
    const day = utcMidnight(parts.year, parts.month, parts.dayNumber);
    return day === null || !isPlausible(day, origin) ? null : { day: isoDay(day), length, kind: 'full' };
  }
  if (origin === null) return null;
  const year = new Date(origin).getUTCFullYear();
  const candidates = [year, year + 1].map((each) => utcMidnight(each, parts.month, parts.dayNumber));
  const next = candidates.find((day) => day !== null && day >= origin) ?? null;
  if (next === null || next - origin > YEARLESS_HORIZON_DAYS * DAY_MS) return null;
  return { day: isoDay(next), length, kind: 'yearless' };
}

function comingWeekday(text: string, origin: number | null): ReadDate | null {
  const match = COMING_WEEKDAY.exec(text);
  if (match === null || origin === null || DATE_FOLLOWS.test(text.slice(match[0].length))) return null;
  const wanted = indexOfName(WEEKDAYS, match.groups?.weekday);
  const today = weekdayOf(origin);
  const which = match.groups?.which?.toLowerCase() ?? '';
  const ahead = daysAhead(today, wanted, which, match.groups?.later !== undefined);
  if (ahead === null) return null;
  return { day: isoDay(origin + ahead * DAY_MS), length: match[0].length, kind: 'weekday' };
}

/**
 * Returns the days until the weekday that is meant, or null where people would disagree: on a Monday, "next Friday" may
 * be this week's or next week's; on a Friday, "Friday" may be today or in a week.
 */
function daysAhead(today: number, wanted: number, which: string, later: boolean): number | null {
  const ahead = (wanted - today + 7) % 7;
  const isNext = later || /^(?:next|nächsten|próximo)$/.test(which);
  const crossesWeek = wanted <= today;
  if (isNext) return !crossesWeek ? null : ahead === 0 ? 7 : ahead;
  if (ahead === 0) return null;
  return /^(?:this|diesen|este)$/.test(which) && crossesWeek ? null : ahead;
}

function isPlausible(day: number, origin: number | null): boolean {
  if (origin === null) return true;
  const years = (day - origin) / (365.25 * DAY_MS);
  return years > -30 && years < 30;
}

function originDay(originAt: string | null): number | null {
  const time = originAt === null ? Number.NaN : Date.parse(originAt);
  return Number.isNaN(time) ? null : Math.floor(time / DAY_MS) * DAY_MS;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** 0 is Monday. */
function weekdayOf(time: number): number {
  return (new Date(time).getUTCDay() + 6) % 7;
}

function indexOfName(names: readonly string[], name: string | undefined): number {
  const folded = (name ?? '').toLowerCase();
  return names.findIndex((alternatives) => alternatives.split('|').includes(folded));
}
