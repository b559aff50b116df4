import { z } from 'zod';
import { type RememberedEntries, type RememberedEntry, rememberedEntries } from './remembered.ts';

/*
 * Entries that are no longer where they were. Whether they were cancelled shows later: they may have moved to another calendar,
 * or a server may show nothing for a while.
 */

/** By UID and RECURRENCE-ID: since when (epoch ms), and what was remembered. */
export const vanished = z.record(z.string(), z.tuple([z.number(), rememberedEntries.valueType]));
export type Vanished = z.infer<typeof vanished>;

/** So many at once, and most of all there were, are hardly cancelled by anybody. */
const MANY = 20;
const WAIT_MS = 86_400_000;
/** Days are told without their zones. */
const DAY_MS = 86_400_000;

/** Returns what has vanished once some entries are gone. What is over is not missed. */
export function withVanished(before: Vanished, gone: RememberedEntries, now: number): Vanished {
  const fresh = Object.entries(gone).filter(([key, one]) => liesAhead(one, now) && !Object.hasOwn(before, key));
  return { ...before, ...Object.fromEntries(fresh.map(([key, one]) => [key, [now, one] as const])) };
}

/** Whether an entry is not over yet, to the day. */
export function liesAhead([, end]: RememberedEntry, now: number): boolean {
  return end === null || end + DAY_MS > now;
}

/** What of the vanished counts as cancelled now, and what is still waited for. */
interface Judged {
  readonly cancelled: readonly (readonly [string, RememberedEntry])[];
  readonly waiting: Vanished;
  /** Whether so many are gone at once that it is waited for a day. */
  readonly areMany: boolean;
}

/**
 * Judges what has vanished from a calendar. `isThere`: whether an entry is in any of the calendars by now. `left`: how many
 * entries the calendar still has.
 */
export function judged(all: Vanished, isThere: (key: string) => boolean, left: number, now: number): Judged {
  const missed = Object.entries(all).filter(([key, [, one]]) => !isThere(key) && liesAhead(one, now));
  const areMany = missed.length > MANY && missed.length > left;
  const [ready, waiting] = split(missed, ([, [since]]) => !areMany || now - since >= WAIT_MS);
  return {
    cancelled: ready.map(([key, [, one]]) => [key, one]),
    waiting: Object.fromEntries(waiting),
    areMany: waiting.length > 0,
  };
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
