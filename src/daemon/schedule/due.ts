import { type Cadence, nextFire, parseSchedule, phaseOf, scheduleName } from '../../steward/schedule.ts';
import {
  comesUp,
  isPressing,
  matterCheck,
  type NextCheck,
  nextCheck,
  type OwnSchedule,
  type TaskCheck,
} from '../../steward/schedule-cadence.ts';
import { isPassing } from '../../vault/errors.ts';
import type { MatterRecord, TargetRecord, TaskRecord } from '../../vault/index/record.ts';
import type { State } from '../context/state.ts';
import type { Context, IndexAccess } from '../context.ts';
import type { Cursor } from '../remembered.ts';

const FALLBACK: Cadence = { kind: 'every', ms: 30 * 60 * 1000 };

/** Returns a matter's own schedule, from its note or the default, with what is remembered of its ticks. */
export function ownSchedule(state: State, matter: MatterRecord, standard: string): OwnSchedule {
  const known = state.get('schedules')[scheduleName(matter)];
  return {
    ...writtenSchedule(matter, standard),
    slug: matter.name,
    streak: known?.streak ?? 0,
    last: known?.last ?? null,
    heard: known?.heard ?? null,
    comesUp: comesUp(matter.fields),
  };
}

/**
 * Returns the next check of a task, counted from its cursor. The first check of a new task is at its matter's phase.
 */
export function taskCheck(state: State, task: TaskRecord, slug: string, now: number): TaskCheck {
  const cursor = cursorOf(state, task, now);
  const check = nextCheck(task.fields, cursor?.streak ?? 0, cursor?.at ?? now);
  const at = cursor === null && check.every !== null ? firstCheck(check.every, slug, now) : check.at;
  const presses = check.every !== null && isPressing(task.fields, now); // one that names a moment keeps no pace
  return { at, every: check.every, reason: check.reason, name: task.name, presses };
}

// A fixed moment: counted from now, each edit of the matter would put the check off again.
function firstCheck(every: number, slug: string, now: number): number | null {
  return nextFire({ kind: 'every', ms: every }, phaseOf(slug, every), now);
}

/** Returns when a note is next looked at, and why. A fresh signal makes it due at once, unless the note defers it. */
export function checkOf(context: Context, target: TargetRecord, hasSignals: boolean): NextCheck {
  const now = context.now();
  const cursor = hasSignals ? null : cursorOf(context.state, target, now);
  if (cursor !== null) return paced(context, target, cursor);
  const check = paced(context, target, { at: now, streak: 0 });
  const isSignalled = hasSignals && !comesUp(target.fields);
  const isDeferred = (check.at === null && !isSignalled) || /^(not before|snoozed until)/.test(check.reason);
  return isDeferred ? check : { at: now, every: null, reason: hasSignals ? 'a signal waits' : 'not looked at yet' };
}

function paced(context: Context, target: TargetRecord, { at, streak }: Cursor): NextCheck {
  if (target.kind === 'matter') {
    return matterCheck(target.fields, ownSchedule(context.state, target, context.settings.default_schedule), at);
  }
  return nextCheck(target.fields, streak, at);
}

/** Whether the last look at a note, or at its matter, found nothing to judge. */
export function isQuietSince({ vault, context: { state } }: IndexAccess, target: TargetRecord): boolean {
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  const ticks = matter === null ? 0 : (state.get('schedules')[scheduleName(matter)]?.streak ?? 0);
  const isAsleep = matter !== null && !comesUp(matter.fields);
  return isAsleep || ticks > 0 || (state.get('cursors')[target.path]?.streak ?? 0) > 0;
}

/** Ends the quiet of a note and of its matter because a signal came (contract, section 4). Lasts through a restart. */
export function endQuiet({ vault, context: { state, now } }: IndexAccess, target: TargetRecord): void {
  const cursors = state.get('cursors');
  const cursor = cursors[target.path];
  // A note that had backed off is paced from the signal on, so that the next tick weighs it with others that follow.
  if (cursor !== undefined) cursors[target.path] = { at: cursor.streak < 3 ? cursor.at : now(), streak: 0 };
  state.touch('cursors', target.path);
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  const schedules = state.get('schedules');
  const known = matter === null ? undefined : schedules[scheduleName(matter)];
  if (matter === null || known === undefined) return;
  schedules[scheduleName(matter)] = { ...known, streak: 0, heard: now() };
  state.touch('schedules', scheduleName(matter));
}

/** What is remembered of the last look at a note. A moment in the future comes from a clock that was set back since. */
function cursorOf(state: State, target: TargetRecord, now: number): Cursor | null {
  const cursor = state.get('cursors')[target.path];
  return cursor === undefined ? null : { ...cursor, at: Math.min(cursor.at, now) };
}

function writtenSchedule(matter: MatterRecord, standard: string): Pick<OwnSchedule, 'cadence' | 'source' | 'backsOff'> {
  const own = matter.fields.steward_schedule;
  const cadence = own === null ? null : cadenceMeant(own);
  if (cadence !== null) return { cadence, source: 'steward_schedule', backsOff: false };
  const source = own === null ? 'default' : 'default, since steward_schedule cannot be read';
  return { cadence: cadenceMeant(standard) ?? FALLBACK, source, backsOff: true };
}

// A part of the program that cannot be loaded just then ends no daemon: each tick reads the schedule again.
function cadenceMeant(text: string): Cadence | null {
  try {
    const parsed = parseSchedule(text);
    return parsed.ok ? parsed.cadence : null;
  } catch (error) {
    if (isPassing(error)) return null;
    throw error;
  }
}
