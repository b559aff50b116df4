import fs from 'node:fs';
import { plainError } from '../vault/files.ts';
import { isLost, type Lease } from '../vault/lock.ts';
import { atOnce, inSlices, nextTurn } from '../vault/slices.ts';
import type { Recovery } from '../vault/transaction/recovery.ts';
import type { Parts } from './compose.ts';
import { composeDaemon, type DaemonParts } from './compose-daemon.ts';
import { modeOf } from './effective-mode.ts';
import { unexpectedFault } from './faults/unexpected-fault.ts';
import { FileKeeper, type Keeper } from './keeper.ts';
import { Keeping } from './keeping.ts';
import { adoptEvents } from './outcomes.ts';
import { carryOutRequest } from './requests.ts';
import { type Component, within } from './runtime/component.ts';
import type { Fault } from './runtime/last-resort.ts';
import { demandVault, type RuntimePaths } from './server/runtime-paths.ts';
import { type Caller, otherVault, type Request, Server } from './server.ts';
import { type DaemonStatus, recordProblemsInTurns, type Status, scheduleStatuses, statusOf } from './status.ts';
import { Pulse, sweepEvery } from './timers.ts';
import { ToldWatcher } from './told-watcher.ts';
import { closed, drained, restsUntil, settledWithin } from './under-way.ts';

const WAKE_MS = 60_000;
const FLUSH_MS = 1_000;
const STOP_WITHIN_MS = 10_000;
const NEVER = new AbortController().signal;
/** After a fault, work that was under way and has not ended in this time (ms) will not end. */
const STUCK_MS = 5 * 60_000;

/** How a daemon is started. */
interface Starting {
  readonly stop: AbortSignal;
  readonly keeper: Keeper;
  readonly made: (daemon: Daemon) => void;
}

/** The daemon of one vault. `start` gets it running; disposing it stops it in order. */
export class Daemon implements AsyncDisposable {
  readonly #parts: DaemonParts;
  readonly #lease: Lease;
  readonly #since: string;
  readonly #paths: RuntimePaths;
  readonly #keeping: Keeping;
  readonly #watcher: ToldWatcher;
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
    this.#watcher = new ToldWatcher(parts.space);
    const { schedules } = parts.ticker;
    this.#keeping = new Keeping({ ...parts, schedules, paths, lease });
    // Not within the look that finds it out: what calls it is in the midst of its work, and ends at its next look.
    lease.lost.addEventListener('abort', () => queueMicrotask(() => void closed(this.#parts)), { once: true });
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
    keeper: Keeper = new FileKeeper({ ...parts, paths }),
    made: (daemon: Daemon) => void = () => {},
  ): Promise<Daemon> {
    return within('core', () => Daemon.#start(parts, paths, { stop, keeper, made }));
  }

  static async #start(parts: Parts, paths: RuntimePaths, { stop, keeper, made }: Starting): Promise<Daemon> {
    demandVault(parts.root, paths);
    await nextTurn(); // so far its modules were loaded: whoever waits has waited for that long
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

  // What the error cut off may be what a piece of work waits for, and then everything that is queued behind it.
  #breakIfStuck(error: unknown): void {
    const { timers, retries, streams, space } = this.#parts;
    const oldest = () => [retries.oldest, streams.oldest];
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

  /** How many matters are scheduled. */
  get matters(): number {
    return this.#parts.ticker.schedules.size;
  }

  /** When the next thing is done in a vault where nothing changes (epoch ms): now while work is under way, null: never. */
  restsUntil(): number | null {
    return restsUntil(this.#parts, { now: this.#parts.space.context.now(), nextTry: this.#lookedAt + WAKE_MS });
  }

  /** Why the vault cannot be read just now, or null. */
  get away(): string | null {
    return this.#parts.space.vault.away;
  }

  /** How things stand. */
  status(): Status {
    const { space, ticker } = this.#parts;
    return statusOf(space, atOnce(scheduleStatuses(space.context, ticker.schedules.list())), this.#self());
  }

  /**
   * Believes the disk and the clock, whatever the watcher and the timers said or missed: sweeps, tries again what
   * failed, ticks what is due. Once a minute or seldomer, after a stall, and for a caller who knows that time has passed.
   */
  async wake(): Promise<void> {
    const { vault } = this.#parts.space;
    if (vault.watcherTrouble !== null && !this.#stopped) await vault.rewatch();
    await vault.sweep();
    this.#watcher.look();
    await this.#lookRound();
  }

  async #lookRound(): Promise<void> {
    const { space, timers, ticker, housekeeping, reactions, edits, plane, sources, notifier } = this.#parts;
    if (space.vault.away !== null || this.#stopped) return;
    this.#lookedAt = space.context.now();
    timers.look();
    within('schedule', () => ticker.schedules.look());
    this.#retry();
    within('housekeeping', () => housekeeping.runIfDue());
    within('edits', () => edits.look());
    reactions.refresh();
    within('plane', () => plane?.wake());
    within('notifications', () => notifier.look());
    within('sources', () => sources.follow());
    this.#keeping.snapshotIfDue(this.#self());
  }

  /** Resolves when everything that has been taken up so far is done. */
  async idle(): Promise<void> {
    await drained(this.#parts);
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
    await settledWithin(STOP_WITHIN_MS, Promise.all([closed(this.#parts), space.vault.close()]));
    displaced.close();
  }

  async #begin(): Promise<void> {
    const { space, ticker, retries, reactions, edits, reload, timers, housekeeping, plane, sources, notifier } =
      this.#parts;
    if (space.vault.away === null) this.#recover();
    // Before orders are looked at. Where the disk refuses it, or the vault is away, it is tried again.
    retries.addSteps('adopt', '.', () => adoptEvents(space));
    await retries.drained();
    await within('schedule', () => inSlices(ticker.schedules.provisionAll()));
    const answer = (asked: Request, caller: Caller) => this.#answer(asked, caller);
    const mayListen = () => this.#demandHeld();
    this.#server = await within('requests', () => Server.listen(this.#paths.socket, answer, mayListen));
    await space.vault.watch({
      changed: (changes) => {
        reactions.changed(changes);
        within('edits', () => edits.changed(changes));
        within('plane', () => plane?.changed(changes));
        within('notifications', () => notifier.changed(changes));
      },
      streamed: (files) => within('streams', () => reactions.streamed(files)),
      settings: () => {
        reload.run();
        reactions.refresh();
        within('notifications', () => notifier.look());
      },
      sources: () => within('sources', () => sources.follow()),
      presence: (away) => this.#presence(away),
    });
    const mode = modeOf(space.context, null);
    this.#watcher.look();
    space.context.emit({ what: 'started', vault: space.vault.root, mode, matters: this.matters });
    for (const trouble of space.problems.settings) space.context.emit({ what: 'trouble', trouble });
    await inSlices(reactions.catchUp());
    within('edits', () => edits.catchUp());
    within('plane', () => plane?.start());
    await within('notifications', () => notifier.start());
    within('sources', () => sources.follow());
    if (space.vault.away === null) within('schedule', () => ticker.schedules.start());
    else this.#presence(space.vault.away);
    this.#keepPace();
    this.#keeping.start();
    within('housekeeping', () => housekeeping.run());
    within('sources', () => this.#parts.clearing.soon());
    // Where the vault goes away and the program is killed, this is all that tells of it.
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
      within('schedule', () => ticker.schedules.start());
      this.#retry();
    }
    void this.#keeping.snapshot(this.#self());
  }

  #retry(): void {
    const { recovery, retries, streams } = this.#parts;
    retries.add('journal', '.steward/journal', async () => {
      if (recovery.isPending) this.#recover();
    });
    retries.retry();
    within('streams', () => streams.retry());
  }

  // Once a second: notices a stall by its own lateness and a vault that vanished, sweeps when it is time, and keeps
  // the state on disk.
  #keepPace(): void {
    const { space, timers, retries } = this.#parts;
    const pulse = new Pulse(FLUSH_MS, timers.moment);
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

  async #answer(asked: Request, caller: Caller): Promise<unknown> {
    this.#demandHeld();
    const { vault } = this.#parts.space;
    const { vault: meant } = caller;
    if (meant !== undefined && meant !== vault.root && vault.away === null) throw otherVault(vault.root);
    if (asked.op === 'alive') return null;
    if (asked.op !== 'status') return within(componentFor(asked.op), () => carryOutRequest(this.#parts, asked, caller));
    if (this.#hasVanished()) await this.#parts.space.vault.sweep();
    const { space, ticker } = this.#parts;
    const records = await recordProblemsInTurns(space);
    const schedules = await inSlices(scheduleStatuses(space.context, await ticker.schedules.listInTurns()));
    return statusOf(space, schedules, this.#self(), records);
  }

  // An idle daemon too notices within a second that another has its vault.
  #holdOn(): void {
    if (!isLost(this.#lease)) this.#keeping.flushPressing();
  }

  // Also where the vault is away: it is ours still.
  #demandHeld(): void {
    if (isLost(this.#lease)) throw this.#lease.lost.reason;
  }

  #self(): DaemonStatus {
    return { state: 'running', pid: process.pid, since: this.#since };
  }
}

/** Returns the component that a command asks for its work. */
function componentFor(op: Request['op']): Component {
  switch (op) {
    case 'import':
    case 'report':
    case 'roundtable':
      return op;
    case 'tick':
      return 'schedule';
    case 'sources':
    case 'source-try':
    case 'source-test':
      return 'sources';
    case 'notify-test':
      return 'notifications';
    default:
      return 'requests';
  }
}

// A journal that the disk does not show is looked at once it does.
function isUnfinished(recovery: Recovery): boolean {
  try {
    return recovery.isPending;
  } catch {
    return false;
  }
}
