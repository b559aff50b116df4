import { z } from 'zod';
import { decode } from '../streams/mail-parts.ts';
import { sha256 } from '../vault/note-text.ts';
import {
  addDeleted,
  type CalendarText,
  calendarArrival,
  calendarText,
  cancelEntries,
  digestEntries,
  type EntryText,
  entryExtent,
  isLongPast,
  isSeries,
  judgeDeleted,
  liesAhead,
  listLeftOut,
  MANY_GONE,
  newRevisions,
  parseCalendar,
  type RememberedEntries,
  raises,
  remember,
  rememberedEntries,
  vanished,
} from './caldav.ts';
import { HttpClient, type HttpReply, type Limits, statusTrouble, strange } from './http.ts';
import {
  type Arrival,
  type Credential,
  hasPlace,
  type IcsSettings,
  type Inlet,
  type Session,
  type Source,
  SourceError,
  type SourceProblem,
} from './source.ts';

interface KnownFeed {
  readonly digests: Readonly<Record<string, string>>;
  readonly entries: RememberedEntries;
}

/** What a feed says that it did not say before, and what is to be known of it from now on. */
interface FeedChanges {
  /** Entries that are new or say something else; of a series that has such, the series itself as well. */
  readonly changed: readonly EntryText[];
  /** Entries that are there no longer and should be. */
  readonly gone: RememberedEntries;
  readonly digests: Record<string, string>;
  readonly entries: RememberedEntries;
}

const DAY_MS = 86_400_000;

/**
 * Compares a feed with what was known of it. A missing entry is gone only if the feed still shows entries before and
 * after it. Many feeds show a window of time, or the next few entries, and an entry that leaves at an edge was not
 * cancelled.
 */
function feedChanges(feed: CalendarText, known: KnownFeed, now: number): FeedChanges {
  const current = feed.entries.filter((one) => !isLongPast(one, now));
  const byUid = Map.groupBy(current, ({ uid }) => uid);
  const digests = Object.fromEntries(digestsOf(current));
  const isNew = (one: EntryText) => known.digests[nameOf(one)] !== digests[nameOf(one)];
  // A series is read together with the entries that replace single appointments of it.
  const fresh = new Set(current.filter(isNew).map(({ uid }) => uid));
  const changed = [...byUid].flatMap(([uid, all]) => {
    if (!fresh.has(uid)) return [];
    return uid !== '' && all.some(isSeries) ? all : all.filter(isNew);
  });
  const entries = remember({ entries: current, zones: feed.zones }, now);
  return { changed, digests, entries, gone: goneFrom(feed, known.entries, now) };
}

function goneFrom({ entries }: CalendarText, before: RememberedEntries, now: number): RememberedEntries {
  const there = new Set(entries.map(({ key }) => key));
  const series = new Set(entries.filter(isSeries).map(({ uid }) => uid));
  const left = new Set(entries.flatMap(listLeftOut));
  const span = spanOf(entries, now);
  const gone = Object.entries(before).filter(([key, one]) => {
    if (there.has(key) || !liesAhead(one, now)) return false;
    const [uid = '', planned = ''] = key.split('\n');
    // One of a series that has no entry of its own any more takes place again as the series has it, or is left out.
    if (planned !== '' && series.has(uid)) return left.has(key);
    return span !== null && isWithin(one, span);
  });
  return Object.fromEntries(gone);
}

/** From the first to the last day that a feed shows for sure; null if it shows no such days. */
function spanOf(entries: readonly EntryText[], now: number): readonly [number, number] | null {
  const starts = entries.filter((one) => !isSeries(one)).flatMap((one) => entryExtent(one)?.start ?? []);
  if (starts.length === 0) return null;
  // A feed without past entries begins today, or tomorrow.
  const first = starts.reduce((one, other) => Math.min(one, other));
  return [Math.min(first, now + DAY_MS), starts.reduce((one, other) => Math.max(one, other))];
}

/** A series goes on through the whole window; it may have begun long before. */
function isWithin([start, end]: RememberedEntries[string], [first, last]: readonly [number, number]): boolean {
  return end === null ? start <= last : start >= first && start < last;
}

/** Several entries of one name count as one that says all of it. */
function digestsOf(entries: readonly EntryText[]): Map<string, string> {
  const named = Map.groupBy(entries, nameOf);
  return new Map([...named].map(([name, all]) => [name, digestEntries(all)]));
}

function nameOf(one: EntryText): string {
  return one.key ?? `\n${digestEntries([one])}`;
}

interface IcsParts {
  readonly http: HttpClient;
  readonly settings: IcsSettings;
  readonly credential: Credential | null;
  readonly inlet: Inlet;
  readonly close: () => void;
}

const cursor = z.object({
  version: z.literal(1),
  of: z.string(),
  /** What the server wants to be told when it is asked again. */
  etag: z.string().max(1000).default(''),
  modified: z.string().max(100).default(''),
  /** Of the whole feed as it was. */
  sha256: z.string().default(''),
  /** How often it has changed: the same change twice is two things that happened. */
  nth: z.int().default(0),
  digests: z.record(z.string(), z.string()).default({}),
  entries: rememberedEntries.default({}),
  vanished: vanished.default({}),
  raises: raises.default({}),
});
type Cursor = z.infer<typeof cursor>;

const BEGIN = /^\uFEFF?\s{0,100}BEGIN:VCALENDAR/i;
const MOST_HEADER = 1000;
const LEAST_SECRET = 6;

class IcsSession implements Session {
  readonly #parts: IcsParts;

  constructor(parts: IcsParts) {
    this.#parts = parts;
  }

  async poll(): Promise<readonly SourceProblem[]> {
    const { inlet } = this.#parts;
    const before = this.#saved();
    const reply = await this.#asked(before);
    const waits = Object.keys(before.vanished).length > 0;
    if (reply === null) return waits ? this.#settle(before, [], null) : [];
    const hash = sha256(reply.bytes);
    const seen = { ...before, etag: headerIn(reply, 'etag'), modified: headerIn(reply, 'last-modified'), sha256: hash };
    if (hash === before.sha256 && !waits) {
      if (seen.etag !== before.etag || seen.modified !== before.modified) await inlet.put([], seen);
      return [];
    }
    const feed = await this.#read(reply.bytes);
    const changes = feedChanges(feed, before, inlet.now());
    const { changed, digests, entries } = changes;
    const text = changed.length === 0 ? null : calendarText(changed, feed.zones, before.raises);
    const arrivals =
      text === null ? [] : [calendarArrival(['ics', before.of, String(before.nth), digestEntries(changed)], text)];
    const missed = addDeleted(before.vanished, changes.gone, inlet.now());
    return this.#settle({ ...seen, digests, entries, vanished: missed }, arrivals, feed);
  }

  /** A web server reports no news by itself. */
  waitForNews(): Promise<void> {
    return new Promise(() => {});
  }

  async describe(): Promise<readonly string[]> {
    const reply = await this.#asked(null);
    const { entries } = await this.#read(reply?.bytes ?? Buffer.alloc(0));
    const now = this.#parts.inlet.now();
    const ahead = entries.filter((one) => !isLongPast(one, now)).length;
    const count = `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`;
    return [`1 calendar: ${count}, ${ahead} of them not long past`];
  }

  async close(): Promise<void> {
    this.#parts.close();
  }

  #saved(): Cursor {
    const { inlet, settings } = this.#parts;
    const of = sha256(`${settings.url}\n${settings.user ?? ''}`).slice(0, 16);
    const read = cursor.safeParse(inlet.cursor());
    return read.success && read.data.of === of ? read.data : cursor.parse({ version: 1, of });
  }

  /** Stores what came, and cancels what has vanished. `feed`: null if it is unchanged. */
  async #settle(next: Cursor, came: readonly Arrival[], feed: CalendarText | null): Promise<readonly SourceProblem[]> {
    const { inlet } = this.#parts;
    const now = inlet.now();
    const there = new Set(feed?.entries.flatMap(({ key }) => key ?? []) ?? []);
    const { cancelled, waiting, areMany } = judgeDeleted(
      next.vanished,
      (key) => there.has(key),
      Object.keys(next.entries).length,
      now,
    );
    const arrivals = [...came, ...cancelEntries(cancelled, next.raises, now)];
    const nth = next.nth + (arrivals.length > 0 ? 1 : 0);
    await inlet.put(arrivals, { ...next, nth, vanished: waiting, raises: newRevisions(cancelled, next.raises) });
    return areMany ? [MANY_GONE] : [];
  }

  async #read(bytes: Uint8Array): Promise<CalendarText> {
    const text = decode(bytes);
    if (!BEGIN.test(text)) throw strange(this.#host, "sent something that isn't a calendar");
    const { settings, credential } = this.#parts;
    const secret = hasPlace(settings.url) ? ((await credential?.reveal())?.trim() ?? '') : '';
    // Some feeds name their own address in each entry.
    return parseCalendar(secret.length < LEAST_SECRET ? text : text.replaceAll(secret, '***'));
  }

  /** Null if the server says that the feed is unchanged since. */
  async #asked(since: Cursor | null): Promise<HttpReply | null> {
    const { http, settings, credential } = this.#parts;
    const secret = credential === null ? null : await credential.reveal();
    const url = feedAddress(settings.url, secret);
    const isBasic = secret !== null && settings.user !== null && !hasPlace(settings.url);
    const authorization = `Basic ${Buffer.from(`${settings.user}:${secret}`).toString('base64')}`;
    const reply = await http.send({ url, method: 'GET' }, (at) => ({
      accept: 'text/calendar, */*;q=0.1',
      ...(isBasic && at.origin === url.origin ? { authorization } : {}),
      ...(since === null ? {} : sinceHeaders(since)),
    }));
    const { status, headers } = reply;
    if (status === 304 && since !== null) return null;
    if (status !== 200) throw statusTrouble(status, this.#host, headers['retry-after'], this.#parts.inlet.now());
    return reply;
  }

  get #host(): string {
    return new URL(this.#parts.settings.url).host;
  }
}

function sinceHeaders({ etag, modified }: Cursor): Record<string, string> {
  return {
    ...(etag === '' ? {} : { 'if-none-match': etag }),
    ...(modified === '' ? {} : { 'if-modified-since': modified }),
  };
}

function headerIn({ headers }: HttpReply, name: 'etag' | 'last-modified'): string {
  const value = headers[name] ?? '';
  return value.length <= MOST_HEADER ? value : '';
}

const LIMITS: Limits = { wholeMs: 120_000, bytes: 20 * 1024 * 1024 };

/** Returns how the calendar at an address is reached. */
export function icsSource({
  settings,
  credential,
  limits = LIMITS,
}: {
  readonly settings: IcsSettings;
  readonly credential: Credential | null;
  readonly limits?: Limits;
}): Source {
  return {
    async open(inlet, abort) {
      const ended = new AbortController();
      const http = new HttpClient(new URL(settings.url), limits, AbortSignal.any([abort, ended.signal]));
      return new IcsSession({ http, settings, credential, inlet, close: () => ended.abort() });
    },
  };
}

const PLACE = '{secret}';
const PLACES = /\{secret\}/gi;

/**
 * Returns the address of a feed with its secret in the place that the note leaves for it. The secret cannot change
 * where the request goes: its place is behind the host. Throws if it isn't, or if the secret doesn't fit.
 */
export function feedAddress(written: string, secret: string | null): URL {
  if (!hasPlace(written)) return new URL(written);
  if (secret === null) throw unfit('its secret part is missing');
  const origin = originOf(written.replaceAll(PLACES, 'x'));
  if (origin !== originOf(written.replaceAll(PLACES, 'y'))) throw unfit(`${PLACE} is only allowed after the host`);
  const whole = written.replaceAll(PLACES, () => secret.trim());
  if (/[\s\\]/.test(secret.trim()) || originOf(whole) !== origin) throw unfit('the secret is not valid in an address');
  return new URL(whole);
}

function originOf(written: string): string | null {
  return URL.canParse(written) ? new URL(written).origin : null;
}

function unfit(says: string): SourceError {
  return new SourceError({
    kind: 'setup',
    message: `The address of the calendar can't be built: ${says}.`,
    hint: `Write ${PLACE} in place of the secret part of the address, and give that part as the password.`,
  });
}
