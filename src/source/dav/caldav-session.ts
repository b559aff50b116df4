import { sha256 } from '../../vault/hash.ts';
import type { Arrival, Inlet, Session, SourceProblem } from '../connector.ts';
import { SourceError } from '../failure.ts';
import type { CaldavSettings } from '../source-note.ts';
import { calendarArrival, cancellations, MANY_GONE } from './calendar/cancelling.ts';
import { calendarIn, digestOf, type EntryText, leftOutOf } from './calendar/entry-text.ts';
import { calendarText, isRaised, raisedBy } from './calendar/raised.ts';
import { isLongPast, type RememberedEntries, remember } from './calendar/remembered.ts';
import { judged, withVanished } from './calendar/vanished.ts';
import { cursorIn, KnownCalendar } from './known-calendar.ts';
import { changesIn } from './server/changes.ts';
import { chosenOf } from './server/chosen.ts';
import type { DavServer } from './server/dav-server.ts';
import { type Calendar, calendarsIn } from './server/discovery.ts';
import { type FetchedEntry, fetchedEntries } from './server/fetched.ts';

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
export class CaldavSession implements Session {
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
