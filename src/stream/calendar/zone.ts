import { Temporal } from 'temporal-polyfill';
import { findIana } from 'windows-iana';
import type { Component } from './component.ts';
import { OUTLOOK_NAMES } from './outlook-names.ts';
import { ownZone } from './own-zone.ts';
import { UTC, type Zone } from './wall.ts';

const UTC_NAMES = /^(?:tzone:\/\/microsoft\/utc|utc|gmt|z|etc\/utc|coordinated universal time)$/i;
const OFFSET_IN_FRONT = /^\((?:UTC|GMT)[^()]{0,9}\) ?/i;
const OFFSET = /^(?:UTC|GMT) ?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
const MAX_NAME = 200;
const DAY_MS = 86_400_000;

/** Returns the zone of an IANA name, null where there is none of that name. */
export function namedZone(name: string): Zone | null {
  if (UTC_NAMES.test(name)) return UTC;
  const known = knownName(name);
  return known === null ? null : zoneOf(known);
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
  const [whole, sign, hours, minutes = '0'] = OFFSET.exec(name) ?? [];
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

function zoneOf(name: string): Zone {
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
