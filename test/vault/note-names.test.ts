import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, isConflictCopy, isHidden, isPlainNote, stem } from '../../src/vault/note-names.ts';
import { lawRuns } from '../support/laws.ts';

test.each([
  'house (Conflicted copy PHONE 202611212019).md',
  'house (conflicted copy laptop 202611212019).md',
  'house.sync-conflict-20261121-201954-ABCDEFG.md',
  "house (Robin's conflicted copy 2026-11-21).md",
  'house (CONFLICTED COPY).md',
])('a conflict copy: %s', (name) => {
  expect(isConflictCopy(name)).toBe(true);
});

test.each(['house.md', 'conflict with the neighbour.md', 'a copy.md', 'sync-conflict.md', 'Copy of house.md'])(
  'a note like any other: %s',
  (name) => {
    expect(isConflictCopy(name)).toBe(false);
  },
);

test.each([
  '.house.md',
  '.obsidian',
  'house.md~',
  'house.md.tmp',
  '.house.md.swp',
  'x.part',
  'house.md.1234567',
  'mail.eml.crdownload',
])('hidden or temporary: %s', (name) => {
  expect(isHidden(name)).toBe(true);
});

test.each(['house.md', 'v1.2.md', 'tmp.md', 'part 2.md', 'invoice.20261121.md'])('not hidden: %s', (name) => {
  expect(isHidden(name)).toBe(false);
});

test('names compare case-folded and in one normal form', () => {
  expect(fold('Caf\u0065\u0301')).toBe(fold('CAF\u00c9'));
  expect(fold('Straße')).toBe(fold('STRAßE'));
});

test('a title is the file name', () => {
  expect(stem('matter/2026/House v1.2.md')).toBe('House v1.2');
  expect(stem('matter/House.MD')).toBe('House');
});

test('LAW: a name that is plainly a note is neither hidden nor a copy', () => {
  const part = fc.constantFrom(
    'a',
    '.',
    '~',
    ' ',
    'tmp',
    'md',
    '.md',
    'conflicted copy',
    'Conflicted Copy',
    '.sync-conflict-',
    '123456',
  );
  let plain = 0;
  const law = fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
    const name = parts.join('');
    if (!isPlainNote(name)) return;
    plain += 1;
    expect([name, isHidden(name), isConflictCopy(name), /\.md$/i.test(name)]).toEqual([name, false, false, true]);
  });
  fc.assert(law, { numRuns: lawRuns() });
  expect(plain).toBeGreaterThanOrEqual(Math.floor(lawRuns() / 100));
});
