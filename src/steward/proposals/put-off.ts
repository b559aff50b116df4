import type { TargetRecord } from '../../vault/index/record.ts';
import { isHandsOff } from '../changes/opt-out.ts';
import type { Clock, Records } from '../ports/space.ts';
import { parseLocalTime } from '../schedule/local-time.ts';

/**
 * Returns why a note is not spoken of without a signal, in a few words: it has ended, somebody put it off, or said hands
 * off. Null where it may be. What was put to a person about it before is closed by the same.
 */
export function putOffReason(space: Records & Clock, target: TargetRecord): string | null {
  const now = space.context.now();
  if (isHandsOff(space, target)) return 'steward: false';
  if (!isLiving(target)) return `it is ${target.fields.state}`;
  if (target.fields.surface_class === 'none') return 'surface_class: none';
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : target;
  if (matter === null) return 'it belongs to no matter';
  if (!isLiving(matter)) return `its matter is ${matter.fields.state}`;
  if (isAhead(target.fields.next_check_after, now)) return 'next_check_after is still to come';
  const snoozed = target.kind === 'task' && target.fields.state === 'snoozed' ? target.fields.snoozed_until : null;
  return isAhead(snoozed, now) ? 'it is snoozed' : null;
}

/** Whether a task or matter has not ended. */
export function isLiving({ fields: { state } }: TargetRecord): boolean {
  return state === 'open' || state === 'snoozed';
}

function isAhead(written: string | null, now: number): boolean {
  const at = written === null ? null : parseLocalTime(written);
  return at !== null && at > now;
}
