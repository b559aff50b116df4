import { type WallTime, wallTimeIn } from '../chats/local-time.ts';
import type { Stamp } from './stamp.ts';

/** Whether the day stands before the month. */
export type DateOrder = 'day first' | 'month first';

const DAY_MS = 86_400_000;

/**
 * Finds out whether a file writes the day before the month. One phone writes one way, so that a single `20/01` tells it of
 * all; else the messages must be in the order of time, and none of them in the future.
 */
export class DateOrders {
  readonly #tallies: Readonly<Record<DateOrder, Tally>> = { 'day first': new Tally(), 'month first': new Tally() };
  readonly #now: number;
  #last: Stamp | null = null;

  /** `now`: epoch ms. */
  constructor(now: number) {
    this.#now = now;
  }

  /** Takes the stamp of the next message. */
  add(stamp: Stamp): void {
    const before = this.#last;
    this.#last = stamp;
    if (stamp.yearFirst || (before !== null && isSameDay(before, stamp))) return;
    for (const order of ['day first', 'month first'] as const) this.#tallies[order].add(dayOf(stamp, order), this.#now);
  }

  /** Returns the order. Where nothing tells it: as the countries mostly write that use the same signs. */
  get order(): DateOrder {
    const { 'day first': dayFirst, 'month first': monthFirst } = this.#tallies;
    const fewer = dayFirst.wrong - monthFirst.wrong || dayFirst.odd - monthFirst.odd;
    if (fewer !== 0) return fewer < 0 ? 'day first' : 'month first';
    return this.#last?.separator === '/' && this.#last.isTwelveHours ? 'month first' : 'day first';
  }
}

/** How badly an order fits. */
class Tally {
  /** Dates that do not exist. */
  wrong = 0;
  /** Dates that go back in time, or lie in the future. */
  odd = 0;
  #latest = Number.NEGATIVE_INFINITY;

  add({ year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>, now: number): void {
    const at = wallTimeIn('UTC', { year, month, day, hour: 0, minute: 0, second: 0 });
    if (at === null) this.wrong += 1;
    else if (at < this.#latest || at > now + DAY_MS) this.odd += 1;
    this.#latest = Math.max(this.#latest, Math.min(at ?? this.#latest, now));
  }
}

/** Returns when a message was sent (epoch ms), by the clock of a time zone; null where its date does not exist. */
export function momentOf(stamp: Stamp, order: DateOrder, zone: string): number | null {
  const { hour, minute, second } = stamp;
  return wallTimeIn(zone, { ...dayOf(stamp, order), hour, minute, second });
}

function dayOf({ date: [first, middle, last], yearFirst }: Stamp, order: DateOrder) {
  if (yearFirst) return { year: first, month: middle, day: last };
  const year = last < 100 ? 2000 + last : last;
  return order === 'day first' ? { year, month: middle, day: first } : { year, month: first, day: middle };
}

function isSameDay(one: Stamp, other: Stamp): boolean {
  return one.date.every((number, nth) => number === other.date[nth]);
}
