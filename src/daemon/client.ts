import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { systemCode } from '../vault/errors.ts';
import type { Request } from './compose.ts';
import type { OnTheWay, ServerReply } from './server.ts';

/** How soon (ms) a daemon that is crowded just now is asked again. */
const AGAIN_MS = 20;

// Only types are imported from the daemon: a command that asks a daemon does not wait for the schemas to load.

/** How a daemon answered: with a reply; `absent`: no daemon runs; `stalled`: it is alive and does not answer. */
export type DaemonReply = ServerReply | 'absent' | 'stalled';

/** A request, and the vault that is meant, as a path without links. */
type Addressed = Request & { readonly vault?: string };

/** How a caller follows the progress of long work, and may leave before the reply. */
export interface ReplyPatience {
  /** Called with the daemon's progress. The patience begins again each time. */
  readonly heard: (progress: unknown) => void;
  readonly leave: AbortSignal;
}

/**
 * Asks the daemon behind a socket and returns its answer, which may take `patienceMs`; with `waiting`, so long from one sign
 * of life to the next. Rejects with the reason of `waiting.leave` once that is aborted, and for nothing else.
 */
export function ask(
  socket: string,
  asked: Addressed,
  patienceMs: number,
  waiting?: ReplyPatience,
): Promise<DaemonReply> {
  const until = now() + patienceMs;
  return askOnce(socket, asked, patienceMs, waiting).then((answered) => {
    if (answered !== 'crowded') return answered;
    if (now() > until) return 'stalled';
    return wait(AGAIN_MS).then(() => ask(socket, asked, until - now(), waiting));
  });
}

// Not `performance`, which takes longer to load than a daemon to answer.
function now(): number {
  return process.uptime() * 1000;
}

function askOnce(
  socket: string,
  asked: Addressed,
  patienceMs: number,
  waiting: ReplyPatience | undefined,
): Promise<DaemonReply | 'crowded'> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket);
    const parts: string[] = [];
    const close = () => {
      clearTimeout(timer);
      waiting?.leave.removeEventListener('abort', leave);
      connection.destroy();
    };
    const end = (result: DaemonReply | 'crowded') => {
      close();
      resolve(result);
    };
    const leave = () => {
      close();
      reject(waiting?.leave.reason);
    };
    const timer = setTimeout(() => end('stalled'), Math.max(1, patienceMs));
    waiting?.leave.addEventListener('abort', leave);
    if (waiting?.leave.aborted === true) return leave();
    const order = waiting === undefined ? asked : { ...asked, progress: true };
    connection.setEncoding('utf8');
    connection.on('connect', () => connection.write(`${JSON.stringify(order)}\n`));
    connection.on('data', (chunk: string) => {
      if (waiting !== undefined) timer.refresh();
      const lines = chunk.split('\n');
      for (const line of lines.slice(0, -1)) {
        parts.push(line);
        if (heardOnTheWay(parts.join(''), waiting)) parts.length = 0;
      }
      parts.push(lines.at(-1) ?? '');
    });
    connection.on('end', () => end(parsed(parts.join(''))));
    connection.on('error', (error) => end(failureOf(error)));
  });
}

// Only a caller with `waiting` gets progress: for others the reply is one line, and not looked at before its end.
function heardOnTheWay(line: string, waiting: ReplyPatience | undefined): boolean {
  const said: Partial<OnTheWay> | null = waiting === undefined ? null : jsonOr(line);
  if (said === null || said.progress === undefined) return false;
  if (said.progress !== null) waiting?.heard(said.progress);
  return true;
}

function jsonOr(line: string): Partial<OnTheWay> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

// So many wait to be let in that there is no room for one more just now (EAGAIN).
function failureOf(error: Error): 'absent' | 'crowded' | 'stalled' {
  if (isAbsent(error)) return 'absent';
  return systemCode(error) === 'EAGAIN' ? 'crowded' : 'stalled';
}

function isAbsent(error: Error): boolean {
  // EINVAL, ENAMETOOLONG: no socket can have so long a path, so none listens there.
  return ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'EACCES', 'EINVAL', 'ENAMETOOLONG'].includes(systemCode(error) ?? '');
}

function parsed(text: string): DaemonReply {
  try {
    // Only this user's daemon writes to the socket (`demandOwnSocket`), and `serve` writes only a Reply.
    return JSON.parse(text) as ServerReply;
  } catch {
    return 'absent'; // it stopped while it was asked
  }
}
