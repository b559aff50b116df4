import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import net, { type LookupFunction } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { mayReach, type Reach, reachOf } from '../../http/reach.ts';
import { connectionTrouble, strange, TooLarge, TooNear, tooSlow } from './troubles.ts';

/** How long and how much is waited for. */
export interface Limits {
  /** Without a single byte. */
  readonly idleMs: number;
  /** For one whole answer. */
  readonly wholeMs: number;
  /** Of one answer, after it was unpacked. */
  readonly bytes: number;
}

/** One request. */
interface Ask {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What was answered, whatever its status. */
export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const UNPACK: Readonly<Record<string, () => Duplex>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
};

/** The connection to one server, and to those to which it may lead. Nothing of it outlives `close`. */
export class Wire {
  readonly #home: URL;
  readonly #limits: Limits;
  readonly #abort: AbortSignal;
  readonly #agents = { http: new http.Agent({ keepAlive: true, maxSockets: 2 }), https: httpsAgent() };
  /** How far away the server itself is: `far` as long as nobody knows. */
  #reach: Reach = 'far';

  constructor(home: URL, limits: Limits, abort: AbortSignal) {
    this.#home = home;
    this.#limits = limits;
    this.#abort = abort;
  }

  /**
   * Sends one request, again where it is sent on to an address that `door` lets through, and reads the whole answer.
   * `headersAt`: what is sent to which address; a password goes along only where that says so. Throws a `SourceError`.
   */
  async send(
    ask: Omit<Ask, 'headers'>,
    headersAt: (url: URL) => Ask['headers'],
    door: (url: URL) => boolean,
  ): Promise<Reply & { readonly url: URL }> {
    let { url } = ask;
    for (let nth = 0; nth <= MOST_REDIRECTS; nth += 1) {
      const reply = await this.#exchange({ ...ask, url, headers: headersAt(url) });
      const onward = REDIRECTS.has(reply.status) ? locationIn(reply, url) : null;
      if (onward === null) return { ...reply, url };
      if (!door(onward)) throw connectionTrouble(new TooNear(), this.#home.host);
      url = onward;
    }
    throw strange(this.#home.host, 'sends us on and on');
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #exchange(ask: Ask): Promise<Reply> {
    const { wholeMs, idleMs } = this.#limits;
    const late = AbortSignal.timeout(wholeMs);
    try {
      return await this.#read(ask, AbortSignal.any([this.#abort, late]));
    } catch (error) {
      this.#abort.throwIfAborted();
      if (late.aborted) throw tooSlow(this.#home.host, wholeMs);
      if (error instanceof Silent) throw tooSlow(this.#home.host, idleMs);
      throw connectionTrouble(error, this.#home.host);
    }
  }

  async #read(ask: Ask, signal: AbortSignal): Promise<Reply> {
    const response = await this.#answerTo(ask, signal);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, bytes: await wholeOf(response, this.#limits.bytes, signal) };
  }

  #answerTo({ url, method, headers, body }: Ask, signal: AbortSignal): Promise<http.IncomingMessage> {
    const isHome = url.host === this.#home.host;
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (net.isIP(literal) !== 0) this.#admit([literal], isHome);
    const secure = url.protocol === 'https:';
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options: https.RequestOptions = {
      method,
      headers: { 'User-Agent': 'vault-steward', 'Accept-Encoding': 'gzip, deflate, br', ...headers, ...length },
      agent: secure ? this.#agents.https : this.#agents.http,
      lookup: this.#lookup(isHome),
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(url, options, resolve);
      request.setTimeout(this.#limits.idleMs, () => request.destroy(new Silent()));
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Asks for the addresses of a name, and keeps to those to which we may go. */
  #lookup(isHome: boolean): LookupFunction {
    return (name, options, done) => {
      dns.lookup(name, { ...options, all: true }, (error, found) => {
        if (error !== null) return done(error, '', 0);
        try {
          const [first] = this.#admit(found, isHome);
          if (options.all === true) done(null, [...this.#admit(found, isHome)]);
          else done(null, first?.address ?? '', first?.family ?? 0);
        } catch (refused) {
          done(refused instanceof Error ? refused : new TooNear(), '', 0);
        }
      });
    };
  }

  /** Returns those of some addresses to which we may go. Throws `TooNear` where there is none. */
  #admit<Found extends string | dns.LookupAddress>(found: readonly Found[], isHome: boolean): readonly Found[] {
    const reaches = found.map((one) => reachOf(typeof one === 'string' ? one : one.address));
    if (isHome) {
      this.#reach = reaches.includes('here') ? 'here' : reaches.includes('near') ? 'near' : 'far';
      return found;
    }
    const admitted = found.filter((_, nth) => mayReach(this.#reach, reaches[nth] ?? 'here'));
    if (admitted.length === 0) throw new TooNear();
    return admitted;
  }
}

/** No byte came for as long as is waited for one. */
class Silent extends Error {}

function httpsAgent(): https.Agent {
  return new https.Agent({ keepAlive: true, maxSockets: 2, minVersion: 'TLSv1.2' });
}

function locationIn({ headers: { location } }: Reply, url: URL): URL | null {
  return location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : null;
}

/** Returns what a body unpacks to. Of one that is too large nothing more is read. */
async function wholeOf(response: http.IncomingMessage, most: number, signal: AbortSignal): Promise<Buffer> {
  const packing = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const parts: Buffer[] = [];
  const keep = async (source: AsyncIterable<Buffer>) => {
    let size = 0;
    for await (const part of source) {
      size += part.length;
      if (size > most) throw new TooLarge();
      parts.push(part);
    }
  };
  if (packing === 'identity' || packing === '') await pipeline(response, keep, { signal });
  else await pipeline(response, unpacker(packing, response), keep, { signal });
  return Buffer.concat(parts);
}

function unpacker(packing: string, response: Readable): Duplex {
  const make = UNPACK[packing];
  if (make !== undefined) return make();
  response.destroy();
  throw Object.assign(new Error('no such packing'), { code: 'Z_UNKNOWN' });
}
