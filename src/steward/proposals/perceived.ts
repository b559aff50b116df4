import { sha256 } from '../../vault/hash.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { readKey } from '../perception/finding.ts';
import type { Clock, Records } from '../ports/space.ts';
import { isLiving, putOffReason } from './put-off.ts';

/**
 * Returns why what the program found by itself is no longer so, as the note is now; null where it still is, and for any
 * other event. `sha`: of the note's bytes now; null where they are not known.
 */
export function passedReason(space: Records & Clock, { fields }: EventRecord, sha: string | null): string | null {
  if (fields.perceived === null || fields.target_path === null) return null;
  const { catalogue } = space.vault;
  const note = catalogue.get(catalogue.currentPath(fields.target_path));
  if (note?.kind !== 'task' && note?.kind !== 'matter') return null;
  const putOff = putOffReason(space, note);
  if (putOff !== null) return putOff;
  const key = readKey(fields.perceived);
  // What a model found, and that nobody touches it, is about the note as it was.
  if (key === null || key.kind === 'silent') return sha === null || sha === fields.note_sha256 ? null : CHANGED;
  if (key.kind === 'tasks_done') return openTasks(space, note) > 0 ? 'there is an open task again' : null;
  return restsOn(note, key.kind) === key.of ? null : `its ${FIELD[key.kind]} was changed since`;
}

const CHANGED = 'its note was changed since';
const FIELD = { overdue: 'due date', snooze_over: 'snooze', unblocked: 'blocked_on' } as const;

/** Returns the part of a note that a finding rests on, as text that can be compared. */
export function restsOn({ fields, kind }: TargetRecord, finding: keyof typeof FIELD): string {
  if (kind === 'matter') return '';
  if (finding === 'overdue') return fields.due ?? '';
  if (finding === 'unblocked') return blockedText(fields.blocked_on);
  return fields.state === 'snoozed' ? (fields.snoozed_until ?? '') : '';
}

/** Returns what a note is blocked on as one short text that can be compared, whatever stands there; '' for nothing. */
export function blockedText(links: readonly string[]): string {
  return links.length === 0 ? '' : sha256(JSON.stringify(links)).slice(0, 16);
}

function openTasks({ vault: { catalogue } }: Records, note: TargetRecord): number {
  const tasks = note.kind === 'matter' ? catalogue.tasksOf(note) : [];
  return tasks.filter(isLiving).length;
}
