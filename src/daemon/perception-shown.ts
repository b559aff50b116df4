import type { Shown } from '../steward/attention.ts';
import type { Seen } from '../steward/perception.ts';
import { putOffReason, restsOn } from '../steward/proposals.ts';
import type { TargetRecord } from '../vault/index/record.ts';
import { atOnce } from '../vault/slices.ts';
import type { IndexAccess } from './context.ts';

/**
 * Returns the notes that show something by themselves, as the last looks found them, without those that have been mended
 * since; null before the first look. Pauses after each note that was looked at.
 */
export function* showing(space: IndexAccess): Generator<void, Shown[] | null> {
  const { state } = space.context;
  if (state.get('perception').since === null) return null;
  const perceived = state.get('perceived');
  const shown = new Map<string, Shown>();
  for (const path of state.keysOf('perceived')) {
    const seen = perceived[path];
    const one = seen === undefined ? null : shownBy(space, path, seen);
    if (one !== null) shown.set(path, one);
    yield;
  }
  return [...shown.values()];
}

/** Does the same without a pause. */
export function shownNow(space: IndexAccess): Shown[] | null {
  return atOnce(showing(space));
}

function shownBy(space: IndexAccess, path: string, seen: Seen): Shown | null {
  const { found } = seen;
  const note = found === null ? undefined : space.vault.catalogue.get(path);
  if (found === null || (note?.kind !== 'task' && note?.kind !== 'matter')) return null;
  return putOffReason(space, note) === null && isStill(note, found) ? { path, seen, found } : null;
}

// The others rest on more than the note: they show at the next look.
function isStill(note: TargetRecord, { kind, of }: Shown['found']): boolean {
  return kind === 'silent' || kind === 'tasks_done' || restsOn(note, kind) === of;
}
