import { nextFire, phaseOf, SLACK } from '../../steward/schedule/cadence.ts';
import { type Rhythm, rhythmOf } from '../../steward/schedule/rhythm.ts';
import type { Cadence } from '../../steward/schedule/schedule.ts';
import { scheduleName } from '../../steward/schedule/schedule.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { MatterRecord, TaskRecord } from '../../vault/index/record.ts';
import type { State } from '../context/state.ts';
import { ownSchedule, taskCheck } from './due.ts';
import { Heap } from './heap.ts';

/** The schedule of one matter, as `status` shows it. Times in epoch ms. */
export interface Schedule {
  /** `steward-<slug>`. */
  readonly name: string;
  /** The matter's vault-relative path. */
  readonly matter: string;
  readonly cadence: Cadence;
  /** The cadence in words, with what it follows from. */
  readonly reason: string;
  readonly next: number | null;
  /** When it last fired in this process, were it only to be skipped. */
  readonly fired: number | null;
  readonly running: boolean;
}

/** What schedules tell the daemon. */
interface ScheduleListener {
  readonly due: (name: string) => void;
  readonly provisioned: (schedule: Schedule) => void;
  readonly removed: (name: string, reason: string) => void;
}

/** The longest the timer looks ahead, in ms, so that a machine that slept is noticed soon after it wakes. */
const LOOK_AHEAD_MS = 30_000;
/** How many matters are reckoned with their tasks before others have a turn. */
const AT_ONCE = 20;

/**
 * One schedule for each matter that is alive, over a single timer. A matter's file is its schedule's reason to be:
 * `follow` is called whenever the file changes, and provisions, re-issues or removes.
 */
export class Schedules {
  readonly #schedules = new Map<string, Schedule>();
  readonly #unreckoned = new Set<string>();
  readonly #queue = new Heap<{ at: number; name: string }>((a, b) => a.at - b.at);
  readonly #catalogue: Catalogue;
  readonly #state: State;
  readonly #now: () => number;
  readonly #listener: ScheduleListener;
  #defaultSchedule: string;
  #timer: NodeJS.Timeout | null = null;
  #paused = true;
  #lookedAt: number;

  constructor(parts: {
    catalogue: Catalogue;
    state: State;
    now: () => number;
    listener: ScheduleListener;
    defaultSchedule: string;
  }) {
    this.#catalogue = parts.catalogue;
    this.#state = parts.state;
    this.#now = parts.now;
    this.#listener = parts.listener;
    this.#defaultSchedule = parts.defaultSchedule;
    this.#lookedAt = parts.now();
  }

  /** How many there are. */
  get size(): number {
    return this.#schedules.size;
  }

  list(): Schedule[] {
    for (const name of [...this.#unreckoned]) this.#reckon(name);
    return [...this.#schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Schedule | undefined {
    return this.#schedules.get(name);
  }

  /** Starts the timer. Firings missed while the program was away are caught up once each. */
  start(): void {
    this.#paused = false;
    this.#arm();
    this.#reckonOn();
  }

  /** Stops the timer; schedules stay as they are. Nothing fires while the vault is away. */
  pause(): void {
    this.#paused = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Fires now whatever is due, for a clock that moved further than the timer knows. */
  look(): void {
    if (!this.#paused) this.#fire();
  }

  /** Takes a new default schedule: every matter that follows it is re-issued. */
  setDefault(schedule: string): void {
    if (schedule === this.#defaultSchedule) return;
    this.#defaultSchedule = schedule;
    this.followAll();
  }

  /**
   * Provisions a schedule for every living matter: at first by its own rhythm alone, so that a start reads no task. Their
   * tasks are reckoned in afterwards, a few matters at a time, or when somebody asks.
   */
  followAll(): void {
    for (const matter of this.#catalogue.matters()) {
      const name = scheduleName(matter);
      if (this.#schedules.has(name) || this.#reasonAgainst(matter) !== null) this.follow(matter);
      else {
        this.#issue(name, matter, false);
        this.#unreckoned.add(name);
      }
    }
    if (!this.#paused) this.#reckonOn();
  }

  /** Brings the schedule of one matter in line with its note. */
  follow(matter: MatterRecord): void {
    const name = scheduleName(matter);
    const dead = this.#reasonAgainst(matter);
    this.#unreckoned.delete(name);
    if (dead !== null) this.remove(name, dead);
    else this.#issue(name, matter, true);
  }

  /** Removes a schedule; its memory stays, so that a rename or an undo takes it up again. */
  remove(name: string, reason: string): void {
    this.#unreckoned.delete(name);
    if (this.#schedules.delete(name)) this.#listener.removed(name, reason);
  }

  /** Says that a schedule's tick began or ended. */
  mark(name: string, running: boolean): void {
    const schedule = this.#schedules.get(name);
    if (schedule !== undefined) this.#schedules.set(name, { ...schedule, running });
  }

  #reasonAgainst(matter: MatterRecord): string | null {
    const { state, steward } = matter.fields;
    if (state === 'done' || state === 'archived') return `the matter is ${state}`;
    if (!steward) return 'the matter says steward: false';
    const [other] = this.#catalogue.namesakes(matter);
    return other === undefined ? null : `${other.path} has the same slug`;
  }

  #reckonOn(): void {
    setImmediate(() => {
      if (this.#paused) return;
      for (const name of [...this.#unreckoned].slice(0, AT_ONCE)) this.#reckon(name);
      if (this.#unreckoned.size > 0) this.#reckonOn();
    });
  }

  #reckon(name: string): void {
    this.#unreckoned.delete(name);
    const matter = this.#catalogue.get(this.#schedules.get(name)?.matter ?? '');
    if (matter?.kind === 'matter') this.follow(matter);
  }

  #issue(name: string, matter: MatterRecord, withTasks: boolean): void {
    const known = this.#schedules.get(name);
    this.#remember(name, matter);
    const tasks = withTasks ? this.#catalogue.tasksOf(matter) : [];
    const rhythm = this.#rhythm(matter, tasks, known?.fired ?? null);
    const next = this.#isDue(known) ? known.next : rhythm.at;
    const { cadence, reason } = rhythm;
    const [fired, running] = [known?.fired ?? null, known?.running ?? false];
    const schedule: Schedule = { name, matter: matter.path, cadence, reason, next, fired, running };
    this.#schedules.set(name, schedule);
    if (next !== null && next !== known?.next) this.#queue.push({ at: next, name });
    if (next !== known?.next) this.#arm();
    if (known === undefined || !sameCadence(known.cadence, cadence)) this.#listener.provisioned(schedule);
  }

  // The work is proportional to the matter: its own tasks, and what is remembered of each.
  #rhythm(matter: MatterRecord, tasks: readonly TaskRecord[], fired: number | null): Rhythm {
    const now = this.#now();
    const own = ownSchedule(this.#state, matter, this.#defaultSchedule);
    const checks = tasks
      .filter(({ fields }) => fields.steward)
      .map((task) => taskCheck(this.#state, task, matter.name, now));
    return rhythmOf({ ...own, last: laterOf(own.last, fired) }, checks, now);
  }

  // A firing that is due is not put off because its matter changes at that moment.
  #isDue(known: Schedule | undefined): known is Schedule {
    return known !== undefined && known.next !== null && known.next <= this.#now();
  }

  #remember(name: string, matter: MatterRecord): void {
    const schedules = this.#state.get('schedules');
    const known = schedules[name];
    if (known?.path === matter.path) return;
    schedules[name] =
      known === undefined
        ? { path: matter.path, last: null, skipped: null, streak: 0, heard: null }
        : { ...known, path: matter.path };
    this.#state.touch('schedules');
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const next = this.#queue.peek();
    if (this.#paused || next === undefined) return;
    const delay = Math.min(Math.max(0, next.at - this.#now()), LOOK_AHEAD_MS);
    this.#timer = setTimeout(() => this.#fire(), delay);
  }

  #fire(): void {
    const now = this.#now();
    // A clock set back may have left firings far ahead: each is reckoned anew, from what is remembered of its matter.
    if (now < this.#lookedAt - SLACK) this.followAll();
    this.#lookedAt = now;
    for (let head = this.#queue.peek(); head !== undefined && head.at <= now; head = this.#queue.peek()) {
      this.#queue.pop();
      const schedule = this.#schedules.get(head.name);
      // Re-issued or removed meanwhile: this entry is no longer the schedule's.
      if (schedule !== undefined && schedule.next === head.at) this.#fireOne(schedule, now);
    }
    this.#arm();
  }

  // Until the tick has said how things stand, the next firing is the one of the schedule's own cadence.
  #fireOne(schedule: Schedule, now: number): void {
    const { cadence, name } = schedule;
    const phase = cadence.kind === 'every' ? phaseOf(name.replace(/^steward-/, ''), cadence.ms) : 0;
    const at = nextFire(cadence, phase, now);
    this.#schedules.set(name, { ...schedule, next: at, fired: now });
    if (at !== null) this.#queue.push({ at, name });
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
