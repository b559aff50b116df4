import fs from 'node:fs';
import { atOnce, inSlices, nextTurn } from '../vault/disk/slices.ts';
import { plainError } from '../vault/files.ts';
import { isLost, type Lease } from '../vault/lock/lease.ts';
import type { Parts } from './compose.ts';
import { composeDaemon, type DaemonParts } from './compose-daemon.ts';
import { modeOf } from './context/effective-mode.ts';
import { FileKeeper } from './keeper/file-keeper.ts';
import type { Keeper } from './keeper/keeper.ts';
import { Keeping } from './keeping.ts';
import { adoptEvents } from './outcomes/adoption.ts';
import { carryOutRequest } from './requests.ts';
import { Pulse } from './runtime/pulse.ts';
import { sweepEvery } from './runtime/sweep-pace.ts';
import type { Request } from './server/protocol.ts';
import { demandVault, type RuntimePaths } from './server/runtime-paths.ts';
import { type Caller, otherVault, Server } from './server/server.ts';
import { recordProblemsInTurns } from './status/record-problems.ts';
import { type DaemonStatus, type Status, scheduleStatuses, statusOf } from './status/status.ts';
import { ToldWatcher } from './told-watcher.ts';
import { closed, drained, restsUntil, within } from './under-way.ts';

const WAKE_MS = 60_000;
const FLUSH_MS = 1_000;
const STOP_WITHIN_MS = 10_000;
const NEVER = new AbortController().signal;

/** The daemon of one vault. `start` gets it running; disposing it stops it in order. */
export class Daemon implements AsyncDisposable {
  readonly #parts: DaemonParts;
  readonly #lease: Lease;
  readonly #since: string;
  readonly #paths: RuntimePaths;
  readonly #keeping: Keeping;
  readonly #watcher: ToldWatcher;
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
   * Waits for a lease that cannot be judged from here, until `stop`.
   * Throws `vault-locked`, `vault-away`, or what the disk refuses (all 75); then nothing was changed.
   */
  static async start(
    parts: Parts,
    paths: RuntimePaths,
    stop: AbortSignal = NEVER,
    keeper: Keeper = new FileKeeper({ ...parts, paths }),
  ): Promise<Daemon> {
    demandVault(parts.root, paths);
    await nextTurn(); // so far its modules were loaded: whoever waits has waited for that long
    const lease = await keeper.take(stop);
    let daemon: Daemon | null = null;
    try {
      daemon = new Daemon(await composeDaemon({ ...parts, demand: () => lease.demand() }), lease, paths);
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
    ticker.schedules.look();
    this.#retry();
    housekeeping.runIfDue();
    edits.look();
    reactions.refresh();
    plane?.wake();
    notifier.look();
    sources.follow();
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
    await within(STOP_WITHIN_MS, Promise.all([closed(this.#parts), space.vault.close()]));
    displaced.close();
  }

  async #begin(): Promise<void> {
    const { space, ticker, retries, reactions, edits, reload, timers, housekeeping, plane, sources, notifier } =
      this.#parts;
    if (space.vault.away === null) this.#recover();
    // Before orders are looked at. Where the disk refuses it, or the vault is away, it is tried again.
    retries.addSteps('adopt', '.', () => adoptEvents(space));
    await retries.drained();
    await inSlices(ticker.schedules.provisionAll());
    const answer = (asked: Request, caller: Caller) => this.#answer(asked, caller);
    this.#server = await Server.listen(this.#paths.socket, answer, () => this.#demandHeld());
    await space.vault.watch({
      changed: (changes) => {
        reactions.changed(changes);
        edits.changed(changes);
        plane?.changed(changes);
        notifier.changed(changes);
      },
      streamed: (files) => reactions.streamed(files),
      settings: () => {
        reload.run();
        reactions.refresh();
        notifier.look();
      },
      sources: () => sources.follow(),
      presence: (away) => this.#presence(away),
    });
    const mode = modeOf(space.context, null);
    this.#watcher.look();
    space.context.emit({ what: 'started', vault: space.vault.root, mode, matters: this.matters });
    for (const trouble of space.problems.settings) space.context.emit({ what: 'trouble', trouble });
    await inSlices(reactions.catchUp());
    edits.catchUp();
    plane?.start();
    await notifier.start();
    sources.follow();
    if (space.vault.away === null) ticker.schedules.start();
    else this.#presence(space.vault.away);
    this.#keepPace();
    this.#keeping.start();
    housekeeping.run();
    this.#parts.clearing.soon();
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
      ticker.schedules.start();
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
    streams.retry();
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
    if (asked.op !== 'status') return carryOutRequest(this.#parts, asked, caller);
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
