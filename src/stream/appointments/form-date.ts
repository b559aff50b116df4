import type { Finding } from '../rules/finding.ts';
import type { TargetCandidate } from '../targets/target-index.ts';
import { isSameDate } from './task-date.ts';

/**
 * Returns whether a day that a mail names changes nothing of a task: it has that day already; or a form only says when
 * something takes place, and the task has a day of its own.
 */
export function isOldNews({ phraseId, set }: Finding, { due, scheduled }: TargetCandidate): boolean {
  const own = due ?? scheduled ?? null;
  if (set.due === undefined || own === null) return false;
  return phraseId === 'form: date: when' || isSameDate(own, set.due);
}
