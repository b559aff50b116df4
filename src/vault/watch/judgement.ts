import { folderOf } from '../index/postings/folder-counts.ts';
import type { RecordCache } from '../index/record-cache.ts';
import type { FolderKind } from '../layout.ts';
import { emptied, unreachable } from './away.ts';
import type { Comparison } from './comparison.ts';
import type { Deletions, DeletionVerdict } from './deletions.ts';
import type { KnownFiles } from './known-files.ts';
import type { VaultWalk } from './walk.ts';

/** What a sweep makes of what is missing. */
interface Judgement extends Omit<DeletionVerdict, 'mass'> {
  /** Why the vault is away, in one sentence, or null; then nothing is believed to be gone. */
  readonly reason: string | null;
  /** Other notes that are gone. */
  readonly notes: readonly string[];
}

/** Judges what a walk did not meet, `now` in ms of a monotonic clock. Pauses after each path. */
export function* judge(
  { root, layout }: KnownFiles,
  walk: VaultWalk,
  found: Comparison,
  deletions: Deletions,
  now: number,
): Generator<void, Judgement> {
  const lost = unreachable(root, walk);
  if (lost !== null) return { reason: lost, notes: [], believed: [], waitMs: null };
  const { files, notes, isWhole } = yield* found.missing(walk.unreadable);
  const held = found.held(layout);
  const { believed, waitMs, mass } = yield* deletions.judge(
    files,
    (file) => layout.folderKindOf(file),
    (folder) => held.before.get(folder) ?? 0,
    now,
  );
  const reason = isWhole ? null : emptied(root, layout, walk, held);
  return { reason: reason ?? mass, notes, believed, waitMs };
}

/**
 * Returns why a vault is away at the start, or null: its folders went away while the program was down. What the cache
 * knows of it is then put beside what was read.
 */
export function* judgeStart(
  { root, layout, catalogue }: KnownFiles,
  walk: VaultWalk,
  cache: RecordCache,
  met: ReadonlyMap<FolderKind, number>,
): Generator<void, string | null> {
  if (cache.isEmpty) return null;
  const lost = unreachable(root, walk);
  // How many a folder held counts only where nothing of it was met, and so nothing of it was taken over.
  const before = new Map<FolderKind, number>();
  const missing: string[] = [];
  let folder: string | null = null;
  let kind: FolderKind | null = null;
  for (const file of cache.left.keys()) {
    yield;
    if (folderOf(file) !== folder) [folder, kind] = [folderOf(file), layout.folderKindOf(file)];
    if (kind !== null) before.set(kind, (before.get(kind) ?? 0) + 1);
    if (catalogue.statOf(file) === undefined) missing.push(file);
  }
  const reason = lost ?? (missing.length === 0 ? null : emptied(root, layout, walk, { before, now: met }));
  if (reason === null) return null;
  for (const file of missing) {
    const record = cache.left.get(file);
    if (record !== undefined) catalogue.put(record);
    yield;
  }
  return reason;
}
