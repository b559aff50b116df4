import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { HOUSE, settings, signal, task } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked } from './support.ts';

const FILES = {
  ...HOUSE,
  'task/one.md': task(),
  'steward.md': settings({ settle_seconds: 0, default_schedule: '0 0 29 2 *' }),
};
const HEAD = `From: a@roof.example\nTo: b@sample.example\nSubject: one\nDate: ${new Date().toUTCString()}\n`;
const RECEIVED = 'Received: from mail.roof.example by mx.sample.example; Sat, 21 Nov 2026 09:00:00 +0000\n';
const many = (count: number, of: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => of(nth)).join('');
const event = (nth: number) => `---
type: steward-action
timestamp: ${new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString()}
target_path: task/one.md
decision: nothing
mode: live
---
`;

/** Answers before the work is done: what comes while it lasts is acted upon, and `status` says that it runs. */
async function answersAndActs(vault: Attacked): Promise<void> {
  expect((await vault.status()).daemon.state).toBe('running');
  vault.sandbox.write('signal/one.md', signal({ target_path: 'task/one.md' }));
  await vault.says('applied one');
}

const MAILS: readonly (readonly [string, () => string])[] = [
  ['with 10 MB of Received lines', () => `${RECEIVED.repeat(115_000)}${HEAD}\nhello\n`],
  [
    'of parts that are nested 10 000 deep',
    () => HEAD + many(10_000, (nth) => `Content-Type: multipart/mixed; boundary="b${nth}"\n\n--b${nth}\n`),
  ],
  [
    'of 100 000 parts',
    () =>
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: text/plain\n\nhi\n'.repeat(100_000)}--b--\n`,
  ],
];

const NOTES: readonly (readonly [string, string, () => string])[] = [
  [
    'a signal with a megabyte of candidates',
    'signal/many.md',
    () =>
      `---\ntype: signal\ntarget_ambiguous: true\ntarget_candidates: [${many(80_000, (nth) => `"x${nth}", `)}]\n---\n`,
  ],
  [
    'a task of 70 000 YAML aliases',
    'task/alias.md',
    () => `---\na: &a [x]\n${many(70_000, (nth) => `k${nth}: *a\n`)}---\n`,
  ],
  ['a task with one line of a megabyte', 'task/line.md', () => `---\ntype: task\nx: "${'y'.repeat(1_000_000)}"\n---\n`],
  [
    'an event note of 25 000 changes, ticked to be confirmed',
    'event/steward-action-2026-11-01T00-00-00Z-one.md',
    () =>
      `---\ntype: steward-action\ntimestamp: 2026-11-01T00:00:00Z\nconfirm: true\npending_confirmation: true\nchanges:\n${many(25_000, (nth) => ` f${nth}: {before: 1, after: 2}\n`)}---\n`,
  ],
];

describe('bounded work', () => {
  for (const [what, text] of MAILS) {
    attack(
      {
        attacker: 'a sender',
        means: `a mail ${what}`,
        loss: 'nobody is answered while it is read',
        defence: 'it is read in a thread with limits; orders and signals do not wait for it',
      },
      async () => {
        const vault = new Attacked(FILES);
        await vault.start();
        vault.sandbox.write('stream/large.eml', text());
        await answersAndActs(vault);
        await vault.says('stream/large.eml');
      },
    );
  }

  for (const [what, file, text] of NOTES) {
    attack(
      {
        attacker: 'a sync peer',
        means: what,
        loss: 'the daemon stands still, or ends for want of memory',
        defence: 'such a note is no record: it is named, and left alone',
      },
      async () => {
        const vault = new Attacked(FILES);
        await vault.start();
        vault.sandbox.write(file, text());
        await answersAndActs(vault);
        await expect.poll(() => vault.troubled()).toContain(file);
      },
    );
  }

  attack(
    {
      attacker: 'a sync peer',
      means: 'folders 500 deep, two thousand conflict copies and five hundred edits of one note at once',
      loss: 'the daemon stands still',
      defence: 'the copies are counted by name, and a burst is looked at once',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      vault.sandbox.write(`task/${'d/'.repeat(500)}deep.md`, task());
      for (let nth = 0; nth < 2_000; nth += 1) {
        const name = `one.sync-conflict-20261122-${String(nth).padStart(6, '0')}-ABCDEFG.md`;
        fs.writeFileSync(vault.at(`task/${name}`), 'a copy');
      }
      for (let nth = 0; nth < 500; nth += 1)
        fs.writeFileSync(vault.at('matter/house.md'), `---\ntype: matter\nn: ${nth}\n---\n`);
      await answersAndActs(vault);
    },
  );

  attack(
    {
      attacker: 'another program',
      means: '20 000 files dropped into stream/ at once',
      loss: 'orders wait until all of them are read',
      defence: 'they have a queue of their own, and a listing lets others have a turn',
    },
    async () => {
      const vault = new Attacked(FILES);
      await vault.start();
      const place = vault.at('stream');
      fs.mkdirSync(place, { recursive: true });
      for (let nth = 0; nth < 20_000; nth += 1) fs.writeFileSync(path.join(place, `f${nth}.bin`), 'x');
      await answersAndActs(vault);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'ten thousand event notes of a year, one of which says another time than its name',
      loss: 'log and undo --last read the whole vault each time, or believe a name',
      defence: 'the daemon knows the newest by what the notes say, hour by hour, and parses no others',
    },
    async () => {
      const vault = new Attacked(FILES);
      for (let nth = 0; nth < 10_000; nth += 1) {
        fs.mkdirSync(vault.at(`event/${nth % 7}`), { recursive: true });
        fs.writeFileSync(vault.at(`event/${nth % 7}/steward-action-${nth}.md`), event(nth));
      }
      fs.writeFileSync(vault.at('event/steward-action-2019-01-01T00-00-00Z-lie.md'), event(10_000));
      fs.writeFileSync(vault.at('event/steward-action-2039-01-01T00-00-00Z-old.md'), event(-1));
      await vault.start();
      const { said } = await vault.steward('log', '-n', '3', '--json');
      const events: { event: string }[] = JSON.parse(said).events;
      expect(events.map(({ event: name }) => name)).toEqual([
        'steward-action-2019-01-01T00-00-00Z-lie',
        'steward-action-9999',
        'steward-action-9998',
      ]);
      expect(await vault.steward('undo', '--last', '1')).toMatchObject({ exit: 1 });
      vault.daemon.kill('SIGTERM');
      await vault.daemon.ended;
      const again: { event: string }[] = JSON.parse((await vault.steward('log', '-n', '3', '--json')).said).events;
      expect(again).toEqual(events);
    },
  );
});
