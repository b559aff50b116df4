import { z } from 'zod';
import { sha256 } from '../../vault/hash.ts';
import type { Json } from '../connector.ts';
import { raises } from './calendar/raised.ts';
import { isOverSince, type RememberedEntries, rememberedEntries } from './calendar/remembered.ts';
import { type Vanished, vanished } from './calendar/vanished.ts';

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
export function cursorIn(saved: Json, of: string): Cursor {
  const read = cursor.safeParse(saved);
  return read.success && read.data.of === of ? read.data : { version: 1, of, calendars: {}, raises: {} };
}

/** What is known of one calendar. It writes into the cursor that it was made of. */
export class KnownCalendar {
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
