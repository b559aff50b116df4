import { z } from 'zod';
import { decode } from '../../stream/charset/decode.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Arrival, Credential, Inlet, Session, SourceProblem } from '../connector.ts';
import type { IcsSettings } from '../source-note.ts';
import { calendarArrival, cancellations, MANY_GONE } from './calendar/cancelling.ts';
import { type CalendarText, calendarIn, digestOf } from './calendar/entry-text.ts';
import { calendarText, raisedBy, raises } from './calendar/raised.ts';
import { isLongPast, rememberedEntries } from './calendar/remembered.ts';
import { judged, vanished, withVanished } from './calendar/vanished.ts';
import { feedAddress, hasPlace } from './feed/feed-address.ts';
import { feedChanges } from './feed/feed-changes.ts';
import { statusTrouble, strange } from './wire/troubles.ts';
import type { Reply, Wire } from './wire/wire.ts';

/** What is asked, for whom, and how it ends. */
interface IcsDoor {
  readonly wire: Wire;
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
/** What is shorter may be any word. */
const LEAST_SECRET = 6;

/** A calendar that lies at an address. */
export class IcsSession implements Session {
  readonly #door: IcsDoor;

  constructor(door: IcsDoor) {
    this.#door = door;
  }

  async visit(): Promise<readonly SourceProblem[]> {
    const { inlet } = this.#door;
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
      text === null ? [] : [calendarArrival(['ics', before.of, String(before.nth), digestOf(changed)], text)];
    const missed = withVanished(before.vanished, changes.gone, inlet.now());
    return this.#settle({ ...seen, digests, entries, vanished: missed }, arrivals, feed);
  }

  /** A web server says nothing by itself. */
  news(): Promise<void> {
    return new Promise(() => {});
  }

  async describe(): Promise<readonly string[]> {
    const reply = await this.#asked(null);
    const { entries } = await this.#read(reply?.bytes ?? Buffer.alloc(0));
    const now = this.#door.inlet.now();
    const ahead = entries.filter((one) => !isLongPast(one, now)).length;
    const count = `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`;
    return [`1 calendar: ${count}, ${ahead} of them not long past`];
  }

  async close(): Promise<void> {
    this.#door.close();
  }

  #saved(): Cursor {
    const { inlet, settings } = this.#door;
    const of = sha256(`${settings.url}\n${settings.user ?? ''}`).slice(0, 16);
    const read = cursor.safeParse(inlet.cursor());
    return read.success && read.data.of === of ? read.data : cursor.parse({ version: 1, of });
  }

  /** Puts in what came, and that was cancelled which has vanished. `feed`: null where it is as it was. */
  async #settle(next: Cursor, came: readonly Arrival[], feed: CalendarText | null): Promise<readonly SourceProblem[]> {
    const { inlet } = this.#door;
    const now = inlet.now();
    const there = new Set(feed?.entries.flatMap(({ key }) => key ?? []) ?? []);
    const { cancelled, waiting, areMany } = judged(
      next.vanished,
      (key) => there.has(key),
      Object.keys(next.entries).length,
      now,
    );
    const arrivals = [...came, ...cancellations(cancelled, next.raises, now)];
    const nth = next.nth + (arrivals.length > 0 ? 1 : 0);
    await inlet.put(arrivals, { ...next, nth, vanished: waiting, raises: raisedBy(cancelled, next.raises) });
    return areMany ? [MANY_GONE] : [];
  }

  async #read(bytes: Uint8Array): Promise<CalendarText> {
    const text = decode(bytes);
    if (!BEGIN.test(text)) throw strange(this.#host, 'gives something that is no calendar');
    const { settings, credential } = this.#door;
    const secret = hasPlace(settings.url) ? ((await credential?.reveal())?.trim() ?? '') : '';
    // Some feeds name their own address in each entry.
    return calendarIn(secret.length < LEAST_SECRET ? text : text.replaceAll(secret, '***'));
  }

  /** Null where the server says that nothing has changed since. */
  async #asked(since: Cursor | null): Promise<Reply | null> {
    const { wire, settings, credential } = this.#door;
    const secret = credential === null ? null : await credential.reveal();
    const url = feedAddress(settings.url, secret);
    const isBasic = secret !== null && settings.user !== null && !hasPlace(settings.url);
    const authorization = `Basic ${Buffer.from(`${settings.user}:${secret}`).toString('base64')}`;
    const reply = await wire.send(
      { url, method: 'GET' },
      (at) => ({
        accept: 'text/calendar, */*;q=0.1',
        ...(isBasic && at.origin === url.origin ? { authorization } : {}),
        ...(since === null ? {} : sinceHeaders(since)),
      }),
      (target) => mayFollow(url, target),
    );
    const { status, headers } = reply;
    if (status === 304 && since !== null) return null;
    if (status !== 200) throw statusTrouble(status, this.#host, headers['retry-after'], this.#door.inlet.now());
    return reply;
  }

  get #host(): string {
    return new URL(this.#door.settings.url).host;
  }
}

/** From TLS never to anything without; from this machine itself to itself alone. */
function mayFollow(first: URL, target: URL): boolean {
  if (target.username !== '' || target.password !== '') return false;
  return target.protocol === 'https:' || target.origin === first.origin;
}

function sinceHeaders({ etag, modified }: Cursor): Record<string, string> {
  return {
    ...(etag === '' ? {} : { 'if-none-match': etag }),
    ...(modified === '' ? {} : { 'if-modified-since': modified }),
  };
}

function headerIn({ headers }: Reply, name: 'etag' | 'last-modified'): string {
  const value = headers[name] ?? '';
  return value.length <= MOST_HEADER ? value : '';
}
