import { SaxesParser } from 'saxes';
import { z } from 'zod';
import { fetchErrorCode, readAnswer, retryAfterMs } from '../daemon/network.ts';
import { decodeAddress } from '../vault/links.ts';
import { oneLine } from '../vault/note-text.ts';
import { isAddress, isAligned } from '../vault/source-names.ts';
import { type CaldavSettings, type Credential, SourceError, type SourceProblem } from './source.ts';

const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT|ERR_SSL_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$)/;
/** Codes of what is no HTTP. An answer that ends too early was cut off on its way. */
const NO_HTTP = /^(?:HPE_(?!INVALID_EOF)|Z_(?!BUF)|ERR_BUFFER|UND_ERR_HEADERS_OVERFLOW)/;
/** What a header may contain. */
const FIT_HEADER = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
const MAX_WAIT_MS = 86_400_000;

/** Returns what an error of the connection means. `host`: the name of the server, as a person knows it. */
function connectionTrouble(error: unknown, host: string): SourceError {
  if (error instanceof SourceError) return error;
  const code = fetchErrorCode(error) ?? 'the connection failed';
  if (CERTIFICATE.test(code)) {
    return new SourceError({
      kind: 'certificate',
      message: `${host} has an invalid certificate (${code}).`,
      hint: 'The certificate has expired, is self-signed, or is for another name. The operator of the server can renew it.',
    });
  }
  if (NO_HTTP.test(code)) return strange(host, `doesn't answer like a web server (${code})`);
  return away(`${host} cannot be reached (${code}).`);
}

function unfitHeader(): SourceError {
  return new SourceError({
    kind: 'setup',
    message: "The password or token contains a character that can't be sent.",
    hint: 'Check its origin: it must be one line.',
  });
}

/** Returns what a status says that is no answer. `retryAfter`: what the server says of waiting, if anything. */
export function statusTrouble(status: number, host: string, retryAfter: string | undefined, now: number): SourceError {
  if (status === 401 || status === 403) {
    return new SourceError({
      kind: 'refused',
      message: `${host} rejected the login (${status}).`,
      hint: 'Check the user and the password. Many servers need an app password, which you create in the settings of the account.',
    });
  }
  if (status === 404 || status === 410) {
    return new SourceError({
      kind: 'missing',
      message: `${host} has no page at that address (${status}).`,
      hint: 'Check the address in the source note.',
    });
  }
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(retryAfter, now);
    return new SourceError({
      kind: 'busy',
      message: `${host} asks us to wait (${status}).`,
      hint: 'No action needed: Steward tries again later.',
      ...(waitMs === null ? {} : { waitMs: Math.min(waitMs, MAX_WAIT_MS) }),
    });
  }
  if (status >= 500) return away(`${host} reports an internal error (${status}).`);
  return strange(host, `sent an unexpected answer (${status})`);
}

/** Returns the trouble of a server that says what makes no sense. `does`: in plain words. */
export function strange(host: string, does: string): SourceError {
  return new SourceError({
    kind: 'strange',
    message: `${host} ${does}.`,
    hint: 'Check that the address in the source note belongs to the calendar, not to a web page about it.',
  });
}

function ledAway(host: string): SourceError {
  return new SourceError({
    kind: 'strange',
    message: `${host} redirects to another server, which Steward doesn't follow.`,
    hint: 'If that is correct, put the new address into the source note yourself.',
  });
}

function tooSlow(host: string, ms: number): SourceError {
  return away(`${host} gave no complete answer within ${Math.round(ms / 1000)} seconds.`);
}

function away(message: string): SourceError {
  return new SourceError({
    kind: 'away',
    message,
    hint: 'No action needed if this is temporary: Steward tries again.',
  });
}

/** How long and how much is waited for. */
export interface Limits {
  readonly wholeMs: number;
  /** Of one answer, after it was unpacked. */
  readonly bytes: number;
}

interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpReply {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Sends requests to one server, and to the ones that it may redirect to. */
export class HttpClient {
  readonly #home: URL;
  readonly #limits: Limits;
  readonly #abort: AbortSignal;

  constructor(home: URL, limits: Limits, abort: AbortSignal) {
    this.#home = home;
    this.#limits = limits;
    this.#abort = abort;
  }

  /**
   * Sends one request, and reads the whole answer. Follows one redirect, to the same origin or organisation (`mayLeadTo`).
   * `headersAt`: what is sent to which address, a password too. Throws a `SourceError`.
   */
  async send(
    request: Omit<HttpRequest, 'headers'>,
    headersAt: (url: URL) => HttpRequest['headers'],
  ): Promise<HttpReply & { readonly url: URL }> {
    const first = await this.#exchange({ ...request, headers: headersAt(request.url) });
    const url = redirectIn(first, request.url);
    if (url === null) return { ...first, url: request.url };
    if (!mayLeadTo(this.#home, url)) throw ledAway(this.#home.host);
    return { ...(await this.#exchange({ ...request, url, headers: headersAt(url) })), url };
  }

  async #exchange({ url, method, headers, body }: HttpRequest): Promise<HttpReply> {
    const { wholeMs, bytes } = this.#limits;
    if (!Object.values(headers).every((value) => FIT_HEADER.test(value))) throw unfitHeader();
    const late = AbortSignal.timeout(wholeMs);
    const signal = AbortSignal.any([this.#abort, late]);
    const init = {
      method,
      headers: { 'User-Agent': 'vault-steward', ...headers },
      redirect: 'manual' as const,
      signal,
    };
    try {
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      const read = await readAnswer(response, bytes);
      if (read === null) throw strange(this.#home.host, 'sent an answer that is too large for a calendar');
      return { status: response.status, headers: Object.fromEntries(response.headers), bytes: read };
    } catch (error) {
      this.#abort.throwIfAborted();
      throw late.aborted ? tooSlow(this.#home.host, wholeMs) : connectionTrouble(error, this.#home.host);
    }
  }
}

function redirectIn({ status, headers: { location } }: HttpReply, url: URL): URL | null {
  return REDIRECTS.has(status) && location !== undefined && URL.canParse(location, url.href)
    ? new URL(location, url)
    : null;
}

/** A text from tsdav, which converts some to numbers or booleans and nests CDATA one level deeper. */
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
/** Only the name of a report is used. */
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

const davItem = z.object({
  href: text,
  status: z.number(),
  props: properties.catch({}).default({}),
});
type DavItem = z.infer<typeof davItem>;

/** The sync token, which is outside the responses. */
const around = z
  .object({ multistatus: z.object({ syncToken: text.optional() }) })
  .transform(({ multistatus }) => multistatus.syncToken ?? '')
  .catch('');

interface Changes {
  /** Addresses of new or changed entries, with their ETags (empty if the server sends no ETag). */
  readonly changed: ReadonlyMap<string, string>;
  /** Addresses of deleted entries. */
  readonly gone: readonly string[];
  /** The token for the next request; empty if the server gives no token. */
  readonly token: string;
  /** Whether the list includes entries that are long past, because the server can't filter them. */
  readonly isAll: boolean;
}

/** The known state of a calendar: its sync token, and the ETags by address. */
interface KnownEntries {
  readonly token: string;
  readonly isSame: (url: string, etag: string) => boolean;
  readonly urls: () => Iterable<string>;
}

const MULTISTATUS = 207;
const MOST_PAGES = 200;
/** Of all pages together. One answer can't have more (`MOST_ELEMENTS`). */
const MOST_CHANGES = 200_000;

/**
 * Returns what has changed in a calendar: by its sync token, or else by comparing the ETags of all entries that end
 * after `from` (null: of all entries).
 */
export async function fetchChanges(
  server: DavServer,
  calendar: Calendar,
  known: KnownEntries,
  from: Date | null,
): Promise<Changes> {
  const since = known.token !== '' && calendar.canSync ? await changesBy(server, calendar.url, known.token) : null;
  return since === null ? compared(server, calendar, known, from) : withoutSame(since, known);
}

/** Null if the server doesn't know the token or doesn't support the report. */
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
    // The answer is a part. The rest is requested with its token.
    const isPart = answers.list.some(({ href, status }) => status === 507 && entryAt(server, href, url) === null);
    if (!isPart || token === asked) return { changed, gone: [...gone], token, isAll: false };
    if (changed.size + gone.size > MOST_CHANGES) break;
  }
  throw strange(server.host, 'sends an endless list of changes');
}

async function compared(
  server: DavServer,
  { url, token }: Calendar,
  known: KnownEntries,
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
): Promise<{ list: readonly DavItem[]; isAll: boolean }> {
  const asked: readonly (readonly [() => Promise<DavAnswer>, boolean])[] = [
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

function isThere({ status, props: { resourcetype = [] } }: DavItem): boolean {
  return status >= 200 && status < 300 && !resourcetype.includes('collection');
}

function withoutSame(changes: Changes, { isSame }: KnownEntries): Changes {
  const changed = [...changes.changed].filter(([at, etag]) => etag === '' || !isSame(at, etag));
  return { ...changes, changed: new Map(changed) };
}

/** Null for the calendar itself, and for a collection. */
function entryAt(server: DavServer, href: string, url: string): string | null {
  const at = href === '' ? url : server.addressOf(href, url);
  return at === url || at.endsWith('/') || `${at}/` === url ? null : at;
}

const MOST_SHOWN = 12;

/**
 * Returns the calendars with these names (no names: all), and a problem for each missing one. Throws if no calendar is
 * left.
 */
export function chooseCalendars(
  all: readonly Calendar[],
  names: readonly string[],
): { readonly chosen: readonly Calendar[]; readonly problems: SourceProblem[] } {
  const shown = all.slice(0, MOST_SHOWN).map(({ name }) => name);
  const hint = all.length === 0 ? 'Check the account on its server.' : `Existing calendars: ${shown.join(', ')}.`;
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
 * Whether the server may redirect us, with the password, to an address: its own host, or another host of the same
 * organisation. A server without TLS is on this machine and may not redirect elsewhere.
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
/** In one element other than the outermost. Real calendars have far fewer. */
const MOST_CHILDREN = 500;
const MOST_ATTRIBUTES = 30;
const PIECE = 65_536;

/**
 * Returns why an answer must not be parsed into a tree; null if it may. Elements cost memory and siblings cost time, so
 * both are counted first. Entities aren't expanded.
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
    throw new XmlFlaw('it has a document type');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) throw new XmlFlaw('an element has too many attributes');
  });
  parser.on('opentag', () => {
    attributes = 0;
    elements += 1;
    const siblings = (open.at(-1) ?? 0) + 1;
    if (open.length > 0) open[open.length - 1] = siblings;
    if (open.length > 1 && siblings > MOST_CHILDREN) throw new XmlFlaw('an element has too many children');
    if (elements > MOST_ELEMENTS) throw new XmlFlaw('it has too many elements');
    if (open.push(0) > MOST_DEPTH) throw new XmlFlaw('it is nested too deeply');
  });
  parser.on('closetag', () => {
    open.pop();
  });
  try {
    for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
    parser.close();
    return null;
  } catch (error) {
    return error instanceof XmlFlaw ? error.message : 'it is not well-formed';
  }
}

class XmlFlaw extends Error {}

/** The functions of tsdav that are used. */
export type Library = Pick<typeof import('tsdav'), 'propfind' | 'syncCollection' | 'davRequest'>;

/** Some servers take a minute to list a large calendar for the first time. */
export const DAV_LIMITS: Limits = { wholeMs: 180_000, bytes: 32 * 1024 * 1024 };

interface DavAnswer {
  readonly list: readonly DavItem[];
  /** The sync token of this state; empty if there isn't one. */
  readonly token: string;
  /** The status of the whole answer. Only 207 has a list. */
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
}

const CALDAV_NAMES = { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' };
/** Statuses of servers that don't support the request or don't know the token. */
const NOT_SO: ReadonlySet<number> = new Set([400, 403, 404, 405, 409, 410, 412, 415, 422, 501, 507]);

/** A calendar server. Sends requests through tsdav, within limits, and sends the password only if it may go. */
export class DavServer {
  readonly #home: URL;
  readonly #http: HttpClient;
  readonly #dav: Library;
  readonly #settings: Pick<CaldavSettings, 'user' | 'auth'>;
  readonly #credential: Credential;
  #authorization = '';

  constructor(
    home: URL,
    {
      http,
      dav,
      settings,
      credential,
    }: { http: HttpClient; dav: Library; settings: Pick<CaldavSettings, 'user' | 'auth'>; credential: Credential },
  ) {
    this.#home = home;
    this.#http = http;
    this.#dav = dav;
    this.#settings = settings;
    this.#credential = credential;
  }

  /** The host name, for messages. */
  get host(): string {
    return this.#home.host;
  }

  /** Reads the password or token, which may have changed. */
  async unlock(): Promise<void> {
    const secret = await this.#credential.reveal();
    const { auth, user } = this.#settings;
    const basic = Buffer.from(`${user}:${secret}`).toString('base64');
    this.#authorization = auth === 'oauth2' ? `Bearer ${secret}` : `Basic ${basic}`;
  }

  /** Resolves an href. Throws if the password must not be sent to that address. */
  addressOf(href: string, base: string): string {
    if (!URL.canParse(href, base)) throw strange(this.host, 'sent an invalid address');
    const url = new URL(href, base);
    if (!mayLeadTo(this.#home, url)) throw ledAway(this.host);
    return url.href;
  }

  /** Requests properties (`d:displayname`) of a resource; with depth 1 also of its members. */
  async find(url: string, names: readonly string[], depth: '0' | '1'): Promise<DavAnswer> {
    const props = Object.fromEntries(names.map((name) => [name, {}]));
    return this.#ask((fetch) => this.#dav.propfind({ url, props, depth, fetch }));
  }

  /** Requests the changes in a calendar since a token. The status shows if the token is unknown. */
  async changesSince(url: string, token: string): Promise<DavAnswer> {
    const asked = { url, props: { 'd:getetag': {} }, syncLevel: 1, syncToken: token };
    return this.#ask((fetch) => this.#dav.syncCollection({ ...asked, fetch }));
  }

  /** Lists the entries of a calendar that end after `from` (null: all). The status shows if the server can't. */
  async entriesFrom(url: string, from: Date | null): Promise<DavAnswer> {
    const start = from?.toISOString().replace(/[-:]|\.\d+/g, '');
    const range = start === undefined ? {} : { 'c:time-range': { _attributes: { start } } };
    const entries = { 'c:comp-filter': { _attributes: { name: 'VEVENT' }, ...range } };
    return this.#report(url, 'c:calendar-query', {
      'd:prop': { 'd:getetag': {} },
      'c:filter': { 'c:comp-filter': { _attributes: { name: 'VCALENDAR' }, ...entries } },
    });
  }

  /** Fetches whole entries. */
  async fetched(url: string, hrefs: readonly string[]): Promise<DavAnswer> {
    return this.#report(url, 'c:calendar-multiget', {
      'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
      'd:href': hrefs,
    });
  }

  #report(url: string, name: string, inside: Readonly<Record<string, unknown>>): Promise<DavAnswer> {
    const body = { [name]: { _attributes: CALDAV_NAMES, ...inside } };
    const init = { method: 'REPORT' as const, headers: { depth: '1' }, body };
    return this.#ask((fetch) => this.#dav.davRequest({ url, init, fetch }));
  }

  async #ask(ask: (send: typeof fetch) => Promise<unknown>): Promise<DavAnswer> {
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

  /** Errors of the library may contain text of the server. */
  async #tried<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof SourceError || !(error instanceof TypeError)) throw error;
      throw strange(this.host, "sent an answer that can't be interpreted");
    }
  }

  async #send(url: URL, { method = 'GET', headers, body }: RequestInit): Promise<HttpReply & { readonly url: URL }> {
    const own = Object.fromEntries(new Headers(headers));
    const reply = await this.#http.send({ url, method, body: String(body ?? '') }, () => ({
      ...own,
      authorization: this.#authorization,
    }));
    const { status } = reply;
    const isTold = status === MULTISTATUS || (status !== 403 && NOT_SO.has(status)) || isAboutToken(reply);
    if (status < 200 || status >= 300) {
      if (!isTold) throw statusTrouble(status, this.host, reply.headers['retry-after'], Date.now());
    }
    return reply;
  }

  /** Returns the text of an answer that is safe to parse. */
  #xmlIn({ status, headers, bytes }: HttpReply): string | null {
    if (status !== MULTISTATUS) return null;
    const text = bytes.toString('utf8');
    const isXml = headers['content-type']?.toLowerCase().includes('xml') === true;
    const flaw = isXml ? flawOfXml(text) : "it isn't XML";
    if (flaw !== null) throw strange(this.host, `sent an answer that can't be read: ${flaw}`);
    return text;
  }
}

/** A 403 may concern the sync token or the report instead of the login. */
function isAboutToken({ status, bytes }: HttpReply): boolean {
  return (
    status === 403 && /valid-sync-token|number-of-matches|supported-(?:filter|report)/.test(bytes.toString('latin1'))
  );
}

function oneOf(raw: unknown): DavItem[] {
  const read = davItem.safeParse(raw);
  return read.success ? [read.data] : [];
}

export interface Calendar {
  readonly url: string;
  /** The display name, or else the end of its address. */
  readonly name: string;
  /** The sync token; empty if there isn't one. */
  readonly token: string;
  /** CTag: changes with the entries; empty if there isn't one. */
  readonly tag: string;
  /** Whether the server supports sync-collection. */
  readonly canSync: boolean;
}

const OF_PLACE = ['d:current-user-principal', 'c:calendar-home-set', 'd:resourcetype'];
const OF_CALENDAR = [
  ...['d:displayname', 'd:resourcetype', 'c:supported-calendar-component-set', 'd:supported-report-set'],
  ...['d:sync-token', 'cs:getctag'],
];
const MAX_NAME = 80;
const MOST_HOMES = 10;
const MOST_CALENDARS = 500;

/**
 * Finds the calendar homes of a user: at the configured address, or where it or the host's well-known address leads.
 * Throws a `SourceError`.
 */
export async function homesFrom(server: DavServer, address: string): Promise<readonly string[]> {
  for (const url of [address, new URL('/.well-known/caldav', address).href, new URL('/', address).href]) {
    const homes = await homesAt(server, url);
    if (homes.length > 0) return homes.slice(0, MOST_HOMES);
  }
  throw new SourceError({
    kind: 'missing',
    message: `${server.host} has no calendars at that address.`,
    hint: 'Check the address. It must be the CalDAV address from the help pages of the provider.',
  });
}

/** Returns the calendars of some homes, each once. */
export async function listCalendars(server: DavServer, homes: readonly string[]): Promise<readonly Calendar[]> {
  const found = new Map<string, Calendar>();
  for (const home of homes) {
    const { list } = await server.find(home, OF_CALENDAR, '1');
    for (const each of list.filter(holdsAppointments)) {
      const calendar = calendarOf(each, server.addressOf(each.href, home));
      found.set(calendar.url, calendar);
      if (found.size > MOST_CALENDARS) throw strange(server.host, 'lists too many calendars');
    }
  }
  return [...found.values()];
}

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
}: DavItem): boolean {
  return (
    resourcetype.includes('calendar') && (kinds.length === 0 || kinds.some((kind) => kind.toUpperCase() === 'VEVENT'))
  );
}

function calendarOf({ props }: DavItem, url: string): Calendar {
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
  return oneLine(decodeAddress(last), MAX_NAME);
}

export interface FetchedEntry {
  readonly url: string;
  /** Empty if the server sends no ETag. */
  readonly etag: string;
  /** Null if the entry was deleted. */
  readonly text: string | null;
}

/**
 * Fetches some entries of a calendar, and leaves out those that the server doesn't send. If the answer can't be read,
 * smaller parts are fetched, so that one bad entry only affects itself.
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
    // If the first half fails completely, so would the rest.
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
    if (!wanted.delete(url)) return []; // not requested, or sent twice
    const { getetag: etag = '', calendarData: text = '' } = props;
    if (own === 404 || own === 410) return [{ url, etag, text: null }];
    return text === '' ? [] : [{ url, etag, text }];
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
