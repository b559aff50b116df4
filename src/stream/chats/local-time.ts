import { Temporal } from 'temporal-polyfill';
import { offsetMs } from '../../steward/schedule/local-time.ts';

/** A time as a clock on the wall shows it. `month` and `day` count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns when a clock in a time zone shows this (epoch ms); null where no clock ever does: 31 February, 25 o'clock. */
export function wallTimeIn(zone: string, time: WallTime): number | null {
  try {
    return Temporal.PlainDateTime.from(time, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return null;
  }
}

/** Returns what a clock in a time zone shows at a moment (epoch ms): `YYYY-MM-DDTHH:mm`; null where there is no such zone. */
export function clockIn(zone: string, at: number): string | null {
  try {
    return new Temporal.ZonedDateTime(BigInt(Math.trunc(at)) * 1_000_000n, zone)
      .toPlainDateTime()
      .toString()
      .slice(0, 16);
  } catch {
    return null;
  }
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?(?:[.,]\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/i;

/** Returns the moment that an ISO time names (epoch ms), in a time zone where it names none itself; null where it is none. */
export function isoTimeIn(zone: string, written: string): number | null {
  const found = ISO.exec(written.trim());
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const wall = { year, month, day, hour, minute, second };
  const offset = found[7];
  const local = wallTimeIn(offset === undefined ? zone : 'UTC', wall);
  return local === null || offset === undefined ? local : local - offsetMs(offset);
}
