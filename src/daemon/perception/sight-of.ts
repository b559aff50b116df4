import type { Blocker, Sight } from '../../steward/perception/sight.ts';
import { blockedText } from '../../steward/proposals/perceived.ts';
import { isLiving } from '../../steward/proposals/put-off.ts';
import type { TargetRecord, TaskRecord } from '../../vault/index/record.ts';
import { localDate } from '../../vault/time.ts';
import type { IndexAccess } from '../context/ports.ts';
import type { Touches } from './touches.ts';

/** Returns what is known of a note without any signal. The work is proportional to its matter. */
export function sightOf(space: IndexAccess, target: TargetRecord, touches: Touches): Sight {
  const untouchedSince = silentSince(space, target, touches);
  const isTask = target.kind === 'task';
  return {
    state: target.fields.state,
    due: isTask ? target.fields.due : null,
    scheduled: isTask ? target.fields.scheduled : null,
    snoozedUntil: isTask ? target.fields.snoozed_until : null,
    blockers: blockersOf(space, target),
    blockedOn: isTask ? blockedText(target.fields.blocked_on) : '',
    tasks: isTask ? null : tasksIn(space, target),
    untouchedSince,
    of: untouchedSince === null ? '' : localDate(untouchedSince),
  };
}

/**
 * Returns what a look depends on besides the time, as text that can be compared: as long as it is the same, the note and
 * its matter are as they were, and so is what it waits for. Reads nothing from the disk.
 */
export function stampOf(space: IndexAccess, target: TargetRecord): string {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const tasks = target.kind === 'matter' ? space.vault.catalogue.tasksOf(target) : [];
  const open = tasks.filter(isLiving).length;
  const blockers = blockersOf(space, target).map(({ isOver }) => Number(isOver));
  return [statText(target), matter === null ? '' : statText(matter), blockers.join(''), tasks.length, open].join('|');
}

function statText({ stat }: TargetRecord): string {
  return `${Math.round(stat.mtimeMs)}:${stat.size}`;
}

// A link that leads to no task and no matter says nothing: what it names may well be open.
function blockersOf({ vault }: IndexAccess, target: TargetRecord): Blocker[] {
  if (target.kind === 'matter') return [];
  return target.fields.blocked_on.map((link) => {
    const found = vault.catalogue.resolve(link, ['task', 'matter']);
    const isRecord = found?.kind === 'task' || found?.kind === 'matter';
    return isRecord
      ? { name: found.name, isOver: !isLiving(found), at: found.stat.mtimeMs }
      : { name: link, isOver: false, at: 0 };
  });
}

function tasksIn({ vault }: IndexAccess, target: Exclude<TargetRecord, TaskRecord>): Sight['tasks'] {
  const tasks = vault.catalogue.tasksOf(target);
  const restingSince = Math.max(target.stat.mtimeMs, ...tasks.map(({ stat }) => stat.mtimeMs));
  return { count: tasks.length, open: tasks.filter(isLiving).length, restingSince };
}

// Where a whole affair is silent, its matter alone speaks for it: not each of its tasks. A task with a day speaks for itself,
// before that day it is waited for, and after it the affair is not over.
function silentSince(space: IndexAccess, target: TargetRecord, touches: Touches): number | null {
  const { catalogue } = space.vault;
  if (target.kind === 'matter') return catalogue.tasksOf(target).some(isDated) ? null : touches.ofMatter(target);
  const matter = catalogue.matterOf(target);
  const isSpokenFor = matter !== null && matter.fields.surface_class !== 'none' && touches.isSilent(matter);
  return isSpokenFor ? null : touches.of(target);
}

function isDated(task: TaskRecord): boolean {
  const { due, scheduled, snoozed_until: snoozedUntil } = task.fields;
  return isLiving(task) && [due, scheduled, snoozedUntil].some((day) => day !== null);
}
