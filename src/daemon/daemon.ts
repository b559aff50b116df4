import fs from 'node:fs';
import { inSlices, nextTurn } from '../vault/disk/slices.ts';
import type { StewardError } from '../vault/errors.ts';
import { plainError } from '../vault/files.ts';
import type { Lock } from '../vault/lock/lock.ts';
import type { Parts } from './compose.ts';
import { composeDaemon, type DaemonParts } from './compose-daemon.ts';
import { modeOf } from './context/effective-mode.ts';
import { type HeldVault, holdVault } from './held-vault.ts';
import { Keeping } from './keeping.ts';
import { adoptEvents } from './outcomes/adoption.ts';
import { carryOutRequest } from './requests.ts';
import { momentNow, Pulse } from './runtime/pulse.ts';
import { sweepEvery } from './runtime/sweep-pace.ts';
import type { Request } from './server/protocol.ts';
import { demandVault, type RuntimePaths } from './server/runtime-paths.ts';
import { type Caller, otherVault, Server } from './server/server.ts';
import { recordProblemsInTurns } from './status/record-problems.ts';
import { type DaemonStatus, type Status, statusOf } from './status/status.ts';

const WAKE_MS = 60_000;
const FLUSH_MS = 1_000;
const STOP_WITHIN_MS = 10_000;
const NEVER = new AbortController().signal;

/** The daemon of one vault. `start` gets it running; disposing it stops it in order. */
export class Daemon implements AsyncDisposable {
  readonly #parts: DaemonParts;
  readonly #lock: Lock;
  readonly #paths: RuntimePaths;
  readonly #keeping: Keeping;
  /** Resolves when another process has the vault: nothing more is written, and this daemon is to be ended. */
  readonly lost: Promise<StewardError>;
  #server: Server | null = null;
  #stopped = false;

  private constructor(parts: DaemonParts, held: HeldVault, paths: RuntimePaths) {
    this.#parts = parts;
    this.#lock = held.lock;
    this.lost = held.lost;
    this.#paths = paths;
    const { schedules } = parts.ticker;
    this.#keeping = new Keeping({ ...parts, schedules, paths, demand: () => this.#lock.demand() });
    void this.lost.then(() => this.#stopDeciding());
  }

  /**
   * Takes the lock, brings what a crash left to its end, provisions every schedule and starts to listen.
   * Waits for a lock that cannot be judged from here, until `stop`.
   * Throws `vault-locked`, `vault-away`, or what the disk refuses (all 75); then nothing was changed.
   */
  static async start(parts: Parts, paths: RuntimePaths, stop: AbortSignal = NEVER): Promise<Daemon> {
    demandVault(parts.root, paths);
    await nextTurn(); // so far its modules were loaded: whoever waits has waited for that long
    const held = await holdVault(parts, paths, stop);
    const { lock } = held;
    try {
      const daemon = new Daemon(await composeDaemon({ ...parts, demand: () => lock.demand() }), held, paths);
      await daemon.#begin();
      return daemon;
    } catch (error) {
      lock.release();
      throw plainError(error, parts.root);
    }
  }

  /** How many matters are scheduled. */
  get matters(): number {
    return this.#parts.ticker.schedules.size;
  }

  /** How things stand. */
  status(): Status {
    const { space, ticker } = this.#parts;
    return statusOf(space, ticker.schedules.list(), this.#self());
  }

  /**
   * Believes the disk and the clock, whatever the watcher and the timers said or missed: sweeps, tries again what
   * failed, ticks what is due. Once a minute or seldomer, after a stall, and for a caller who knows that time has passed.
   */
  async wake(): Promise<void> {
    const { vault } = this.#parts.space;
    if (vault.watcherTrouble !== null && !this.#stopped) await vault.rewatch();
    await vault.sweep();
    await this.#lookRound();
  }

  async #lookRound(): Promise<void> {
    const { space, ticker, housekeeping, reactions, edits, plane, sources, notifier } = this.#parts;
    if (space.vault.away !== null || this.#stopped) return;
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
    const { streams, retries, ticker, roundtables, plane, notifier } = this.#parts;
    await streams.drained(); // the signals they give are routed
    await retries.drained();
    await ticker.drained();
    await roundtables.drained();
    await plane?.drained();
    await notifier.drained();
  }

  /** Lists the vault and waits until everything that follows from it is done. */
  async sync(): Promise<void> {
    await this.#parts.space.vault.sweep();
    await this.idle();
  }

  /** Stops in order: nothing new, what is in flight ends or is withdrawn within ten seconds, state saved, lock released. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    const { space, displaced } = this.#parts;
    this.#server?.close();
    await within(STOP_WITHIN_MS, Promise.all([...this.#stopDeciding(), space.vault.close()]));
    displaced.close();
    if (!this.#lock.isLost) await this.#keeping.close();
    this.#lock.release();
    space.context.emit({ what: 'stopped' });
  }

  async #begin(): Promise<void> {
    const { space, ticker, retries, reactions, edits, reload, timers, housekeeping, plane, sources, notifier } =
      this.#parts;
    if (space.vault.away === null) this.#recover();
    // Before orders are looked at. Where the disk refuses it, or the vault is away, it is tried again.
    retries.addSteps('adopt', '.', () => adoptEvents(space));
    await retries.drained();
    await inSlices(ticker.schedules.provisionAll());
    this.#server = await Server.listen(this.#paths.socket, (asked, caller) => this.#answer(asked, caller));
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

  // Also where another has the vault: what is in flight here ends at its next look at the lock.
  #stopDeciding(): readonly (Promise<void> | undefined)[] {
    const { timers, ticker, retries, streams, roundtables, plane, sources, notifier } = this.#parts;
    timers.close();
    return [sources, ticker, retries, streams, roundtables, plane, notifier].map((queue) => queue?.close());
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
    const pulse = new Pulse(FLUSH_MS, momentNow());
    let lastSweep = Date.now();
    let lastLook = lastSweep;
    timers.every(FLUSH_MS, () => {
      const now = Date.now();
      const stalled = pulse.beat(momentNow());
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
    const { vault } = this.#parts.space;
    const { vault: meant } = caller;
    if (meant !== undefined && meant !== vault.root && vault.away === null) throw otherVault(vault.root);
    if (asked.op !== 'status') return carryOutRequest(this.#parts, asked, caller);
    if (this.#hasVanished()) await this.#parts.space.vault.sweep();
    const { space, ticker } = this.#parts;
    const [records, schedules] = [await recordProblemsInTurns(space), await ticker.schedules.listInTurns()];
    return statusOf(space, schedules, this.#self(), records);
  }

  // An idle daemon too notices within a second that another has its vault.
  #holdOn(): void {
    try {
      this.#lock.demand();
    } catch {
      return; // `lost` tells of it, or the next act does
    }
    this.#keeping.flushPressing();
  }

  #self(): DaemonStatus {
    return { state: 'running', pid: process.pid, since: this.#lock.holder.since };
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.then(() => undefined), cut]);
  clearTimeout(timer);
}
