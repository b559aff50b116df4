import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ask } from '../../../src/daemon/client.ts';
import { everythingIn } from '../../support/everything.ts';
import { HOUSE, settings, signal, task } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { HAS_HOSTS, Kept } from './kept.ts';

/** Short, but longer than a loaded machine holds up a process that runs. */
const LEASE_MS = 8_000;
const STILL = /was suspended for \d+ s, and its lock was valid for 8 s/;

function house(): TempVault {
  const more = { 'task/two.md': task(), 'task/three.md': task(), 'steward.md': settings({ settle_seconds: 1 }) };
  return new TempVault({ ...HOUSE, ...more });
}

function drop(vault: TempVault, name: string): void {
  vault.write(`signal/s-${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `${name} is paid` }));
}

/** A daemon that has acted just now, so that much of what it does afterwards is still to be done, and stands still. */
async function frozen(vault: TempVault): Promise<Kept> {
  const first = Kept.start(vault, 'a', { leaseMs: LEASE_MS });
  await first.hears('"started"');
  drop(vault, 'pay');
  await first.hears('"acted"');
  await first.freeze();
  // Between the two system calls of a replacement, no program could stop it: let it end that one, and freeze it again.
  while (Object.keys(everythingIn(vault.root, path.dirname(first.socket))).some((file) => /\.json\.\d+$/.test(file))) {
    first.kill('SIGCONT');
    await wait(5);
    await first.freeze();
  }
  return first;
}

describe('a daemon that stood still for longer than its lease', () => {
  test('writes not one byte and ends with 75, also where nobody else took the vault', async () => {
    const vault = house();
    const first = await frozen(vault);
    await wait(LEASE_MS + 500);
    const before = everythingIn(vault.root, path.dirname(first.socket));
    first.kill('SIGCONT');
    expect(await first.ended()).toBe(75);
    expect(everythingIn(vault.root, path.dirname(first.socket))).toEqual(before);
    expect(first.said).toMatch(STILL);
    // Its process is gone, so the next start need not wait.
    const next = Kept.start(vault, 'b');
    await next.hears('"started"');
    drop(vault, 'two');
    await next.hears('"acted"');
    next.kill('SIGTERM');
    expect(await next.ended()).toBe(0);
  });

  test('leaves a copy that it was making as it is', async () => {
    const vault = house();
    const first = Kept.start(vault, 'a', { leaseMs: LEASE_MS });
    await first.hears('"started"');
    const large = path.join(vault.home, 'large.mbox');
    fs.writeFileSync(large, 'From a@sample.example Sat Jan  1 00:00:00 2026\nSubject: x\n\n');
    fs.truncateSync(large, 256 * 1024 * 1024);
    const asked = ask(first.socket, { op: 'import', files: [large] }, 60_000);
    const size = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const isCopying = () => vault.names('.steward/tmp').some((name) => size(path.join(vault.places.tmp, name)) > 0);
    while (!isCopying()) await new Promise(setImmediate);
    await first.freeze();
    expect(vault.has('stream/large.mbox')).toBe(false);
    await wait(LEASE_MS + 500);
    const before = everythingIn(vault.root, path.dirname(first.socket));
    first.kill('SIGCONT');
    expect(await first.ended()).toBe(75);
    expect(await asked).not.toMatchObject({ ok: true });
    const after = everythingIn(vault.root, path.dirname(first.socket));
    // What the system had been asked to write before the stop, it has written.
    const isCopy = (file: string) => file.startsWith(`${vault.places.tmp}/`);
    const others = (all: Record<string, string>) => Object.entries(all).filter(([file]) => !isCopy(file));
    expect(others(after)).toEqual(others(before));
    expect(Object.keys(after).filter(isCopy)).toEqual(Object.keys(before).filter(isCopy));
  });

  test('goes on where it stood still for less', async () => {
    const vault = house();
    const first = await frozen(vault);
    await wait(LEASE_MS / 4);
    first.kill('SIGCONT');
    drop(vault, 'two');
    await first.hears('task/two.md');
    first.kill('SIGTERM');
    expect(await first.ended()).toBe(0);
  });
});

/** What happens, and the exit codes that are right then. */
const MEANWHILE: readonly (readonly [string, readonly number[], (first: Kept) => unknown])[] = [
  ['nothing else', [75], () => {}],
  // When it goes on, either the signal or its look at the lock comes first.
  ['it is asked to end', [0, 75], (first) => first.kill('SIGTERM')],
  [
    'a command waits for it',
    [75],
    (first) => ask(first.socket, { op: 'tick', matters: [], force: true, mode: null }, 60_000),
  ],
];

describe.skipIf(!HAS_HOSTS)('a daemon that stood still while another host took its vault', () => {
  test.each(MEANWHILE)('writes not one byte and ends (%s)', async (_, exits, meanwhile) => {
    const vault = house();
    const first = await frozen(vault);
    const asked = meanwhile(first);
    const next = Kept.start(vault, 'b', { elsewhere: true });
    await next.hears('"started"');
    expect(next.said).toContain('which cannot be seen from here');
    drop(vault, 'two');
    await next.hears('"acted"');
    await next.freeze(); // so that what changes now was the first one
    const before = everythingIn(vault.root, path.dirname(first.socket));
    first.kill('SIGCONT');
    expect(exits).toContain(await first.ended());
    expect(everythingIn(vault.root, path.dirname(first.socket))).toEqual(before);
    expect(await asked).not.toMatchObject({ ok: true });
    next.kill('SIGCONT');
    drop(vault, 'three');
    await next.hears('task/three.md');
    next.kill('SIGTERM');
    expect(await next.ended()).toBe(0);
    for (const name of ['pay', 'two', 'three']) expect(vault.read(`task/${name}.md`)).toContain('done');
    expect(fs.readdirSync(vault.places.journal)).toEqual([]);
  });
});
