import type { Catalogue } from './catalogue.ts';
import type { TargetRecord, VaultRecord } from './record.ts';
import type { CachedRecord } from './record-cache.ts';

const REMEMBERED = 200;

/** A note's former path and its path now. */
export type Move = readonly [from: TargetRecord, to: TargetRecord];

/**
 * Distinguishes a matter or task that was renamed or moved from one deleted and another created. The same file under
 * another name keeps its inode; a sync tool creates a new file with the same bytes, size and time. The two halves may
 * be seen in either order.
 */
export class Renames {
  readonly #gone = new Map<string, TargetRecord>();
  readonly #created = new Map<string, TargetRecord>();

  /** Returns the move that a change completes, or null. */
  follow({ before, after }: { readonly before: VaultRecord | null; readonly after: VaultRecord | null }): Move | null {
    if (isTarget(before) && after === null) {
      const to = match(before, this.#gone, this.#created);
      return to === null ? null : [before, to];
    }
    if (before === null && isTarget(after)) {
      const from = match(after, this.#created, this.#gone);
      return from === null ? null : [from, after];
    }
    return null;
  }
}

/** Whether a record of this kind is something decisions are about. */
function isTargetKind(kind: VaultRecord['kind']): kind is TargetRecord['kind'] {
  return kind === 'matter' || kind === 'task';
}

function isTarget(record: VaultRecord | null): record is TargetRecord {
  return record !== null && isTargetKind(record.kind);
}

function match(
  record: TargetRecord,
  own: Map<string, TargetRecord>,
  others: Map<string, TargetRecord>,
): TargetRecord | null {
  const keys = matchKeys(record);
  const other = keys.map((key) => others.get(key)).find((found) => found !== undefined);
  if (other !== undefined && other.path !== record.path) {
    for (const key of matchKeys(other)) others.delete(key);
    return other;
  }
  for (const key of keys) own.set(key, record);
  for (const key of own.keys()) {
    if (own.size <= 2 * REMEMBERED) break;
    own.delete(key);
  }
  return null;
}

// The more certain key first.
function matchKeys({ kind, stat, fields }: TargetRecord): string[] {
  const same = `${kind} ${stat.size} ${stat.mtimeMs}`;
  return [`${same} ${stat.ino}`, `${same} ${JSON.stringify(fields)}`];
}

/** Returns the moves since the records were last saved: notes that are gone by now and have reappeared elsewhere. */
export function movesSince(
  records: ReadonlyMap<string, CachedRecord>,
  files: ReadonlyMap<string, unknown>,
  catalogue: Catalogue,
): Move[] {
  const gone = [...records.values()].filter(({ kind, path }) => isTargetKind(kind) && !files.has(path));
  if (gone.length === 0) return [];
  const renames = new Renames();
  for (const cached of gone) renames.follow({ before: cached.record(), after: null });
  const created = [...files.keys()].filter((file) => !records.has(file));
  return created.flatMap((file) => {
    const move = renames.follow({ before: null, after: catalogue.get(file) ?? null });
    return move === null ? [] : [move];
  });
}
