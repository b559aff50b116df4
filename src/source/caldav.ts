import { z } from 'zod';
import { sha256 } from '../vault/hash.ts';
import {
  calendarArrival,
  calendarIn,
  calendarText,
  cancellations,
  digestOf,
  type EntryText,
  isLongPast,
  isOverSince,
  isRaised,
  judged,
  leftOutOf,
  MANY_GONE,
  type RememberedEntries,
  raisedBy,
  raises,
  remember,
  rememberedEntries,
  type Vanished,
  vanished,
  withVanished,
} from './calendar-entries.ts';
import {
  type Arrival,
  type Connector,
  type Credential,
  type Inlet,
  installCommand,
  type Json,
  type Session,
  SourceError,
  type SourceProblem,
} from './connector.ts';
import {
  type Calendar,
  calendarsIn,
  changesIn,
  chosenOf,
  DAV_LIMITS,
  DavServer,
  type FetchedEntry,
  fetchedEntries,
  homesFrom,
  type Library,
} from './dav-http.ts';
import { type Limits, Wire } from './http-wire.ts';
import type { CaldavSettings } from './source.ts';

/**
 * What is known of an entry by its address: its ETag; and, unless it is long past, a hash of what it says and what it takes to
 * say that it was cancelled. An empty ETag: it is to be fetched (again).
 */
const known = z.union([z.tuple([z.string()]), z.tuple([z.string(), z.string(), rememberedEntries])]);
type Known = z.infer<typeof known>;

const calendar = z.object({
  token: z.string().default(''),
  tag: z.string().default(''),
  /** By the end of their addresses, where they lie below the calendar's. */
  objects: z.record(z.string(), known).default({}),
  vanished: vanished.default({}),
});
type CalendarState = z.infer<typeof calendar>;

const cursor = z.object({
  version: z.literal(1),
  /** Of which address and whose: of another, nothing here is true. */
  of: z.string(),
  calendars: z.record(z.string(), calendar).default({}),
  raises: raises.default({}),
});
type Cursor = z.infer<typeof cursor>;

/** Returns the cursor that was saved; an empty one where none was, or one of another account or version. */
function cursorIn(saved: Json, of: string): Cursor {
  const read = cursor.safeParse(saved);
  return read.success && read.data.of === of ? read.data : { version: 1, of, calendars: {}, raises: {} };
}

/** What is known of one calendar. It writes into the cursor that it was made of. */
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

  get vanished(): Vanished {
    return this.#state.vanished;
  }

  set vanished(vanished: Vanished) {
    this.#state.vanished = vanished;
  }

  /** Whether nothing can have changed since it was last looked through. */
  isAsBefore({ token, tag }: { readonly token: string; readonly tag: string }): boolean {
    if (this.owed.length > 0) return false;
    return token === '' ? tag !== '' && tag === this.#state.tag : token === this.#state.token;
  }

  /** Remembers the state up to which all was brought. */
  moveTo(token: string, tag: string): void {
    this.#state.token = token;
    this.#state.tag = tag;
  }

  /** Addresses of entries that could not be fetched when they were to be. */
  get owed(): readonly string[] {
    return Object.entries(this.#state.objects).flatMap(([end, [etag]]) => (etag === '' ? [this.#urlOf(end)] : []));
  }

  readonly urls = (): readonly string[] => Object.keys(this.#state.objects).map((end) => this.#urlOf(end));

  /** How many entries are remembered that are not long past. */
  get size(): number {
    return Object.values(this.#state.objects).filter((one) => one.length > 1).length;
  }

  /** Whether what lies at an address is known by this ETag. */
  readonly has = (url: string, etag: string): boolean => this.#at(url)?.[0] === shortened(etag);

  digestAt(url: string): string | null {
    return this.#at(url)?.[1] ?? null;
  }

  entriesAt(url: string): RememberedEntries {
    return this.#at(url)?.[2] ?? {};
  }

  /** Whether an entry of this name is in the calendar. */
  keys(): readonly string[] {
    return Object.values(this.#state.objects).flatMap(([, , entries]) => Object.keys(entries ?? {}));
  }

  remember(url: string, etag: string, digest: string, entries: RememberedEntries): void {
    this.#state.objects[this.#endOf(url)] = [shortened(etag), digest, entries];
  }

  /** Remembers of what is long past that it was looked at. */
  rememberPast(url: string, etag: string): void {
    this.#state.objects[this.#endOf(url)] = [shortened(etag)];
  }

  /** Remembers that something is still to be fetched; what was known of it stays. */
  owe(url: string): void {
    const [, digest, entries] = this.#at(url) ?? [];
    this.#state.objects[this.#endOf(url)] = digest === undefined ? [''] : ['', digest, entries ?? {}];
  }

  forget(url: string): void {
    delete this.#state.objects[this.#endOf(url)];
  }

  /** Forgets of what is long past all but its ETag (`isListed`: the server lists it all the same), or that as well. */
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

  #at(url: string): Known | undefined {
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

/** ETags are only compared; some are long. */
function shortened(etag: string): string {
  return sha256(etag).slice(0, 16);
}

const BATCH = 50;
/** The cursor is saved once so large a part of it is new. */
const STEPS = 5;
const MOST_HELD = 4 * 1024 * 1024;
const PAST_MS = 15 * 86_400_000;
/** What spoils one calendar alone. */
const OF_ONE: ReadonlySet<string> = new Set(['missing', 'strange', 'refused']);

/** What is asked, for whom, and how it ends. */
interface CaldavDoor {
  readonly server: DavServer;
  readonly homes: readonly string[];
  readonly settings: CaldavSettings;
  readonly inlet: Inlet;
  readonly close: () => void;
}

/** A connection to a calendar server. */
class CaldavSession implements Session {
  readonly #door: CaldavDoor;
  #cursor: ReturnType<typeof cursorIn>;

  constructor(door: CaldavDoor) {
    this.#door = door;
    this.#cursor = this.#saved();
  }

  async visit(): Promise<readonly SourceProblem[]> {
    const { server } = this.#door;
    await server.unlock();
    // What an earlier visit could not put in is not known.
    this.#cursor = this.#saved();
    const first = await this.#round();
    // What left one calendar meanwhile may have come to another that was looked at before.
    const isMissed = first.calendars.length > 1 && first.calendars.some(({ known }) => hasAny(known.vanished));
    const { calendars, problems, isWhole } = isMissed ? await this.#round() : first;
    const held = isWhole ? await this.#cancel(calendars) : [];
    return [...problems, ...held];
  }

  /** A calendar server says nothing by itself. */
  news(): Promise<void> {
    return new Promise(() => {});
  }

  async describe(): Promise<readonly string[]> {
    const { server, settings } = this.#door;
    await server.unlock();
    const all = await this.#calendars();
    const { chosen, problems } = chosenOf(all, settings.calendars);
    const counted = [];
    for (const [nth, calendar] of chosen.entries()) {
      const count = (await changesIn(server, calendar, NOTHING_KNOWN, null)).changed.size;
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
    this.#door.close();
  }

  #saved(): ReturnType<typeof cursorIn> {
    const { inlet, settings } = this.#door;
    return cursorIn(inlet.cursor(), sha256(`${settings.url}\n${settings.user}`).slice(0, 16));
  }

  #calendars(): Promise<readonly Calendar[]> {
    return calendarsIn(this.#door.server, this.#door.homes);
  }

  /** Looks through all calendars once. What is wrong with one does not keep the others. */
  async #round(): Promise<Round> {
    const { chosen, problems } = chosenOf(await this.#calendars(), this.#door.settings.calendars);
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

  /** Brings what has changed in a calendar. Returns how many of its entries could not be had. */
  async #bring(calendar: Calendar, known: KnownCalendar): Promise<number> {
    const { server, inlet } = this.#door;
    const now = inlet.now();
    const told = { token: known.token, isSame: known.has, urls: known.urls };
    const changes = await changesIn(server, calendar, told, new Date(now - PAST_MS));
    const wanted = new Map([...known.owed.map((url) => [url, ''] as const), ...changes.changed]);
    for (const url of changes.gone) {
      wanted.delete(url);
      known.vanished = withVanished(known.vanished, known.entriesAt(url), now);
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
      // The cursor is written whole each time, so its steps grow with it.
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

  /** Fetches some entries. What the server does not give is asked for again at the next visit. */
  async #fetch(batch: readonly string[], known: KnownCalendar, taking: Taking): Promise<Fetched> {
    const entries = await fetchedEntries(this.#door.server, taking.calendar.url, batch);
    const arrivals = entries.flatMap((one) => this.#take(one, known, taking));
    const had = new Set(entries.map(({ url }) => url));
    const missed = batch.filter((url) => !had.has(url));
    for (const url of missed) known.owe(url);
    return { arrivals, missed: missed.length };
  }

  /** Takes an entry that was fetched. None where it says what it said before, or nothing that still counts. */
  #take({ url, text, ...one }: FetchedEntry, known: KnownCalendar, taking: Taking): readonly Arrival[] {
    const { calendar, etags, isAll, now } = taking;
    const before = known.entriesAt(url);
    if (text === null) {
      known.vanished = withVanished(known.vanished, before, now);
      known.forget(url);
      return [];
    }
    const read = calendarIn(text);
    const digest = digestOf(read.entries);
    const etag = one.etag || etags.get(url) || digest;
    const isSame = known.digestAt(url) === digest;
    const isOver = read.entries.every((entry) => isLongPast(entry, now));
    const entries = remember(read, now);
    known.vanished = withVanished(known.vanished, leftOut(before, entries, read.entries), now);
    if (!isOver) known.remember(url, etag, digest, entries);
    else if (isAll) known.rememberPast(url, etag);
    else known.forget(url);
    if (isSame || isOver) return [];
    const { raises } = this.#cursor;
    const isBack = isRaised(read, raises);
    const written = isBack ? calendarText(read.entries, read.zones, raises) : text;
    const name = ['caldav', calendar.url, url, etag, ...(isBack ? [written] : [])];
    return [calendarArrival(name, written)];
  }

  /** Says that what has vanished from all calendars was cancelled. */
  async #cancel(calendars: readonly Looked[]): Promise<readonly SourceProblem[]> {
    if (!calendars.some(({ known }) => hasAny(known.vanished))) return [];
    const { inlet } = this.#door;
    const now = inlet.now();
    const there = new Set(calendars.flatMap(({ known }) => known.keys()));
    const all = calendars.map(({ known }) => ({
      known,
      ...judged(known.vanished, (key) => there.has(key), known.size, now),
    }));
    const cancelled = all.flatMap((one) => one.cancelled);
    const { raises } = this.#cursor;
    const arrivals = cancellations(cancelled, raises, now);
    for (const { known, waiting } of all) known.vanished = waiting;
    this.#cursor.raises = raisedBy(cancelled, raises);
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
  /** Whether all calendars were seen. */
  readonly isWhole: boolean;
}

interface Fetched {
  readonly arrivals: readonly Arrival[];
  readonly missed: number;
}

interface Taking {
  /** As they were listed: some servers give them only there. */
  readonly etags: ReadonlyMap<string, string>;
  readonly calendar: Calendar;
  readonly isAll: boolean;
  readonly now: number;
}

const NOTHING_KNOWN = { token: '', isSame: () => false, urls: () => [] };
function unreadProblem({ name }: Calendar, unread: number): SourceProblem {
  const entries = unread === 1 ? 'One entry' : `${unread} entries`;
  return {
    message: `${entries} of the calendar "${name}" could not be had.`,
    hint: 'Nothing is needed: they are asked for again at the next visit.',
  };
}

/**
 * Returns the entries that an object no longer has: all, where what they belong to is gone; of a series, those of its own that
 * it now leaves out. Others take place again as the series has them.
 */
function leftOut(
  before: RememberedEntries,
  after: RememberedEntries,
  entries: readonly EntryText[],
): RememberedEntries {
  const excluded = new Set(entries.flatMap(leftOutOf));
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

/** Returns how a calendar server is reached (CalDAV). */
export function caldavConnector({
  settings,
  credential,
  limits = DAV_LIMITS,
}: {
  readonly settings: CaldavSettings;
  readonly credential: Credential;
  readonly limits?: Limits;
}): Connector {
  return {
    async open(inlet, abort) {
      const dav = await loaded();
      const ended = new AbortController();
      const home = new URL(settings.url);
      const wire = new Wire(home, limits, AbortSignal.any([abort, ended.signal]));
      const close = () => {
        ended.abort();
        wire.close();
      };
      try {
        const server = new DavServer(home, { wire, dav, settings, credential });
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
      message: 'The library that speaks to calendar servers is not installed.',
      hint: `Run: ${installCommand('tsdav')}`,
    });
  }
}
