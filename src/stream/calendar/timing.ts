import type { Property } from './content-line.ts';
import type { Fields } from './fields.ts';
import { nextOf } from './series.ts';
import { UTC } from './wall.ts';
import { momentOf, Unreadable, type When, type Zones } from './when.ts';

/** When an entry is, and what it is of a series. */
export interface Timing {
  /** As its calendar has it; of a series, that of the first. */
  readonly first: When;
  /** Of a series, that of the next. */
  readonly start: When;
  /** When it is over; the day after the last, where it is of days. Null where the calendar does not say. */
  readonly end: When | null;
  /** Which one of a series, by the start it was planned for. */
  readonly planned: When | null;
  readonly isSeries: boolean;
  /** What of the series is not worked out. */
  readonly doubts: readonly string[];
}

const DURATION = /^\+?P(?:(\d{1,4})W|(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?)$/i;
const ALL_LATER = 'It changes all later ones of its series as well, which is not worked out.';
const CHANGED_LATER = 'Another entry changes this series from some day on, which is not worked out.';

/**
 * Returns when an entry is. `replaced`: the RECURRENCE-IDs of the entries that stand for single ones of its series. Throws
 * `Unreadable` where that cannot be told.
 */
export function timingOf(fields: Fields, zones: Zones, replaced: readonly Property[], now: number): Timing {
  const first = fields.when('DTSTART', zones);
  if (first === null) throw new Unreadable('It has no start (DTSTART).');
  const planned = fields.when('RECURRENCE-ID', zones);
  const isSeries = planned === null && fields.all.some(({ name }) => name === 'RRULE' || name === 'RDATE');
  if (isSeries && fields.first('EXRULE') !== null) throw new Unreadable('Its exceptions are given by a rule (EXRULE).');
  // Of a series that is over, the first stands for it.
  const next = isSeries ? nextOf({ start: first, lines: fields.all, replaced }, zones, now) : null;
  const start = next ?? first;
  const end = endOf(first, start, fields, zones);
  return { first, start, end, planned, isSeries, doubts: doubtsAbout(fields, isSeries, replaced) };
}

function endOf(first: When, start: When, fields: Fields, zones: Zones): When | null {
  const length = lengthOf(first, fields, zones);
  if (length === null || length < 0) return null;
  if (start.isDay) return { ...start, wall: start.wall + length };
  return { ...start, wall: start.zone.wallOf(start.zone.momentOf(start.wall) + length) };
}

function lengthOf(first: When, fields: Fields, zones: Zones): number | null {
  const end = endIn(fields, zones);
  if (end === null) return durationIn(fields.text('DURATION').trim());
  return end.isDay === first.isDay ? momentOf(end, UTC) - momentOf(first, UTC) : null;
}

/** An end that cannot be read makes the start no less true. */
function endIn(fields: Fields, zones: Zones): When | null {
  try {
    return fields.when('DTEND', zones);
  } catch {
    return null;
  }
}

function durationIn(written: string): number | null {
  if (written === '') return null;
  const [whole, ...parts] = DURATION.exec(written) ?? [];
  if (whole === undefined) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

function doubtsAbout(fields: Fields, isSeries: boolean, replaced: readonly Property[]): readonly string[] {
  const own = fields.first('RECURRENCE-ID');
  if (own !== null && isForLater(own)) return [ALL_LATER];
  return isSeries && replaced.some(isForLater) ? [CHANGED_LATER] : [];
}

function isForLater({ params }: Property): boolean {
  return params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE';
}
