import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { HOUSE, instinct, settings, signal, task, weak } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked } from './support.ts';

const NAMES = ['one', 'two', 'three'];
const UNTAUGHT = {
  ...HOUSE,
  ...Object.fromEntries(NAMES.map((name) => [`task/${name}.md`, task()])),
  'steward.md': settings({ settle_seconds: 0, default_schedule: '0 0 29 2 *' }),
};
const FILES = { ...UNTAUGHT, 'instinct/mail.md': instinct('mail', { observations: 60 }) };

/** A strong signal says that a task is done, or something else. */
function arrives(vault: Attacked, name: string, fields = {}): void {
  const said = { target_path: `task/${name}.md`, raw_quote: `${name} is paid` };
  vault.sandbox.write(`signal/${name}.md`, signal({ ...said, ...fields }));
}

attack(
  {
    attacker: 'the surroundings',
    means: 'no file may be opened any more (EMFILE), while notes and settings change',
    loss: 'notes count as gone or broken from then on, or the daemon ends',
    defence: 'what could not be read says nothing about the note; it is read again',
  },
  async () => {
    const vault = new Attacked(FILES);
    await vault.start();
    const limit = (files: number) => execFileSync('prlimit', ['--pid', String(vault.daemon.pid), `--nofile=${files}:`]);
    limit(3); // its three streams have these
    arrives(vault, 'one');
    vault.sandbox.write('task/two.md', task({ due: '2036-01-01' }));
    vault.sandbox.write('task/two.md', task({ due: '2036-02-02' }));
    arrives(vault, 'two');
    await vault.says('task/two.md cannot be opened');
    await vault.says('the vault is away');
    limit(1024);
    arrives(vault, 'three');
    const isDone = (name: string) => vault.read(`task/${name}.md`).includes('state: done');
    await expect.poll(() => NAMES.filter(isDone)).toEqual(NAMES);
    // The event note follows the edit.
    await expect.poll(() => vault.names('event')).toHaveLength(NAMES.length);
    await expect.poll(() => vault.troubled()).toEqual([]);
  },
);

attack(
  {
    attacker: 'another program',
    means: 'a note that is a link to another one in the vault, and a signal about each of the two names',
    loss: 'the link becomes a file and the two part, or the change is made and taken back twice',
    defence: 'the file that the link leads to is edited, and what it holds already is no second change',
  },
  async () => {
    const vault = new Attacked(FILES);
    fs.symlinkSync('one.md', vault.at('task/alias.md'));
    await vault.start();
    arrives(vault, 'alias');
    await vault.says('applied alias');
    expect(fs.lstatSync(vault.at('task/alias.md')).isSymbolicLink()).toBe(true);
    expect(vault.read('task/one.md')).toContain('state: done');
    arrives(vault, 'one');
    await expect.poll(() => vault.names('event').length).toBe(2);
    expect(await vault.steward('undo', 'alias')).toMatchObject({ exit: 0 });
    expect(vault.read('task/one.md')).toBe(task());
    expect(fs.lstatSync(vault.at('task/alias.md')).isSymbolicLink()).toBe(true);
  },
);

attack(
  {
    attacker: 'another program',
    means: 'a backup of this morning is laid over the folders of a running daemon, after a proposal was confirmed',
    loss: 'the proposal hangs between answered and open, or can never be answered',
    defence: 'what the notes say counts: it waits once more, is confirmed once more, and can be taken back',
  },
  async () => {
    const vault = new Attacked({ ...UNTAUGHT, 'signal/weak.md': weak({ target_path: 'task/one.md' }) });
    await vault.start();
    await vault.steward('tick', 'house', '--force');
    await vault.says('proposed');
    // What is silent is noticed as well.
    const [proposal = ''] = vault.names('event').filter((name) => name.endsWith('-one.md'));
    const proposed = vault.read('task/one.md');
    const backup = path.join(vault.sandbox.folder, 'backup');
    execFileSync('cp', ['-a', vault.sandbox.vault, backup]);
    expect(await vault.steward('confirm', proposal.slice(0, -3))).toMatchObject({ exit: 0 });
    for (const folder of ['task', 'event', 'signal']) {
      fs.rmSync(vault.at(folder), { recursive: true });
      execFileSync('cp', ['-a', path.join(backup, folder), vault.at(folder)]);
    }
    await expect.poll(async () => (await vault.steward('inbox')).said).toContain('1 proposal');
    expect(vault.read('task/one.md')).toBe(proposed);
    expect(await vault.steward('confirm', proposal.slice(0, -3))).toMatchObject({ exit: 0 });
    expect(vault.read('task/one.md')).toContain('state: done');
    expect(await vault.steward('undo', '--last', '1')).toMatchObject({ exit: 0 });
    expect(vault.read('task/one.md')).toBe(task());
  },
);

attack(
  {
    attacker: 'another program',
    means: 'three actions on one note, taken back all at once by six commands, the middle one before the others',
    loss: 'a field ends as it never was, or one action teaches twice',
    defence: 'one order at a time; what is taken back already is taken back by nothing',
  },
  async () => {
    const vault = new Attacked(FILES);
    await vault.start();
    const due = (day: string) => ({ mutation_proposal: { class: 'context_edit', set: { due: day } }, raw_quote: day });
    const events: string[] = [];
    for (const [nth, said] of [due('2036-01-01'), due('2036-02-02'), { raw_quote: 'paid' }].entries()) {
      vault.sandbox.write(`signal/s${nth}.md`, signal({ target_path: 'task/one.md', ...said }));
      const line = await vault.says('applied one');
      events.push(/(?:signal|steward)-action-\S+/.exec(line)?.[0] ?? '');
    }
    const [first = '', second = '', third = ''] = events;
    expect(await vault.steward('undo', second)).toMatchObject({ exit: 0 });
    expect(vault.read('task/one.md')).toContain('2036-01-01');
    const orders = [
      ['undo', third],
      ['undo', third],
      ['undo', second, '--force'],
      ['undo', first],
      ['confirm', third],
    ];
    await Promise.all([...orders.map((words) => vault.steward(...words)), vault.steward('dismiss', first)]);
    expect(vault.read('task/one.md')).toBe(task());
    expect(/^reversals: (\d+)/m.exec(vault.read('instinct/mail.md'))?.[1]).toBe('3');
  },
);

const CAN_MOUNT = spawnSync('unshare', ['-m', 'true']).status === 0 && process.getuid?.() === 0;

describe.skipIf(!CAN_MOUNT)('a disk of its own under the vault (needs root and tmpfs)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'the disk turns read-only under a running daemon, is writable again, and is then full to the last byte',
      loss: 'half an action, a note cut short, or a daemon that never goes on',
      defence: 'nothing is begun that cannot be journalled; the trouble is named, and work goes on',
    },
    async () => {
      const vault = new Attacked({});
      const disk = vault.sandbox.vault;
      fs.mkdirSync(disk, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', disk]);
      onTestFinished(() => void spawnSync('umount', ['-l', disk]));
      for (const [file, text] of Object.entries(FILES)) vault.sandbox.write(file, text);
      await vault.start();
      arrives(vault, 'one');
      await vault.says('applied one');
      arrives(vault, 'two');
      await vault.says('applied two');
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      expect(await vault.steward('undo', 'one')).toMatchObject({ exit: 75 });
      expect((await vault.status()).trouble.map(({ code }) => code)).toContain('read-only');
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      spawnSync('sh', ['-c', 'cat /dev/zero > "$1"', 'sh', vault.at('junk')]);
      expect((await vault.steward('undo', 'two')).said).toContain('disk-full');
      expect(vault.read('task/two.md')).toContain('state: done');
      fs.rmSync(vault.at('junk'));
      for (const name of ['one', 'two']) {
        expect(await vault.steward('undo', name)).toMatchObject({ exit: 0 });
        expect(vault.read(`task/${name}.md`)).toBe(task());
      }
      expect([...vault.names('.steward/journal'), ...vault.names('.steward/tmp')]).toEqual([]);
    },
  );
});
