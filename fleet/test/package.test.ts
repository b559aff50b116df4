import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { HostProcess } from './support/host-process.ts';
import { HAS_SERVER, Stage } from './support/stage.ts';

const FLEET = path.resolve(import.meta.dirname, '..');
const PACKAGE = path.join(FLEET, 'dist', 'package');

describe('the package that operators install', () => {
  beforeAll(() => {
    execFileSync(process.execPath, [path.join(FLEET, 'make', 'package.ts')]);
  });

  test('depends on all that it loads, and on nothing of the checkout', () => {
    const manifest: Record<'dependencies' | 'peerDependencies', Record<string, string>> = JSON.parse(
      fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'),
    );
    const known = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]);
    const files = fs.globSync('dist/*.js', { cwd: PACKAGE }).filter((file) => !file.endsWith('workflow.js'));
    const texts = files.map((file) => fs.readFileSync(path.join(PACKAGE, file), 'utf8'));
    const loaded = texts.flatMap((text) =>
      [
        ...text.matchAll(/^(?:import|export)\b[^'"]*?from ["']([^"'.][^"']*)["']|\bimport\(["']([^"'.][^"']*)["']\)/gm),
      ].map(([, one, other]) => one ?? other ?? ''),
    );
    const packages = loaded
      .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    expect(packages).toContain('@temporalio/worker');
    expect([...new Set(packages)].filter((name) => !known.has(name))).toEqual([]);
    expect(texts.filter((text) => text.includes(FLEET))).toEqual([]);
  });

  test('has its units, its container file and its pages', () => {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--silent', PACKAGE], { encoding: 'utf8' }),
    );
    const names = packed.files.map(({ path: name }: { path: string }) => name);
    for (const name of ['bin/steward-fleet.js', 'bin/steward-vault-git', 'systemd/steward-fleet.service'])
      expect(names).toContain(name);
    for (const name of ['container/Dockerfile', 'container/compose.yaml', 'docs/fleet.md', 'dist/workflow.js'])
      expect(names).toContain(name);
  });

  test.skipIf(!HAS_SERVER)('serves a host that visits a vault', { timeout: 300_000 }, async () => {
    await using stage = await Stage.open();
    const bin = path.join(PACKAGE, 'bin', 'steward-fleet.js');
    await using host = new HostProcess(path.join(stage.folder, 'p'), stage.server.address, {}, [], bin);
    await host.start();
    const vault = stage.vault('packed');
    vault.mail(); // read in a process of its own
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    await expect.poll(() => vault.isDone).toBe(true);
  });
});
