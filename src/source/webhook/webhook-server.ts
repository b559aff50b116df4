import http from 'node:http';
import type net from 'node:net';
import type { Duplex } from 'node:stream';
import { systemCode } from '../../vault/errors.ts';
import { SourceError } from '../failure.ts';
import { type Answer, refusal } from './answer.ts';
import { MAX_BODY } from './request-check.ts';

/** It listens for this machine alone. */
const ADDRESS = '127.0.0.1';
const MOST_CONNECTIONS = 16;
const MAX_HEAD = 8 * 1024;
/** A request must be there as a whole after so long, and its answer after so much longer. */
const REQUEST_MS = 15_000;
const ANSWER_MS = 45_000;
/** Of a request that is refused, so much is still taken off the line, so that its sender gets to read why. */
const MOST_DISCARDED = 1024 * 1024;
/** The connections keep their own time. */
const SELDOM_MS = 60 * 60 * 1000;

const LATE = refusal(408, 'The request took too long.');

/** Answers a request; it reads the body where it wants it. Never rejects. */
type Handler = (request: http.IncomingMessage) => Promise<Answer>;

/** A server for one request a connection: nobody keeps one open for longer than a minute. */
export class WebhookServer {
  readonly #server: http.Server;
  readonly #handler: Handler;
  /** When a connection is ended whose request is not there as a whole. */
  readonly #late = new WeakMap<net.Socket, NodeJS.Timeout>();

  constructor(handler: Handler) {
    this.#handler = handler;
    const limits = { maxHeaderSize: MAX_HEAD, connectionsCheckingInterval: SELDOM_MS };
    const options = { ...limits, keepAlive: false, requireHostHeader: false };
    this.#server = http.createServer(options, (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MOST_CONNECTIONS;
    // What is sent behind the first request could not be answered any more, so nobody may take it.
    this.#server.maxRequestsPerSocket = 1;
    this.#server.on('connection', (socket) => this.#setDeadline(socket));
    this.#server.on('clientError', (error, socket) => endWith(socket, unreadable(error)));
    this.#server.on('connect', (_, socket) => void socket.destroy());
  }

  /** Begins to listen, and returns the port. Throws a `SourceError`. `lost` is told where it ends by itself later. */
  async listen(port: number, lost: (error: SourceError) => void): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) => reject(notListening(port, error)));
      this.#server.listen({ host: ADDRESS, port, exclusive: true }, resolve);
    });
    this.#server.removeAllListeners('error').on('error', (error) => lost(notListening(port, error)));
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
    const said = await this.#handler(request);
    if (!request.complete) await discard(request);
    if (!socket.destroyed) send(response, said);
  }

  /** However slowly somebody sends, the time does not begin anew. */
  #setDeadline(socket: net.Socket): void {
    const late = setTimeout(() => endWith(socket, LATE), REQUEST_MS);
    const gone = setTimeout(() => socket.destroy(), REQUEST_MS + ANSWER_MS);
    this.#late.set(socket, late);
    socket.once('close', () => {
      clearTimeout(late);
      clearTimeout(gone);
    });
  }
}

/** Returns the body of a request; null where it has more than it said, or was cut off. */
export async function bodyOf(request: http.IncomingMessage): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      const bytes: Uint8Array = part;
      size += bytes.length;
      if (size > MAX_BODY) return null;
      parts.push(bytes);
    }
  } catch {
    return null;
  }
  return Buffer.concat(parts);
}

function send(response: http.ServerResponse, { status, body, headers }: Answer): void {
  const text = body === null ? '' : `${JSON.stringify(body)}\n`;
  const fixed = { Connection: 'close', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  const type = body === null ? {} : { 'Content-Type': 'application/json' };
  response.writeHead(status, { ...fixed, ...type, ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

/** Whoever is refused while they still send would see no more than an ended connection. */
function discard(request: http.IncomingMessage): Promise<void> {
  if (!(Number(request.headers['content-length'] ?? Number.NaN) <= MOST_DISCARDED)) return Promise.resolve();
  return new Promise((resolve) => {
    request.once('close', resolve).once('end', resolve).once('error', resolve).resume();
  });
}

/** Answers where there is no request that could be answered. */
function endWith(socket: Duplex, { status, body }: Answer): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  const text = `${JSON.stringify(body)}\n`;
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function unreadable(error: NodeJS.ErrnoException): Answer {
  if (error.code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'Its head is too long.');
  return refusal(400, 'It is no request that can be read.');
}

function notListening(port: number, error: unknown): SourceError {
  const isTaken = systemCode(error) === 'EADDRINUSE';
  const message = isTaken
    ? `Port ${port} of this machine is taken.`
    : `The program cannot listen at port ${port} of this machine.`;
  const hint = isTaken
    ? `Another source note, another steward or another program listens there: ss -ltnp 'sport = :${port}' shows which. Send no token there before you know; or set another port.`
    : 'Set another port, from 1024 on.';
  return new SourceError({ kind: 'setup', message, hint });
}
