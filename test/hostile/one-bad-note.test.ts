import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { HOUSE, instinct, settings, signal, task } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked, CAN_PROTECT, protect } from './support.ts';

const SELDOM = '0 0 29 2 *';
const TASKS = Object.fromEntries(['one', 'two', 'three', 'four'].map((name) => [`task/${name}.md`, task()]));
const FILES = {
  ...HOUSE,
  ...TASKS,
  'steward.md': settings({ settle_seconds: 0, default_schedule: SELDOM }),
  'instinct/mail.md': instinct('mail', { observations: 60 }),
};

/** A strong signal says that a task is done. */
function arrives(vault: Attacked, name: string): void {
  vault.sandbox.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `${name} is paid` }));
}

async function isActedUpon(vault: Attacked, name: string): Promise<void> {
  arrives(vault, name);
  await vault.says(`applied ${name}`);
  expect(vault.read(`task/${name}.md`)).toContain('state: done');
}

function eventsAbout(vault: Attacked, name: string): string[] {
  return vault.names('event').filter((event) => event.includes(`-${name}.md`));
}

const reversals = (vault: Attacked) => /^reversals: (\d+)/m.exec(vault.read('instinct/mail.md'))?.[1];

describe.skipIf(!CAN_PROTECT)('one bad note holds up one note (needs root and chattr)', () => {
  attack(
    {
      attacker: 'the surroundings',
      means: 'an instinct note is write-protected while an undo is about to teach it',
      loss: 'every matter of the vault stands still',
      defence:
        'the lesson alone waits, named by its note, over a restart; orders and signals go on, and nothing is learnt twice',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      for (const name of ['one', 'two', 'three']) await isActedUpon(vault, name);
      const { again } = protect(vault.at('instinct/mail.md'));
      expect(await vault.steward('undo', 'one')).toMatchObject({ exit: 0 });
      expect(vault.read('task/one.md')).toContain('state: open');
      expect(await vault.troubled()).toContain('instinct/mail.md');
      expect((await vault.troubled()).filter((file) => file?.startsWith('.steward'))).toEqual([]);
      await isActedUpon(vault, 'four');
      expect(await vault.steward('undo', 'two')).toMatchObject({ exit: 0 });
      await vault.restart();
      expect(await vault.troubled()).toContain('instinct/mail.md');
      expect(vault.names('.steward/journal')).toHaveLength(2);
      expect(await vault.steward('undo', 'three')).toMatchObject({ exit: 0 });
      expect(reversals(vault)).toBe('0');
      again();
      await vault.restart();
      await expect.poll(() => vault.names('.steward/journal')).toEqual([]);
      expect(reversals(vault)).toBe('3'); // each of the three undos taught once
      expect(await vault.troubled()).not.toContain('instinct/mail.md');
      for (const name of ['one', 'two', 'three']) expect(eventsAbout(vault, name)).toHaveLength(2);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'the instinct folder is write-protected before a source is met for the first time',
      loss: 'orders stand still, or their lessons are lost',
      defence: 'the first lesson waits as a note that is still to be made, and the next ones are written on top of it',
    },
    async () => {
      const { 'instinct/mail.md': _, ...files } = FILES;
      const vault = new Attacked(files);
      fs.mkdirSync(vault.at('instinct'));
      await vault.start();
      for (const name of ['one', 'two']) await isActedUpon(vault, name);
      const { again } = protect(vault.at('instinct'));
      for (const name of ['one', 'two']) expect(await vault.steward('undo', name)).toMatchObject({ exit: 0 });
      await isActedUpon(vault, 'three');
      expect(vault.names('instinct')).toEqual([]);
      again();
      await vault.restart();
      await expect.poll(() => vault.names('.steward/journal')).toEqual([]);
      expect(reversals(vault)).toBe('2');
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'the event folder is write-protected',
      loss: 'a note is changed and no event note says so',
      defence: 'nothing that needs an event note is done, and the folder is named once',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      await isActedUpon(vault, 'one');
      const { again } = protect(vault.at('event'), path.dirname(vault.at(`event/${eventsAbout(vault, 'one')[0]}`)));
      arrives(vault, 'two');
      await vault.says('Steward may not write into event');
      arrives(vault, 'three');
      expect(await vault.steward('undo', 'one')).toMatchObject({
        exit: 75,
        said: expect.stringContaining('into event'),
      });
      expect(vault.read('task/one.md')).toContain('state: done');
      expect(vault.read('task/two.md')).toContain('state: open');
      const { trouble } = await vault.status();
      expect(trouble.filter(({ code, file }) => file === 'event' && code === 'no-permission')).toHaveLength(1);
      again();
      await vault.restart();
      await vault.says('applied t');
      expect(await vault.steward('undo', 'one')).toMatchObject({ exit: 0 });
      expect(eventsAbout(vault, 'two')).toHaveLength(1);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'one task is write-protected',
      loss: 'the other tasks of its matter wait, and a model is asked again and again for nothing',
      defence: 'that task alone waits, named; it is not judged before it can be written',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      const { again } = protect(vault.at('task/one.md'));
      arrives(vault, 'one');
      await vault.says('task/one.md may not be changed');
      await isActedUpon(vault, 'two');
      expect(await vault.steward('undo', 'two')).toMatchObject({ exit: 0 });
      expect(await vault.troubled()).toContain('task/one.md');
      expect(eventsAbout(vault, 'one')).toEqual([]);
      again();
      await vault.restart();
      await vault.says('applied one');
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a signal note is write-protected, so that it cannot be stamped as applied',
      loss: 'it is acted upon again and again, or everything waits for its stamp',
      defence: 'its event note says that it was weighed; only the stamp waits',
    },
    async () => {
      const vault = new Attacked(FILES);
      arrives(vault, 'one');
      const { again } = protect(vault.at('signal/one.md'));
      await vault.start();
      await vault.says('applied one');
      await isActedUpon(vault, 'two');
      await vault.restart();
      await isActedUpon(vault, 'three');
      expect(await vault.steward('tick', 'house', '--force')).toMatchObject({ exit: 0 });
      expect(eventsAbout(vault, 'one')).toHaveLength(1);
      expect(await vault.troubled()).toContain('signal/one.md');
      again();
      await vault.restart();
      await expect.poll(() => vault.read('signal/one.md')).toContain('status: applied');
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'the history folder is write-protected',
      loss: 'a note is changed whose former bytes are nowhere',
      defence: 'nothing is edited, and the folder is named',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      const { again } = protect(vault.at('.steward/history'));
      arrives(vault, 'one');
      await vault.says('Steward may not write into .steward/history');
      expect(vault.read('task/one.md')).toBe(TASKS['task/one.md']);
      expect(await vault.troubled()).toContain('.steward/history');
      again();
      await vault.restart();
      await vault.says('applied one');
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'the journal folder is write-protected in the middle of a day',
      loss: 'actions that no crash could finish',
      defence: 'nothing is begun, the folder is named, and work goes on when it is back',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      await isActedUpon(vault, 'one');
      const { again } = protect(vault.at('.steward/journal'));
      arrives(vault, 'two');
      await vault.says('Steward may not write into .steward/journal');
      expect(await vault.steward('undo', 'one')).toMatchObject({ exit: 75 });
      expect(vault.read('task/two.md')).toBe(TASKS['task/two.md']);
      again();
      await vault.restart();
      await vault.says('applied two');
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a dropped reversal file is write-protected, so that it can never be completed',
      loss: 'the change is taken back again and again, or taken back with nothing that says so',
      defence: 'nothing is taken back before the file that records it can be completed; the rest goes on',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      await isActedUpon(vault, 'one');
      const event = eventsAbout(vault, 'one')[0]?.replace(/\.md$/, '') ?? '';
      const file = `event/steward-action-reversed-${event.replace('signal-action-', '')}.md`;
      // A running daemon would read the file before it is protected.
      await vault.kill();
      const part = vault.at('.dropped');
      fs.writeFileSync(part, `---\ntype: steward-action-reversed\nreverses: "[[${event}]]"\n---\n`);
      fs.utimesSync(part, 0, 0);
      fs.renameSync(part, vault.at(file));
      const { again } = protect(vault.at(file));
      await vault.start();
      await expect.poll(() => vault.troubled()).toContain(file);
      expect(vault.read('task/one.md')).toContain('state: done');
      await isActedUpon(vault, 'two');
      expect(await vault.steward('undo', 'two')).toMatchObject({ exit: 0 });
      again();
      await vault.restart();
      await expect.poll(() => vault.read('task/one.md')).toContain('state: open');
      await expect.poll(() => vault.read(file)).toContain('outcome: reversed');
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'one event note is write-protected when a person orders three undos at once',
      loss: 'the two others are not carried out, or the order ends in an error though it was carried out',
      defence: 'each order is answered by itself, and what only shows its answer waits',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      for (const name of ['one', 'two', 'three']) await isActedUpon(vault, name);
      protect(vault.at(`event/${eventsAbout(vault, 'one')[0]}`), vault.at('task/two.md'));
      const { exit, said } = await vault.steward('undo', 'one', 'two', 'three');
      expect({ exit, said }).toMatchObject({ exit: 1, said: expect.stringContaining('task/two.md') });
      expect(vault.read('task/one.md')).toContain('state: open');
      expect(vault.read('task/three.md')).toContain('state: open');
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'an event note of before this program had a key is write-protected at the first meeting',
      loss: 'no command works, and the vault stays open for forged notes',
      defence: 'the note stays without its mark, the commands work, and the meeting is over',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      for (const name of ['one', 'two']) await isActedUpon(vault, name);
      vault.daemon.kill('SIGTERM');
      await vault.daemon.ended;
      fs.rmSync(`${vault.sandbox.folder}/.state`, { recursive: true, force: true });
      protect(vault.at(`event/${eventsAbout(vault, 'one')[0]}`));
      expect(await vault.steward('tick')).toMatchObject({ exit: 0 });
      expect(await vault.steward('undo', 'two')).toMatchObject({ exit: 0 });
    },
  );
});
