import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const TALKER = path.join(import.meta.dirname, 'talker.ts');
const LINE = /^\d+\.+$/;
const WIDTH = 99;

/** Returns the numbered lines that are whole, and how many lines the others say were not written. */
function tally(lines: readonly string[]): { readonly whole: number; readonly unsaid: number } {
  const whole = lines.filter((line) => LINE.test(line) && line.length === WIDTH).length;
  const unsaid = lines.reduce((sum, line) => sum + Number(/^unsaid (\d+)$/.exec(line)?.[1] ?? 0), 0);
  return { whole, unsaid };
}

function talker(command: string) {
  const child = spawn('/bin/sh', ['-c', `${command} exec '${process.execPath}' '${TALKER}'`]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const say = async (lines: number) => {
    const said = once(child.stderr, 'data');
    child.stdin.write(`${lines}\n`);
    await said;
  };
  return { child, say };
}

test('a reader that is behind is told how many lines it has missed: those read and those missed are all that was said', async () => {
  const { child, say } = talker('');
  await say(60_000);
  let read = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    read += text;
  });
  await expect.poll(() => read).toMatch(/^unsaid \d+$/m);
  await say(1);
  await expect.poll(() => read).toMatch(/^60001\.+$/m);
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
  const { whole, unsaid } = tally(read.split('\n'));
  expect(unsaid).toBeGreaterThan(0);
  expect(whole + unsaid).toBe(60_001);
});

test('a line that a full disk tore off is counted as missed, and the next line starts on its own', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'torn-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const log = path.join(folder, 'log');
  const { child, say } = talker(`ulimit -S -f 8; exec > '${log}';`); // a file that may not grow stands for the disk
  await say(200);
  expect(spawnSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited']).status).toBe(0);
  await expect.poll(() => fs.readFileSync(log, 'utf8')).toMatch(/^unsaid \d+$/m);
  await say(1);
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  expect(lines.filter((line) => LINE.test(line) && line.length < WIDTH)).toHaveLength(1);
  expect(lines.at(-2)).toMatch(/^201\.+$/);
  const { whole, unsaid } = tally(lines);
  expect(whole + unsaid).toBe(201);
});
