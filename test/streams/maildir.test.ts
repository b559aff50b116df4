import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HOUSE, PAID_MAIL, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { sweepAndRead } from './read-unread.ts';

const DELIVERED = 'stream/mail/new/1617000000.M1P2.host.example';
const READ = 'stream/mail/cur/1617000000.M1P2.host.example:2,S';
const ANSWERED = 'stream/mail/cur/1617000000.M1P2.host.example:2,RS';

test('a mail of a Maildir is read once, whatever flags its name gets', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), [DELIVERED]: PAID_MAIL });
  const bench = await Bench.open(vault);
  expect(await sweepAndRead(bench)).toEqual([DELIVERED]);
  expect(vault.names('signal')).toHaveLength(1);
  const [signal = ''] = vault.names('signal');
  expect(vault.fields(`signal/${signal}`)).toMatchObject({ source_type: 'mail', source_event_path: DELIVERED });

  fs.mkdirSync(path.join(vault.root, 'stream/mail/cur'));
  for (const [from, to] of [
    [DELIVERED, READ],
    [READ, ANSWERED],
  ] as const) {
    fs.renameSync(path.join(vault.root, from), path.join(vault.root, to));
    expect(await sweepAndRead(bench)).toEqual([to]);
    expect(vault.names('signal')).toHaveLength(1);
    expect(bench.status().streams).toMatchObject({ seen: 1, refused: [], unreadKinds: [] });
  }
});
