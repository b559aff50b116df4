import { z } from 'zod';
import { namedZone, readWritten, zoneByName } from '../stream/calendar.ts';
import { linesIn, nameIn, type Property, propertyIn, textOf } from '../stream/calendar-lines.ts';
import { codesIn } from '../stream/money.ts';
import { linksIn } from '../stream/targets/link.ts';
import { sha256 } from '../vault/hash.ts';
import { utc } from '../vault/time.ts';
import type { Arrival, SourceProblem } from './connector.ts';

/** One entry of a calendar, as its lines have it; without its parts (alarms). */
export interface EntryText {
  /** What makes it one and the same: UID and RECURRENCE-ID. Null where it has no UID, and nobody could cancel it. */
  readonly key: string | null;
  readonly uid: string;
  /** Unfolded, in the order of the file. */
  readonly lines: readonly string[];
  readonly properties: readonly Property[];
}

/** The entries of a calendar, and the zones that it describes, by their names. */
export interface CalendarText {
  readonly entries: readonly EntryText[];
  readonly zones: ReadonlyMap<string, readonly string[]>;
}

const MARK = /^(BEGIN|END):([A-Za-z0-9-]{1,100})\s{0,9}$/i;
/** What is looked at of an entry. */
const KNOWN =
  /^(?:UID|RECURRENCE-ID|SEQUENCE|DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|SUMMARY|DESCRIPTION|LOCATION|URL|ORGANIZER|STATUS)(?=[;:])/i;
const RULED = /^(?:RRULE|RDATE)(?=[;:])/i;
const RANGE_END = /(?:^|;)UNTIL=([0-9TZ]{8,16})/i;
const SPAN = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?/i;
const DAY_MS = 86_400_000;
const MOST_ENTRIES = 100_000;

/** Returns what stands in the text of a calendar. Whatever has no end is left out. */
export function calendarIn(text: string): CalendarText {
  const entries: EntryText[] = [];
  const zones = new Map<string, readonly string[]>();
  for (const { name, lines } of blocksIn(text)) {
    if (name === 'VTIMEZONE') addZone(zones, lines);
    else if (entries.length < MOST_ENTRIES) entries.push(entryOf(lines));
  }
  return { entries, zones };
}

/** Returns the description of a zone, as it stands in a calendar. */
function zoneText(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'];
}

/** A hash of what an entry says; not of the lines that many servers write anew each time. */
export function digestOf(entries: readonly EntryText[]): string {
  const said = entries.map(({ lines }) =>
    lines
      .filter((line) => KNOWN.test(line))
      .toSorted()
      .join('\n'),
  );
  return sha256(said.toSorted().join('\n\n')).slice(0, 16);
}

/** Whether an entry comes again. */
export function isSeries({ lines }: EntryText): boolean {
  return lines.some((line) => RULED.test(line));
}

/** Returns the keys of those of a series that it leaves out (EXDATE). */
export function leftOutOf({ uid, properties }: EntryText): readonly string[] {
  const dates = properties.filter(({ name }) => name === 'EXDATE').flatMap(({ value }) => value.split(','));
  return dates.map((date) => `${uid}\n${date.trim()}`);
}

/** Returns the value of a property without its escapes; empty where there is none. */
function valueIn({ properties }: Pick<EntryText, 'properties'>, wanted: string): string {
  const property = properties.find(({ name }) => name === wanted);
  return property === undefined ? '' : textOf(property).trim();
}

/**
 * Returns when an entry begins and when it is over for good (epoch ms), to the day: zones are not worked out. `end` is null
 * for a series of which that is not written. Null where nothing can be told.
 */
export function extentOf(entry: EntryText): { readonly start: number; readonly end: number | null } | null {
  const start = readWritten(valueIn(entry, 'DTSTART'));
  if (start === null) return null;
  if (isSeries(entry)) return { start: start.wall, end: lastOf(entry) };
  const end = readWritten(valueIn(entry, 'DTEND'))?.wall ?? start.wall + lengthOf(valueIn(entry, 'DURATION'));
  return { start: start.wall, end: Math.max(start.wall, end) };
}

/** The last day on which a series that has an end may still take place. */
function lastOf({ lines, properties }: EntryText): number | null {
  const rules = lines.filter((line) => /^RRULE(?=[;:])/i.test(line));
  const ends = rules.map(
    (line) => readWritten(RANGE_END.exec(line.slice(line.indexOf(':') + 1))?.[1] ?? '')?.wall ?? null,
  );
  const dates = properties.filter(({ name }) => name === 'RDATE').flatMap(({ value }) => value.split(','));
  const single = dates.map((date) => readWritten(date.split('/')[0] ?? '')?.wall ?? null);
  const all = [...ends, ...single];
  return all.includes(null) ? null : all.reduce<number>((one, other) => Math.max(one, other ?? 0), 0) + DAY_MS;
}

/** Of a duration, its days; what is shorter than a day counts as one. */
function lengthOf(duration: string): number {
  const [, weeks = '0', days = '0'] = SPAN.exec(duration) ?? [];
  return (Number(weeks) * 7 + Number(days)) * DAY_MS + (duration === '' ? 0 : DAY_MS);
}

function addZone(zones: Map<string, readonly string[]>, lines: readonly string[]): void {
  const id = lines.find((line) => /^TZID(?=[;:])/i.test(line));
  const name = id === undefined ? '' : id.slice(id.indexOf(':') + 1).trim();
  if (name !== '' && !zones.has(name)) zones.set(name, lines);
}

function entryOf(lines: readonly string[]): EntryText {
  const properties = lines.filter((line) => KNOWN.test(line)).flatMap((text) => propertyIn({ text, at: 0 }) ?? []);
  const uid = valueIn({ properties }, 'UID');
  const own = properties.find(({ name }) => name === 'RECURRENCE-ID');
  return { key: uid === '' ? null : `${uid}\n${own?.value.trim() ?? ''}`, uid, lines, properties };
}

/** Returns the entries and zones of a text: of a zone with its parts, of an entry without. */
function* blocksIn(text: string): Generator<{ readonly name: string; readonly lines: readonly string[] }> {
  let open: { readonly name: string; readonly lines: string[] } | null = null;
  let depth = 0;
  for (const { text: line } of linesIn(text.includes('\n') ? text : text.replaceAll('\r', '\n'))) {
    const [, mark, written = ''] = MARK.exec(line) ?? [];
    const name = written.toUpperCase();
    const begins = mark?.toUpperCase() === 'BEGIN';
    if (begins && (name === 'VEVENT' || name === 'VTIMEZONE')) {
      open = { name, lines: [] };
      depth = 0;
    } else if (open === null) continue;
    else if (mark !== undefined && !begins && name === open.name) {
      yield open;
      open = null;
    } else {
      if (begins) depth += 1;
      if (depth === 0 || open.name === 'VTIMEZONE') open.lines.push(line.trimEnd());
      if (mark !== undefined && !begins) depth -= 1;
    }
  }
}

/*
 * Of two versions of an appointment the one with the higher SEQUENCE counts. Where we said that one was cancelled, that number
 * was ours; if the entry comes back, or goes on, on the server, its own numbers are lower. So it is remembered by how much they
 * are raised from then on.
 */

/** By UID and RECURRENCE-ID: by how much its SEQUENCE is raised. */
export const raises = z.record(z.string(), z.int().min(0).max(1_000_000));
type Raises = z.infer<typeof raises>;

const MOST_SEQUENCE = 999_999_999;
const MOST_RAISES = 500;
/** What a calendar that we write does not take over: attachments, and texts that stand in it once more as HTML. */
const DROPPED = /^(?:ATTACH|X-ALT-DESC)(?=[;:])/i;
const SEQUENCE = /^SEQUENCE(?=[;:])/i;
const MAX_SEQUENCE_DIGITS = 9;

/** Returns a calendar that says that some entries are cancelled, newer than whatever was said of them. */
function cancelledText(gone: readonly (readonly [string, RememberedEntry])[], raised: Raises, now: number): string {
  const parts = gone.map(([key, [, , lines]]) =>
    partsOf(lines.split('\n'), sequenceIn(lines) + (raised[key] ?? 0) + 1, now),
  );
  const zones = [...new Set(parts.map(({ zone }) => zone))].filter((zone) => zone !== '');
  return calendarOf(['METHOD:CANCEL'], [...zones, ...parts.map(({ entry }) => entry)]);
}

/** Returns the raises once some entries were said to be cancelled: the newest only, they are needed for what comes back soon. */
export function raisedBy(gone: readonly (readonly [string, RememberedEntry])[], raised: Raises): Raises {
  const next = { ...raised };
  for (const [key, [, , lines]] of gone) {
    const by = sequenceIn(lines) + (raised[key] ?? 0) + 2;
    delete next[key];
    next[key] = Math.min(by, 1_000_000);
  }
  return Object.fromEntries(Object.entries(next).slice(-MOST_RAISES));
}

/** Whether an entry of a calendar comes back after it was said to be cancelled. */
export function isRaised({ entries }: Pick<CalendarText, 'entries'>, raised: Raises): boolean {
  return entries.some(({ key }) => key !== null && Object.hasOwn(raised, key));
}

/** Returns a calendar of some entries, and of the zones that they need. */
export function calendarText(entries: readonly EntryText[], zones: CalendarText['zones'], raised: Raises): string {
  const names = new Set(
    entries.flatMap(({ properties }) => properties.flatMap(({ params }) => params.get('TZID') ?? [])),
  );
  const described = [...names]
    .map((name) => zoneText(zones.get(name) ?? []).join('\r\n'))
    .filter((text) => text !== '');
  return calendarOf([], [...described, ...entries.map((one) => entryText(one, raised))]);
}

function entryText(one: EntryText, raised: Raises): string {
  const by = one.key === null ? undefined : raised[one.key];
  const own = one.lines.filter((line) => !DROPPED.test(line));
  if (by === undefined) return wrapped(own);
  const sequence = (Number(valueIn(one, 'SEQUENCE')) || 0) + by;
  return wrapped([...own.filter((line) => !SEQUENCE.test(line)), `SEQUENCE:${Math.min(sequence, MOST_SEQUENCE)}`]);
}

function partsOf(lines: readonly string[], sequence: number, now: number): { zone: string; entry: string } {
  const end = lines.indexOf('END:VTIMEZONE') + 1;
  const stamp = utc(now).replace(/[-:]/g, '');
  const said = [`SEQUENCE:${Math.min(sequence, MOST_SEQUENCE)}`, `DTSTAMP:${stamp}`, 'STATUS:CANCELLED'];
  const own = lines.slice(end).filter((line) => !SEQUENCE.test(line));
  return { zone: lines.slice(0, end).join('\r\n'), entry: wrapped([...own, ...said]) };
}

function sequenceIn(lines: string): number {
  const [, digits = '0'] = /^SEQUENCE:\s{0,9}(\d{1,10})/im.exec(lines) ?? [];
  return digits.length > MAX_SEQUENCE_DIGITS ? MOST_SEQUENCE - 2 : Number(digits);
}

function wrapped(lines: readonly string[]): string {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
}

function calendarOf(head: readonly string[], parts: readonly string[]): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//vault-steward//source//EN', ...head];
  return `${[...lines, ...parts, 'END:VCALENDAR'].join('\r\n')}\r\n`;
}

/** What is said where so much is gone at once that nothing counts as cancelled for a day. */
export const MANY_GONE: SourceProblem = {
  message: 'Most entries of a calendar are gone at once; for a day none of them counts as cancelled.',
  hint: 'If they were deleted on purpose, nothing is needed. Else look at the calendar where it is kept.',
};

/** Returns what says that some entries were cancelled: one calendar for each series with all that belongs to it. */
export function cancellations(
  gone: readonly (readonly [string, RememberedEntry])[],
  raised: Raises,
  now: number,
): readonly Arrival[] {
  const byUid = Map.groupBy(gone, ([key]) => key.split('\n')[0]);
  return [...byUid.values()].map((all) => {
    const name = all.map(([key, [, , lines]]) => [key, lines, raised[key] ?? 0]);
    return calendarArrival(['cancelled', name], cancelledText(all, raised, now));
  });
}

/** Returns a calendar as it is brought. `name`: what makes it the same thing at its source. */
export function calendarArrival(name: readonly unknown[], text: string): Arrival {
  return { key: sha256(JSON.stringify(name)), at: null, content: { kind: 'calendar', bytes: Buffer.from(text) } };
}

/*
 * What is remembered of an entry, so that it can be said later that it was cancelled: the lines by which it is known again and
 * by which the note that it is about is found, and no more.
 */

/** One entry: when it begins and is over (epoch ms, to the day; null: a series without an end), and its lines. */
const entry = z.tuple([z.number(), z.number().nullable(), z.string().max(20_000)]);
type RememberedEntry = z.infer<typeof entry>;
/** By UID and RECURRENCE-ID. */
export const rememberedEntries = z.record(z.string(), entry);
export type RememberedEntries = z.infer<typeof rememberedEntries>;

const KEPT = ['UID', 'RECURRENCE-ID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'SEQUENCE', 'ORGANIZER', 'SUMMARY'];
/** Only of a series. */
const EXCEPTIONS = ['RDATE', 'EXDATE'];
const MOST_OF_LINE = 600;
const MOST_OF_EXCEPTIONS = 1500;
const MOST_OF_ZONE = 1500;
const MOST_POINTERS = 400;
/** As in `stream/admission.ts`: what is over for longer is not looked into. */
const LONG_PAST_MS = 14 * 86_400_000;

/** Whether an entry has been over for so long that nobody looks into it. */
export function isLongPast(one: EntryText, now: number): boolean {
  const extent = extentOf(one);
  return extent !== null && extent.end !== null && isOverSince(extent.end, now);
}

/** Whether what was over at `end` is so long past by now. */
export function isOverSince(end: number, now: number): boolean {
  return now - end > LONG_PAST_MS + DAY_MS;
}

/** Returns what is remembered of the entries of a calendar: of those that are not long past. */
export function remember({ entries, zones }: CalendarText, now: number): RememberedEntries {
  const needed = neededZones(zones);
  const known: [string, RememberedEntry][] = entries.flatMap((one) => {
    const extent = extentOf(one);
    if (one.key === null || extent === null || isLongPast(one, now)) return [];
    return [[one.key, [extent.start, extent.end, shortOf(one, needed)]]];
  });
  return Object.fromEntries(known);
}

/** Returns the lines of an entry that are kept, in a form that `cancellations` makes an entry of again. */
function shortOf(one: EntryText, needed: (name: string) => readonly string[]): string {
  const named = Map.groupBy(one.lines, (line) => nameIn(line) ?? '');
  const first = KEPT.flatMap((name) => named.get(name)?.slice(0, 1) ?? []).map((line) => line.slice(0, MOST_OF_LINE));
  const exceptions = isSeries(one) ? EXCEPTIONS.flatMap((name) => named.get(name) ?? []) : [];
  // Of many days that were left out, none is better than half of one.
  const kept = exceptions.join('\n').length > MOST_OF_EXCEPTIONS ? [] : exceptions;
  const pointers = pointersIn(valueIn(one, 'DESCRIPTION'));
  const described = pointers === '' ? [] : [`DESCRIPTION:${pointers}`];
  const zone = one.properties.find(({ name }) => name === 'DTSTART')?.params.get('TZID') ?? '';
  return [...needed(zone), ...first, ...kept, ...described].join('\n');
}

/** Returns what gives the description of a zone, where its name alone does not tell it. */
function neededZones(zones: CalendarText['zones']): (name: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const lines = zones.get(name) ?? [];
    const found = name === '' || isTold(name) || lines.join('\n').length > MOST_OF_ZONE ? [] : zoneText(lines);
    known.set(name, found);
    return found;
  };
}

/** Names such as EST mean what the calendar says of them; a place or a name of Windows means the same everywhere. */
function isTold(name: string): boolean {
  return zoneByName(name, null) !== null && (name.includes('/') || namedZone(name) === null);
}

/** What in a description leads to a note: links, numbers, codes. */
function pointersIn(text: string): string {
  const links = linksIn(text).map(({ target }) => `[[${target}]]`);
  const all = [...links, ...codesIn(text)].join(' ').replaceAll('\n', ' ');
  return all.slice(0, MOST_POINTERS).replace(/[\\;,]/g, '\\$&');
}

/*
 * Entries that are no longer where they were. Whether they were cancelled shows later: they may have moved to another calendar,
 * or a server may show nothing for a while.
 */

/** By UID and RECURRENCE-ID: since when (epoch ms), and what was remembered. */
export const vanished = z.record(z.string(), z.tuple([z.number(), rememberedEntries.valueType]));
export type Vanished = z.infer<typeof vanished>;

/** So many at once, and most of all there were, are hardly cancelled by anybody. */
const MANY = 20;
const WAIT_MS = 86_400_000;

/** Returns what has vanished once some entries are gone. What is over is not missed. */
export function withVanished(before: Vanished, gone: RememberedEntries, now: number): Vanished {
  const fresh = Object.entries(gone).filter(([key, one]) => liesAhead(one, now) && !Object.hasOwn(before, key));
  return { ...before, ...Object.fromEntries(fresh.map(([key, one]) => [key, [now, one] as const])) };
}

/** Whether an entry is not over yet, to the day. */
export function liesAhead([, end]: RememberedEntry, now: number): boolean {
  return end === null || end + DAY_MS > now;
}

/** What of the vanished counts as cancelled now, and what is still waited for. */
interface Judged {
  readonly cancelled: readonly (readonly [string, RememberedEntry])[];
  readonly waiting: Vanished;
  /** Whether so many are gone at once that it is waited for a day. */
  readonly areMany: boolean;
}

/**
 * Judges what has vanished from a calendar. `isThere`: whether an entry is in any of the calendars by now. `left`: how many
 * entries the calendar still has.
 */
export function judged(all: Vanished, isThere: (key: string) => boolean, left: number, now: number): Judged {
  const missed = Object.entries(all).filter(([key, [, one]]) => !isThere(key) && liesAhead(one, now));
  const areMany = missed.length > MANY && missed.length > left;
  const [ready, waiting] = split(missed, ([, [since]]) => !areMany || now - since >= WAIT_MS);
  return {
    cancelled: ready.map(([key, [, one]]) => [key, one]),
    waiting: Object.fromEntries(waiting),
    areMany: waiting.length > 0,
  };
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
