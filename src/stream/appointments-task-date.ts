import type { Finding } from './rules.ts';
import type { TargetCandidate } from './targets-target-index.ts';

/** Returns whether a date of a note says the same as one of a calendar: to the minute where both have a time. */
export function isSameDate(written: string, start: string): boolean {
  const length = written.length > 10 && start.length > 10 ? 16 : 10;
  return written.replace(' ', 'T').slice(0, length) === start.slice(0, length);
}

/** Returns the `due` that a task gets by an appointment: with a time only where it has had one. */
export function dueBy(task: TargetCandidate, start: string): string {
  return (task.due ?? '').length > 10 && start.length > 10 ? `${start}:00` : start.slice(0, 10);
}

/** Returns whether an appointment has passed. `now`: local, to the minute. A day has passed when it is over. */
export function hasPassed(
  { start, end }: { readonly start: string; readonly end: string | null },
  now: string,
): boolean {
  const last = end ?? start;
  return last < now.slice(0, last.length);
}

/**
 * Returns whether a day that a mail names changes nothing of a task: it has that day already; or a form only says when
 * something takes place, and the task has a day of its own.
 */
export function isOldNews({ phraseId, set }: Finding, { due, scheduled }: TargetCandidate): boolean {
  const own = due ?? scheduled ?? null;
  if (set.due === undefined || own === null) return false;
  return phraseId === 'form: date: when' || isSameDate(own, set.due);
}
