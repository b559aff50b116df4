import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { signal, smallVault } from '../bad-input/support.ts';
import { Sandbox } from '../stories/support.ts';
import { namesIn, placed } from '../support/placed.ts';
import { attack } from './attack.ts';
import { aclOf, setAcl } from './posix-acl.ts';

const NOTE = 'task/pay-roofer.md';
const LIVE = { STEWARD_LIVE_MODE: 'live' };
const IS_ROOT = process.getuid?.() === 0;
const OTHER = 4242;
const TEAM = 4343;
const asRoot = IS_ROOT && process.platform === 'linux' ? describe : describe.skip;
const onLinux = process.platform === 'linux' ? describe : describe.skip;

async function edited(sandbox: Sandbox, umask: string): Promise<void> {
  sandbox.write('signal/good.md', signal(NOTE));
  const ticked = await sandbox.sh(`umask ${umask}; steward tick --vault vault`, LIVE);
  expect(ticked, ticked.stderr).toMatchObject({ exit: 0 });
}

function modesBelow(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return ['.', ...names].map((name) => `${name} ${(fs.statSync(path.join(folder, name)).mode & 0o7777).toString(8)}`);
}

function eventOf(sandbox: Sandbox): string {
  const [name = ''] = namesIn(sandbox.vault, 'event');
  return placed(sandbox.vault, `event/${name}`);
}

onLinux('what a private note says', () => {
  attack(
    {
      attacker: 'another local user',
      means: 'reads the event note about a note of mode 0600',
      loss: 'its fields, before and after, and the quote',
      defence: 'a new note is readable by nobody who may not read what it is about',
    },
    async () => {
      await using sandbox = await smallVault();
      fs.chmodSync(path.join(sandbox.vault, NOTE), 0o600);
      await edited(sandbox, '022');
      expect(fs.statSync(eventOf(sandbox)).mode & 0o777).toBe(0o600);
    },
  );

  attack(
    {
      attacker: 'another local user',
      means: 'reads the event note about a note of mode 0644 whose signal is of mode 0600',
      loss: 'the quote of the signal',
      defence: 'the signals of an event count as what it is about',
    },
    async () => {
      await using sandbox = await smallVault();
      sandbox.write('signal/good.md', signal(NOTE));
      fs.chmodSync(path.join(sandbox.vault, 'signal/good.md'), 0o600);
      const ticked = await sandbox.steward(['tick', '--vault', 'vault'], LIVE);
      expect(ticked, ticked.stderr).toMatchObject({ exit: 0 });
      expect(fs.statSync(eventOf(sandbox)).mode & 0o777).toBe(0o600);
    },
  );

  attack(
    {
      attacker: 'another local user',
      means: 'reads a signal note that was made of a private mail',
      loss: 'who wrote, and what',
      defence: 'a signal note has the readers of its stream file',
    },
    async () => {
      await using sandbox = new Sandbox('example');
      const before = namesIn(sandbox.vault, 'signal');
      const daemon = sandbox.start('steward run --vault vault', LIVE);
      await daemon.line((line) => line.includes('started on'), 'started on');
      await sandbox.sh('umask 077; drop 01');
      const made = () => namesIn(sandbox.vault, 'signal').filter((name) => !before.includes(name));
      await expect.poll(made).not.toEqual([]);
      for (const name of made()) {
        expect(fs.statSync(placed(sandbox.vault, `signal/${name}`)).mode & 0o777).toBe(0o600);
      }
    },
  );

  attack(
    {
      attacker: 'another local user',
      means: 'reads the copy that `import` made of a private mail',
      loss: 'the mail',
      defence: 'the copy has the readers of the file it was made of',
    },
    async () => {
      await using sandbox = await smallVault();
      fs.writeFileSync(path.join(sandbox.folder, 'a.eml'), 'From: ann@roofer.example\n\nHello.\n', { mode: 0o600 });
      const imported = await sandbox.steward(['import', './a.eml', '--vault', 'vault']);
      expect(imported, imported.stderr).toMatchObject({ exit: 0 });
      expect(fs.statSync(path.join(sandbox.vault, 'stream/a.eml')).mode & 0o777).toBe(0o600);
    },
  );

  attack(
    {
      attacker: 'another local user',
      means: 'reads .steward: the journal, the cache of records, the state, former texts',
      loss: 'the whole text of every private note that was edited',
      defence: 'its folders are 0700 and its files 0600, whatever the umask; an older folder is closed at the start',
    },
    async () => {
      await using sandbox = await smallVault();
      const own = path.join(sandbox.vault, '.steward');
      fs.chmodSync(own, 0o755);
      const daemon = sandbox.start('umask 000; exec steward run --vault vault', LIVE);
      await daemon.line((line) => line.includes('started on'), 'started on');
      sandbox.write('signal/good.md', signal(NOTE));
      await daemon.line((line) => line.includes(`applied ${path.basename(NOTE, '.md')}`), 'applied');
      daemon.kill('SIGTERM');
      await daemon.ended;
      expect(fs.statSync(own).mode & 0o077).toBe(0);
      // The displaced file is the note itself, with its own mode.
      expect(modesBelow(own).filter((line) => !/^\. |^history\/| (700|600)$/.test(line))).toEqual([]);
    },
  );

  attack(
    {
      attacker: 'another local user',
      means: 'a note whose ACL shows a mode of 0660 and gives its owning group nothing',
      loss: 'the owning group reads the event note, whose mode was taken from the note',
      defence: 'the group counts by its entry in the ACL, not by the mask',
    },
    async () => {
      await using sandbox = await smallVault();
      setAcl(path.join(sandbox.vault, NOTE), [
        ['owner', 6],
        ['user', 6, OTHER],
        ['group', 0],
        ['mask', 6],
        ['other', 0],
      ]);
      await edited(sandbox, '002');
      expect(fs.statSync(eventOf(sandbox)).mode & 0o077).toBe(0);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a vault that is shared by a default ACL on its folders',
      loss: 'those it is shared with cannot read what the program did to their notes',
      defence: 'a new note gets the default ACL of its folder, as one made by hand',
    },
    async () => {
      await using sandbox = await smallVault();
      const acl = [
        ['owner', 7],
        ['user', 7, OTHER],
        ['group', 5],
        ['mask', 7],
        ['other', 0],
      ] as const;
      setAcl(path.join(sandbox.vault, 'event'), acl, 'default');
      await edited(sandbox, '022');
      expect(aclOf(eventOf(sandbox))).not.toBeNull();
      expect(fs.statSync(eventOf(sandbox)).mode & 0o777).toBe(0o640); // as the note's group: it may read
    },
  );
});

asRoot('a vault that a group shares (needs root, to make another group)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'a vault whose folders pass their group on, under umask 002',
      loss: 'the group cannot read what the program did, or a stranger group can',
      defence: 'a new note has the group of its folder, and what that group may do with the note it is about',
    },
    async () => {
      await using sandbox = await smallVault();
      for (const folder of ['.', 'event', 'task', 'signal']) {
        fs.chownSync(path.join(sandbox.vault, folder), -1, TEAM);
        fs.chmodSync(path.join(sandbox.vault, folder), 0o2775);
      }
      sandbox.write('signal/good.md', signal(NOTE));
      for (const file of [NOTE, 'signal/good.md']) {
        fs.chownSync(path.join(sandbox.vault, file), -1, TEAM);
        fs.chmodSync(path.join(sandbox.vault, file), 0o660);
      }
      const ticked = await sandbox.sh('umask 002; steward tick --vault vault', LIVE);
      expect(ticked, ticked.stderr).toMatchObject({ exit: 0 });
      expect(fs.statSync(eventOf(sandbox))).toMatchObject({ gid: TEAM, mode: 0o100660 });
    },
  );
});
