import { z } from 'zod';

/** So many edits are heard at once: more than a person makes in half a minute. */
export const MOST_AT_ONCE = 20;
/** After so long (ms) there is room for one more. */
const ONE_MORE_MS = 3_000;
/** So many are heard in a day. */
const MOST_A_DAY = 300;

/** How many edits were heard today, and how many were too many. */
export const editsState = z.lazy(() =>
  z.object({
    /** `YYYY-MM-DD`, local. */
    date: z.string(),
    heard: z.number().int().min(0),
    passed: z.number().int().min(0),
    /** How many were heard at once, as of a moment (epoch ms): it wears off. */
    level: z.number().min(0),
    at: z.number(),
  }),
);
export type EditsState = z.infer<typeof editsState>;

/** Returns the account of a vault in which nothing was heard yet. */
export function emptyEdits(): EditsState {
  return { date: '', heard: 0, passed: 0, level: 0, at: 0 };
}

/** Returns how many edits may be heard at a moment (epoch ms; `date`: its local day). LAW: never more than `MOST_AT_ONCE`. */
export function roomFor(state: EditsState, now: number, date: string): number {
  const today = state.date === date ? state.heard : 0;
  return Math.max(0, Math.min(Math.floor(MOST_AT_ONCE - levelAt(state, now)), MOST_A_DAY - today));
}

/** Returns the account after so many were heard, and so many passed over, at a moment. */
export function booked(
  state: EditsState,
  now: number,
  date: string,
  one: { heard: number; passed: number },
): EditsState {
  const { heard, passed } = state.date === date ? state : { heard: 0, passed: 0 };
  return {
    date,
    heard: heard + one.heard,
    passed: passed + one.passed,
    level: levelAt(state, now) + one.heard,
    at: now,
  };
}

// A moment to come was set by a wrong clock.
function levelAt({ level, at }: EditsState, now: number): number {
  return at > now ? 0 : Math.max(0, level - (now - at) / ONE_MORE_MS);
}
