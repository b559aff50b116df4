import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { HostProcess } from './support/host-process.ts';
import { HAS_SERVER, Stage } from './support/stage.ts';

const FLEET = path.resolve(import.meta.dirname, '..');
const PACKAGE = path.join(FLEET, 'dist', 'package');

const environment = z.record(z.string(), z.string());
const compose = z.object({
  services: z.object({
    database: z.looseObject({ environment }),
    temporal: z.looseObject({ environment }),
    host: z.object({
      build: z.record(z.string(), z.string()),
      environment,
      volumes: z.array(z.string()),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.tuple([z.literal('no-new-privileges:true')]),
    }),
  }),
  volumes: z.record(z.string(), z.null()),
});

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

  test('has pages that link to nothing outside of it', () => {
    for (const page of ['README.md', 'docs/fleet.md']) {
      const text = fs.readFileSync(path.join(PACKAGE, page), 'utf8');
      const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, file = '']) =>
        path.join(PACKAGE, path.dirname(page), file),
      );
      expect(linked.length).toBeGreaterThan(0);
      expect(linked.filter((file) => !fs.existsSync(file))).toEqual([]);
    }
  });

  // Images can't be built everywhere: the files are read instead.
  test('has a container file for its programs, and compose gives the host what it needs and no rights', () => {
    const read = (name: string) => fs.readFileSync(path.join(PACKAGE, 'container', name), 'utf8');
    const steps = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
    const linked = [...steps.matchAll(/ln -s \/opt\/vault-steward-fleet\/(\S+) /g)].map(([, file = '']) => file);
    expect(linked).toHaveLength(2);
    for (const file of linked) expect(fs.statSync(path.join(PACKAGE, file)).mode & 0o111).toBe(0o111);
    expect(steps).toContain('COPY package ');
    expect(steps).toMatch(/^USER node$/m);
    const { services, volumes } = compose.parse(parse(read('compose.yaml')));
    const { host, database, temporal } = services;
    expect(Object.keys(volumes)).toEqual(['database', 'state']);
    expect(host.volumes.map((volume) => volume.split(':').at(-1))).toEqual(['/vaults', '/state']);
    for (const place of ['/vaults', '/state']) expect(steps).toMatch(new RegExp(`^VOLUME .*"${place}"`, 'm'));
    expect(host.build).toEqual({ context: '../dist', dockerfile: '../container/Dockerfile' });
    expect(host.environment.STEWARD_FLEET_ADDRESS).toBe('temporal:7233');
    expect(Object.keys(host.environment).filter((name) => /KEY|TOKEN|PASSWORD/.test(name))).toEqual([]);
    expect(temporal.environment).toMatchObject({ DB: 'postgres12', POSTGRES_SEEDS: 'database' });
    expect(temporal.environment.POSTGRES_USER).toBe(database.environment.POSTGRES_USER);
    expect([temporal, database].filter((service) => 'ports' in service)).toEqual([]);
  });

  test.skipIf(!HAS_SERVER)('serves a host that visits a vault', async () => {
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
