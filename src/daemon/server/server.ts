import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { Turns } from '../../vault/disk/slices.ts';
import { diagnostic, EXIT, reasonOf, StewardError } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import type { Reply } from './protocol.ts';
import { envelope, type OnTheWay, type Request, request } from './protocol.ts';
import { replyText } from './reply-text.ts';
import { prepareSocketPlace } from './socket-place.ts';

/** More than the names of ten thousand notes. */
const MAX_REQUEST_CHARS = 1_000_000;
/** How long (ms) a client may take to send its line, and again to take the answer: it has both ready. */
const PATIENCE_MS = 5_000;
/** How many clients may be connected without having sent their line. A command sends its own at once. */
const MOST_SILENT = 64;
/** How often (ms) a client that waits for long work is told that it goes on. */
const BEAT_MS = 10_000;

/** The client behind a request, while it waits for its reply. */
export interface Caller {
  /** The vault it means; undefined where it names none. */
  readonly vault: string | undefined;
  /** Tells it how far the work is, if it wants to know. */
  readonly tell: (progress: unknown) => void;
  /** Aborted once it waits no longer. */
  readonly gone: AbortSignal;
}

/** Does what is asked. */
type Handle = (asked: Request, caller: Caller) => Promise<unknown>;

/** Answers requests on a local socket that only this user can reach, until it is closed. */
export class Server {
  readonly #socket: string;
  readonly #server: net.Server;
  readonly #handle: Handle;
  /** Clients that have not sent their line yet, in the order they came. */
  readonly #silent = new Set<net.Socket>();
  #inode = 0;

  private constructor(socket: string, handle: Handle) {
    this.#socket = socket;
    this.#handle = handle;
    this.#server = net.createServer((connection) => this.#hear(connection));
  }

  /**
   * Resolves with the server when it listens. `mayListen` is asked last before the socket gets its name. Throws what that
   * throws, and `socket-place` (75) where others could reach its folder.
   */
  static async listen(socket: string, handle: Handle, mayListen: () => void): Promise<Server> {
    prepareSocketPlace(socket);
    const server = new Server(socket, handle);
    await server.#listen(mayListen);
    return server;
  }

  /** Ends those who have asked nothing; who has asked is answered. Takes the socket away, unless it `leavesName`. */
  close(leavesName = false): void {
    if (!leavesName) this.#takeAway();
    this.#server.close();
    for (const connection of this.#silent) connection.destroy();
  }

  #takeAway(): void {
    try {
      // The daemon that has the vault by now may listen under the same name.
      if (fs.lstatSync(this.#socket).ino === this.#inode) fs.rmSync(this.#socket);
    } catch {
      // It is gone.
    }
  }

  // Under a name of its own first: what a dead daemon left is replaced in one step, and closing takes away no other's.
  async #listen(mayListen: () => void): Promise<void> {
    const own = `${this.#socket.slice(0, -'.sock'.length)}.${randomUUID().slice(0, 4)}`;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(own, () => resolve());
    });
    try {
      fs.chmodSync(own, 0o600);
      mayListen();
      fs.renameSync(own, this.#socket);
    } catch (error) {
      this.#server.close(); // which takes its own name away
      throw error;
    }
    this.#inode = fs.lstatSync(this.#socket).ino;
  }

  #hear(connection: net.Socket): void {
    this.#makeRoom();
    this.#silent.add(connection);
    const patience = setTimeout(() => connection.destroy(), PATIENCE_MS);
    const parts: string[] = [];
    let length = 0;
    connection.setEncoding('utf8');
    connection.on('error', () => connection.destroy());
    connection.on('close', () => {
      clearTimeout(patience);
      this.#silent.delete(connection);
    });
    const heard = (chunk: string) => {
      const end = chunk.indexOf('\n');
      parts.push(end < 0 ? chunk : chunk.slice(0, end));
      length += chunk.length;
      if (length > MAX_REQUEST_CHARS) connection.destroy();
      else if (end >= 0) {
        clearTimeout(patience);
        this.#answer(connection, parts.join(''));
      }
    };
    // What an accepted connection brings is nobody's by itself; a fault in it is this vault's.
    connection.on('data', AsyncResource.bind(heard));
  }

  // The oldest silent client gives way: a command that is just connecting is never the oldest.
  #makeRoom(): void {
    const [oldest] = this.#silent;
    if (oldest === undefined || this.#silent.size < MOST_SILENT) return;
    this.#silent.delete(oldest);
    oldest.destroy();
  }

  #answer(connection: net.Socket, line: string): void {
    this.#silent.delete(connection);
    connection.removeAllListeners('data');
    connection.resume(); // what else it sends is dropped
    const gone = new AbortController();
    connection.on('close', () => gone.abort());
    void reply(line, this.#handle, connection, gone.signal).then((answered) => send(connection, answered));
  }
}

// A long reply goes out piece by piece, as fast as the client takes them and others have their turn.
async function send(connection: net.Socket, answered: Reply): Promise<void> {
  const patience = setTimeout(() => connection.destroy(), PATIENCE_MS);
  connection.on('close', () => clearTimeout(patience));
  const turns = new Turns();
  for (const piece of replyText(answered)) {
    if (connection.destroyed) return;
    if (piece !== null && !connection.write(piece)) await drained(connection);
    if (piece !== null) patience.refresh();
    if (turns.isLate) await turns.giveWay();
  }
  connection.end();
}

function drained(connection: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      connection.off('drain', done).off('close', done);
      resolve();
    };
    connection.on('drain', done).on('close', done);
  });
}

/** Returns the error `other-vault` (75), for a command that means another vault than the daemon's. */
export function otherVault(root: string): StewardError {
  return new StewardError(
    {
      code: 'other-vault',
      message: `The daemon that answered works on another vault, ${root}; nothing is done.`,
      hint: 'The lock of this vault leads to the wrong daemon: delete .steward/lock if no daemon runs on it.',
    },
    EXIT.tryAgain,
  );
}

async function reply(line: string, handle: Handle, connection: net.Socket, gone: AbortSignal): Promise<Reply> {
  try {
    const asked: unknown = JSON.parse(line);
    const { vault, progress } = envelope.parse(asked);
    const order = request.parse(asked);
    const work = (tell: Caller['tell']) => handle(order, { vault, tell, gone });
    return { ok: true, result: await (progress === true ? withProgress(connection, work) : work(() => {})) };
  } catch (error) {
    if (error instanceof StewardError) return { ok: false, trouble: error.trouble, exit: error.exit };
    if (error instanceof Error && 'path' in error) {
      return { ok: false, trouble: fileError(error, String(error.path)).trouble, exit: 1 };
    }
    const hint = 'See the log of the daemon.';
    return { ok: false, trouble: diagnostic({ code: 'request-failed', message: reasonOf(error), hint }), exit: 1 };
  }
}

// A client that does not read for a while misses what it was told meanwhile; nothing is kept for it.
async function withProgress(
  connection: net.Socket,
  work: (tell: Caller['tell']) => Promise<unknown>,
): Promise<unknown> {
  const tell = (progress: unknown) => {
    const said: OnTheWay = { progress };
    if (connection.writable && !connection.writableNeedDrain) connection.write(`${JSON.stringify(said)}\n`);
  };
  const beat = setInterval(() => tell(null), BEAT_MS);
  try {
    return await work(tell);
  } finally {
    clearInterval(beat);
  }
}
