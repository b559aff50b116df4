// Takes about two minutes: it packs the program, installs it as a person does, and tells every story with what was installed.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeFirstMinutes } from './first-minutes.ts';
import { Installation } from './installation.ts';
import { describeDemo } from './installed-demo.ts';
import { describeMcp } from './installed-mcp.ts';
import { describeNotify } from './installed-notify.ts';
import { describeSources } from './installed-sources.ts';
import { describeStories } from './installed-stories.ts';
import { describeSystem } from './installed-system.ts';
import { describeVault } from './installed-vault.ts';

const MIB = 1024 * 1024;
/** What the package weighs today, with a little room: growth is a decision. */
const MOST = { packed: 2.5 * MIB, unpacked: 7 * MIB, installed: 130 * MIB };
const NEEDED = [
  'bin/steward.js',
  'dist/main.js',
  'dist/steward.1',
  'docs/service.md',
  'systemd/steward.service',
  'LICENSE',
];
/** Commands that no person types, so that neither `--help` nor the man page names them. */
const HIDDEN = ['complete', 'man'];

let installation: Installation | null = null;

beforeAll(() => {
  installation = new Installation();
});
afterAll(() => installation?.[Symbol.dispose]());

function installed(): Installation {
  if (installation === null) throw new Error('The package was not packed.');
  return installation;
}

describe('the package', () => {
  test('contains what runs and what is read, and nothing of its making', () => {
    const paths = installed().pack.files.map((file) => file.path);
    const foreign = /^(test|train|src|node_modules|\.ci)\/|\.(ts|map|tgz)$|tsconfig|biome|vitest/;
    expect(paths.filter((file) => foreign.test(file))).toEqual([]);
    expect(NEEDED.filter((file) => !paths.includes(file))).toEqual([]);
  });

  test('is no larger than was decided', () => {
    const { size, unpackedSize } = installed().pack;
    console.info(`packed ${formatMib(size)}, unpacked ${formatMib(unpackedSize)}`);
    expect(size).toBeLessThan(MOST.packed);
    expect(unpackedSize).toBeLessThan(MOST.unpacked);
  });
});

describe('installed', () => {
  beforeEach(({ skip }) => {
    if (!installed().isOffline) return;
    console.warn('*** NO REGISTRY: the package cannot be installed; this test is left out. ***');
    skip();
  });

  test('it is no larger than was decided, with all packages', () => {
    const size = measureFolder(installed().prefix);
    console.info(`installed ${formatMib(size)}`);
    expect(size).toBeLessThan(MOST.installed);
  });

  test('it brings none of the packages that only build or test it, and none that only some sources need', () => {
    const modules = fs.readdirSync(path.join(installed().place, 'node_modules'));
    const foreign = ['typescript', 'vitest', 'node', 'rolldown', 'imapflow', 'tsdav'];
    expect(modules.filter((name) => foreign.includes(name))).toEqual([]);
  });

  test('it names no folder of the machine that built it', () => {
    const checkout = path.resolve(import.meta.dirname, '..', '..');
    const words = ['-rlF', '-e', checkout, '-e', installed().folder, path.join(installed().place, 'dist')];
    expect(installed().run('grep', ...words)).toMatchObject({ status: 1, stdout: '' });
  });

  test('it prints its version', () => {
    const { version } = z.object({ version: z.string() }).parse(readManifest());
    expect(installed().run(installed().program, '--version')).toMatchObject({
      status: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  describeDemo(installed);
  describeVault(installed);
  describeSources(installed);
  describeFirstMinutes(installed);
  describeMcp(installed);
  describeNotify(installed);
  describeSystem(installed);
  describeStories(installed);

  // Last: it reads what the others have run.
  test('every command was run', () => {
    const commands = installed().commands();
    const isRun = (name: string) => commands.some((words) => new RegExp(`^(--vault \\S+ )*${name}( |$)`).test(words));
    expect([...installed().findCommands(), ...HIDDEN].filter((name) => !isRun(name))).toEqual([]);
  });
});

function readManifest(): unknown {
  return JSON.parse(fs.readFileSync(path.join(installed().place, 'package.json'), 'utf8'));
}

function measureFolder(folder: string): number {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}

function formatMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
