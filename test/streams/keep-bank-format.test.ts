import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepBankFormat } from '../../src/streams/streams.ts';
import { HOUSE } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';
import { readUnread } from './read-unread.ts';

const CARD = 'stream/card.csv';
const LINE = 'Date | Description | Amount => order = dmy, sign = turned';
const PAGE = '---\r\ntype: steward\r\nmode: live # for now\r\neditable_fields: [ room,  "due" ]\r\n---\r\nMy page.\r\n';

function card(): string {
  const day = new Date().toLocaleDateString('en-GB', { timeZone: 'UTC' });
  return `Date,Description,Amount\n01/02/2020,old,3.00\n${day},Northgate Notary,1250.00\n`;
}

function vaultWith(page: string): TempVault {
  return new TempVault({ ...HOUSE, 'steward.md': page, [CARD]: card() });
}

describe('how the files of a bank are read', () => {
  test('is kept in steward.md: that line comes in, and no other byte changes', async () => {
    const vault = vaultWith(PAGE);
    const bench = await Bench.open(vault);
    keepBankFormat(bench.ports, LINE);
    expect(vault.read('steward.md')).toBe(PAGE.replace('"due" ]\r\n', `"due" ]\r\nbank_formats:\r\n  - "${LINE}"\r\n`));
    keepBankFormat(bench.ports, LINE);
    keepBankFormat(bench.ports, LINE.replace('turned', 'as written'));
    keepBankFormat(bench.ports, '3 columns without names => date = #1');
    expect(vault.fields('steward.md').bank_formats).toEqual([
      LINE.replace('turned', 'as written'),
      '3 columns without names => date = #1',
    ]);
    expect(bench.ports.context.settings.bank_formats).toHaveLength(2);
  });

  test('holds at once: what was refused for want of it is read, and only once', async () => {
    const vault = vaultWith(PAGE);
    const bench = await Bench.open(vault);
    expect(await readUnread(bench)).toEqual([expect.objectContaining({ understood: false })]);
    expect(await readUnread(bench)).toEqual([]);
    keepBankFormat(bench.ports, LINE);
    expect(await readUnread(bench)).toEqual([
      expect.objectContaining({ understood: true, items: expect.objectContaining({ read: 2, refused: 0 }) }),
    ]);
    expect(await readUnread(bench)).toEqual([]);
  });

  test('is refused where it says nothing, or there is no steward.md', async () => {
    const vault = vaultWith(PAGE);
    const bench = await Bench.open(vault);
    expect(() => keepBankFormat(bench.ports, 'mode: live')).toThrow("isn't a bank format");
    fs.rmSync(path.join(vault.root, 'steward.md'));
    expect(() => keepBankFormat(bench.ports, LINE)).toThrow('The vault has no steward.md');
  });

  test('is heard by a running daemon, which reads the refused file then', async () => {
    const vault = vaultWith(PAGE);
    const running = await Running.start(vault);
    await running.heard('items-read', ({ file, reason }) => file === CARD && reason !== null);
    vault.write('steward.md', PAGE.replace('---\r\nMy', `bank_formats: ["${LINE}"]\r\n---\r\nMy`));
    const { items } = await running.heard('items-read', ({ file, reason }) => file === CARD && reason === null);
    expect(items).toMatchObject({ read: 2, refused: 0 });
  });
});
