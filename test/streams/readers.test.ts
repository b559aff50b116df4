import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StreamReader } from '../../src/daemon/context.ts';
import { readMail } from '../../src/streams/items.ts';
import { READERS } from '../../src/streams/streams.ts';
import { HOUSE, PAID_MAIL, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { sweepAndRead } from './read-unread.ts';

const NOTE = 'stream/paid.letter';
const FILES = { ...HOUSE, 'task/pay.md': task() };
/** Letters hold what mails hold. */
const letters: StreamReader = { name: 'letter', version: 1, takes: (file) => file.endsWith('.letter'), read: readMail };

function signalsIn(vault: TempVault): string[] {
  return vault.names('signal');
}

async function benchWith(vault: TempVault, ...readers: readonly StreamReader[]): Promise<Bench> {
  const bench = await Bench.open(vault);
  bench.ports.ingest.readers = readers;
  return bench;
}

describe('a file that no reader understood', () => {
  test('is read when one does, and only once', async () => {
    const vault = new TempVault({ ...FILES, [NOTE]: PAID_MAIL });
    const before = await benchWith(vault, ...READERS);
    expect(await sweepAndRead(before)).toEqual([NOTE]);
    expect(await sweepAndRead(before)).toEqual([]);
    expect(signalsIn(vault)).toEqual([]);
    before.close();

    const after = await benchWith(vault, ...READERS, letters);
    expect(await sweepAndRead(after)).toEqual([NOTE]);
    expect(signalsIn(vault)).toHaveLength(1);
    expect(await sweepAndRead(after)).toEqual([]);
    expect(after.status().streams).toMatchObject({ read: 1, signals: 1, skipped: 0, unreadKinds: [] });
  });

  test('or could not read, is read again by a newer version; what was understood is not', async () => {
    const vault = new TempVault({
      ...FILES,
      [NOTE]: PAID_MAIL,
      'stream/dull.letter': 'Subject: Hello\r\n\r\nNothing.\r\n',
    });
    const blind: StreamReader = {
      ...letters,
      read: async (file, bytes, door) =>
        file === NOTE ? { ok: false, trouble: { ...WRONG, file } } : readMail(file, bytes, door),
    };
    const old = await benchWith(vault, blind);
    expect((await sweepAndRead(old)).toSorted()).toEqual(['stream/dull.letter', NOTE]);
    expect(old.status().streams.refused).toMatchObject([{ file: NOTE, reason: WRONG.message }]);
    expect(await sweepAndRead(old)).toEqual([]);
    old.close();

    const renewed = await benchWith(vault, { ...letters, version: 2 });
    expect(await sweepAndRead(renewed)).toEqual([NOTE]);
    expect(signalsIn(vault)).toHaveLength(1);
    expect(await sweepAndRead(renewed)).toEqual([]);
  });
});

const WRONG = { code: 'letter-unreadable', line: null, column: null, message: 'No letter.', hint: 'None.' };

test('files of kinds that are not read are counted by kind, and each kind is said once', async () => {
  const vault = new TempVault({
    ...FILES,
    ...{
      'stream/a.pages': 'a',
      'stream/b.PAGES': 'b',
      'stream/c.msg': 'c',
      'stream/d': 'd',
      'stream/e.eml': PAID_MAIL,
    },
  });
  const bench = await benchWith(vault, ...READERS);
  await sweepAndRead(bench);
  expect(bench.status().streams).toMatchObject({
    ...{ seen: 5, read: 1, signals: 1, skipped: 0, refused: [] },
    unreadKinds: [
      { kind: '.pages', files: 2 },
      { kind: '.msg', files: 1 },
      { kind: 'no ending', files: 1 },
    ],
  });
  const said = bench.happenings.flatMap((one) => (one.what === 'kind-unread' ? [one.kind] : []));
  expect(said.toSorted()).toEqual(['.msg', '.pages']);
});

test('a large file of a kind that is not read is not taken into memory', async () => {
  const vault = new TempVault({ ...FILES, 'stream/film.mov': '' });
  fs.truncateSync(path.join(vault.root, 'stream/film.mov'), 4 * 1024 ** 3);
  const bench = await benchWith(vault, ...READERS);
  await sweepAndRead(bench);
  expect(bench.status().streams).toMatchObject({ refused: [], unreadKinds: [{ kind: '.mov', files: 1 }] });
});
