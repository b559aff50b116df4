import fs from 'node:fs';
import net from 'node:net';
import { diagnostic, reasonOf, StewardError } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import type { Reply } from './protocol.ts';
import { type Request, request } from './protocol.ts';
import { ownFolder } from './runtime-paths.ts';

const MAX_REQUEST_CHARS = 1_000_000;

/** Serves requests on a local socket that only this user can reach. Resolves with the server when it listens. */
export async function serve(socket: string, handle: (request: Request) => Promise<unknown>): Promise<net.Server> {
  ownFolder(socket);
  fs.rmSync(socket, { force: true }); // left by a dead daemon: the vault's lock shows that no living one uses it
  const server = net.createServer((connection) => answerOn(connection, handle));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => resolve());
  });
  fs.chmodSync(socket, 0o600);
  return server;
}

function answerOn(connection: net.Socket, handle: (request: Request) => Promise<unknown>): void {
  let text = '';
  connection.setEncoding('utf8');
  connection.on('error', () => connection.destroy());
  connection.on('data', (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\n');
    if (text.length > MAX_REQUEST_CHARS) connection.destroy();
    else if (end >= 0) answer(text.slice(0, end));
  });

  function answer(line: string): void {
    connection.removeAllListeners('data');
    void reply(line, handle).then((answered) => connection.end(`${JSON.stringify(answered)}\n`));
  }
}

async function reply(line: string, handle: (request: Request) => Promise<unknown>): Promise<Reply> {
  try {
    return { ok: true, result: await handle(request.parse(JSON.parse(line))) };
  } catch (error) {
    if (error instanceof StewardError) return { ok: false, trouble: error.trouble, exit: error.exit };
    if (error instanceof Error && 'path' in error) {
      return { ok: false, trouble: fileError(error, String(error.path)).trouble, exit: 1 };
    }
    const hint = 'See the log of the daemon.';
    return { ok: false, trouble: diagnostic({ code: 'request-failed', message: reasonOf(error), hint }), exit: 1 };
  }
}
