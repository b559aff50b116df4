import { z } from 'zod';
import type { Credential } from '../../connector.ts';
import { SourceError } from '../../failure.ts';
import type { CaldavSettings } from '../../source-note.ts';
import { ledAway, statusTrouble, strange } from '../wire/troubles.ts';
import type { Limits, Reply, Wire } from '../wire/wire.ts';
import { type Answered, answered, around } from './answer.ts';
import { mayLeadTo } from './may-go.ts';
import { flawOfXml } from './xml-limits.ts';

/** What is used of tsdav. */
export type Library = Pick<typeof import('tsdav'), 'propfind' | 'syncCollection' | 'davRequest'>;

/** How long and how much is waited for of a calendar server. Some think for a minute before they first list a large calendar. */
export const DAV_LIMITS: Limits = { idleMs: 90_000, wholeMs: 180_000, bytes: 32 * 1024 * 1024 };

/** What a server says of many things. */
export interface Answers {
  readonly list: readonly Answered[];
  /** The token of the state that it shows; empty where it gives none. */
  readonly token: string;
  /** The status of the whole; there is a list only with 207. */
  readonly status: number;
  /** Who answered: another address where it was sent on. */
  readonly url: string;
}

const CALDAV_NAMES = { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' };
const MULTISTATUS = 207;
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
