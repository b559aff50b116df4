import fs from 'node:fs';
import type net from 'node:net';
import { awayRefusal } from '../vault/errors.ts';
import { plainError, writeState } from '../vault/files.ts';
import { Layout, ownPlaces, SETTINGS_FILE } from '../vault/layout.ts';
import type { DisplacedFiles } from '../vault/transaction/displaced-files.ts';
import { Lock } from '../vault/transaction/lock.ts';
import type { Recovery } from '../vault/transaction/recovery.ts';
import { answerAll, undoAll } from './answers/answer-all.ts';
import { recordErrand, reserveErrand } from './budget/errand-budget.ts';
import { type Composed, compose, type Parts } from './compose.ts';
import { modeOf } from './context/effective-mode.ts';
import { cacheFile, prepare } from './context/own-folders.ts';
import type { Workspace } from './context/ports.ts';
import { pruneState } from './context/prune-state.ts';
import { readSettings, type Settings } from './context/settings.ts';
import { followSettings } from './decide/evaluator-choice.ts';
import { followExtractor } from './ingest/extractor-choice.ts';
import { importFiles } from './ingest/import.ts';
import { StreamQueue } from './ingest/stream-queue.ts';
import { Reactions } from './reactions.ts';
import { report } from './report/report-note.ts';
import { Deliberations } from './roundtable/deliberation.ts';
import { RoundtableQueue } from './roundtable/roundtable-queue.ts';
import { RetryQueue } from './runtime/retry-queue.ts';
import { Timers } from './runtime/timers.ts';
import { Ticker } from './schedule/ticker.ts';
import { countWindows, EVER } from './schedule/undo-windows.ts';
import type { Request } from './server/protocol.ts';
import { demandVault, ownFolder, type RuntimePaths } from './server/runtime-paths.ts';
import { serve } from './server/server.ts';
import { type DaemonStatus, type Status, statusOf } from './status/status.ts';

const SWEEP_MS = 60_000;
/** While the vault is away it is looked for often: work goes on within seconds of its return. */
const AWAY_SWEEP_MS = 2_000;
const FLUSH_MS = 1_000;
const HOUSEKEEPING_MS = 60 * 60 * 1000;
/** How far back closed windows are looked for each hour. */
const LATE_MS = 14 * 24 * 60 * 60 * 1000;
const STOP_WITHIN_MS = 10_000;
/** An event loop that was held up this long may have lost watcher events without a word. */
const STALL_MS = 2_000;

/** The daemon of one vault: the pace of everything. `start` gives it running; disposing it stops it in order. */
export class Daemon implements AsyncDisposable {
  readonly space: Workspace;
  readonly #recovery: Recovery;
  readonly #displaced: DisplacedFiles;
  readonly #lock: Lock;
  readonly #outside: RuntimePaths;
  readonly #timers: Timers;
  readonly #attempts: RetryQueue;
  /** Beside the others: a large mail must not hold up an order or a strong signal. */
  readonly #streams: StreamQueue;
  readonly #rounds: Ticker;
  readonly #tables: RoundtableQueue;
  readonly #reactions: Reactions;
  #server: net.Server | null = null;
  #stopped = false;
  #housekeptAt = 0;
  #windowsLooked = false;

  private constructor({ space, recovery, displaced }: Composed, lock: Lock, outside: RuntimePaths) {
    this.space = space;
    this.#recovery = recovery;
    this.#displaced = displaced;
    this.#lock = lock;
    this.#outside = outside;
    this.#timers = new Timers(space.context.now);
    this.#attempts = new RetryQueue(space);
    this.#streams = new StreamQueue(space);
    this.#tables = new RoundtableQueue(space);
    this.#rounds = new Ticker({ space, retries: this.#attempts, timers: this.#timers });
    const deliberations = new Deliberations({
      space,
      roundtables: this.#tables,
      retries: this.#attempts,
      timers: this.#timers,
    });
    this.#reactions = new Reactions({
      space,
      schedules: this.#rounds.schedules,
      retries: this.#attempts,
      streams: this.#streams,
      timers: this.#timers,
      deliberations,
    });
  }

  /**
   * Takes the lock, settles what a crash left, provisions every schedule and starts to listen.
   * Throws `vault-locked`, `vault-away`, or what the disk refuses (all 75); then nothing was changed.
   */
  static async start(parts: Parts, outside: RuntimePaths): Promise<Daemon> {
    demandVault(parts.root, outside);
    const places = ownPlaces(parts.root);
    prepare(places);
    const lock = Lock.take(places.lock, { role: 'daemon', socket: outside.socket }, parts.now());
    try {
      const daemon = new Daemon(await compose(parts), lock, outside);
      await daemon.#begin();
      return daemon;
    } catch (error) {
      lock.release();
      throw plainError(error, parts.root);
    }
  }

  /** How many matters are scheduled. */
  get matters(): number {
    return this.#rounds.schedules.size;
  }

  /** How things stand. */
  status(): Status {
    return statusOf(this.space, this.#rounds.schedules.list(), this.#self());
  }

  /**
   * Believes the disk and the clock, whatever the watcher and the timers said or missed: sweeps, tries again what
   * failed, ticks what is due. Once a minute, after a stall, and for a caller who knows that time has passed.
   */
  async wake(): Promise<void> {
    if (this.space.vault.watcherTrouble !== null && !this.#stopped) await this.space.vault.rewatch();
    await this.space.vault.sweep();
    if (this.space.vault.away !== null || this.#stopped) return;
    this.#rounds.schedules.look();
    this.#attempts.retry();
    this.#streams.retry();
    this.#attempts.add('journal', '.steward/journal', () => this.#finishPending());
    if (Math.abs(this.space.context.now() - this.#housekeptAt) >= HOUSEKEEPING_MS) this.#housekeeping();
    this.#snapshot();
  }

  /** Resolves when everything that has been taken up so far is done. */
  async idle(): Promise<void> {
    await this.#streams.drained(); // what they give is routed
    await this.#attempts.drained();
    await this.#rounds.drained();
    await this.#tables.drained();
  }

  /** Stops in order: nothing new, what is in flight ends or is withdrawn within ten seconds, state saved, lock given back. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#timers.close();
    this.#server?.close();
    const lanes = [this.#rounds.close(), this.#attempts.close(), this.#streams.close(), this.#tables.close()];
    await within(STOP_WITHIN_MS, Promise.all([...lanes, this.space.vault.close()]));
    this.#displaced.close();
    this.#save();
    this.#lock.release();
    this.space.context.emit({ what: 'stopped' });
  }

  async #begin(): Promise<void> {
    const { space } = this;
    if (space.vault.away === null) this.#recover();
    this.#rounds.schedules.followAll();
    this.#server = await serve(this.#outside.socket, (asked) => this.#answer(asked));
    await space.vault.watch({
      changed: (changes) => this.#reactions.changed(changes),
      streamed: (files) => this.#reactions.streamed(files),
      settings: () => this.#reload(),
      presence: (away) => this.#presence(away),
    });
    space.context.emit({
      what: 'started',
      vault: space.vault.root,
      mode: modeOf(space.context, null),
      matters: this.matters,
    });
    this.#reactions.catchUp();
    if (space.vault.away === null) this.#rounds.schedules.start();
    else this.#presence(space.vault.away);
    this.#keepPace();
    // Where the vault goes away and the program is killed, this is all that tells of it.
    this.#timers.at(space.context.now(), () => this.#snapshot());
  }

  #recover(): void {
    const { finished, withdrawn, bad } = this.#recovery.run();
    this.space.problems.recovery = bad;
    if (finished.length + withdrawn.length > 0) {
      this.space.context.emit({ what: 'recovered', finished: finished.length, withdrawn: withdrawn.length });
    }
  }

  // At once, before anything is judged that came after the edit. What the disk refuses is tried again; until then the
  // last good settings hold.
  #reload(): void {
    try {
      this.#readSettings();
    } catch {
      this.#attempts.add('settings', SETTINGS_FILE, async () => this.#readSettings());
    }
  }

  #readSettings(): void {
    const { space } = this;
    const before = space.context.settings;
    const { settings, troubles, unread } = readSettings(space.vault.root, before);
    if (unread !== null) throw unread;
    space.context.settings = settings;
    space.problems.settings = troubles;
    followSettings(space, before);
    followExtractor(space, before);
    this.#streams.resume();
    space.context.emit({ what: 'settings', troubles: troubles.length });
    for (const trouble of troubles) space.context.emit({ what: 'trouble', trouble });
    this.#rounds.schedules.setDefault(settings.default_schedule);
    if (layoutOf(before) === layoutOf(settings)) return;
    this.#attempts.add('relayout', 'steward.md', () =>
      space.vault.relayout(new Layout(settings.folders), settings.field_mapping),
    );
  }

  #presence(away: string | null): void {
    this.space.context.emit({ what: away === null ? 'back' : 'away', reason: away ?? '' });
    if (away !== null) this.#rounds.schedules.pause();
    else if (!this.#stopped) this.#back();
    this.#snapshot();
  }

  #back(): void {
    this.#rounds.schedules.start();
    this.#attempts.add('journal', '.steward/journal', () => this.#finishPending());
    this.#attempts.retry();
    this.#streams.retry();
  }

  async #finishPending(): Promise<void> {
    if (this.#recovery.isPending) this.#recover();
  }

  // Once a second: notices a stall by its own lateness and a vault that vanished, sweeps when it is time, and keeps
  // the state on disk.
  #keepPace(): void {
    let lastBeat = Date.now();
    let lastSweep = Date.now();
    this.#timers.every(FLUSH_MS, () => {
      const now = Date.now();
      const stalled = now - lastBeat - FLUSH_MS > STALL_MS;
      const due = now - lastSweep >= (this.space.vault.away === null ? SWEEP_MS : AWAY_SWEEP_MS);
      lastBeat = now;
      const vanished = this.#hasVanished();
      if (!vanished) this.#flush();
      if (!stalled && !due && !vanished) return;
      lastSweep = now;
      this.wake().catch((error: unknown) => this.#attempts.fault('sweep', '.', error));
    });
    this.#housekeeping();
  }

  // A watcher follows the folder, not its name: that the whole vault was moved or unmounted shows only by looking.
  #hasVanished(): boolean {
    const {
      vault,
      vault: { places },
    } = this.space;
    return vault.away === null && (!fs.existsSync(places.own) || vault.isReplaced);
  }

  #housekeeping(): void {
    this.#housekeptAt = this.space.context.now();
    this.#countWindows();
    this.#attempts.add('history', '.steward/history', async () => {
      this.#displaced.prune();
      pruneState(this.space);
    });
  }

  // Every window once, and then those of the last days, among them what the sync brought late.
  #countWindows(): void {
    this.#attempts.add('windows', 'instinct', async () => {
      const since = this.#windowsLooked ? this.space.context.now() - LATE_MS : EVER;
      const { looked, retryAt } = countWindows(this.space, since);
      this.#windowsLooked = looked;
      if (retryAt !== null) this.#timers.at(retryAt, () => this.#countWindows());
    });
  }

  async #answer(asked: Request): Promise<unknown> {
    if (asked.op === 'status') {
      if (this.#hasVanished()) await this.space.vault.sweep();
      return this.status();
    }
    await this.space.vault.sweep();
    if (this.space.vault.away !== null) throw awayRefusal(this.space.vault.away);
    switch (asked.op) {
      case 'undo':
        return undoAll(this.space, asked);
      case 'answer':
        return answerAll(this.space, asked);
      case 'tick':
        return this.#rounds.now(asked);
      case 'roundtable':
        return this.#tables.hold(asked);
      case 'report':
        return report(this.space, asked);
      case 'import':
        return importFiles(this.space, asked.files, (file) => this.#streams.read(file));
      case 'reserve':
        return reserveErrand(this.space.context, asked);
      case 'record':
        return recordErrand(this.space.context, asked);
    }
  }

  #flush(): void {
    if (this.space.vault.away !== null) return;
    try {
      this.space.context.state.flush();
      this.space.problems.faults.delete('state');
    } catch (error) {
      this.#attempts.fault('state', '.steward/state', error);
    }
  }

  #save(): void {
    this.#flush();
    try {
      if (this.space.vault.away === null) this.space.vault.saveCache(cacheFile(this.space.vault.places));
    } catch {
      // Without a cache the next start reads every note again; nothing is lost.
    }
    this.#snapshot({ state: 'stopped', pid: null, since: null });
  }

  // For `status` while the vault is away and no daemon runs.
  #snapshot(daemon: DaemonStatus = this.#self()): void {
    try {
      ownFolder(this.#outside.snapshot);
      const status = statusOf(this.space, this.#rounds.schedules.list(), daemon);
      writeState(this.#outside.snapshot, JSON.stringify(status));
    } catch {
      // A user without a state folder: `status` then knows only what the vault itself tells.
    }
  }

  #self(): DaemonStatus {
    return { state: 'running', pid: process.pid, since: this.#lock.holder.since };
  }
}

function layoutOf({ folders, field_mapping }: Settings): string {
  return JSON.stringify([folders, field_mapping]);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.then(() => undefined), cut]);
  clearTimeout(timer);
}
