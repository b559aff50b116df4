/*
 * The traffic, invented: nobody has a million vaults yet. Each table is a list of [weight, value]; docs/dev/fleet.md says
 * what hangs on which line. Rates are for a working day.
 */

/** A span from which a whole number is drawn, both ends included. */
type Span = readonly [from: number, to: number];

/** How much goes on in a vault. */
export interface Liveliness {
  readonly name: 'dormant' | 'light' | 'busy';
  /** Files that come into `stream/` in a day. */
  readonly mails: number;
  /** How often in a day somebody sits down and edits notes. */
  readonly sittings: number;
}

export const LIVELINESS: readonly (readonly [number, Liveliness])[] = [
  [50, { name: 'dormant', mails: 0, sittings: 0 }],
  [35, { name: 'light', mails: 2, sittings: 1 }],
  [15, { name: 'busy', mails: 12, sittings: 4 }],
];

/** How many matters a vault has: 4.6 on average. */
export const MATTERS: readonly (readonly [number, Span])[] = [
  [70, [1, 3]],
  [24, [4, 10]],
  [5, [11, 30]],
  [1, [31, 100]],
];

/** How many tasks a matter has. */
export const TASKS: readonly (readonly [number, Span])[] = [
  [15, [0, 0]],
  [60, [1, 4]],
  [25, [4, 8]],
];

/** Where people live. A process has one time zone, so a host has: vaults are kept by a host of their own zone. */
export const ZONES: readonly (readonly [number, string])[] = [
  [45, 'Europe/Berlin'],
  [15, 'Europe/London'],
  [15, 'America/New_York'],
  [8, 'America/Los_Angeles'],
  [7, 'Asia/Kolkata'],
  [5, 'Asia/Tokyo'],
  [5, 'Australia/Sydney'],
];

/** `steward_schedule` of a matter; null: the default of the vault. */
export const SCHEDULES: readonly (readonly [number, string | null])[] = [
  [84, null],
  [3, 'every 1h'],
  [2, 'every 2h'],
  [5, 'every 1d'],
  [2, '0 9 * * 1'],
  [1.5, '0 8 * * *'],
  [1, '0 9 * * 1-5'],
  [0.5, '30 7 * * *'],
  [0.4, '0 18 * * 5'],
  [0.3, '0 7 1 * *'],
  [0.3, '*/15 8-18 * * 1-5'],
];

export const SURFACES: readonly (readonly [number, 'high' | 'normal' | 'none'])[] = [
  [5, 'high'],
  [87, 'normal'],
  [8, 'none'],
];

/** States of tasks that still lie under a living matter. */
export const STATES: readonly (readonly [number, 'open' | 'snoozed' | 'done'])[] = [
  [70, 'open'],
  [12, 'snoozed'],
  [18, 'done'],
];

/** Of tasks: how many have a day on which they are due, and how many of these days name a time too. */
export const DUE_SHARE = 0.35;
export const TIMED_SHARE = 0.2;
/** How far off that is, in days from now; what is long overdue people have closed. */
export const DUE_DAYS: readonly (readonly [number, Span])[] = [
  [15, [-20, -1]],
  [30, [0, 7]],
  [55, [8, 90]],
];
/** A snooze ends in so many days. */
export const SNOOZE_DAYS: Span = [0, 14];
export const PUT_OFF_SHARE = 0.02;

/** The phase of a matter follows from its name alone, and people give the same names: “taxes”, “holidays”. */
export const COMMON_NAME_SHARE = 0.2;
/** How many such names there are; the nth is 1/n times as frequent as the first. */
export const COMMON_NAMES = 500;

/** Of vaults: those that have a digest, at which minute of the day. 450 is the default, 07:30. */
export const DIGESTS: readonly (readonly [number, number | null])[] = [
  [90, null],
  [7, 450],
  [1.5, 480],
  [1, 1080],
  [0.5, 420],
];

/** Of vaults: those that ask a mailbox themselves, every so many minutes. The others have their mail delivered into `stream/`. */
export const POLLS: readonly (readonly [number, number | null])[] = [
  [97, null],
  [1, 5],
  [2, 60],
];

/** Of vaults: those with quiet hours, 22:00–07:00. */
export const QUIET_SHARE = 0.15;

/** Of mails: those in which something is found for a matter, and of these the ones that are acted on at once. */
export const SIGNAL_SHARE = 0.4;
export const STRONG_SHARE = 0.4;

/** How mails and sittings spread over the hours of the local day. */
export const MAIL_HOURS = [1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 13, 12, 10, 11, 12, 12, 11, 9, 7, 6, 5, 4, 3, 2] as const;
export const SITTING_HOURS = [0, 0, 0, 0, 0, 1, 4, 8, 9, 8, 7, 6, 7, 7, 6, 6, 7, 7, 8, 9, 10, 9, 6, 2] as const;
/** Of the traffic of a working day, what there is on a Saturday or Sunday. */
export const WEEKEND = { mails: 0.35, sittings: 0.7 } as const;

/** A sitting: so many edits, with such a mean pause (s) between. */
export const EDITS: Span = [1, 6];
export const EDIT_PAUSE_S = 90;
/** Of edits: those that close a task, those that give one another day, and those that are news of their matter. */
export const CLOSING_SHARE = 0.15;
export const MOVING_SHARE = 0.1;
export const NEWS_SHARE = 0.1;
