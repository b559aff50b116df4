import { type DatePlace, datesIn } from '../dates/dates-in.ts';
import { anyMove } from '../dates/move-words.ts';
import { type DateOrigin, originIn } from '../dates/origin.ts';

/** The day to which something has moved, and where the sentence says so. */
export interface NewDay {
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
const ARROW = /^ *(?:→|->|=>|»|-->) *$/u;
/** "vom 3. auf den 5. Dezember": the month stands only behind the second. */
const OLD_WITHOUT_MONTH = /(?:vom|van) (?:de[nm]? )?\d{1,2}\.? (?:auf (?:den )?|naar (?:de )?)$/iu;

/**
 * Returns the day that something has moved to, given the sentence that says it has moved; null where that is not certain.
 * Of two days, one has to be told as the former: "from X to Y", "statt X nun Y", "Y (was X)".
 */
export function newDayIn(view: string, origin: DateOrigin): NewDay | null {
  const places = datesIn(view, originIn(view, origin));
  const fresh = places.filter((place) => !isOld(place, view));
  const [only, second] = distinct(fresh);
  if (only !== undefined && second === undefined) return dayAt(only, view);
  if (places.length !== 2) return null;
  const [first, last] = places;
  return first !== undefined && last !== undefined ? ofTwo(first, last, view) : null;
}

function ofTwo(first: DatePlace, last: DatePlace, view: string): NewDay | null {
  const between = view.slice(first.end, last.start);
  const isTold = isNew(last, view) && !isNew(first, view);
  return isTold || ARROW.test(between) ? dayAt(last, view) : null;
}

function isOld({ start }: DatePlace, view: string): boolean {
  return OLD_BEFORE.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

function isNew({ start }: DatePlace, view: string): boolean {
  return NEW_BEFORE.test(view.slice(Math.max(0, start - LONGEST_MARK), start));
}

/** The same day in two ways is one: "Thursday (3 December)". The one that says more stands for it. */
function distinct(places: readonly DatePlace[]): readonly DatePlace[] {
  const kept: DatePlace[] = [];
  for (const place of places) {
    const at = kept.findIndex(({ date }) => date !== null && date.day === place.date?.day);
    const known = kept[at];
    if (known === undefined) kept.push(place);
    else if (known.date?.time === null && place.date !== null) kept[at] = { ...place, date: place.date };
  }
  return kept;
}

function dayAt({ date, start, end, isOneOfSeveral }: DatePlace, view: string): NewDay | null {
  if (date === null) return null;
  if (isOneOfSeveral && !OLD_WITHOUT_MONTH.test(view.slice(0, start))) return null;
  return { day: date.day, time: date.time, isNear: date.kind === 'weekday', start, end };
}
