import { lookRefusal } from './budget.ts';
import type { Workspace } from './context.ts';
import { type Decided, heldBack, routeSignal } from './decide.ts';
import type { RetryQueue } from './queues.ts';
import type { Timers } from './timers.ts';

/**
 * Lets signals act that are strong enough alone: at once, or as soon as their note is quiet, the quiet hours are over, or the
 * rate guard has room again.
 */
export class Routing {
  readonly #space: Workspace;
  readonly #retries: RetryQueue;
  readonly #timers: Timers;
  /** The signals that the rate guard has refused, those that wait longest first. */
  readonly #refused = new Set<string>();
  /** When these are looked at next (epoch ms); null for never. */
  #next: number | null = null;

  constructor({ space, retries, timers }: { space: Workspace; retries: RetryQueue; timers: Timers }) {
    this.#space = space;
    this.#retries = retries;
    this.#timers = timers;
  }

  /** Lets a signal act, if it is one that asks for a change and has had no answer. */
  route(path: string): void {
    const signal = this.#space.vault.catalogue.get(path);
    if (signal?.kind !== 'signal' || signal.fields.status !== 'unrouted' || signal.fields.effect !== 'mutation') return;
    this.#retries.add(`route ${path}`, path, async () => this.#try(path));
  }

  async #try(path: string): Promise<void> {
    this.#refused.delete(path);
    const signal = this.#space.vault.catalogue.get(path);
    if (signal?.kind !== 'signal') return;
    this.#follow(path, heldBack(this.#space, signal) ?? (await routeSignal(this.#space, signal, null)));
  }

  #follow(path: string, decided: Decided | null): void {
    if (decided?.kind === 'settling') this.#timers.at(decided.until, () => this.route(path));
    if (decided?.kind !== 'guarded') return;
    this.#refused.add(path);
    this.#serveAt(decided.refusal.freeAt);
  }

  #serveAt(moment: number): void {
    if (this.#next !== null && this.#next <= moment) return;
    this.#next = moment;
    this.#timers.at(moment, () => {
      if (this.#next === moment) this.#next = null;
      this.#serve();
    });
  }

  // One after the other: each takes a place, and whoever is refused once more leaves another event note that says so.
  #serve(): void {
    let soonest: number | null = null;
    for (const path of this.#refused) {
      const freeAt = this.#freeAt(path);
      if (freeAt === null) {
        this.#serveOne(path);
        return;
      }
      soonest = Math.min(soonest ?? freeAt, freeAt);
    }
    if (soonest !== null) this.#serveAt(soonest);
  }

  #serveOne(path: string): void {
    this.#retries.add(`serve ${path}`, path, async () => {
      if (this.#freeAt(path) === null) await this.#try(path); // others may have taken what there was
      this.#serve();
    });
  }

  /** When there is room for a signal (epoch ms); null where there is some, or nothing to make room for. */
  #freeAt(path: string): number | null {
    const { catalogue } = this.#space.vault;
    const signal = catalogue.get(path);
    const target = signal?.kind === 'signal' ? catalogue.targetOf(signal) : null;
    return target === null ? null : (lookRefusal(this.#space, target)?.freeAt ?? null);
  }
}
