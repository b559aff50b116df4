import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { installCommand } from '../../src/source/install-command.ts';
import { build } from '../stories/support.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const MIB = 1024 * 1024;
/** What the package weighs today, with a little room: growth is decided upon, and never happens by itself. */
const MOST = { packed: 2.5 * MIB, unpacked: 7 * MIB, installed: 130 * MIB };

const packed = z.object({
  filename: z.string(),
  size: z.number(),
  unpackedSize: z.number(),
  files: z.array(z.object({ path: z.string() })),
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward package '));
const prefix = path.join(folder, 'prefix');
const { STATE_DIRECTORY: _state, STEWARD_VAULT: _vault, XDG_STATE_HOME: _home, ...given } = process.env;
const env = {
  ...given,
  PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: folder,
  npm_config_cache: path.join(os.homedir(), '.npm'),
};
const installed = (program: string, ...words: string[]) =>
  spawnSync(program, words, { cwd: folder, env, encoding: 'utf8', timeout: 90_000 });
const steward = (...words: string[]) => installed(path.join(prefix, 'bin', 'steward'), ...words);

let pack: z.infer<typeof packed>;
let install: { readonly status: number | null; readonly stderr: string };

beforeAll(() => {
  build();
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const told: unknown = JSON.parse(spawnSync('npm', words, { cwd: PROJECT, encoding: 'utf8' }).stdout);
  [pack] = z.tuple([packed]).parse(Array.isArray(told) ? told : Object.values(told ?? {}));
  const file = path.join(folder, pack.filename);
  const quiet = ['--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  install = installed('npm', 'install', '-g', ...quiet, file);
  const ofNetwork = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(install.stderr);
  if (ofNetwork)
    console.warn('The registry cannot be reached: the package is not installed; those tests are left out.');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Leaves a test out where the registry cannot be reached. */
function demandInstalled(skip: () => void): void {
  if (install.status !== 0 && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(install.stderr)) skip();
  expect(install).toMatchObject({ status: 0 });
}

describe('the package', () => {
  test('holds what runs and what is read, and nothing of its making', () => {
    const paths = pack.files.map((file) => file.path);
    const foreign = paths.filter((file) =>
      /^(test|train|src|node_modules|\.ci)\/|\.(ts|map|tgz)$|tsconfig|biome|vitest/.test(file),
    );
    expect(foreign).toEqual([]);
    const needed = ['bin/steward.js', 'dist/main.js', 'docs/service.md', 'systemd/steward.service', 'LICENSE'];
    expect(needed.filter((file) => !paths.includes(file))).toEqual([]);
  });

  test('is no larger than was decided', ({ skip }) => {
    console.info(`packed ${mib(pack.size)}, unpacked ${mib(pack.unpackedSize)}`);
    expect(pack.size).toBeLessThan(MOST.packed);
    expect(pack.unpackedSize).toBeLessThan(MOST.unpacked);
    demandInstalled(skip);
    const [size = ''] = spawnSync('du', ['-sb', prefix], { encoding: 'utf8' }).stdout.split('\t');
    console.info(`installed ${mib(Number(size))}`);
    expect(Number(size)).toBeLessThan(MOST.installed);
  });
});

describe('a global install into an empty prefix', () => {
  test('brings the command, its version, a new vault, its state and the demo, without what makes the program', ({
    skip,
  }) => {
    demandInstalled(skip);
    const modules = fs.readdirSync(path.join(prefix, 'lib', 'node_modules', 'vault-steward', 'node_modules'));
    expect(
      modules.filter((name) => ['typescript', 'vitest', 'node', 'write-file-atomic', 'imapflow'].includes(name)),
    ).toEqual([]);
    expect(steward('--version')).toMatchObject({ status: 0, stdout: '0.1.0\n', stderr: '' });
    expect(steward('init', 'vault', '--yes')).toMatchObject({ status: 0, stderr: '' });
    expect(steward('--vault', 'vault', 'status')).toMatchObject({ status: 0, stderr: '' });
    const demo = steward('demo', '--once', '--dir', 'shown');
    expect(demo).toMatchObject({ status: 0, stderr: '' });
    expect(demo.stdout).toMatch(/acted task\/.* → /);
    expect(demo.stdout).toContain('steward --vault shown undo --last 1');
  });

  test('a demo takes no folder that another demo has not made', ({ skip }) => {
    demandInstalled(skip);
    fs.mkdirSync(path.join(folder, 'mine'));
    fs.writeFileSync(path.join(folder, 'mine', 'note.md'), 'Mine.');
    expect(steward('demo', '--once', '--dir', 'mine')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('demo-folder'),
    });
    expect(fs.readFileSync(path.join(folder, 'mine', 'note.md'), 'utf8')).toBe('Mine.');
  });

  test('says how to get a reader of mailboxes, by a command that works here', ({ skip }) => {
    demandInstalled(skip);
    const place = fs.realpathSync(path.join(prefix, 'lib', 'node_modules', 'vault-steward', 'dist'));
    const told = installCommand('imapflow', place);
    expect(told).toBe(`npm install -g --prefix '${fs.realpathSync(prefix)}' imapflow@2.10.2`);
    // Where that command puts it, without asking the registry once more.
    const beside = path.join(prefix, 'lib', 'node_modules', 'imapflow');
    fs.mkdirSync(beside, { recursive: true });
    fs.writeFileSync(path.join(beside, 'package.json'), '{"name":"imapflow","version":"2.10.2","main":"index.js"}');
    fs.writeFileSync(path.join(beside, 'index.js'), 'exports.ImapFlow = class {};');
    const script = "import('imapflow').then((library) => process.exit(typeof library.ImapFlow === 'function' ? 0 : 1))";
    fs.writeFileSync(path.join(place, 'try.mjs'), script);
    expect(installed(process.execPath, path.join(place, 'try.mjs')).status).toBe(0);
  });

  test('an old Node is told so in one sentence', ({ skip }) => {
    demandInstalled(skip);
    const old = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
      const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
      return /^v(1\d|20|21)\./.test(stdout ?? '');
    });
    if (old === undefined) return skip();
    const { status, stdout, stderr } = installed(old, path.join(prefix, 'bin', 'steward'), 'status');
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr).toMatch(/^steward needs Node 22\.22 or newer; this is \d+\.\d+\.\d+\. .*\n$/);
  });
});

test('npm ci says nothing of engines, whichever Node runs npm', () => {
  const clone = path.join(folder, 'clone');
  fs.mkdirSync(clone);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    fs.copyFileSync(path.join(PROJECT, file), path.join(clone, file));
  const own = { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const words = ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: clone, env: own, encoding: 'utf8' });
  expect({ status, said: `${stdout}${stderr}`.match(/EBADENGINE/g) }).toEqual({ status: 0, said: null });
});

test('the command fits the place: a clone, a project, a prefix with a space', () => {
  expect(installCommand('tsdav', '/home/robin/vault-steward/src/source')).toBe('npm install tsdav@2.3.4');
  expect(installCommand('tsdav', '/srv/app/node_modules/vault-steward/dist/source')).toBe(
    'npm install --prefix /srv/app tsdav@2.3.4',
  );
});

test('the versions that are named are those that are tested', () => {
  const manifest = z
    .object({ peerDependencies: z.object({ imapflow: z.string(), tsdav: z.string() }) })
    .parse(JSON.parse(fs.readFileSync(path.join(PROJECT, 'package.json'), 'utf8')));
  for (const [name, version] of Object.entries(manifest.peerDependencies)) {
    expect(installCommand(name === 'tsdav' ? 'tsdav' : 'imapflow', '/x')).toContain(`${name}@${version}`);
  }
});

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
