import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { vaultSeal } from '../../src/daemon/environment.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import type { Seal } from '../../src/vault/seal.ts';
import { Sandbox } from '../stories/support.ts';
import { attack } from './attack.ts';

// What the program keeps for itself under `.steward` lies in the vault: whoever shares the vault may share that too.

const TARGET = 'task/pay-notary-deposit.md';
const DONE = 'event/steward-action-2026-11-20T10-00-00Z-planted.md';

/** An action that looks half done: its first step has happened, the other has not. */
function planted(sandbox: Sandbox, file: string, text: string): string {
  sandbox.write(DONE, '---\ntype: steward-action\ntimestamp: 2026-11-20T10:00:00Z\n---\n');
  const before = sandbox.read(file);
  const steps = [
    { do: 'create', path: DONE, text: sandbox.read(DONE) },
    { do: 'edit', path: file, before_sha256: sha256(before), after_sha256: sha256(text), text },
  ];
  return JSON.stringify({ schemaVersion: 2, id: path.basename(DONE, '.md'), at: '2026-11-20T10:00:00Z', steps });
}

const JOURNAL = `.steward/journal/${path.basename(DONE, '.md')}.json`;

attack(
  {
    attacker: 'a sync peer',
    means: 'plants an unfinished entry in the journal, for the next start to finish',
    loss: 'any field of any note, past every rule of writing',
    defence: 'the journal carries a mark by a key outside the vault; an entry without it is named and left alone',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    await sandbox.steward(['tick', '--vault', 'vault']);
    const before = sandbox.read(TARGET);
    const entry = planted(sandbox, TARGET, before.replace('type: task', 'type: task\niban: EX00 0000'));
    for (const mark of ['', 'seal', '0'.repeat(32)]) {
      sandbox.write(JOURNAL, `${entry}\n${mark}\n`);
      await sandbox.steward(['tick', '--vault', 'vault']);
      expect(sandbox.read(TARGET)).toBe(before);
    }
    expect((await sandbox.steward(['doctor', '--vault', 'vault'])).stdout).toContain(JOURNAL);
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'brings the unfinished journal of a steward on another machine',
    loss: 'an action made on two machines at once',
    defence: 'each machine has its own key, and finishes only what it began',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    await using other = new Sandbox('example');
    for (const one of [sandbox, other]) await one.steward(['tick', '--vault', 'vault']);
    const before = sandbox.read(TARGET);
    const entry = planted(sandbox, TARGET, `${before}One line more.\n`);
    const mark = (one: Sandbox) => sealOf(one).of(`intent ${path.basename(JOURNAL)}\n${entry}`);
    sandbox.write(JOURNAL, `${entry}\n${mark(other)}\n`);
    await sandbox.steward(['tick', '--vault', 'vault']);
    expect(sandbox.read(TARGET)).toBe(before);
    sandbox.write(JOURNAL, `${entry}\n${mark(sandbox)}\n`);
    await sandbox.steward(['tick', '--vault', 'vault']);
    expect(sandbox.read(TARGET), 'its own is finished').toContain('One line more.');
  },
);

attack(
  {
    attacker: 'another local user',
    means: 'reads the key by which the program knows its own notes',
    loss: 'forged signals that act, forged recipes that are believed',
    defence: 'the key is for its owner alone',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    await sandbox.steward(['tick', '--vault', 'vault'], { UMASK: '000' });
    expect(fs.statSync(keyFile(sandbox)).mode & 0o077).toBe(0);
    expect(fs.statSync(path.dirname(keyFile(sandbox))).mode & 0o077).toBe(0);
  },
);

attack(
  {
    attacker: 'another local user',
    means: 'reads or replaces the operator’s secret for that key, which lies open',
    loss: 'forged signals that act, forged recipes that are believed',
    defence: 'a file that others can read or write isn’t used, as with ssh',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    const secret = path.join(sandbox.folder, 'secret');
    fs.writeFileSync(secret, 'k'.repeat(64));
    const status = () => sandbox.steward(['status', '--vault', 'vault'], { STEWARD_SEAL_KEY_FILE: secret });
    for (const mode of [0o604, 0o640, 0o602, 0o620]) {
      fs.chmodSync(secret, mode);
      const { exit, stderr } = await status();
      expect([mode, exit, stderr]).toEqual([mode, 78, expect.stringContaining('is open to other users')]);
      expect(stderr).toContain(`chmod 600 ${secret}`);
    }
    fs.chmodSync(secret, 0o600);
    expect((await status()).exit).toBe(0);
  },
);

attack(
  {
    attacker: 'a sync peer',
    means: 'plants a cache that says another sender is named by the note than the note says',
    loss: 'trust that nobody can see in the note',
    defence: 'the cache carries the mark too; any other is not read',
  },
  async () => {
    await using sandbox = new Sandbox('example');
    const running = sandbox.start('steward run --vault vault');
    await running.line((line) => line.includes('started on'), 'started');
    running.kill('SIGTERM');
    await running.ended;
    const file = '.steward/cache/records-00000001.cache';
    const [head = '', ...rest] = sandbox.read(file).split('\n');
    const forged = rest.join('\n').replaceAll('anna@northgate-notary.example', 'evil@northgate-notary.example');
    expect(forged).not.toBe(rest.join('\n'));
    for (const header of [
      head,
      JSON.stringify({ ...JSON.parse(head), sha256: sha256(forged), seal: sha256(forged).slice(0, 32) }),
    ]) {
      sandbox.write(file, `${header}\n${forged}`);
      const { stdout } = await sandbox.steward(['explain', 'house-purchase', '--vault', 'vault']);
      expect(stdout).not.toContain('evil@');
    }
  },
);

function sealOf(sandbox: Sandbox): Seal {
  return vaultSeal({ sealKey: keyFile(sandbox) }, path.join(sandbox.vault, '.steward/state'), false).seal;
}

function keyFile(sandbox: Sandbox): string {
  return path.join(sandbox.folder, '.state', 'vault-steward', 'seal-key');
}
