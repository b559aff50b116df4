import type { TargetRecord } from '../vault/index/record.ts';
import { isUnread } from '../vault/index/unreadable-record.ts';
import { isNamedAfter } from '../vault/note-text.ts';
import type { IndexAccess } from './context.ts';

/** By how much the clocks of two machines may differ, in ms. */
export const CLOCKS_APART_MS = 2 * 60 * 1000;

/**
 * Whether a record that would tell who changed a note may be among those that the disk does not give now: until they can
 * be read, nobody knows whether a person did. `since`: when the change was not there yet (epoch ms).
 */
export function isStillUnread(
  { vault: { catalogue, layout } }: IndexAccess,
  note: TargetRecord,
  since: number,
): boolean {
  return catalogue
    .bad()
    .filter((record) => isUnread(record) && layout.kindOf(record.path) === 'event')
    .some(({ name, stat }) => isNamedAfter(name, note.path) && stat.mtimeMs > since - CLOCKS_APART_MS);
}
