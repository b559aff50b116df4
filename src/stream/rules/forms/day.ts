import type { DateOrigin } from '../../dates/origin.ts';
import { readDate } from '../../dates/read-date.ts';

const LEAD =
  /^(?:(?:on|the|by|from|until|am|den|dem|bis|zum|ab|le|au|du|jusqu'au|el|al|del|hasta|il|dal|entro|op|vanaf|tot) )+/iu;
const ARROW = / ?(?:→|➔|➜|⇒|->|=>|»|>) ?/u;
/** So many places of a text are tried. */
const MOST_TRIES = 12;

/** Returns the day that a value begins with; null where there is none, or it can be read in two ways. */
export function dayAt(value: string, origin: DateOrigin): string | null {
  const plain = value.replace(/\s/g, ' ').trim();
  return readDate(plain.replace(LEAD, ''), origin)?.day ?? null;
}

/** Returns both days of a value with an arrow from one to the other; null of any other. */
export function daysOfMove(value: string, origin: DateOrigin): readonly [string, string] | null {
  const [before = '', after = '', more] = value.split(ARROW);
  const [from, to] = [dayAt(before, origin), dayAt(after, origin)];
  return more !== undefined || from === null || to === null ? null : [from, to];
}

/** Returns the one day that stands anywhere in a text; null where there is none, or several. */
export function onlyDayIn(text: string, origin: DateOrigin): string | null {
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}./-])[\p{L}\p{N}]/gu)]
    .slice(0, MOST_TRIES)
    .map(({ index }) => index);
  const days = new Set<string>();
  let behind = 0;
  for (const at of starts) {
    const found = at < behind ? null : readDate(text.slice(at), origin);
    if (found === null) continue;
    days.add(found.day);
    behind = at + found.length;
  }
  const [only, another] = days;
  return another === undefined ? (only ?? null) : null;
}
