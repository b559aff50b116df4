import type { ItemsRead } from '../../../stream/items/items-read.ts';
import { statInside } from '../../../vault/watch/scan.ts';
import type { IndexAccess, Workspace } from '../../context/ports.ts';
import { isUnderstandableNow } from '../readers.ts';

/** How long a stream file must have been quiet before it is taken for complete, in ms. */
const QUIET_MS = 250;

/**
 * The stream files, by vault-relative path, that have not been read as they are now, or are understood only now.
 * They are in the order of their names: those that name their day are read as they came, on any file system.
 */
export function unreadStreams(space: IndexAccess & Pick<Workspace, 'ingest'>): string[] {
  const read = space.context.state.get('streams');
  return [...space.vault.streams]
    .filter(([file, stat]) => {
      const seen = read[file];
      if (seen === undefined || seen.size !== stat.size || seen.mtimeMs !== stat.mtimeMs) return true;
      const { settings } = space.context;
      return (
        isUnderstandableNow(space.ingest.readers, file, seen, settings) || (seen.items !== null && !isRead(seen.items))
      );
    })
    .map(([file]) => file)
    .sort();
}

function isRead({ isDone, open }: ItemsRead): boolean {
  return isDone && Object.keys(open).length === 0;
}

/** When a stream file will have been quiet for long enough (epoch ms), or null where it is gone. */
export function quietAt(space: IndexAccess, file: string): number | null {
  const stat = statInside(space.vault.root, file);
  if (stat === null) return null;
  const touched = Math.max(stat.mtimeMs, stat.ctimeMs);
  return touched > space.context.now() + QUIET_MS ? 0 : touched + QUIET_MS;
}
