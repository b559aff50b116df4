import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { findIana } from 'windows-iana';
import { utcMidnight } from '../vault/time.ts';
import type { Component, Property } from './calendar-lines.ts';

/**
 * What Outlook on the web calls a time zone, behind the offset in brackets, and the name that IANA has for it: those zones
 * that most people live in.
 */
const OUTLOOK_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Hawaii: 'Pacific/Honolulu',
    Alaska: 'America/Anchorage',
    'Pacific Time (US & Canada)': 'America/Los_Angeles',
    Arizona: 'America/Phoenix',
    'Mountain Time (US & Canada)': 'America/Denver',
    'Central Time (US & Canada)': 'America/Chicago',
    'Guadalajara, Mexico City, Monterrey': 'America/Mexico_City',
    'Eastern Time (US & Canada)': 'America/New_York',
    'Bogota, Lima, Quito, Rio Branco': 'America/Bogota',
    'Bogota, Lima, Quito': 'America/Bogota',
    'Atlantic Time (Canada)': 'America/Halifax',
    Newfoundland: 'America/St_Johns',
    Santiago: 'America/Santiago',
    Brasilia: 'America/Sao_Paulo',
    'City of Buenos Aires': 'America/Argentina/Buenos_Aires',
    'Buenos Aires': 'America/Argentina/Buenos_Aires',
    'Dublin, Edinburgh, Lisbon, London': 'Europe/London',
    'Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London': 'Europe/London',
    'Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna': 'Europe/Berlin',
    'Belgrade, Bratislava, Budapest, Ljubljana, Prague': 'Europe/Budapest',
    'Brussels, Copenhagen, Madrid, Paris': 'Europe/Paris',
    'Sarajevo, Skopje, Warsaw, Zagreb': 'Europe/Warsaw',
    'Athens, Bucharest': 'Europe/Bucharest',
    'Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius': 'Europe/Kiev',
    Cairo: 'Africa/Cairo',
    'Harare, Pretoria': 'Africa/Johannesburg',
    Jerusalem: 'Asia/Jerusalem',
    Istanbul: 'Europe/Istanbul',
    'Moscow, St. Petersburg': 'Europe/Moscow',
    Nairobi: 'Africa/Nairobi',
    'Abu Dhabi, Muscat': 'Asia/Dubai',
    'Islamabad, Karachi': 'Asia/Karachi',
    'Chennai, Kolkata, Mumbai, New Delhi': 'Asia/Kolkata',
    'Bangkok, Hanoi, Jakarta': 'Asia/Bangkok',
    'Beijing, Chongqing, Hong Kong, Urumqi': 'Asia/Shanghai',
    'Kuala Lumpur, Singapore': 'Asia/Singapore',
    Perth: 'Australia/Perth',
    'Osaka, Sapporo, Tokyo': 'Asia/Tokyo',
    Seoul: 'Asia/Seoul',
    Adelaide: 'Australia/Adelaide',
    Brisbane: 'Australia/Brisbane',
    'Canberra, Melbourne, Sydney': 'Australia/Sydney',
    'Auckland, Wellington': 'Pacific/Auckland',
  }).map(([name, zone]) => [name.toLowerCase(), zone]),
);

/*
 * A wall time is what a clock on the wall shows, somewhere: in ms, counted as if it were UTC. Two of the same place can be
 * compared and subtracted; what moment it is, only a zone can tell.
 */

const WRITTEN = /^(\d{4})-?(\d{2})-?(\d{2})(?:Z|[T ](\d{2}):?(\d{2})(?::?(\d{2}))?(Z)?)?$/i;
const DAY_MS = 86_400_000;

/** What tells the moment (epoch ms) of a wall time, and the other way round. */
export interface Zone {
  readonly momentOf: (wall: number) => number;
  readonly wallOf: (moment: number) => number;
}

/** The zone of times that end in `Z`. */
export const UTC: Zone = { momentOf: (wall) => wall, wallOf: (moment) => moment };

/** A date or a time as a calendar writes it. */
interface Written {
  readonly wall: number;
  /** Whether it is a whole day. */
  readonly isDay: boolean;
  readonly isUtc: boolean;
}

/** Returns what `20350302`, `20350302T090000` or `20350302T080000Z` says; null where that is no such date or time. */
export function readWritten(text: string): Written | null {
  const [whole, year, month, day, hour, minute, second, utc] = WRITTEN.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (midnight === null) return null;
  if (hour === undefined) return { wall: midnight, isDay: true, isUtc: false };
  const time = timeOf(Number(hour), Number(minute), Number(second ?? 0));
  return time === null ? null : { wall: midnight + time, isDay: false, isUtc: utc !== undefined };
}

/** `YYYY-MM-DD`. */
export function dayText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** `YYYY-MM-DDTHH:mm`. */
export function minuteText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
}

/** Returns the midnight at which the day of a wall time began. */
export function dayStart(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

function midnightOf(year: number, month: number, day: number): number | null {
  return year < 1600 || year > 2400 ? null : utcMidnight(year, month, day);
}

/** Some write midnight as the hour 24; a leap second is the one before. */
function timeOf(hour: number, minute: number, second: number): number | null {
  const ms = (hour * 60 + minute) * 60_000 + Math.min(second, 59) * 1000;
  return minute > 59 || second > 60 || ms > DAY_MS ? null : ms;
}

/** How something comes again, by the clock on the wall. */
export interface Rule {
  /** Returns the first time at or after another; null where none comes any more. Throws where that cannot be worked out. */
  readonly from: (wall: number) => number | null;
  /** Returns those between two times. */
  readonly between: (first: number, last: number) => readonly number[];
}

const MOST_CHARACTERS = 2000;
/** How many years, months, … a rule is followed before it counts as one that cannot be worked out. */
const MOST_STEPS: ReadonlyMap<string, number> = new Map([
  ['YEARLY', 500],
  ['MONTHLY', 5000],
]);
const MOST_OTHER_STEPS = 10_000;
const PART = /^([A-Z-]{1,20})=([^;=]{1,2000})$/;
const DAY_END = 86_399_000;

/**
 * Returns the rule that an RRULE gives; null where it is none. It is followed by the clock on the wall, so that nine o'clock
 * stays nine o'clock. `wallOf`: what that clock shows at a moment, for an end that is given as one.
 */
export function ruleOf(
  written: string,
  start: Pick<Written, 'wall' | 'isDay'>,
  wallOf: (moment: number) => number,
): Rule | null {
  const parts = partsOf(written);
  if (parts === null) return null;
  const until = parts.get('UNTIL');
  const end = until === undefined ? undefined : readWritten(until);
  if (end === null) return null;
  if (end !== undefined) parts.set('UNTIL', inRule(endOf(end, start.isDay, wallOf)));
  const rule = [...parts].map(([name, value]) => `${name}=${value}`).join(';');
  return following(rule, start.wall, MOST_STEPS.get(parts.get('FREQ') ?? '') ?? MOST_OTHER_STEPS);
}

function following(rule: string, start: number, maxIterations: number): Rule | null {
  try {
    const known = new RRuleTemporal({ rruleString: rule, dtstart: zoned(start), maxIterations });
    return {
      from: (wall) => known.next(zoned(wall), true)?.epochMilliseconds ?? null,
      between: (first, last) => known.between(zoned(first), zoned(last), true).map((each) => each.epochMilliseconds),
    };
  } catch {
    return null;
  }
}

function partsOf(written: string): Map<string, string> | null {
  const text = written.replace(/\s/g, '').toUpperCase().replace(/;$/, '');
  if (text.length > MOST_CHARACTERS) return null;
  const parts = text.split(';').map((part) => PART.exec(part));
  if (parts.includes(null)) return null;
  return new Map(parts.map((part) => [part?.[1] ?? '', part?.[2] ?? '']));
}

/** An end that is a day counts in as a whole. */
function endOf({ wall, isDay, isUtc }: Written, isOfDays: boolean, wallOf: (moment: number) => number): number {
  if (isDay) return isOfDays ? wall : wall + DAY_END;
  return isUtc && !isOfDays ? wallOf(wall) : wall;
}

function inRule(wall: number): string {
  return `${new Date(wall).toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

function zoned(wall: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC');
}

/** When another offset begins, by the clocks of before, and the two offsets in ms. */
interface Change {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

const OFFSET = /^([+-])(\d{2}):?(\d{2})(?::?\d{2})?$/;
/** Of rules without an end, what is told lies within these. */
const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(2100, 0, 1);
const MOST_PARTS = 400;
const MOST_CHANGES = 5000;

/** Returns the zone that a calendar describes by itself (VTIMEZONE); null where that is not to be understood. */
function ownZone({ parts, flaw }: Component): Zone | null {
  if (flaw !== null || parts.length === 0 || parts.length > MOST_PARTS) return null;
  const changes: Change[] = [];
  for (const { properties } of parts) {
    const own = changesOf(properties);
    if (own === null || changes.length + own.length > MOST_CHANGES) return null;
    changes.push(...own);
  }
  return zoneOf(changes.toSorted((one, other) => one.at - other.at));
}

function zoneOf(changes: readonly Change[]): Zone | null {
  const [first] = changes;
  if (first === undefined) return null;
  // What the clocks skip is told by the offset of before; what they show twice is the first.
  const offsetAt = (wall: number) => {
    const last = changes.findLast(({ at }) => at <= wall);
    if (last === undefined) return first.from;
    return wall < last.at + last.to - last.from ? last.from : last.to;
  };
  return {
    momentOf: (wall) => wall - offsetAt(wall),
    wallOf: (moment) => moment + (changes.findLast(({ at, from }) => at - from <= moment)?.to ?? first.from),
  };
}

/** Returns when the offset of one part of a zone begins, each time; null where that cannot be told. */
function changesOf(properties: readonly Property[]): readonly Change[] | null {
  const valueAt = (wanted: string) => properties.find(({ name }) => name === wanted)?.value.trim() ?? '';
  const [start, from, to] = [
    readWritten(valueAt('DTSTART')),
    offsetIn(valueAt('TZOFFSETFROM')),
    offsetIn(valueAt('TZOFFSETTO')),
  ];
  if (start === null || from === null || to === null) return null;
  const rules = properties.filter(({ name }) => name === 'RRULE').map(({ value }) => yearly(value, start.wall, from));
  const dates = properties
    .filter(({ name }) => name === 'RDATE')
    .flatMap(({ value }) => value.split(','))
    .map(readWritten);
  if (rules.includes(null) || dates.includes(null)) return null;
  const all = [start, ...dates].flatMap((date) => (date === null ? [] : [date.wall]));
  const ruled = rules.flatMap((rule) => rule?.between(FIRST, LAST) ?? []);
  return [...new Set([...all, ...ruled])].map((at) => ({ at, from, to }));
}

function yearly(value: string, start: number, from: number): Rule | null {
  return /FREQ=YEARLY/i.test(value) ? ruleOf(value, { wall: start, isDay: false }, (moment) => moment + from) : null;
}

function offsetIn(written: string): number | null {
  const [whole, sign, hours, minutes] = OFFSET.exec(written) ?? [];
  if (whole === undefined) return null;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return ms > 86_400_000 ? null : sign === '-' ? -ms : ms;
}

const UTC_NAMES = /^(?:tzone:\/\/microsoft\/utc|utc|gmt|z|etc\/utc|coordinated universal time)$/i;
const OFFSET_IN_FRONT = /^\((?:UTC|GMT)[^()]{0,9}\) ?/i;
const OFFSET_ZONE = /^(?:UTC|GMT) ?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
const MAX_NAME = 200;

/** Returns the zone of an IANA name, null where there is none of that name. */
export function namedZone(name: string): Zone | null {
  if (UTC_NAMES.test(name)) return UTC;
  const known = knownName(name);
  return known === null ? null : zoneOfZone(known);
}

/**
 * Returns the zone that a calendar means by a name: that of IANA; one whose name ends in that, as `/mozilla.org/…/Europe/Berlin`
 * does; one of Windows; or what the calendar itself says of it. Null where none is known.
 */
export function zoneByName(written: string, own: Component | null): Zone | null {
  const name = written.trim().replace(/^\//, '');
  if (name === '' || name.length > MAX_NAME) return null;
  // A name such as EST is of IANA, where it has no summer time; calendars mean a place by it, and say which rules it has.
  const isPlace = name.includes('/') || UTC_NAMES.test(name);
  const known = (isPlace ? byTail(name) : null) ?? byWindows(name) ?? fromOwn(own);
  return known ?? (isPlace ? null : namedZone(name)) ?? byOffset(name);
}

/** Returns the zone of the longest part at the end of a path of names that IANA knows. */
function byTail(name: string): Zone | null {
  const parts = name.split('/');
  const tails = [parts, ...[3, 2, 1].filter((length) => length < parts.length).map((length) => parts.slice(-length))];
  return firstOf(tails, (tail) => namedZone(tail.join('/')));
}

function byWindows(name: string): Zone | null {
  const shown = OUTLOOK_NAMES.get(name.replace(OFFSET_IN_FRONT, '').toLowerCase());
  return firstOf(shown === undefined ? findIana(name) : [shown], namedZone);
}

/** `UTC+01:00`: always as far from it. */
function byOffset(name: string): Zone | null {
  const [whole, sign, hours, minutes = '0'] = OFFSET_ZONE.exec(name) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000;
  if (whole === undefined || size > DAY_MS) return null;
  const offset = sign === '-' ? -size : size;
  return { momentOf: (wall) => wall - offset, wallOf: (moment) => moment + offset };
}

function fromOwn(own: Component | null): Zone | null {
  if (own === null) return null;
  const place = own.properties.find(({ name }) => name === 'X-LIC-LOCATION')?.value.trim() ?? '';
  return (place.includes('/') ? namedZone(place) : null) ?? ownZone(own);
}

function firstOf<T>(all: readonly T[], read: (one: T) => Zone | null): Zone | null {
  for (const one of all) {
    const zone = read(one);
    if (zone !== null) return zone;
  }
  return null;
}

function knownName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function zoneOfZone(name: string): Zone {
  return {
    // A time that summer time skips is as much later as it would be without; one that comes twice is the first.
    momentOf: (wall) => plain(wall).toZonedDateTime(name, { disambiguation: 'compatible' }).epochMilliseconds,
    wallOf: (moment) => moment + offsetAt(moment, name),
  };
}

function plain(wall: number): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime();
}

function offsetAt(moment: number, name: string): number {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(name).offsetNanoseconds / 1e6;
}
