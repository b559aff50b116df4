import { readDate } from './date-text.ts';

/** When and in which language a text was written. */
export interface Origin {
  readonly at: string | null;
  readonly language: string;
}

/** Returns the one day that a sentence names, or null. */
export function newDayIn(view: string, origin: Origin): { day: string; start: number; end: number } | null {
  const found: { day: string; start: number; end: number }[] = [];
  for (const match of view.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const date = readDate(view.slice(match.index, match.index + 80), origin.at);
    if (date !== null) found.push({ day: date.day, start: match.index, end: match.index + date.length });
  }
  const to = found.filter(({ start }) =>
    /(?:\bto|auf(?: den)?|\bau|\bal|\bnaar|statt)[^\d]{0,20}$/iu.test(view.slice(0, start)),
  );
  const days = new Set(found.map(({ day }) => day));
  return days.size === 1 ? (found[0] ?? null) : to.length === 1 ? (to[0] ?? null) : null;
}
