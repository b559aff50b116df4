import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyWhole, hasSameBytes, openFile } from '../../../src/vault/disk/copy-whole.ts';
import { LOCK_LOST, StewardError } from '../../../src/vault/errors.ts';
import { TempVault } from '../../support/temp-vault.ts';

const MIB = 1024 * 1024;
const NEVER = new AbortController().signal;

/** A vault, and a file outside it that is open to be copied. */
async function world(bytes: Uint8Array | string, files = {}) {
  const vault = new TempVault(files);
  const { tmp } = vault.places;
  fs.mkdirSync(tmp, { recursive: true });
  const from = path.join(vault.home, 'from.bin');
  fs.writeFileSync(from, bytes);
  const source = await openFile(from);
  onTestFinished(() => source.handle.close());
  const order = {
    root: vault.root,
    tmp,
    file: 'stream/to.bin',
    ready: () => {},
    demand: () => {},
    copied: () => {},
    abort: NEVER,
  };
  return { vault, from, source, order };
}

test('a file of several parts is copied byte for byte, and says how far it is', async () => {
  const bytes = Buffer.alloc(3 * MIB + 17, 'abc\n');
  const { vault, source, order } = await world(bytes);
  const heard: number[] = [];
  expect(await copyWhole(source, { ...order, copied: (done) => heard.push(done) })).toBe(true);
  expect(fs.readFileSync(vault.at('stream/to.bin')).equals(bytes)).toBe(true);
  expect(heard).toEqual([MIB, 2 * MIB, 3 * MIB, 3 * MIB + 17]);
  expect(fs.readdirSync(vault.places.tmp)).toEqual([]);
});

test('an empty file is copied too', async () => {
  const { vault, source, order } = await world('');
  expect(await copyWhole(source, order)).toBe(true);
  expect(vault.read('stream/to.bin')).toBe('');
});

test('a copy that is ended leaves nothing', async () => {
  const { vault, source, order } = await world(Buffer.alloc(3 * MIB));
  const ended = new AbortController();
  const copied = (done: number) => {
    if (done === 2 * MIB) ended.abort(new Error('ended'));
  };
  await expect(copyWhole(source, { ...order, copied, abort: ended.signal })).rejects.toThrow('ended');
  expect(fs.existsSync(vault.at('stream/to.bin'))).toBe(false);
  expect(fs.readdirSync(vault.places.tmp)).toEqual([]);
});

test('in a vault that is lost meanwhile nothing is written any more, and nothing taken away', async () => {
  const { vault, source, order } = await world(Buffer.alloc(3 * MIB));
  let copied = 0;
  const demand = () => {
    if (copied > 0) throw new StewardError({ code: LOCK_LOST, message: 'It is lost.', hint: '' });
  };
  const hear = (done: number) => {
    copied = done;
  };
  await expect(copyWhole(source, { ...order, demand, copied: hear })).rejects.toThrow('It is lost.');
  expect(copied).toBe(MIB);
  expect(fs.existsSync(vault.at('stream/to.bin'))).toBe(false);
  expect(fs.readdirSync(vault.places.tmp)).toHaveLength(1);
});

test('a name that is taken stays as it is', async () => {
  const { vault, source, order } = await world('mine', { 'stream/to.bin': 'theirs' });
  expect(await copyWhole(source, order)).toBe(false);
  expect(vault.read('stream/to.bin')).toBe('theirs');
});

test('what is added meanwhile is left out, and a file that is rewritten is refused', async () => {
  const grown = await world('one\n');
  fs.appendFileSync(grown.from, 'two\n');
  expect(await copyWhole(grown.source, grown.order)).toBe(true);
  expect(grown.vault.read('stream/to.bin')).toBe('one\n');
  const cut = await world('one\ntwo\n');
  fs.truncateSync(cut.from, 4);
  await expect(copyWhole(cut.source, cut.order)).rejects.toThrow('rewritten');
  expect(fs.existsSync(cut.vault.at('stream/to.bin'))).toBe(false);
});

test('the same bytes are recognised, others of the same size are not', async () => {
  const bytes = Buffer.alloc(2 * MIB + 5, 'x');
  const other = Buffer.from(bytes);
  other[2 * MIB + 4] = 1;
  const { vault, source } = await world(bytes, { 'stream/same': bytes, 'stream/other': other, 'stream/short': 'x' });
  expect(await hasSameBytes(vault.root, 'stream/same', source)).toBe(true);
  for (const file of ['stream/other', 'stream/short', 'stream/none', 'stream']) {
    expect(await hasSameBytes(vault.root, file, source), file).toBe(false);
  }
});
