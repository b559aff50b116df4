import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { programUpdate, withoutProgram } from '../../../src/daemon/process.ts';

test('a program whose file is gone at two looks was updated; one that is back at the second was not', async () => {
  vi.useFakeTimers();
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'program-')), 'part.js');
  const said: string[] = [];
  void programUpdate(file, 1000).then(({ trouble }) => said.push(trouble.code));
  const look = () => vi.advanceTimersByTimeAsync(1000);
  for (const isThere of [true, false, true, false]) {
    if (isThere) fs.writeFileSync(file, '');
    else fs.rmSync(file);
    await look();
    expect(said).toEqual([]);
  }
  await look();
  expect(said).toEqual(['program-updated']);
  fs.rmSync(path.dirname(file), { recursive: true });
  vi.useRealTimers();
});

test('a part of the program that is gone is said as an update, and nothing else is', () => {
  expect(withoutProgram(Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' }))).toMatchObject({
    trouble: { code: 'program-updated' },
    exit: 75,
  });
  const other = new Error('a disk');
  expect(withoutProgram(other)).toBe(other);
});
