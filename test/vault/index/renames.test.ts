import { describe, expect, test } from 'vitest';
import { DEFAULT_MAPPING, readRecord, type VaultRecord } from '../../../src/vault/index/record.ts';
import { Renames } from '../../../src/vault/index/renames.ts';
import { Layout } from '../../../src/vault/layout.ts';
import { task } from '../../support/notes.ts';

const MINUTE = 60_000;

/** A task that differs from the others by nothing but its path and its inode. */
function alike(name: string, ino: number): VaultRecord {
  const stat = { mtimeMs: 1, ctimeMs: 1, size: 1, ino };
  return readRecord(new Layout(), DEFAULT_MAPPING, `task/${name}.md`, stat, Buffer.from(task()));
}

const gone = (before: VaultRecord) => ({ before, after: null });
const created = (after: VaultRecord) => ({ before: null, after });

describe('a note that goes and one that comes', () => {
  const [one, other, third] = [alike('one', 1), alike('other', 2), alike('third', 3)];

  test('are one note where they are alike and come soon after each other, in either order', () => {
    const renames = new Renames();
    expect(renames.follow(gone(one), 0)).toBeNull();
    expect(renames.follow(created(other), MINUTE)).toEqual([one, other]);
    expect(renames.follow(created(third), 2 * MINUTE)).toBeNull();
    expect(renames.follow(gone(other), 3 * MINUTE)).toEqual([other, third]);
  });

  test('are two notes where an hour lies between them', () => {
    const renames = new Renames();
    expect(renames.follow(created(other), 0)).toBeNull();
    expect(renames.follow(gone(one), 60 * MINUTE)).toBeNull();
    expect(renames.follow(created(third), 61 * MINUTE)).toEqual([one, third]);
  });

  test('are two notes where several could be meant, unless the file is the very same', () => {
    const renames = new Renames();
    renames.follow(created(other), 0);
    renames.follow(created(third), 0);
    expect(renames.follow(gone(one), 0)).toBeNull();
    expect(renames.follow(gone(alike('fourth', 3)), 0)?.[1]).toBe(third);
  });
});
