import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface Pair {
  readonly client: net.Socket;
  readonly server: net.Socket;
}

/** How the server's answers reach the client. `stalled`: not at all, for as long as that. */
type Flow = 'open' | 'stalled' | { readonly bytesPerTick: number; readonly tickMs: number };

const MOST_KEPT = 4 * 1024 * 1024;

/** A wire on loopback between a client and a server, which can be cut and slowed, and which counts what goes over it. */
export class Relay {
  /** Connections that clients opened, all in all. */
  connections = 0;
  /** Bytes from clients. */
  up = 0;
  /** Bytes that clients were sent. */
  down = 0;
  /** How often it was cut. */
  cuts = 0;
  #flow: Flow = 'open';
  #said: Buffer[] = [];
  #kept = 0;
  #onAnswer: (bytes: Buffer) => void = () => {};
  readonly #pairs = new Set<Pair>();
  readonly #server: net.Server;
  readonly #target: number;

  private constructor(server: net.Server, target: number) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (client) => this.#join(client));
  }

  /** A wire to a port of 127.0.0.1. */
  static async open(target: number): Promise<Relay> {
    const server = net.createServer({ pauseOnConnect: true, allowHalfOpen: false });
    const relay = new Relay(server, target);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the relay is closed');
    return address.port;
  }

  get isOpen(): number {
    return this.#pairs.size;
  }

  /** What clients said, as text: readable where the connection is not encrypted. At most the first 4 MiB. */
  said(): string {
    return Buffer.concat(this.#said).toString('latin1');
  }

  /** Forgets what was counted and said. */
  reset(): void {
    this.connections = 0;
    this.up = 0;
    this.down = 0;
    this.#said = [];
    this.#kept = 0;
  }

  /** Ends all connections at once, without a goodbye. */
  cut(): void {
    this.cuts += 1;
    for (const { client, server } of [...this.#pairs]) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Cuts as soon as clients have been sent so many more bytes, and once only. */
  cutAfter(bytes: number): void {
    const at = this.down + bytes;
    this.#onAnswer = () => {
      if (this.down < at) return;
      this.#onAnswer = () => {};
      this.cut();
    };
  }

  /** Answers no longer arrive; nothing is closed. */
  stall(): void {
    this.#flow = 'stalled';
  }

  /** Answers arrive in small pieces. */
  drip(bytesPerTick: number, tickMs: number): void {
    this.#flow = { bytesPerTick, tickMs };
  }

  /** Answers arrive as they come. */
  flow(): void {
    this.#flow = 'open';
  }

  /** Says something to all clients that the server did not say, for as long as they listen; returns how much they took. */
  async flood(piece: string | Uint8Array, times: number): Promise<number> {
    const before = this.down;
    await Promise.all([...this.#pairs].map(({ client }) => this.#pour(client, Buffer.from(piece), times)));
    return this.down - before;
  }

  async close(): Promise<void> {
    this.#onAnswer = () => {};
    this.cut();
    this.#flow = 'open';
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: net.Socket): void {
    this.connections += 1;
    const pair = { client, server: net.connect(this.#target, '127.0.0.1') };
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      pair.server.destroy();
    };
    for (const socket of [client, pair.server]) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => this.#hear(pair, bytes));
    void this.#answer(pair);
    client.resume();
  }

  #hear({ server }: Pair, bytes: Buffer): void {
    this.up += bytes.length;
    if (this.#kept < MOST_KEPT) this.#said.push(bytes);
    this.#kept += bytes.length;
    server.write(bytes);
  }

  async #answer({ client, server }: Pair): Promise<void> {
    try {
      for await (const bytes of server) await this.#pass(client, Buffer.from(bytes));
    } catch {
      // Whoever cut it knows.
    }
    client.end();
  }

  async #pass(client: net.Socket, bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length && !client.destroyed; ) {
      const piece = bytes.subarray(at, at + (await this.#room()));
      at += piece.length;
      await this.#send(client, piece);
    }
  }

  /** Waits until something may pass, and returns how much. */
  async #room(): Promise<number> {
    while (this.#flow === 'stalled' && this.#server.listening) await pause(10);
    if (typeof this.#flow === 'string') return Number.MAX_SAFE_INTEGER;
    await pause(this.#flow.tickMs);
    return typeof this.#flow === 'string' ? 1 : this.#flow.bytesPerTick;
  }

  async #pour(client: net.Socket, piece: Buffer, times: number): Promise<void> {
    for (let nth = 0; nth < times && !client.destroyed; nth += 1) await this.#send(client, piece);
  }

  async #send(client: net.Socket, piece: Buffer): Promise<void> {
    if (client.destroyed) return;
    this.down += piece.length;
    const isTaken = client.write(piece);
    this.#onAnswer(piece);
    if (!isTaken) await Promise.race([once(client, 'drain'), once(client, 'close')]).catch(() => {});
  }
}
