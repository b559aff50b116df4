import { type Carried, carryOut } from '../../plane/carry-out.ts';
import type { PlaneClient } from '../../plane/client.ts';
import type { PlaneFailure } from '../../plane/failure.ts';
import { type PlaneOrder, pauseFor, withFacts } from '../../plane/order.ts';
import { isPaused } from '../../plane/pace.ts';
import type { WriteAccess } from '../context/ports.ts';
import { reportFailure } from './plane-faults.ts';
import { type OpenOrder, ordersInTurn } from './plane-orders.ts';
import { seenAs } from './plane-seen.ts';

/** What holds up every order, whichever it is about. */
const ALL: readonly PlaneFailure['kind'][] = ['away', 'key', 'busy'];
const FAULT = 'plane';

interface SenderParts {
  readonly space: WriteAccess;
  readonly client: PlaneClient;
  readonly chance: () => number;
  readonly undone: (event: string) => void;
}

/** Carries out the orders, one after the other. What is learnt on the way is on disk before the next step rests on it. */
export class PlaneSender {
  readonly #space: WriteAccess;
  readonly #client: PlaneClient;
  readonly #chance: () => number;
  readonly #undone: (event: string) => void;
  #tries = 0;
  #pausedUntil = 0;

  /** `chance`: a figure from 0 to 1 that spreads the tries. `undone` hears of an event that was taken back in Plane. */
  constructor(parts: SenderParts) {
    this.#space = parts.space;
    this.#client = parts.client;
    this.#chance = parts.chance;
    this.#undone = parts.undone;
  }

  /** Carries out what can be carried out now. Returns when there is more to do (epoch ms); null where there is nothing. */
  async run(): Promise<number | null> {
    for (let due = this.#due(); due !== null; due = this.#due()) {
      this.#space.transactions.demand(); // what is said there cannot be called back by who has the vault by now
      const carried = await this.#carry(due);
      if (!carried.done && carried.failure.kind === 'ended') return null;
      this.#settle(due, carried);
    }
    return this.#next();
  }

  #due(): OpenOrder | null {
    const now = this.#space.context.now();
    if (this.#space.vault.away !== null || isPaused(this.#pausedUntil, now)) return null;
    return ordersInTurn(this.#space).find(([, { next }]) => !isPaused(next, now)) ?? null;
  }

  #carry([event, order]: OpenOrder): Promise<Carried> {
    const keep = (facts: PlaneOrder['facts']) => this.#change(event, (now) => withFacts(now, facts));
    return carryOut({ client: this.#client, event, keep }, order);
  }

  #settle([event, asked]: OpenOrder, carried: Carried): void {
    if (!carried.done) {
      this.#pause(event, carried.failure);
      return;
    }
    this.#tries = 0;
    this.#space.problems.faults.delete(FAULT);
    const { remark } = carried;
    // Taken back while it was said: then that is to be done next.
    this.#change(event, (now) => ({ ...now, done: now.wants === asked.wants, remark, tries: 0, next: 0 }));
    this.#space.context.emit({ what: 'plane', event: asked.path, wants: asked.wants, remark });
    if (remark === null) this.#remember(event, asked);
    if (asked.wants === 'unsaid') this.#undone(event);
  }

  // What we did ourselves is no news when we look next.
  #remember(event: string, { wants, action, facts }: PlaneOrder): void {
    const { state } = this.#space.context;
    const now = wants === 'said' ? state.get('plane')[event]?.facts?.moved : facts?.moved && facts.former;
    if (now != null) seenAs(state, action, now);
  }

  #pause(event: string, failure: PlaneFailure): void {
    const now = this.#space.context.now();
    const isForAll = ALL.includes(failure.kind);
    const before = this.#space.context.state.get('plane')[event];
    const tries = isForAll ? this.#tries : (before?.tries ?? 0);
    const until = failure.until ?? now + pauseFor(tries, this.#chance());
    if (isForAll) {
      this.#pausedUntil = until;
      if (failure.kind !== 'busy') this.#tries += 1;
    }
    const next = isForAll ? 0 : until;
    this.#change(event, (order) => ({ ...order, remark: failure.message, tries: isForAll ? 0 : tries + 1, next }));
    reportFailure(this.#space, FAULT, failure);
  }

  #change(event: string, change: (order: PlaneOrder) => PlaneOrder): void {
    const { state } = this.#space.context;
    const order = state.get('plane')[event];
    if (order === undefined) return;
    state.get('plane')[event] = change(order);
    state.touch('plane', event);
    state.save('plane');
  }

  #next(): number | null {
    const open = this.#space.vault.away === null ? ordersInTurn(this.#space) : [];
    if (open.length === 0) return null;
    const soonest = Math.min(...open.map(([, { next }]) => next));
    return Math.max(soonest, this.#pausedUntil);
  }
}
