import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { StateStore } from '../../src/daemon/state.ts';
import { type Exchange, systemExchange } from '../../src/vault/files.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { Publisher } from '../../src/vault/publish.ts';
import { carriesOn, signal, smallVault, troubles } from '../bad-input/support.ts';
import type { Sandbox } from '../stories/support.ts';
import { namesIn } from '../support/placed.ts';
import { leaveRoom, MAY_MOUNT, smallDisk } from '../support/small-disk.ts';
import { TempVault } from '../support/temp-vault.ts';
import { attack } from './attack.ts';
import { aclOf, setAcl } from './posix-acl.ts';

const NOTE = 'task/pay-roofer.md';
const LIVE = { STEWARD_LIVE_MODE: 'live' };
const TYPES = '.obsidian/types.json';
const onSmallDisks = MAY_MOUNT ? describe : describe.skip;

function pipe(sandbox: Sandbox, file: string): void {
  const place = path.join(sandbox.vault, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.rmSync(place, { recursive: true, force: true });
  expect(spawnSync('mkfifo', [place]).status).toBe(0);
}

describe('pipes and folders where a file should be', () => {
  for (const file of ['task/pipe.md', 'stream/a.eml', 'event/pipe.md', 'instinct/pipe.md']) {
    attack(
      {
        attacker: 'another program',
        means: `makes ${file} a pipe that nobody writes into`,
        loss: 'the program opens it and waits for ever',
        defence: 'no open waits; the pipe is passed over and named',
      },
      async () => {
        await using sandbox = await smallVault();
        pipe(sandbox, file);
        expect(await troubles(sandbox)).toContainEqual(expect.objectContaining({ code: 'not-readable', file }));
        await carriesOn(sandbox);
      },
    );
  }

  attack(
    {
      attacker: 'another program',
      means: 'makes steward.md a pipe, before the start and while the daemon runs',
      loss: 'the program waits for its settings for ever',
      defence: 'the last good settings hold, in shadow at a start, and status says so',
    },
    async () => {
      await using sandbox = await smallVault();
      const daemon = sandbox.start('steward run --vault vault', LIVE);
      await daemon.line((line) => line.includes('started on'), 'started on');
      pipe(sandbox, 'steward.md');
      await expect.poll(() => troubles(sandbox)).toContainEqual(expect.objectContaining({ file: 'steward.md' }));
      daemon.kill('SIGTERM');
      expect((await daemon.ended).exit).toBe(0);
      expect(await troubles(sandbox)).toContainEqual(expect.objectContaining({ file: 'steward.md' }));
      const ticked = await sandbox.steward(['tick', '--vault', 'vault'], LIVE);
      expect(ticked).toMatchObject({ exit: 0 });
    },
  );

  for (const what of ['a pipe', 'a folder']) {
    attack(
      {
        attacker: 'a sync peer',
        means: `makes each file of .steward/state ${what}`,
        loss: 'the program waits for ever at its start, or ends',
        defence: 'it is moved aside like any state that cannot be read, and said',
      },
      async () => {
        await using sandbox = await smallVault();
        for (const name of ['budget.json', 'kept.json', 'displaced.jsonl', 'rate-guard.json']) {
          if (what === 'a pipe') pipe(sandbox, `.steward/state/${name}`);
          else fs.mkdirSync(path.join(sandbox.vault, '.steward/state', name));
        }
        await carriesOn(sandbox);
      },
    );
  }

  for (const what of ['a pipe', 'a folder'] as const) {
    attack(
      {
        attacker: 'another program',
        means: `puts ${what} in the place of a note at the instant of the swap`,
        loss: 'the program waits for ever, or can never again decide what became of the edit',
        defence: 'what came out is not what was judged, so it goes back; there is no text in it to read',
      },
      () => {
        const vault = new TempVault({ [NOTE]: 'before' });
        for (const folder of [vault.places.tmp, vault.places.history]) fs.mkdirSync(folder, { recursive: true });
        const real = systemExchange();
        if (real === null) return;
        let swaps = 0;
        const exchange: Exchange = (part, note) => {
          swaps += 1;
          if (swaps === 1) {
            fs.rmSync(note);
            if (what === 'a pipe') spawnSync('mkfifo', [note]);
            else fs.mkdirSync(note);
          }
          real(part, note);
        };
        const { root } = vault;
        const publisher = new Publisher({ root, tmp: vault.places.tmp, history: vault.places.history, exchange });
        const edition = {
          path: NOTE,
          beforeSha256: sha256('before'),
          bytes: Buffer.from('after'),
          keepAs: 'event-1',
          keptBefore: 0,
        };
        expect(publisher.publish(edition)).toEqual({ done: false, found: [] });
        const there = fs.lstatSync(vault.at(NOTE));
        expect(what === 'a pipe' ? there.isFIFO() : there.isDirectory()).toBe(true);
        expect(publisher.resolve(edition, true)).toMatchObject({ published: false });
      },
    );
  }

  attack(
    {
      attacker: 'the surroundings',
      means: 'a note, and a mail, whose names are as long as a name may be',
      loss: 'their event notes, parts or journal entries cannot be made, and the rest waits for them',
      defence: 'names made of other names are cut to a safe length',
    },
    async () => {
      await using sandbox = await smallVault();
      for (const letter of ['a', 'é']) {
        const slug = letter.repeat(Math.floor(252 / Buffer.byteLength(letter)));
        sandbox.write(`task/${slug}.md`, '---\ntype: task\nstate: open\nparent_matter: "[[roof]]"\n---\n');
        sandbox.write(`signal/long-${letter}.md`, signal(`task/${slug}.md`, { raw_quote: slug.slice(0, 9) }));
        const ticked = await sandbox.steward(['tick', '--vault', 'vault'], LIVE);
        expect(ticked, ticked.stderr).toMatchObject({ exit: 0 });
        expect(sandbox.read(`task/${slug}.md`)).toContain('state: done');
        const [event = ''] = namesIn(sandbox.vault, 'event').filter((name) => name.includes(letter.repeat(9)));
        const undone = await sandbox.steward(['undo', event.replace(/\.md$/, ''), '--vault', 'vault'], LIVE);
        expect(undone, undone.stderr).toMatchObject({ exit: 0 });
        expect(sandbox.read(`task/${slug}.md`)).toContain('state: open');
      }
    },
  );
});

onSmallDisks('full disks (needs leave to mount)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'a disk with room for half of the new state',
      loss: 'half a state is published, and the budget, the guard and what was weighed are forgotten',
      defence: 'a part is given its name only when it was written whole; the disk is full, and what was there stays',
    },
    () => {
      const vault = new TempVault();
      fs.mkdirSync(vault.places.own);
      smallDisk(vault.places.own);
      fs.mkdirSync(vault.places.state);
      const state = new StateStore(vault.places.state);
      state.set('licences', { 'task/a.md': 1 });
      state.save('licences');
      leaveRoom(path.join(vault.places.own, 'filler'), 4096);
      state.set('licences', Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`a-long-name/${at}.md`, at])));
      expect(() => state.save('licences')).toThrow(/disk is full/);
      expect(vault.state('licences')).toEqual({ 'task/a.md': 1 });
      expect(fs.readdirSync(vault.places.state)).toEqual(['licences.json']);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'init on a disk that is nearly full',
      loss: 'the property types that a person set in Obsidian are cut off',
      defence: 'the merge is written whole beside it, or not at all',
    },
    async () => {
      await using sandbox = await smallVault();
      const types = JSON.stringify({
        types: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`mine-${at}`, 'text'])),
      });
      for (const room of [0, 4096]) {
        const disk = path.join(sandbox.folder, `disk-${room}`);
        fs.mkdirSync(disk);
        smallDisk(disk);
        fs.mkdirSync(path.join(disk, '.obsidian'));
        fs.writeFileSync(path.join(disk, TYPES), types);
        fs.mkdirSync(path.join(disk, '.steward'));
        leaveRoom(path.join(disk, 'filler'), room);
        const made = await sandbox.steward(['init', disk, '--yes']);
        expect(made.exit).not.toBe(0);
        expect(fs.readFileSync(path.join(disk, TYPES), 'utf8')).toBe(types);
        spawnSync('umount', [disk]); // before the sandbox is removed
      }
    },
  );
});

describe.skipIf(process.platform !== 'linux')('init (Linux)', () => {
  attack(
    {
      attacker: 'a sync peer',
      means: 'makes .obsidian/types.json, .obsidian or Steward.base a link out of the vault',
      loss: 'a file outside the vault is made or changed',
      defence: 'init writes through no link that leads out, and says so',
    },
    async () => {
      for (const file of [TYPES, '.obsidian', 'Steward.base', 'steward.md']) {
        await using sandbox = await smallVault();
        const outside = path.join(sandbox.folder, 'outside');
        if (file === '.obsidian') fs.mkdirSync(outside);
        else fs.writeFileSync(outside, '{}');
        fs.rmSync(path.join(sandbox.vault, file), { recursive: true });
        fs.symlinkSync(outside, path.join(sandbox.vault, file));
        const made = await sandbox.steward(['init', 'vault', '--yes']);
        expect(made.exit, file).toBe(1);
        expect(made.stderr, file).toMatch(/out of the vault/);
        if (file === '.obsidian') expect(fs.readdirSync(outside)).toEqual([]);
        else expect(fs.readFileSync(outside, 'utf8')).toBe('{}');
      }
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'makes .obsidian/types.json a pipe or a folder',
      loss: 'init waits for ever, or breaks off with the rest undone',
      defence: 'it says so, and makes the rest',
    },
    async () => {
      for (const what of ['a pipe', 'a folder']) {
        await using sandbox = await smallVault();
        fs.rmSync(path.join(sandbox.vault, 'Steward.base'));
        if (what === 'a pipe') pipe(sandbox, TYPES);
        else {
          fs.rmSync(path.join(sandbox.vault, TYPES));
          fs.mkdirSync(path.join(sandbox.vault, TYPES));
        }
        const made = await sandbox.steward(['init', 'vault', '--yes']);
        expect(made, made.stderr).toMatchObject({ exit: 1 });
        expect(made.stderr).toMatch(/not a regular file/);
        expect(fs.existsSync(path.join(sandbox.vault, 'Steward.base'))).toBe(true);
      }
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'gives .obsidian/types.json an ACL that closes it to its group, or a second name outside the vault',
      loss: 'the group reads it, or the second name goes its own way, after an init',
      defence: 'the ACL goes over to the new file; a hard link is refused',
    },
    async () => {
      await using sandbox = await smallVault();
      const types = path.join(sandbox.vault, TYPES);
      fs.writeFileSync(types, '{"types":{"mine":"text"}}');
      setAcl(types, [
        ['owner', 6],
        ['user', 6, 4242],
        ['group', 0],
        ['mask', 6],
        ['other', 0],
      ]);
      const acl = aclOf(types);
      expect(await sandbox.steward(['init', 'vault', '--yes'])).toMatchObject({ exit: 0 });
      expect(JSON.parse(fs.readFileSync(types, 'utf8')).types).toMatchObject({ mine: 'text', due: 'date' });
      expect(aclOf(types)).toEqual(acl);
      fs.writeFileSync(types, '{"types":{"mine":"text"}}');
      fs.linkSync(types, path.join(sandbox.folder, 'types.json'));
      const refused = await sandbox.steward(['init', 'vault', '--yes']);
      expect(refused).toMatchObject({ exit: 1 });
      expect(refused.stderr).toMatch(/hard link/);
      expect(fs.readFileSync(types, 'utf8')).toBe('{"types":{"mine":"text"}}');
    },
  );
});
