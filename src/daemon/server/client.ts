import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { systemCode } from '../../vault/errors.ts';
import type { Reply, Request } from './protocol.ts';

/** How soon (ms) a daemon that is crowded just now is asked again. */
const AGAIN_MS = 20;

// Only types are imported from `protocol.ts`: a command that asks a daemon does not wait for the schemas to load.

/** How a daemon answered: with a reply; `absent`: there is none; `stalled`: it is alive and does not answer. */
export type Asked = Reply | 'absent' | 'stalled';

/** A request, and the vault that is meant, as a path without links. */
type Addressed = Request & { readonly vault?: string };

/** Asks the daemon behind a socket and returns its answer, which may take `patienceMs`. Never rejects. */
export function ask(socket: string, asked: Addressed, patienceMs: number): Promise<Asked> {
  const until = performance.now() + patienceMs;
  return askOnce(socket, asked, patienceMs).then((answered) => {
    if (answered !== 'crowded') return answered;
    if (performance.now() > until) return 'stalled';
    return wait(AGAIN_MS).then(() => ask(socket, asked, until - performance.now()));
  });
}

function askOnce(socket: string, asked: Addressed, patienceMs: number): Promise<Asked | 'crowded'> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    let text = '';
    const end = (result: Asked | 'crowded') => {
      clearTimeout(timer);
      connection.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end('stalled'), Math.max(1, patienceMs));
    connection.setEncoding('utf8');
    connection.on('connect', () => connection.write(`${JSON.stringify(asked)}\n`));
    connection.on('data', (chunk: string) => {
      text += chunk;
    });
    connection.on('end', () => end(parsed(text)));
    connection.on('error', (error) => end(failureOf(error)));
  });
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

function parsed(text: string): Asked {
  try {
    // Only this user's daemon writes to the socket (`demandOwnSocket`), and `serve` writes only a Reply.
    return JSON.parse(text) as Reply;
  } catch {
    return 'absent'; // it stopped while it was asked
  }
}
