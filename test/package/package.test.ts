import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { installCommand } from '../../src/sources/source.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-package-'));
const { STATE_DIRECTORY: _state, STEWARD_VAULT: _vault, XDG_STATE_HOME: _home, ...env } = process.env;

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('npm ci says nothing of engines, whichever Node runs npm', () => {
  const clone = path.join(folder, 'clone');
  fs.mkdirSync(clone);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    fs.copyFileSync(path.join(PROJECT, file), path.join(clone, file));
  const own = {
    ...env,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: folder,
    npm_config_cache: path.join(os.homedir(), '.npm'),
  };
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
