import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING } from '../../src/vault/record.ts';
import { type RecordChange, Vault } from '../../src/vault/vault.ts';
import { matter, settings, signal, task } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { refused } from '../support/refused.ts';
import { TempVault } from '../support/temp-vault.ts';

const FILES = {
  'steward.md': settings(),
  'matter/house.md': matter(),
  'matter/boat.md': matter(),
  'task/pay.md': task(),
  'task/two.md': task(),
  '.steward/lock': '',
};

async function opened(files: Record<string, string | Uint8Array> = FILES) {
  const temp = new TempVault(files);
  const vault = new Vault(temp.root, new Layout(), DEFAULT_MAPPING);
  await vault.open(temp.places.cache, testSeal());
  return { temp, vault };
}

describe('a sweep finds everything without a watcher', () => {
  test('new, changed, deleted', async () => {
    const { temp, vault } = await opened();
    temp.write('task/three.md', task());
    temp.write('task/pay.md', task({ state: 'done' }));
    temp.remove('matter/boat.md');
    await vault.sweep();
    expect(vault.catalogue.get('task/three.md')?.kind).toBe('task');
    expect(vault.catalogue.get('task/pay.md')).toMatchObject({ fields: { state: 'done' } });
    expect(vault.catalogue.get('matter/boat.md')).toBeUndefined();
    expect(vault.away).toBeNull();
  });

  test('new and changed stream files', async () => {
    const { temp, vault } = await opened();
    temp.write('stream/a.eml', 'x');
    await vault.sweep();
    expect([...vault.streams.keys()]).toEqual(['stream/a.eml']);
    temp.remove('stream/a.eml');
    temp.write('stream/b.eml', 'x');
    await vault.sweep();
    expect([...vault.streams.keys()]).toEqual(['stream/b.eml']);
  });

  test('asked for while another is under way, sees what was written in between', async () => {
    const { temp, vault } = await opened();
    const first = vault.sweep();
    temp.write('task/three.md', task());
    temp.write('matter/aaa.md', matter());
    await Promise.all([first, vault.sweep()]);
    expect(vault.catalogue.get('task/three.md')?.kind).toBe('task');
    expect(vault.catalogue.get('matter/aaa.md')?.kind).toBe('matter');
  });

  test('a folder that came with notes in it', async () => {
    const { temp, vault } = await opened();
    temp.write('signal/2026/11/a.md', signal());
    await vault.sweep();
    expect(vault.catalogue.count('signal')).toBe(1);
  });

  test.runIf(process.getuid?.() !== 0)('a folder that cannot be listed keeps what was known of it', async () => {
    const { temp, vault } = await opened({ ...FILES, 'matter/2026/trip.md': matter() });
    fs.chmodSync(temp.at('matter/2026'), 0);
    await vault.sweep();
    expect(vault.catalogue.get('matter/2026/trip.md')?.kind).toBe('matter');
    expect(vault.unreadable.has('matter/2026')).toBe(true);
    fs.chmodSync(temp.at('matter/2026'), 0o755);
    await vault.sweep();
    expect(vault.unreadable.size).toBe(0);
  });
});

test('a note that the disk refuses to give is read again at every sweep, and said once', async () => {
  const disk = refused('task/pay.md', 'EIO');
  const { vault } = await opened();
  expect(vault.catalogue.get('task/pay.md')).toMatchObject({ kind: 'bad', trouble: { code: 'disk-error' } });
  const changes: RecordChange[] = [];
  const nothing = () => {};
  const changed = (some: readonly RecordChange[]) => void changes.push(...some);
  await vault.watch({ changed, streamed: nothing, settings: nothing, sources: () => {}, presence: nothing });
  await vault.sweep();
  expect(changes).toEqual([]);
  disk.again();
  await vault.sweep();
  expect(vault.catalogue.get('task/pay.md')).toMatchObject({ kind: 'task' });
  expect(changes.map(({ path }) => path)).toEqual(['task/pay.md']);
  await vault.close();
});

describe('what is not a record', () => {
  test('conflict copies are counted and never read', async () => {
    const { temp, vault } = await opened();
    const copies = [
      'task/pay (Conflicted copy PHONE 202611212019).md',
      'matter/house.sync-conflict-20261121-201954-ABCDEFG.md',
      "signal/a (Robin's conflicted copy).md",
    ];
    for (const file of copies) temp.write(file, signal());
    await vault.sweep();
    expect([...vault.conflictCopies].sort()).toEqual([...copies].sort());
    expect(vault.catalogue.size).toBe(4);
    for (const file of copies) expect(vault.look([file])).toEqual([]);
    temp.remove('task/pay (Conflicted copy PHONE 202611212019).md');
    await vault.sweep();
    expect(vault.conflictCopies.size).toBe(2);
  });

  test('a FIFO in a record folder holds nothing up', async () => {
    const temp = new TempVault(FILES);
    execFileSync('mkfifo', [temp.at('task/pipe.md')]);
    const vault = new Vault(temp.root, new Layout(), DEFAULT_MAPPING);
    await vault.open('', testSeal());
    await vault.sweep();
    expect(vault.catalogue.get('task/pipe.md')).toBeUndefined();
    fs.rmSync(temp.at('task/two.md'));
    execFileSync('mkfifo', [temp.at('task/two.md')]);
    await vault.sweep();
    expect(vault.catalogue.get('task/two.md')).toBeUndefined();
    expect(vault.look(['task/pipe.md'])).toEqual([]);
  });

  test('a note over 1 MiB is reported, one of exactly 1 MiB is read', async () => {
    const start = task();
    const exactly = start + 'x'.repeat(1024 * 1024 - Buffer.byteLength(start));
    const { vault } = await opened({ ...FILES, 'task/large.md': `${exactly}x`, 'task/fits.md': exactly });
    expect(vault.catalogue.get('task/fits.md')?.kind).toBe('task');
    expect(vault.catalogue.get('task/large.md')).toMatchObject({
      kind: 'bad',
      trouble: { code: 'note-too-large', file: 'task/large.md' },
    });
  });

  test.each<[string, string | Uint8Array]>([
    ['task/broken.md', '---\nstate: [open\n---\n'],
    ['task/code.md', '---js\n{ state: process.exit(1) }\n---\n'],
    ['task/twice.md', '---\nstate: open\nstate: done\n---\n'],
    ['task/empty.md', ''],
    ['task/binary.md', Buffer.from([0, 159, 146, 150, 0, 1, 2])],
    ['task/half.md', '---\nstate: open\n'],
    ['signal/seven.md', signal({ effect_confidence: 7 })],
    ['task/event.md', matter()],
  ])('%s is reported with its file, and the rest carries on', async (file, bytes) => {
    const { vault } = await opened({ ...FILES, [file]: bytes });
    expect(vault.catalogue.get(file)).toMatchObject({
      kind: 'bad',
      trouble: { file, hint: expect.stringMatching(/./) },
    });
    expect(vault.catalogue.size).toBe(5);
    expect(vault.catalogue.count('task')).toBeGreaterThanOrEqual(2);
  });

  test('a symlink that leads out is not read, one that stays in is', async () => {
    const temp = new TempVault(FILES);
    fs.writeFileSync(path.join(temp.home, 'out.md'), task());
    fs.symlinkSync(path.join(temp.home, 'out.md'), temp.at('task/out.md'));
    fs.symlinkSync('pay.md', temp.at('task/in.md'));
    const vault = new Vault(temp.root, new Layout(), DEFAULT_MAPPING);
    await vault.open('', testSeal());
    expect(vault.catalogue.get('task/out.md')).toBeUndefined();
    expect(vault.catalogue.get('task/in.md')?.kind).toBe('task');
  });
});

describe('a watcher', () => {
  test('tells what changed, as it was and as it is', async () => {
    const { temp, vault } = await opened();
    const changes: RecordChange[] = [];
    const heard = Promise.withResolvers<void>();
    await vault.watch({
      changed: (found) => {
        changes.push(...found);
        if (changes.some(({ path: file }) => file === 'task/pay.md')) heard.resolve();
      },
      streamed: () => {},
      settings: () => {},
      sources: () => {},
      presence: () => {},
    });
    try {
      temp.write('task/pay.md', task({ state: 'done' }));
      await heard.promise;
      expect(changes[0]).toMatchObject({
        path: 'task/pay.md',
        before: { fields: { state: 'open' } },
        after: { fields: { state: 'done' } },
      });
    } finally {
      await vault.close();
    }
  });

  test('another folder in the place of the vault is known as such until a sweep has it watched', async () => {
    const { temp, vault } = await opened();
    await vault.watch({
      changed: () => {},
      streamed: () => {},
      settings: () => {},
      sources: () => {},
      presence: () => {},
    });
    try {
      expect(vault.isReplaced).toBe(false);
      fs.cpSync(temp.root, `${temp.root}-copy`, { recursive: true, preserveTimestamps: true });
      fs.renameSync(temp.root, `${temp.root}-old`);
      fs.renameSync(`${temp.root}-copy`, temp.root);
      expect(vault.isReplaced).toBe(true);
      await vault.sweep();
      expect(vault.isReplaced).toBe(false);
    } finally {
      await vault.close();
    }
  });

  test('a burst of notes: every one is found', async () => {
    const { temp, vault } = await opened();
    const all = Promise.withResolvers<void>();
    await vault.watch({
      changed: () => {
        if (vault.catalogue.count('signal') === 500) all.resolve();
      },
      streamed: () => {},
      settings: () => {},
      sources: () => {},
      presence: () => {},
    });
    try {
      for (let count = 0; count < 500; count += 1) temp.write(`signal/${count}.md`, signal({ raw_quote: `${count}` }));
      await all.promise;
    } finally {
      await vault.close();
    }
  });
});

test('a note that is back before a sweep lets it go stays known', async () => {
  const notes = { 'matter/a.md': matter(), 'matter/b.md': matter(), 'matter/c.md': matter(), 'task/t.md': task() };
  const { temp, vault } = await opened({ 'steward.md': settings(), ...notes, '.steward/lock': '' });
  temp.remove('matter/a.md');
  const look = vault.look.bind(vault);
  const sweeping = vault.sweep();
  temp.write('task/new.md', task()); // something to read, while which others have a turn
  vault.look = (files) => {
    const changes = look(files);
    if (vault.catalogue.get('task/new.md') === undefined) return changes;
    vault.look = look;
    setImmediate(() => {
      temp.write('matter/a.md', notes['matter/a.md']);
      look(['matter/a.md']);
    });
    return changes;
  };
  await sweeping;
  expect(vault.catalogue.get('matter/a.md')?.kind).toBe('matter');
});
