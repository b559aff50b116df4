import type net from 'node:net';
import { matterCadence } from '../steward/cadence.ts';
import { fileError, writeState } from '../vault/files.ts';
import { Layout, ownPlaces } from '../vault/layout.ts';
import type { Entry, MatterRecord } from '../vault/record.ts';
import { StewardError } from '../vault/trouble.ts';
import type { Change } from '../vault/vault.ts';
import { cacheFile, compose, type Parts, prepare } from './compose.ts';
import { confirm, dismiss } from './confirm.ts';
import { type Request, serve } from './control.ts';
import { type Order, orderOf } from './doors.ts';
import { importFiles } from './import.ts';
import { Lane } from './lane.ts';
import { Lock } from './lock.ts';
import { answerAll, tickAll, undoAll } from './operations.ts';
import { type OutsidePlaces, ownFolder } from './outside.ts';
import { routeSignal } from './perceive.ts';
import { recover } from './recover.ts';
import { Renames } from './renames.ts';
import { Schedules, scheduleName } from './schedules.ts';
import { isQuiet, readSettings } from './settings.ts';
import { type DaemonStatus, type Status, statusOf } from './status.ts';
import { quietAt, readStream, unreadStreams } from './streams.ts';
import { Targets } from './targets.ts';
import { tick } from './tick.ts';
import { undo } from './undo.ts';
import type { Workspace } from './workspace.ts';

const SWEEP_MS = 60_000;
/** While the vault is away it is looked for often: work goes on within seconds of its return. */
const AWAY_SWEEP_MS = 2_000;
const FLUSH_MS = 1_000;
const HOUSEKEEPING_MS = 60 * 60 * 1000;
const TICK_CUT_MS = 5 * 60 * 1000;
const STOP_WITHIN_MS = 10_000;
/** An event loop that was held up this long may have lost watcher events without a word. */
const STALL_MS = 2_000;

/** The daemon of one vault: the pace of everything. `start` gives it running; disposing it stops it in order. */
export class Daemon implements AsyncDisposable {
  readonly space: Workspace;
  readonly #lock: Lock;
  readonly #outside: OutsidePlaces;
  readonly #schedules: Schedules;
  readonly #targets: Targets;
  readonly #renames = new Renames();
  /** A person's orders, strong signals, stream files: one after the other. */
  readonly #work = new Lane(1);
  readonly #ticks = new Lane(4);
  readonly #abort = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** What is to be tried again when the disk lets it, by what it was about. */
  readonly #retries = new Map<string, () => void>();
  #server: net.Server | null = null;
  #lastBeat = 0;
  #lastSweep = 0;
  #stopped = false;

  private constructor(space: Workspace, lock: Lock, outside: OutsidePlaces) {
    this.space = space;
    this.#lock = lock;
    this.#outside = outside;
    this.#targets = new Targets(space.vault.catalogue);
    this.#schedules = new Schedules({
      catalogue: space.vault.catalogue,
      state: space.state,
      now: space.now,
      defaultSchedule: space.settings.default_schedule,
      listener: {
        due: (name) => this.#due(name),
        provisioned: ({ name, reason, next }) =>
          space.say({ what: 'schedule-provisioned', name, cadence: reason, next: next ?? 0 }),
        removed: (name, reason) => space.say({ what: 'schedule-removed', name, reason }),
      },
    });
  }

  /**
   * Takes the lock, settles what a crash left, provisions every schedule and starts to listen.
   * Throws `vault-locked` (75) or `vault-away` (75); then nothing was changed.
   */
  static async start(parts: Parts, outside: OutsidePlaces): Promise<Daemon> {
    const places = ownPlaces(parts.root);
    prepare(places);
    const lock = Lock.take(places.lock, 'daemon', parts.now());
    try {
      const daemon = new Daemon(await compose(parts), lock, outside);
      await daemon.#begin();
      return daemon;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** How things stand. */
  status(): Status {
    return statusOf(this.space, this.#schedules.list(), this.#self());
  }

  /** Resolves when everything that has been asked for so far is done. For tests and one-shot runs. */
  async settled(): Promise<void> {
    await this.#work.drained();
    await this.#ticks.drained();
  }

  /** Stops in order: nothing new, what is in flight ends or is withdrawn within ten seconds, state saved, lock given back. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#schedules.pause();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#abort.abort();
    this.#server?.close();
    await within(STOP_WITHIN_MS, Promise.all([this.#work.close(), this.#ticks.close(), this.space.vault.close()]));
    this.space.displaced.close();
    this.#save();
    this.#lock.release();
    this.space.say({ what: 'stopped' });
  }

  async #begin(): Promise<void> {
    const { space } = this;
    this.#recover();
    this.#schedules.followAll();
    space.say({
      what: 'started',
      vault: space.vault.root,
      mode: this.status().mode.effective,
      matters: this.#schedules.list().length,
    });
    this.#server = await serve(this.#outside.socket, (asked) => this.#answer(asked));
    this.#beat();
    await space.vault.watch({
      changed: (changes) => this.#changed(changes),
      streamed: (files) => this.#streamed(files),
      settings: () => this.#reload(),
      presence: (away) => this.#presence(away),
    });
    this.#catchUp();
    this.#schedules.start();
    this.#every(FLUSH_MS, () => this.#flush());
    this.#every(HOUSEKEEPING_MS, () => this.#housekeeping());
    this.#housekeeping();
  }

  #recover(): void {
    const { finished, withdrawn, bad } = recover(this.space);
    this.space.recoveryTroubles = bad;
    if (finished.length + withdrawn.length > 0) {
      this.space.say({ what: 'recovered', finished: finished.length, withdrawn: withdrawn.length });
    }
  }

  // What came while the program was away: orders first, then signals, then streams.
  #catchUp(): void {
    const { catalogue } = this.space.vault;
    for (const entry of [...catalogue.events(), ...catalogue.reversals()]) this.#order(entry.path, null, entry);
    for (const signal of catalogue.signals()) this.#route(signal.path);
    this.#streamed(unreadStreams(this.space));
  }

  // --- what the vault tells -----------------------------------------------------------------------------------------

  #changed(changes: readonly Change[]): void {
    this.#targets.follow(changes);
    for (const change of changes) {
      for (const [from, to] of this.#renames.follow(change)) this.#carryOver(from, to);
    }
    for (const { path, before, after } of changes) {
      if (before?.kind === 'matter' && after?.kind !== 'matter') this.#matterGone(before, after);
      if (after?.kind === 'matter') this.#matterThere(after);
      if (after?.kind === 'signal') this.#route(path);
      if (after?.kind === 'event' || after?.kind === 'reversal') this.#order(path, before, after);
    }
  }

  #matterThere(matter: MatterRecord): void {
    this.#schedules.follow(matter);
    for (const other of this.space.vault.catalogue.namesakes(matter)) this.#schedules.follow(other);
  }

  #matterGone(matter: MatterRecord, now: Entry | null): void {
    const others = this.space.vault.catalogue.namesakes(matter);
    const reason = now?.kind === 'bad' ? now.trouble.message : 'its note is gone';
    // A note that cannot be read just now may be half written: its schedule waits for it to be whole.
    if (now?.kind === 'bad') this.space.say({ what: 'trouble', trouble: now.trouble });
    else if (others.length === 0) this.#schedules.remove(scheduleName(matter), reason);
    for (const other of others) this.#schedules.follow(other);
  }

  #carryOver(from: MatterRecord, to: MatterRecord): void {
    const schedules = this.space.state.get('schedules');
    const known = schedules[scheduleName(from)];
    if (known !== undefined) schedules[scheduleName(to)] = { ...known, path: to.path };
    const cursors = this.space.state.get('cursors');
    const cursor = cursors[from.path];
    if (cursor !== undefined) cursors[to.path] = cursor;
    this.space.state.touch('schedules');
    this.space.state.touch('cursors');
  }

  #streamed(files: readonly string[]): void {
    for (const file of files) this.#readWhenQuiet(file);
  }

  // A file that is still being copied in grows: it is read when it has kept still.
  #readWhenQuiet(file: string): void {
    const at = quietAt(this.space, file);
    if (at === null) return;
    if (at > this.space.now()) this.#at(at, () => this.#readWhenQuiet(file));
    else this.#do(`stream ${file}`, file, async () => void (await readStream(this.space, this.#targets, file)));
  }

  #route(path: string): void {
    const signal = this.space.vault.catalogue.get(path);
    if (signal?.kind !== 'signal' || signal.fields.status !== 'unrouted' || signal.fields.effect !== 'mutation') return;
    this.#do(`route ${path}`, path, async () => {
      const current = this.space.vault.catalogue.get(path);
      if (current?.kind !== 'signal') return;
      if (isQuiet(this.space.settings, this.space.now())) return; // weighed at the first tick after the quiet hours
      const settled = await routeSignal(this.space, current, null);
      if (settled?.kind === 'settling') this.#at(settled.until, () => this.#route(path));
    });
  }

  #order(path: string, before: Entry | null, after: Entry): void {
    const order = orderOf(this.space.vault.catalogue, before, after);
    if (order !== null) this.#do(`order ${path}`, path, async () => this.#carry(order, before));
  }

  #carry(order: Order, before: Entry | null): void {
    const { space } = this;
    const now = space.vault.catalogue.get(order.path) ?? null;
    // Another door may have answered it while it waited its turn.
    const current = orderOf(space.vault.catalogue, before, now);
    if (current === null || current.kind !== order.kind) return;
    const answer =
      current.kind === 'undo'
        ? undo(space, current.order)
        : (current.kind === 'confirm' ? confirm : dismiss)(space, current.event, 'checkbox');
    if (answer.until !== null) this.#at(answer.until, () => now !== null && this.#order(order.path, before, now));
    else if (answer.note === null)
      this.#fault(`order ${order.path}`, order.path, refusalOf(order.path, answer.message));
  }

  #reload(): void {
    const { space } = this;
    const read = readSettings(space.vault.root, space.settings);
    const before = space.settings;
    space.settings = read.settings;
    space.settingsTroubles = read.troubles;
    space.say({ what: 'settings', troubles: read.troubles.length });
    for (const trouble of read.troubles) space.say({ what: 'trouble', trouble });
    this.#schedules.setDefault(read.settings.default_schedule);
    const layout = JSON.stringify([before.folders, before.field_mapping]);
    if (layout === JSON.stringify([read.settings.folders, read.settings.field_mapping])) return;
    this.#do('relayout', 'steward.md', () =>
      space.vault.relayout(new Layout(read.settings.folders), read.settings.field_mapping),
    );
  }

  #presence(away: string | null): void {
    this.space.say({ what: away === null ? 'back' : 'away', reason: away ?? '' });
    if (away !== null) this.#schedules.pause();
    else if (!this.#stopped) this.#schedules.start();
    this.#snapshot();
  }

  // --- the pace -----------------------------------------------------------------------------------------------------

  #due(name: string): void {
    const schedule = this.#schedules.get(name);
    if (schedule === undefined) return;
    if (schedule.running) this.#skipped(name, 'the last tick is still running');
    else if (isQuiet(this.space.settings, this.space.now())) this.#skipped(name, 'quiet hours');
    else {
      this.#schedules.mark(name, true);
      this.#ticks.add(() => this.#tick(name, schedule.matter));
    }
  }

  async #tick(name: string, path: string): Promise<void> {
    const { space } = this;
    try {
      const matter = space.vault.catalogue.get(path);
      if (matter?.kind !== 'matter' || space.vault.away !== null) return;
      const abort = AbortSignal.any([this.#abort.signal, AbortSignal.timeout(TICK_CUT_MS)]);
      const result = await tick(space, matter, { force: false, mode: null, abort });
      this.#ticked(name, matter, result.heard);
      space.say({ what: 'ticked', name, targets: result.targets, events: result.events.length });
      if (result.retryAt !== null) this.#at(result.retryAt, () => this.#due(name));
      space.faults.delete(`tick ${name}`);
    } catch (error) {
      this.#fault(`tick ${name}`, path, error);
    } finally {
      this.#schedules.mark(name, false);
    }
  }

  #ticked(name: string, matter: MatterRecord, heard: boolean): void {
    const schedules = this.space.state.get('schedules');
    const streak = heard ? 0 : (schedules[name]?.streak ?? 0) + 1;
    schedules[name] = { path: matter.path, last: this.space.now(), skipped: null, streak };
    this.space.state.touch('schedules');
    const schedule = this.#schedules.get(name);
    if (schedule?.cadence.kind === 'every') {
      const paced = matterCadence(schedule.cadence, streak);
      if (paced.kind === 'every') this.#schedules.follow(matter);
    }
  }

  #skipped(name: string, reason: string): void {
    const schedules = this.space.state.get('schedules');
    const known = schedules[name];
    if (known !== undefined) schedules[name] = { ...known, skipped: reason };
    this.space.state.touch('schedules');
    this.space.say({ what: 'skipped', name, reason });
  }

  // Once a second: notices a stall by its own lateness, sweeps when it is time, and keeps the state on disk.
  #beat(): void {
    this.#lastBeat = Date.now();
    this.#lastSweep = Date.now();
    this.#every(1_000, () => {
      const now = Date.now();
      const late = now - this.#lastBeat - 1_000 > STALL_MS;
      this.#lastBeat = now;
      const due = now - this.#lastSweep >= (this.space.vault.away === null ? SWEEP_MS : AWAY_SWEEP_MS);
      if (!late && !due) return;
      this.#lastSweep = now;
      void this.#sweep();
    });
  }

  async #sweep(): Promise<void> {
    await this.space.vault.sweep();
    if (this.space.vault.away !== null || this.#stopped) return;
    for (const [key, retry] of [...this.#retries]) {
      this.#retries.delete(key);
      retry();
    }
    this.#do('journal', '.steward/journal', async () => {
      if (this.space.journal.pending().intents.length > 0) this.#recover();
    });
    this.#snapshot();
  }

  #housekeeping(): void {
    this.#do('history', '.steward/history', async () => {
      this.space.displaced.prune();
      this.#forgetGone();
    });
  }

  // What is remembered of notes and files that are gone is let go, so that the state stays as small as the vault.
  #forgetGone(): void {
    const { state, vault } = this.space;
    const weighed = state.get('weighed');
    const names = new Set(vault.catalogue.signals().map((signal) => signal.name));
    for (const name of Object.keys(weighed)) if (!names.has(name)) delete weighed[name];
    const streams = state.get('streams');
    for (const file of Object.keys(streams)) if (!vault.streams.has(file)) delete streams[file];
    const guarded = state.get('guarded');
    for (const [path, until] of Object.entries(guarded)) if (until < this.space.now()) delete guarded[path];
    for (const name of ['weighed', 'streams', 'guarded'] as const) state.touch(name);
  }

  // --- commands -----------------------------------------------------------------------------------------------------

  async #answer(asked: Request): Promise<unknown> {
    if (asked.op === 'status') return this.status();
    await this.space.vault.sweep();
    if (this.space.vault.away !== null) throw awayRefusal(this.space.vault.away);
    switch (asked.op) {
      case 'undo':
        return undoAll(this.space, asked);
      case 'answer':
        return answerAll(this.space, asked);
      case 'tick':
        return this.#tickNow(asked);
      case 'import':
        return importFiles(this.space, this.#targets, asked.files);
    }
  }

  async #tickNow(asked: Extract<Request, { op: 'tick' }>): Promise<unknown> {
    const results = await tickAll(
      this.space,
      asked,
      AbortSignal.any([this.#abort.signal, AbortSignal.timeout(TICK_CUT_MS)]),
    );
    for (const result of results) {
      const matter = this.space.vault.catalogue.get(result.matter);
      if (matter?.kind === 'matter') this.#ticked(scheduleName(matter), matter, result.heard);
    }
    return results;
  }

  // --- small things -------------------------------------------------------------------------------------------------

  /** Queues work about a file; where it fails, says so, keeps it for a later try, and carries on. */
  #do(key: string, file: string, work: () => Promise<void>): void {
    this.#work.add(async () => {
      if (this.space.vault.away !== null) {
        this.#retries.set(key, () => this.#do(key, file, work));
        return;
      }
      try {
        await work();
        this.space.faults.delete(key);
      } catch (error) {
        this.#fault(key, file, error);
        this.#retries.set(key, () => this.#do(key, file, work));
      }
    });
  }

  #fault(key: string, file: string, error: unknown): void {
    const known = error instanceof StewardError ? error : fileError(error, file);
    const trouble = { ...known.trouble, file: known.trouble.file ?? file };
    const before = this.space.faults.get(key);
    this.space.faults.set(key, trouble);
    if (before?.message !== trouble.message) this.space.say({ what: 'trouble', trouble });
  }

  #flush(): void {
    try {
      if (this.space.vault.away === null) this.space.state.flush();
      this.space.faults.delete('state');
    } catch (error) {
      this.#fault('state', '.steward/state', error);
    }
  }

  #save(): void {
    this.#flush();
    try {
      if (this.space.vault.away === null) this.space.vault.saveCache(cacheFile(this.space.places));
    } catch {
      // Without a cache the next start reads every note again; nothing is lost.
    }
    this.#snapshot({ state: 'stopped', pid: null, since: null });
  }

  // For `status` while the vault is away and no daemon runs.
  #snapshot(daemon: DaemonStatus = this.#self()): void {
    try {
      ownFolder(this.#outside.snapshot);
      writeState(this.#outside.snapshot, JSON.stringify(statusOf(this.space, this.#schedules.list(), daemon)));
    } catch {
      // A user without a state folder: `status` then knows only what the vault itself tells.
    }
  }

  #self(): DaemonStatus {
    return { state: 'running', pid: process.pid, since: this.#lock.holder.since };
  }

  #every(ms: number, work: () => void): void {
    this.#timers.add(setInterval(work, ms));
  }

  #at(moment: number, work: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        if (!this.#stopped) work();
      },
      Math.max(20, moment - this.space.now()),
    );
    this.#timers.add(timer);
  }
}

function refusalOf(file: string, message: string): StewardError {
  return new StewardError({ code: 'not-done', file, message, hint: 'Untick the box, or dismiss the proposal.' });
}

/** The refusal of a command while the vault is away. */
export function awayRefusal(reason: string): StewardError {
  return new StewardError(
    {
      code: 'vault-away',
      message: `The vault is away: ${reason}.`,
      hint: 'Try again when it is back; nothing was changed.',
    },
    75,
  );
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.then(() => undefined), cut]);
  clearTimeout(timer);
}
