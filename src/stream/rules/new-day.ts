import { type DatePlace, datePlacesIn } from '../dates/date-places.ts';
import { anyMove } from '../dates/move-words.ts';
import { type DateOrigin, originIn } from '../dates/origin.ts';

/** The day to which something has moved, and where the sentence says so. */
interface NewDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:mm`, where one goes with it; else null. */
  readonly time: string | null;
  /** Whether the day is less certain than a date: a weekday, or "tomorrow". */
  readonly isNear: boolean;
  /** In the sentence, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const OLD_BEFORE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('oldBefore')})[ :,(]*$`, 'iu');
const NEW_BEFORE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('newBefore')})[ :,]*$`, 'iu');
/** More than any words that tell an old day from a new one take. */
const LONGEST_MARK = 60;
const INSTEAD = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyMove('between')})(?![\\p{L}\\p{N}])`, 'iu');
const ARROW = /^ *(?:→|->|=>|»|-->) *$/u;
/** "vom 3. auf den 5. Dezember": the month stands only behind the second. */
const OLD_WITHOUT_MONTH = /(?:vom|van) (?:de[nm]? )?\d{1,2}\.? (?:auf (?:den )?|naar (?:de )?)$/iu;

/**
 * Returns the day that something has moved to, given the sentence that says it has moved; null where that is not certain.
 * Of two days, one has to be told as the former: "from X to Y", "statt X nun Y", "Y (was X)".
 */
export function newDayIn(view: string, origin: DateOrigin): NewDay | null {
  const places = datePlacesIn(view, originIn(view, origin));
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
  return isNew(last, view) || ARROW.test(between) || (INSTEAD.test(between) && !last.isOneOfSeveral);
}

function isOld({ start }: DatePlace, view: string): boolean {
  return OLD_BEFORE.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

function isNew({ start }: DatePlace, view: string): boolean {
  return NEW_BEFORE.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

/** The same day in two ways is one: "Thursday (3 December)". The one with a time stands for it. */
function distinct(places: readonly DatePlace[]): readonly DatePlace[] {
  const byDay = Map.groupBy(places, ({ date, start }) => date?.day ?? `unread at ${start}`);
  return [...byDay.values()].flatMap((same) => same.find(({ date }) => date?.time !== null) ?? same.slice(0, 1));
}

function dayAt(place: DatePlace, places: readonly DatePlace[], view: string): NewDay | null {
  const { date, start, end } = place;
  if (date === null || (place.isOneOfSeveral && !followsOld(place, places, view))) return null;
  return { day: date.day, time: date.time, isNear: date.kind === 'weekday', start, end };
}

/** What stands before it is the former day, and no second one that may be meant. */
function followsOld(place: DatePlace, places: readonly DatePlace[], view: string): boolean {
  const before = places[places.indexOf(place) - 1];
  return before === undefined ? OLD_WITHOUT_MONTH.test(view.slice(0, place.start)) : isOld(before, view);
}
