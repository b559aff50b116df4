import type { Component } from './component.ts';
import type { Property } from './content-line.ts';
import { type Rule, ruleOf } from './rule.ts';
import { readWritten, type Zone } from './wall.ts';

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
export function ownZone({ parts, flaw }: Component): Zone | null {
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
