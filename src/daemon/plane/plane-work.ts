import type { PlaneAccess } from '../../plane/access.ts';
import { PlaneClient } from '../../plane/client.ts';
import type { Change } from '../../vault/watch/known-files.ts';
import type { WriteAccess } from '../context/ports.ts';
import type { RetryQueue } from '../runtime/retry-queue.ts';
import type { Timers } from '../runtime/timers.ts';
import { WorkQueue } from '../runtime/work-queue.ts';
import { PlaneEar } from './plane-ear.ts';
import { forgetOldOrders, takeAllOrders, takeOrder } from './plane-orders.ts';
import { settleReversal } from './plane-reversal.ts';
import { PlaneSender } from './plane-sender.ts';

/** How often Plane is asked what others did. */
const LISTEN_MS = 3 * 60_000;

interface PlaneParts {
  readonly space: WriteAccess;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly access: PlaneAccess;
  /** A figure from 0 to 1, another one each time. */
  readonly chance: () => number;
}

/**
 * The way between a vault and its Plane: says there what was done here, and hears what others did there. One request at
 * a time, beside everything else: however slow Plane is, the vault does not wait for it.
 */
export class PlaneWork {
  readonly #parts: PlaneParts;
  readonly #abort = new AbortController();
  readonly #queue = new WorkQueue(1);
  readonly #sender: PlaneSender;
  readonly #ear: PlaneEar;
  #isQueued = false;
  #nextWake = Number.POSITIVE_INFINITY;

  constructor(parts: PlaneParts) {
    this.#parts = parts;
    const { space, access, chance } = parts;
    const client = new PlaneClient(access, space.context.now, this.#abort.signal);
    this.#sender = new PlaneSender({ space, client, chance, undone: (event) => this.#settle(event) });
    this.#ear = new PlaneEar(space, client);
  }

  /** Takes up what was left, and begins to listen. */
  start(): void {
    const { space } = this.#parts;
    takeAllOrders(space);
    for (const [event, { done, wants }] of Object.entries(space.context.state.get('plane'))) {
      if (done && wants === 'unsaid') this.#settle(event);
    }
    this.wake();
    this.#listen();
  }

  /** Follows new and changed events and reversals. */
  changed(changes: readonly Change[]): void {
    const answered = changes.flatMap(({ after }) =>
      after?.kind === 'event' || after?.kind === 'reversal' ? [after] : [],
    );
    for (const event of answered.flatMap((record) => takeOrder(this.#parts.space, record) ?? [])) this.#settle(event);
    if (answered.length > 0) this.wake();
  }

  /** Carries out what can be carried out. */
  wake(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#add(async () => {
      this.#isQueued = false;
      const next = await this.#sender.run();
      if (next !== null) this.#wakeAt(Math.max(next, this.#parts.space.context.now() + 1000));
    });
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Resolves when nothing is under way. */
  drained(): Promise<void> {
    return this.#queue.drained();
  }

  /** Ends what is under way; what is not carried out is left for the next start. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#queue.close();
  }

  // One timer, whatever wakes meanwhile: the earliest counts.
  #wakeAt(moment: number): void {
    if (moment >= this.#nextWake) return;
    this.#nextWake = moment;
    this.#parts.timers.at(moment, () => {
      this.#nextWake = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }

  #listen(): void {
    forgetOldOrders(this.#parts.space);
    this.#add(() => this.#ear.listen());
    this.#parts.timers.at(this.#parts.space.context.now() + LISTEN_MS, () => this.#listen());
  }

  #settle(event: string): void {
    const { retries, timers, space } = this.#parts;
    retries.add(`plane ${event}`, '.steward/state', async () => {
      const until = settleReversal(space, event);
      if (until !== null) timers.at(until, () => this.#settle(event));
    });
  }

  // What the disk refuses is said in `status`, and tried again with the next wake.
  #add(work: () => Promise<void>): void {
    this.#queue.add(async () => {
      try {
        await work();
        this.#parts.space.problems.faults.delete('plane-state');
      } catch (error) {
        if (!this.#abort.signal.aborted) this.#parts.retries.fault('plane-state', '.steward/state', error);
      }
    });
  }
}
