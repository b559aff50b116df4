import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/vault/index/catalogue.ts';
import { DEFAULT_MAPPING, readRecord } from '../../../src/vault/index/record.ts';
import { Layout } from '../../../src/vault/layout.ts';
import { noteText } from '../../../src/vault/note-text.ts';

const STAT = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };

/** A vault with one event at each of these moments, named after its place in the list. */
function eventsAt(moments: readonly string[]): Catalogue {
  const known = new Catalogue();
  moments.forEach((timestamp, nth) => {
    const text = noteText({ type: 'steward-action', timestamp, target_path: 'task/pay.md' }, '');
    known.put(readRecord(new Layout(), DEFAULT_MAPPING, `event/e${nth}.md`, STAT, Buffer.from(text)));
  });
  return known;
}

const names = (hours: Iterable<readonly { readonly name: string }[]>) =>
  [...hours].map((hour) => hour.map(({ name }) => name).sort());

const MOMENTS = [
  '2026-02-28T23:59:59Z',
  '2025-12-31T09:00:00Z',
  '2026-11-02T08:00:00Z',
  'some time ago',
  '2026-11-02T08:59:59Z',
  '2026-02-01T00:00:00Z',
  '2026-11-01T10:00:00Z',
];

test('hours come newest first through months and years, and what tells no time last', () => {
  const { chronicle } = eventsAt(MOMENTS);
  expect(names(chronicle.newestHours())).toEqual([['e2', 'e4'], ['e6'], ['e0'], ['e5'], ['e1'], ['e3']]);
});

test('or oldest first, up to a moment, without what tells no time', () => {
  const { chronicle } = eventsAt(MOMENTS);
  const before = (moment: string) => names(chronicle.oldestHours(Date.parse(moment)));
  expect(before('2026-11-02T08:30:00Z')).toEqual([['e1'], ['e5'], ['e0'], ['e6']]);
  expect(before('2026-02-01T00:30:00Z')).toEqual([['e1']]);
});
