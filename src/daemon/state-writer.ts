import fs from 'node:fs';
import { writeState } from '../vault/files.ts';
import { isLost, type Lease } from '../vault/lock.ts';
import { atOnce, inSlices, Mutex } from '../vault/time.ts';
import { composeStatus } from './compose.ts';
import type { Workspace } from './context.ts';
import { refreshProblems } from './problems.ts';
import type { RetryQueue } from './queue.ts';
import { ownFolder, type RuntimePaths } from './runtime-paths.ts';
import type { Schedules } from './schedule.ts';
import { type DaemonStatus, scheduleStatuses } from './status.ts';
import type { Timers } from './timers.ts';

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
      if (isLost(lease)) return; // whoever has the vault by now tells of it
      ownFolder(paths.snapshot);
      const first = atOnce(scheduleStatuses(space.context, schedules.first(MOST_SCHEDULES)));
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
