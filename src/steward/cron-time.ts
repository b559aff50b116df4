import { CronTime } from 'cron';

const HOUR = 3_600_000;

/** Whether a text is a cron expression (five or six fields, or a name like `@daily`), by its own parser: null, or what is wrong. */
export function cronFault(expression: string): string | null {
  const { valid, error } = CronTime.validateCronExpression(expression);
  return valid ? null : (error?.message ?? 'cannot be read');
}

/** The first firing of a cron expression after a moment, in local time; null where it never fires. */
export function nextCron(expression: string, after: number): number | null {
  try {
    return firstAfter(new CronTime(expression), after);
  } catch {
    return null; // the parser found no date within its eight years, such as 30 February
  }
}

/**
 * CronTime reckons with wall time and guesses in the hours that repeat or are missing. No zone was found in which it
 * names a moment gone by, but a schedule that stood still would be silent: should it, look further on.
 */
function firstAfter(time: CronTime, after: number): number | null {
  for (let ahead = 0; ahead <= 3 * HOUR; ahead += HOUR / 2) {
    const next = time.getNextDateFrom(new Date(after + ahead)).toMillis();
    if (next > after) return next;
  }
  return null;
}
