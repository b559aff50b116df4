import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { currentMode } from '../steward/gates.ts';
import { awayRefusal } from '../vault/errors.ts';
import { plainError, writeState } from '../vault/files.ts';
import { isLost, type Lease } from '../vault/lock.ts';
import type { VaultRecord } from '../vault/record.ts';
import { inSlices, Mutex, nextTurn } from '../vault/time.ts';
import type { Recovery } from '../vault/transaction.ts';
import type { RecordChange } from '../vault/vault.ts';
import { meetVault } from './adoption.ts';
import type { Caller, Capability, Running } from './capability.ts';
import { composeStatus, type Parts, type Status } from './compose.ts';
import { composeDaemon, type DaemonParts } from './compose-daemon.ts';
import type { Workspace } from './context.ts';
import { CORE, type Fault, HOUSEKEEPING, REQUESTS, SCHEDULE, unexpectedFault, within } from './faults.ts';
import { FileLeaseProvider, type LeaseProvider } from './lease.ts';
import { followHidden } from './problem-list.ts';
import { collectProblems, refreshProblems, reportWatcher } from './problems.ts';
import type { RetryQueue } from './queue.ts';
import { demandVault, ownFolder, type RuntimePaths } from './runtime-paths.ts';
import type { Schedules } from './schedule.ts';
import { carryOutRequest, type DaemonRequest, otherVault, Server } from './server.ts';
import { type DaemonStatus, scheduleStatuses } from './status.ts';
import { earliest, StallDetector, sweepEvery, type Timers } from './timers.ts';

/** Resolves when some work is done, or after this many ms. */
async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.then(() => undefined), cut]);
  clearTimeout(timer);
}

const WAKE_MS = 60_000;
const FLUSH_MS = 1_000;
const STOP_WITHIN_MS = 10_000;
const NEVER = new AbortController().signal;
/** After a fault, work that was under way and has not ended in this time (ms) will not end. */
const STUCK_MS = 5 * 60_000;

interface Starting {
  readonly stop: AbortSignal;
  readonly keeper: LeaseProvider;
  readonly made: (daemon: Daemon) => void;
}

/** The daemon of one vault. `start` gets it running; disposing it stops it in order. */
export class Daemon implements AsyncDisposable {
  readonly #parts: DaemonParts;
  readonly #lease: Lease;
  readonly #since: string;
  readonly #paths: RuntimePaths;
  readonly #keeping: StateWriter;
  #isWatcherReported = false;
  readonly #broken = new AbortController();
  #server: Server | null = null;
  #stopped = false;
  /** When it last looked round (epoch ms). */
  #lookedAt: number;

  private constructor(parts: DaemonParts, lease: Lease, paths: RuntimePaths) {
    this.#parts = parts;
    this.#lease = lease;
    this.#lookedAt = parts.space.context.now();
    this.#since = new Date(this.#lookedAt).toISOString();
    this.#paths = paths;
    const { schedules } = parts.ticker;
    const needsBefore = (path: string) => parts.started.some(({ running }) => running.needsBefore?.(path) === true);
    this.#keeping = new StateWriter({ ...parts, needsBefore, schedules, paths, lease });
    // Not within the look that finds it out: what calls it is in the midst of its work, and ends at its next look.
    lease.lost.addEventListener('abort', () => queueMicrotask(() => void this.#close()), { once: true });
  }

  /**
   * Takes the vault from its keeper, brings what a crash left to its end, provisions every schedule and starts to listen.
   * Waits for a lease that cannot be judged from here, until `stop`. `made` gets the daemon before it begins.
   * Throws `vault-locked`, `vault-away`, or what the disk refuses (all 75); then nothing was changed.
   */
  static start(
    parts: Parts,
    paths: RuntimePaths,
    stop: AbortSignal = NEVER,
    keeper: LeaseProvider = new FileLeaseProvider({ ...parts, paths }),
    made: (daemon: Daemon) => void = () => {},
  ): Promise<Daemon> {
    return within(CORE, () => Daemon.#start(parts, paths, { stop, keeper, made }));
  }

  static async #start(parts: Parts, paths: RuntimePaths, { stop, keeper, made }: Starting): Promise<Daemon> {
    demandVault(parts.root, paths);
    await nextTurn(); // its modules have loaded so far: let other work run that has waited for it
    const lease = await keeper.take(stop);
    let daemon: Daemon | null = null;
    try {
      daemon = new Daemon(await composeDaemon({ ...parts, demand: () => lease.demand() }), lease, paths);
      made(daemon);
      await daemon.#begin();
      return daemon;
    } catch (error) {
      if (daemon !== null) await daemon.#end();
      lease.release();
      throw plainError(error, parts.root);
    }
  }

  /** Aborted when the vault is no longer this process's: nothing more is written, and this daemon is to be ended. */
  get lost(): AbortSignal {
    return this.#lease.lost;
  }

  /** Aborted with a `StewardError` (75) after an unexpected error after which the daemon has to start again. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /**
   * Is called with an error that no code caught. Records it as a problem. The daemon continues after an error in a component that
   * it can do without; after another, and after too many, `broken` is aborted.
   */
  meet({ component, error }: Fault): void {
    const { faults, recovery } = this.#parts;
    if (!faults.uncaught(component, error, isUnfinished(recovery))) this.#break(error);
    else this.#breakIfStuck(error);
  }

  // A piece of work may wait for what the error cut off, and all that is queued behind it waits too.
  #breakIfStuck(error: unknown): void {
    const { timers, retries, started, space } = this.#parts;
    const oldest = () => [retries.oldest, ...started.map(({ running }) => running.oldest ?? null)];
    const before = oldest();
    timers.at(space.context.now() + STUCK_MS, () => {
      if (oldest().some((piece, at) => piece !== null && piece === before[at])) this.#break(error);
    });
  }

  #break(error: unknown): void {
    this.#broken.abort(unexpectedFault(error));
  }

  /** How often the vault had been taken when this daemon took it. */
  get epoch(): number {
    return this.#lease.epoch;
  }

  get matters(): number {
    return this.#parts.ticker.schedules.size;
  }

  /**
   * When the daemon acts next if the vault doesn't change (epoch ms): now while work is under way, null: never.
   * `slackMs`: how late a check with a period of an hour or more may be.
   */
  next(slackMs = 0): number | null {
    const { space, recovery, timers, retries, ticker, housekeeping, started } = this.#parts;
    if (space.vault.away !== null) return null; // nothing is done until somebody notices that it is back
    const now = space.context.now();
    const awaiting = { now, nextTry: this.#lookedAt + WAKE_MS };
    return earliest([
      space.vault.isIdle ? null : now,
      recovery.isPending ? awaiting.nextTry : null,
      timers.next,
      retries.next(awaiting),
      ticker.next(awaiting, slackMs),
      housekeeping.next(),
      ...started.map(({ running }) => running.next?.(awaiting) ?? null),
    ]);
  }

  /** Why the vault cannot be read just now, or null. */
  get away(): string | null {
    return this.#parts.space.vault.away;
  }

  status(): Status {
    const { space, ticker } = this.#parts;
    return composeStatus(space, scheduleStatuses(space.context, ticker.schedules.list()), this.#self());
  }

  /**
   * Believes the disk and the clock, whatever the watcher and the timers said or missed: sweeps, tries again what
   * failed, ticks what is due. Once a minute or seldomer, after a stall, and for a caller who knows that time has passed.
   */
  async wake(): Promise<void> {
    const { vault } = this.#parts.space;
    if (vault.watcherTrouble !== null && !this.#stopped) await vault.rewatch();
    await vault.sweep();
    this.#isWatcherReported = reportWatcher(this.#parts.space, this.#isWatcherReported);
    await this.#lookRound();
  }

  async #lookRound(): Promise<void> {
    const { space, timers, ticker, housekeeping, reactions } = this.#parts;
    if (space.vault.away !== null || this.#stopped) return;
    this.#lookedAt = space.context.now();
    timers.look();
    within(SCHEDULE, () => ticker.schedules.look());
    this.#retry();
    within(HOUSEKEEPING, () => housekeeping.check());
    reactions.refresh();
    this.#each((running) => running.check?.());
    followHidden(space.context, () => collectProblems(space));
    this.#keeping.snapshotIfDue(this.#self());
  }

  /** Resolves when everything that has been taken up so far is done. */
  async idle(): Promise<void> {
    const { retries, ticker, started } = this.#parts;
    for (const { running } of started) await running.idle?.(); // the signals that they give are routed
    await retries.idle();
    await ticker.idle();
    for (const { running } of started) await running.idle?.();
  }

  /** Lists the vault and waits until everything that follows from it is done. */
  async sync(): Promise<void> {
    await this.#parts.space.vault.sweep();
    await this.idle();
  }

  /** Stops in order: nothing new, what is in flight ends or is withdrawn within ten seconds, state saved, lock released. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopped) return;
    await this.#end();
    await this.#keeping.close();
    this.#lease.release();
    this.#parts.space.context.emit({ what: 'stopped' });
  }

  async #end(): Promise<void> {
    this.#stopped = true;
    const { space, displaced } = this.#parts;
    this.#server?.close(isLost(this.#lease));
    await settledWithin(STOP_WITHIN_MS, Promise.all([this.#close(), space.vault.close()]));
    displaced.close();
  }

  // Takes up nothing more, and resolves when what is in flight has ended.
  async #close(): Promise<void> {
    const { timers, ticker, retries, started } = this.#parts;
    timers.close();
    await Promise.all([ticker, retries, ...started.map(({ running }) => running)].map((one) => one.close?.()));
  }

  #each(work: (running: Running) => void): void {
    for (const { capability, running } of this.#parts.started) within(capability, () => work(running));
  }

  async #begin(): Promise<void> {
    const { space, ticker, retries, reactions, reload, timers, housekeeping, started } = this.#parts;
    if (space.vault.away === null) this.#recover();
    // Before orders are looked at. If the disk refuses it, or the vault is away, it is tried again.
    retries.addSteps('adopt', '.', () => meetVault(space));
    await retries.idle();
    await within(SCHEDULE, () => inSlices(ticker.schedules.provisionAll()));
    const answer = (asked: DaemonRequest, caller: Caller) => this.#answer(asked, caller);
    const mayListen = () => this.#demandHeld();
    this.#server = await within(REQUESTS, () => Server.listen(this.#paths.socket, answer, mayListen));
    await space.vault.watch({
      changed: (changes) => {
        reactions.changed(changes);
        for (const { capability, running } of this.#parts.started) {
          const own = changesFor(capability, changes);
          if (own.length > 0) within(capability, () => running.changed?.(own));
        }
      },
      streamed: (files) => this.#each((running) => running.streamed?.(files)),
      settings: () => {
        reload.run();
        reactions.refresh();
      },
      sources: () => this.#each((running) => running.sourcesChanged?.()),
      presence: (away) => this.#presence(away),
    });
    const mode = currentMode(space.context, null);
    this.#isWatcherReported = reportWatcher(this.#parts.space, this.#isWatcherReported);
    space.context.emit({ what: 'started', vault: space.vault.root, mode, matters: this.matters });
    for (const trouble of space.problems.settings) space.context.emit({ what: 'trouble', trouble });
    await inSlices(reactions.catchUp());
    for (const { capability, running } of started) await within(capability, () => running.begin?.());
    if (space.vault.away === null) within(SCHEDULE, () => ticker.schedules.start());
    else this.#presence(space.vault.away);
    this.#keepPace();
    this.#keeping.start();
    within(HOUSEKEEPING, () => housekeeping.run());
    // If the vault goes away and the program is killed, this is the only trace.
    timers.at(space.context.now(), () => void this.#keeping.snapshot(this.#self()));
  }

  #recover(): void {
    const { space, recovery } = this.#parts;
    const { finished, withdrawn, bad } = recovery.run();
    space.problems.recovery = bad;
    if (finished.length + withdrawn.length > 0) {
      space.context.emit({ what: 'recovered', finished: finished.length, withdrawn: withdrawn.length });
    }
  }

  #presence(away: string | null): void {
    const { space, ticker } = this.#parts;
    space.context.emit({ what: away === null ? 'back' : 'away', reason: away ?? '' });
    if (away !== null) ticker.schedules.pause();
    else if (!this.#stopped) {
      within(SCHEDULE, () => ticker.schedules.start());
      this.#retry();
      this.#each((running) => running.check?.());
    }
    void this.#keeping.snapshot(this.#self());
  }

  #retry(): void {
    const { recovery, retries } = this.#parts;
    retries.add('journal', '.steward/journal', async () => {
      if (recovery.isPending) this.#recover();
    });
    retries.retry();
  }

  // Once a second: notices a stall by its own lateness and a vault that vanished, sweeps when it is time, and keeps
  // the state on disk.
  #keepPace(): void {
    const { space, timers, retries } = this.#parts;
    const pulse = new StallDetector(FLUSH_MS, timers.moment);
    let lastSweep = Date.now();
    let lastLook = lastSweep;
    timers.every(FLUSH_MS, () => {
      const now = Date.now();
      const stalled = pulse.beat(timers.moment);
      const { vault } = space;
      const due = now - lastSweep >= sweepEvery(vault.watched, vault.away !== null);
      const vanished = this.#hasVanished();
      if (!vanished) this.#holdOn();
      const isToSweep = stalled || due || vanished;
      if (!isToSweep && now - lastLook < WAKE_MS) return;
      lastLook = now;
      if (isToSweep) lastSweep = now;
      const work = isToSweep ? this.wake() : this.#lookRound();
      work.catch((error: unknown) => retries.fault('sweep', '.', error));
    });
  }

  // A watcher follows the folder, not its name: that the whole vault was moved or unmounted shows only by looking.
  #hasVanished(): boolean {
    const { vault } = this.#parts.space;
    return vault.away === null && (!fs.existsSync(vault.places.own) || vault.isReplaced);
  }

  async #answer(asked: DaemonRequest, caller: Caller): Promise<unknown> {
    this.#demandHeld();
    const { vault } = this.#parts.space;
    const { vault: meant } = caller;
    if (meant !== undefined && meant !== vault.root && vault.away === null) throw otherVault(vault.root);
    if (asked.op === 'alive') return null;
    if (asked.op !== 'status') return carryOutRequest(this.#parts, asked, caller);
    if (this.#hasVanished()) await this.#parts.space.vault.sweep();
    await refreshProblems(this.#parts.space);
    return this.status();
  }

  // An idle daemon too notices within a second that another has its vault.
  #holdOn(): void {
    if (!isLost(this.#lease)) this.#keeping.flushPressing();
  }

  // Also if the vault is away: it is still ours.
  #demandHeld(): void {
    if (isLost(this.#lease)) throw this.#lease.lost.reason;
  }

  #self(): DaemonStatus {
    return { state: 'running', pid: process.pid, since: this.#since };
  }
}

function changesFor({ follows }: Capability, changes: readonly RecordChange[]): readonly RecordChange[] {
  if (follows === undefined) return changes;
  const isFollowed = (record: VaultRecord | null) => record !== null && follows.includes(record.kind);
  return changes.filter(({ before, after }) => isFollowed(before) || isFollowed(after));
}

// A journal that the disk does not show is looked at once it does.
function isUnfinished(recovery: Recovery): boolean {
  try {
    return recovery.isPending;
  } catch {
    return false;
  }
}

/** What lies no further ahead (ms) is waited for: a note that was just edited has to keep still for half a minute. */
const SOON_MS = 45_000;
/** A visit waits no longer (ms) in all for what is to be done soon, however often there is more. */
const PATIENCE_MS = 60_000;
/** A vault that lost most of a folder is believed after ten seconds; one that is away for longer (ms) is left. */
const AWAY_PATIENCE_MS = 15_000;
/** How often (ms) it is looked whether work that is under way has ended, and whether the vault is back. */
const BETWEEN_MS = 100;
const AWAY_BETWEEN_MS = 1_000;

interface VisitOptions {
  /** Gets the daemon before it begins. */
  readonly made?: (daemon: Daemon) => void;
  /** How late (ms) a check with a period of an hour or more may be: checks that are near each other share a visit. */
  readonly slackMs?: number;
}

/**
 * The result of a visit: until when no work is due (epoch ms; null: until something changes), and the vault's epoch.
 */
export interface VisitResult {
  readonly until: number | null;
  readonly epoch: number;
}

/**
 * Looks after a vault once: takes it, does all that is due, waits a moment for what is due soon, and leaves it in
 * order. At `stop` it leaves at once, and says by `until` that something may be left to do. Throws `vault-locked`,
 * `vault-away` and what the disk refuses (75), and `lock-lost` (75) if the vault was lost in the meantime: then no more
 * was written.
 *
 * LAW: a vault that is visited at just the moments that its visits name ends as one that a daemon never left. With a
 * slack, slow checks are later by as much.
 */
export async function visit(
  parts: Parts,
  paths: RuntimePaths,
  keeper: LeaseProvider,
  stop: AbortSignal,
  { made = () => {}, slackMs = 0 }: VisitOptions = {},
): Promise<VisitResult> {
  const daemon = await Daemon.start(parts, paths, stop, keeper, made);
  let until: number | null = null;
  try {
    until = await settled(daemon, parts.now, AbortSignal.any([stop, daemon.lost]), slackMs);
  } finally {
    await daemon[Symbol.asyncDispose]();
  }
  if (daemon.lost.aborted) throw daemon.lost.reason;
  return { until, epoch: daemon.epoch };
}

async function settled(daemon: Daemon, now: () => number, end: AbortSignal, slackMs: number): Promise<number | null> {
  const began = performance.now();
  for (;;) {
    await unless(end, caughtUp(daemon));
    if (end.aborted) return now();
    const passed = performance.now() - began;
    const { away } = daemon;
    if (away !== null && passed > AWAY_PATIENCE_MS) throw awayRefusal(away);
    const until = away === null ? daemon.next(slackMs) : now() + AWAY_BETWEEN_MS;
    const ahead = until === null ? Number.POSITIVE_INFINITY : Math.max(until - now(), BETWEEN_MS);
    if (ahead > SOON_MS || passed + ahead > PATIENCE_MS) return until;
    await wait(ahead, undefined, { signal: end }).catch(() => {});
  }
}

// Believes the disk and the clock: what the machine slept through counts as well.
async function caughtUp(daemon: Daemon): Promise<void> {
  await daemon.wake();
  await daemon.idle();
}

async function unless(end: AbortSignal, work: Promise<void>): Promise<void> {
  if (end.aborted) return;
  const done = new AbortController();
  await Promise.race([work, once(end, 'abort', { signal: done.signal }).catch(() => {})]).finally(() => done.abort());
}

/** How often what may wait is written: quiet looks, and what changed of the records. */
const LEISURELY_MS = 30_000;
/** How often the last known status is written while nothing happens. */
const SNAPSHOT_MS = 60 * 60 * 1000;
/** How long (ms) a stop may wait for the records: what is left is read again at the next start. */
const LAST_SAVE_MS = 1_500;
/** How many schedules the last known status tells of. */
const MOST_SCHEDULES = 1_000;

interface StateWriterParts {
  readonly space: Workspace;
  /** Whether a note is still needed as it was before its last change. */
  readonly needsBefore: (path: string) => boolean;
  readonly schedules: Schedules;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly paths: RuntimePaths;
  readonly lease: Lease;
}

/** The files that a daemon writes for itself: its state, the records for the next start, and the last known status. */
export class StateWriter {
  readonly #parts: StateWriterParts;
  #saving: Promise<void> | null = null;
  /** When no more records are to be saved. */
  #until = Number.POSITIVE_INFINITY;
  /** The write of the state that is under way: one at a time, as the next may be of the same entries. */
  #writing: Promise<void> | null = null;
  #snapshotAt = Number.NEGATIVE_INFINITY;
  readonly #telling = new Mutex();

  constructor(parts: StateWriterParts) {
    this.#parts = parts;
  }

  /** Begins to write at leisure what may wait. */
  start(): void {
    this.#parts.timers.every(LEISURELY_MS, () => {
      if (isLost(this.#parts.lease)) return;
      this.#saving ??= this.#saveAll().finally(() => {
        this.#saving = null;
      });
    });
  }

  /** Writes what is remembered and must not wait; skipped while a write is under way. */
  flushPressing(): void {
    const { state } = this.#parts.space.context;
    this.#writing ??= this.#written(state.flushingPressing()).finally(() => {
      this.#writing = null;
    });
  }

  /** Writes what is left to write at the end, where the vault is still ours. */
  async close(): Promise<void> {
    if (isLost(this.#parts.lease)) return;
    this.#until = performance.now(); // a save that runs goes no further
    await this.#saving;
    await this.#writeAll();
    this.#until = performance.now() + LAST_SAVE_MS;
    await this.#saveRecords();
    await this.snapshot({ state: 'stopped', pid: null, since: null });
  }

  /** Writes the last known status if it is an hour old, in whichever direction the clock went. */
  snapshotIfDue(daemon: DaemonStatus): void {
    if (Math.abs(this.#parts.space.context.now() - this.#snapshotAt) >= SNAPSHOT_MS) void this.snapshot(daemon);
  }

  /** Keeps the last known status outside the vault, for `status` while the vault is away and no daemon runs. */
  snapshot(daemon: DaemonStatus): Promise<void> {
    this.#snapshotAt = this.#parts.space.context.now();
    // One after the other: the last to be told is the last word.
    return this.#telling.run(() => this.#tell(daemon));
  }

  async #tell(daemon: DaemonStatus): Promise<void> {
    const { space, schedules, paths, lease } = this.#parts;
    try {
      await refreshProblems(space);
      if (isLost(lease)) return; // the process that has the vault now reports it
      ownFolder(paths.snapshot);
      const first = scheduleStatuses(space.context, schedules.first(MOST_SCHEDULES));
      const status = composeStatus(space, first, daemon);
      writeState(paths.snapshot, JSON.stringify(status));
    } catch {
      // A user without a state folder: `status` then knows only what the vault itself tells.
    }
  }

  // A few entries are written at once, and after a tick of all many, with turns for others.
  async #written(flushing: Generator<void>): Promise<void> {
    const { space, retries } = this.#parts;
    if (space.vault.away !== null) return;
    try {
      space.ingest.known.flush(); // first: what counts as read must be known by its identity
      await inSlices(flushing);
      space.ingest.trail.flush();
      space.problems.faults.delete('state');
    } catch (error) {
      retries.fault('state', '.steward/state', error);
    }
  }

  async #writeAll(): Promise<void> {
    await this.#writing;
    await this.#written(this.#parts.space.context.state.flushing());
  }

  // After what is remembered: that a note was moved or edited must not be forgotten before it has been heard.
  async #saveAll(): Promise<void> {
    await this.#writeAll();
    await this.#saveRecords();
  }

  async #saveRecords(): Promise<void> {
    const { space, needsBefore, retries, lease } = this.#parts;
    if (space.vault.away !== null) return;
    try {
      const hasTime = () => performance.now() < this.#until;
      await space.vault.saveCache({ isHeld: needsBefore, demand: () => lease.demand(), hasTime });
      space.problems.faults.delete('cache');
    } catch (error) {
      // A vault that has just gone away is the cause, which the next sweep reports.
      if (fs.existsSync(space.vault.places.own)) retries.fault('cache', '.steward/cache', error);
    }
  }
}
