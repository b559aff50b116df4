import type { Shown } from '../../steward/attention/digest.ts';
import { restsOn } from '../../steward/proposals/perceived.ts';
import { putOffReason } from '../../steward/proposals/put-off.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { IndexAccess } from '../context/ports.ts';

/**
 * Returns the notes that show something by themselves, as the last looks found them, without those that have been mended
 * since; null before the first look. The work is proportional to what was found, never to the vault.
 */
export function shownNow(space: IndexAccess): Shown[] | null {
  const { context, vault } = space;
  if (context.state.get('perception').since === null) return null;
  return Object.entries(context.state.get('perceived')).flatMap(([path, seen]) => {
    const { found } = seen;
    const note = found === null ? undefined : vault.catalogue.get(path);
    if (found === null || (note?.kind !== 'task' && note?.kind !== 'matter')) return [];
    return putOffReason(space, note) === null && isStill(note, found) ? [{ path, seen, found }] : [];
  });
}

// The others rest on more than the note: they show at the next look.
function isStill(note: TargetRecord, { kind, of }: Shown['found']): boolean {
  return kind === 'silent' || kind === 'tasks_done' || restsOn(note, kind) === of;
}
