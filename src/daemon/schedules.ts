import {
  type Cadence,
  matterCadence,
  nextAfter,
  type ParsedSchedule,
  parseSchedule,
  phaseOf,
} from '../steward/cadence.ts';
import { cadenceWords } from '../steward/schedule.ts';
import type { Catalogue } from '../vault/catalogue.ts';
import type { MatterRecord } from '../vault/record.ts';
import { Heap } from './heap.ts';
import type { State } from './state.ts';

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
  readonly running: boolean;
}

/** What schedules tell the daemon. */
export interface ScheduleListener {
  readonly due: (name: string) => void;
  readonly provisioned: (schedule: Schedule) => void;
  readonly removed: (name: string, reason: string) => void;
}

/** The longest the timer looks ahead, in ms, so that a machine that slept is noticed soon after it wakes. */
const LOOK_AHEAD_MS = 30_000;

/**
 * One schedule for each matter that is alive, over a single timer. A matter's file is its schedule's reason to be:
 * `follow` is called whenever the file changes, and provisions, re-issues or removes.
 */
export class Schedules {
  readonly #schedules = new Map<string, Schedule>();
  readonly #queue = new Heap<{ at: number; name: string }>((a, b) => a.at - b.at);
  readonly #catalogue: Catalogue;
  readonly #state: State;
  readonly #now: () => number;
  readonly #listener: ScheduleListener;
  #defaultSchedule: string;
  #timer: NodeJS.Timeout | null = null;
  #paused = true;

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
  }

  list(): Schedule[] {
    return [...this.#schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Schedule | undefined {
    return this.#schedules.get(name);
  }

  /** Starts the timer. Firings missed while the program was away are caught up once each. */
  start(): void {
    this.#paused = false;
    this.#arm();
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

  /** Provisions a schedule for every living matter. */
  followAll(): void {
    for (const matter of this.#catalogue.matters()) this.follow(matter);
  }

  /** Brings the schedule of one matter in line with its note. */
  follow(matter: MatterRecord): void {
    const name = scheduleName(matter);
    const dead = this.#reasonAgainst(matter);
    if (dead !== null) this.remove(name, dead);
    else this.#issue(name, matter);
  }

  /** Removes a schedule; its memory stays, so that a rename or an undo takes it up again. */
  remove(name: string, reason: string): void {
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

  #issue(name: string, matter: MatterRecord): void {
    const written = this.#cadence(matter);
    const streak = this.#state.get('schedules')[name]?.streak ?? 0;
    // A person's own schedule is kept as written; only the default backs off while a matter is quiet.
    const cadence = matter.fields.steward_schedule === null ? matterCadence(written.cadence, streak) : written.cadence;
    const known = this.#schedules.get(name);
    if (known !== undefined && known.matter === matter.path && sameCadence(known.cadence, cadence)) return;
    this.#remember(name, matter);
    const schedule = this.#scheduled(name, matter, cadence, reasonOf(written.source, cadence, streak));
    if (known === undefined || known.reason !== schedule.reason) this.#listener.provisioned(schedule);
  }

  #scheduled(name: string, matter: MatterRecord, cadence: Cadence, reason: string): Schedule {
    const phase = cadence.kind === 'every' ? phaseOf(matter.name, cadence.ms) : 0;
    const last = this.#state.get('schedules')[name]?.last ?? null;
    const firing = nextAfter(cadence, phase, last, this.#now());
    const next = firing.missed ? this.#now() : firing.at;
    const running = this.#schedules.get(name)?.running ?? false;
    const schedule: Schedule = { name, matter: matter.path, cadence, reason, next, running };
    this.#schedules.set(name, schedule);
    if (next !== null) this.#queue.push({ at: next, name });
    this.#arm();
    return schedule;
  }

  #cadence(matter: MatterRecord): { cadence: Cadence; source: string } {
    const own = matter.fields.steward_schedule;
    const parsed = own === null ? null : parseSchedule(own);
    if (parsed?.ok) return { cadence: parsed.cadence, source: 'steward_schedule' };
    const standard: ParsedSchedule = parseSchedule(this.#defaultSchedule);
    const cadence = standard.ok ? standard.cadence : FALLBACK;
    return { cadence, source: parsed === null ? 'default' : 'default, since steward_schedule cannot be read' };
  }

  #remember(name: string, matter: MatterRecord): void {
    const schedules = this.#state.get('schedules');
    const known = schedules[name];
    if (known?.path === matter.path) return;
    schedules[name] =
      known === undefined
        ? { path: matter.path, last: null, skipped: null, streak: 0 }
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
    for (let head = this.#queue.peek(); head !== undefined && head.at <= now; head = this.#queue.peek()) {
      this.#queue.pop();
      const schedule = this.#schedules.get(head.name);
      // Re-issued or removed meanwhile: this entry is no longer the schedule's.
      if (schedule !== undefined && schedule.next === head.at) this.#fireOne(schedule, now);
    }
    this.#arm();
  }

  #fireOne(schedule: Schedule, now: number): void {
    const phase =
      schedule.cadence.kind === 'every' ? phaseOf(schedule.name.replace(/^steward-/, ''), schedule.cadence.ms) : 0;
    const { at } = nextAfter(schedule.cadence, phase, now, now);
    this.#schedules.set(schedule.name, { ...schedule, next: at });
    if (at !== null) this.#queue.push({ at, name: schedule.name });
    this.#listener.due(schedule.name);
  }
}

const FALLBACK: Cadence = { kind: 'every', ms: 30 * 60 * 1000 };

/** `steward-<slug>`, the slug being the matter's file name. */
export function scheduleName(matter: Pick<MatterRecord, 'name'>): string {
  return `steward-${matter.name}`;
}

function sameCadence(one: Cadence, other: Cadence): boolean {
  if (one.kind === 'every') return other.kind === 'every' && one.ms === other.ms;
  return other.kind === 'cron' && one.expression === other.expression;
}

function reasonOf(source: string, cadence: Cadence, streak: number): string {
  const quiet = source === 'default' && streak >= 3 ? `quiet for ${streak} ticks` : source;
  return `${quiet}: ${cadenceWords(cadence)}`;
}
