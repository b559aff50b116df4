import { createRequire } from 'node:module';
import type { Chrono } from 'chrono-node';
import type { Language } from '../language/language.ts';
import type { DayParts } from './calendar-day.ts';
import { nameAt } from './names.ts';
import type { DateOrigin } from './origin.ts';

/** A date with the name of its month at the beginning of a text. */
interface NamedDate {
  readonly parts: DayParts;
  readonly length: number;
}

type Found = ReturnType<Chrono['parse']>[number];

/** Of all that chrono reads, only a day beside the name of its month is never a guess. */
const SURE_PARSERS = /MonthName(?:Little|Middle)Endian/;
/** What stands before the month: a day, or a word that may be one ("primo dicembre"). */
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
export function namedDateAt(text: string, origin: DateOrigin): NamedDate | null {
  const window = text.slice(0, WINDOW);
  const locale = localeOf(window, origin.language);
  if (locale === null) return null;
  const [found] = chronoOf(locale).parse(window, NO_MOMENT);
  return found === undefined || !isSure(found) ? null : withYear(found, window, origin);
}

function isSure({ index, start, end }: Found): boolean {
  return index === 0 && (end ?? null) === null && start.isCertain('day') && start.isCertain('month');
}

function withYear({ text, start }: Found, window: string, { at }: DateOrigin): NamedDate | null {
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

/** Two figures behind a month may be an hour, or how many: they are a year only where they are this one or the next. */
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

/** The language of the month's name, or null where no month stands there. */
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
