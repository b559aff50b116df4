import { createRequire } from 'node:module';
import type { Chrono } from 'chrono-node';
import type { StreamEvent } from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import { utcMidnight } from '../vault/time.ts';
import { type DetectedLanguage, detectLanguage, type Language, type LanguageTable, languageTables } from './text.ts';

type FigureOrder = 'day first' | 'month first';

/** When and in which language words were written: what days without a year, weekdays and figures are read by. */
export interface DateOrigin {
  /** The writer's local time, `YYYY-MM-DD…`; null if unknown. */
  readonly at: string | null;
  /** `other`: a language whose words are not read. Null if unknown. */
  readonly language: Language | 'other' | null;
  /** Null if both may be meant. */
  readonly order: FigureOrder | null;
}

/** A calendar day at the start of a text. */
interface ReadDate {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:mm`; null without a time. */
  readonly time: string | null;
  /** How many characters of the text it takes, its time among them. */
  readonly length: number;
  /** `full`: with a year; `yearless`: the next such day; `weekday`: only the name of a day, or "tomorrow". */
  readonly kind: 'full' | 'yearless' | 'weekday';
}

type DayRead = Omit<ReadDate, 'time'> & { readonly time?: string | null };

/** More than any date takes with its weekday, its time and what is looked for behind it. */
const WINDOW_READ_DATE = 120;

/**
 * Returns the day that `text` begins with, or null if there isn't one or it could be read in two ways. Days without a
 * year, weekdays and "tomorrow" count from the day when the text was written; without it they are not read.
 */
export function readDate(text: string, origin: DateOrigin): ReadDate | null {
  if (origin.language === 'other') return null;
  const window = text.slice(0, WINDOW_READ_DATE);
  const read = dateWithWeekday(window, origin) ?? plainDate(window, origin) ?? nearDay(window, origin);
  if (read === null) return null;
  const date = withTime(read, window, origin);
  return goesOn(window.slice(date.length), date, origin) ? null : date;
}

/** A weekday before the date must match it; otherwise one of the two is a mistake. */
function dateWithWeekday(text: string, origin: DateOrigin): DayRead | null {
  const start = known().before.exec(text)?.[0].length ?? 0;
  const named = weekdayAt(text.slice(start), origin);
  if (named === null) return null;
  const end = start + named.length;
  const between = known().afterWeekday.exec(text.slice(end))?.[0].length;
  if (between === undefined) return null;
  const date = dateAt(text.slice(end + between), origin, named.index);
  return date === null ? null : { ...date, length: end + between + date.length };
}

function plainDate(text: string, origin: DateOrigin): DayRead | null {
  const start = known().before.exec(text)?.[0].length ?? 0;
  const date = dateAt(text.slice(start), origin, null);
  return date === null ? null : { ...date, length: start + date.length };
}

function nearDay(text: string, origin: DateOrigin): DayRead | null {
  const start = known().before.exec(text)?.[0].length ?? 0;
  const near = nearDayAt(text, origin);
  if (near !== null) return { day: isoDay(near.day), length: near.length, kind: 'weekday' };
  const behind = nearDayAt(text.slice(start), origin);
  return behind === null ? null : { day: isoDay(behind.day), length: start + behind.length, kind: 'weekday' };
}

function weekdayAt(text: string, { language }: DateOrigin): ReturnType<typeof nameAt> {
  return language === 'other' ? null : nameAt('weekdays', text, language);
}

/**
 * Returns the date in words or in figures that a text begins with. `weekday`: the weekday that it must have; null if
 * unknown.
 */
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
  if (known().goesOn.test(rest)) return time === null || !known().untilTime.test(rest);
  const or = known().orWeekday.exec(rest)?.[0].length;
  return or !== undefined && weekdayAt(rest.slice(or), origin) !== null;
}

/** A place in a sentence that speaks of a day. */
interface DatePlace {
  readonly start: number;
  readonly end: number;
  /** Null if it speaks of a day that cannot be read surely. */
  readonly date: ReadDate | null;
  /** It is the second of two that may both be meant: "12 or 19 December". */
  readonly isOneOfSeveral: boolean;
}

/** More in one sentence are a calendar, and no single one is meant. */
const MOST_PLACES = 12;
/** Words and figures that may begin a day: a sentence with more of them is a list. */
const MOST_TRIES = 80;

/** Returns every place in a sentence that speaks of a day, in their order; empty if there are more than twelve. */
export function findDatePlaces(view: string, origin: DateOrigin): readonly DatePlace[] {
  const places: DatePlace[] = [];
  let tries = 0;
  known().mayBegin.lastIndex = 0;
  for (let match = known().mayBegin.exec(view); match !== null; match = known().mayBegin.exec(view)) {
    tries += 1;
    if (tries > MOST_TRIES || places.length >= MOST_PLACES) return [];
    const place = placeAt(match, view, origin);
    if (place === null) continue;
    places.push(place);
    known().mayBegin.lastIndex = Math.max(place.end, match.index + 1);
  }
  return places;
}

function placeAt(match: RegExpExecArray, view: string, origin: DateOrigin): DatePlace | null {
  const start = match.index;
  const isOneOfSeveral = known().joined.test(view.slice(Math.max(0, start - 40), start));
  if (match.groups?.vague !== undefined) return { start, end: start + match[0].length, date: null, isOneOfSeveral };
  const text = view.slice(start, start + 120);
  const date = known().roughly.test(view.slice(Math.max(0, start - 40), start)) ? null : readDate(text, origin);
  if (date !== null) return { start, end: start + date.length, date, isOneOfSeveral };
  const looks = known().looksSo.exec(text)?.[0];
  return looks === undefined ? null : { start, end: start + looks.length, date: null, isOneOfSeveral };
}

interface NewDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:mm`; null without a time. */
  readonly time: string | null;
  /** Whether the day is less certain than a date: a weekday, or "tomorrow". */
  readonly isNear: boolean;
  /** In the sentence, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** More than any words that tell an old day from a new one take. */
const LONGEST_MARK = 60;
const ARROW = /^ *(?:→|->|=>|»|-->) *$/u;
/** "vom 3. auf den 5. Dezember": the month stands only behind the second. */
const OLD_WITHOUT_MONTH = /(?:vom|van) (?:de[nm]? )?\d{1,2}\.? (?:auf (?:den )?|naar (?:de )?)$/iu;

/**
 * Returns the day that something has moved to, given the sentence that says it has moved; null if that is not certain.
 * Of two days, one has to be named as the former: "from X to Y", "statt X nun Y", "Y (was X)".
 */
export function findNewDay(view: string, origin: DateOrigin): NewDay | null {
  const places = findDatePlaces(view, narrowOrigin(view, origin));
  const fresh = places.filter((place) => !isOld(place, view));
  const [only, second] = distinct(fresh);
  const [first, last, third] = places;
  if (only !== undefined && second === undefined) return dayAt(only, places, view);
  if (first === undefined || last === undefined || third !== undefined) return null;
  return tellsNew(first, last, view) ? dayAt(last, places, view) : null;
}

function tellsNew(first: DatePlace, last: DatePlace, view: string): boolean {
  if (isNew(first, view)) return false;
  const between = view.slice(first.end, last.start);
  return isNew(last, view) || ARROW.test(between) || (known().instead.test(between) && !last.isOneOfSeveral);
}

function isOld({ start }: DatePlace, view: string): boolean {
  return known().oldBefore.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

function isNew({ start }: DatePlace, view: string): boolean {
  return known().newBefore.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

/** The same day written in two ways is one place: "Thursday (3 December)". The one with a time is kept. */
function distinct(places: readonly DatePlace[]): readonly DatePlace[] {
  const byDay = Map.groupBy(places, ({ date, start }) => date?.day ?? `unread at ${start}`);
  return [...byDay.values()].flatMap((same) => same.find(({ date }) => date?.time !== null) ?? same.slice(0, 1));
}

function dayAt(place: DatePlace, places: readonly DatePlace[], view: string): NewDay | null {
  const { date, start, end } = place;
  if (date === null || (place.isOneOfSeveral && !followsOld(place, places, view))) return null;
  return { day: date.day, time: date.time, isNear: date.kind === 'weekday', start, end };
}

/** Whether the day before it is the former one, not a second one that may be meant. */
function followsOld(place: DatePlace, places: readonly DatePlace[], view: string): boolean {
  const before = places[places.indexOf(place) - 1];
  return before === undefined ? OLD_WITHOUT_MONTH.test(view.slice(0, place.start)) : isOld(before, view);
}

const IN_FIGURES = /(?<![\d./-])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?![\d/-])/g;
const MOST_FIGURES = 50;
/** Fewer words say too little by themselves. */
const LEAST_WORDS_OF_A_SENTENCE = 8;
const MOST_WORDS_OF_A_SENTENCE = 40;

/** Returns what the days in an event are read by. `written`: what language it is in. */
export function dateOrigin(
  event: Pick<StreamEvent, 'subject' | 'text' | 'originAt' | 'writtenAt'>,
  written: DetectedLanguage,
): DateOrigin {
  // A time that is not believed is taken away from both.
  const at = event.originAt === null ? null : (event.writtenAt ?? event.originAt);
  const language = languageOf(written);
  const order = orderOf(language) ?? orderBy(`${event.subject}\n${event.text}`);
  return { at, language, order };
}

/** Returns the origin for one sentence: a long one may be in a language of its own. */
export function narrowOrigin(view: string, origin: DateOrigin): DateOrigin {
  const words = view.split(' ', MOST_WORDS_OF_A_SENTENCE).filter((word) => /\p{L}/u.test(word));
  if (words.length < LEAST_WORDS_OF_A_SENTENCE) return origin;
  const language = languageOf(detectLanguage(words.join(' ')));
  if (language === null || language === 'other' || language === origin.language) return origin;
  return { ...origin, language, order: orderOf(language) ?? origin.order };
}

function languageOf(written: DetectedLanguage): DateOrigin['language'] {
  if (written.kind === 'read') return written.language;
  return written.kind === 'other' ? 'other' : null;
}

/** All but the writers of English put the day first. */
function orderOf(language: DateOrigin['language']): FigureOrder | null {
  return language === null || language === 'other' || language === 'en' ? null : 'day first';
}

/** A text that writes 25/12/2026 writes its other days in that order as well. */
function orderBy(text: string): FigureOrder | null {
  const orders = [...text.matchAll(IN_FIGURES)]
    .slice(0, MOST_FIGURES)
    .flatMap(([, one, two]) => orderShownBy(one, two));
  const [first] = orders;
  return first !== undefined && orders.every((order) => order === first) ? first : null;
}

function orderShownBy(one: string | undefined, two: string | undefined): FigureOrder[] {
  const [first, second] = [Number(one), Number(two)];
  if (first > 12 && first <= 31 && second <= 12) return ['day first'];
  return second > 12 && second <= 31 && first <= 12 ? ['month first'] : [];
}

interface Figures {
  /** One, or two if only a weekday can tell day and month apart. */
  readonly readings: readonly DayParts[];
  readonly length: number;
  /** As in an ISO date: `HH:mm`. */
  readonly time: string | null;
}

interface Around {
  /** Whether a weekday comes before it, which the date has to fit. */
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

/** Returns the date in figures that a text begins with, or null if there isn't one, or it can't be read surely. */
function figuresAt(text: string, around: Around): Figures | null {
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

/** With points, the day comes first. Without a year it may as well be a chapter, or a sum. */
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

/** A day that is named by what it is to the day of the writing, at the beginning of a text. */
interface NearDay {
  readonly day: number;
  readonly length: number;
}
/** "Friday week", "Freitag in einer Woche", "vendredi en huit": not the next one that comes. */
const FURTHER =
  /^,? +(?:week|fortnight|next week|of next week|after next|last|past|in (?:a|one|two|three) weeks?|(?:über|in) (?:einer|acht|zwei|drei|8|14)|nächste[rn]? woche|kommende[rn]? woche|übernächste|letzte|vergangen|en (?:huit|quinze)|de la semaine|dernier|passé|pasado|de la (?:próxima )?semana|dentro de|della|tra|fra|scorso|passato|over (?:een|twee)|volgende week|afgelopen|jl)/iu;
const MONTHS_AHEAD = 2;

/** Returns the weekday, "today" or "tomorrow" that a text begins with, as a day; null if people could mean two. */
function nearDayAt(text: string, origin: DateOrigin): NearDay | null {
  const today = dayOf(origin.at);
  return today === null ? null : (relativeDay(text, today) ?? comingWeekday(text, today, origin));
}

function relativeDay(text: string, today: number): NearDay | null {
  for (const [pattern, ahead] of known().relative) {
    const length = pattern.exec(text)?.[0].length;
    if (length !== undefined) return { day: daysLater(today, ahead), length };
  }
  return null;
}

function comingWeekday(text: string, today: number, { language }: DateOrigin): NearDay | null {
  if (language === 'other') return null;
  const which = known().which.exec(text);
  const skipped = which?.[0].length ?? 0;
  const named = nameAt('weekdays', text.slice(skipped), language);
  if (named === null) return null;
  const end = skipped + named.length;
  const rest = text.slice(end);
  const dated = dayOfMonth(rest, named.index, today);
  if (dated !== null) return { day: dated.day, length: end + dated.length };
  if (!meansDayAlone(text.slice(skipped, end), language) || isNoDayAlone(rest)) return null;
  const behind = known().nextBehind.exec(rest)?.[0].length ?? 0;
  const ahead = daysAhead(weekdayOf(today), named.index, behind > 0 ? 'next' : whichOf(which));
  return ahead === null ? null : { day: daysLater(today, ahead), length: end + behind };
}

function isNoDayAlone(rest: string): boolean {
  return FURTHER.test(rest) || (known().dateFollows.test(rest) && !known().timeFollows.test(rest));
}

/** "Thursday the 3rd": the next third of a month, where that is a Thursday. */
function dayOfMonth(rest: string, weekday: number, today: number): NearDay | null {
  const match = known().dayOfMonth.exec(rest);
  const { day, mark } = match?.groups ?? {};
  // "Friday 9" may be an hour.
  if (match === null || (mark === undefined && Number(day) <= 24 && !/[a-z]/i.test(match[0]) && !endsWithDay(rest)))
    return null;
  const found = nextSuchDay(Number(day), today);
  return found === null || weekdayOf(found) !== weekday ? null : { day: found, length: match[0].length };
}

/** "jeudi 3", "jeudi 3 à 10h": nothing follows that would make an hour of the figure. */
function endsWithDay(rest: string): boolean {
  return /^ \d{1,2}(?:$|[.,;!?)]| (?:à|at|um|alle|a las|om) )/u.test(rest);
}

function nextSuchDay(day: number, today: number): number | null {
  const now = new Date(today);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const tries = Array.from({ length: MONTHS_AHEAD }, (_, ahead) => {
    const first = new Date(Date.UTC(year, month + ahead, 1));
    const parts: DayParts = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day };
    return dayFrom(parts, today);
  });
  return tries.find((each) => each !== null && each >= today) ?? null;
}

type Which = 'next' | 'this' | 'coming' | null;

function whichOf(match: RegExpExecArray | null): Which {
  if (match?.groups?.coming !== undefined) return 'coming';
  if (match?.groups?.next !== undefined) return 'next';
  return match === null ? null : 'this';
}

/**
 * Returns the days until the weekday that is meant, or null if people would disagree. On a Monday, "next Friday" may be
 * this week's or next week's; on a Friday, "Friday" may be today or in a week.
 */
function daysAhead(today: number, wanted: number, which: Which): number | null {
  const ahead = (wanted - today + 7) % 7;
  const crossesWeek = wanted <= today;
  if (which === 'next') return !crossesWeek ? null : ahead === 0 ? 7 : ahead;
  if (ahead === 0) return null;
  return which === 'this' && crossesWeek ? null : ahead;
}

/** A date with the name of its month at the beginning of a text. */
interface NamedDate {
  readonly parts: DayParts;
  readonly length: number;
}

type ChronoResult = ReturnType<Chrono['parse']>[number];

/** Of all that chrono reads, only a day next to the name of its month is never a guess. */
const SURE_PARSERS = /MonthName(?:Little|Middle)Endian/;
/** The text before the month: a day, or a word that may be one ("primo dicembre"). */
const BEFORE_MONTH =
  /^(?:(?:\d{1,2}(?:st|nd|rd|th|er|[.°º]){0,2}|\p{L}{3,14}(?:-\p{L}{3,8})?)[ -]+(?:of +|de +|di +)?)?/iu;
/** Longer than any date is written. */
const WINDOW = 40;
const FULL_YEAR = /\d{4}$/;
const TWO_FIGURES = /\D(?<year>\d{2})$/;
/** A year that chrono leaves standing. */
const YEAR_BEHIND = /^,? *(?:de +|del +|of +)?(?:(?<full>\d{4})|['’](?<short>\d{2}))(?![\p{L}\d]|[.:,]\d)/u;
const LETTER_OR_FIGURE = /^[\p{L}\d]/u;
/** What a date has left out is filled in here, so chrono needs no clock. */
const NO_MOMENT = { instant: new Date(0), timezone: 0 };

/** Returns the date with the name of a month that a text begins with: "3 December", "Dec 3rd, 2026", "1er mars". */
function namedDateAt(text: string, origin: DateOrigin): NamedDate | null {
  const window = text.slice(0, WINDOW);
  const locale = localeOf(window, origin.language);
  if (locale === null) return null;
  const [found] = chronoOf(locale).parse(window, NO_MOMENT);
  return found === undefined || !isSure(found) ? null : withYear(found, window, origin);
}

function isSure({ index, start, end }: ChronoResult): boolean {
  return index === 0 && (end ?? null) === null && start.isCertain('day') && start.isCertain('month');
}

function withYear({ text, start }: ChronoResult, window: string, { at }: DateOrigin): NamedDate | null {
  const [month, day] = [start.get('month') ?? 0, start.get('day') ?? 0];
  if (start.isCertain('year')) {
    const year = yearAtEnd(text, at);
    return year === null ? null : ended({ parts: { year, month, day }, length: text.length }, window);
  }
  const behind = YEAR_BEHIND.exec(window.slice(text.length));
  const { full, short } = behind?.groups ?? {};
  const year = full !== undefined ? Number(full) : short !== undefined ? 2000 + Number(short) : null;
  return ended({ parts: { year, month, day }, length: text.length + (behind?.[0].length ?? 0) }, window);
}

/** Two figures behind a month may be an hour or a count: they are a year only if they are this one or the next. */
function yearAtEnd(text: string, at: string | null): number | null {
  const full = FULL_YEAR.exec(text)?.[0];
  if (full !== undefined) return Number(full);
  const year = 2000 + Number(TWO_FIGURES.exec(text)?.groups?.year ?? Number.NaN);
  const ahead = year - Number(at?.slice(0, 4) ?? Number.NaN);
  return ahead === 0 || ahead === 1 ? year : null;
}

function ended(date: NamedDate, window: string): NamedDate | null {
  return LETTER_OR_FIGURE.test(window.slice(date.length)) ? null : date;
}

/** The language of the month's name, or null if there is no month. */
function localeOf(window: string, language: DateOrigin['language']): Language | null {
  if (language === 'other') return null;
  const named = nameAt('months', window, language);
  const before = BEFORE_MONTH.exec(window)?.[0].length ?? 0;
  return (named ?? nameAt('months', window.slice(before), language))?.language ?? null;
}

/** Loaded with the first date in its language. */
function chronoOf(locale: Language): Chrono {
  const load = createRequire(import.meta.url);
  const module: { readonly strict: Chrono; readonly Chrono: typeof Chrono } = load(`chrono-node/${locale}`);
  const parsers = module.strict.parsers.filter((parser) => SURE_PARSERS.test(parser.constructor.name));
  return new module.Chrono({ parsers, refiners: [] });
}

/** A time of day at the beginning of a text. */
interface TimeMatch {
  /** `HH:mm`. */
  readonly time: string;
  readonly length: number;
}
const OR_ANOTHER = /^ *(?:or|oder|ou|o|of|oppure) +(?:um |at |à |a las |alle |om )?\d/iu;
/** With these the hours from one to seven may as well be those of the afternoon. */
const TWELVE_HOURS: ReadonlySet<Language | null> = new Set<Language | null>(['en', null]);
const EARLY = 7;

/** Returns the time of day right after a day, or null if it could be two. A number by itself is no time. */
function timeAfter(rest: string, language: Language | null): TimeMatch | null {
  const match = known().time.exec(rest);
  const { hour = '', minute, mark, at, half, tail } = match?.groups ?? {};
  if (match === null || !(half !== undefined || isWritten({ minute, mark, at, tail }))) return null;
  if (OR_ANOTHER.test(rest.slice(match[0].length))) return null;
  const hours = half === undefined ? plainHour(hour, minute, tail, language) : halfDayHour(Number(hour), half);
  if (hours === null) return null;
  return { time: `${String(hours).padStart(2, '0')}:${minute ?? '00'}`, length: match[0].length };
}

interface TimeParts {
  readonly minute: string | undefined;
  readonly mark: string | undefined;
  readonly at: string | undefined;
  readonly tail: string | undefined;
}

/** "3 December 9.30" may be a sum, "Friday 12" a day. */
function isWritten({ minute, mark, at, tail }: TimeParts): boolean {
  if (tail !== undefined) return true;
  return minute === undefined || mark === '.' ? at !== undefined : true;
}

function plainHour(
  hour: string,
  minute: string | undefined,
  tail: string | undefined,
  language: Language | null,
): number | null {
  const hours = Number(hour);
  const isEarly = hours >= 1 && hours <= EARLY && !hour.startsWith('0');
  if (!isEarly) return hours;
  // "a las 3", "at 2:30": in the afternoon, or at night.
  return minute === undefined && tail === undefined ? null : TWELVE_HOURS.has(language) ? null : hours;
}

function halfDayHour(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** The name of a month or of a weekday at the beginning of a text. */
interface NameMatch {
  /** January and Monday are 0. */
  readonly index: number;
  readonly length: number;
  /** A language that writes it so: the one that was asked for, if it does. */
  readonly language: Language;
}

type Kind = 'months' | 'weekdays';
interface Named {
  readonly index: number;
  readonly language: Language;
}

const WORD = /^\p{L}{2,12}/u;

/** Returns the month or weekday whose name a text begins with. Short names count only in a text of their language. */
function nameAt(kind: Kind, text: string, language: Language | null): NameMatch | null {
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return null;
  const folded = word.toLowerCase();
  const own = language ?? 'en';
  const short = known().short.get(own)?.[kind].get(folded);
  const whole = known().whole[kind].get(folded) ?? [];
  const named = whole.find((each) => each.language === own) ?? short ?? whole[0];
  return named === undefined ? null : { ...named, length: word.length };
}

/** Returns whether a weekday's name, as it is written, means a day by itself. */
function meansDayAlone(word: string, language: Language | null): boolean {
  const folded = word.toLowerCase();
  const { whole, lone } = known();
  return whole.weekdays.has(folded) || lone.get(language ?? 'en')?.includes(folded) === true;
}

const DAY_MS = 86_400_000;
/** A yearless day further ahead than this more likely means the past one. */
const YEARLESS_HORIZON_DAYS = 300;
const PLAUSIBLE_YEARS = 30;

/** The parts of a date as they are written. Months count from 1; a year that is not written is null. */
interface DayParts {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** Returns the day, as its midnight in UTC, that `at` begins with: `YYYY-MM-DD…`; null if there isn't one. */
function dayOf(at: string | null): number | null {
  const time = at === null ? Number.NaN : Date.parse(`${at.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(time) ? null : time;
}

/** Returns `YYYY-MM-DD`. */
function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the weekday: 0 is Monday. */
function weekdayOf(time: number): number {
  return (new Date(time).getUTCDay() + 6) % 7;
}

/** Returns the day this many days after another. */
function daysLater(time: number, days: number): number {
  return time + days * DAY_MS;
}

/**
 * Returns the day that the parts mean, or null if there isn't one. Without a year it is the next such day from `origin`
 * on, which is not read without one; with a year it must be within thirty years.
 */
function dayFrom(parts: DayParts, origin: number | null): number | null {
  if (parts.year !== null) {
    const day = utcMidnight(parts.year, parts.month, parts.day);
    return day === null || !isPlausible(day, origin) ? null : day;
  }
  if (origin === null) return null;
  const year = new Date(origin).getUTCFullYear();
  const candidates = [year, year + 1].map((each) => utcMidnight(each, parts.month, parts.day));
  const next = candidates.find((day) => day !== null && day >= origin) ?? null;
  return next === null || next - origin > YEARLESS_HORIZON_DAYS * DAY_MS ? null : next;
}

function isPlausible(day: number, origin: number | null): boolean {
  if (origin === null) return true;
  return Math.abs(day - origin) < PLAUSIBLE_YEARS * 365.25 * DAY_MS;
}

const END = '(?![\\p{L}\\p{N}])';
const SHORT_MONTHS =
  'jan|feb|mar|mär|mrz|mrt|apr|avr|jun|jul|aug|sep|sept|oct|okt|ott|nov|dec|dez|déc|dic|ene|abr|ago|gen|giu|lug|set';

/**
 * The words for days in all languages. Whole names are known in a text of any language, short ones only in their own.
 */
const known = lazily(() => {
  const whole = { months: wholeNames('months'), weekdays: wholeNames('weekdays') };
  const short = new Map(
    languageTables().map(({ code, days }) => [
      code,
      { months: new Map(namesIn(days.shortMonths, code)), weekdays: new Map(namesIn(days.shortWeekdays, code)) },
    ]),
  );
  const lone = new Map(languageTables().map(({ code, days }) => [code, (days.loneWeekdays ?? '').split('|')]));
  const names = [...whole.months.keys(), ...whole.weekdays.keys()].join('|');
  return {
    whole,
    short,
    lone,
    which: new RegExp(`^(?:(?<coming>${anyOf('coming')})|(?<next>${anyOf('next')})|(?<this>${anyOf('this')})) +`, 'iu'),
    nextBehind: new RegExp(`^ +(?:${anyOf('nextBehind')})${END}`, 'iu'),
    /** "Friday, 12 …": the weekday belongs to a date that was already refused. A time of day may follow a weekday. */
    dateFollows: new RegExp(
      `^[,.]? *\\(?(?:(?:${anyOf('before')}) +)?(?:(?!\\d{1,2}(?:[:.hu]\\d\\d| ?(?:[ap]\\.?m|${anyOf('hour')})${END}))\\d|(?:${names})${END})`,
      'iu',
    ),
    timeFollows: new RegExp(`^,? *(?:${anyOf('at')}) *\\d`, 'iu'),
    dayOfMonth: new RegExp(
      `^,? +(?:(?:the|le|el|den|der|il|de|día) +)?(?<day>\\d{1,2})(?<mark>st|nd|rd|th|er|e|\\.)?${END}(?![.:/,]\\d| ?(?:[ap]\\.?m|${anyOf('hour')}|${names})${END})`,
      'iu',
    ),
    time: new RegExp(
      `^(?:\\)?[,;]?| [-–—|]| \\() *(?<at>(?:${anyOf('at')})(?= *\\d) *)?(?<hour>[01]?\\d|2[0-3])(?:(?: ?(?<mark>[:.hu]) ?(?<minute>[0-5]\\d)))?(?: ?(?<half>[ap])\\.?m\\b\\.?| *(?<tail>${anyOf('hour')})(?![\\p{L}\\d]))?(?![\\p{L}\\d]|[.:/-]\\d)`,
      'iu',
    ),
    before: new RegExp(`^(?:(?:${anyOf('before')}) +|l')+`, 'iu'),
    afterWeekday: new RegExp(`^\\.?(?:,? *\\(?| +[-–—] +)(?:(?:${anyOf('before')}) +|l')*(?=[\\p{L}\\d])`, 'iu'),
    /** "12 or 19 December", "12.–14. Dezember": neither day is read, because it could be either. */
    goesOn: new RegExp(
      `^(?:,? +(?:${anyOf('joins')}|or on) +| *[-–—/] *)(?:(?:${anyOf('before')}) +)*(?=\\d|\\p{L}+\\.? +\\d)`,
      'iu',
    ),
    untilTime: new RegExp(
      `^(?: +(?:${anyOf('joins')}) +| *[-–—] *)(?:(?:${anyOf('at')}) *)?\\d{1,2}(?:[:.h]\\d\\d| ?[ap]\\.?m\\b| ?(?:${anyOf('hour')})(?![\\p{L}\\d]))`,
      'iu',
    ),
    orWeekday: new RegExp(`^,? +(?:${anyOf('joins')}) +(?:(?:${anyOf('before')}) +)*(?=\\p{L})`, 'iu'),
    /** Where a date may begin: cheap, and with nothing in it that grows. */
    mayBegin: new RegExp(
      `(?<![\\p{L}\\p{N}./:,-])(?:(?<vague>${anyOf('vague')})(?![\\p{L}\\p{N}])|\\d{1,4}(?=[-./]\\d| ?\\p{L}|\\.|st|nd|rd|th|°)|(?:${names}|${SHORT_MONTHS}|(?!(?:${anyOf('before')}) )\\p{L}{2,5}(?=\\.?,? *\\d)|${anyOf('today')}|${anyOf('tomorrow')}|${anyOf('dayAfterTomorrow')})(?![\\p{L}]))`,
      'giu',
    ),
    /** What looks like a date, whether or not it can be read. */
    looksSo: new RegExp(
      `^(?:(?:${names})(?!\\p{L})|\\d{1,2}(?:st|nd|rd|th|er|[.°º])? +(?:de +|of +|di +)?(?:${names}|${SHORT_MONTHS})(?!\\p{L})|\\d{1,2}[./-]\\d{1,2}[./-](?:\\d{4}|\\d{2})(?![\\d.])|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}\\.\\d{1,2}\\.(?!\\d))`,
      'iu',
    ),
    joined: new RegExp(
      `(?:\\d{1,2}(?:st|nd|rd|th|\\.)?|(?:${names})) *(?:(?:,? +(?:${anyOf('joins')})|,) +|[-–—/] *)(?:(?:${anyOf('before')}) +)*$`,
      'iu',
    ),
    roughly: new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf('roughly')}) *(?:(?:${anyOf('before')}) +)*$`, 'iu'),
    relative: [
      [new RegExp(`^(?:${anyOf('dayAfterTomorrow')})${END}`, 'iu'), 2],
      [new RegExp(`^(?:${anyOf('tomorrow')})${END}`, 'iu'), 1],
      [new RegExp(`^(?:${anyOf('today')})${END}`, 'iu'), 0],
    ] as const,
    oldBefore: new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('oldBefore')})[ :,(]*$`, 'iu'),
    newBefore: new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('newBefore')})[ :,]*$`, 'iu'),
    instead: new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('between')})(?![\\p{L}\\p{N}])`, 'iu'),
  };
});

/** Returns what all languages write in one field of their words, as a part of a regular expression. */
function anyOf(field: Exclude<keyof LanguageTable['days'], `${string}onths` | `${string}eekdays`>): string {
  const written = languageTables().map(({ days }) => days[field]);
  return written
    .filter((each) => each !== undefined)
    .join('|')
    .replaceAll(' ', ' +');
}

function anyMove(field: keyof LanguageTable['moves']): string {
  return languageTables()
    .map(({ moves }) => moves[field])
    .join('|')
    .replaceAll(' ', ' +');
}

function wholeNames(kind: Kind): ReadonlyMap<string, readonly Named[]> {
  const all = languageTables().flatMap(({ code, days }) => namesIn(days[kind], code));
  const grouped = Map.groupBy(all, ([name]) => name);
  return new Map([...grouped].map(([name, entries]) => [name, entries.map(([, named]) => named)]));
}

function namesIn(names: readonly string[], language: Language): [string, Named][] {
  return names.flatMap((alternatives, index) =>
    alternatives
      .split('|')
      .filter((name) => name !== '')
      .map((name): [string, Named] => [name, { index, language }]),
  );
}
