import { anyOf, WHOLE_NAMES } from './names.ts';
import type { DateOrigin } from './origin.ts';
import { type ReadDate, readDate } from './read-date.ts';

/** A place in a sentence that speaks of a day. */
export interface DatePlace {
  readonly start: number;
  readonly end: number;
  /** Null where it speaks of a day that cannot be read surely. */
  readonly date: ReadDate | null;
  /** It is the second of two that may both be meant: "12 or 19 December". */
  readonly isOneOfSeveral: boolean;
}

/** More in one sentence are a calendar, and no single one is meant. */
const MOST_PLACES = 12;
/** Words and figures that may begin a day: a sentence with more of them is a list. */
const MOST_TRIES = 80;
const SHORT_MONTHS =
  'jan|feb|mar|mär|mrz|mrt|apr|avr|jun|jul|aug|sep|sept|oct|okt|ott|nov|dec|dez|déc|dic|ene|abr|ago|gen|giu|lug|set';
/** Where a date may begin: cheap, and with nothing in it that grows. */
const MAY_BEGIN = new RegExp(
  `(?<![\\p{L}\\p{N}./:,-])(?:(?<vague>${anyOf('vague')})(?![\\p{L}\\p{N}])|\\d{1,4}(?=[-./]\\d| ?\\p{L}|\\.|st|nd|rd|th|°)|(?:${WHOLE_NAMES}|${SHORT_MONTHS}|(?!(?:${anyOf('before')}) )\\p{L}{2,5}(?=\\.?,? *\\d)|${anyOf('today')}|${anyOf('tomorrow')}|${anyOf('dayAfterTomorrow')})(?![\\p{L}]))`,
  'giu',
);
/** What looks like a date, whether or not it can be read. */
const LOOKS_SO = new RegExp(
  `^(?:(?:${WHOLE_NAMES})(?!\\p{L})|\\d{1,2}(?:st|nd|rd|th|er|[.°º])? +(?:de +|of +|di +)?(?:${WHOLE_NAMES}|${SHORT_MONTHS})(?!\\p{L})|\\d{1,2}[./-]\\d{1,2}[./-](?:\\d{4}|\\d{2})(?![\\d.])|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}\\.\\d{1,2}\\.(?!\\d))`,
  'iu',
);
const JOINED = new RegExp(
  `(?:\\d{1,2}(?:st|nd|rd|th|\\.)?|(?:${WHOLE_NAMES})) *(?:(?:,? +(?:${anyOf('joins')})|,) +|[-–—/] *)(?:(?:${anyOf('before')}) +)*$`,
  'iu',
);

const ROUGHLY = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf('roughly')}) *(?:(?:${anyOf('before')}) +)*$`, 'iu');

/** Returns every place in a sentence that speaks of a day, in their order; none where there are more than twelve. */
export function datePlacesIn(view: string, origin: DateOrigin): readonly DatePlace[] {
  const places: DatePlace[] = [];
  let tries = 0;
  MAY_BEGIN.lastIndex = 0;
  for (let match = MAY_BEGIN.exec(view); match !== null; match = MAY_BEGIN.exec(view)) {
    tries += 1;
    if (tries > MOST_TRIES || places.length >= MOST_PLACES) return [];
    const place = placeAt(match, view, origin);
    if (place === null) continue;
    places.push(place);
    MAY_BEGIN.lastIndex = Math.max(place.end, match.index + 1);
  }
  return places;
}

function placeAt(match: RegExpExecArray, view: string, origin: DateOrigin): DatePlace | null {
  const start = match.index;
  const isOneOfSeveral = JOINED.test(view.slice(Math.max(0, start - 40), start));
  if (match.groups?.vague !== undefined) return { start, end: start + match[0].length, date: null, isOneOfSeveral };
  const text = view.slice(start, start + 120);
  const date = ROUGHLY.test(view.slice(Math.max(0, start - 40), start)) ? null : readDate(text, origin);
  if (date !== null) return { start, end: start + date.length, date, isOneOfSeveral };
  const looks = LOOKS_SO.exec(text)?.[0];
  return looks === undefined ? null : { start, end: start + looks.length, date: null, isOneOfSeveral };
}
