import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { expect, test } from 'vitest';
import { StewardError } from '../../../src/vault/errors.ts';
import { Lock, type LockHolder, lockHolder } from '../../../src/vault/transaction/lock.ts';
import { HOUSE } from '../../support/notes.ts';
import { refused } from '../../support/refused.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';

function lockedBy(parts: Partial<LockHolder>): TempVault {
  const vault = new TempVault(HOUSE);
  fs.mkdirSync(vault.places.own);
  const now = new Date().toISOString();
  const holder: LockHolder = {
    host: os.hostname(),
    pid: process.pid,
    boot: fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    role: 'daemon',
    birth: '',
    since: now,
    refreshed_at: now,
    token: 'theirs',
    socket: null,
    ...parts,
  };
  fs.writeFileSync(vault.places.lock, JSON.stringify(holder));
  return vault;
}

/** The pid of a process that has just ended. */
function deadPid(): number {
  return spawnSync('true').pid;
}

async function refusalOf(vault: TempVault): Promise<StewardError> {
  try {
    await Running.start(vault);
  } catch (error) {
    if (error instanceof StewardError) return error;
    throw error;
  }
  throw new Error('it was started');
}

test('a second daemon is refused, is told who holds the vault, and changes nothing', async () => {
  const vault = new TempVault(HOUSE);
  await Running.start(vault);
  const before = fs.readFileSync(vault.places.lock, 'utf8');
  const error = await refusalOf(vault);
  expect(error.exit).toBe(75);
  expect(error.trouble.code).toBe('vault-locked');
  expect(error.message).toContain(`daemon ${process.pid} on ${os.hostname()}`);
  expect(fs.readFileSync(vault.places.lock, 'utf8')).toBe(before);
});

test.each(['ENOSPC', 'EROFS', 'EACCES'])('a disk that refuses the lock: %s is told in words (75)', async (code) => {
  const vault = new TempVault(HOUSE);
  refused('.part', code);
  const error = await refusalOf(vault);
  expect(error).toMatchObject({ exit: 75, trouble: { file: '.steward/lock' } });
  expect(error.message).not.toContain(code);
});

test('the lock names host, pid and boot, and is given back at the end', async () => {
  const vault = new TempVault(HOUSE);
  const running = await Running.start(vault);
  expect(JSON.parse(fs.readFileSync(vault.places.lock, 'utf8'))).toMatchObject({
    host: os.hostname(),
    pid: process.pid,
    boot: expect.stringMatching(/^[0-9a-f-]{36}$/),
    role: 'daemon',
  });
  expect(lockHolder(vault.places.lock, Date.now())).toMatchObject({ pid: process.pid });
  await running.stop();
  expect(fs.existsSync(vault.places.lock)).toBe(false);
  expect(lockHolder(vault.places.lock, Date.now())).toBeNull();
  await Running.start(vault);
});

test('the lock of a process that is gone is taken over', async () => {
  const vault = lockedBy({ pid: deadPid() });
  expect(lockHolder(vault.places.lock, Date.now())).toBeNull();
  await Running.start(vault);
  expect(JSON.parse(fs.readFileSync(vault.places.lock, 'utf8')).pid).toBe(process.pid);
});

test('so is one of a boot that is over, and one whose pid belongs to another process now', async () => {
  await Running.start(lockedBy({ boot: '00000000-0000-0000-0000-000000000000' }));
  await Running.start(lockedBy({ birth: '1' }));
});

test('one from another host is respected while it is refreshed, and taken over when it no longer is', async () => {
  const fresh = lockedBy({ host: 'elsewhere', pid: deadPid() });
  const error = await refusalOf(fresh);
  expect(error).toMatchObject({ exit: 75, trouble: { code: 'vault-locked' } });
  expect(error.message).toContain('elsewhere');
  const old = new Date(Date.now() - 120_000).toISOString();
  await Running.start(lockedBy({ host: 'elsewhere', refreshed_at: old }));
});

test('a lock that is torn is nobody', async () => {
  const vault = new TempVault(HOUSE);
  fs.mkdirSync(vault.places.own);
  fs.writeFileSync(vault.places.lock, '{"host":"x');
  await Running.start(vault);
});

test('a lock that somebody else took meanwhile is not given back by us', () => {
  const vault = new TempVault();
  fs.mkdirSync(vault.places.own);
  const lock = Lock.take(vault.places.lock, { role: 'command', socket: null }, Date.now());
  fs.writeFileSync(vault.places.lock, JSON.stringify({ ...lock.holder, token: 'theirs' }));
  lock.release();
  expect(JSON.parse(fs.readFileSync(vault.places.lock, 'utf8')).token).toBe('theirs');
  expect(vault.names('.steward')).toEqual(['lock']);
});

test('a vault that is not there is refused with 75, and is not made', async () => {
  const vault = new TempVault();
  fs.rmdirSync(vault.root);
  expect(await refusalOf(vault)).toMatchObject({ exit: 75, trouble: { code: 'vault-away' } });
  expect(fs.existsSync(vault.root)).toBe(false);
});
