import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Exchange, systemExchange } from '../../src/vault/files.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { Publisher } from '../../src/vault/publish.ts';
import { TempVault } from '../support/temp-vault.ts';

const NOTE = 'task/pay.md';
const BEFORE = '---\nstate: open\n---\nbefore\n';
const AFTER = '---\nstate: done\n---\nbefore\n';
const THEIRS = '---\nstate: open\n---\nbefore, and what was just typed\n';

function realExchange(): Exchange {
  const exchange = systemExchange();
  if (exchange === null) throw new Error('this system has no exchange; these tests need Linux');
  return exchange;
}

function made(exchange: Exchange | null, files: Record<string, string> = { [NOTE]: BEFORE }) {
  const vault = new TempVault(files);
  for (const folder of [vault.places.tmp, vault.places.history]) fs.mkdirSync(folder, { recursive: true });
  const publisher = new Publisher({ root: vault.root, tmp: vault.places.tmp, history: vault.places.history, exchange });
  const publish = (note = NOTE, before = BEFORE) =>
    publisher.publish({
      path: note,
      beforeSha256: sha256(before),
      bytes: Buffer.from(AFTER),
      keepAs: 'event-1',
      keptBefore: 0,
    });
  return { vault, publisher, publish };
}

const ways: readonly (readonly [string, () => Exchange | null])[] = [
  ['by exchange', realExchange],
  ['by rename', () => null],
];

describe.each(ways)('publishing %s', (_, way) => {
  test('puts the new bytes in the place of the note and keeps the former ones', () => {
    const { vault, publish } = made(way());
    const result = publish();
    expect(result).toEqual({ done: true, displaced: path.join(vault.places.history, 'event-1.1.md') });
    expect(vault.read(NOTE)).toBe(AFTER);
    expect(vault.read('.steward/history/event-1.1.md')).toBe(BEFORE);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('the displaced file is the very one that the note was: who holds it open still writes into it', () => {
    const { vault, publish } = made(way());
    const { ino } = fs.statSync(vault.at(NOTE));
    publish();
    expect(fs.statSync(vault.at('.steward/history/event-1.1.md')).ino).toBe(ino);
    expect(fs.statSync(vault.at(NOTE)).ino).not.toBe(ino);
  });

  test('a note that is not what was judged is left alone', () => {
    const { vault, publish } = made(way());
    fs.writeFileSync(vault.at(NOTE), THEIRS);
    expect(publish()).toEqual({ done: false, found: [] });
    expect(vault.read(NOTE)).toBe(THEIRS);
    expect(vault.names('.steward/tmp')).toEqual([]);
    expect(vault.names('.steward/history')).toEqual([]);
  });

  test('a note that is gone stays gone', () => {
    const { vault, publish } = made(way());
    vault.remove(NOTE);
    expect(publish()).toEqual({ done: false, found: [] });
    expect(vault.has(NOTE)).toBe(false);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test.each([0o600, 0o640, 0o664, 0o444])('the mode %i is kept', (mode) => {
    const { vault, publish } = made(way());
    fs.chmodSync(vault.at(NOTE), mode);
    expect(publish().done).toBe(true);
    expect(fs.statSync(vault.at(NOTE)).mode & 0o7777).toBe(mode);
  });

  test('a symlink inside the vault is followed and stays a symlink', () => {
    const { vault, publish } = made(way(), { 'archive/pay.md': BEFORE });
    fs.mkdirSync(vault.at('task'));
    fs.symlinkSync('../archive/pay.md', vault.at(NOTE));
    expect(publish().done).toBe(true);
    expect(fs.lstatSync(vault.at(NOTE)).isSymbolicLink()).toBe(true);
    expect(vault.read('archive/pay.md')).toBe(AFTER);
  });

  test('a symlink that leads out of the vault is refused', () => {
    const { vault, publish } = made(way());
    const outside = path.join(vault.home, 'outside.md');
    fs.writeFileSync(outside, BEFORE);
    fs.symlinkSync(outside, vault.at('task/out.md'));
    expect(() => publish('task/out.md')).toThrow(/leads out of the vault/);
    expect(() => publish('../outside.md')).toThrow(/leads out of the vault/);
    expect(fs.readFileSync(outside, 'utf8')).toBe(BEFORE);
  });

  test('a folder that is a symlink out of the vault is refused', () => {
    const { vault, publish } = made(way());
    fs.mkdirSync(path.join(vault.home, 'away'));
    fs.writeFileSync(path.join(vault.home, 'away', 'pay.md'), BEFORE);
    fs.symlinkSync(path.join(vault.home, 'away'), vault.at('task/linked'));
    expect(() => publish('task/linked/pay.md')).toThrow(/leads out of the vault/);
    expect(fs.readFileSync(path.join(vault.home, 'away', 'pay.md'), 'utf8')).toBe(BEFORE);
  });

  test('a second edit under one name keeps both former editions', () => {
    const { vault, publish } = made(way());
    publish();
    fs.writeFileSync(vault.at(NOTE), BEFORE);
    publish();
    expect(vault.names('.steward/history')).toEqual(['event-1.1.md', 'event-1.2.md']);
  });

  test('a note over 1 MiB is not touched', () => {
    const large = BEFORE + 'x'.repeat(1 << 20);
    const { vault, publish } = made(way(), { [NOTE]: large });
    expect(() => publish(NOTE, large)).toThrow(/bytes/);
    expect(vault.read(NOTE)).toBe(large);
  });
});

describe('a write that slips in between the last comparison and the exchange', () => {
  const slipping = (slip: (note: string) => void, times = 1): Exchange => {
    const exchange = realExchange();
    let count = 0;
    return (part, note) => {
      count += 1;
      if (count <= times) slip(note);
      exchange(part, note);
    };
  };

  test('in place: theirs stays, ours is withdrawn', () => {
    const { vault, publish } = made(slipping((note) => fs.writeFileSync(note, THEIRS)));
    expect(publish()).toEqual({ done: false, found: [] });
    expect(vault.read(NOTE)).toBe(THEIRS);
    expect(vault.names('.steward/tmp')).toEqual([]);
    expect(vault.names('.steward/history')).toEqual([]);
  });

  test('by rename, as Obsidian and sync tools write: theirs stays, ours is withdrawn', () => {
    const { vault, publish } = made(
      slipping((note) => {
        fs.writeFileSync(`${note}.new`, THEIRS);
        fs.renameSync(`${note}.new`, note);
      }),
    );
    expect(publish()).toEqual({ done: false, found: [] });
    expect(vault.read(NOTE)).toBe(THEIRS);
  });

  test('twice, before the swap and before the swap back: the second stays, the first is kept', () => {
    const texts = [THEIRS, `${THEIRS}and more\n`];
    const { vault, publish } = made(slipping((note) => fs.writeFileSync(note, texts.shift() ?? ''), 2));
    const result = publish();
    expect(result.done).toBe(false);
    const everywhere = [
      vault.read(NOTE),
      ...vault.names('.steward/history').map((name) => vault.read(`.steward/history/${name}`)),
    ];
    expect(everywhere).toContain(THEIRS);
    expect(everywhere).toContain(`${THEIRS}and more\n`);
    expect(result.done ? [] : result.found).toHaveLength(1);
  });

  test('a deletion: the note stays deleted, nothing of ours appears', () => {
    const { vault, publish } = made(slipping((note) => fs.rmSync(note)));
    expect(publish()).toEqual({ done: false, found: [] });
    expect(vault.has(NOTE)).toBe(false);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('an exchange that the disk refuses: the error is told, the note is as it was', () => {
    const refusing: Exchange = () => {
      throw Object.assign(new Error('EROFS: exchange'), { code: 'EROFS' });
    };
    const { vault, publish } = made(refusing);
    expect(() => publish()).toThrow('EROFS');
    expect(vault.read(NOTE)).toBe(BEFORE);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });
});

describe('without an exchange, while the name of the note is free', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Somebody creates the note again each time it has been moved away. */
  function recreated(note: string, texts: readonly string[]): void {
    const [left, rename] = [[...texts], fs.renameSync];
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      rename(from, to);
      const text = from === note ? left.shift() : undefined;
      if (text !== undefined) fs.writeFileSync(note, text);
    });
  }

  function everywhere(vault: TempVault, found: readonly string[]): string[] {
    return [vault.read(NOTE), ...found.map((file) => fs.readFileSync(file, 'utf8'))];
  }

  test('what was appended to a note that was not there goes behind it, and is kept', () => {
    const { vault, publish } = made(null);
    recreated(vault.at(NOTE), ['a line\n']);
    const result = publish();
    expect(vault.read(NOTE)).toBe(`${BEFORE}a line\n`);
    expect(everywhere(vault, result.done ? [] : result.found)).toContain('a line\n');
  });

  test('and where somebody makes it anew once more, nothing of all three is lost', () => {
    const { vault, publish } = made(null);
    recreated(vault.at(NOTE), ['a line\n', THEIRS]);
    const result = publish();
    expect(vault.read(NOTE)).toBe(THEIRS);
    expect(everywhere(vault, result.done ? [] : result.found).sort()).toEqual([BEFORE, THEIRS, 'a line\n'].sort());
    expect(vault.names('.steward/tmp')).toEqual([]);
  });
});

test.each(ways)('what an earlier try of one name left in the history tells nothing of the next (%s)', (_, way) => {
  const { vault, publisher } = made(way(), { [NOTE]: THEIRS });
  // As if a first attempt had met another writer: its own bytes were taken out of the note again, and kept.
  fs.writeFileSync(vault.at('.steward/history/event-1.1.md'), AFTER);
  const bytes = Buffer.from(THEIRS.replace('open', 'done'));
  const edition = { path: NOTE, beforeSha256: sha256(THEIRS), bytes, keepAs: 'event-1' };
  const left = publisher.resolve({ ...edition, keptBefore: publisher.keptUnder('event-1') }, true);
  expect(left).toEqual({ published: false, displaced: null, found: null });
  expect(vault.read(NOTE)).toBe(THEIRS);
});

test('the exchange tells the system error, and changes nothing where it fails', () => {
  const { vault } = made(null);
  expect(() => realExchange()(vault.at('nothing'), vault.at(NOTE))).toThrow(/ENOENT/);
  expect(vault.read(NOTE)).toBe(BEFORE);
});
