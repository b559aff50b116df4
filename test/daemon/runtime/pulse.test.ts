import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StallDetector } from '../../../src/daemon/timers.ts';

const EVERY = 1_000;

test.each<[string, { readonly at: number; readonly worked: number }, boolean]>([
  ['on time', { at: 1_000, worked: 10 }, false],
  ['two seconds late, while nothing was done', { at: 3_000, worked: 10 }, false],
  ['more than that', { at: 3_100, worked: 10 }, true],
  ['a night late: the machine slept', { at: 8 * 3_600_000, worked: 20 }, true],
  ['nine seconds late with work', { at: 10_000, worked: 8_500 }, false],
  ['nine seconds late with little work: a disk gave no answer', { at: 10_000, worked: 2_000 }, true],
])('%s', (_, beat, expected) => {
  expect(new StallDetector(EVERY, { at: 0, worked: 0 }).beat(beat)).toBe(expected);
});

test('each beat counts from the one before', () => {
  const pulse = new StallDetector(EVERY, { at: 0, worked: 0 });
  expect(pulse.beat({ at: 9_000, worked: 0 })).toBe(true);
  expect(pulse.beat({ at: 10_000, worked: 0 })).toBe(false);
});

test('a process that was stopped had a stall', async () => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'pulse-child.ts')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect((await once(child, 'message'))[0]).toBe('ready');
  // It is stopped for longer than a stall takes to be one.
  execFileSync('sh', ['-c', `kill -STOP ${child.pid} && sleep 4 && kill -CONT ${child.pid}`]);
  expect((await once(child, 'message'))[0]).toBe(true);
});
