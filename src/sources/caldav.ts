import { z } from 'zod';
import { findCodes } from '../reading/money.ts';
import { findLinks } from '../reading/text.ts';
import {
  namedZone,
  type Property,
  parseComponentName,
  parseProperty,
  readWritten,
  splitCalendarLines,
  textAt,
  zoneByName,
} from '../streams/ics.ts';
import { sha256 } from '../vault/note-text.ts';
import { utc } from '../vault/time.ts';
import {
  type Calendar,
  chooseCalendars,
  DAV_LIMITS,
  DavServer,
  type FetchedEntry,
  fetchChanges,
  fetchedEntries,
  HttpClient,
  homesFrom,
  type Library,
  type Limits,
  listCalendars,
} from './http.ts';
import {
  type Arrival,
  type CaldavSettings,
  type Credential,
  type Inlet,
  installCommand,
  type Json,
  type Session,
  type Source,
  SourceError,
  type SourceProblem,
} from './source.ts';

/** One entry of a calendar as text, without its parts (alarms). */
export interface EntryText {
  /** UID and RECURRENCE-ID; null without a UID, in which case the entry can't be cancelled. */
  readonly key: string | null;
  readonly uid: string;
  /** Unfolded, in the order of the file. */
  readonly lines: readonly string[];
  readonly properties: readonly Property[];
}

/** The entries of a calendar, and its time zones by name. */
export interface CalendarText {
  readonly entries: readonly EntryText[];
  readonly zones: ReadonlyMap<string, readonly string[]>;
}

const MARK = /^(BEGIN|END):([A-Za-z0-9-]{1,100})\s{0,9}$/i;
const KNOWN =
  /^(?:UID|RECURRENCE-ID|SEQUENCE|DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|SUMMARY|DESCRIPTION|LOCATION|URL|ORGANIZER|STATUS)(?=[;:])/i;
const RULED = /^(?:RRULE|RDATE)(?=[;:])/i;
const RANGE_END = /(?:^|;)UNTIL=([0-9TZ]{8,16})/i;
const SPAN = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?/i;
const DAY_MS = 86_400_000;
const MOST_ENTRIES = 100_000;

/** Parses the text of a calendar. Components without an end are left out. */
export function parseCalendar(text: string): CalendarText {
  const entries: EntryText[] = [];
  const zones = new Map<string, readonly string[]>();
  for (const { name, lines } of blocksIn(text)) {
    if (name === 'VTIMEZONE') addZone(zones, lines);
    else if (entries.length < MOST_ENTRIES) entries.push(entryOf(lines));
  }
  return { entries, zones };
}

function zoneText(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'];
}

/** A hash of an entry, without the lines that many servers rewrite each time. */
export function digestEntries(entries: readonly EntryText[]): string {
  const said = entries.map(({ lines }) =>
    lines
      .filter((line) => KNOWN.test(line))
      .toSorted()
      .join('\n'),
  );
  return sha256(said.toSorted().join('\n\n')).slice(0, 16);
}

export function isSeries({ lines }: EntryText): boolean {
  return lines.some((line) => RULED.test(line));
}

/** Returns the keys of the dates that a series excludes (EXDATE). */
export function listLeftOut({ uid, properties }: EntryText): readonly string[] {
  const dates = properties.filter(({ name }) => name === 'EXDATE').flatMap(({ value }) => value.split(','));
  return dates.map((date) => `${uid}\n${date.trim()}`);
}

/**
 * Returns when an entry starts and finally ends (epoch ms, to the day, without time zones). `end` is null for a series
 * without an end. Returns null if the dates can't be read.
 */
export function entryExtent(entry: EntryText): { readonly start: number; readonly end: number | null } | null {
  const start = readWritten(textAt(entry, 'DTSTART'));
  if (start === null) return null;
  if (isSeries(entry)) return { start: start.wall, end: lastOf(entry) };
  const end = readWritten(textAt(entry, 'DTEND'))?.wall ?? start.wall + lengthOf(textAt(entry, 'DURATION'));
  return { start: start.wall, end: Math.max(start.wall, end) };
}

/** The last day on which a finite series may take place. */
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

/** A duration in days. Less than a day counts as one. */
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
  const properties = lines.filter((line) => KNOWN.test(line)).flatMap((text) => parseProperty({ text, at: 0 }) ?? []);
  const uid = textAt({ properties }, 'UID');
  const own = properties.find(({ name }) => name === 'RECURRENCE-ID');
  return { key: uid === '' ? null : `${uid}\n${own?.value.trim() ?? ''}`, uid, lines, properties };
}

/** Returns the events and time zones of a text: time zones with their parts, events without. */
function* blocksIn(text: string): Generator<{ readonly name: string; readonly lines: readonly string[] }> {
  let open: { readonly name: string; readonly lines: string[] } | null = null;
  let depth = 0;
  for (const { text: line } of splitCalendarLines(text.includes('\n') ? text : text.replaceAll('\r', '\n'))) {
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

/**
 * By UID and RECURRENCE-ID: how much to add to the SEQUENCE of an entry. The version with the highest SEQUENCE counts. A
 * cancellation that we generate uses a higher number than the server's; if the entry comes back, its own numbers are too low.
 */
export const raises = z.record(z.string(), z.int().min(0).max(1_000_000));
type Revisions = z.infer<typeof raises>;

const MOST_SEQUENCE = 999_999_999;
const MOST_RAISES = 500;
/** Properties that a generated calendar leaves out: attachments, and the HTML copy of a text. */
const DROPPED = /^(?:ATTACH|X-ALT-DESC)(?=[;:])/i;
const SEQUENCE = /^SEQUENCE(?=[;:])/i;
const MAX_SEQUENCE_DIGITS = 9;

/** Returns a calendar that cancels entries, with a higher SEQUENCE than before. */
function cancelledText(gone: readonly (readonly [string, RememberedEntry])[], raised: Revisions, now: number): string {
  const parts = gone.map(([key, [, , lines]]) =>
    partsOf(lines.split('\n'), sequenceIn(lines) + (raised[key] ?? 0) + 1, now),
  );
  const zones = [...new Set(parts.map(({ zone }) => zone))].filter((zone) => zone !== '');
  return calendarOf(['METHOD:CANCEL'], [...zones, ...parts.map(({ entry }) => entry)]);
}

/**
 * Returns the raises after some entries were cancelled. Only the newest are kept: they matter if an entry comes back
 * soon.
 */
export function newRevisions(gone: readonly (readonly [string, RememberedEntry])[], raised: Revisions): Revisions {
  const next = { ...raised };
  for (const [key, [, , lines]] of gone) {
    const by = sequenceIn(lines) + (raised[key] ?? 0) + 2;
    delete next[key];
    next[key] = Math.min(by, 1_000_000);
  }
  return Object.fromEntries(Object.entries(next).slice(-MOST_RAISES));
}

/** Returns a calendar of some entries with the time zones that they use. */
export function calendarText(entries: readonly EntryText[], zones: CalendarText['zones'], raised: Revisions): string {
  const names = new Set(
    entries.flatMap(({ properties }) => properties.flatMap(({ params }) => params.get('TZID') ?? [])),
  );
  const described = [...names]
    .map((name) => zoneText(zones.get(name) ?? []).join('\r\n'))
    .filter((text) => text !== '');
  return calendarOf([], [...described, ...entries.map((one) => entryText(one, raised))]);
}

function entryText(one: EntryText, raised: Revisions): string {
  const by = one.key === null ? undefined : raised[one.key];
  const own = one.lines.filter((line) => !DROPPED.test(line));
  if (by === undefined) return wrapped(own);
  const sequence = (Number(textAt(one, 'SEQUENCE')) || 0) + by;
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

/** Reported when so many entries disappear at once that none is cancelled for a day. */
export const MANY_GONE: SourceProblem = {
  message: 'Most entries of a calendar disappeared at once. Steward waits a day before it treats them as cancelled.',
  hint: 'If they were deleted on purpose, no action is needed. Otherwise check the calendar on its server.',
};

/** Returns the cancellations of some entries: one calendar for each series. */
export function cancelEntries(
  gone: readonly (readonly [string, RememberedEntry])[],
  raised: Revisions,
  now: number,
): readonly Arrival[] {
  const byUid = Map.groupBy(gone, ([key]) => key.split('\n')[0]);
  return [...byUid.values()].map((all) => {
    const name = all.map(([key, [, , lines]]) => [key, lines, raised[key] ?? 0]);
    return calendarArrival(['cancelled', name], cancelledText(all, raised, now));
  });
}

/** Returns a calendar to store. `name` identifies it at its source. */
export function calendarArrival(name: readonly unknown[], text: string): Arrival {
  return { key: sha256(JSON.stringify(name)), at: null, content: { kind: 'calendar', bytes: Buffer.from(text) } };
}

/**
 * The facts kept about an entry to cancel it later: its start and end, and the lines that identify the entry and its
 * note. Times are epoch ms, to the day; an end of null is that of an endless series.
 */
const entry = z.tuple([z.number(), z.number().nullable(), z.string().max(20_000)]);
type RememberedEntry = z.infer<typeof entry>;
/** By UID and RECURRENCE-ID. */
export const rememberedEntries = z.record(z.string(), entry);
export type RememberedEntries = z.infer<typeof rememberedEntries>;

const KEPT = ['UID', 'RECURRENCE-ID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'SEQUENCE', 'ORGANIZER', 'SUMMARY'];
const EXCEPTIONS = ['RDATE', 'EXDATE'];
const MOST_OF_LINE = 600;
const MOST_OF_EXCEPTIONS = 1500;
const MOST_OF_ZONE = 1500;
const MOST_POINTERS = 400;
/** The same as in `streams/extract.ts`. */
const LONG_PAST_MS = 14 * 86_400_000;

/** Whether an entry ended so long ago that it is ignored. */
export function isLongPast(one: EntryText, now: number): boolean {
  const extent = entryExtent(one);
  return extent !== null && extent.end !== null && isOverSince(extent.end, now);
}

/** Whether `end` is so long ago that the entry is ignored. */
function isOverSince(end: number, now: number): boolean {
  return now - end > LONG_PAST_MS + DAY_MS;
}

/** Returns what to keep of the entries of a calendar that aren't long past. */
export function remember({ entries, zones }: CalendarText, now: number): RememberedEntries {
  const needed = neededZones(zones);
  const known: [string, RememberedEntry][] = entries.flatMap((one) => {
    const extent = entryExtent(one);
    if (one.key === null || extent === null || isLongPast(one, now)) return [];
    return [[one.key, [extent.start, extent.end, shortOf(one, needed)]]];
  });
  return Object.fromEntries(known);
}

function shortOf(one: EntryText, needed: (name: string) => readonly string[]): string {
  const named = Map.groupBy(one.lines, (line) => parseComponentName(line) ?? '');
  const first = KEPT.flatMap((name) => named.get(name)?.slice(0, 1) ?? []).map((line) => line.slice(0, MOST_OF_LINE));
  const exceptions = isSeries(one) ? EXCEPTIONS.flatMap((name) => named.get(name) ?? []) : [];
  // No excluded dates are better than a part of them.
  const kept = exceptions.join('\n').length > MOST_OF_EXCEPTIONS ? [] : exceptions;
  const pointers = pointersIn(textAt(one, 'DESCRIPTION'));
  const described = pointers === '' ? [] : [`DESCRIPTION:${pointers}`];
  const zone = one.properties.find(({ name }) => name === 'DTSTART')?.params.get('TZID') ?? '';
  return [...needed(zone), ...first, ...kept, ...described].join('\n');
}

/** Returns a function for the definition of a time zone; empty if its name is enough. */
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

/** Names such as EST mean what the calendar defines. Places and names of Windows mean the same everywhere. */
function isTold(name: string): boolean {
  return zoneByName(name, null) !== null && (name.includes('/') || namedZone(name) === null);
}

/** The parts of a description that can identify a note: links, numbers, codes. */
function pointersIn(text: string): string {
  const links = findLinks(text).map(({ target }) => `[[${target}]]`);
  const all = [...links, ...findCodes(text)].join(' ').replaceAll('\n', ' ');
  return all.slice(0, MOST_POINTERS).replace(/[\\;,]/g, '\\$&');
}

/**
 * Entries that have disappeared, by UID and RECURRENCE-ID: since when (epoch ms), and what was kept of them. They may have moved
 * to another calendar, or the server may be incomplete for a while, so they aren't cancelled at once.
 */
export const vanished = z.record(z.string(), z.tuple([z.number(), rememberedEntries.valueType]));
type DeletedEntries = z.infer<typeof vanished>;

/** A person rarely cancels this many entries at once, if they are most of the calendar. */
const MANY = 20;
const WAIT_MS = 86_400_000;

/** Adds missing entries to those that have disappeared. Past entries aren't added. */
export function addDeleted(before: DeletedEntries, gone: RememberedEntries, now: number): DeletedEntries {
  const fresh = Object.entries(gone).filter(([key, one]) => liesAhead(one, now) && !Object.hasOwn(before, key));
  return { ...before, ...Object.fromEntries(fresh.map(([key, one]) => [key, [now, one] as const])) };
}

/** Whether an entry isn't over yet, to the day. */
export function liesAhead([, end]: RememberedEntry, now: number): boolean {
  return end === null || end + DAY_MS > now;
}

/** Which of the disappeared entries are cancelled now, and which still wait. */
interface DeletionResult {
  readonly cancelled: readonly (readonly [string, RememberedEntry])[];
  readonly waiting: DeletedEntries;
  /** Whether so many are missing that all of them wait for a day. */
  readonly areMany: boolean;
}

/**
 * Decides which disappeared entries are cancelled. `isThere`: whether an entry exists in any calendar. `left`: the
 * number of entries that the calendar still has.
 */
export function judgeDeleted(
  all: DeletedEntries,
  isThere: (key: string) => boolean,
  left: number,
  now: number,
): DeletionResult {
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

/**
 * The state of an entry, by address: its ETag; and unless it is long past, a hash of its text and the lines needed to
 * cancel it. An empty ETag means that it must be fetched (again).
 */
const knownEntry = z.union([z.tuple([z.string()]), z.tuple([z.string(), z.string(), rememberedEntries])]);
type KnownEntry = z.infer<typeof knownEntry>;

const calendar = z.object({
  token: z.string().default(''),
  tag: z.string().default(''),
  /** Keys are relative to the calendar's address where possible. */
  objects: z.record(z.string(), knownEntry).default({}),
  vanished: vanished.default({}),
});
type CalendarState = z.infer<typeof calendar>;

const cursor = z.object({
  version: z.literal(1),
  /** A hash of address and user. The cursor is only valid for these. */
  of: z.string(),
  calendars: z.record(z.string(), calendar).default({}),
  raises: raises.default({}),
});
type Cursor = z.infer<typeof cursor>;

function cursorIn(saved: Json, of: string): Cursor {
  const read = cursor.safeParse(saved);
  return read.success && read.data.of === of ? read.data : { version: 1, of, calendars: {}, raises: {} };
}

/** The state of one calendar. Changes go into the cursor that it was created from. */
class KnownCalendar {
  readonly #url: string;
  readonly #state: CalendarState;

  constructor(url: string, { calendars }: Cursor) {
    this.#url = url;
    const state = calendars[url] ?? { token: '', tag: '', objects: {}, vanished: {} };
    calendars[url] = state;
    this.#state = state;
  }

  get token(): string {
    return this.#state.token;
  }

  get vanished(): DeletedEntries {
    return this.#state.vanished;
  }

  set vanished(vanished: DeletedEntries) {
    this.#state.vanished = vanished;
  }

  /** Whether nothing can have changed since the last poll. */
  isAsBefore({ token, tag }: { readonly token: string; readonly tag: string }): boolean {
    if (this.owed.length > 0) return false;
    return token === '' ? tag !== '' && tag === this.#state.tag : token === this.#state.token;
  }

  /** Records that everything up to this state was fetched. */
  moveTo(token: string, tag: string): void {
    this.#state.token = token;
    this.#state.tag = tag;
  }

  /** Addresses of entries that must still be fetched. */
  get owed(): readonly string[] {
    return Object.entries(this.#state.objects).flatMap(([end, [etag]]) => (etag === '' ? [this.#urlOf(end)] : []));
  }

  readonly urls = (): readonly string[] => Object.keys(this.#state.objects).map((end) => this.#urlOf(end));

  get size(): number {
    return Object.values(this.#state.objects).filter((one) => one.length > 1).length;
  }

  /** Whether the entry at this address is known with this ETag. */
  readonly has = (url: string, etag: string): boolean => this.#at(url)?.[0] === shortened(etag);

  digestAt(url: string): string | null {
    return this.#at(url)?.[1] ?? null;
  }

  entriesAt(url: string): RememberedEntries {
    return this.#at(url)?.[2] ?? {};
  }

  /** UID and RECURRENCE-ID of all known entries. */
  keys(): readonly string[] {
    return Object.values(this.#state.objects).flatMap(([, , entries]) => Object.keys(entries ?? {}));
  }

  remember(url: string, etag: string, digest: string, entries: RememberedEntries): void {
    this.#state.objects[this.#endOf(url)] = [shortened(etag), digest, entries];
  }

  /** Records that an entry is long past. */
  rememberPast(url: string, etag: string): void {
    this.#state.objects[this.#endOf(url)] = [shortened(etag)];
  }

  /** Records that an entry must be fetched. Its earlier state is kept. */
  owe(url: string): void {
    const [, digest, entries] = this.#at(url) ?? [];
    this.#state.objects[this.#endOf(url)] = digest === undefined ? [''] : ['', digest, entries ?? {}];
  }

  forget(url: string): void {
    delete this.#state.objects[this.#endOf(url)];
  }

  /** Drops entries that are long past. If `isListed`, the server still lists them, and their ETags are kept. */
  forgetPast(now: number, isListed: boolean): void {
    for (const [end, one] of Object.entries(this.#state.objects)) {
      const isPast =
        one.length > 1 &&
        one[0] !== '' &&
        Object.values(one[2] ?? {}).every(([, last]) => last !== null && isOverSince(last, now));
      if (!isPast) continue;
      if (isListed) this.#state.objects[end] = [one[0]];
      else delete this.#state.objects[end];
    }
  }

  #at(url: string): KnownEntry | undefined {
    const end = this.#endOf(url);
    return Object.hasOwn(this.#state.objects, end) ? this.#state.objects[end] : undefined;
  }

  #endOf(url: string): string {
    const end = url.startsWith(this.#url) ? url.slice(this.#url.length) : url;
    return end === '__proto__' || URL.canParse(end) ? url : end;
  }

  #urlOf(end: string): string {
    return URL.canParse(end) ? end : `${this.#url}${end}`;
  }
}

/** ETags are only compared, and some are long. */
function shortened(etag: string): string {
  return sha256(etag).slice(0, 16);
}

const BATCH = 50;
/** The cursor is saved after each fifth of its entries is new. */
const STEPS = 5;
const MOST_HELD = 4 * 1024 * 1024;
const PAST_MS = 15 * 86_400_000;
/** Errors that concern one calendar only. */
const OF_ONE: ReadonlySet<string> = new Set(['missing', 'strange', 'refused']);

interface CaldavParts {
  readonly server: DavServer;
  readonly homes: readonly string[];
  readonly settings: CaldavSettings;
  readonly inlet: Inlet;
  readonly close: () => void;
}

class CaldavSession implements Session {
  readonly #parts: CaldavParts;
  #cursor: ReturnType<typeof cursorIn>;

  constructor(parts: CaldavParts) {
    this.#parts = parts;
    this.#cursor = this.#saved();
  }

  async poll(): Promise<readonly SourceProblem[]> {
    const { server } = this.#parts;
    await server.unlock();
    // Forget what the last poll couldn't store.
    this.#cursor = this.#saved();
    const first = await this.#round();
    // An entry that left one calendar may have moved to one that was read earlier.
    const isMissed = first.calendars.length > 1 && first.calendars.some(({ known }) => hasAny(known.vanished));
    const { calendars, problems, isWhole } = isMissed ? await this.#round() : first;
    const held = isWhole ? await this.#cancel(calendars) : [];
    return [...problems, ...held];
  }

  /** CalDAV has no push: the next poll is by schedule. */
  waitForNews(): Promise<void> {
    return new Promise(() => {});
  }

  async describe(): Promise<readonly string[]> {
    const { server, settings } = this.#parts;
    await server.unlock();
    const all = await this.#calendars();
    const { chosen, problems } = chooseCalendars(all, settings.calendars);
    const counted = [];
    for (const [nth, calendar] of chosen.entries()) {
      const count = (await fetchChanges(server, calendar, NOTHING_KNOWN, null)).changed.size;
      counted.push(`${calendar.name} (${count}${nth === 0 ? (count === 1 ? ' entry' : ' entries') : ''})`);
    }
    const others = all.filter((one) => !chosen.includes(one)).map(({ name }) => name);
    return [
      `${chosen.length} ${chosen.length === 1 ? 'calendar' : 'calendars'}: ${counted.join(', ')}`,
      ...(others.length === 0 ? [] : [`Not followed: ${others.join(', ')}`]),
      ...problems.map(({ message }) => message),
    ];
  }

  async close(): Promise<void> {
    this.#parts.close();
  }

  #saved(): ReturnType<typeof cursorIn> {
    const { inlet, settings } = this.#parts;
    return cursorIn(inlet.cursor(), sha256(`${settings.url}\n${settings.user}`).slice(0, 16));
  }

  #calendars(): Promise<readonly Calendar[]> {
    return listCalendars(this.#parts.server, this.#parts.homes);
  }

  /** Reads all calendars once. A problem with one doesn't stop the others. */
  async #round(): Promise<Round> {
    const { chosen, problems } = chooseCalendars(await this.#calendars(), this.#parts.settings.calendars);
    const calendars: Looked[] = [];
    const failures: SourceError[] = [];
    for (const calendar of chosen) {
      const known = new KnownCalendar(calendar.url, this.#cursor);
      try {
        const unread = known.isAsBefore(calendar) ? 0 : await this.#bring(calendar, known);
        calendars.push({ known });
        if (unread > 0) problems.push(unreadProblem(calendar, unread));
      } catch (error) {
        if (!(error instanceof SourceError) || !OF_ONE.has(error.kind)) throw error;
        failures.push(error);
        problems.push({ message: `The calendar "${calendar.name}": ${error.message}`, hint: error.hint });
      }
    }
    const [failure] = failures;
    if (failure !== undefined && calendars.length === 0) throw failure;
    return { calendars, problems, isWhole: failures.length === 0 };
  }

  /** Fetches changed entries of a calendar. Returns how many couldn't be fetched. */
  async #bring(calendar: Calendar, known: KnownCalendar): Promise<number> {
    const { server, inlet } = this.#parts;
    const now = inlet.now();
    const told = { token: known.token, isSame: known.has, urls: known.urls };
    const changes = await fetchChanges(server, calendar, told, new Date(now - PAST_MS));
    const wanted = new Map([...known.owed.map((url) => [url, ''] as const), ...changes.changed]);
    for (const url of changes.gone) {
      wanted.delete(url);
      known.vanished = addDeleted(known.vanished, known.entriesAt(url), now);
      known.forget(url);
    }
    const urls = [...wanted.keys()];
    const held: Arrival[] = [];
    let [unread, since] = [0, 0];
    for (let at = 0; at < urls.length; at += BATCH) {
      const batch = urls.slice(at, at + BATCH);
      const had = await this.#fetch(batch, known, { calendar, etags: wanted, isAll: changes.isAll, now });
      held.push(...had.arrivals);
      unread += had.missed;
      since += batch.length;
      // Each save writes the whole cursor, so the steps grow with it.
      const isStep = since >= known.size / STEPS || sizeOf(held) > MOST_HELD;
      if (!isStep || at + BATCH >= urls.length) continue;
      await inlet.put(held.splice(0), this.#cursor);
      since = 0;
    }
    known.forgetPast(now, changes.isAll);
    known.moveTo(changes.token, calendar.tag);
    await inlet.put(held, this.#cursor);
    return unread;
  }

  /** Fetches some entries. Missing ones are requested again at the next poll. */
  async #fetch(batch: readonly string[], known: KnownCalendar, context: FetchContext): Promise<Fetched> {
    const entries = await fetchedEntries(this.#parts.server, context.calendar.url, batch);
    const arrivals = entries.flatMap((one) => this.#take(one, known, context));
    const had = new Set(entries.map(({ url }) => url));
    const missed = batch.filter((url) => !had.has(url));
    for (const url of missed) known.owe(url);
    return { arrivals, missed: missed.length };
  }

  /** Records a fetched entry, and returns it if its text is new and it isn't long past. */
  #take({ url, text, ...one }: FetchedEntry, known: KnownCalendar, context: FetchContext): readonly Arrival[] {
    const { calendar, etags, isAll, now } = context;
    const before = known.entriesAt(url);
    if (text === null) {
      known.vanished = addDeleted(known.vanished, before, now);
      known.forget(url);
      return [];
    }
    const read = parseCalendar(text);
    const digest = digestEntries(read.entries);
    const etag = one.etag || etags.get(url) || digest;
    const isSame = known.digestAt(url) === digest;
    const isOver = read.entries.every((entry) => isLongPast(entry, now));
    const entries = remember(read, now);
    known.vanished = addDeleted(known.vanished, leftOut(before, entries, read.entries), now);
    if (!isOver) known.remember(url, etag, digest, entries);
    else if (isAll) known.rememberPast(url, etag);
    else known.forget(url);
    if (isSame || isOver) return [];
    const { raises } = this.#cursor;
    const isBack = read.entries.some(({ key }) => key !== null && Object.hasOwn(raises, key));
    const written = isBack ? calendarText(read.entries, read.zones, raises) : text;
    const name = ['caldav', calendar.url, url, etag, ...(isBack ? [written] : [])];
    return [calendarArrival(name, written)];
  }

  /** Marks entries as cancelled that have disappeared from all calendars. */
  async #cancel(calendars: readonly Looked[]): Promise<readonly SourceProblem[]> {
    if (!calendars.some(({ known }) => hasAny(known.vanished))) return [];
    const { inlet } = this.#parts;
    const now = inlet.now();
    const there = new Set(calendars.flatMap(({ known }) => known.keys()));
    const all = calendars.map(({ known }) => ({
      known,
      ...judgeDeleted(known.vanished, (key) => there.has(key), known.size, now),
    }));
    const cancelled = all.flatMap((one) => one.cancelled);
    const { raises } = this.#cursor;
    const arrivals = cancelEntries(cancelled, raises, now);
    for (const { known, waiting } of all) known.vanished = waiting;
    this.#cursor.raises = newRevisions(cancelled, raises);
    await inlet.put(arrivals, this.#cursor);
    return all.some(({ areMany }) => areMany) ? [MANY_GONE] : [];
  }
}

interface Looked {
  readonly known: KnownCalendar;
}

interface Round {
  readonly calendars: readonly Looked[];
  readonly problems: SourceProblem[];
  /** Whether all calendars could be read. */
  readonly isWhole: boolean;
}

interface Fetched {
  readonly arrivals: readonly Arrival[];
  readonly missed: number;
}

interface FetchContext {
  /** From the listing, because some servers send ETags only there. */
  readonly etags: ReadonlyMap<string, string>;
  readonly calendar: Calendar;
  readonly isAll: boolean;
  readonly now: number;
}

const NOTHING_KNOWN = { token: '', isSame: () => false, urls: () => [] };
function unreadProblem({ name }: Calendar, unread: number): SourceProblem {
  const entries = unread === 1 ? 'One entry' : `${unread} entries`;
  return {
    message: `${entries} of the calendar "${name}" couldn't be fetched.`,
    hint: 'No action needed: Steward requests them again at the next poll.',
  };
}

/**
 * Returns the entries that an object no longer has: all, if the series is gone; otherwise the changed dates that the
 * series now excludes. Other changed dates take place as the series has them.
 */
function leftOut(
  before: RememberedEntries,
  after: RememberedEntries,
  entries: readonly EntryText[],
): RememberedEntries {
  const excluded = new Set(entries.flatMap(listLeftOut));
  const series = new Set(entries.map(({ uid }) => uid));
  const present = new Set([...Object.keys(after), ...entries.map(({ key }) => key)]);
  const missing = Object.entries(before).filter(([key]) => {
    const [uid = ''] = key.split('\n');
    return !present.has(key) && (!series.has(uid) || excluded.has(key));
  });
  return Object.fromEntries(missing);
}

function hasAny(record: object): boolean {
  return Object.keys(record).length > 0;
}

function sizeOf(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((sum, { content }) => sum + (content?.kind === 'calendar' ? content.bytes.length : 0), 0);
}

/** Connects to a calendar server (CalDAV). */
export function caldavSource({
  settings,
  credential,
  limits = DAV_LIMITS,
}: {
  readonly settings: CaldavSettings;
  readonly credential: Credential;
  readonly limits?: Limits;
}): Source {
  return {
    async open(inlet, abort) {
      const dav = await loaded();
      const ended = new AbortController();
      const home = new URL(settings.url);
      const http = new HttpClient(home, limits, AbortSignal.any([abort, ended.signal]));
      const close = () => ended.abort();
      try {
        const server = new DavServer(home, { http, dav, settings, credential });
        await server.unlock();
        const homes = await homesFrom(server, settings.url);
        return new CaldavSession({ server, homes, settings, inlet, close });
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}

async function loaded(): Promise<Library> {
  try {
    return await import('tsdav');
  } catch {
    throw new SourceError({
      kind: 'setup',
      message: "The library for calendar servers isn't installed.",
      hint: `Run: ${installCommand('tsdav')}`,
    });
  }
}
