import { endOfLocalDay, parseLocalTime } from '../../steward/schedule/local-time.ts';
import type { TargetRecord, TaskRecord, VaultRecord } from '../../vault/index/record.ts';

/**
 * What a hand has done to a note: ticked a task done, given an open one a `completedDate`, ticked the last open checkbox
 * of a matter.
 */
export type EditKind = 'done' | 'completed' | 'boxes';

/**
 * Returns what an edit says has happened, by the note as it was before and as it is now; null where it says nothing. LAW:
 * nothing for a note that was not there before, nor for an older file that came back. `now`: epoch ms.
 */
export function editOf(before: TargetRecord, after: TargetRecord, now: number): EditKind | null {
  if (after.stat.mtimeMs <= before.stat.mtimeMs || !isLiving(before)) return null;
  if (before.kind === 'task') return after.kind === 'task' ? taskEdit(before, after, now) : null;
  if (after.kind !== 'matter' || !isLiving(after)) return null;
  const [was, is] = [before.boxes ?? NO_BOXES, after.boxes ?? NO_BOXES];
  return was.open > 0 && is.open === 0 && is.ticked > was.ticked ? 'boxes' : null;
}

const NO_BOXES = { open: 0, ticked: 0 };

function taskEdit(before: TaskRecord, after: TaskRecord, now: number): EditKind | null {
  if (after.fields.state === 'done') return 'done';
  const { completedDate: day } = after.fields;
  const isNew = before.fields.completedDate === null && day !== null;
  return isLiving(after) && isNew && isPast(day, now) ? 'completed' : null;
}

// A day to come is a plan.
function isPast(day: string, now: number): boolean {
  const at = parseLocalTime(day);
  return at !== null && at < endOfLocalDay(now);
}

/** Whether an edit opens again what was over: a hand does so now and then, a whole vault that is set back does nothing else. */
export function isReopened(before: TargetRecord, after: TargetRecord): boolean {
  return !isLiving(before) && isLiving(after);
}

/** Whether a change of a record may be an edit that says something: the rest need not be remembered until it has come to rest. */
export function mayBeEdit(before: VaultRecord | null, after: VaultRecord | null): before is TargetRecord {
  if (before?.kind !== 'task' && before?.kind !== 'matter') return false;
  if (after?.kind === 'bad') return true; // half written: what it was before is known only now
  if (before.kind === 'task') return after?.kind === 'task' && isOtherTask(before, after);
  return after?.kind === 'matter' && (before.boxes?.open ?? 0) > (after.boxes?.open ?? 0);
}

function isOtherTask({ fields: one }: TaskRecord, { fields: other }: TaskRecord): boolean {
  return one.state !== other.state || one.completedDate !== other.completedDate;
}

function isLiving({ fields: { state } }: TargetRecord): boolean {
  return state === 'open' || state === 'snoozed';
}
