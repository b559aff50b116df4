import { DAY, HOUR } from '../../support/clock.ts';

/** Monday, 5 May 2031, 00:00 UTC: a fixed day, so that each run has the same figures. */
export const START = Date.UTC(2031, 4, 5);
export const WEEKS = 4;

/**
 * What a mail says about one task. `open`: nothing has changed; `asked`: the sender wants something of the user. `isFalse`: it
 * isn't so.
 */
export type Fact = (
  | { readonly is: 'done' | 'cancelled' | 'open' | 'asked'; readonly task: string }
  | { readonly is: 'moved'; readonly task: string; readonly day: number }
) & { readonly isFalse?: true };

export interface Correspondent {
  readonly name: string;
  readonly address: string;
}

/** A mail as it arrives. `fact`: null if it says nothing about any task. */
export interface Post {
  /** The day since the start, and the hour. */
  readonly day: number;
  readonly hour: number;
  readonly from: Correspondent;
  /** Whether the user's mail server confirms the sender, says nothing, or rejects the sender. */
  readonly server: 'confirms' | 'is silent' | 'rejects';
  readonly subject: string;
  readonly text: string;
  readonly fact: Fact | null;
  /** Header lines besides the usual ones. */
  readonly head?: readonly string[];
}

export interface TaskPlan {
  readonly title: string;
  /** The day since the start on which it is due; null for none. */
  readonly due: number | null;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Whether another program keeps it: its state is in `status`. */
  readonly isElsewhere?: boolean;
}

/** A matter with its tasks, and what its correspondent writes. */
export interface Affair {
  readonly matter: string;
  readonly summary: string;
  readonly senders: readonly string[];
  readonly tasks: readonly TaskPlan[];
  readonly posts: readonly Post[];
}

/** A file that arrives beside the mails: a statement of the bank, a calendar. */
export interface DroppedFile {
  readonly day: number;
  readonly hour: number;
  readonly file: string;
  readonly text: string;
  /** What its bookings or appointments truly say. */
  readonly facts: readonly Fact[];
}

/** Four weeks of somebody. */
export interface Story {
  readonly name: string;
  readonly affairs: readonly Affair[];
  /** Mails of others: strangers, look-alikes, forgers, newsletters. */
  readonly others: readonly Post[];
  readonly files: readonly DroppedFile[];
  /** The account that the bank's statements are of. */
  readonly account: string | null;
}

type Written = readonly [day: number, hour: number, subject: string, text: string, fact: Fact | null];

/** Returns the mails of somebody whom the user's mail server confirms. */
export function written(from: Correspondent, all: readonly Written[]): Post[] {
  return all.map(([day, hour, subject, text, fact]) => ({
    ...{ day, hour, from, server: 'confirms' as const, subject, text, fact },
  }));
}

export const done = (task: string): Fact => ({ is: 'done', task });
export const cancelled = (task: string): Fact => ({ is: 'cancelled', task });
export const open = (task: string): Fact => ({ is: 'open', task });
export const asked = (task: string): Fact => ({ is: 'asked', task });
export const moved = (task: string, day: number): Fact => ({ is: 'moved', task, day });

export const untrue = (fact: Fact): Fact => ({ ...fact, isFalse: true });

/** Returns a mail of anybody whose own server confirms the address. */
export function mail(
  day: number,
  hour: number,
  from: Correspondent,
  subject: string,
  text: string,
  fact: Fact | null = null,
): Post {
  return { day, hour, from, server: 'confirms', subject, text, fact };
}

/** Returns a mail that the user's mail server rejects: somebody else sent it. */
export function forged(
  day: number,
  hour: number,
  from: Correspondent,
  subject: string,
  text: string,
  fact: Fact | null = null,
): Post {
  return { ...mail(day, hour, from, subject, text, fact === null ? null : untrue(fact)), server: 'rejects' };
}

/** Returns a mail that is sent to many. */
export function newsletter(day: number, hour: number, from: Correspondent, subject: string, text: string): Post {
  const head = [`List-Unsubscribe: <mailto:leave@${from.address.split('@')[1]}>`, 'Precedence: bulk'];
  return { ...mail(day, hour, from, subject, text), head };
}

const MONTHS = {
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  de: ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli'],
  fr: ['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet'],
} as const;

/** Returns a day as a mail names it: `15 May`. */
export function on(day: number, language: keyof typeof MONTHS = 'en'): string {
  const date = new Date(momentOn(day));
  const month = MONTHS[language][date.getUTCMonth()];
  return language === 'de' ? `${date.getUTCDate()}. ${month}` : `${date.getUTCDate()} ${month}`;
}

/** Returns a day as notes have it: `2031-05-15`. */
export function dateOn(day: number): string {
  return new Date(momentOn(day)).toISOString().slice(0, 10);
}

/** Returns the moment (epoch ms) of an hour on a day. */
export function momentOn(day: number, hour = 12): number {
  return START + day * DAY + hour * HOUR;
}
