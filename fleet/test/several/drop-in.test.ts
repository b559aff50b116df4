import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..', '..');
const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!HAS_SYSTEMD)('the drop-in for a folder of vaults makes a unit of the steward’s own', () => {
  // As systemd reads them: the drop-in behind the unit, where the later of two lines counts.
  const [unit, dropIn] = ['systemd/steward@.service', 'fleet/systemd/vaults.conf'].map((file) =>
    fs.readFileSync(path.join(PROJECT, file), 'utf8'),
  );
  const whole = `${unit}\n${dropIn}`.replaceAll(/\/usr\/bin\/env steward(-fleet)?/g, '/usr/bin/env true');
  const file = path.join(tempFolder(), 'steward@srv-vaults.service');
  fs.writeFileSync(file, whole);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes(file))).toEqual([]);
  expect(status).toBe(0);
  expect(whole.match(/^ExecStart=:.*/gm)?.at(-1)).toBe('ExecStart=:/usr/bin/env true run --vaults %f');
});

test.skipIf(!HAS_SYSTEMD).each(['steward-fleet.service', 'steward-vault-git@.service', 'steward-vault-git@.timer'])(
  'systemd finds no fault in %s',
  (unit) => {
    const file = path.join(PROJECT, 'fleet', 'systemd', unit);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('fleet/systemd'))).toEqual([]);
    expect(status).toBe(0);
  },
);
