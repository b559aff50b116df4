import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** Whether this user may mount a disk of its own; a test that needs one is skipped where not. */
export const MAY_MOUNT = process.platform === 'linux' && mayMount();

function mayMount(): boolean {
  const folder = fs.mkdtempSync('/tmp/may-');
  const done = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  if (done) spawnSync('umount', [folder]);
  fs.rmdirSync(folder);
  return done;
}

/** Puts an empty disk of 256 KiB in the place of a folder, until the test ends. */
export function smallDisk(folder: string): void {
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status).toBe(0);
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
  });
}

/**
 * Fills the disk with a new file, but for so many bytes. A write of more succeeds for as many as there is room for, and
 * only the next one fails.
 */
export function leaveRoom(filler: string, bytes: number): void {
  fs.writeFileSync(filler, '');
  const { bavail, bsize } = fs.statfsSync(path.dirname(filler));
  fs.writeFileSync(filler, Buffer.alloc(bavail * bsize - bytes));
}
