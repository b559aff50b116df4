import type { Catalogue } from '../index/catalogue.ts';
import type { CachedRecord } from '../index/record-cache.ts';
import type { Change } from './known-files.ts';
import type { Listing } from './scan.ts';

/** Returns the changes of matters and tasks since the records were last saved; none where none were saved. */
export function editsSince(
  records: ReadonlyMap<string, CachedRecord>,
  files: Listing['files'],
  catalogue: Catalogue,
): Change[] {
  return [...records.values()].flatMap((cached) => {
    const stat = cached.kind === 'matter' || cached.kind === 'task' ? files.get(cached.path) : undefined;
    if (stat === undefined || cached.isOf(stat)) return [];
    return [{ path: cached.path, before: cached.record(), after: catalogue.get(cached.path) ?? null }];
  });
}
