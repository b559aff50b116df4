import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { lazily } from '../vault/data.ts';
import { systemCode } from '../vault/errors.ts';

/** Addresses of this machine and of local networks. */
const LOCAL = [
  ...['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'],
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10', '192.0.0.0/24'],
  ...['198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];
/** IPv4-mapped addresses and the like: the end is the address. */
const MAPPED = /^(?:::ffff:|::|64:ff9b::)(\d{1,3}(?:\.\d{1,3}){3})$/i;

const local = lazily(() => listOf(LOCAL));

/** Whether an address is of this machine or of a local network. False for what isn't an address. */
export function isLocal(written: string): boolean {
  const address = net.isIPv6(written) ? unmapped(written) : written;
  const family = net.isIP(address);
  return family !== 0 && local().check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function unmapped(address: string): string {
  // The form in which an address is compared: `::ffff:7f00:1` and `::ffff:127.0.0.1` are the same.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = /^(?:::ffff:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined) return MAPPED.exec(address)?.[1] ?? plain;
  const [one, other] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, other >> 8, other & 255].join('.');
}

function listOf(ranges: readonly string[]): net.BlockList {
  const list = new net.BlockList();
  for (const range of ranges) {
    const [address = '', length = ''] = range.split('/');
    list.addSubnet(address, Number(length), net.isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

const MOST_CONNECTIONS = 16;
const MAX_HEAD = 8 * 1024;
/** A request must be there as a whole after so long, and its answer after so much longer. */
const REQUEST_MS = 15_000;
const ANSWER_MS = 45_000;
/** Of a request that is refused, so much is still taken off the line, so that its sender gets to read why. */
const MOST_DISCARDED = 1024 * 1024;
/** The connections keep their own time. */
const SELDOM_MS = 60 * 60 * 1000;

interface Answering {
  /** Answers a request; it reads the body where it wants it. Never rejects. */
  readonly answer: (request: http.IncomingMessage) => Promise<HttpAnswer>;
  /** Returns the answer to a request that could not be read. */
  readonly refuse: (status: number, message: string) => HttpAnswer;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** A server for one request a connection: nobody keeps one open for longer than a minute. */
export class RequestServer {
  readonly #server: http.Server;
  readonly #answering: Answering;
  /** When a connection is ended whose request is not there as a whole. */
  readonly #late = new WeakMap<net.Socket, NodeJS.Timeout>();

  constructor(answering: Answering) {
    this.#answering = answering;
    const limits = { maxHeaderSize: MAX_HEAD, connectionsCheckingInterval: SELDOM_MS };
    const options = { ...limits, keepAlive: false, requireHostHeader: false };
    this.#server = http.createServer(options, (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MOST_CONNECTIONS;
    // A second request could not be answered any more, so it must not be accepted.
    this.#server.maxRequestsPerSocket = 1;
    this.#server.on('connection', (socket) => this.#setDeadline(socket));
    this.#server.on('clientError', (error, socket) => endWith(socket, this.#unreadable(error)));
    this.#server.on('connect', (_, socket) => void socket.destroy());
  }

  /** Begins to listen, and returns the port. Throws what the system says. `lost` is told where it ends by itself later. */
  async listen({ host, port }: Place, lost: (error: unknown) => void): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, exclusive: true }, resolve);
    });
    this.#server.removeAllListeners('error').on('error', lost);
    const at = this.#server.address();
    return at === null || typeof at === 'string' ? port : at.port;
  }

  /** Ends it, with all connections. Never rejects. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { socket } = request;
    request.once('end', () => clearTimeout(this.#late.get(socket)));
    response.on('error', () => socket.destroy());
    const said = await this.#answering.answer(request);
    if (!request.complete) await discard(request);
    if (!socket.destroyed) send(response, said);
  }

  /** Sets the time by which the whole request must be there; slow sending doesn't extend it. */
  #setDeadline(socket: net.Socket): void {
    const tooLate = () => endWith(socket, this.#answering.refuse(408, 'The request took too long.'));
    const late = setTimeout(tooLate, REQUEST_MS);
    const gone = setTimeout(() => socket.destroy(), REQUEST_MS + ANSWER_MS);
    this.#late.set(socket, late);
    socket.once('close', () => {
      clearTimeout(late);
      clearTimeout(gone);
    });
  }

  #unreadable(error: NodeJS.ErrnoException): HttpAnswer {
    const { refuse } = this.#answering;
    if (error.code === 'HPE_HEADER_OVERFLOW') return refuse(431, 'Its head is too long.');
    return refuse(400, "It isn't a request that can be read.");
  }
}

/** Returns the body of a request; null if it has more than `maxBytes`, or was cut off. */
export async function readBody(request: http.IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      const bytes: Uint8Array = part;
      size += bytes.length;
      if (size > maxBytes) return null;
      parts.push(bytes);
    }
  } catch {
    return null;
  }
  return Buffer.concat(parts);
}

function send(response: http.ServerResponse, { status, content, headers }: HttpAnswer): void {
  const text = content?.text ?? '';
  const fixed = { Connection: 'close', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  const type = content === null ? {} : { 'Content-Type': content.type };
  response.writeHead(status, { ...fixed, ...type, ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

/** Reads the rest: a client that is refused while it still sends would only see an ended connection. */
function discard(request: http.IncomingMessage): Promise<void> {
  if (!(Number(request.headers['content-length'] ?? Number.NaN) <= MOST_DISCARDED)) return Promise.resolve();
  return new Promise((resolve) => {
    request.once('close', resolve).once('end', resolve).once('error', resolve).resume();
  });
}

/** Answers a connection whose request could not be read. */
function endWith(socket: Duplex, { status, content }: HttpAnswer): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  const text = content?.text ?? '';
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${content?.type ?? 'text/plain'}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

/** How many of something there may be in a span of time. */
interface Limit {
  readonly most: number;
  readonly spanMs: number;
}

/** Counts what happens, and says when there is room for more. It remembers as many moments as its largest limit. */
export class Windows {
  readonly #limits: readonly Limit[];
  readonly #keptMs: number;
  #moments: readonly number[] = [];

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
    this.#keptMs = Math.max(...limits.map(({ spanMs }) => spanMs));
  }

  /** Counts one more, and returns 0; or counts nothing, and returns in how many ms there is room for it. */
  take(now: number): number {
    // A moment in the future was counted before the clock was set back.
    const moments = this.#moments.filter((at) => at <= now && now - at < this.#keptMs);
    this.#moments = moments;
    const waits = this.#limits.map(({ most, spanMs }) => {
      const oldest = moments[moments.length - most];
      return oldest === undefined ? 0 : Math.max(0, oldest + spanMs - now);
    });
    const wait = Math.max(...waits);
    if (wait === 0) this.#moments = [...moments, now];
    return wait;
  }
}

export interface HttpAnswer {
  readonly status: number;
  /** Null if the answer is the status alone. */
  readonly content: { readonly type: string; readonly text: string } | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the body of an answer; null if it has more than `most` bytes: the rest isn't read. */
export async function readAnswer({ body }: Response, most: number): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > most) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Returns how long (ms) a `retry-after` asks us to wait, in seconds or until a date; null if it names no time to come. */
export function retryAfterMs(written: string | null | undefined, now: number): number | null {
  const text = written?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) || ms <= 0 ? null : ms;
}

/** Returns the code of what `fetch` threw: the system's, since an address may be nobody's business; null without one. */
export function fetchErrorCode(error: unknown): string | null {
  const own = systemCode(error);
  if (own !== null || !(error instanceof Error)) return own;
  return fetchErrorCode(error instanceof AggregateError ? error.errors[0] : error.cause);
}
