import net from 'node:net';
import { systemCode } from '../../vault/errors.ts';
import type { Reply, Request } from './protocol.ts';

// Only types are imported from `protocol.ts`: a command that asks a daemon does not wait for the schemas to load.

/** How a daemon answered: with a reply; `absent`: there is none; `stalled`: it is alive and does not answer. */
export type Asked = Reply | 'absent' | 'stalled';

/** A request, and the vault that is meant, as a path without links. */
type Addressed = Request & { readonly vault?: string };

/** Asks the daemon behind a socket and returns its answer, which may take `patienceMs`. Never rejects. */
export function ask(socket: string, asked: Addressed, patienceMs: number): Promise<Asked> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    let text = '';
    const end = (result: Asked) => {
      clearTimeout(timer);
      connection.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end('stalled'), patienceMs);
    connection.setEncoding('utf8');
    connection.on('connect', () => connection.write(`${JSON.stringify(asked)}\n`));
    connection.on('data', (chunk: string) => {
      text += chunk;
    });
    connection.on('end', () => end(parsed(text)));
    connection.on('error', (error) => end(isAbsent(error) ? 'absent' : 'stalled'));
  });
}

function isAbsent(error: Error): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'EACCES'].includes(systemCode(error) ?? '');
}

function parsed(text: string): Asked {
  try {
    // Only this user's daemon writes to the socket (`demandOwnSocket`), and `serve` writes only a Reply.
    return JSON.parse(text) as Reply;
  } catch {
    return 'absent'; // it stopped while it was asked
  }
}
