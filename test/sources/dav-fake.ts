import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SaxesParser } from 'saxes';

/** What a request may be answered with instead of what is right. */
interface Instead {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Nothing is ever answered. */
  readonly never?: boolean;
  /** The connection is cut in the midst. */
  readonly cut?: boolean;
  /** A byte at a time. */
  readonly drip?: boolean;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
}

interface Kept {
  readonly name: string;
  readonly components: readonly string[];
  readonly objects: Map<string, string>;
  /** What has happened: the path, by the number of the state. */
  readonly log: string[];
}

/** A small CalDAV server that does what the standards say, and what it is told to do wrong. */
export class DavFake {
  readonly asked: Asked[] = [];
  /** Looks at each request first. */
  instead: (asked: Asked) => Instead | null = () => null;
  password = 'right';
  /** Whether it knows sync-collection and shows tokens. */
  syncs = true;
  /** Whether it can leave out what is over. */
  filters = true;
  /** Whether ETags, and tags of calendars, are shown. */
  tags = true;
  /** Tokens of a lower number are not known any longer. */
  oldestToken = 0;
  /** How many changes a part of an answer has. */
  part = 1000;
  readonly calendars = new Map<string, Kept>();
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));
  readonly #drips = new Set<NodeJS.Timeout>();

  static async start(): Promise<DavFake> {
    const fake = new DavFake();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/dav/`;
  }

  async stop(): Promise<void> {
    for (const drip of this.#drips) clearInterval(drip);
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Makes a calendar, and returns the path below which it lies. */
  calendar(
    name: string,
    { id = name.toLowerCase(), components = ['VEVENT'] }: { id?: string; components?: string[] } = {},
  ): string {
    const at = `/dav/home/${id}/`;
    this.calendars.set(at, { name, components, objects: new Map(), log: [] });
    return at;
  }

  put(calendar: string, file: string, text: string): void {
    const kept = this.#kept(calendar);
    kept.objects.set(`${calendar}${file}`, text);
    kept.log.push(`${calendar}${file}`);
  }

  remove(calendar: string, file: string): void {
    const kept = this.#kept(calendar);
    kept.objects.delete(`${calendar}${file}`);
    kept.log.push(`${calendar}${file}`);
  }

  /** The requests of one kind, by what stands in their bodies. */
  bodies(mark: string): string[] {
    return this.asked.filter(({ body }) => body.includes(mark)).map(({ body }) => body);
  }

  #kept(at: string): Kept {
    const kept = this.calendars.get(at);
    if (kept === undefined) throw new Error(`no calendar at ${at}`);
    return kept;
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: Buffer.concat(parts).toString(),
      headers: request.headers,
    };
    this.asked.push(asked);
    const instead = this.instead(asked);
    if (instead !== null) return this.#wrong(response, instead);
    const wanted = `Basic ${Buffer.from(`anna:${this.password}`).toString('base64')}`;
    if (request.headers.authorization !== wanted) return void response.writeHead(401).end('no');
    const { status = 207, headers = {}, body = '' } = this.#right(asked);
    response.writeHead(status, { 'content-type': 'application/xml; charset=utf-8', ...headers }).end(body);
  }

  #wrong(response: http.ServerResponse, { status = 207, headers = {}, body = '', never, cut, drip }: Instead): void {
    if (never === true) return;
    response.writeHead(status, { 'content-type': 'application/xml', ...headers });
    if (cut === true) {
      response.write(body);
      setImmediate(() => response.destroy());
    } else if (drip === true) {
      const timer = setInterval(() => response.write(' '), 20);
      this.#drips.add(timer);
      response.on('close', () => clearInterval(timer));
    } else response.end(body);
  }

  #right({ method, path, body, headers }: Asked): Instead {
    if (path === '/.well-known/caldav') return { status: 301, headers: { location: '/dav/' } };
    if (method === 'PROPFIND') return this.#found(path, String(headers.depth));
    if (method !== 'REPORT') return { status: 405 };
    if (body.includes('sync-collection')) return this.#changes(path, textsIn(body, 'sync-token')[0] ?? '');
    if (body.includes('calendar-multiget')) return this.#multiget(path, textsIn(body, 'href'));
    if (body.includes('calendar-query')) return this.#query(path, /start="(\d{8})/.exec(body)?.[1] ?? null);
    return { status: 403 };
  }

  #found(path: string, depth: string): Instead {
    if (path === '/dav/') {
      return list([
        { href: path, props: '<d:current-user-principal><d:href>/dav/me/</d:href></d:current-user-principal>' },
      ]);
    }
    if (path === '/dav/me/') {
      return list([{ href: path, props: '<c:calendar-home-set><d:href>/dav/home/</d:href></c:calendar-home-set>' }]);
    }
    const own = this.calendars.get(path);
    if (own !== undefined && depth === '1') return list([...own.objects].map(([href, text]) => this.#etag(href, text)));
    if (path !== '/dav/home/') return { status: 404 };
    const home = { href: path, props: '<d:resourcetype><d:collection/></d:resourcetype>' };
    return list([home, ...[...this.calendars].map(([href, kept]) => ({ href, props: this.#about(kept) }))]);
  }

  #about({ name, components, log }: Kept): string {
    const kinds = components.map((kind) => `<c:comp name="${kind}"/>`).join('');
    const sync = '<d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report>';
    const other = '<d:supported-report><d:report><c:calendar-query/></d:report></d:supported-report>';
    return [
      `<d:displayname>${escaped(name)}</d:displayname><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>`,
      `<c:supported-calendar-component-set>${kinds}</c:supported-calendar-component-set>`,
      `<d:supported-report-set>${this.syncs ? sync : ''}${other}</d:supported-report-set>`,
      this.syncs ? `<d:sync-token>urn:t:${log.length}</d:sync-token>` : '',
      this.tags ? `<cs:getctag>${log.length}</cs:getctag>` : '',
    ].join('');
  }

  #changes(path: string, token: string): Instead {
    const { log, objects } = this.#kept(path);
    const since = Number(/^urn:t:(\d+)$/.exec(token)?.[1] ?? Number.NaN);
    if (!this.syncs || Number.isNaN(since) || since < this.oldestToken || since > log.length) {
      return { status: 403, body: '<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>' };
    }
    const until = Math.min(log.length, since + this.part);
    const changed = [...new Set(log.slice(since, until))].map((href) => {
      const text = objects.get(href);
      return text === undefined ? { href, status: 404 } : this.#etag(href, text);
    });
    const more = until < log.length ? [{ href: path, status: 507 }] : [];
    return list([...changed, ...more], `<d:sync-token>urn:t:${until}</d:sync-token>`);
  }

  #multiget(path: string, hrefs: readonly string[]): Instead {
    const { objects } = this.#kept(path);
    return list(
      hrefs.map((href) => {
        const text = objects.get(href);
        if (text === undefined) return { href, status: 404 };
        const { props } = this.#etag(href, text);
        return { href, props: `${props}<c:calendar-data>${escaped(text)}</c:calendar-data>` };
      }),
    );
  }

  #query(path: string, from: string | null): Instead {
    if (from !== null && !this.filters)
      return { status: 403, body: '<d:error xmlns:d="DAV:"><c:supported-filter/></d:error>' };
    const isNot = (text: string) =>
      from !== null &&
      !text.includes('RRULE') &&
      (/DTSTART[^:]*:(\d{8})/.exec(text.replace(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE/, ''))?.[1] ?? '') < from;
    const { objects } = this.#kept(path);
    return list([...objects].filter(([, text]) => !isNot(text)).map(([href, text]) => this.#etag(href, text)));
  }

  #etag(href: string, text: string): { href: string; props: string } {
    const etag = createHash('sha256').update(text).digest('hex');
    return { href, props: this.tags ? `<d:getetag>"${etag}"</d:getetag>` : '' };
  }
}

interface One {
  readonly href: string;
  readonly props?: string;
  readonly status?: number;
}

function list(all: readonly One[], more = ''): Instead {
  const parts = all.map(({ href, props, status }) => {
    const own = `<d:href>${escaped(href)}</d:href>`;
    if (status !== undefined) return `<d:response>${own}<d:status>HTTP/1.1 ${status} No</d:status></d:response>`;
    return `<d:response>${own}<d:propstat><d:prop>${props ?? ''}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
  });
  const names = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"';
  return { body: `<?xml version="1.0"?><d:multistatus ${names}>${parts.join('')}${more}</d:multistatus>` };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

/** The texts of the elements of one name, whatever their prefix. */
function textsIn(xml: string, name: string): string[] {
  const found: string[] = [];
  let text: string | null = null;
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    if (tag.name.replace(/^.*:/, '') === name) text = '';
  });
  parser.on('text', (part) => {
    if (text !== null) text += part;
  });
  parser.on('closetag', (tag) => {
    if (tag.name.replace(/^.*:/, '') === name && text !== null) found.push(text.trim());
    if (tag.name.replace(/^.*:/, '') === name) text = null;
  });
  parser.write(xml).close();
  return found;
}
