import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { importFiles } from '../../src/features/import.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { copyWhole, openFile } from '../../src/vault/files.ts';
import { mailbox, paidMail } from '../streams/mailboxes.ts';
import { HOUSE, PAID_MAIL } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { attack } from './attack.ts';

const NEVER = new AbortController().signal;
const NAME = '1735689600.M1P1.host:2,S';

/** A vault, and a folder outside it with a mail, a mailbox and a Maildir. */
function world() {
  const vault = new TempVault(HOUSE);
  const outside = path.join(vault.home, 'outside');
  fs.mkdirSync(path.join(outside, 'Mail', 'cur'), { recursive: true });
  fs.mkdirSync(path.join(outside, 'Mail', 'new'));
  fs.mkdirSync(vault.at('stream'));
  fs.writeFileSync(path.join(outside, 'a.eml'), PAID_MAIL);
  fs.writeFileSync(path.join(outside, 'box.mbox'), mailbox(paidMail('one')));
  fs.writeFileSync(path.join(outside, 'Mail', 'cur', NAME), paidMail('two'), { mode: 0o600 });
  const at = (name: string) => path.join(outside, name);
  const run = async (...names: string[]) => {
    const { ports } = await Bench.open(vault);
    const read = (file: string) => readStream(ports, file, NEVER);
    return importFiles(ports, names.map(at), { read, tell: () => {}, abort: NEVER });
  };
  return { vault, at, run };
}

describe('what lies in the way of an import', () => {
  attack(
    {
      attacker: 'a sync peer',
      means: 'puts a link to a letter outside in the place where the copy would lie',
      loss: 'the letter is read as a mail, or written over',
      defence: 'a link that leads out is another file: the copy gets a name of its own',
    },
    async () => {
      const { vault, run, at } = world();
      fs.writeFileSync(at('letter'), 'dear Ann');
      fs.symlinkSync(at('letter'), vault.at('stream/a.eml'));
      expect(await run('a.eml')).toMatchObject([{ file: 'stream/a-2.eml' }]);
      expect(fs.readFileSync(at('letter'), 'utf8')).toBe('dear Ann');
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'puts a pipe in that place, which never ends',
      loss: 'an import that never ends, and a daemon that does nothing else',
      defence: 'nothing but a regular file is compared, and none is waited for when it is opened',
    },
    async () => {
      const { vault, run } = world();
      execFileSync('mkfifo', [vault.at('stream/box.mbox')]);
      expect(await run('box.mbox')).toMatchObject([{ file: 'stream/box-2.mbox', items: { signals: 1 } }]);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'makes the folder of a Maildir in stream/ a link that leads out',
      loss: 'the mails of the person in a folder of somebody else',
      defence:
        'where the copy would lie is looked at with every link resolved, before a folder is made or a byte written',
    },
    async () => {
      const { vault, run, at } = world();
      fs.mkdirSync(at('theirs'));
      fs.symlinkSync(at('theirs'), vault.at('stream/Mail'));
      await expect(run('Mail')).rejects.toMatchObject({ trouble: { code: 'path-outside-vault' } });
      expect(fs.readdirSync(at('theirs'))).toEqual([]);
      expect(fs.readdirSync(vault.places.tmp)).toEqual([]);
    },
  );

  attack(
    {
      attacker: 'another local user',
      means: 'reads the copy of a private Maildir',
      loss: 'the mails',
      defence: 'each copy has the readers of the mail that it was made of',
    },
    async () => {
      const { vault, run } = world();
      await run('Mail');
      expect(fs.statSync(vault.at(`stream/Mail/cur/${NAME}`)).mode & 0o777).toBe(0o600);
    },
  );
});

describe('what is imported', () => {
  attack(
    {
      attacker: 'a sender',
      means: 'a file that is named like a mailbox and holds something else',
      loss: 'rubbish in the vault, which is synced to every device',
      defence: 'name and first bytes are looked at before anything is copied',
    },
    async () => {
      const { vault, run, at } = world();
      fs.writeFileSync(at('box.mbox'), Buffer.alloc(1024 * 1024, 0x7f));
      expect(await run('box.mbox')).toMatchObject([{ file: null, understood: false }]);
      expect(fs.readdirSync(vault.at('stream'))).toEqual([]);
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'another program rewrites the mailbox while it is copied',
      loss: 'half of the old and half of the new one, and mails that nobody wrote',
      defence:
        'the file is looked at once more before the copy gets its name; of one that was cut or rewritten nothing is kept',
    },
    async () => {
      const { vault, at } = world();
      fs.writeFileSync(at('box.mbox'), Buffer.alloc(3 * 1024 * 1024, 'From me\n'));
      fs.mkdirSync(vault.places.tmp, { recursive: true });
      const source = await openFile(at('box.mbox'));
      const order = {
        root: vault.root,
        tmp: vault.places.tmp,
        file: 'stream/box.mbox',
        ready: () => {},
        demand: () => {},
        abort: NEVER,
      };
      const copied = () => fs.truncateSync(at('box.mbox'), 100);
      const copying = copyWhole(source, { ...order, copied });
      await expect(copying).rejects.toMatchObject({ trouble: { code: 'changed-meanwhile' } });
      await source.handle.close();
      expect(fs.readdirSync(vault.at('stream'))).toEqual([]);
      expect(fs.readdirSync(vault.places.tmp)).toEqual([]);
    },
  );
});
