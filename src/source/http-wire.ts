import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import net from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { systemCode } from '../vault/errors.ts';
import { SourceError } from './connector.ts';
import { mayReach, type Reach, reachOf } from './reach.ts';

const CERTIFICATE = /^(?:CERT_|ERR_TLS_CERT|ERR_SSL_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$)/;
const NO_HTTP = /^(?:HPE_|ERR_HTTP|ERR_INVALID_HTTP|Z_|ERR_BUFFER)/;
const UNFIT_HEADER = /^ERR_INVALID_CHAR$/;
const MAX_WAIT_MS = 86_400_000;

/** An answer that is larger than any that a server would give. */
class TooLarge extends Error {}
/** A name that leads into the local network, where whoever was asked first lies outside of it. */
class TooNear extends Error {}

/** Returns what an error of the connection means. `host`: the name of the server, as a person knows it. */
function connectionTrouble(error: unknown, host: string): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof TooLarge) return tooLarge(host);
  if (error instanceof TooNear) return ledAway(host);
  const code = codeIn(error) ?? 'the connection failed';
  if (UNFIT_HEADER.test(code)) {
    return new SourceError({
      kind: 'setup',
      message: 'The password or token has a character in it that cannot be sent.',
      hint: 'Look at what gives it: it should be one line.',
    });
  }
  if (CERTIFICATE.test(code)) {
    return new SourceError({
      kind: 'certificate',
      message: `${host} does not prove who it is (${code}).`,
      hint: 'Its certificate is out of date, made by itself, or of another name. Whoever runs the server can renew it.',
    });
  }
  if (NO_HTTP.test(code)) return strange(host, `does not answer as a web server would (${code})`);
  return away(`${host} cannot be reached (${code}).`);
}

/** Returns what a status says that is no answer. `retryAfter`: what the server says of waiting, if anything. */
export function statusTrouble(status: number, host: string, retryAfter: string | undefined, now: number): SourceError {
  if (status === 401 || status === 403) {
    return new SourceError({
      kind: 'refused',
      message: `${host} refuses the login (${status}).`,
      hint: 'Check the user and the password. Many servers want an app password, made in the settings of the account.',
    });
  }
  if (status === 404 || status === 410) {
    return new SourceError({
      kind: 'missing',
      message: `${host} has nothing at that address (${status}).`,
      hint: 'Check the address in the source note.',
    });
  }
  if (status === 429 || status === 503) {
    const waitMs = waitIn(retryAfter, now);
    return new SourceError({
      kind: 'busy',
      message: `${host} asks to be left alone for a while (${status}).`,
      hint: 'Nothing is needed: it is asked again later.',
      ...(waitMs === null ? {} : { waitMs }),
    });
  }
  if (status >= 500) return away(`${host} has a trouble of its own (${status}).`);
  return strange(host, `gives an answer that makes no sense (${status})`);
}

/** Returns the trouble of a server that says what makes no sense. `does`: in plain words. */
export function strange(host: string, does: string): SourceError {
  return new SourceError({
    kind: 'strange',
    message: `${host} ${does}.`,
    hint: 'Check that the address in the source note is that of the calendar and not of a web page about it.',
  });
}

/** Returns the trouble of one that would have us go to another server, or into the local network. */
export function ledAway(host: string): SourceError {
  return new SourceError({
    kind: 'strange',
    message: `${host} leads to another server, and the steward stops there.`,
    hint: 'If that is right, put the address to which it leads into the source note yourself.',
  });
}

/** Returns the trouble of one that gave no whole answer in time. */
function tooSlow(host: string, ms: number): SourceError {
  return away(`${host} gave no whole answer within ${Math.round(ms / 1000)} seconds.`);
}

function tooLarge(host: string): SourceError {
  return strange(host, 'gives an answer that is larger than any calendar');
}

function away(message: string): SourceError {
  return new SourceError({ kind: 'away', message, hint: 'Nothing is needed if it comes back: it is asked again.' });
}

function codeIn(error: unknown): string | null {
  const own = systemCode(error);
  if (own !== null || !(error instanceof AggregateError)) return own;
  return systemCode(error.errors[0]);
}

/** Seconds, or a date. */
function waitIn(written: string | undefined, now: number): number | null {
  const text = written?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, MAX_WAIT_MS);
}

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
