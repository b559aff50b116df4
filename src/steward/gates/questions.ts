import { utc } from '../../vault/time.ts';
import type { Gate } from './gate.ts';
import { backoffUntil, type RateGuardState } from './rate-guard.ts';
import { lastDay, longestRefusal } from './sliding-window.ts';

const MINUTE = 60_000;

/** The windows in which every question to a provider takes a place (contract, section 6). */
const WINDOWS = {
  questions_per_minute: { ms: MINUTE, cap: 60 },
  questions_per_hour: { ms: 60 * MINUTE, cap: 600 },
  questions_per_day: { ms: 24 * 60 * MINUTE, cap: 6000 },
} as const;
type Window = keyof typeof WINDOWS;
const NAMES = Object.keys(WINDOWS) as readonly Window[];

/** What can refuse a question: one of the three windows, or a provider's backoff. */
export type QuestionWindow = Window | 'backoff';

/** Why a question may not be put now, and until when (epoch ms). */
interface QuestionRefusal {
  readonly window: QuestionWindow;
  readonly cap: number;
  readonly used: number;
  readonly freeAt: number;
}

/** Places for questions, or why there are none. The state is to be kept in either case. */
interface QuestionPlaces {
  readonly state: RateGuardState;
  readonly refusal: QuestionRefusal | null;
}

/**
 * Takes a place for each of `count` questions, or says what refuses them. A place that was taken stays taken, whatever
 * became of the question. With a count of 0 only a backoff refuses.
 */
export function takeQuestions(state: RateGuardState, count: number, now: number): QuestionPlaces {
  const questions = timesOf(state, now);
  const current = { ...state, questions, backoffUntil: backoffUntil(state, now) };
  const refusal = refusalOf(current, count, now);
  if (refusal !== null || count === 0) return { state: current, refusal };
  return { state: { ...current, questions: [...questions, ...Array<number>(count).fill(now)] }, refusal };
}

/** Returns why the next question may not be put now, or null where it may. Takes no place. */
export function questionRefusal(state: RateGuardState, now: number): QuestionRefusal | null {
  return takeQuestions(state, 1, now).refusal;
}

/** Returns how many questions may be put now. */
export function roomForQuestions(state: RateGuardState, now: number): number {
  if (backoffUntil(state, now) !== null) return 0;
  return Math.max(0, Math.min(...Object.values(questionUsage(state, now)).map(({ used, cap }) => cap - used)));
}

/** Returns how full each window is. */
export function questionUsage(
  state: RateGuardState,
  now: number,
): Readonly<Record<'minute' | 'hour' | 'day', { readonly used: number; readonly cap: number }>> {
  const times = timesOf(state, now);
  const shown = (window: Window) => ({ used: inside(times, window, now).length, cap: WINDOWS[window].cap });
  return {
    minute: shown('questions_per_minute'),
    hour: shown('questions_per_hour'),
    day: shown('questions_per_day'),
  };
}

/** Returns a refusal as a gate, as the event note and `explain` name it. */
export function questionGate({ window, used, cap, freeAt }: QuestionRefusal): Gate {
  const full = window === 'backoff' ? 'the provider asked for a pause' : `${used} of ${cap} ${PER[window]}`;
  const sentence = `rate guard: ${full}; free at ${utc(freeAt)}.`;
  return { name: 'rate_guard', held: false, figure: used, threshold: cap, sentence };
}

const PER: Readonly<Record<Window, string>> = {
  questions_per_minute: 'questions to models asked this minute',
  questions_per_hour: 'questions to models asked this hour',
  questions_per_day: 'questions to models asked in a day',
};

// With the same forbearance for a clock that was set back as for looks.
function timesOf({ questions }: RateGuardState, now: number): number[] {
  return lastDay(
    questions.map((at) => ({ at })),
    now,
  ).map(({ at }) => at);
}

function refusalOf(state: RateGuardState, count: number, now: number): QuestionRefusal | null {
  const { backoffUntil: until, questions } = state;
  const held = until === null ? null : { window: 'backoff' as const, cap: 0, used: 0, freeAt: until };
  if (count === 0) return held;
  return longestRefusal<QuestionRefusal>([held, ...NAMES.map((window) => fullWindow(window, questions, count, now))]);
}

function fullWindow(window: Window, times: readonly number[], count: number, now: number): QuestionRefusal | null {
  const { ms, cap } = WINDOWS[window];
  const taken = inside(times, window, now);
  const over = taken.length + count - cap;
  if (over <= 0) return null;
  // Once this one has left the window, there is room. Where there never is, it is tried again when the window is empty.
  const leaving = taken[Math.min(over, taken.length) - 1] ?? now;
  return { window, cap, used: taken.length, freeAt: leaving + ms };
}

/** The moments of the last minute, hour or day: the tail of a list that is oldest first. */
function inside(times: readonly number[], window: Window, now: number): readonly number[] {
  const first = times.findLastIndex((at) => at <= now - WINDOWS[window].ms) + 1;
  return times.slice(first);
}
