import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { signal, smallVault } from '../bad-input/support.ts';
import type { Sandbox } from '../stories/support.ts';
import { namesIn } from '../support/placed.ts';
import { attack } from './attack.ts';
import { aclOf, attributeOf, setAcl, setAttribute } from './posix-acl.ts';

const NOTE = 'task/pay-roofer.md';
const LIVE = { STEWARD_LIVE_MODE: 'live' };
const IS_ROOT = process.getuid?.() === 0;
/** A user and a group that own nothing. */
const OTHER = 4242;
const TEAM = 4343;

/** Root alone may give files away; these tests are skipped for everybody else. */
const asRoot = IS_ROOT && process.platform === 'linux' ? describe : describe.skip;
const onLinux = process.platform === 'linux' ? describe : describe.skip;

async function edited(sandbox: Sandbox, as = ''): Promise<void> {
  sandbox.write('signal/good.md', signal(NOTE));
  const ticked = await sandbox.sh(`${as} steward tick --vault vault`.trim(), LIVE);
  expect(ticked, ticked.stderr).toMatchObject({ exit: 0 });
}

onLinux('what an edit must not change (Linux)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'an edit of a note whose ACL gives the owning group nothing and one user everything',
      loss: 'the owning group reads and writes it from then on, since a mode is no ACL',
      defence: 'the new file gets the ACL itself, and every other attribute',
    },
    async () => {
      await using sandbox = await smallVault();
      const note = path.join(sandbox.vault, NOTE);
      setAcl(note, [
        ['owner', 6],
        ['user', 6, OTHER],
        ['group', 0],
        ['mask', 6],
        ['other', 0],
      ]);
      setAttribute(note, 'user.label', Buffer.from('read it twice'));
      const before = aclOf(note);
      await edited(sandbox);
      expect(sandbox.read(NOTE)).toContain('state: done');
      expect(aclOf(note)).toEqual(before);
      expect(attributeOf(note, 'user.label')?.toString()).toBe('read it twice');
      expect(fs.statSync(note).mode & 0o777).toBe(0o660);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a folder whose default ACL lets a user in, above a note that is closed to everybody',
      loss: 'the edited note has the ACL of the folder its new text was written in',
      defence: 'attributes that the note did not have are taken away before it gets its name',
    },
    async () => {
      await using sandbox = await smallVault();
      await sandbox.steward(['tick', '--vault', 'vault']); // makes .steward/tmp
      const note = path.join(sandbox.vault, NOTE);
      fs.chmodSync(note, 0o640);
      setAcl(
        path.join(sandbox.vault, '.steward', 'tmp'),
        [
          ['owner', 7],
          ['user', 7, OTHER],
          ['group', 7],
          ['mask', 7],
          ['other', 0],
        ],
        'default',
      );
      await edited(sandbox);
      expect(aclOf(note)).toBeNull();
      expect(fs.statSync(note).mode & 0o777).toBe(0o640);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'a note with a second name on the disk (a hard link), in or outside the vault',
      loss: 'an edit parts the two without a word, or writes into a file outside the vault',
      defence: 'the edit is refused; the event note and every answer say why and what to do',
    },
    async () => {
      await using sandbox = await smallVault();
      const other = path.join(sandbox.folder, 'the-same.md');
      fs.linkSync(path.join(sandbox.vault, NOTE), other);
      const before = sandbox.read(NOTE);
      await edited(sandbox);
      expect(sandbox.read(NOTE)).toBe(before);
      expect(fs.readFileSync(other, 'utf8')).toBe(before);
      expect(fs.statSync(other).ino).toBe(fs.statSync(path.join(sandbox.vault, NOTE)).ino);
      const [event] = namesIn(sandbox.vault, 'event');
      expect(sandbox.read(`event/${event}`)).toMatch(/hard link/);
    },
  );
});

asRoot('a vault that several users share (needs root, to give files away)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'an edit of a note that belongs to another user, who lets its group write',
      loss: 'the person no longer owns their note, or its group can no longer read it',
      defence: 'where the owner cannot be given to a new file, the file itself is written anew, behind a swap',
    },
    async () => {
      await using sandbox = await smallVault();
      const note = path.join(sandbox.vault, NOTE);
      shared(sandbox);
      fs.chownSync(note, OTHER, TEAM);
      fs.chmodSync(note, 0o660);
      const { ino } = fs.statSync(note);
      await edited(sandbox, `setpriv --reuid=${OTHER + 1} --regid=${OTHER + 1} --groups=${TEAM}`);
      expect(sandbox.read(NOTE)).toContain('state: done');
      expect(fs.statSync(note)).toMatchObject({ uid: OTHER, gid: TEAM, ino, mode: 0o100660 });
      const [kept] = fs.readdirSync(path.join(sandbox.vault, '.steward', 'history'));
      expect(kept).toBeDefined();
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'an edit of a note of another user that this user may read and not write, in a folder it may write',
      loss: 'the program does by a rename what the note forbids it',
      defence: 'the edit is refused, with what to do',
    },
    async () => {
      await using sandbox = await smallVault();
      const note = path.join(sandbox.vault, NOTE);
      shared(sandbox);
      fs.chownSync(note, OTHER, TEAM);
      fs.chmodSync(note, 0o640);
      const before = sandbox.read(NOTE);
      sandbox.write('signal/good.md', signal(NOTE));
      const ticked = await sandbox.sh(
        `setpriv --reuid=${OTHER + 1} --regid=${OTHER + 1} --groups=${TEAM} steward tick --vault vault`,
        LIVE,
      );
      expect(sandbox.read(NOTE)).toBe(before);
      expect(fs.statSync(note)).toMatchObject({ uid: OTHER, gid: TEAM, mode: 0o100640 });
      const said = [ticked.stderr, ...namesIn(sandbox.vault, 'event').map((name) => sandbox.read(`event/${name}`))];
      expect(said.join('\n')).toMatch(/belongs to another user/);
    },
  );
});

/** Makes the vault one that a group shares, and its folder one that everybody may walk through. */
function shared(sandbox: Sandbox): void {
  const run = path.join(sandbox.folder, '.run');
  spawnSync('chown', ['-R', `:${TEAM}`, sandbox.vault]);
  spawnSync('chmod', ['-R', 'g+rwX', sandbox.vault]);
  spawnSync('find', [sandbox.vault, '-type', 'd', '-exec', 'chmod', 'g+s', '{}', '+']);
  spawnSync('chown', ['-R', `${OTHER + 1}:${OTHER + 1}`, path.join(sandbox.vault, '.steward'), run]);
  fs.chmodSync(sandbox.folder, 0o777);
}
