import type { SourceState } from './source-state.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How many times as long as usual nothing may come before it is said; but never earlier than after three days. */
const FACTOR = 10;
const LEAST_MS = 3 * DAY_MS;
/** From so many things on it is known what is usual. */
const ENOUGH = 10;
/** How much of what was usual is given up for what was last seen. */
const WEIGHT = 0.1;

/** Returns how long (ms) it usually takes until the next thing comes, after one came. */
export function usualGap(before: Pick<SourceState, 'event' | 'gapMs'>, now: number): number | null {
  if (before.event === null) return null;
  const gap = Math.max(0, now - before.event);
  return before.gapMs === null ? gap : before.gapMs * (1 - WEIGHT) + gap * WEIGHT;
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
