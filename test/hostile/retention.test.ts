import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { sha256 } from '../../src/vault/note-text.ts';
import { retire } from '../../src/vault/publish.ts';
import { Clock, DAY, HOUR } from '../support/clock.ts';
import { HOUSE, instinct, PAID_MAIL, settings } from '../support/notes.ts';
import { ROOF_LICENCE } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { attack } from './attack.ts';

// Retention is the only thing that takes files of people out of the vault. Whoever shares the vault can switch it on.

const MAIL = 'stream/mail/paid.eml';
const SURE = { 'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }) };
const PEER = { attacker: 'a sync peer' } as const;

/** A vault with one mail that was read and acted upon. */
async function house(fields: object, files: object = {}) {
  const said = settings({ settle_seconds: 0, ...fields });
  const vault = new TempVault({ ...HOUSE, ...SURE, ...ROOF_LICENCE, 'steward.md': said, [MAIL]: PAID_MAIL, ...files });
  const clock = new Clock();
  const running = await Running.start(vault, { clock });
  await running.heard('acted');
  await running.daemon.idle();
  return { vault, running, clock };
}

/** The event notes but for those in which the steward says what it sees by itself, which come as the years pass. */
function decided({ vault }: { vault: TempVault }): string[] {
  return vault.events().filter((event) => vault.fields(event).perceived === undefined);
}

async function pass({ running, clock }: { running: Running; clock: Clock }, days: number): Promise<void> {
  for (const ms of [days * DAY, DAY + HOUR]) {
    clock.move(ms);
    await running.daemon.wake();
    await running.daemon.idle();
  }
}

describe('settings that a peer writes', () => {
  for (const days of [0, -1, 29, 1e9, 30.5, '30', 'all', [30], Number.NaN]) {
    attack(
      {
        ...PEER,
        means: `keep_stream_days and keep_event_days: ${JSON.stringify(days)}`,
        loss: 'the mails and the audit trail, at once',
        defence: 'days are whole numbers from 30 on; anything else keeps everything and is named',
      },
      async () => {
        const there = await house({ keep_stream_days: days, keep_event_days: days });
        await pass(there, 4000);
        expect(there.vault.has(MAIL)).toBe(true);
        expect(decided(there)).toHaveLength(1);
        const said = there.running.daemon.status().trouble.filter(({ code }) => code === 'settings-invalid');
        expect(said.map(({ message }) => message)).toContainEqual(expect.stringContaining('30 to 36500'));
      },
    );
  }

  attack(
    {
      ...PEER,
      means: 'the shortest days, on a vault that is years old',
      loss: 'what can be undone, or shows whom to trust; everything before anybody sees it',
      defence: 'it is said a day before; only mails that were dealt with go, and lie in the history for a week',
    },
    async () => {
      const there = await house({});
      there.clock.move(1000 * DAY);
      there.vault.write('steward.md', settings({ settle_seconds: 0, keep_stream_days: 30, keep_event_days: 30 }));
      await there.running.sync();
      there.clock.move(HOUR);
      await there.running.daemon.wake();
      await there.running.daemon.idle();
      expect(there.vault.has(MAIL)).toBe(true);
      await there.running.heard('retention');
      await pass(there, 0);
      expect(there.vault.has(MAIL)).toBe(false);
      expect(there.vault.names('.steward/history').some((name) => name.startsWith('removed-paid.eml'))).toBe(true);
      expect(decided(there)).toHaveLength(1);
      expect(there.vault.names('signal')).toHaveLength(1);
    },
  );
});

attack(
  {
    ...PEER,
    means: 'makes a new mail look ten years old, by its time on disk and its Date',
    loss: 'a mail leaves before anybody has read it',
    defence: 'its age is counted from when the program read it',
  },
  async () => {
    const there = await house({ keep_stream_days: 30 });
    await pass(there, 25);
    there.vault.write(
      'stream/mail/new.eml',
      PAID_MAIL.replace(/^Date: .*$/m, 'Date: Mon, 3 Jan 2011 10:00:00 +0000'),
      3650 * DAY,
    );
    await there.running.heard('stream-read', ({ file }) => file.endsWith('new.eml'));
    await pass(there, 20);
    expect([there.vault.has(MAIL), there.vault.has('stream/mail/new.eml')]).toEqual([false, true]);
  },
);

describe('links', () => {
  for (const where of ['outside the vault', 'inside the vault']) {
    attack(
      {
        ...PEER,
        means: `puts a link to a folder ${where} in the place of stream/`,
        loss: 'a file that lies there is moved away',
        defence: 'nothing behind a link leaves: the folder is opened, and the system asked where it lies',
      },
      async () => {
        const there = await house({ keep_stream_days: 30 });
        const other = where === 'outside the vault' ? path.join(there.vault.home, 'other') : there.vault.at('other');
        fs.renameSync(there.vault.at('stream'), other);
        fs.symlinkSync(other, there.vault.at('stream'));
        await there.running.sync();
        await pass(there, 40);
        expect(fs.readFileSync(path.join(other, 'mail/paid.eml'), 'utf8')).toBe(PAID_MAIL);
      },
    );
  }

  attack(
    {
      ...PEER,
      means: 'puts a link in the place of .steward/history',
      loss: 'a mail is carried out of the vault',
      defence: 'nothing is moved there, and the vault counts as away',
    },
    async () => {
      const there = await house({ keep_stream_days: 30 });
      const other = path.join(there.vault.home, 'other');
      fs.mkdirSync(other);
      fs.rmSync(there.vault.places.history, { recursive: true });
      fs.symlinkSync(other, there.vault.places.history);
      await pass(there, 40);
      expect(there.vault.has(MAIL)).toBe(true);
      expect(fs.readdirSync(other)).toEqual([]);
    },
  );

  attack(
    {
      ...PEER,
      means: 'names a file through a link, a hard link, or with other bytes by now',
      loss: 'a file that nobody decided about is moved away',
      defence: 'only a plain file with one name and the known bytes leaves',
    },
    () => {
      const vault = new TempVault({ 'stream/a.eml': 'a', 'elsewhere/b.eml': 'b', 'stream/c.eml': 'c' });
      fs.mkdirSync(vault.places.history, { recursive: true });
      fs.symlinkSync(vault.at('elsewhere/b.eml'), vault.at('stream/b.eml'));
      fs.symlinkSync(vault.at('elsewhere'), vault.at('stream/folder'));
      fs.linkSync(vault.at('stream/c.eml'), vault.at('elsewhere/c.eml'));
      const goes = (file: string, bytes: string) =>
        retire(vault.root, vault.places, { file, maxBytes: 100, fits: (found) => found === sha256(bytes) });
      expect(goes('stream/b.eml', 'b')).toBe(false);
      expect(goes('stream/folder/b.eml', 'b')).toBe(false);
      expect(goes('stream/../elsewhere/b.eml', 'other')).toBe(false);
      expect(goes('stream/c.eml', 'c')).toBe(false);
      expect(goes('stream/a.eml', 'b')).toBe(false);
      expect(goes('stream/gone.eml', 'a')).toBe(false);
      expect(goes('stream', 'a')).toBe(false);
      expect(fs.readdirSync(vault.places.history)).toEqual([]);
      expect(goes('stream/a.eml', 'a')).toBe(true);
      expect(vault.names('stream')).not.toContain('a.eml');
    },
  );
});
