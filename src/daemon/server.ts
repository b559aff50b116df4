import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { z } from 'zod';
import { MODES } from '../steward/gates.ts';
import { orderQuestions, recordErrand, reserveErrand } from '../steward/spending.ts';
import { usage } from '../steward/types.ts';
import { awayRefusal, type Diagnostic, diagnostic, EXIT, errorReason, StewardError } from '../vault/errors.ts';
import { fileError } from '../vault/files.ts';
import { LICENCE_KINDS, MUTATION_CLASSES } from '../vault/record.ts';
import { type Caller, type Requests, request, type StartedCapability } from './capability.ts';
import type { Workspace } from './context.ts';
import { type Component, REQUESTS, SCHEDULE, within } from './faults.ts';
import { hideProblems } from './problem-list.ts';
import { collectProblems } from './problems.ts';
import { withoutProgram } from './process.ts';
import { prepareSocketPlace } from './runtime-paths.ts';
import type { Ticker } from './ticker.ts';

export type ServerReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly trouble: Diagnostic; readonly exit: number };

/** Progress on the way to a reply, if it was asked for; null: the work goes on. */
export interface OnTheWay {
  readonly progress: unknown;
}

/** A request: its name, and what a command says along with it. */
const envelope = z.looseObject({
  op: z.string(),
  /** Which vault it means, as a path without links: the socket may be that of another. */
  vault: z.string().optional(),
  /** Whether it wants lines about the progress before the reply. */
  progress: z.boolean().optional(),
});

/** A request whose own fields are still unchecked. */
export interface DaemonRequest {
  readonly op: string;
}

/** More than the names of ten thousand notes. */
const MAX_REQUEST_CHARS = 1_000_000;
/** How long (ms) a client may take to send its line, and again to take the answer: it has both ready. */
const PATIENCE_MS = 5_000;
/** How many clients may be connected without having sent their line. A command sends its own at once. */
const MOST_SILENT = 64;
/** How often (ms) a client that waits for long work is told that it goes on. */
const BEAT_MS = 10_000;

type Handle = (asked: DaemonRequest, caller: Caller) => Promise<unknown>;

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
    // The data of a connection belongs to no vault by itself; this binds a fault in it to this vault.
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

function send(connection: net.Socket, answered: ServerReply): void {
  const patience = setTimeout(() => connection.destroy(), PATIENCE_MS);
  connection.on('close', () => clearTimeout(patience));
  connection.end(`${JSON.stringify(answered)}\n`);
}

/** Returns the error `other-vault` (75), for a command that means another vault than the daemon's. */
export function otherVault(root: string): StewardError {
  return new StewardError(
    {
      code: 'other-vault',
      message: `The daemon that answered works on another vault, ${root}; no action was taken.`,
      hint: 'The lock of this vault leads to the wrong daemon: delete .steward/lock if no daemon runs on it.',
    },
    EXIT.tryAgain,
  );
}

async function reply(line: string, handle: Handle, connection: net.Socket, gone: AbortSignal): Promise<ServerReply> {
  try {
    const { vault, progress, ...asked } = envelope.parse(JSON.parse(line));
    const work = (tell: Caller['tell']) => handle(asked, { vault, tell, gone });
    return { ok: true, result: await (progress === true ? withProgress(connection, work) : work(() => {})) };
  } catch (error) {
    if (error instanceof StewardError) return { ok: false, trouble: error.trouble, exit: error.exit };
    if (error instanceof Error && 'path' in error) {
      return { ok: false, trouble: fileError(error, String(error.path)).trouble, exit: 1 };
    }
    const hint = 'See the log of the daemon.';
    return { ok: false, trouble: diagnostic({ code: 'request-failed', message: errorReason(error), hint }), exit: 1 };
  }
}

// A client that does not read for a while misses the progress of the meantime; it is not kept.
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

const proposalFilter = z.object({
  matter: z.string().nullable(),
  class: z.enum(MUTATION_CLASSES).nullable(),
  minConfidence: z.number().nullable(),
  source: z.string().nullable(),
});

/** Who may send an order over the socket. */
const commanded = z.enum(['command', 'inbox']);

/** The requests that every daemon answers. The code that answers them is loaded with the first. */
export function coreRequests(space: Workspace, ticker: Ticker) {
  return {
    tick: request({ matters: z.array(z.string()), force: z.boolean(), mode: z.enum(MODES).nullable() }, (asked) =>
      ticker.now(asked),
    ),
    undo: request(
      {
        events: z.array(z.string()),
        last: z.number().int().min(1).nullable(),
        reason: z.string().nullable(),
        force: z.boolean(),
        dryRun: z.boolean(),
        by: commanded.optional(),
      },
      async (asked) => (await import('./answers.ts')).undoAll(space, asked),
    ),
    answer: request(
      {
        kind: z.enum(['confirm', 'dismiss']),
        events: z.array(z.string()),
        filter: proposalFilter.optional(),
        choose: z.string().nullable().optional(),
        always: z.boolean().optional(),
        force: z.boolean().optional(),
        later: z.boolean().optional(),
        dryRun: z.boolean(),
        by: commanded.optional(),
      },
      async (asked) => (await import('./answers.ts')).answerAll(space, asked),
    ),
    licences: request({}, async () => (await import('./licences.ts')).listLicences(space)),
    'licence-sign': request(
      {
        sender: z.string(),
        matter: z.string().nullable(),
        kinds: z.array(z.enum(LICENCE_KINDS)),
        until: z.string().nullable(),
      },
      async (asked) => (await import('./licences.ts')).sign(space, asked),
    ),
    'licence-end': request({ licence: z.string() }, async ({ licence }) =>
      (await import('./licences.ts')).end(space, licence),
    ),
    'hide-problems': request({ names: z.array(z.string()), hide: z.boolean() }, (asked) =>
      hideProblems(space.context, collectProblems(space), asked),
    ),
    reserve: request({ estimate: usage }, ({ estimate }) => reserveErrand(space.context, estimate)),
    question: request({ questions: z.number().int().min(0) }, ({ questions }) =>
      orderQuestions(space.context, questions),
    ),
    record: request(
      {
        id: z.number().int().nullable(),
        cost: z.object({ tokens: z.number().min(0), usd: z.number().min(0) }).nullable(),
        usage: usage.optional(),
        retryAfter: z.number().nullable().optional(),
      },
      (asked) => recordErrand(space.context, asked),
    ),
  };
}

interface RequestParts {
  readonly space: Workspace;
  readonly ticker: Ticker;
  readonly started: readonly StartedCapability[];
}

/**
 * Does what a command asks of the running daemon, on the vault as it is now. Throws `vault-away` (75) if the vault cannot be
 * read, and what the work throws.
 */
export async function carryOutRequest(parts: RequestParts, asked: DaemonRequest, caller: Caller): Promise<unknown> {
  const { space } = parts;
  const { component, handler } = handlerOf(parts, asked.op);
  return within(component, async () => {
    try {
      const fields = handler.schema.parse(asked);
      if (handler.needsSweep !== false) await space.vault.sweep();
      if (space.vault.away !== null) throw awayRefusal(space.vault.away);
      return await handler.handle(fields, caller);
    } catch (error) {
      throw withoutProgram(error);
    }
  });
}

function handlerOf({ space, ticker, started }: RequestParts, op: string) {
  const core: [Component, Requests] = [op === 'tick' ? SCHEDULE : REQUESTS, coreRequests(space, ticker)];
  const offered = started.map(({ capability, running }): [Component, Requests] => [capability, running.requests ?? {}]);
  for (const [component, requests] of [core, ...offered]) {
    const handler = Object.hasOwn(requests, op) ? requests[op] : undefined;
    if (handler !== undefined) return { component, handler };
  }
  const hint = 'The daemon may be of another version than this command: restart it.';
  throw new StewardError({ code: 'request-failed', message: `Unknown request "${op}".`, hint });
}
