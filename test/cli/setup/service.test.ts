import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { escapePath } from '../../../src/cli/setup/service/systemd-unit.ts';

const STEWARD = path.resolve(import.meta.dirname, '../../../bin/steward.js');

function printed(...args: string[]): string {
  const vault = fs.mkdtempSync(path.join(os.tmpdir(), 'steward unit '));
  return execFileSync(process.execPath, [STEWARD, '--vault', vault, 'service', 'install', '--print', ...args], {
    encoding: 'utf8',
  });
}

it('prints a user unit for this vault and this Node, and installs nothing', () => {
  const unit = printed('--user');
  expect(unit).toContain(`ExecStart="${process.execPath}" "${STEWARD}" run`);
  expect(unit).toMatch(/^Environment="STEWARD_VAULT=.*steward unit /m);
  expect(unit).toContain('WatchdogSec=');
});

it('prints a system unit whose instance is the vault', () => {
  expect(printed('--system')).toContain(`"${STEWARD}" run --vault %f`);
});

it('both units are units to systemd', () => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) return;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-unit-'));
  fs.writeFileSync(path.join(folder, 'steward.service'), printed('--user'));
  fs.writeFileSync(path.join(folder, 'steward@.service'), printed('--system'));
  for (const name of ['steward.service', 'steward@srv-vault.service']) {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path.join(folder, name)], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes(folder))).toEqual([]);
    expect(status).toBe(0);
  }
});

it('escapes a path as systemd-escape does', () => {
  expect(escapePath('/srv/my vault/home-1')).toBe('srv-my\\x20vault-home\\x2d1');
  expect(escapePath('/.hidden')).toBe('\\x2ehidden');
  expect(escapePath('/')).toBe('-');
});
