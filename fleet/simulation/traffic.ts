import { type OwnPace, parseSchedule, type TaskTimes } from '../../src/steward/schedule.ts';
import { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';

/*
 * Invented vaults and what comes into them: nobody has a hundred thousand vaults yet. Each table is a list of [weight, value]. Rates
 * are for a working day.
 */
const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
type Weighted<Item> = readonly (readonly [number, Item])[];
type Range = readonly [from: number, to: number];

/** Of dormant, light and busy vaults: files that come into `stream/`, and how often a person sits down and edits notes. */
const LIVELINESS: Weighted<{ readonly mails: number; readonly sittings: number }> = [
  [50, { mails: 0, sittings: 0 }],
  [35, { mails: 2, sittings: 1 }],
  [15, { mails: 12, sittings: 4 }],
];
const MATTERS: Weighted<Range> = [
  [70, [1, 3]],
  [24, [4, 10]],
  [5, [11, 30]],
  [1, [31, 100]],
];
const TASKS: Weighted<Range> = [
  [15, [0, 0]],
  [60, [1, 4]],
  [25, [4, 8]],
];
/** Where people live. A process has one time zone: a host keeps the vaults of its own. */
export const ZONES: Weighted<string> = [
  [45, 'Europe/Berlin'],
  [15, 'Europe/London'],
  [15, 'America/New_York'],
  [8, 'America/Los_Angeles'],
  [7, 'Asia/Kolkata'],
  [5, 'Asia/Tokyo'],
  [5, 'Australia/Sydney'],
];
/** `steward_schedule` of a matter; null: the default. */
const SCHEDULES: Weighted<string | null> = [
  [84, null],
  [3, 'every 1h'],
  [2, 'every 2h'],
  [5, 'every 1d'],
  [2, '0 9 * * 1'],
  [1.5, '0 8 * * *'],
  [1, '0 9 * * 1-5'],
  [0.5, '30 7 * * *'],
  [0.7, '0 18 * * 5'],
  [0.3, '*/15 8-18 * * 1-5'],
];
const SURFACES: Weighted<TaskTimes['surface_class']> = [
  [5, 'high'],
  [87, 'normal'],
  [8, 'none'],
];
const STATES: Weighted<TaskTimes['state']> = [
  [70, 'open'],
  [12, 'snoozed'],
  [18, 'done'],
];
const DUE_SHARE = 0.35;
/** Of these days: how many name a time, too. */
const TIMED_SHARE = 0.2;
/** In days from the day that is counted. */
const DUE_DAYS: Weighted<Range> = [
  [15, [-20, -1]],
  [30, [0, 7]],
  [55, [8, 90]],
];
const SNOOZE_DAYS: Range = [0, 14];
/** Every so many minutes a mailbox is polled. */
const POLLS: Weighted<number | null> = [
  [97, null],
  [1, 5],
  [2, 60],
];
const SIGNAL_SHARE = 0.4;
const MAIL_HOURS = [1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 13, 12, 10, 11, 12, 12, 11, 9, 7, 6, 5, 4, 3, 2];
const SITTING_HOURS = [0, 0, 0, 0, 0, 1, 4, 8, 9, 8, 7, 6, 7, 7, 6, 6, 7, 7, 8, 9, 10, 9, 6, 2];
const EDITS: Range = [1, 6];
const EDIT_PAUSE_MS = 90_000;

export interface InventedMatter {
  readonly pace: Omit<OwnPace, 'streak'>;
  readonly times: Pick<TaskTimes, 'next_check_after' | 'surface_class'>;
  readonly tasks: readonly { readonly name: string; readonly times: TaskTimes }[];
}
/** Something that comes from outside (epoch ms): an edit, or a mail with the places of a matter and its task for which it has a signal. */
interface Nudge {
  readonly at: number;
  readonly about: { readonly matter: number; readonly task: number } | 'edit' | null;
}
export interface InventedVault {
  readonly matters: readonly InventedMatter[];
  /** Every so many ms a mailbox is polled; null: none is. */
  readonly pollMs: number | null;
  readonly nudges: readonly Nudge[];
}

/** Chance that repeats itself (mulberry32): the same vault gives the same figures. */
class Chance {
  #state: number;

  constructor(vault: number) {
    this.#state = (0x0bd794d6 ^ Math.imul(vault + 1, 0x9e3779b1)) >>> 0;
  }

  /** Returns 0 ≤ figure < 1. */
  figure(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
  }

  within([from, to]: Range): number {
    return from + Math.floor(this.figure() * (to - from + 1));
  }

  pick<Item>(items: Weighted<Item>): Item {
    let left = this.figure() * items.reduce((sum, [weight]) => sum + weight, 0);
    const found = items.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    const [, item] = found ?? items[items.length - 1] ?? [];
    if (item === undefined) throw new Error('An empty table.');
    return item;
  }

  /** Returns how often something happens that happens `mean` times on average (Poisson). */
  count(mean: number): number {
    let count = 0;
    for (let left = this.figure(); left > Math.exp(-mean); left *= this.figure()) count += 1;
    return count;
  }
}

/** Invents the vault of a number, and what comes into it from a moment until another (epoch ms, whole days). */
export function inventVault(nth: number, from: number, to: number): InventedVault {
  const chance = new Chance(nth);
  const { mails, sittings } = chance.pick(LIVELINESS);
  const lastDay = to - DAY;
  const id = Array.from({ length: 20 }, () => chance.within([0, 15]).toString(16)).join('');
  const matters = Array.from({ length: chance.within(chance.pick(MATTERS)) }, (_, one) =>
    inventMatter(chance, id, `matter-${one}`, lastDay),
  );
  const poll = chance.pick(POLLS);
  const nudges: Nudge[] = [];
  for (let day = from; day < to; day += DAY) {
    const moment = (hours: readonly number[]) =>
      localMidnight(day) + (chance.pick(hours.map((weight, hour) => [weight, hour] as const)) + chance.figure()) * HOUR;
    for (let left = chance.count(mails); left > 0; left -= 1)
      nudges.push({ at: moment(MAIL_HOURS), about: about(chance, matters) });
    for (let left = chance.count(sittings); left > 0; left -= 1)
      for (let edits = chance.within(EDITS), at = moment(SITTING_HOURS); edits > 0; edits -= 1, at += EDIT_PAUSE_MS)
        nudges.push({ at, about: 'edit' });
  }
  nudges.sort((one, other) => one.at - other.at);
  return { matters, pollMs: poll === null ? null : poll * 60_000, nudges };
}

function inventMatter(chance: Chance, vault: string, slug: string, lastDay: number): InventedMatter {
  const written = chance.pick(SCHEDULES);
  const parsed = parseSchedule(written ?? DEFAULT_SETTINGS.default_schedule);
  if (!parsed.ok) throw new Error(parsed.reason);
  const pace = { vault, slug, cadence: parsed.cadence, source: written ?? 'default', backsOff: written === null };
  const tasks = Array.from({ length: chance.within(chance.pick(TASKS)) }, (_, nth) => {
    const state = chance.pick(STATES);
    const day = (days: Range) => {
      const date = new Date(lastDay + chance.within(days) * DAY).toISOString().slice(0, 10);
      const hour = `${chance.within([8, 18])}`.padStart(2, '0');
      return chance.figure() < TIMED_SHARE ? `${date}T${hour}:00:00` : date;
    };
    const times: TaskTimes = {
      state,
      surface_class: chance.pick(SURFACES),
      due: chance.figure() < DUE_SHARE ? day(chance.pick(DUE_DAYS)) : null,
      snoozed_until: state === 'snoozed' ? day(SNOOZE_DAYS) : null,
      next_check_after: null,
    };
    return { name: `task-${nth}`, times };
  });
  return { pace, times: { surface_class: chance.pick(SURFACES), next_check_after: null }, tasks };
}

function about(chance: Chance, matters: readonly InventedMatter[]): Nudge['about'] {
  const matter = chance.within([0, matters.length - 1]);
  const tasks = matters[matter]?.tasks.length ?? 0;
  return tasks === 0 || chance.figure() > SIGNAL_SHARE ? null : { matter, task: chance.within([0, tasks - 1]) };
}

// The local midnight of the day that begins at this moment in UTC.
function localMidnight(day: number): number {
  const date = new Date(day + DAY / 2);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
