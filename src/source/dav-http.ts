import { SaxesParser } from 'saxes';
import { z } from 'zod';
import { oneLine } from '../stream/mail/plain-text.ts';
import { isAddress, isAligned } from '../stream/mail-domain.ts';
import { type Credential, SourceError, type SourceProblem } from './connector.ts';
import { type Limits, ledAway, type Reply, statusTrouble, strange, type Wire } from './http-wire.ts';
import type { CaldavSettings } from './source.ts';

/** A text as tsdav gives it: some become numbers or truths on the way, and one in CDATA lies deeper. */
const text = z
  .union([
    z.string(),
    z.number().transform(String),
    z.boolean().transform(String),
    z.object({ _cdata: z.string() }).transform(({ _cdata }) => _cdata),
    z.object({ _text: z.string() }).transform(({ _text }) => _text),
  ])
  .catch('')
  .transform((written) => written.trim());
const listOf = <Kind extends z.ZodType>(kind: Kind) =>
  z.preprocess((value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]), z.array(kind)).catch([]);
const hrefs = z
  .object({ href: listOf(text) })
  .transform(({ href }) => href.filter((one) => one !== ''))
  .catch([]);
const component = z
  .object({ _attributes: z.object({ name: z.string() }) })
  .transform(({ _attributes }) => _attributes.name);
/** What of a report matters here: its name. */
const report = z.object({ report: z.record(z.string(), z.unknown()) }).transform((one) => Object.keys(one.report));

const properties = z
  .object({
    currentUserPrincipal: hrefs,
    calendarHomeSet: hrefs,
    displayname: text,
    resourcetype: z
      .record(z.string(), z.unknown())
      .catch({})
      .transform((kinds) => Object.keys(kinds)),
    supportedCalendarComponentSet: z
      .object({ comp: listOf(component) })
      .transform(({ comp }) => comp)
      .catch([]),
    supportedReportSet: z
      .object({ supportedReport: listOf(report) })
      .transform(({ supportedReport }) => supportedReport.flat())
      .catch([]),
    syncToken: text,
    getctag: text,
    getetag: text,
    calendarData: text,
  })
  .partial();

/** What a server says of one thing. */
const answered = z.object({
  href: text,
  status: z.number(),
  props: properties.catch({}).default({}),
});
type Answered = z.infer<typeof answered>;

/** What stands around the answers: the token of a sync. */
const around = z
  .object({ multistatus: z.object({ syncToken: text.optional() }) })
  .transform(({ multistatus }) => multistatus.syncToken ?? '')
  .catch('');

/** What a calendar has now that it did not have before. */
interface Changes {
  /** Addresses of entries that are new or another, with their ETags (empty: the server gives none). */
  readonly changed: ReadonlyMap<string, string>;
  /** Addresses that are there no longer. */
  readonly gone: readonly string[];
  /** To ask from the next time; empty where the server has none. */
  readonly token: string;
  /** Whether entries that are long past were listed as well, since the server cannot leave them out. */
  readonly isAll: boolean;
}

/** What is known of a calendar: the token of its state then, and the ETags by the addresses of its entries. */
interface Known {
  readonly token: string;
  readonly isSame: (url: string, etag: string) => boolean;
  readonly urls: () => Iterable<string>;
}

const MULTISTATUS = 207;
const MOST_PAGES = 200;

/**
 * Returns what has changed in a calendar: by its token where it knows that, else by comparing the ETags of all entries that are
 * not over at `from` (null: of all).
 */
export async function changesIn(
  server: DavServer,
  calendar: Calendar,
  known: Known,
  from: Date | null,
): Promise<Changes> {
  const since = known.token !== '' && calendar.canSync ? await changesBy(server, calendar.url, known.token) : null;
  return since === null ? compared(server, calendar, known, from) : withoutSame(since, known);
}

/** Null where the server does not know the token, or no such question. */
async function changesBy(server: DavServer, url: string, first: string): Promise<Changes | null> {
  const changed = new Map<string, string>();
  const gone = new Set<string>();
  let token = first;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answers = await server.changesSince(url, token);
    if (answers.status !== MULTISTATUS || answers.token === '') return null;
    const asked = token;
    token = answers.token;
    for (const { href, status, props } of answers.list) {
      const at = entryAt(server, href, url);
      if (at === null) continue;
      if (status === 404 || status === 410) {
        changed.delete(at);
        gone.add(at);
      } else {
        gone.delete(at);
        changed.set(at, props.getetag ?? '');
      }
    }
    // It gave a part, and the rest is asked for by the token of that part.
    const isPart = answers.list.some(({ href, status }) => status === 507 && entryAt(server, href, url) === null);
    if (!isPart || token === asked) return { changed, gone: [...gone], token, isAll: false };
  }
  throw strange(server.host, 'never comes to the end of what has changed');
}

async function compared(
  server: DavServer,
  { url, token }: Calendar,
  known: Known,
  from: Date | null,
): Promise<Changes> {
  const { list, isAll } = await listed(server, url, from);
  const there = new Map<string, string>();
  for (const { href, props } of list) {
    const at = entryAt(server, href, url);
    if (at !== null) there.set(at, props.getetag ?? '');
  }
  const gone = [...known.urls()].filter((at) => !there.has(at));
  return withoutSame({ changed: there, gone, token, isAll }, known);
}

async function listed(
  server: DavServer,
  url: string,
  from: Date | null,
): Promise<{ list: readonly Answered[]; isAll: boolean }> {
  const asked: readonly (readonly [() => Promise<Answers>, boolean])[] = [
    ...(from === null ? [] : [[() => server.entriesFrom(url, from), false] as const]),
    [() => server.entriesFrom(url, null), true],
    [() => server.find(url, ['d:getetag', 'd:resourcetype'], '1'), true],
  ];
  for (const [ask, isAll] of asked) {
    const { list, status } = await ask();
    if (status === MULTISTATUS) return { list: list.filter(isThere), isAll };
  }
  throw strange(server.host, 'does not list the entries of a calendar');
}

function isThere({ status, props: { resourcetype = [] } }: Answered): boolean {
  return status >= 200 && status < 300 && !resourcetype.includes('collection');
}

function withoutSame(changes: Changes, { isSame }: Known): Changes {
  const changed = [...changes.changed].filter(([at, etag]) => etag === '' || !isSame(at, etag));
  return { ...changes, changed: new Map(changed) };
}

/** Null for the calendar itself, and for what holds more. */
function entryAt(server: DavServer, href: string, url: string): string | null {
  const at = href === '' ? url : server.addressOf(href, url);
  return at === url || at.endsWith('/') || `${at}/` === url ? null : at;
}

const MOST_SHOWN = 12;

/** Returns the calendars that are followed by their names (none: all), and which are not there. Throws where none is. */
export function chosenOf(
  all: readonly Calendar[],
  names: readonly string[],
): { readonly chosen: readonly Calendar[]; readonly problems: SourceProblem[] } {
  const shown = all.slice(0, MOST_SHOWN).map(({ name }) => name);
  const hint = all.length === 0 ? 'Look at the account where it is kept.' : `There are: ${shown.join(', ')}.`;
  if (all.length === 0) throw new SourceError({ kind: 'missing', message: 'The account has no calendars.', hint });
  if (names.length === 0) return { chosen: all, problems: [] };
  const chosen = all.filter(({ name }) => names.some((wanted) => folded(wanted) === folded(name)));
  const missing = names.filter((wanted) => !chosen.some(({ name }) => folded(name) === folded(wanted)));
  const problems = missing.map((wanted) => ({ message: `There is no calendar "${wanted}" in the account.`, hint }));
  const [problem] = problems;
  if (chosen.length === 0 && problem !== undefined) throw new SourceError({ kind: 'missing', ...problem });
  return { chosen, problems };
}

function folded(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/**
 * Whether a calendar server may lead us to an address, password and all: its own host, and others of the same organisation.
 * Whoever is asked without TLS is this machine, and is left for nobody.
 */
export function mayLeadTo(home: URL, target: URL): boolean {
  if (target.username !== '' || target.password !== '') return false;
  if (target.origin === home.origin) return true;
  if (home.protocol !== 'https:' || target.protocol !== 'https:') return false;
  if (target.hostname === home.hostname) return true;
  return !isAddress(target.hostname) && isAligned(home.hostname, target.hostname);
}

const MOST_ELEMENTS = 600_000;
const MOST_DEPTH = 24;
/** In one element, but for the outermost: what a server says of one entry or calendar is far less. */
const MOST_CHILDREN = 500;
const MOST_ATTRIBUTES = 30;
const PIECE = 65_536;

/**
 * Returns why an answer is not to be made into a tree; null where it may. A tree of it takes memory for each element and time
 * for those that lie side by side, so both are counted before. Nothing is expanded.
 */
function flawOfXml(text: string): string | null {
  const open: number[] = [];
  let elements = 0;
  let attributes = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Impossible('it has a document type');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) throw new Impossible('one of its elements has too many attributes');
  });
  parser.on('opentag', () => {
    attributes = 0;
    elements += 1;
    const siblings = (open.at(-1) ?? 0) + 1;
    if (open.length > 0) open[open.length - 1] = siblings;
    if (open.length > 1 && siblings > MOST_CHILDREN) throw new Impossible('too much lies side by side in it');
    if (elements > MOST_ELEMENTS) throw new Impossible('it has too many elements');
    if (open.push(0) > MOST_DEPTH) throw new Impossible('it is too deep');
  });
  parser.on('closetag', () => {
    open.pop();
  });
  try {
    for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
    parser.close();
    return null;
  } catch (error) {
    return error instanceof Impossible ? error.message : 'it is not well-formed';
  }
}

class Impossible extends Error {}

/** What is used of tsdav. */
export type Library = Pick<typeof import('tsdav'), 'propfind' | 'syncCollection' | 'davRequest'>;

/** How long and how much is waited for of a calendar server. Some think for a minute before they first list a large calendar. */
export const DAV_LIMITS: Limits = { idleMs: 90_000, wholeMs: 180_000, bytes: 32 * 1024 * 1024 };

/** What a server says of many things. */
interface Answers {
  readonly list: readonly Answered[];
  /** The token of the state that it shows; empty where it gives none. */
  readonly token: string;
  /** The status of the whole; there is a list only with 207. */
  readonly status: number;
  /** Who answered: another address where it was sent on. */
  readonly url: string;
}

const CALDAV_NAMES = { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' };
/** Statuses that say that a server cannot do what it was asked for, or not by that token. */
const NOT_SO: ReadonlySet<number> = new Set([400, 403, 404, 405, 409, 410, 412, 415, 422, 501, 507]);

/** A calendar server: asks through tsdav, within limits, and knows where the password may go. */
export class DavServer {
  readonly #home: URL;
  readonly #wire: Wire;
  readonly #dav: Library;
  readonly #settings: Pick<CaldavSettings, 'user' | 'auth'>;
  readonly #credential: Credential;
  #authorization = '';

  constructor(
    home: URL,
    {
      wire,
      dav,
      settings,
      credential,
    }: { wire: Wire; dav: Library; settings: Pick<CaldavSettings, 'user' | 'auth'>; credential: Credential },
  ) {
    this.#home = home;
    this.#wire = wire;
    this.#dav = dav;
    this.#settings = settings;
    this.#credential = credential;
  }

  /** The name of the server, as a person knows it. */
  get host(): string {
    return this.#home.host;
  }

  /** Asks for the password or token, which may be another one by now. */
  async unlock(): Promise<void> {
    const secret = await this.#credential.reveal();
    const { auth, user } = this.#settings;
    const basic = Buffer.from(`${user}:${secret}`).toString('base64');
    this.#authorization = auth === 'oauth2' ? `Bearer ${secret}` : `Basic ${basic}`;
  }

  /** Returns the address of an href that was found at `base`. Throws where it leads to where the password must not go. */
  addressOf(href: string, base: string): string {
    if (!URL.canParse(href, base)) throw strange(this.host, 'gives an address that is none');
    const url = new URL(href, base);
    if (!mayLeadTo(this.#home, url)) throw ledAway(this.host);
    return url.href;
  }

  /** Asks what something has of some properties (`d:displayname`); with depth 1, of what lies in it as well. */
  async find(url: string, names: readonly string[], depth: '0' | '1'): Promise<Answers> {
    const props = Object.fromEntries(names.map((name) => [name, {}]));
    return this.#ask((fetch) => this.#dav.propfind({ url, props, depth, fetch }));
  }

  /** Asks what has changed in a calendar since a token. Its status says where the token is not known. */
  async changesSince(url: string, token: string): Promise<Answers> {
    const asked = { url, props: { 'd:getetag': {} }, syncLevel: 1, syncToken: token };
    return this.#ask((fetch) => this.#dav.syncCollection({ ...asked, fetch }));
  }

  /** Asks for the entries of a calendar: those that are not over at `from`; with null, all. Its status says where it cannot. */
  async entriesFrom(url: string, from: Date | null): Promise<Answers> {
    const start = from?.toISOString().replace(/[-:]|\.\d+/g, '');
    const range = start === undefined ? {} : { 'c:time-range': { _attributes: { start } } };
    const entries = { 'c:comp-filter': { _attributes: { name: 'VEVENT' }, ...range } };
    return this.#report(url, 'c:calendar-query', {
      'd:prop': { 'd:getetag': {} },
      'c:filter': { 'c:comp-filter': { _attributes: { name: 'VCALENDAR' }, ...entries } },
    });
  }

  /** Asks for some entries as a whole. */
  async fetched(url: string, hrefs: readonly string[]): Promise<Answers> {
    return this.#report(url, 'c:calendar-multiget', {
      'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
      'd:href': hrefs,
    });
  }

  #report(url: string, name: string, inside: Readonly<Record<string, unknown>>): Promise<Answers> {
    const body = { [name]: { _attributes: CALDAV_NAMES, ...inside } };
    const init = { method: 'REPORT' as const, headers: { depth: '1' }, body };
    return this.#ask((fetch) => this.#dav.davRequest({ url, init, fetch }));
  }

  async #ask(ask: (send: typeof fetch) => Promise<unknown>): Promise<Answers> {
    let [status, url] = [0, ''];
    const send: typeof fetch = async (input, init) => {
      const reply = await this.#send(new URL(String(input)), init ?? {});
      status = reply.status;
      url = reply.url.href;
      return new Response(this.#xmlIn(reply), {
        status: reply.status,
        headers: { 'content-type': reply.headers['content-type'] ?? '' },
      });
    };
    const raw = await this.#tried(() => ask(send));
    if (status !== MULTISTATUS) return { list: [], token: '', status, url };
    const [first] = z
      .array(z.object({ raw: z.unknown() }))
      .min(1)
      .catch([{ raw: null }])
      .parse(raw);
    const list = z.array(z.unknown()).catch([]).parse(raw).flatMap(oneOf);
    return { list, token: around.parse(first?.raw), status, url };
  }

  /** What the library throws by itself may have the server's words in it. */
  async #tried<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof SourceError || !(error instanceof TypeError)) throw error;
      throw strange(this.host, 'gives an answer that cannot be understood');
    }
  }

  async #send(url: URL, { method = 'GET', headers, body }: RequestInit): Promise<Reply & { readonly url: URL }> {
    const own = Object.fromEntries(new Headers(headers));
    const reply = await this.#wire.send(
      { url, method, body: String(body ?? '') },
      () => ({ ...own, authorization: this.#authorization }),
      (target) => mayLeadTo(this.#home, target),
    );
    const { status } = reply;
    const isTold = status === MULTISTATUS || (status !== 403 && NOT_SO.has(status)) || isAboutToken(reply);
    if (status < 200 || status >= 300) {
      if (!isTold) throw statusTrouble(status, this.host, reply.headers['retry-after'], Date.now());
    }
    return reply;
  }

  /** The text of an answer, once it may be made into a tree. */
  #xmlIn({ status, headers, bytes }: Reply): string | null {
    if (status !== MULTISTATUS) return null;
    const text = bytes.toString('utf8');
    const isXml = headers['content-type']?.toLowerCase().includes('xml') === true;
    const flaw = isXml ? flawOfXml(text) : 'it is no XML';
    if (flaw !== null) throw strange(this.host, `gives an answer that cannot be read: ${flaw}`);
    return text;
  }
}

/** A 403 may be about the token of a sync, or about what cannot be asked for, and not about the person. */
function isAboutToken({ status, bytes }: Reply): boolean {
  return (
    status === 403 && /valid-sync-token|number-of-matches|supported-(?:filter|report)/.test(bytes.toString('latin1'))
  );
}

function oneOf(raw: unknown): Answered[] {
  const read = answered.safeParse(raw);
  return read.success ? [read.data] : [];
}

/** A calendar of a server. */
export interface Calendar {
  readonly url: string;
  /** As the server shows it; else the end of its address. */
  readonly name: string;
  /** The token of its present state; empty where the server gives none. */
  readonly token: string;
  /** What changes with its entries, where there is no token; empty where the server gives none. */
  readonly tag: string;
  /** Whether the server says that it can tell what has changed since a token. */
  readonly canSync: boolean;
}

const OF_PLACE = ['d:current-user-principal', 'c:calendar-home-set', 'd:resourcetype'];
const OF_CALENDAR = [
  ...['d:displayname', 'd:resourcetype', 'c:supported-calendar-component-set', 'd:supported-report-set'],
  ...['d:sync-token', 'cs:getctag'],
];
const MAX_NAME = 80;
const MOST_HOMES = 10;

/**
 * Returns where the calendars of a person lie: below the address of the source note, or where that leads to, and else where the
 * host's well-known address leads to. Throws a `SourceError`.
 */
export async function homesFrom(server: DavServer, address: string): Promise<readonly string[]> {
  for (const url of [address, new URL('/.well-known/caldav', address).href, new URL('/', address).href]) {
    const homes = await homesAt(server, url);
    if (homes.length > 0) return homes.slice(0, MOST_HOMES);
  }
  throw new SourceError({
    kind: 'missing',
    message: `${server.host} has no calendars at that address.`,
    hint: 'Check the address: it is that of CalDAV, which the help pages of the provider name.',
  });
}

/** Returns the calendars that lie in some places, each once. */
export async function calendarsIn(server: DavServer, homes: readonly string[]): Promise<readonly Calendar[]> {
  const found = new Map<string, Calendar>();
  for (const home of homes) {
    const { list } = await server.find(home, OF_CALENDAR, '1');
    for (const each of list.filter(holdsAppointments)) {
      const calendar = calendarOf(each, server.addressOf(each.href, home));
      found.set(calendar.url, calendar);
    }
  }
  return [...found.values()];
}

/** None where the address shows the way to none. */
async function homesAt(server: DavServer, url: string): Promise<readonly string[]> {
  const { list, url: at } = await server.find(url, OF_PLACE, '0');
  const [place] = list;
  if (place === undefined) return [];
  const { calendarHomeSet = [], currentUserPrincipal = [], resourcetype = [] } = place.props;
  if (resourcetype.includes('calendar')) return [at];
  if (calendarHomeSet.length > 0) return addressesOf(server, calendarHomeSet, at);
  const [principal] = addressesOf(server, currentUserPrincipal, at);
  const there = principal === undefined ? null : await server.find(principal, OF_PLACE, '0');
  const homes = there?.list[0]?.props.calendarHomeSet ?? [];
  return there === null ? [] : addressesOf(server, homes, there.url);
}

function addressesOf(server: DavServer, hrefs: readonly string[], base: string): readonly string[] {
  return hrefs.map((href) => server.addressOf(href, base));
}

function holdsAppointments({
  props: { resourcetype = [], supportedCalendarComponentSet: kinds = [] },
}: Answered): boolean {
  return (
    resourcetype.includes('calendar') && (kinds.length === 0 || kinds.some((kind) => kind.toUpperCase() === 'VEVENT'))
  );
}

function calendarOf({ props }: Answered, url: string): Calendar {
  const reports = props.supportedReportSet ?? [];
  return {
    url,
    name: oneLine(props.displayname ?? '', MAX_NAME) || lastOf(url),
    token: props.syncToken ?? '',
    tag: props.getctag ?? '',
    canSync: reports.length === 0 || reports.includes('syncCollection'),
  };
}

function lastOf(url: string): string {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  return oneLine(decoded(last), MAX_NAME);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An entry as the server gave it. */
export interface FetchedEntry {
  readonly url: string;
  /** Empty where the server gives none. */
  readonly etag: string;
  /** Null where it is there no longer. */
  readonly text: string | null;
}

/**
 * Returns some entries of a calendar. What the server does not give is left out; where the answer as a whole cannot be read,
 * it is asked for in smaller parts, so that one entry spoils only itself.
 */
export async function fetchedEntries(
  server: DavServer,
  calendar: string,
  urls: readonly string[],
): Promise<readonly FetchedEntry[]> {
  try {
    return await asked(server, calendar, urls);
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind !== 'strange') throw error;
    if (urls.length === 1) return [];
    const half = Math.ceil(urls.length / 2);
    const first = await fetchedEntries(server, calendar, urls.slice(0, half));
    // A server of which nothing can be read is not asked for each entry.
    if (first.length === 0) throw error;
    return [...first, ...(await fetchedEntries(server, calendar, urls.slice(half)))];
  }
}

async function asked(server: DavServer, calendar: string, urls: readonly string[]): Promise<readonly FetchedEntry[]> {
  const wanted = new Set(urls);
  const { list, status } = await server.fetched(calendar, urls.map(pathOf));
  if (status !== MULTISTATUS) throw statusTrouble(status, server.host, undefined, 0);
  return list.flatMap(({ href, status: own, props }): FetchedEntry[] => {
    const url = server.addressOf(href, calendar);
    if (!wanted.has(url)) return [];
    const { getetag: etag = '', calendarData: text = '' } = props;
    if (own === 404 || own === 410) return [{ url, etag, text: null }];
    return text === '' ? [] : [{ url, etag, text }];
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
