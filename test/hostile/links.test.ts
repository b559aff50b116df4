import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { carriesOn, type Listed, signal, smallVault, troubles } from '../bad-input/support.ts';
import type { Sandbox } from '../stories/support.ts';
import { attack } from './attack.ts';

const NOTE = 'task/pay-roofer.md';
const LIVE = { STEWARD_LIVE_MODE: 'live' };
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

/** A folder of the person's own, outside the vault, with an old letter in it. */
function documents(sandbox: Sandbox): string {
  const folder = path.join(sandbox.folder, 'documents');
  fs.mkdirSync(path.join(folder, 'deep'), { recursive: true });
  for (const name of ['letter.md', 'deep/older.txt', 'lock.part', 'x.1']) {
    fs.writeFileSync(path.join(folder, name), 'dear Ann');
    fs.utimesSync(path.join(folder, name), LONG_AGO, LONG_AGO);
  }
  return folder;
}

function namesIn(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

function link(sandbox: Sandbox, file: string, to: string): void {
  fs.rmSync(path.join(sandbox.vault, file), { recursive: true, force: true });
  fs.symlinkSync(to, path.join(sandbox.vault, file));
}

function move(sandbox: Sandbox, from: string, to: string): void {
  fs.mkdirSync(path.dirname(path.join(sandbox.vault, to)), { recursive: true });
  fs.renameSync(path.join(sandbox.vault, from), path.join(sandbox.vault, to));
  fs.symlinkSync(
    path.relative(path.dirname(path.join(sandbox.vault, from)), path.join(sandbox.vault, to)),
    path.join(sandbox.vault, from),
  );
}

describe('links in the place of the program’s own folders', () => {
  for (const name of ['tmp', 'history', 'state', 'journal', 'cache']) {
    attack(
      {
        attacker: 'a sync peer',
        means: `makes .steward/${name} a link to the person's documents`,
        loss: 'what lies there: the folder is emptied at the next start, pruned, or written into',
        defence: 'nothing starts on a vault whose own folders are links; status and doctor say so',
      },
      async () => {
        await using sandbox = await smallVault();
        const folder = documents(sandbox);
        const before = namesIn(folder);
        link(sandbox, `.steward/${name}`, folder);
        sandbox.write('signal/good.md', signal(NOTE));
        for (const words of [['tick'], ['run'], ['undo', '--last', '1']]) {
          const refused = await sandbox.steward([...words, '--vault', 'vault'], LIVE);
          expect(refused, words.join(' ')).toMatchObject({ exit: 75 });
          expect(refused.stderr).toContain(`.steward/${name} is a link`);
        }
        expect(namesIn(folder)).toEqual(before);
        expect(await troubles(sandbox)).toContainEqual(
          expect.objectContaining({ code: 'own-folder-link', file: `.steward/${name}` }),
        );
      },
    );
  }

  attack(
    {
      attacker: 'a sync peer',
      means: 'makes .steward itself a link out of the vault, to a folder with a tmp of its own',
      loss: 'everything in that tmp',
      defence: 'the same; a link inside the vault is followed',
    },
    async () => {
      await using sandbox = await smallVault();
      const folder = documents(sandbox);
      fs.mkdirSync(path.join(folder, 'tmp'));
      fs.writeFileSync(path.join(folder, 'tmp', 'draft.txt'), 'half a letter');
      const before = namesIn(folder);
      link(sandbox, '.steward', folder);
      const refused = await sandbox.steward(['tick', '--vault', 'vault'], LIVE);
      expect(refused).toMatchObject({ exit: 75 });
      expect(refused.stderr).toMatch(/leads out of the vault/);
      expect(namesIn(folder)).toEqual(before);
      expect(await troubles(sandbox)).toContainEqual(
        expect.objectContaining({ code: 'own-folder-link', file: '.steward' }),
      );
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'swaps .steward/history for a link to the documents while the daemon runs',
      loss: 'what is older than a week there, at the next housekeeping',
      defence: 'the daemon notices within a second, says so and writes nothing; it goes on when the folder is back',
    },
    async () => {
      await using sandbox = await smallVault();
      const folder = documents(sandbox);
      const before = namesIn(folder);
      const daemon = sandbox.start('steward run --vault vault', LIVE);
      await daemon.line((line) => line.includes('started on'), 'started on');
      const history = path.join(sandbox.vault, '.steward', 'history');
      fs.renameSync(history, `${history}-aside`);
      fs.symlinkSync(folder, history);
      await daemon.line((line) => line.includes('.steward/history is a link'), 'is a link');
      sandbox.write('signal/good.md', signal(NOTE));
      fs.rmSync(history);
      fs.renameSync(`${history}-aside`, history);
      await daemon.line((line) => line.includes(`applied ${path.basename(NOTE, '.md')}`), 'applied');
      expect(namesIn(folder)).toEqual(before);
    },
  );
});

describe('links in the place of record folders', () => {
  for (const name of ['task', 'stream', 'event', 'signal']) {
    attack(
      {
        attacker: 'a sync peer',
        means: `makes ${name}/ a link to the person's documents`,
        loss: 'their text is read, folders and notes are made among them, or the person waits and hears nothing',
        defence: 'nothing is read or made there; status and doctor say so, with what to do',
      },
      async () => {
        await using sandbox = await smallVault();
        const folder = documents(sandbox);
        fs.writeFileSync(path.join(folder, 'pay-roofer.md'), '---\ntype: task\nstate: open\n---\n');
        const before = namesIn(folder);
        sandbox.write('signal/good.md', signal(NOTE));
        link(sandbox, name, folder);
        await sandbox.steward(['tick', '--vault', 'vault'], LIVE);
        expect(namesIn(folder)).toEqual(before);
        expect(fs.readFileSync(path.join(folder, 'pay-roofer.md'), 'utf8')).toContain('state: open');
        const said = await troubles(sandbox);
        expect(said).toContainEqual(
          expect.objectContaining({
            code: 'folder-link',
            file: name,
            message: "Steward can't read this: it is a link that leads out of the vault.",
          }),
        );
      },
    );
  }

  attack(
    {
      attacker: 'a sync peer',
      means: 'makes event/2026 a link out of the vault, below which a dropped file wants a folder made',
      loss: 'folders are made outside the vault before the link is noticed',
      defence: 'a path is judged before anything is made of it',
    },
    async () => {
      await using sandbox = await smallVault();
      const folder = documents(sandbox);
      const before = namesIn(folder);
      sandbox.write(
        'steward.md',
        sandbox.read('steward.md').replace('\n---\n', '\nfolder_event: event/deep/er\n---\n'),
      );
      link(sandbox, 'event', folder);
      sandbox.write('signal/good.md', signal(NOTE));
      await sandbox.steward(['tick', '--vault', 'vault'], LIVE);
      expect(namesIn(folder)).toEqual(before);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'keeps its tasks in archive/todo, with task a link to it, and its signals likewise',
      loss: 'the notes are not seen, and nobody says why',
      defence: 'a link inside the vault is a folder: listed, watched, written through',
    },
    async () => {
      await using sandbox = await smallVault();
      move(sandbox, 'task', 'archive/todo');
      move(sandbox, 'signal', 'archive/said');
      move(sandbox, 'event', 'archive/done');
      const daemon = sandbox.start('steward run --vault vault', LIVE);
      await daemon.line((line) => line.includes('started on'), 'started on');
      expect((await troubles(sandbox)).map(({ code }) => code)).toEqual([]);
      fs.writeFileSync(path.join(sandbox.vault, 'archive/said/good.md'), signal(NOTE));
      await daemon.line((line) => line.includes(`applied ${path.basename(NOTE, '.md')}`), 'applied');
      expect(sandbox.read('archive/todo/pay-roofer.md')).toContain('state: done');
      expect(fs.lstatSync(path.join(sandbox.vault, 'task')).isSymbolicLink()).toBe(true);
      expect(fs.readdirSync(path.join(sandbox.vault, 'archive/done'))).toHaveLength(1);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'swaps task/ for a link out of the vault while the daemon runs, and back for one inside',
      loss: 'the schedules of all tasks, or notes outside that are edited',
      defence: 'the vault counts as away, with the reason, until the notes are back; then it goes on through the link',
    },
    async () => {
      await using sandbox = await smallVault();
      sandbox.write('task/other.md', '---\ntype: task\nstate: open\nparent_matter: "[[roof]]"\n---\n');
      const folder = documents(sandbox);
      fs.cpSync(path.join(sandbox.vault, 'task'), folder, { recursive: true });
      const daemon = sandbox.start('steward run --vault vault', LIVE);
      await daemon.line((line) => line.includes('started on'), 'started on');
      fs.renameSync(path.join(sandbox.vault, 'task'), path.join(sandbox.vault, 'todo'));
      fs.symlinkSync(folder, path.join(sandbox.vault, 'task'));
      await daemon.line((line) => line.includes('away') && line.includes('leads out of the vault'), 'away');
      fs.rmSync(path.join(sandbox.vault, 'task'));
      fs.symlinkSync('todo', path.join(sandbox.vault, 'task'));
      await daemon.line((line) => line.includes('back'), 'back');
      sandbox.write('signal/good.md', signal(NOTE));
      await daemon.line((line) => line.includes(`applied ${path.basename(NOTE, '.md')}`), 'applied');
      expect(sandbox.read('todo/pay-roofer.md')).toContain('state: done');
      expect(fs.readFileSync(path.join(folder, 'pay-roofer.md'), 'utf8')).toContain('state: open');
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means:
        'links that lead round in a circle, to the vault itself, to .steward, to another record folder, or nowhere',
      loss: 'a listing that never ends, a note that is two records, or silence',
      defence: 'each is passed over, named with its reason; the rest of the vault goes on',
    },
    async () => {
      await using sandbox = await smallVault();
      link(sandbox, 'task/loop', '.');
      link(sandbox, 'task/up', '..');
      link(sandbox, 'task/own', '../.steward/history');
      link(sandbox, 'task/others', '../matter');
      link(sandbox, 'instinct/self', 'self');
      link(sandbox, 'stream', 'nowhere');
      link(sandbox, 'roundtable', 'roundtable');
      const said = await troubles(sandbox);
      const named = said
        .filter(({ code }: Listed) => ['folder-link', 'not-readable'].includes(code))
        .map(({ file }) => file);
      expect(named).toEqual(['roundtable', 'stream', 'task/loop', 'task/others', 'task/own', 'task/up']);
      await carriesOn(sandbox);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a link to a letter outside in the place of the log of mails that gave no signal',
      loss: 'a letter with lines of the program at its end',
      defence: 'no link is followed there: another part of the log is begun',
    },
    async () => {
      await using sandbox = await smallVault();
      const folder = documents(sandbox);
      const parts = `.steward/state/trail-${Date.now()}.jsonl`;
      link(sandbox, parts, path.join(folder, 'letter.md'));
      sandbox.write('stream/shop.eml', 'From: a@shop.example\nList-Id: all\nSubject: Offers\n\nBuy.\n');
      await sandbox.steward(['import', '--vault', 'vault', 'stream/shop.eml']);
      const { stdout } = await sandbox.steward(['explain', '--vault', 'vault', 'shop.eml']);
      expect(stdout).toContain('bulk mail');
      expect(stdout).toContain('subject: Offers');
      expect(fs.readFileSync(path.join(folder, 'letter.md'), 'utf8')).toBe('dear Ann');
    },
  );
});
