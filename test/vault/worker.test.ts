// Over 5 s: it starts processes and waits for their limits.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runInWorker, WorkerFailure } from '../../src/vault/worker.ts';

const WORKER = import.meta.resolve('../../src/vault/worker.ts');

/** Runs a worker of these lines and expects a number from it. */
function run(lines: string, { seconds = 10, abort }: { seconds?: number; abort?: AbortSignal } = {}): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'worker-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const head = `import { answerParent } from ${JSON.stringify(WORKER)};\n`;
  fs.writeFileSync(path.join(folder, 'task.mjs'), `${head}answerParent(async (data) => {\n${lines}\n});`);
  const from = pathToFileURL(path.join(folder, 'caller.mjs')).href;
  return runInWorker({ script: './task', from, data: 20, message: z.number(), memoryMb: 32, seconds }, abort);
}

/** What a worker's lines do to write a file. */
const writing = (name: string) =>
  `(await import('node:fs')).writeFileSync(new URL('./${name}', import.meta.url), ''); return 1;`;

const hasEnded = (pid: number) => expect.poll(() => fs.existsSync(`/proc/${pid}/exe`)).toBe(false);

const limitOf = (error: unknown) => (error instanceof WorkerFailure ? error.limit : error);

test('the message of a worker is what its schema reads', async () => {
  expect(await run('return data + 1;')).toBe(21);
});

test('a worker that goes on after its answer is stopped', async () => {
  await hasEnded(await run('setInterval(() => {}, 1000); return process.pid;'));
});

test.each([
  ['takes too long', 'for (;;);', 'time', 'it takes longer than 1 s'],
  ['takes too much', 'const all = []; for (;;) all.push([1]);', 'memory', 'it takes more than 32 MB of memory'],
  ['throws', `throw new Error('broken');`, null, 'broken'],
  ['says something else', `return 'a';`, null, expect.stringContaining('number')],
  ['crashes the runtime', `process.kill(process.pid, 'SIGSEGV');`, null, 'its process ended early (SIGSEGV)'],
  ['ends early', 'process.exit(0);', null, 'its process ended early'],
  ['writes a file', writing('written'), null, expect.stringContaining('restricted')],
  [
    'starts a process',
    `(await import('node:child_process')).execSync('true');`,
    null,
    expect.stringContaining('restricted'),
  ],
])('a worker that %s is a failure that says so', async (_, lines, limit, message) => {
  const error: unknown = await run(lines, { seconds: limit === 'time' ? 1 : 10 }).catch((reason: unknown) => reason);
  expect([limitOf(error), error instanceof Error && error.message]).toEqual([limit, message]);
});

test('an aborted worker is stopped, and the reason is the signal’s', async () => {
  const controller = new AbortController();
  const running = run('for (;;);', { abort: controller.signal });
  controller.abort(new Error('no longer wanted'));
  await expect(running).rejects.toThrow('no longer wanted');
  await expect(run('', { abort: AbortSignal.abort(new Error('never wanted')) })).rejects.toThrow('never wanted');
});
