import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askDaemon } from '../../src/cli/client.ts';
import { Printer } from '../../src/cli/terminal.ts';
import { runtimePaths } from '../../src/daemon/runtime-paths.ts';
import { type DaemonRequest as Request, Server } from '../../src/daemon/server.ts';
import { TempVault } from '../support/temp-vault.ts';

const NEVER = new Promise<never>(() => {});

/** A daemon that answers in its own way, and what it was asked. */
async function daemon(answer: (op: Request['op'], nth: number) => Promise<unknown>) {
  const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-'));
  const { root } = new TempVault();
  const env = { XDG_RUNTIME_DIR: outside, XDG_STATE_HOME: outside };
  const ops: string[] = [];
  const listening = await Server.listen(
    runtimePaths(root, env).socket,
    ({ op }) => answer(op, ops.push(op)),
    () => {},
  );
  onTestFinished(() => {
    listening.close();
    fs.rmSync(outside, { recursive: true, force: true });
  });
  const context = { out: new Printer(process.stdout, env), err: new Printer(process.stderr, env), env, cwd: root };
  return { ops, status: () => askDaemon(context, root, { op: 'status' }) };
}

test('a daemon that is slow to tell how things stand, and alive, is waited for', async () => {
  const { ops, status } = await daemon(async (op, nth) => (op === 'status' && nth === 1 ? NEVER : op));
  expect(await status()).toEqual({ ok: true, result: 'status' });
  expect(ops).toEqual(['status', 'alive', 'status']);
});

test('a daemon that does not even say that it is alive is stalled', async () => {
  const { ops, status } = await daemon(() => NEVER);
  expect(await status()).toBe('stalled');
  expect(ops).toEqual(['status', 'alive']);
});
