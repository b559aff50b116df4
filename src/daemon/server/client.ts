import net from 'node:net';
import { systemCode } from '../../vault/errors.ts';
import type { Reply, Request } from './protocol.ts';

// Apart from `control.ts`, which checks requests and so loads the schemas: whoever only asks should not wait for them.
/** How a daemon answered: its result, its error, no daemon there, or one that is alive and does not answer. */
export type Asked = Reply | 'absent' | 'stalled';

/** Asks the daemon behind a socket. `patienceMs`: how long an answer may take. */
export function ask(socket: string, asked: Request, patienceMs: number): Promise<Asked> {
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
    // The socket is ours alone (mode 0600 in a folder of ours), and `serve` writes nothing but a Reply.
    return JSON.parse(text) as Reply;
  } catch {
    return 'absent'; // it went down while we asked
  }
}
