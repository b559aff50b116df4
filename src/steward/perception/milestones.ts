import { DAY, WEEK } from './spans.ts';

/** After so many days of being overdue a person is told again; then every thirty. */
const OVERDUE_DAYS = [1, 3, 7, 14, 30];
const THEN_EVERY = 30;
/** After so many weeks without a touch a note counts as silent; then again each time that doubles. */
const SILENT_WEEKS = 6;

/** How long nobody has touched a note that counts as silent (ms). */
export const SILENT_MS = SILENT_WEEKS * WEEK;

/** The milestone that is reached, and how much of the span the next one takes (days, weeks). */
interface Milestone {
  /** 0 where none is reached. */
  readonly step: number;
  readonly next: number;
}

/** Returns the milestone that so many days of being overdue have reached. */
export function overdueMilestone(days: number): Milestone {
  const step = OVERDUE_DAYS.findLast((one) => one <= days) ?? 0;
  const next = OVERDUE_DAYS.find((one) => one > days);
  if (next !== undefined) return { step, next };
  const whole = Math.floor(days / THEN_EVERY) * THEN_EVERY;
  return { step: whole, next: whole + THEN_EVERY };
}

/** Returns the milestone that so many weeks of silence have reached. */
export function silentMilestone(weeks: number): Milestone {
  if (weeks < SILENT_WEEKS) return { step: 0, next: SILENT_WEEKS };
  const step = SILENT_WEEKS * 2 ** Math.floor(Math.log2(weeks / SILENT_WEEKS));
  return { step, next: step * 2 };
}

/** Returns how many calendar days lie between two local days: from the one of `from` to the one of `to` (epoch ms). */
export function calendarDays(from: number, to: number): number {
  return Math.round((startOfDay(to) - startOfDay(from)) / DAY);
}

/** Returns the start of the local day so many days after the one of a moment (epoch ms). */
export function startOfDay(ms: number, later = 0): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime();
}
