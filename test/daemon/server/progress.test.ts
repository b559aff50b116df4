import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../../src/daemon/capability.ts';
import { ask } from '../../../src/daemon/client.ts';
import { Server } from '../../../src/daemon/server.ts';

const IMPORT = { op: 'import' as const, files: [] };

async function server(handle: (caller: Caller) => Promise<unknown>): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-'));
  const socket = path.join(folder, 'own', 's.sock');
  const listening = await Server.listen(
    socket,
    (_, caller) => handle(caller),
    () => {},
  );
  onTestFinished(() => {
    listening.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return socket;
}

const STAYS = new AbortController().signal;

test('a caller who wants to know is told of progress before the reply', async () => {
  const socket = await server(async ({ tell }) => {
    tell({ bytes: 1 });
    tell({ bytes: 2 });
    return 'done';
  });
  const heard: unknown[] = [];
  const asked = await ask(socket, IMPORT, 5_000, { heard: (one) => heard.push(one), leave: STAYS });
  expect(asked).toEqual({ ok: true, result: 'done' });
  expect(heard).toEqual([{ bytes: 1 }, { bytes: 2 }]);
});

test('a caller who does not gets the one line of the reply', async () => {
  const socket = await server(async ({ tell }) => {
    tell({ bytes: 1 });
    return { progress: 'mine' };
  });
  expect(await ask(socket, IMPORT, 5_000)).toEqual({ ok: true, result: { progress: 'mine' } });
  const connection = net.connect(socket);
  connection.write(`${JSON.stringify(IMPORT)}\n`);
  const parts: Buffer[] = [];
  connection.on('data', (part) => parts.push(part));
  await once(connection, 'end');
  expect(Buffer.concat(parts).toString()).toBe('{"ok":true,"result":{"progress":"mine"}}\n');
});

test('signs of life keep the patience of a caller, and without them it ends', async () => {
  let end = () => {};
  const socket = await server(async ({ tell }) => {
    const beat = setInterval(() => tell({}), 20);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    clearInterval(beat);
    return 'done';
  });
  let heard = 0;
  const waiting = {
    heard: () => {
      heard += 1;
      if (heard === 20) end();
    },
    leave: STAYS,
  };
  expect(await ask(socket, IMPORT, 250, waiting)).toEqual({ ok: true, result: 'done' });
  const silent = await server(() => new Promise(() => {}));
  expect(await ask(silent, IMPORT, 50, { heard: () => {}, leave: STAYS })).toBe('stalled');
});

test('a caller who leaves is known to be gone, and the reason to leave is what it gets', async () => {
  const gone = Promise.withResolvers<string>();
  const leave = new AbortController();
  const socket = await server(
    (caller) =>
      new Promise(() => {
        caller.gone.addEventListener('abort', () => gone.resolve('gone'));
        leave.abort(new Error('enough'));
      }),
  );
  await expect(ask(socket, IMPORT, 5_000, { heard: () => {}, leave: leave.signal })).rejects.toThrow('enough');
  expect(await gone.promise).toBe('gone');
  await expect(ask(socket, IMPORT, 5_000, { heard: () => {}, leave: leave.signal })).rejects.toThrow('enough');
});

test('a reply of megabytes, which has to wait for the client many times, leaves nothing behind each time', async () => {
  const warned: string[] = [];
  const warn = ({ message }: Error) => warned.push(message);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const rows = Array.from({ length: 40_000 }, (_, nth) => ({ nth, text: 'x'.repeat(100) }));
  const socket = await server(async () => rows);
  expect(await ask(socket, IMPORT, 20_000)).toEqual({ ok: true, result: rows });
  await new Promise(setImmediate); // a warning comes in a turn of its own
  expect(warned).toEqual([]);
});
