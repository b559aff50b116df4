import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Sandbox } from '../stories/support.ts';
import { namesIn } from '../support/placed.ts';
import { MAY_MOUNT } from '../support/small-disk.ts';
import { carriesOn, type Listed, signal, smallVault, troubles } from './support.ts';

/*
 * A vault that cannot be written to. As root a mode of 0555 stops nobody, so the vault is put on a disk of its own that
 * is mounted read-only; and the same vault is opened by a user who may only read it.
 */

// A test that is cut off leaves its disk mounted.
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;
const MAY_LOWER = IS_ROOT && spawnSync('setpriv', ['--version']).status === 0;

test.skipIf(!MAY_MOUNT)('a vault on a read-only disk (skipped where mounting is not permitted)', async () => {
  await using sandbox = await smallVault();
  await using disk = await onADisk(sandbox);
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  const before = snapshot(sandbox);
  disk.remount('ro');

  expect(await troubles(sandbox)).toEqual([expect.objectContaining({ code: 'read-only', file: '.' })]);
  for (const words of [['log'], ['explain', 'pay-roofer']]) {
    expect(await sandbox.steward([...words, '--vault', 'vault'])).toMatchObject({ exit: 0, stderr: '' });
  }
  for (const words of [['tick'], ['run'], ['undo', '--last', '1'], ['import', './mail.eml']]) {
    fs.writeFileSync(path.join(sandbox.folder, 'mail.eml'), 'From: a@b.example\n\nHello.\n');
    const refused = await sandbox.steward([...words, '--vault', 'vault'], { STEWARD_LIVE_MODE: 'live' });
    expect(refused, words.join(' ')).toMatchObject({ exit: expect.any(Number), stdout: '' });
    expect([1, 75], words.join(' ')).toContain(refused.exit);
    expect(refused.stderr, words.join(' ')).toMatch(/read-only/);
    expect(refused.stderr).not.toMatch(/should not/);
  }
  expect(snapshot(sandbox)).toEqual(before);

  disk.remount('rw');
  await carriesOn(sandbox);
  expect(await troubles(sandbox)).toEqual([]);
});

test.skipIf(!MAY_MOUNT)(
  'a disk that turns read-only under the daemon: it says so, changes nothing, and goes on',
  async () => {
    await using sandbox = await smallVault();
    await using disk = await onADisk(sandbox);
    sandbox.write('signal/good.md', signal('task/pay-roofer.md', { effect: 'none' }));
    const daemon = sandbox.start('steward run --vault vault', { STEWARD_LIVE_MODE: 'live' });
    await daemon.line((line) => line.includes('started on'), 'started on');
    sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
    await daemon.line((line) => line.includes('applied pay-roofer'), 'acted');
    const event = namesIn(sandbox.vault, 'event')[0] ?? '';
    const done = sandbox.read('task/pay-roofer.md');
    // The daemon saves its state within a second; then nothing of it is open for writing.
    await expect.poll(() => remounted(disk)).toBe(true);

    const refused = await sandbox.steward(['undo', path.basename(event, '.md'), '--vault', 'vault']);
    expect(refused).toMatchObject({ exit: 75, stdout: '' });
    expect(refused.stderr).toMatch(/read-only/);
    expect(sandbox.read('task/pay-roofer.md')).toBe(done);
    const status = JSON.parse((await sandbox.steward(['status', '--vault', 'vault', '--json'])).stdout);
    expect(status.trouble.map((one: Listed) => one.code)).toContain('read-only');

    disk.remount('rw');
    const undone = await sandbox.steward(['undo', path.basename(event, '.md'), '--vault', 'vault']);
    expect(undone, undone.stderr).toMatchObject({ exit: 0 });
    daemon.kill('SIGTERM');
    expect((await daemon.ended).exit).toBe(0);
  },
);

test.skipIf(!MAY_LOWER && IS_ROOT)('a user who may only read the vault', async () => {
  await using sandbox = await smallVault();
  sandbox.write('signal/good.md', signal('task/pay-roofer.md'));
  const before = snapshot(sandbox);
  closed(sandbox);
  const as = IS_ROOT ? `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups ` : '';
  const doctor = await sandbox.sh(`${as}steward doctor --vault vault --json`);
  expect(doctor, doctor.stderr).toMatchObject({ exit: 1 });
  const { trouble }: { trouble: Listed[] } = JSON.parse(doctor.stdout);
  expect(trouble).toContainEqual(expect.objectContaining({ code: 'not-writable', file: 'task' }));
  expect(trouble.every(({ hint }) => hint.includes('permission'))).toBe(true);
  const ticked = await sandbox.sh(`${as}steward tick --vault vault`, { STEWARD_LIVE_MODE: 'live' });
  expect(ticked.stderr).not.toMatch(/should not/);
  expect(ticked).toMatchObject({ exit: 75, stdout: '' });
  expect(snapshot(sandbox)).toEqual(before);
  opened(sandbox);
  await carriesOn(sandbox);
});

/** Moves the vault onto a disk of its own. */
async function onADisk(sandbox: Sandbox) {
  const aside = path.join(sandbox.folder, 'aside');
  fs.renameSync(sandbox.vault, aside);
  fs.mkdirSync(sandbox.vault);
  mount('-t', 'tmpfs', 'tmpfs', sandbox.vault);
  fs.cpSync(aside, sandbox.vault, { recursive: true, preserveTimestamps: true });
  return {
    remount: (how: 'ro' | 'rw') => mount('-o', `remount,${how}`, sandbox.vault),
    [Symbol.asyncDispose]: async () => {
      spawnSync('umount', ['-l', sandbox.vault]);
    },
  };
}

function mount(...words: string[]): void {
  const done = spawnSync('mount', words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`mount ${words.join(' ')}: ${done.stderr}`);
}

function remounted(disk: { remount: (how: 'ro') => void }): boolean {
  try {
    disk.remount('ro');
    return true;
  } catch {
    return false; // busy: a file is open for writing at this instant
  }
}

function snapshot(sandbox: Sandbox): Record<string, string> {
  const items = fs.readdirSync(sandbox.vault, { recursive: true, withFileTypes: true });
  const files = items.filter((item) => item.isFile()).map((item) => path.join(item.parentPath, item.name));
  return Object.fromEntries(files.map((file) => [file, fs.readFileSync(file, 'utf8')]));
}

function closed(sandbox: Sandbox): void {
  spawnSync('chmod', ['-R', 'a+rX,a-w', sandbox.vault]);
  spawnSync('chmod', ['a+rx', sandbox.folder]);
}

function opened(sandbox: Sandbox): void {
  spawnSync('chmod', ['-R', 'u+w', sandbox.vault]);
}
