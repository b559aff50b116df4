import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ReadingTrail, type TrailEntry } from '../../src/streams/state.ts';
import { Clock, DAY } from '../support/clock.ts';

interface Kept {
  readonly trail: ReadingTrail;
  readonly folder: string;
  readonly clock: Clock;
  /** Another process on the same folder. */
  readonly again: () => ReadingTrail;
}

function kept(): Kept {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trail-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const clock = new Clock();
  const again = () => new ReadingTrail({ folder, demand: () => {}, now: clock.now });
  return { trail: again(), folder, clock, again };
}

function entry(file: string, at: number, reason = 'bulk mail: List-Id'): TrailEntry {
  return { at, file, reason, kind: 'not-admitted', from: 'a@shop.example', subject: 'Offers', by: null, closest: [] };
}

function sizes(folder: string): number[] {
  return fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).size);
}

test('what was added is found by path and by name, before and after it is on disk, the newest first', () => {
  const { trail, clock, again } = kept();
  trail.add(entry('stream/mail/a.eml', clock.now(), 'first'));
  expect(trail.find('a.eml')?.reason).toBe('first');
  trail.flush();
  trail.add(entry('stream/mail/a.eml', clock.now(), 'second'));
  trail.add(entry('stream/mail/a b "c" ü.eml', clock.now()));
  trail.flush();
  for (const name of ['a', 'a.eml', 'stream/mail/a.eml']) expect(again().find(name)?.reason).toBe('second');
  expect(again().find('a b "c" ü')?.file).toBe('stream/mail/a b "c" ü.eml');
  for (const name of ['mail/a.eml', 'b', '', 'stream']) expect(again().find(name)).toBeNull();
});

test('it is added to, and never written whole; without anything new nothing is written', () => {
  const { trail, folder, clock } = kept();
  trail.flush();
  expect(fs.readdirSync(folder)).toEqual([]);
  trail.add(entry('stream/a.eml', clock.now()));
  trail.flush();
  const [name = ''] = fs.readdirSync(folder);
  const { ino, size } = fs.statSync(path.join(folder, name));
  for (let nth = 0; nth < 50; nth += 1) {
    trail.add(entry(`stream/${nth}.eml`, clock.now()));
    trail.flush();
  }
  const after = fs.statSync(path.join(folder, name));
  expect(after.ino).toBe(ino);
  expect(after.size).toBeGreaterThan(size * 40);
  expect(after.mode & 0o077).toBe(0);
});

test('after 90 days it is said no more, and its part is gone soon after; the rest stays', () => {
  const { trail, folder, clock, again } = kept();
  trail.add(entry('stream/old.eml', clock.now()));
  trail.flush();
  clock.move(60 * DAY);
  trail.add(entry('stream/new.eml', clock.now()));
  trail.flush();
  clock.move(31 * DAY);
  expect(again().find('old')).toBeNull();
  expect(again().find('new')).not.toBeNull();
  clock.move(7 * DAY);
  trail.prune();
  expect(fs.readdirSync(folder)).toHaveLength(1);
  expect(again().find('new')).not.toBeNull();
});

test('however many mails come, it stays below a bound, and knows the newest', () => {
  const { trail, folder, clock, again } = kept();
  const reason = 'x'.repeat(280);
  for (let nth = 0; nth < 200_000; nth += 1) {
    trail.add(entry(`stream/${nth}.eml`, clock.now(), reason));
    if (nth % 1000 === 0) trail.flush();
  }
  trail.flush();
  expect(sizes(folder).reduce((sum, size) => sum + size, 0)).toBeLessThan(64 * 1024 ** 2);
  expect(again().find('199999')).not.toBeNull();
  expect(again().find('110000')).not.toBeNull();
  expect(again().find('1')).toBeNull();
});

test('a line that was cut off by a crash costs that line alone', () => {
  const { trail, folder, clock, again } = kept();
  trail.add(entry('stream/a.eml', clock.now()));
  trail.add(entry('stream/b.eml', clock.now()));
  trail.flush();
  const [name = ''] = fs.readdirSync(folder);
  fs.truncateSync(path.join(folder, name), fs.statSync(path.join(folder, name)).size - 20);
  const next = again();
  next.add(entry('stream/c.eml', clock.now()));
  next.flush();
  expect(next.find('a')).not.toBeNull();
  expect(next.find('b')).toBeNull();
  expect(next.find('c')).not.toBeNull();
  expect(fs.readdirSync(folder)).toEqual([name]);
});

test('what is no part of its own is neither added to nor kept for ever', () => {
  const { trail, folder, clock, again } = kept();
  fs.mkdirSync(path.join(folder, `trail-${clock.now() + 5}.jsonl`));
  fs.writeFileSync(path.join(folder, 'trail-9999999999999.jsonl'), '{"at":"now"}\n[]\nnull\n');
  trail.add(entry('stream/a.eml', clock.now()));
  trail.flush();
  expect(again().find('a')).not.toBeNull();
  trail.prune();
  expect(fs.existsSync(path.join(folder, 'trail-9999999999999.jsonl'))).toBe(false);
  expect(again().find('a')).not.toBeNull();
});
