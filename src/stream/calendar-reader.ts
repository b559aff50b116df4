import { type Appointment, NOT_VOUCHED, type StreamEvent } from '../steward/ports.ts';
import { sha256 } from '../vault/hash.ts';
import { utc } from '../vault/time.ts';
import {
  dayStart,
  dayText,
  minuteText,
  namedZone,
  type Rule,
  readWritten,
  ruleOf,
  UTC,
  type Zone,
  zoneByName,
} from './calendar.ts';
import { type Component, componentsIn, type Property, textOf } from './calendar-lines.ts';
import { versionOf } from './calendar-revision.ts';
import { decode } from './decode.ts';
import { readHtml } from './html.ts';
import { type Item, type ItemContent, type ItemDoor, type ItemReader, nothing, refused, wholeFile } from './items.ts';
import { cutAt, oneLine, plainText } from './mail/plain-text.ts';

/** When something is: a whole day, or a time on the clocks of a zone. */
interface When {
  /** Of the day, or on the clocks of the zone (see `Written` in `calendar.ts`). */
  readonly wall: number;
  readonly isDay: boolean;
  readonly zone: Zone;
}

/** Finds the zones of a calendar by their names. */
interface Zones {
  /** The one that is meant where none is named: the person's. */
  readonly home: Zone;
  /** Null where nobody knows it. */
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

/** Returns what the values of a property say. Throws `Unreadable` where one cannot be read, or its zone is not known. */
function whensIn(property: Property, zones: Zones): readonly When[] {
  // Of a period, its beginning.
  return property.value.split(',').map((value) => whenOf(value.split('/')[0] ?? '', property, zones));
}

/** Returns it on the clocks of `home`: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:mm`. */
function whenText({ wall, isDay, zone }: When, home: Zone): string {
  return isDay ? dayText(wall) : minuteText(home.wallOf(zone.momentOf(wall)));
}

/** Returns the moment at which it begins; of a day, on the clocks of `home`. */
function momentOf({ wall, isDay, zone }: When, home: Zone): number {
  return (isDay ? home : zone).momentOf(wall);
}

function whenOf(value: string, { name, params }: Property, zones: Zones): When {
  const written = readWritten(value);
  if (written === null) throw new Unreadable(`${name} is no date: "${shown(value)}".`);
  const { wall, isUtc } = written;
  const isDay = written.isDay || params.get('VALUE')?.toUpperCase() === 'DATE';
  if (isDay) return { wall: dayStart(wall), isDay, zone: UTC };
  return { wall, isDay, zone: isUtc ? UTC : zoneIn(params.get('TZID'), zones) };
}

function zoneIn(name: string | undefined, zones: Zones): Zone {
  if (name === undefined || name.trim() === '') return zones.home;
  const zone = zones.find(name);
  if (zone === null) throw new Unreadable(`Nobody knows the time zone "${shown(name)}".`);
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

  /** Returns what a property says, without its escapes; empty where there is none. */
  text(wanted: string): string {
    const property = this.first(wanted);
    return property === null ? '' : textOf(property);
  }

  /** Returns when it says; null where there is none, or it is empty. Throws `Unreadable`. */
  when(wanted: string, zones: Zones): When | null {
    const property = this.first(wanted);
    return property === null || property.value.trim() === '' ? null : (whensIn(property, zones)[0] ?? null);
  }

  /** Its UID, or without one a hash of what it says, in whatever order its lines stand. */
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
  /** The RECURRENCE-IDs of those of the series that have an entry of their own. */
  readonly replaced: readonly Property[];
}

/** So many in a row may be left out before the series counts as one that cannot be worked out. */
const MOST_LEFT_OUT = 2000;
/** Nobody has such an appointment, and a rule of that kind may take very long to follow. */
const TOO_OFTEN = /FREQ=(?:SECONDLY|MINUTELY)/i;

/** Returns the first appointment of a series from a moment on; null where none comes any more. Throws `Unreadable`. */
function nextOf({ start, lines, replaced }: SeriesLines, zones: Zones, now: number): When | null {
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

/** When an entry is, and what it is of a series. */
interface Timing {
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
function timingOf(fields: Fields, zones: Zones, replaced: readonly Property[], now: number): Timing {
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

/** What an entry is read with. */
interface Surroundings {
  readonly zones: Zones;
  /** What its calendar is for, in capitals: `REQUEST`, `CANCEL`; empty where it does not say. */
  readonly method: string;
  /** The RECURRENCE-IDs of the entries that stand for single ones of its series. */
  readonly replaced: readonly Property[];
  readonly door: ItemDoor;
}

const MAX_SUBJECT = 500;
const MAX_TEXT = 16_000;
const MAX_LOCATION = 300;
const MAX_NAME = 200;
const DAY_MS = 86_400_000;
const ADDRESS = /^(?:mailto:)?([^\s@<>"']{1,64}@[^\s@<>"']{1,255})$/i;
/** Some calendars write HTML where text is meant. */
const HTML = /<(?:br|p|div|span|a|b|ul|html|html-blob)(?:\s[^<>]{0,500})?\/?>/i;

/** Returns what an appointment of a calendar says. Throws `Unreadable` where that cannot be told. */
function readEntry(entry: Component, { zones, method, replaced, door }: Surroundings): ItemContent {
  const fields = new Fields(entry);
  const timing = timingOf(fields, zones, replaced, door.now);
  const changed = changedAt(fields, zones, door.now);
  const appointment = appointmentOf(fields, timing, method, zones);
  const event: StreamEvent = {
    path: door.file,
    sourceType: door.sourceType,
    originAt: changed === null ? null : utc(changed),
    ...organiserIn(fields),
    ...{ to: [], subject: oneLine(fields.text('SUMMARY'), MAX_SUBJECT), text: textIn(fields), quoted: '' },
    ...{ bulk: false, bulkReason: null, ownNote: false, authentication: NOT_VOUCHED, warnings: [], shown: null },
    ...{ doubts: timing.doubts, appointment },
  };
  const start = whenText(timing.first, zones.home);
  const sequence = Number(fields.text('SEQUENCE'));
  const version = versionOf({ sequence, changed, status: appointment.status, start });
  const planned = timing.planned === null ? '' : whenText(timing.planned, UTC);
  return { what: 'event', event, identity: { key: `calendar ${fields.uid} ${planned}`, version, otherwise: 'newer' } };
}

function appointmentOf(fields: Fields, timing: Timing, method: string, { home }: Zones): Appointment {
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

/** Exports set DTSTAMP anew each time, so the last change goes first. One in the future is a wrong clock, or forged. */
function changedAt(fields: Fields, zones: Zones, now: number): number | null {
  const stamps = ['LAST-MODIFIED', 'DTSTAMP'].flatMap((name) => stampsIn(fields, name, zones));
  return stamps.find((stamp) => stamp - now <= DAY_MS) ?? null;
}

/** Whatever else is wrong with such a line, the appointment is not worth less for it. */
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
/** What may stand in a calendar besides appointments. */
const NO_APPOINTMENTS: ReadonlyMap<string, string> = new Map([
  ['VTODO', 'a to-do, and no appointment'],
  ['VJOURNAL', 'a journal entry, and no appointment'],
  ['VFREEBUSY', 'when somebody is free or busy, and no appointment'],
]);
/** What a calendar may be sent for that neither makes, moves nor cancels anything. */
const NO_NEWS = /^(?:REPLY|COUNTER|DECLINECOUNTER|REFRESH)$/;

/** What one calendar of a file says for all of its entries. */
interface Head {
  method: string;
  /** The time zones that it describes, by their names. */
  readonly described: Map<string, Component>;
  readonly zones: Zones;
}

/** What has to be known of a file before one entry of it can be read. */
interface Overview {
  readonly heads: ReadonlyMap<number, Head>;
  /** The RECURRENCE-IDs that stand beside a UID. */
  readonly replaced: ReadonlyMap<string, readonly Property[]>;
}

/** Reads the appointments of a file, one by one. An item's place is its number among the entries of the file. */
export const readCalendar: ItemReader = function* (source, from, door) {
  const text = withLineEnds(decode(wholeFile(source, MOST_BYTES)));
  const overview = overviewOf(text, door);
  let at = 0;
  for (const component of componentsIn(text)) {
    if (component.name !== 'VEVENT' && !NO_APPOINTMENTS.has(component.name)) continue;
    if (at >= from) yield itemOf(component, at, overview, door);
    at += 1;
  }
};

/** Very old programs end their lines with CR alone. */
function withLineEnds(text: string): string {
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

function itemOf(component: Component, at: number, overview: Overview, door: ItemDoor): Item {
  return { at, next: at + 1, place: `line ${component.line}`, read: () => contentOf(component, overview, door) };
}

function contentOf(component: Component, { heads, replaced }: Overview, door: ItemDoor): ItemContent {
  const head = heads.get(component.calendar);
  const reason = NO_APPOINTMENTS.get(component.name);
  if (reason !== undefined) return nothing(reason);
  if (component.flaw !== null || head === undefined) return refused(component.flaw ?? 'It stands in no calendar.');
  if (NO_NEWS.test(head.method)) return nothing('an answer to an invitation');
  try {
    const { zones, method } = head;
    return readEntry(component, { zones, method, replaced: replaced.get(uidOf(component)) ?? [], door });
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.message);
    throw error;
  }
}

function overviewOf(text: string, { zone }: ItemDoor): Overview {
  const heads = new Map<number, Head>();
  const replaced = new Map<string, Property[]>();
  const home = namedZone(zone);
  if (home === null) throw new Error(`no time zone: ${zone}`);
  for (const component of componentsIn(text)) {
    const head = heads.get(component.calendar) ?? headWith(home);
    heads.set(component.calendar, head);
    if (component.name === 'VCALENDAR') head.method ||= component.properties[0]?.value.trim().toUpperCase() ?? '';
    if (component.name === 'VTIMEZONE') addZone(head.described, component);
    if (component.name === 'VEVENT') addReplaced(replaced, component);
  }
  return { heads, replaced };
}

function headWith(home: Zones['home']): Head {
  const described = new Map<string, Component>();
  return { method: '', described, zones: zonesOf(described, home) };
}

function addZone(described: Map<string, Component>, component: Component): void {
  const name = textAt(component, 'TZID');
  if (name !== '' && !described.has(name)) described.set(name, component);
}

function addReplaced(replaced: Map<string, Property[]>, component: Component): void {
  const own = component.properties.find(({ name }) => name === 'RECURRENCE-ID');
  const uid = uidOf(component);
  if (own === undefined || uid === '') return;
  const known = replaced.get(uid);
  if (known === undefined) replaced.set(uid, [own]);
  else known.push(own);
}

function uidOf(component: Component): string {
  return textAt(component, 'UID');
}

function textAt({ properties }: Component, wanted: string): string {
  const property = properties.find(({ name }) => name === wanted);
  return property === undefined ? '' : textOf(property).trim();
}
