import type { Language } from '../language/language.ts';
import { anyOf } from './names.ts';

/** A time of day at the beginning of a text. */
interface TimeFound {
  /** `HH:mm`. */
  readonly time: string;
  readonly length: number;
}

const TIME = new RegExp(
  `^(?:\\)?[,;]?| [-–—|]| \\() *(?<at>(?:${anyOf('at')})(?= *\\d) *)?(?<hour>[01]?\\d|2[0-3])(?:(?: ?(?<mark>[:.hu]) ?(?<minute>[0-5]\\d)))?(?: ?(?<half>[ap])\\.?m\\b\\.?| *(?<tail>${anyOf('hour')})(?![\\p{L}\\d]))?(?![\\p{L}\\d]|[.:/-]\\d)`,
  'iu',
);
const OR_ANOTHER = /^ *(?:or|oder|ou|o|of|oppure) +(?:um |at |à |a las |alle |om )?\d/iu;
/** With these the hours from one to seven may as well be those of the afternoon. */
const TWELVE_HOURS: ReadonlySet<Language | null> = new Set<Language | null>(['en', null]);
const EARLY = 7;

/**
 * Returns the time of day that stands at the beginning of what follows a day, or null where it could be two. A number by
 * itself is none.
 */
export function timeAfter(rest: string, language: Language | null): TimeFound | null {
  const match = TIME.exec(rest);
  const { hour = '', minute, mark, at, half, tail } = match?.groups ?? {};
  if (match === null || !(half !== undefined || isWritten({ minute, mark, at, tail }))) return null;
  if (OR_ANOTHER.test(rest.slice(match[0].length))) return null;
  const hours = half === undefined ? plainHour(hour, minute, tail, language) : halfDayHour(Number(hour), half);
  if (hours === null) return null;
  return { time: `${String(hours).padStart(2, '0')}:${minute ?? '00'}`, length: match[0].length };
}

interface Written {
  readonly minute: string | undefined;
  readonly mark: string | undefined;
  readonly at: string | undefined;
  readonly tail: string | undefined;
}

/** "3 December 9.30" may be a sum, "Friday 12" a day. */
function isWritten({ minute, mark, at, tail }: Written): boolean {
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
