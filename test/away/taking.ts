import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { matter, settings, task } from '../support/notes.ts';
import type { Files } from '../support/temp-vault.ts';

export const MATTERS = ['boat', 'car', 'flat', 'garden', 'house', 'job', 'roof', 'school', 'trip'] as const;
export const SCHEDULES = MATTERS.map((name) => `steward-${name}`);

/** Nine matters, three tasks, settings. */
export const NINE: Files = {
  'steward.md': settings(),
  ...Object.fromEntries(MATTERS.map((name) => [`matter/${name}.md`, matter({ summary: `About the ${name}` })])),
  'task/pay.md': task(),
  'task/two.md': task(),
  'task/three.md': task(),
};

/** How often it is tried to take a busy disk away: some seconds. */
const MOST_TRIES = 2000;

/** A vault that went away. */
export interface Taken {
  /** Everything that stands where the vault, or the folder that was taken, should be. */
  readonly inItsPlace: () => readonly string[];
  readonly giveBack: () => void;
}
/** A way for the vault at `root` to go away. */
export type Taking = (root: string) => Taken;

/** Whether this machine lets us mount: as root, with the right to. */
export const CAN_MOUNT = canMount();

export const renamedAway: Taking = (root) => moved(root, `${root}-elsewhere`);

export const replacedByAnEmptyFolder: Taking = (root) => {
  const { giveBack } = moved(root, `${root}-elsewhere`);
  fs.mkdirSync(root);
  return {
    inItsPlace: () => everythingIn(root),
    giveBack: () => {
      fs.rmdirSync(root);
      giveBack();
    },
  };
};

/** The vault lies on a disk, mounted at its folder: `mountAt` before the daemon starts. */
export const unmounted: Taking = (root) => {
  released(root);
  return {
    inItsPlace: () => everythingIn(root),
    giveBack: () => system('mount', '--bind', diskOf(root), root),
  };
};

export const mountedOver: Taking = (root) => {
  system('mount', '-t', 'tmpfs', 'none', root);
  onTestFinished(() => void spawnSync('umount', ['-l', root]));
  return { inItsPlace: () => everythingIn(root), giveBack: () => system('umount', root) };
};

/** One record folder is renamed away. */
export const folderRenamedAway =
  (folder: string): Taking =>
  (root) =>
    moved(path.join(root, folder), `${root}-${folder}`);

/** A sync tool empties a record folder file by file, and fills it again so. */
export const emptiedFileByFile =
  (folder: string): Taking =>
  (root) => {
    const place = path.join(root, folder);
    const kept = fs.readdirSync(place).map((name) => keep(path.join(place, name)));
    for (const { file } of kept) fs.rmSync(file);
    return { inItsPlace: () => everythingIn(place), giveBack: () => kept.forEach(restore) };
  };

/** A record folder is removed with all that is in it, and comes back as new files with their old times. */
export const folderRemoved =
  (folder: string): Taking =>
  (root) => {
    const place = path.join(root, folder);
    const kept = fs.readdirSync(place).map((name) => keep(path.join(place, name)));
    fs.rmSync(place, { recursive: true });
    return {
      inItsPlace: () => everythingIn(place),
      giveBack: () => {
        fs.mkdirSync(place);
        kept.forEach(restore);
      },
    };
  };

/** Lets the folder of a vault be a mount point, with the vault on the disk behind it, until the result is disposed. */
export function mountAt(root: string): Disposable {
  fs.renameSync(root, diskOf(root));
  fs.mkdirSync(root);
  system('mount', '--bind', diskOf(root), root);
  return { [Symbol.dispose]: () => void spawnSync('umount', ['-l', root]) };
}

function diskOf(root: string): string {
  return `${root}-disk`;
}

function moved(from: string, to: string): Taken {
  fs.renameSync(from, to);
  return { inItsPlace: () => everythingIn(from), giveBack: () => fs.renameSync(to, from) };
}

function everythingIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

interface Kept {
  readonly file: string;
  readonly bytes: Buffer;
  readonly mtime: Date;
}

function keep(file: string): Kept {
  return { file, bytes: fs.readFileSync(file), mtime: fs.statSync(file).mtime };
}

function restore({ file, bytes, mtime }: Kept): void {
  const part = path.join(path.dirname(file), `.syncthing.${path.basename(file)}.tmp`);
  fs.writeFileSync(part, bytes);
  fs.utimesSync(part, mtime, mtime);
  fs.renameSync(part, file);
}

// A process that has a file of it open at this moment keeps the disk busy, no longer than it reads.
function released(root: string): void {
  for (let tries = 1; ; tries += 1) {
    const done = spawnSync('umount', [root], { encoding: 'utf8' });
    if (done.status === 0) return;
    if (tries === MOST_TRIES || !done.stderr.includes('busy')) throw new Error(`umount ${root}: ${done.stderr}`);
  }
}

function system(command: string, ...words: string[]): void {
  const done = spawnSync(command, words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command} ${words.join(' ')}: ${done.stderr}${done.error ?? ''}`);
}

function canMount(): boolean {
  if (os.platform() !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'none', folder]).status === 0;
  if (mounted) spawnSync('umount', [folder]);
  fs.rmdirSync(folder);
  return mounted;
}
