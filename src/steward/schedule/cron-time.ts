import { cron } from '../../vault/lazy-packages.ts';
import { nextWall, plainCron } from './plain-cron.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Longer than clocks were ever moved at once: a whole day, where islands crossed the date line. */
const LONGEST_GAP = 25 * HOUR;

/**
 * Returns what is wrong with a cron expression (five or six fields, or a name like `@daily`); null where it is valid.
 */
export function cronFault(expression: string): string | null {
  if (plainCron(expression) !== null) return null;
  const { valid, error } = cron().CronTime.validateCronExpression(expression);
  return valid ? null : (error?.message ?? 'cannot be read');
}

/**
 * Returns the first firing of a cron expression after a moment (both epoch ms), in local time; null where it never
 * fires.
 *
 * The expression is applied to the clock on the wall, without a time zone, and the zone then says which moment that is.
 * A wall time that comes twice in autumn fires the first time only; one that spring skips fires at the change.
 */
export function nextCron(expression: string, after: number): number | null {
  const next = wallTimes(expression); // a package that cannot be loaded now says nothing of the expression
  try {
    return firstAfter(next, after);
  } catch {
    return null; // the parser found no date within its eight years, such as 30 February
  }
}

/** Returns what gives the first firing after a time on the wall, and throws where there is none. */
function wallTimes(expression: string): (wall: number) => number {
  const plain = plainCron(expression);
  if (plain !== null) return (wall) => nextWall(plain, wall);
  const { CronTime } = cron();
  return (wall) => new CronTime(expression, 'UTC').getNextDateFrom(new Date(wall), 'UTC').toMillis();
}

function firstAfter(next: (wall: number) => number, after: number): number {
  const moment = momentOf(next(wallOf(after)));
  if (moment > after) return moment;
  // `after` lies in the hour that comes twice, and all of it has fired already: search on from the end of that hour.
  const change = changeBefore(after);
  return momentOf(next(change + offsetAt(change - 1) - SECOND));
}

/** What the clock on the wall reads at a moment, as if it were UTC. */
function wallOf(moment: number): number {
  const local = new Date(moment);
  const day = [local.getFullYear(), local.getMonth(), local.getDate()] as const;
  return Date.UTC(...day, local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds());
}

/**
 * The first moment at which the clock on the wall shows this time; for a time that is skipped, the moment of the
 * change.
 */
function momentOf(wall: number): number {
  const read = new Date(wall);
  const day = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate()] as const;
  const moment = new Date(...day, read.getUTCHours(), read.getUTCMinutes(), read.getUTCSeconds()).getTime();
  return wallOf(moment) === wall ? moment : changeBefore(moment);
}

/** The latest change of the zone's offset before a moment, by binary search. */
function changeBefore(moment: number): number {
  const offset = offsetAt(moment);
  let [before, after] = [moment - LONGEST_GAP, moment];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

function offsetAt(moment: number): number {
  return wallOf(moment) - moment;
}
