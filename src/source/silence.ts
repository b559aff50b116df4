import type { SourceState } from './source-state.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How many times as long as usual nothing may come before it is said; but never earlier than after three days. */
const FACTOR = 10;
const LEAST_MS = 3 * DAY_MS;
/** From so many things on it is known what is usual. */
const ENOUGH = 10;
/** A gap of the usual length counts as one in so many; a longer one for more. */
const MEMORY = 10;

/**
 * Returns how long (ms) it usually is between two things of a source, after things came in at `times` (epoch ms); null while
 * that is not known. What counts is when they came in there, not when they were fetched: a first visit brings hundreds in a
 * moment. Each gap weighs as much as it is long, so that ten mails of one minute say little beside the week before them.
 */
export function usualGap(
  { event, lagMs, gapMs }: Pick<SourceState, 'event' | 'lagMs' | 'gapMs'>,
  times: readonly number[],
): number | null {
  let last = event === null || lagMs === null ? null : event - lagMs;
  let usual = gapMs;
  for (const time of times) {
    const gap = last === null ? 0 : time - last;
    if (gap > 0) usual = usual === null ? gap : usual + ((gap - usual) * gap) / (gap + (MEMORY - 1) * usual);
    last = time;
  }
  return usual;
}

/** Returns what to say of a source that answers and has brought nothing for far longer than usual, or null. */
export function silence(
  { event, gapMs, seen }: Pick<SourceState, 'event' | 'gapMs' | 'seen'>,
  now: number,
): { readonly message: string; readonly hint: string } | null {
  if (event === null || gapMs === null || seen < ENOUGH) return null;
  const quiet = now - event;
  if (quiet < Math.max(LEAST_MS, FACTOR * gapMs)) return null;
  return {
    message: `Nothing has come for ${span(quiet)}; before, something came every ${span(gapMs)} or so.`,
    hint: 'It answers, but may have lost its folder, its filter or its forwarding: look whether new things arrive there.',
  };
}

function span(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  if (ms >= 2 * HOUR_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
