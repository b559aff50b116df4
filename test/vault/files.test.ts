import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LOCK_LOST, StewardError } from '../../src/vault/errors.ts';
import {
  copyWhole,
  createWhole,
  fileError,
  giveAttributes,
  hasSameBytes,
  insideVault,
  loadSystemCalls,
  newPlace,
  openFile,
  readAttributes,
  readBytes,
  replaceWhole,
  sameAttributes,
} from '../../src/vault/files.ts';
import { staysInside } from '../../src/vault/layout.ts';
import { isBeingWritten } from '../../src/vault/publish.ts';
import { leaveRoom, MAY_MOUNT, smallDisk } from '../support/small-disk.ts';
import { TempVault } from '../support/temp-vault.ts';

const SHORT_WRITES = path.join(import.meta.dirname, 'short-writes-child.ts');

describe('a new note', () => {
  const made = () => {
    const vault = new TempVault();
    fs.mkdirSync(vault.places.tmp, { recursive: true });
    const create = (file: string, text: string) => createWhole(vault.root, vault.places.tmp, file, text);
    return { vault, create };
  };

  test('is whole under its name, its folder is made, and nothing is left behind', () => {
    const { vault, create } = made();
    expect(create('event/2026/x.md', 'whole')).toBe(true);
    expect(vault.read('event/2026/x.md')).toBe('whole');
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('never replaces one', () => {
    const { vault, create } = made();
    vault.write('event/x.md', 'theirs');
    expect(create('event/x.md', 'ours')).toBe(false);
    expect(vault.read('event/x.md')).toBe('theirs');
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('nor a link that leads nowhere, nor a folder', () => {
    const { vault, create } = made();
    fs.mkdirSync(vault.at('event'));
    fs.symlinkSync('/nonexistent/place', vault.at('event/x.md'));
    fs.mkdirSync(vault.at('event/y.md'));
    expect(create('event/x.md', 'ours')).toBe(false);
    expect(create('event/y.md', 'ours')).toBe(false);
    expect(fs.readlinkSync(vault.at('event/x.md'))).toBe('/nonexistent/place');
  });

  test('is not made outside, by its path or by a folder that is a link', () => {
    const { vault, create } = made();
    fs.mkdirSync(path.join(vault.home, 'away'));
    fs.symlinkSync(path.join(vault.home, 'away'), vault.at('event'));
    expect(() => create('../x.md', 'x')).toThrow(/leads out/);
    expect(() => create('event/x.md', 'x')).toThrow(/leads out/);
    expect(fs.readdirSync(path.join(vault.home, 'away'))).toEqual([]);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('where .steward went away with its vault, nothing is made in the empty place', () => {
    const { vault, create } = made();
    vault.remove('.steward');
    expect(() => create('event/x.md', 'x')).toThrow(/ENOENT/);
    expect(fs.readdirSync(vault.root)).toEqual([]);
  });
});

describe('a file that is replaced', () => {
  test('keeps its mode, and is left alone where it has changed since it was read', () => {
    const vault = new TempVault({ 'a.json': 'as it was read', '.steward/tmp/.keep': '' });
    fs.chmodSync(vault.at('a.json'), 0o604);
    const former = readBytes(vault.at('a.json'), 1000);
    expect(replaceWhole(vault.at('a.json'), 'ours', former)).toBe(true);
    expect(fs.statSync(vault.at('a.json')).mode & 0o777).toBe(0o604);
    expect(replaceWhole(vault.at('a.json'), 'ours once more', former)).toBe(false);
    expect(vault.read('a.json')).toBe('ours');
    expect(vault.names('.steward/tmp')).toEqual(['.keep']);
  });
});

test.skipIf(!MAY_MOUNT)(
  'a disk with room for half of it: nothing is made, nothing replaced, nothing left behind',
  () => {
    const vault = new TempVault();
    smallDisk(vault.root);
    fs.mkdirSync(vault.places.tmp, { recursive: true });
    fs.writeFileSync(vault.at('old.md'), 'old');
    leaveRoom(vault.at('filler'), 40_000);
    const long = 'x'.repeat(80_000);
    expect(() => createWhole(vault.root, vault.places.tmp, 'new.md', long)).toThrow(/ENOSPC/);
    expect(() => createWhole(vault.root, vault.places.tmp, 'new.md', Buffer.from(long))).toThrow(/ENOSPC/);
    expect(() => replaceWhole(vault.at('old.md'), long)).toThrow(/ENOSPC/);
    expect(vault.has('new.md')).toBe(false);
    expect(vault.read('old.md')).toBe('old');
    expect(vault.names('.steward/tmp')).toEqual([]);
  },
);

test('what somebody writes into a file while it is replaced comes back', () => {
  const vault = new TempVault({ 'a.json': 'as it was read' });
  const former = readBytes(vault.at('a.json'), 1000);
  const type = () => fs.writeFileSync(vault.at('a.json'), 'typed meanwhile');
  expect(replaceWhole(vault.at('a.json'), 'ours', former, type)).toBe(false);
  expect(vault.read('a.json')).toBe('typed meanwhile');
  expect(fs.readdirSync(vault.root).filter((name) => name.startsWith('a.json'))).toEqual(['a.json']);
});

test('a file that is written too short is as it was, and a new one is gone', () => {
  const vault = new TempVault({ 'state.json': 'former', 'log.json': 'former' });
  // No write goes beyond 40 blocks: the first is short, and says nothing of it.
  const few = 'trap "" XFSZ; ulimit -f 40; exec "$0" "$@"';
  const said = execFileSync('sh', ['-c', few, process.execPath, SHORT_WRITES, vault.root], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({ state: 'disk-full', new: 'disk-full', whole: 'ENOSPC', fits: 'done' });
  expect(vault.read('state.json')).toBe('former');
  expect(vault.read('log.json')).toBe('former');
  expect(vault.read('fits.json')).toBe('short');
  expect(
    fs
      .readdirSync(vault.root)
      .filter((name) => name.includes('json'))
      .sort(),
  ).toEqual(['fits.json', 'log.json', 'state.json']);
});

describe('reading', () => {
  test('a FIFO does not hang and is refused', () => {
    const vault = new TempVault();
    execFileSync('mkfifo', [vault.at('pipe.md')]);
    expect(() => readBytes(vault.at('pipe.md'), 1000)).toThrow(/not a regular file/);
  });

  test('a folder is refused, a file that is too large too', () => {
    const vault = new TempVault({ 'large.md': 'x'.repeat(1001), 'fits.md': 'x'.repeat(1000) });
    expect(() => readBytes(vault.root, 1000)).toThrow(/not a regular file/);
    expect(() => readBytes(vault.at('large.md'), 1000)).toThrow(/1001 bytes/);
    expect(readBytes(vault.at('fits.md'), 1000).bytes).toHaveLength(1000);
  });
});

describe('staying inside', () => {
  test.each(['../x.md', '/etc/passwd', 'a/../../x.md', 'a\\..\\x.md', 'C:x.md', 'x\0.md'])('%j does not', (file) => {
    expect(staysInside(file)).toBe(false);
  });

  test.each(['a.md', 'a/b.md', './a.md', 'a/../b.md', '..a.md'])('%j does', (file) => {
    expect(staysInside(file)).toBe(true);
  });

  test('a sibling folder whose name begins like the vault is outside', () => {
    const vault = new TempVault();
    fs.mkdirSync(`${vault.root}-2`);
    fs.writeFileSync(`${vault.root}-2/x.md`, '');
    expect(() => insideVault(vault.root, '../vault-2/x.md')).toThrow(/leads out/);
    expect(() => newPlace(vault.root, '../vault-2/y.md')).toThrow(/leads out/);
  });
});

test('system errors in plain words, with the file', () => {
  const error = fileError(Object.assign(new Error('x'), { code: 'ENOSPC' }), 'task/pay.md');
  expect(error.trouble).toMatchObject({ code: 'disk-full', file: 'task/pay.md' });
  expect(error.message).toBe('task/pay.md cannot be written: the disk is full.');
});

const system = loadSystemCalls();

describe.skipIf(system === null)('what a file has besides its bytes (Linux)', () => {
  test('is given to another file, and what that had more is taken away', () => {
    const vault = new TempVault({ 'one.md': 'x', 'other.md': 'x' });
    const [one, other] = [vault.at('one.md'), vault.at('other.md')];
    fs.chmodSync(one, 0o640);
    system?.setAttribute(one, 'user.label', Buffer.from('a'));
    system?.setAttribute(other, 'user.label', Buffer.from('b'));
    system?.setAttribute(other, 'user.more', Buffer.from('c'));
    expect(sameAttributes(readAttributes(one, system), readAttributes(other, system))).toBe(false);
    expect(giveAttributes(other, readAttributes(one, system), system)).toBe(true);
    expect(readAttributes(other, system)).toEqual(readAttributes(one, system));
    expect([...readAttributes(other, system).extended]).toEqual([['user.label', Buffer.from('a')]]);
  });

  test('what cannot be given is said', () => {
    const vault = new TempVault({ 'one.md': 'x' });
    const like = readAttributes(vault.at('one.md'), system);
    const impossible = { ...like, extended: new Map([['nobody.knows', Buffer.from('a')]]) };
    expect(giveAttributes(vault.at('one.md'), impossible, system)).toBe(false);
  });

  test('a file that is gone is an error of the system', () => {
    expect(() => system?.attributes('/nowhere/at/all')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  test('whether somebody writes into a file, by the kernel and by /proc', () => {
    const vault = new TempVault({ 'one.md': 'x' });
    const file = vault.at('one.md');
    const reader = fs.openSync(file, 'r');
    expect(isBeingWritten(file, system)).toBe(false);
    expect(isBeingWritten(file, null)).toBeNull();
    const writer = fs.openSync(file, 'a');
    expect(isBeingWritten(file, system)).toBe(true);
    expect(isBeingWritten(file, null)).toBe(true);
    fs.closeSync(writer);
    fs.closeSync(reader);
    expect(isBeingWritten(file, system)).toBe(false);
  });
});

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
