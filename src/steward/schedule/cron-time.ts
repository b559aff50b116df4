import type { CronTime } from 'cron';
import { cron } from '../../vault/lazy-packages.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** The longest that clocks were ever moved by at once: a whole day, where islands crossed the date line. */
const LONGEST_GAP = 25 * HOUR;

/** Whether a text is a cron expression (five or six fields, or a name like `@daily`), by its own parser: null, or what is wrong. */
export function cronFault(expression: string): string | null {
  const { valid, error } = cron().CronTime.validateCronExpression(expression);
  return valid ? null : (error?.message ?? 'cannot be read');
}

/**
 * The first firing of a cron expression after a moment, in local time; null where it never fires.
 *
 * The calendar is reckoned as the clock on the wall reads, without a zone, and each reading is then looked up in the
 * zone: one that comes twice in autumn fires the first time only, and one that spring leaves out fires at the change.
 */
export function nextCron(expression: string, after: number): number | null {
  try {
    return firstAfter(new (cron().CronTime)(expression, 'UTC'), after);
  } catch {
    return null; // the parser found no date within its eight years, such as 30 February
  }
}

function firstAfter(time: CronTime, after: number): number {
  const next = (wall: number) => time.getNextDateFrom(new Date(wall), 'UTC').toMillis();
  const moment = momentOf(next(wallOf(after)));
  if (moment > after) return moment;
  // `after` lies in the hour that is read a second time: all of it has fired, and what comes next is looked for behind it.
  const change = changeBefore(after);
  return momentOf(next(change + offsetAt(change - 1) - SECOND));
}

/** What the clock on the wall reads at a moment, as if it were UTC. */
function wallOf(moment: number): number {
  const local = new Date(moment);
  const day = [local.getFullYear(), local.getMonth(), local.getDate()] as const;
  return Date.UTC(...day, local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds());
}

/** The first moment at which the clock on the wall reads so, or the first after a reading that is left out. */
function momentOf(wall: number): number {
  const read = new Date(wall);
  const day = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate()] as const;
  const moment = new Date(...day, read.getUTCHours(), read.getUTCMinutes(), read.getUTCSeconds()).getTime();
  return wallOf(moment) === wall ? moment : changeBefore(moment);
}

/** The latest change of the zone's offset before a moment, by halving. */
function changeBefore(moment: number): number {
  const offset = offsetAt(moment);
  let [before, there] = [moment - LONGEST_GAP, moment];
  while (there - before > 1) {
    const middle = Math.floor((before + there) / 2);
    if (offsetAt(middle) === offset) there = middle;
    else before = middle;
  }
  return there;
}

function offsetAt(moment: number): number {
  return wallOf(moment) - moment;
}
