import type { CachedRecord } from '../record-cache.ts';
import type { Catalogue } from './catalogue.ts';
import type { TargetRecord, VaultRecord } from './record.ts';

const REMEMBERED = 200;
/** For how long (ms) one half of a move waits for the other. A sync tool may carry out its deletions last. */
const HALF_MS = 10 * 60 * 1000;

/** One half of a move; the record is null where several notes that are alike could be meant. */
interface Half {
  readonly record: TargetRecord | null;
  readonly at: number;
}

/** A note's former path and its path now. */
export type Move = readonly [from: TargetRecord, to: TargetRecord];

/**
 * Distinguishes a matter or task that was renamed or moved from one deleted and another created. The same file under
 * another name keeps its inode; a sync tool creates a new file with the same bytes, size and time. The two halves may
 * be seen in either order, soon after each other: copies of one template are alike too, and are notes of their own.
 */
export class Renames {
  readonly #gone = new Map<string, Half>();
  readonly #created = new Map<string, Half>();

  /** Returns the move that a change completes, or null. `at`: when it was seen (epoch ms). */
  follow(
    { before, after }: { readonly before: VaultRecord | null; readonly after: VaultRecord | null },
    at: number,
  ): Move | null {
    if (isTarget(before) && after === null) {
      const to = match({ record: before, at }, this.#gone, this.#created);
      return to === null ? null : [before, to];
    }
    if (before === null && isTarget(after)) {
      const from = match({ record: after, at }, this.#created, this.#gone);
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
  half: Half & { readonly record: TargetRecord },
  own: Map<string, Half>,
  others: Map<string, Half>,
): TargetRecord | null {
  const { record, at } = half;
  const keys = matchKeys(record);
  const isRecent = (one: Half | undefined) => one !== undefined && Math.abs(at - one.at) <= HALF_MS;
  const found = keys.map((key) => others.get(key)).find((one) => isRecent(one));
  const other = found?.record ?? null;
  if (other !== null && other.path !== record.path) {
    for (const key of matchKeys(other)) others.delete(key);
    return other;
  }
  for (const key of keys) {
    const known = own.get(key);
    const isOneOfSeveral = isRecent(known) && known?.record?.path !== record.path;
    own.delete(key);
    own.set(key, isOneOfSeveral ? { record: null, at } : half);
  }
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

/**
 * Returns the moves since the records were last saved: notes that are gone by now and have reappeared elsewhere. `left`:
 * those of the saved records that were not taken over. Pauses after each record.
 */
export function* movesSince(left: ReadonlyMap<string, CachedRecord>, catalogue: Catalogue): Generator<void, Move[]> {
  const gone: CachedRecord[] = [];
  for (const cached of left.values()) {
    yield;
    if (isTargetKind(cached.kind) && catalogue.statOf(cached.path) === undefined) gone.push(cached);
  }
  if (gone.length === 0) return [];
  const renames = new Renames();
  for (const cached of gone) renames.follow({ before: cached.record(), after: null }, 0);
  const moves: Move[] = [];
  for (const file of catalogue.saved.unsaved) {
    yield;
    if (left.has(file)) continue;
    const move = renames.follow({ before: null, after: catalogue.get(file) ?? null }, 0);
    if (move !== null) moves.push(move);
  }
  return moves;
}
