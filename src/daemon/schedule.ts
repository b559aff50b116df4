import { Heap } from '../steward/heap.ts';
import { offPhrase } from '../steward/proposals.ts';
import {
  type Cadence,
  comesUp,
  isPressing,
  isShareable,
  matterCheck,
  type NextCheck,
  nextCheck,
  nextFire,
  type OwnSchedule,
  parseSchedule,
  planRhythm,
  type Rhythm,
  SLACK,
  scheduleName,
  schedulePhase,
  type TaskCheck,
} from '../steward/schedule.ts';
import type { Cursor, DecisionContext, DecisionIndexAccess, StoredState } from '../steward/workspace.ts';
import { isPassing } from '../vault/errors.ts';
import type { Catalogue } from '../vault/index.ts';
import type { MatterRecord, TargetRecord, TaskRecord } from '../vault/record.ts';
import { atOnce, oneSlice } from '../vault/time.ts';
import type { StateStore } from './state.ts';

const FALLBACK: Cadence = { kind: 'every', ms: 30 * 60 * 1000 };

/** Returns a matter's own schedule, from its note or the default, with what is remembered of its ticks. */
export function ownSchedule(state: StoredState, matter: MatterRecord, standard: string): OwnSchedule {
  const known = state.get('schedules')[scheduleName(matter)];
  return {
    ...writtenSchedule(matter, standard),
    vault: state.get('identity').id,
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
export function taskCheck(state: StoredState, task: TaskRecord, slug: string, now: number): TaskCheck {
  const cursor = cursorOf(state, task, now);
  const check = nextCheck(task.fields, cursor?.streak ?? 0, cursor?.at ?? now);
  const at =
    cursor === null && check.every !== null
      ? firstCheck(check.every, { vault: state.get('identity').id, slug }, now)
      : check.at;
  const presses = check.every !== null && isPressing(task.fields, now); // one that names a moment keeps no pace
  return { at, every: check.every, reason: check.reason, name: task.name, presses };
}

// A fixed moment: counted from now, each edit of the matter would put the check off again.
function firstCheck(every: number, of: Parameters<typeof schedulePhase>[0], now: number): number | null {
  return nextFire({ kind: 'every', ms: every }, schedulePhase(of, every), now);
}

/** Returns when a note is next looked at, and why. A fresh signal makes it due at once, unless the note defers it. */
export function planCheck(context: DecisionContext, target: TargetRecord, hasSignals: boolean): NextCheck {
  const now = context.now();
  const cursor = hasSignals ? null : cursorOf(context.state, target, now);
  if (cursor !== null) return paced(context, target, cursor);
  const check = paced(context, target, { at: now, streak: 0 });
  const isSignalled = hasSignals && !comesUp(target.fields);
  const isDeferred = (check.at === null && !isSignalled) || /^(not before|snoozed until)/.test(check.reason);
  return isDeferred ? check : { at: now, every: null, reason: hasSignals ? 'a signal waits' : 'not checked yet' };
}

function paced(context: DecisionContext, target: TargetRecord, { at, streak }: Cursor): NextCheck {
  if (target.kind === 'matter') {
    return matterCheck(target.fields, ownSchedule(context.state, target, context.settings.default_schedule), at);
  }
  return nextCheck(target.fields, streak, at);
}

/** Whether the last look at a note, or at its matter, found no reason to judge. */
export function isQuietSince({ vault, context: { state } }: DecisionIndexAccess, target: TargetRecord): boolean {
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  const ticks = matter === null ? 0 : (state.get('schedules')[scheduleName(matter)]?.streak ?? 0);
  const isAsleep = matter !== null && !comesUp(matter.fields);
  return isAsleep || ticks > 0 || (state.get('cursors')[target.path]?.streak ?? 0) > 0;
}

/** Ends the quiet of a note and of its matter because a signal came (contract, section 4). Lasts through a restart. */
export function endQuiet({ vault, context: { state, now } }: DecisionIndexAccess, target: TargetRecord): void {
  const cursors = state.get('cursors');
  const cursor = cursors[target.path];
  // A note that had backed off is paced from the signal on, so that the next check weighs it with others that follow.
  if (cursor !== undefined) cursors[target.path] = { at: cursor.streak < 3 ? cursor.at : now(), streak: 0 };
  state.touch('cursors', target.path);
  const matter = target.kind === 'matter' ? target : vault.catalogue.matterOf(target);
  const schedules = state.get('schedules');
  const known = matter === null ? undefined : schedules[scheduleName(matter)];
  if (matter === null || known === undefined) return;
  schedules[scheduleName(matter)] = { ...known, streak: 0, heard: now() };
  state.touch('schedules', scheduleName(matter));
}

/**
 * Returns what is remembered of the last look at a note. A moment in the future comes from a clock that was set back
 * since.
 */
function cursorOf(state: StoredState, target: TargetRecord, now: number): Cursor | null {
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

/**
 * All checks that are due within one second of the clock fire at its end, so that many matters wake the processor only
 * once. From two thousand matters on it is a millisecond for each, in steps that divide a minute. With ten thousand,
 * that saves a quarter of the processor time at rest, and no schedule is meant more exactly (`SLACK`).
 */
const TOGETHER_MS = [1_000, 2_000, 5_000, 10_000];

/** Returns when a check that is due at a moment (epoch ms) really fires, among `schedules` of them. */
function together(at: number, schedules: number): number {
  const span = TOGETHER_MS.findLast((ms) => ms <= schedules) ?? 1_000;
  return Math.ceil(at / span) * span;
}

/** When a schedule is to fire (epoch ms). */
interface Firing {
  readonly at: number;
  readonly name: string;
}

/** The firings to come. One whose schedule was re-issued or removed since counts for nothing. */
class Firings {
  readonly #heap = new Heap<Firing>((a, b) => a.at - b.at);
  readonly #stands: (firing: Firing) => boolean;

  /** `stands`: whether a schedule still fires then. */
  constructor(stands: (firing: Firing) => boolean) {
    this.#stands = stands;
  }

  /** When the next one is (epoch ms); null if no schedule has one. */
  get next(): number | null {
    for (let head = this.#heap.peek(); head !== undefined; head = this.#heap.peek()) {
      if (this.#stands(head)) return head.at;
      this.#heap.pop();
    }
    return null;
  }

  push(at: number, name: string): void {
    this.#heap.push({ at, name });
  }

  /** Takes out those that are due by `now`, and yields the names of their schedules. */
  *due(now: number): Generator<string> {
    for (let head = this.#heap.peek(); head !== undefined && head.at <= now; head = this.#heap.peek()) {
      this.#heap.pop();
      if (this.#stands(head)) yield head.name;
    }
  }
}

class ScheduleMemory {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  follow(name: string, { path }: MatterRecord): void {
    const schedules = this.#state.get('schedules');
    const known = schedules[name];
    if (known?.path === path) return;
    schedules[name] =
      known === undefined
        ? { path, last: null, skipped: null, streak: 0, heard: null, fired: null, due: null }
        : { ...known, path };
    this.#state.touch('schedules', name);
  }

  /** Returns when a schedule last fired, also if that check was skipped (epoch ms); null if it never did. */
  fired(name: string): number | null {
    const { fired = null, last = null } = this.#state.get('schedules')[name] ?? {};
    return fired ?? last;
  }

  /** Returns when a schedule was to fire that has not fired since (epoch ms); null if no firing was missed by `now`. */
  owed(name: string, now: number): number | null {
    const { due = null, last = null, fired = null } = this.#state.get('schedules')[name] ?? {};
    return due !== null && due <= now && Math.max(last ?? due - 1, fired ?? due - 1) < due ? due : null;
  }

  /** Remembers when a schedule last fired, and is to fire next. If that is lost, it costs a look at most. */
  keep(name: string, fired: number | null, due: number | null): void {
    const schedules = this.#state.get('schedules');
    const known = schedules[name];
    const untold = known?.last != null && fired !== null && fired <= known.last ? null : fired; // the tick tells it as well
    if (known === undefined || (known.fired === untold && known.due === due)) return;
    schedules[name] = { ...known, fired: untold, due };
    this.#state.touchLater('schedules', name);
  }
}

/** The schedule of one matter, as `status` shows it. Times in epoch ms. */
export interface Schedule {
  /** `steward-<slug>`. */
  readonly name: string;
  /** The matter's vault-relative path. */
  readonly matter: string;
  readonly cadence: Cadence;
  /** The cadence in words, and where it comes from. */
  readonly reason: string;
  readonly next: number | null;
  /** The period (ms) that `next` follows from; null if a note or a cron expression names it. */
  readonly every: number | null;
  /** When it last fired, also if that check was skipped. */
  readonly fired: number | null;
  readonly running: boolean;
}

interface ScheduleListener {
  readonly due: (name: string) => void;
  readonly provisioned: (schedule: Schedule) => void;
  readonly removed: (name: string, reason: string) => void;
}

/** The longest the timer looks ahead, in ms, so that a machine that slept is noticed soon after it wakes. */
const LOOK_AHEAD_MS = 30_000;

/**
 * One schedule for each living matter, over a single timer. The matter's note decides: `follow` is called whenever it
 * changes, and provisions, re-issues or removes the schedule.
 */
export class Schedules {
  readonly #schedules = new Map<string, Schedule>();
  /** Those whose matters are still to be followed with their tasks taken into account. */
  readonly #withoutTasks = new Set<string>();
  readonly #firings = new Firings(({ at, name }) => this.#schedules.get(name)?.next === at);
  readonly #catalogue: Catalogue;
  readonly #state: StateStore;
  readonly #memory: ScheduleMemory;
  readonly #now: () => number;
  readonly #listener: ScheduleListener;
  #defaultSchedule: string;
  #timer: NodeJS.Timeout | null = null;
  /** When the timer goes off (epoch ms). */
  #wakesAt = Number.POSITIVE_INFINITY;
  #paused = true;
  #lookedAt: number;

  constructor(parts: {
    catalogue: Catalogue;
    state: StateStore;
    now: () => number;
    listener: ScheduleListener;
    defaultSchedule: string;
  }) {
    this.#catalogue = parts.catalogue;
    this.#state = parts.state;
    this.#memory = new ScheduleMemory(parts.state);
    this.#now = parts.now;
    this.#listener = parts.listener;
    this.#defaultSchedule = parts.defaultSchedule;
    this.#lookedAt = parts.now();
  }

  get size(): number {
    return this.#schedules.size;
  }

  /**
   * When the next of them fires (epoch ms): now while it is still worked out, null if no schedule fires or the vault is
   * away.
   */
  get next(): number | null {
    if (this.#paused) return null;
    if (this.#withoutTasks.size > 0) return this.#now();
    return this.#firings.next;
  }

  /**
   * Returns when the next of them has to fire at the latest (epoch ms). Checks with a period of an hour or more may be
   * late by `slackMs`: all that are due by then share a wake.
   */
  latest(slackMs: number): number | null {
    const next = this.next;
    if (next === null || slackMs === 0 || this.#withoutTasks.size > 0) return next;
    let latest = Number.POSITIVE_INFINITY;
    for (const { next: at, every } of this.#schedules.values())
      if (at !== null) latest = Math.min(latest, isShareable(every) ? at + slackMs : at);
    return Number.isFinite(latest) ? latest : null;
  }

  /** Returns all schedules by name, each with the tasks of its matter taken into account. */
  list(): Schedule[] {
    atOnce(this.#includeAll());
    return this.#byName();
  }

  /** Returns the first schedules by name, `most` at most, as last worked out. */
  first(most: number): Schedule[] {
    return this.#byName().slice(0, most);
  }

  #byName(): Schedule[] {
    return [...this.#schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the schedule of a name, `steward-<slug>`, as last worked out. */
  get(name: string): Schedule | undefined {
    return this.#schedules.get(name);
  }

  /** Starts the timer. A schedule that missed firings while the program was away fires once. */
  start(): void {
    this.#paused = false;
    this.#arm();
    this.#includeTasksSoon();
  }

  /** Stops the timer, so that nothing fires while the vault is away; the schedules stay as they are. */
  pause(): void {
    this.#paused = true;
    this.#disarm();
  }

  /** Fires whatever is due now, in case the clock moved further than the timer knows. */
  look(): void {
    if (!this.#paused) this.#fire();
  }

  /** Sets a new default schedule, and re-issues the schedules that follow it. */
  setDefault(schedule: string): void {
    if (schedule === this.#defaultSchedule) return;
    this.#defaultSchedule = schedule;
    this.followAll();
  }

  /**
   * Provisions a schedule for every living matter: at first by its own rhythm alone, so that a start reads no task. The
   * tasks are taken into account afterwards, a slice of time each turn, or when somebody asks for the list.
   */
  followAll(): void {
    atOnce(this.provisionAll());
  }

  /** Does the same, and pauses after each matter. */
  *provisionAll(): Generator<void> {
    for (const matter of this.#catalogue.each('matter')) {
      yield;
      const name = scheduleName(matter);
      if (this.#reasonAgainst(matter) !== null) this.follow(matter);
      else {
        if (!this.#schedules.has(name)) this.#issue(name, matter, false);
        this.#withoutTasks.add(name);
      }
    }
    if (!this.#paused) this.#includeTasksSoon();
  }

  /** Provisions, re-issues or removes the schedule of one matter, as its note now says. */
  follow(matter: MatterRecord): void {
    const name = scheduleName(matter);
    const dead = this.#reasonAgainst(matter);
    this.#withoutTasks.delete(name);
    if (dead !== null) this.remove(name, dead);
    else this.#issue(name, matter, true);
  }

  /** Removes a schedule. Its stored state stays, so that a rename or an undo takes it up again. */
  remove(name: string, reason: string): void {
    this.#withoutTasks.delete(name);
    if (this.#schedules.delete(name)) this.#listener.removed(name, reason);
  }

  mark(name: string, running: boolean): void {
    const schedule = this.#schedules.get(name);
    if (schedule !== undefined) this.#schedules.set(name, { ...schedule, running });
  }

  #reasonAgainst(matter: MatterRecord): string | null {
    const { state, steward } = matter.fields;
    if (state === 'done' || state === 'archived') return `the matter is ${state}`;
    if (!steward) return `the matter ${offPhrase(matter)}`;
    const [other] = this.#catalogue.namesakes(matter);
    return other === undefined ? null : `${other.path} has the same slug`;
  }

  #includeTasksSoon(): void {
    setImmediate(() => {
      if (!this.#paused && !oneSlice(this.#includeAll())) this.#includeTasksSoon();
    });
  }

  // Pauses after each matter. A matter that was included in the meantime is skipped.
  *#includeAll(): Generator<void> {
    for (const name of this.#withoutTasks) {
      this.#withoutTasks.delete(name);
      const matter = this.#catalogue.get(this.#schedules.get(name)?.matter ?? '');
      if (matter?.kind === 'matter') this.follow(matter);
      yield;
    }
  }

  #issue(name: string, matter: MatterRecord, withTasks: boolean): void {
    const known = this.#schedules.get(name);
    this.#memory.follow(name, matter);
    const tasks = withTasks ? this.#catalogue.tasksOf(matter) : [];
    const fired = known === undefined ? this.#memory.fired(name) : known.fired;
    const rhythm = this.#rhythm(matter, tasks, fired);
    const owed = known === undefined ? this.#memory.owed(name, this.#now()) : null; // while the program was away
    const isKept = this.#isDue(known) || this.#isLookedAt(known, rhythm.at);
    const next = isKept ? known.next : (owed ?? rhythm.at);
    const every = isKept ? known.every : rhythm.every;
    if (withTasks) this.#memory.keep(name, fired, next);
    const { cadence, reason } = rhythm;
    const running = known?.running ?? false;
    const schedule: Schedule = { name, matter: matter.path, cadence, reason, next, every, fired, running };
    this.#schedules.set(name, schedule);
    if (next !== null && next !== known?.next) this.#firings.push(next, name);
    if (next !== known?.next) this.#arm();
    if (known === undefined || !sameCadence(known.cadence, cadence)) this.#listener.provisioned(schedule);
  }

  // The work is proportional to the matter's own tasks.
  #rhythm(matter: MatterRecord, tasks: readonly TaskRecord[], fired: number | null): Rhythm {
    const now = this.#now();
    const own = ownSchedule(this.#state, matter, this.#defaultSchedule);
    const checks = tasks
      .filter(({ fields }) => fields.steward)
      .map((task) => taskCheck(this.#state, task, matter.name, now));
    return planRhythm({ ...own, last: laterOf(own.last, fired) }, checks, now);
  }

  // A firing that is due is not lost because its matter changes at that moment.
  #isDue(known: Schedule | undefined): known is Schedule {
    return known !== undefined && known.next !== null && known.next <= this.#now();
  }

  // A tick that runs looks at what was due, or nearly, when it fired: when to look again is known when it is done.
  #isLookedAt(known: Schedule | undefined, at: number | null): known is Schedule {
    return known?.running === true && at !== null && at <= (known.fired ?? this.#now()) + SLACK;
  }

  // A timer that goes off too soon only sets the next one.
  #arm(): void {
    const { next } = this.#firings;
    if (this.#paused || next === null) return;
    const now = this.#now();
    const at = Math.min(next <= now ? now : together(next, this.#schedules.size), now + LOOK_AHEAD_MS);
    if (this.#timer !== null && this.#wakesAt <= at) return;
    this.#disarm();
    this.#wakesAt = at;
    this.#timer = setTimeout(() => this.#fire(), at - now);
  }

  #disarm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #fire(): void {
    this.#disarm();
    const now = this.#now();
    // A clock that was set back may have left firings far in the future: each is worked out again.
    if (now < this.#lookedAt - SLACK) this.followAll();
    this.#lookedAt = now;
    for (const name of this.#firings.due(now)) this.#fireOne(name, now);
    this.#arm();
  }

  // Until the tick is done, the next firing follows from the schedule's own cadence.
  #fireOne(name: string, now: number): void {
    const schedule = this.#schedules.get(name);
    if (schedule === undefined) return;
    const { cadence } = schedule;
    const every = cadence.kind === 'every' ? cadence.ms : null;
    const of = { vault: this.#state.get('identity').id, slug: name.replace(/^steward-/, '') };
    const at = nextFire(cadence, every === null ? 0 : schedulePhase(of, every), now);
    this.#schedules.set(name, { ...schedule, next: at, every, fired: now });
    this.#memory.keep(name, now, at);
    if (at !== null) this.#firings.push(at, name);
    this.#listener.due(name);
  }
}

function laterOf(one: number | null, other: number | null): number | null {
  return one === null ? other : Math.max(one, other ?? one);
}

function sameCadence(one: Cadence, other: Cadence): boolean {
  if (one.kind === 'every') return other.kind === 'every' && one.ms === other.ms;
  return other.kind === 'cron' && one.expression === other.expression;
}
