import type { Catalogue } from '../index/catalogue.ts';
import type { CachedRecord } from '../index/record-cache.ts';
import type { Change } from './known-files.ts';

/**
 * Returns the changes of matters and tasks since the records were last saved; none where none were saved. `left`: those of
 * them that were not taken over.
 */
export function* editsSince(left: ReadonlyMap<string, CachedRecord>, catalogue: Catalogue): Generator<void, Change[]> {
  const edits: Change[] = [];
  for (const cached of left.values()) {
    yield;
    if (cached.kind !== 'matter' && cached.kind !== 'task') continue;
    const stat = catalogue.statOf(cached.path);
    if (stat === undefined || cached.isOf(stat)) continue;
    edits.push({ path: cached.path, before: cached.record(), after: catalogue.get(cached.path) ?? null });
  }
  return edits;
}
