import { type DayParts, dayFrom, dayOf, daysLater, weekdayOf } from './calendar-day.ts';
import { anyOf, meansDayAlone, nameAt, WHOLE_NAMES } from './names.ts';
import type { DateOrigin } from './origin.ts';

/** A day that is named by what it is to the day of the writing, at the beginning of a text. */
interface NearDay {
  readonly day: number;
  readonly length: number;
}

const END = '(?![\\p{L}\\p{N}])';
const WHICH = new RegExp(
  `^(?:(?<coming>${anyOf('coming')})|(?<next>${anyOf('next')})|(?<this>${anyOf('this')})) +`,
  'iu',
);
const NEXT_BEHIND = new RegExp(`^ +(?:${anyOf('nextBehind')})${END}`, 'iu');
/** "Friday week", "Freitag in einer Woche", "vendredi en huit": not the next one that comes. */
const FURTHER =
  /^,? +(?:week|fortnight|next week|of next week|after next|last|past|in (?:a|one|two|three) weeks?|(?:über|in) (?:einer|acht|zwei|drei|8|14)|nächste[rn]? woche|kommende[rn]? woche|übernächste|letzte|vergangen|en (?:huit|quinze)|de la semaine|dernier|passé|pasado|de la (?:próxima )?semana|dentro de|della|tra|fra|scorso|passato|over (?:een|twee)|volgende week|afgelopen|jl)/iu;
/** "Friday, 12 …": the weekday belongs to a date that was already refused. A time of day may follow a weekday. */
const DATE_FOLLOWS = new RegExp(
  `^[,.]? *\\(?(?:(?:${anyOf('before')}) +)?(?:(?!\\d{1,2}(?:[:.hu]\\d\\d| ?(?:[ap]\\.?m|${anyOf('hour')})${END}))\\d|(?:${WHOLE_NAMES})${END})`,
  'iu',
);
const TIME_FOLLOWS = new RegExp(`^,? *(?:${anyOf('at')}) *\\d`, 'iu');
const DAY_OF_MONTH = new RegExp(
  `^,? +(?:(?:the|le|el|den|der|il|de|día) +)?(?<day>\\d{1,2})(?<mark>st|nd|rd|th|er|e|\\.)?${END}(?![.:/,]\\d| ?(?:[ap]\\.?m|${anyOf('hour')}|${WHOLE_NAMES})${END})`,
  'iu',
);
const RELATIVE: readonly (readonly [RegExp, number])[] = [
  [new RegExp(`^(?:${anyOf('dayAfterTomorrow')})${END}`, 'iu'), 2],
  [new RegExp(`^(?:${anyOf('tomorrow')})${END}`, 'iu'), 1],
  [new RegExp(`^(?:${anyOf('today')})${END}`, 'iu'), 0],
];
const MONTHS_AHEAD = 2;

/** Returns the weekday, "today" or "tomorrow" that a text begins with, as a day; null where people could mean two. */
export function nearDayAt(text: string, origin: DateOrigin): NearDay | null {
  const today = dayOf(origin.at);
  return today === null ? null : (relativeDay(text, today) ?? comingWeekday(text, today, origin));
}

function relativeDay(text: string, today: number): NearDay | null {
  for (const [pattern, ahead] of RELATIVE) {
    const length = pattern.exec(text)?.[0].length;
    if (length !== undefined) return { day: daysLater(today, ahead), length };
  }
  return null;
}

function comingWeekday(text: string, today: number, { language }: DateOrigin): NearDay | null {
  if (language === 'other') return null;
  const which = WHICH.exec(text);
  const skipped = which?.[0].length ?? 0;
  const named = nameAt('weekdays', text.slice(skipped), language);
  if (named === null) return null;
  const end = skipped + named.length;
  const rest = text.slice(end);
  const dated = dayOfMonth(rest, named.index, today);
  if (dated !== null) return { day: dated.day, length: end + dated.length };
  if (!meansDayAlone(text.slice(skipped, end), language) || isNoDayAlone(rest)) return null;
  const behind = NEXT_BEHIND.exec(rest)?.[0].length ?? 0;
  const ahead = daysAhead(weekdayOf(today), named.index, behind > 0 ? 'next' : whichOf(which));
  return ahead === null ? null : { day: daysLater(today, ahead), length: end + behind };
}

function isNoDayAlone(rest: string): boolean {
  return FURTHER.test(rest) || (DATE_FOLLOWS.test(rest) && !TIME_FOLLOWS.test(rest));
}

/** "Thursday the 3rd": the next third of a month, where that is a Thursday. */
function dayOfMonth(rest: string, weekday: number, today: number): NearDay | null {
  const match = DAY_OF_MONTH.exec(rest);
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
 * Returns the days until the weekday that is meant, or null where people would disagree: on a Monday, "next Friday" may
 * be this week's or next week's; on a Friday, "Friday" may be today or in a week.
 */
function daysAhead(today: number, wanted: number, which: Which): number | null {
  const ahead = (wanted - today + 7) % 7;
  const crossesWeek = wanted <= today;
  if (which === 'next') return !crossesWeek ? null : ahead === 0 ? 7 : ahead;
  if (ahead === 0) return null;
  return which === 'this' && crossesWeek ? null : ahead;
}
