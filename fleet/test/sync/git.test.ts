import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ResidentVaults } from '../support/vault-process.ts';

const EXCHANGE = path.resolve(import.meta.dirname, '..', '..', 'bin', 'steward-vault-git');

/** A vault on a host, kept by `run`, and a person's clone of it. */
class Exchange implements AsyncDisposable {
  readonly kept = new ResidentVaults('one');
  readonly host = this.kept.house.path('one').replace(/\/$/, '');
  readonly device = path.join(this.kept.house.sandbox.folder, 'device');
  readonly remote = path.join(this.kept.house.sandbox.folder, 'remote.git');

  constructor() {
    git(this.kept.house.sandbox.folder, 'init', '--quiet', '--bare', '--initial-branch=main', this.remote);
    git(this.host, 'init', '--quiet', '--initial-branch=main');
    git(this.host, 'remote', 'add', 'origin', this.remote);
    git(this.host, 'add', '--all', '.');
    git(this.host, 'commit', '--quiet', '--message=first');
    git(this.host, 'push', '--quiet', 'origin', 'main');
    git(this.kept.house.sandbox.folder, 'clone', '--quiet', this.remote, this.device);
  }

  /** Returns the exit code. */
  run(): number | null {
    return spawnSync(EXCHANGE, [this.host], { encoding: 'utf8' }).status;
  }

  /** The person edits a note on their device, and pushes it. */
  edit(file: string, change: (text: string) => string): void {
    const place = path.join(this.device, file);
    fs.writeFileSync(place, change(fs.readFileSync(place, 'utf8')));
    git(this.device, 'commit', '--quiet', '--all', '--message=edit');
    git(this.device, 'push', '--quiet', 'origin', 'main');
  }

  /** Returns a note as it is on a side. */
  read(where: 'host' | 'device', file: string): string {
    return fs.readFileSync(path.join(this[where], file), 'utf8');
  }

  /** Returns the names of the sync copies on the host. */
  get copies(): string[] {
    return fs.readdirSync(path.join(this.host, 'task')).filter((name) => name.includes('.sync-conflict-'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kept[Symbol.asyncDispose]();
  }
}

test('edits of a person reach the host, and changes by Steward reach the person', async () => {
  await using exchange = new Exchange();
  await exchange.kept.start();
  exchange.edit('task/pay.md', (text) => `${text}A line by hand.\n`);
  expect(exchange.run()).toBe(0);
  expect(exchange.read('host', 'task/pay.md')).toContain('A line by hand.');
  await exchange.kept.acts('one');
  await expect.poll(() => exchange.kept.house.events('one')).toHaveLength(1);
  expect(exchange.run()).toBe(0);
  git(exchange.device, 'pull', '--quiet');
  expect(exchange.read('device', 'task/pay.md')).toContain('state: done');
  expect(exchange.read('device', 'task/pay.md')).toContain('A line by hand.');
  expect(fs.readdirSync(path.join(exchange.device, 'event'), { recursive: true })).not.toEqual([]);
  expect(fs.existsSync(path.join(exchange.device, '.steward'))).toBe(false);
  expect(await exchange.kept.end()).toBe(0);
});

test('if both changed the same line, the person’s note stays, and the host’s is a sync copy that Steward lists', async () => {
  await using exchange = new Exchange();
  await exchange.kept.start();
  await exchange.kept.acts('one');
  exchange.edit('task/pay.md', (text) => text.replace('state: open', 'state: snoozed'));
  const person = exchange.read('device', 'task/pay.md');
  expect(exchange.run()).toBe(0);
  expect(exchange.read('host', 'task/pay.md')).toBe(person);
  const [copy = ''] = exchange.copies;
  expect(exchange.read('host', `task/${copy}`)).toContain('state: done');
  const doctor = await exchange.kept.house.sandbox.sh('steward doctor --json --vault vaults/one');
  expect(doctor.stdout).toContain(copy);
  git(exchange.device, 'pull', '--quiet');
  expect(exchange.read('device', 'task/pay.md')).toBe(person);
  expect(await exchange.kept.end()).toBe(0);
});

test('a note that changes during the exchange keeps that change, and no note ever has a conflict marker', async () => {
  await using exchange = new Exchange();
  // Runs between the commit on the host and the merge, once.
  const typed = `cd '${exchange.host}' && test -e .git/typed || { touch .git/typed; echo 'Typed meanwhile.' >> task/pay.md; }`;
  git(exchange.host, 'config', 'remote.origin.uploadpack', `sh -c "${typed}; exec git-upload-pack \\"\\$@\\"" --`);
  exchange.edit('task/pay.md', (text) => `${text}Typed on the device.\n`);
  expect(exchange.run()).toBe(0);
  const person = exchange.read('device', 'task/pay.md');
  expect(exchange.read('host', 'task/pay.md')).toBe(person);
  const [copy = ''] = exchange.copies;
  expect(exchange.read('host', `task/${copy}`)).toContain('Typed meanwhile.');
  expect(git(exchange.host, 'log', '--all', '-S<<<<<<<', '--oneline')).toBe('');
});

test('a note that the person deleted stays deleted, and one that they changed isn’t deleted by the host', async () => {
  await using exchange = new Exchange();
  const file = (name: string) => path.join(exchange.host, 'task', name);
  fs.appendFileSync(file('pay.md'), 'Changed on the host.\n');
  git(exchange.device, 'rm', '--quiet', 'task/pay.md');
  exchange.edit('matter/house.md', (text) => `${text}By hand.\n`);
  fs.rmSync(path.join(exchange.host, 'matter/house.md'));
  expect(exchange.run()).toBe(0);
  expect(fs.existsSync(file('pay.md'))).toBe(false);
  expect(exchange.read('host', 'matter/house.md')).toContain('By hand.');
  expect(git(exchange.host, 'log', '--full-history', '-p', '--all', '--', 'task/pay.md')).toContain(
    'Changed on the host.',
  );
});

test('a remote with .steward is refused, so that nobody writes the host’s state', async () => {
  await using exchange = new Exchange();
  fs.mkdirSync(path.join(exchange.device, '.steward'));
  fs.writeFileSync(path.join(exchange.device, '.steward/planted.json'), '{}');
  git(exchange.device, 'add', '--force', '.steward');
  exchange.edit('task/pay.md', (text) => `${text}By hand.\n`);
  expect(exchange.run()).toBe(1);
  expect(fs.existsSync(path.join(exchange.host, '.steward/planted.json'))).toBe(false);
  git(exchange.device, 'rm', '--quiet', '-r', '.steward');
  exchange.edit('task/pay.md', (text) => `${text}And more.\n`);
  expect(exchange.run()).toBe(0);
  expect(exchange.read('host', 'task/pay.md')).toContain('And more.');
});

test('a conflict in a note whose name git quotes is refused, and the note keeps its text', async () => {
  await using exchange = new Exchange();
  const name = 'task/a "quoted" name.md';
  fs.writeFileSync(path.join(exchange.host, name), 'One line.\n');
  expect(exchange.run()).toBe(0);
  git(exchange.device, 'pull', '--quiet');
  exchange.edit(name, () => 'By hand.\n');
  fs.writeFileSync(path.join(exchange.host, name), 'By the host.\n');
  expect(exchange.run()).toBe(1);
  expect(exchange.read('host', name)).toBe('By the host.\n');
});

test('a remote that can’t be reached, and a folder that isn’t a clone, are reported by their exit code', async () => {
  await using exchange = new Exchange();
  fs.renameSync(exchange.remote, `${exchange.remote}.away`);
  expect(exchange.run()).toBe(75);
  expect(spawnSync(EXCHANGE, [exchange.kept.house.sandbox.folder]).status).toBe(1);
  expect(spawnSync(EXCHANGE, []).status).toBe(2);
});

function git(folder: string, ...words: readonly string[]): string {
  const own = ['-c', 'user.name=Robin', '-c', 'user.email=robin@sample.example', '-c', 'core.autocrlf=false'];
  return execFileSync('git', ['-C', folder, ...own, ...words], { encoding: 'utf8' });
}
