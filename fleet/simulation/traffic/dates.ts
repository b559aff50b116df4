import type { Chance } from './chance.ts';
import { TIMED_SHARE } from './mix.ts';

/** Returns the first moment (epoch ms) of the local day, so many days after that of `now`. */
export function localDay(now: number, days: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** Returns a local day as people write it, some with a time at a full or half hour. */
export function writtenDay(chance: Chance, now: number, days: number): string {
  const date = new Date(localDay(now, days));
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  if (!chance.happens(TIMED_SHARE)) return day;
  return `${day}T${two(chance.whole(8, 18))}:${chance.happens(0.7) ? '00' : '30'}:00`;
}

/** Whether a local day is a Saturday or a Sunday. */
export function isWeekend(day: number): boolean {
  return [0, 6].includes(new Date(day).getDay());
}

function two(figure: number): string {
  return String(figure).padStart(2, '0');
}
