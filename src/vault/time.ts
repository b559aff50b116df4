import { StewardError, systemCode } from './errors.ts';

// Moments as notes write them; and long work done in slices of time, so that other work has its turn.

/** Returns UTC with `Z` and seconds, as written in event and signal notes. `ms` since the epoch, here and below. */
export function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Returns UTC with milliseconds, for `--json` and state. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns a moment as part of a file name: `2026-11-21T20-19-54Z` (contract, 3.7). */
export function nameTime(ms: number): string {
  return utc(ms).replaceAll(':', '-');
}

/** The same with milliseconds, where two things happened within one second. */
export function nameTimeExact(ms: number): string {
  return iso(ms).replace(/[:.]/g, '-');
}

/** Returns the midnight in UTC at which a day of the calendar begins (epoch ms); null if there is no such day. */
export function utcMidnight(year: number, month: number, day: number): number | null {
  const time = Date.UTC(year, month - 1, day);
  const date = new Date(time);
  const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThere ? time : null;
}

/** Returns the local date, `YYYY-MM-DD`. */
export function localDate(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** Returns the local time, `YYYY-MM-DDTHH:mm:ss` without offset, as in notes that people edit. */
export function localTime(ms: number): string {
  const date = new Date(ms);
  return `${localDate(ms)}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

function pad(figure: number): string {
  return String(figure).padStart(2, '0');
}

const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A time as a clock on the wall shows it. `month` and `day` count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

interface Parts extends WallTime {
  readonly ms: number;
  /** `Z`, `+02:00`, or null for local. */
  readonly offset: string | null;
}

/**
 * Returns a date or time as people write it in epoch milliseconds, or null if the text is neither. Without an offset it
 * is local (contract, section 3); a date alone is the start of its local day. A day that does not exist is null.
 */
export function parseLocalTime(text: string): number | null {
  const parts = partsOf(text);
  if (parts === null) return null;
  return parts.offset === null ? localMoment(parts) : utcMoment(parts) - offsetMs(parts.offset);
}

/** Returns whether a text is a date without a time. */
export function isDateOnly(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
}

/** Returns the first moment of the next local day (epoch ms): from then on, what was due on this day is overdue. */
export function endOfLocalDay(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

function partsOf(text: string): Parts | null {
  const match = WRITTEN.exec(text.trim());
  if (match === null) return null;
  const at = (index: number) => Number(match[index] ?? 0);
  const ms = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  const offset = match[8] ?? null;
  const parts = { year: at(1), month: at(2), day: at(3), hour: at(4), minute: at(5), second: at(6), ms, offset };
  return isReal(parts) ? parts : null;
}

function isReal(parts: Parts): boolean {
  if (parts.year < 1000 || parts.hour > 23 || parts.minute > 59 || parts.second > 59) return false;
  return utcMidnight(parts.year, parts.month, parts.day) !== null;
}

function localMoment({ year, month, day, hour, minute, second, ms }: Parts): number {
  return new Date(year, month - 1, day, hour, minute, second, ms).getTime();
}

function utcMoment({ year, month, day, hour, minute, second, ms }: Parts): number {
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

/** Returns what an offset from UTC is in ms: of `Z`, `+02:00` or `-0330`. */
export function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const sign = offset.startsWith('-') ? -1 : 1;
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60_000;
}

/** A span of the day, as minutes since midnight; it may span midnight. */
export interface Hours {
  readonly from: number;
  readonly to: number;
}

const HOUR = 60;

/** Returns the first moment at or after `after` (epoch ms) at which the local clock shows a minute of the day. */
export function nextAt(minute: number, after: number): number {
  const today = momentOn(after, 0, minute);
  return today >= after ? today : momentOn(after, 1, minute);
}

/** Returns the last such moment at or before `before` (epoch ms). */
export function lastAt(minute: number, before: number): number {
  const today = momentOn(before, 0, minute);
  return today <= before ? today : momentOn(before, -1, minute);
}

/** Returns when the quiet time that covers a moment ends (epoch ms); null if the moment isn't quiet. */
export function quietUntil(hours: Hours | null, now: number): number | null {
  if (hours === null || hours.from === hours.to) return null;
  const date = new Date(now);
  const minute = date.getHours() * HOUR + date.getMinutes();
  const { from, to } = hours;
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  // A clock that is put back shows the same minute twice: what has just ended is over.
  return isQuiet ? nextAt(to, now + 1) : null;
}

/** Returns the first moment of a local day (epoch ms), so many days after that of `now`. */
export function startOfDay(now: number, days = 0): number {
  return momentOn(now, days, 0);
}

// An hour that the clock leaves out is taken for the one behind it, as `Date` does.
function momentOn(now: number, days: number, minute: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate() + days];
  return new Date(year, month, day, Math.floor(minute / HOUR), minute % HOUR).getTime();
}

/** For how long (ms) one piece of work goes on before others have a turn. */
export const SLICE_MS = 5;

/** Lets others have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets others have their turn in long work. */
export class Turns {
  #since = performance.now();

  get isLate(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  async giveWay(): Promise<void> {
    if (!this.isLate) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Carries out as much of some work as fits into one slice of time. Returns whether all of it is done. */
export function oneSlice(work: Generator<void>): boolean {
  for (const turns = new Turns(); ; ) {
    if (work.next().done === true) return true;
    if (turns.isLate) return false;
  }
}

/** Carries out work that pauses after each small step, for somebody who waits for all of it. Returns its result. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * Carries out work that pauses after each small step: others have a turn after each slice of time. Returns its result.
 * Rejects with the signal's reason once it is aborted.
 */
export async function inSlices<Result>(work: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (const turns = new Turns(); ; ) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (!turns.isLate) continue;
    await turns.giveWay();
    if (signal?.aborted === true) work.throw(signal.reason); // what it has open is closed
  }
}

/** Runs work one at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Returns the result of the work; rejects as the work does, which does not affect the next one. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Resolves when all work that was added so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Runs work for the same key one at a time, in the order of the calls; different keys do not wait for each other. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Returns the result of the work; rejects as the work does, which does not affect the next one. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}

/**
 * Does some work for each item. A failing item doesn't keep the others from their turn: the first error that the disk or a
 * `StewardError` gives is thrown at the end, so that the caller reports it and tries again.
 */
export function forEachIsolated<Item>(items: Iterable<Item>, work: (item: Item) => void): void {
  atOnce(stepsIsolated(items, work));
}

/** Does the same, and pauses after each item. */
export function* stepsIsolated<Item>(items: Iterable<Item>, work: (item: Item) => void): Generator<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      work(item);
    } catch (error) {
      if (systemCode(error) === null && !(error instanceof StewardError)) throw error;
      failures.push(error);
    }
    yield;
  }
  if (failures.length > 0) throw failures[0];
}
