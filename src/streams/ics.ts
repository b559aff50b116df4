import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { findIana } from 'windows-iana';
import type { Appointment, StreamEvent } from '../steward/types.ts';
import { cutAt, oneLine, plainText, sha256 } from '../vault/note-text.ts';
import { utc, utcMidnight } from '../vault/time.ts';
import { readHtml } from './mail-html.ts';
import { decode } from './mail-parts.ts';
import {
  formatVersion,
  type Item,
  type ItemContent,
  type ItemReader,
  nothing,
  PLAIN_EVENT,
  type ReadContext,
  refused,
  wholeFile,
} from './stream.ts';

interface Line {
  readonly text: string;
  /** Its number in the file, from 1 on. */
  readonly at: number;
}

/** One property of an entry, as its line has it. */
export interface Property {
  /** In capitals. */
  readonly name: string;
  /** By their names in capitals, without quotes. */
  readonly params: ReadonlyMap<string, string>;
  /** As written, escapes and all. */
  readonly value: string;
  readonly line: number;
}

/** Longer lines are cut: no value in use is so long. */
const MOST = 65_536;
const NAME = /^[A-Za-z0-9-]{1,100}(?=[;:])/;
const ESCAPED = /\\([\\;,nN"])/g;

/** Returns the lines of a calendar, unfolded: one that begins with a blank goes on from the one before. */
export function* splitCalendarLines(text: string): Generator<Line> {
  let parts: string[] = [];
  let [length, began, number] = [0, 1, 0];
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at);
    const isMore = text[at] === ' ' || text[at] === '\t';
    number += 1;
    if (!isMore) {
      if (length > 0) yield { text: parts.join(''), at: began };
      [parts, length, began] = [[], 0, number];
    }
    const part = text.slice(isMore ? at + 1 : at, Math.min(end, at + MOST - Math.min(length, MOST))).replace(/\r$/, '');
    if (part !== '') parts.push(part);
    length += part.length;
    at = end + 1;
  }
  if (length > 0) yield { text: parts.join(''), at: began };
}

/** Returns the property of a line; null for any other line. */
export function parseProperty({ text, at }: Line): Property | null {
  const name = parseComponentName(text);
  if (name === null) return null;
  const [colon, marks] = headEnd(text, name.length);
  if (colon === -1) return null;
  const params = new Map<string, string>();
  for (const [nth, mark] of marks.entries()) {
    const [key = '', value = ''] = splitAt(text.slice(mark + 1, marks[nth + 1] ?? colon), '=');
    if (!params.has(key.toUpperCase())) params.set(key.toUpperCase(), value.replaceAll('"', ''));
  }
  return { name, params, value: text.slice(colon + 1), line: at };
}

/** Returns the name of a line's property in capitals; null for any other line. */
export function parseComponentName(text: string): string | null {
  return NAME.exec(text)?.[0].toUpperCase() ?? null;
}

/** Returns a value of text without its escapes. */
function propertyText({ value }: Property): string {
  return value.replace(ESCAPED, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/**
 * Returns the place of the value's colon, or −1, and the beginnings of the parameters. Colons and semicolons in quotes
 * don't count; some programs write an address without quotes.
 */
function headEnd(text: string, from: number): [number, readonly number[]] {
  const marks: number[] = [];
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (sign === ':' && !(marks.length > 0 && text.startsWith('//', at + 1))) return [at, marks];
    if (sign === ';') marks.push(at);
  }
  return [-1, marks];
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** A part of a calendar between its BEGIN and END: an entry, a time zone, or (`VCALENDAR`) one line of its head. */
interface Component {
  /** In capitals: `VEVENT`. */
  readonly name: string;
  /** Which calendar of the file it belongs to, from 0 on. */
  readonly calendar: number;
  readonly line: number;
  /** Those that anybody asks for, in the order of the file. */
  readonly properties: readonly Property[];
  /** The parts of a time zone; other components have no parts that are kept. */
  readonly parts: readonly { readonly name: string; readonly properties: readonly Property[] }[];
  /** Why it is incomplete; null if it is whole. */
  readonly flaw: string | null;
}

/** A component whose end has not come yet. */
interface Open extends Component {
  readonly properties: Property[];
  readonly parts: { readonly name: string; readonly properties: Property[] }[];
  /** How deep within its parts the reading is. */
  depth: number;
  /** How many properties are kept of it, its parts included. */
  kept: number;
}

const MARK = /^(BEGIN|END):([A-Za-z0-9-]{1,100})\s{0,9}$/i;
/** These are never part of one another: if one begins, the one before has lost its end. */
const WHOLE: ReadonlySet<string> = new Set(['VCALENDAR', 'VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']);
const OF_ENTRIES = 'UID RECURRENCE-ID SEQUENCE DTSTAMP LAST-MODIFIED DTSTART DTEND DURATION RRULE EXRULE RDATE EXDATE';
const OF_PEOPLE = 'SUMMARY DESCRIPTION LOCATION URL ORGANIZER STATUS';
const OF_ZONES = 'TZID X-LIC-LOCATION TZOFFSETFROM TZOFFSETTO';
const WANTED: ReadonlySet<string> = new Set(`METHOD ${OF_ENTRIES} ${OF_PEOPLE} ${OF_ZONES}`.split(' '));
const MOST_PROPERTIES = 5000;

/** Returns the parts of the calendars of a file, in order. Anything between them is skipped. */
function* componentsIn(text: string): Generator<Component> {
  let calendar = -1;
  let open: Open | null = null;
  for (const line of splitCalendarLines(text)) {
    const [, mark, written = ''] = MARK.exec(line.text) ?? [];
    const name = written.toUpperCase();
    if (mark === undefined) {
      const property = WANTED.has(parseComponentName(line.text) ?? '') ? parseProperty(line) : null;
      if (property === null) continue;
      if (open !== null) keep(open, property);
      else if (property.name === 'METHOD') yield { ...opened('VCALENDAR', calendar, line.at), properties: [property] };
      continue;
    }
    const begins = mark.toUpperCase() === 'BEGIN';
    const isWhole = WHOLE.has(name);
    if (open !== null && (isWhole || (!begins && name === open.name))) {
      yield closed(open, !begins && name === open.name ? open.flaw : 'It has no end (END).');
      open = null;
      if (!begins) continue;
    }
    if (begins && name === 'VCALENDAR') calendar += 1;
    else if (open !== null) enter(open, begins, name);
    else if (begins) open = opened(name, calendar, line.at);
  }
  if (open !== null) yield closed(open, 'It has no end (END): the file is cut off.');
}

function opened(name: string, calendar: number, line: number): Open {
  return { name, calendar, line, properties: [], parts: [], flaw: null, depth: 0, kept: 0 };
}

function closed({ name, calendar, line, properties, parts, kept }: Open, flaw: string | null): Component {
  const most = kept > MOST_PROPERTIES ? `It has more than ${MOST_PROPERTIES} lines.` : null;
  return { name, calendar, line, properties, parts, flaw: flaw ?? most };
}

function enter(open: Open, begins: boolean, name: string): void {
  open.depth = Math.max(0, open.depth + (begins ? 1 : -1));
  if (begins && open.depth === 1 && open.name === 'VTIMEZONE' && open.kept <= MOST_PROPERTIES) {
    open.kept += 1;
    open.parts.push({ name, properties: [] });
  }
}

function keep(open: Open, property: Property): void {
  const into = open.depth === 0 ? open.properties : open.depth === 1 ? open.parts.at(-1)?.properties : undefined;
  if (into === undefined) return;
  open.kept += 1;
  if (open.kept <= MOST_PROPERTIES) into.push(property);
}

/**
 * The names of time zones in Outlook on the web, behind the offset in brackets, and the IANA name of those that most
 * people live in.
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

/** Converts a wall time to its moment (epoch ms), and the other way round. */
interface Zone {
  readonly momentOf: (wall: number) => number;
  readonly wallOf: (moment: number) => number;
}

/** The zone of times that end in `Z`. */
const UTC: Zone = { momentOf: (wall) => wall, wallOf: (moment) => moment };

/** A date or a time as a calendar writes it. */
interface CalendarTime {
  readonly wall: number;
  readonly isDay: boolean;
  readonly isUtc: boolean;
}

/** Returns what `20350302`, `20350302T090000` or `20350302T080000Z` says; null if that is no such date or time. */
export function readWritten(text: string): CalendarTime | null {
  const [whole, year, month, day, hour, minute, second, utc] = WRITTEN.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (midnight === null) return null;
  if (hour === undefined) return { wall: midnight, isDay: true, isUtc: false };
  const time = timeOf(Number(hour), Number(minute), Number(second ?? 0));
  return time === null ? null : { wall: midnight + time, isDay: false, isUtc: utc !== undefined };
}

/** Returns the midnight at which the day of a wall time began. */
function dayStart(wall: number): number {
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
interface Rule {
  /** Returns the first time at or after another; null after the last. Throws if that cannot be worked out. */
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
 * Returns the rule that an RRULE gives; null if it isn't a rule. It is followed by the clock on the wall, so that nine
 * o'clock stays nine o'clock. `wallOf`: the time of that clock at a moment, for an end that is given as one.
 */
function ruleOf(
  written: string,
  start: Pick<CalendarTime, 'wall' | 'isDay'>,
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

function endOf({ wall, isDay, isUtc }: CalendarTime, isOfDays: boolean, wallOf: (moment: number) => number): number {
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
/** The times of rules without an end are computed between these. */
const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(2100, 0, 1);
const MOST_PARTS = 400;
const MOST_CHANGES = 5000;

/** Returns the zone that a calendar describes by itself (VTIMEZONE); null if the description cannot be used. */
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
  // Wall times that the clocks skip use the offset of before; repeated ones are the first.
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

/** Returns when the offset of one part of a zone begins, each time; null if that is unknown. */
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

/** Returns the zone of an IANA name, null if no zone has that name. */
export function namedZone(name: string): Zone | null {
  if (UTC_NAMES.test(name)) return UTC;
  const known = knownName(name);
  return known === null ? null : zoneOfZone(known);
}

/**
 * Returns the zone that a calendar means by a name. It may be an IANA name, a path that ends in one
 * (`/mozilla.org/…/Europe/Berlin`), a name of Windows, or one that the calendar itself describes. Null if all are
 * unknown.
 */
export function zoneByName(written: string, own: Component | null): Zone | null {
  const name = written.trim().replace(/^\//, '');
  if (name === '' || name.length > MAX_NAME) return null;
  // A name such as EST is IANA's zone without summer time; calendars mean a place by it, and say which rules it has.
  const isPlace = name.includes('/') || UTC_NAMES.test(name);
  const known = (isPlace ? byTail(name) : null) ?? byWindows(name) ?? fromOwn(own);
  return known ?? (isPlace ? null : namedZone(name)) ?? byOffset(name);
}

/** Returns the zone of the longest part at the end of a path of names that IANA knows. */
function byTail(name: string): Zone | null {
  const parts = name.split('/');
  const tails = [parts, ...[3, 2, 1].filter((length) => length < parts.length).map((length) => parts.slice(-length))];
  return firstZone(tails, (tail) => namedZone(tail.join('/')));
}

function byWindows(name: string): Zone | null {
  const shown = OUTLOOK_NAMES.get(name.replace(OFFSET_IN_FRONT, '').toLowerCase());
  return firstZone(shown === undefined ? findIana(name) : [shown], namedZone);
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

function firstZone<T>(all: readonly T[], read: (one: T) => Zone | null): Zone | null {
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

/** When something is: a whole day, or a time on the clocks of a zone. */
interface When {
  /** Of the day, or on the clocks of the zone (see `CalendarTime`). */
  readonly wall: number;
  readonly isDay: boolean;
  readonly zone: Zone;
}

interface Zones {
  /** The zone of a time that names no zone: the person's. */
  readonly home: Zone;
  /** Null if the zone is unknown. */
  readonly find: (name: string) => Zone | null;
}

/** Why an entry cannot be read: one sentence. */
class Unreadable extends Error {}

const MAX_SHOWN = 40;

/** Returns the zones of a calendar, each worked out once. `own`: those that it describes by itself. */
function zonesOf(own: ReadonlyMap<string, Component>, home: Zone): Zones {
  const known = new Map<string, Zone | null>();
  return {
    home,
    find(name) {
      const found = known.get(name);
      if (found !== undefined) return found;
      const zone = zoneByName(name, own.get(name) ?? null);
      known.set(name, zone);
      return zone;
    },
  };
}

/** Returns what the values of a property say. Throws `Unreadable` if one cannot be read, or its zone is not known. */
function whensIn(property: Property, zones: Zones): readonly When[] {
  // The start of a period.
  return property.value.split(',').map((value) => whenOf(value.split('/')[0] ?? '', property, zones));
}

/** Returns it on the clocks of `home`: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:mm`. */
function whenText({ wall, isDay, zone }: When, home: Zone): string {
  return isDay
    ? new Date(wall).toISOString().slice(0, 10)
    : new Date(home.wallOf(zone.momentOf(wall))).toISOString().slice(0, 16);
}

/** Returns the moment at which it begins; of a day, on the clocks of `home`. */
function momentOf({ wall, isDay, zone }: When, home: Zone): number {
  return (isDay ? home : zone).momentOf(wall);
}

function whenOf(value: string, { name, params }: Property, zones: Zones): When {
  const written = readWritten(value);
  if (written === null) throw new Unreadable(`${name} isn't a date: "${shown(value)}".`);
  const { wall, isUtc } = written;
  const isDay = written.isDay || params.get('VALUE')?.toUpperCase() === 'DATE';
  if (isDay) return { wall: dayStart(wall), isDay, zone: UTC };
  return { wall, isDay, zone: isUtc ? UTC : zoneIn(params.get('TZID'), zones) };
}

function zoneIn(name: string | undefined, zones: Zones): Zone {
  if (name === undefined || name.trim() === '') return zones.home;
  const zone = zones.find(name);
  if (zone === null) throw new Unreadable(`Unknown time zone "${shown(name)}".`);
  return zone;
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The properties of an entry, by their names. Of several of one name, the first counts. */
class Fields {
  readonly all: readonly Property[];

  constructor({ properties }: Component) {
    this.all = properties;
  }

  /** Returns the property of a name, or null. */
  first(wanted: string): Property | null {
    return this.all.find(({ name }) => name === wanted) ?? null;
  }

  /** Returns the value of a property, without its escapes; empty if it is missing. */
  text(wanted: string): string {
    const property = this.first(wanted);
    return property === null ? '' : propertyText(property);
  }

  /** Returns the time of a property; null if it is missing or empty. Throws `Unreadable`. */
  when(wanted: string, zones: Zones): When | null {
    const property = this.first(wanted);
    return property === null || property.value.trim() === '' ? null : (whensIn(property, zones)[0] ?? null);
  }

  /** Its UID, or without one a hash of its lines in any order. */
  get uid(): string {
    const uid = this.text('UID').trim();
    if (uid !== '') return uid;
    const lines = this.all.map(({ name, params, value }) => JSON.stringify([name, [...params].toSorted(), value]));
    return `sha256:${sha256(lines.toSorted().join('\n'))}`;
  }
}

/** The lines that say how an appointment comes again. */
interface SeriesLines {
  readonly start: When;
  /** RRULE, RDATE and EXDATE. */
  readonly lines: readonly Property[];
  /** Those of the series that have an entry of their own. */
  readonly replaced: readonly Replaced[];
}

/** One of a series that has an entry of its own. */
interface Replaced {
  /** Its RECURRENCE-ID: which one it is. */
  readonly own: Property;
  /** When it takes place instead; null if its entry doesn't say. */
  readonly start: Property | null;
  readonly isCancelled: boolean;
  /** Its SEQUENCE: of two versions in one file, the higher one counts. */
  readonly version: number;
}

/** So many in a row may be left out before the series counts as one that cannot be worked out. */
const MOST_LEFT_OUT = 2000;
/** No real appointment repeats so often, and such a rule may take very long to follow. */
const TOO_OFTEN = /FREQ=(?:SECONDLY|MINUTELY)/i;

/**
 * Returns the first appointment of a series from a moment on, those that were moved included; null after the last one.
 * Throws `Unreadable`.
 */
function nextOf({ start, lines, replaced }: SeriesLines, zones: Zones, now: number): When | null {
  const zone = start.isDay ? zones.home : start.zone;
  const alike = (whens: readonly When[]) => whens.map((each) => wallLike(each, start, zones));
  const dates = (wanted: string) =>
    alike(lines.filter(({ name }) => name === wanted).flatMap((each) => filled(each, zones)));
  const left = new Set([...dates('EXDATE'), ...alike(replaced.flatMap(({ own }) => readableIn(own, zones)))]);
  const more = dates('RDATE');
  const written = lines.filter(({ name, value }) => name === 'RRULE' && value.trim() !== '');
  const rules = written.map(({ value }) => readable(value, start, zone));
  // Of days, today's still counts.
  const from = start.isDay ? dayStart(zone.wallOf(now)) : zone.wallOf(now);
  const single = [start.wall, ...more].filter((wall) => wall >= from && !left.has(wall));
  const ruled = rules.map((rule) => firstShown(rule, from, (wall) => !left.has(wall) && isShown(wall, start)));
  const walls = [...single, ...ruled].filter((wall) => wall !== null);
  const own = walls.length === 0 ? [] : [{ ...start, wall: Math.min(...walls) }];
  const [next = null] = [...own, ...movedTo(replaced, zones, now)].toSorted(
    (one, other) => momentOf(one, zones.home) - momentOf(other, zones.home),
  );
  return next;
}

/** Returns when those of a series that were moved take place, as far as that is still to come. */
function movedTo(replaced: readonly Replaced[], zones: Zones, now: number): readonly When[] {
  const today = zones.home.momentOf(dayStart(zones.home.wallOf(now)));
  return replaced
    .filter(({ own, isCancelled }) => !isCancelled && !isForLater(own))
    .flatMap(({ start }) => (start === null ? [] : readableIn(start, zones).slice(0, 1)))
    .filter((when) => momentOf(when, zones.home) >= (when.isDay ? today : now));
}

function readable(value: string, start: When, zone: Zone): Rule {
  if (TOO_OFTEN.test(value)) throw new Unreadable('It recurs more often than every hour.');
  const rule = ruleOf(value, start, zone.wallOf);
  if (rule === null) throw new Unreadable("Its rule of recurrence (RRULE) isn't supported.");
  return rule;
}

function firstShown(rule: Rule, from: number, counts: (wall: number) => boolean): number | null {
  let wall = followed(rule, from);
  for (let nth = 0; wall !== null && !counts(wall); nth += 1) {
    if (nth === MOST_LEFT_OUT) throw new Unreadable('The series has too many exceptions.');
    wall = followed(rule, wall + 1);
  }
  return wall;
}

function followed(rule: Rule, from: number): number | null {
  try {
    return rule.from(from);
  } catch {
    throw new Unreadable('Its rule of recurrence (RRULE) takes too long to compute.');
  }
}

/** Clocks that are put forward skip times; what a rule puts there does not take place. */
function isShown(wall: number, { isDay, zone }: When): boolean {
  return isDay || zone.wallOf(zone.momentOf(wall)) === wall;
}

/** Returns a time on the clocks that the series uses. A day means the appointment of the series on it. */
function wallLike(other: When, start: When, { home }: Zones): number {
  if (start.isDay) return other.isDay ? other.wall : dayStart(other.wall);
  return other.isDay ? other.wall + start.wall - dayStart(start.wall) : start.zone.wallOf(momentOf(other, home));
}

/** Some leave such a line empty. */
function filled(property: Property, zones: Zones): readonly When[] {
  return property.value.trim() === '' ? [] : whensIn(property, zones);
}

/** An error in another entry affects only that entry. */
function readableIn(property: Property, zones: Zones): readonly When[] {
  try {
    return filled(property, zones);
  } catch {
    return [];
  }
}

/** When an entry is, and what it is of a series. */
interface Timing {
  /** As its calendar has it; of a series, that of the first. */
  readonly first: When;
  /** For a series, the start of the next. */
  readonly start: When;
  /** When it is over; the day after the last, if it is of days. Null if the calendar does not say. */
  readonly end: When | null;
  readonly planned: When | null;
  readonly isSeries: boolean;
  /** The parts of the series that could not be worked out. */
  readonly doubts: readonly string[];
}

const DURATION = /^\+?P(?:(\d{1,4})W|(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?)$/i;
const ALL_LATER = "It also changes all later appointments of its series, which Steward doesn't support.";
const CHANGED_LATER = "Another entry changes this series from some day on, which Steward doesn't support.";

/**
 * Returns when an entry is. `replaced`: the entries that replace single appointments of its series. Throws `Unreadable`
 * if that is unknown.
 */
function timingOf(fields: Fields, zones: Zones, replaced: readonly Replaced[], now: number): Timing {
  const first = fields.when('DTSTART', zones);
  if (first === null) throw new Unreadable('It has no start (DTSTART).');
  const planned = fields.when('RECURRENCE-ID', zones);
  const isSeries = planned === null && fields.all.some(({ name }) => name === 'RRULE' || name === 'RDATE');
  if (isSeries && fields.first('EXRULE') !== null) throw new Unreadable('Its exceptions are given by a rule (EXRULE).');
  // A series that is over has the time of its first appointment.
  const next = isSeries ? nextOf({ start: first, lines: fields.all, replaced }, zones, now) : null;
  const start = next ?? first;
  const end = shownEnd(first, start, fields, zones);
  return { first, start, end, planned, isSeries, doubts: doubtsAbout(fields, isSeries, replaced) };
}

function shownEnd(first: When, start: When, fields: Fields, zones: Zones): When | null {
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

function doubtsAbout(fields: Fields, isSeries: boolean, replaced: readonly Replaced[]): readonly string[] {
  const one = fields.first('RECURRENCE-ID');
  if (one !== null && isForLater(one)) return [ALL_LATER];
  return isSeries && replaced.some(({ own }) => isForLater(own)) ? [CHANGED_LATER] : [];
}

function isForLater({ params }: Property): boolean {
  return params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE';
}

interface Surroundings {
  readonly zones: Zones;
  /** The purpose of its calendar, in capitals: `REQUEST`, `CANCEL`; empty if it does not say. */
  readonly method: string;
  /** The entries that replace single appointments of its series. */
  readonly replaced: readonly Replaced[];
  /** Whether the file has the series that it may be one of. */
  readonly hasSeries: boolean;
  readonly context: ReadContext;
}

const MAX_SUBJECT = 500;
const MAX_TEXT = 16_000;
const MAX_LOCATION = 300;
const ADDRESS = /^(?:mailto:)?([^\s@<>"']{1,64}@[^\s@<>"']{1,255})$/i;
/** Some calendars write HTML in a text field. */
const HTML = /<(?:br|p|div|span|a|b|ul|html|html-blob)(?:\s[^<>]{0,500})?\/?>/i;

/** Returns what an appointment of a calendar says. Throws `Unreadable` if that is unknown. */
function readEntry(entry: Component, { zones, method, replaced, hasSeries, context }: Surroundings): ItemContent {
  const fields = new Fields(entry);
  const timing = timingOf(fields, zones, replaced, context.now);
  const changed = changedAt(fields, zones, context.now);
  const appointment = appointmentOf(fields, timing, method, zones, hasSeries);
  const event: StreamEvent = {
    ...PLAIN_EVENT,
    path: context.file,
    sourceType: context.sourceType,
    originAt: changed === null ? null : utc(changed),
    ...organiserIn(fields),
    subject: oneLine(fields.text('SUMMARY'), MAX_SUBJECT),
    text: textIn(fields),
    doubts: timing.doubts,
    appointment,
  };
  const start = whenText(timing.first, zones.home);
  const sequence = Number(fields.text('SEQUENCE'));
  const version = formatVersion({ sequence, changed, status: appointment.status, start });
  const planned = timing.planned === null ? '' : whenText(timing.planned, UTC);
  return { what: 'event', event, identity: { key: `calendar ${fields.uid} ${planned}`, version, otherwise: 'newer' } };
}

function appointmentOf(
  fields: Fields,
  timing: Timing,
  method: string,
  { home }: Zones,
  hasSeries: boolean,
): Appointment {
  const start = whenText(timing.start, home);
  const planned = timing.planned === null ? null : whenText(timing.planned, home);
  return {
    uid: oneLine(fields.uid, MAX_SUBJECT),
    recurrence: planned,
    status: statusOf(fields, method),
    start,
    end: endText(timing, home),
    movedFrom: planned === start ? null : planned,
    location: oneLine(fields.text('LOCATION'), MAX_LOCATION) || null,
    ...(timing.isSeries ? { series: true as const } : {}),
    ...(planned !== null && hasSeries ? { ofSeries: true as const } : {}),
  };
}

/** Its last day counts in; the calendar names the one after. */
function endText({ start, end }: Timing, home: Zone): string | null {
  if (end === null) return null;
  return whenText(end.isDay ? { ...end, wall: Math.max(start.wall, end.wall - DAY_MS) } : end, home);
}

function statusOf(fields: Fields, method: string): Appointment['status'] {
  const status = fields.text('STATUS').trim().toUpperCase();
  if (method === 'CANCEL' || status === 'CANCELLED') return 'cancelled';
  return status === 'TENTATIVE' ? 'tentative' : 'confirmed';
}

/**
 * Exports set DTSTAMP again each time, so the last change goes first. One in the future is a wrong clock, or forged.
 */
function changedAt(fields: Fields, zones: Zones, now: number): number | null {
  const stamps = ['LAST-MODIFIED', 'DTSTAMP'].flatMap((name) => stampsIn(fields, name, zones));
  return stamps.find((stamp) => stamp - now <= DAY_MS) ?? null;
}

/** A time that cannot be read is left out: the appointment counts nevertheless. */
function stampsIn(fields: Fields, name: string, zones: Zones): readonly number[] {
  try {
    const when = fields.when(name, zones);
    return when === null ? [] : [momentOf(when, zones.home)];
  } catch {
    return [];
  }
}

function organiserIn(fields: Fields): Pick<StreamEvent, 'from' | 'fromName'> {
  const organiser = fields.first('ORGANIZER');
  const address = ADDRESS.exec(plainText(organiser?.value ?? '').trim())?.[1]?.toLowerCase() ?? null;
  return { from: address, fromName: oneLine(organiser?.params.get('CN') ?? '', MAX_NAME) || null };
}

function textIn(fields: Fields): string {
  const written = fields.text('DESCRIPTION');
  const description = HTML.test(written) ? readHtml(written).seen : written;
  const parts = [description, fields.text('LOCATION'), fields.text('URL')].map((part) => plainText(part).trim());
  return cutAt(parts.filter((part) => part !== '').join('\n'), MAX_TEXT);
}

const MOST_BYTES = 64 * 1024 * 1024;
const NO_APPOINTMENTS: ReadonlyMap<string, string> = new Map([
  ['VTODO', 'a to-do, not an appointment'],
  ['VJOURNAL', 'a journal entry, not an appointment'],
  ['VFREEBUSY', 'a free/busy time, not an appointment'],
]);
/** Purposes of a calendar that neither make, move nor cancel an appointment. */
const NO_NEWS = /^(?:REPLY|COUNTER|DECLINECOUNTER|REFRESH)$/;

interface Head {
  method: string;
  /** The time zones that it describes, by their names. */
  readonly described: Map<string, Component>;
  readonly zones: Zones;
}

interface Overview {
  readonly heads: ReadonlyMap<number, Head>;
  /** The single ones of each series, by its UID. */
  readonly replaced: ReadonlyMap<string, readonly Replaced[]>;
  readonly series: ReadonlySet<string>;
}

/** Reads the appointments of a file, one by one. An item's place is its number among the entries of the file. */
export const readCalendar: ItemReader = function* (source, from, context) {
  const text = withLineEnds(decode(wholeFile(source, MOST_BYTES)));
  const overview = overviewOf(text, context);
  let at = 0;
  for (const component of componentsIn(text)) {
    if (component.name !== 'VEVENT' && !NO_APPOINTMENTS.has(component.name)) continue;
    if (at >= from) yield itemOf(component, at, overview, context);
    at += 1;
  }
};

/** Very old programs end their lines with CR alone. */
function withLineEnds(text: string): string {
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

function itemOf(component: Component, at: number, overview: Overview, context: ReadContext): Item {
  return { at, next: at + 1, place: `line ${component.line}`, read: () => contentOf(component, overview, context) };
}

function contentOf(component: Component, { heads, replaced, series }: Overview, context: ReadContext): ItemContent {
  const head = heads.get(component.calendar);
  const reason = NO_APPOINTMENTS.get(component.name);
  if (reason !== undefined) return nothing(reason);
  if (component.flaw !== null || head === undefined) return refused(component.flaw ?? "It isn't in a calendar.");
  if (NO_NEWS.test(head.method)) return nothing('an answer to an invitation');
  try {
    const { zones, method } = head;
    const uid = uidOf(component);
    const surroundings = { zones, method, replaced: replaced.get(uid) ?? [], hasSeries: series.has(uid), context };
    return readEntry(component, surroundings);
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.message);
    throw error;
  }
}

function overviewOf(text: string, { zone }: ReadContext): Overview {
  const heads = new Map<number, Head>();
  const replaced = new Map<string, Replaced[]>();
  const series = new Set<string>();
  const home = namedZone(zone);
  if (home === null) throw new Error(`no time zone: ${zone}`);
  for (const component of componentsIn(text)) {
    const head = heads.get(component.calendar) ?? headWith(home);
    heads.set(component.calendar, head);
    if (component.name === 'VCALENDAR') head.method ||= component.properties[0]?.value.trim().toUpperCase() ?? '';
    if (component.name === 'VTIMEZONE') addZone(head.described, component);
    if (component.name === 'VEVENT') addReplaced(replaced, component);
    if (component.name === 'VEVENT' && isSeriesEntry(component)) series.add(uidOf(component));
  }
  return { heads, replaced, series };
}

function headWith(home: Zones['home']): Head {
  const described = new Map<string, Component>();
  return { method: '', described, zones: zonesOf(described, home) };
}

function addZone(described: Map<string, Component>, component: Component): void {
  const name = textAt(component, 'TZID');
  if (name !== '' && !described.has(name)) described.set(name, component);
}

function addReplaced(replaced: Map<string, Replaced[]>, component: Component): void {
  const own = component.properties.find(({ name }) => name === 'RECURRENCE-ID');
  const uid = uidOf(component);
  if (own === undefined || uid === '') return;
  const start = component.properties.find(({ name }) => name === 'DTSTART') ?? null;
  const version = Number(textAt(component, 'SEQUENCE')) || 0;
  const one = { own, start, isCancelled: textAt(component, 'STATUS').toUpperCase() === 'CANCELLED', version };
  const known = replaced.get(uid) ?? [];
  const isNewer = known.every((other) => other.own.value !== own.value || other.version <= version);
  if (isNewer) replaced.set(uid, [...known.filter((other) => other.own.value !== own.value), one]);
}

function isSeriesEntry({ properties }: Component): boolean {
  const names = new Set(properties.map(({ name }) => name));
  return names.has('UID') && !names.has('RECURRENCE-ID') && (names.has('RRULE') || names.has('RDATE'));
}

function uidOf(component: Component): string {
  return textAt(component, 'UID');
}

/** Returns the unescaped value of a property; empty if it is missing. */
export function textAt({ properties }: Pick<Component, 'properties'>, wanted: string): string {
  const property = properties.find(({ name }) => name === wanted);
  return property === undefined ? '' : propertyText(property).trim();
}
