import fs from 'node:fs';
import { expect, test } from 'vitest';
import type { Environment } from '../../src/daemon/environment.ts';
import { credentialFor } from '../../src/sources/credential.ts';
import { TempVault } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';

/** A command of these lines of shell that prints a password, and where it may write. */
function world(...lines: readonly string[]) {
  const vault = new TempVault({});
  const script = vault.at('print');
  fs.writeFileSync(script, ['#!/bin/sh', 'cd "$(dirname "$0")"', ...lines, ''].join('\n'), { mode: 0o755 });
  const abort = new AbortController();
  const keys = {
    STEWARD_SOURCE_OTHER_PASSWORD: 'of-another',
    ANTHROPIC_API_KEY: 'of-the-model',
    PLANE_API_KEY: 'of-plane',
  };
  const env: Environment = { ...LIVE, variables: { PATH: process.env.PATH, OP_SESSION: 'its-own', ...keys } };
  const given = { pinned: {}, passwordCommand: [script], run: null, at: '2026-11-01T00:00:00Z' };
  const credential = credentialFor('inbox', env, given, abort.signal);
  return { vault, abort, reveal: () => credential.reveal() };
}

test('a command that prints a password is given no key and no password of another', async () => {
  const { vault, reveal } = world('env > told', 'echo made-up');
  expect(await reveal()).toBe('made-up');
  expect(vault.read('told')).toContain('OP_SESSION=its-own');
  expect(vault.read('told')).not.toMatch(/of-another|of-the-model|of-plane/);
});

test('a command that waits for an answer is told at once that there is none', async () => {
  const { reveal } = world('cat', 'echo made-up');
  expect(await reveal()).toBe('made-up');
});

test('a command that hangs ends with whoever waits for it, and with all that it started', async () => {
  const { vault, abort, reveal } = world(
    'sleep 600 & echo $! > pid',
    'setsid sleep 600 & echo $! >> pid',
    'touch there; wait',
  );
  const asked = reveal();
  await expect.poll(() => vault.has('there')).toBe(true);
  abort.abort();
  await expect(asked).rejects.toThrow('The command that prints the password of inbox was interrupted.');
  const pids = vault.read('pid').trim().split('\n');
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.filter((pid) => isRunning(pid))).toEqual([]);
});

test('of a command that fails nothing is told that it printed', async () => {
  for (const lines of [
    ['echo s3cret; exit 3'],
    ['echo s3cret >&2; exit 1'],
    ['head -c 40000 /dev/zero | tr "\\0" s'],
    ['echo'],
  ]) {
    const error: unknown = await world(...lines)
      .reveal()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'SourceError', kind: 'setup' });
    expect(JSON.stringify([error, String(error)])).not.toMatch(/s3cret|sssss/);
  }
});

// What has ended, and is not waited for by anybody, is still listed.
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
