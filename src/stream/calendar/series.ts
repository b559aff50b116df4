import type { Property } from './content-line.ts';
import { type Rule, ruleOf } from './rule.ts';
import { dayStart, type Zone } from './wall.ts';
import { momentOf, Unreadable, type When, whensIn, type Zones } from './when.ts';

/** The lines that say how an appointment comes again. */
interface SeriesLines {
  readonly start: When;
  /** RRULE, RDATE and EXDATE. */
  readonly lines: readonly Property[];
  /** The RECURRENCE-IDs of those of the series that have an entry of their own. */
  readonly replaced: readonly Property[];
}

/** So many in a row may be left out before the series counts as one that cannot be worked out. */
const MOST_LEFT_OUT = 2000;
/** Nobody has such an appointment, and a rule of that kind may take very long to follow. */
const TOO_OFTEN = /FREQ=(?:SECONDLY|MINUTELY)/i;

/** Returns the first appointment of a series from a moment on; null where none comes any more. Throws `Unreadable`. */
export function nextOf({ start, lines, replaced }: SeriesLines, zones: Zones, now: number): When | null {
  const zone = start.isDay ? zones.home : start.zone;
  const alike = (whens: readonly When[]) => whens.map((each) => wallLike(each, start, zones));
  const dates = (wanted: string) =>
    alike(lines.filter(({ name }) => name === wanted).flatMap((each) => filled(each, zones)));
  const left = new Set([...dates('EXDATE'), ...alike(replaced.flatMap((each) => readableIn(each, zones)))]);
  const more = dates('RDATE');
  const written = lines.filter(({ name, value }) => name === 'RRULE' && value.trim() !== '');
  const rules = written.map(({ value }) => readable(value, start, zone));
  // Of days, today's still counts.
  const from = start.isDay ? dayStart(zone.wallOf(now)) : zone.wallOf(now);
  const single = [start.wall, ...more].filter((wall) => wall >= from && !left.has(wall));
  const ruled = rules.map((rule) => firstOf(rule, from, (wall) => !left.has(wall) && isShown(wall, start)));
  const walls = [...single, ...ruled].filter((wall) => wall !== null);
  return walls.length === 0 ? null : { ...start, wall: Math.min(...walls) };
}

function readable(value: string, start: When, zone: Zone): Rule {
  if (TOO_OFTEN.test(value)) throw new Unreadable('It comes again more often than every hour.');
  const rule = ruleOf(value, start, zone.wallOf);
  if (rule === null) throw new Unreadable('The rule by which it comes again (RRULE) cannot be understood.');
  return rule;
}

function firstOf(rule: Rule, from: number, counts: (wall: number) => boolean): number | null {
  let wall = followed(rule, from);
  for (let nth = 0; wall !== null && !counts(wall); nth += 1) {
    if (nth === MOST_LEFT_OUT) throw new Unreadable('Too many appointments of the series are left out.');
    wall = followed(rule, wall + 1);
  }
  return wall;
}

function followed(rule: Rule, from: number): number | null {
  try {
    return rule.from(from);
  } catch {
    throw new Unreadable('The rule by which it comes again (RRULE) takes too long to follow.');
  }
}

/** Clocks that are put forward skip times; what a rule puts there does not take place. */
function isShown(wall: number, { isDay, zone }: When): boolean {
  return isDay || zone.wallOf(zone.momentOf(wall)) === wall;
}

/** Returns a time on the clocks by which the series goes. A day stands for that one of the series on it. */
function wallLike(other: When, start: When, { home }: Zones): number {
  if (start.isDay) return other.isDay ? other.wall : dayStart(other.wall);
  return other.isDay ? other.wall + start.wall - dayStart(start.wall) : start.zone.wallOf(momentOf(other, home));
}

/** Some leave such a line empty. */
function filled(property: Property, zones: Zones): readonly When[] {
  return property.value.trim() === '' ? [] : whensIn(property, zones);
}

/** What another entry says wrongly spoils that one alone. */
function readableIn(property: Property, zones: Zones): readonly When[] {
  try {
    return filled(property, zones);
  } catch {
    return [];
  }
}
