import type { SignalRecord } from '../vault/index/record.ts';
import { lookRefusal } from './budget/guard-place.ts';
import type { Workspace } from './context/ports.ts';
import type { Decided } from './decide/decision.ts';
import { heldBack, routeSignal } from './decide/weigh.ts';
import type { RetryQueue } from './runtime/retry-queue.ts';
import type { Timers } from './runtime/timers.ts';

/**
 * Lets signals act that are strong enough alone: at once, or as soon as their note is quiet, the quiet hours are over, or the
 * rate guard has room again.
 */
export class Routing {
  readonly #space: Workspace;
  readonly #retries: RetryQueue;
  readonly #timers: Timers;
  /** Those that the rate guard has refused. An event note says so already: no other is written until there is room. */
  readonly #refused = new Set<string>();

  constructor({ space, retries, timers }: { space: Workspace; retries: RetryQueue; timers: Timers }) {
    this.#space = space;
    this.#retries = retries;
    this.#timers = timers;
  }

  /** Lets a signal act, if it is one that asks for a change and has had no answer. */
  route(path: string): void {
    const signal = this.#space.vault.catalogue.get(path);
    if (signal?.kind !== 'signal' || signal.fields.status !== 'unrouted' || signal.fields.effect !== 'mutation') return;
    this.#retries.add(`route ${path}`, path, async () => {
      const current = this.#space.vault.catalogue.get(path);
      if (current?.kind === 'signal') this.#follow(path, await this.#decided(current));
      else this.#refused.delete(path);
    });
  }

  async #decided(signal: SignalRecord): Promise<Decided | null> {
    return (
      this.#stillRefused(signal) ?? heldBack(this.#space, signal) ?? (await routeSignal(this.#space, signal, null))
    );
  }

  #stillRefused(signal: SignalRecord): Decided | null {
    const target = this.#refused.has(signal.path) ? this.#space.vault.catalogue.targetOf(signal) : null;
    const refusal = target === null ? null : lookRefusal(this.#space, target);
    return refusal === null ? null : { kind: 'guarded', refusal };
  }

  #follow(path: string, decided: Decided | null): void {
    if (decided?.kind === 'guarded') this.#refused.add(path);
    else this.#refused.delete(path);
    if (decided?.kind === 'settling') this.#timers.at(decided.until, () => this.route(path));
    if (decided?.kind === 'guarded') this.#timers.at(decided.refusal.freeAt, () => this.route(path));
  }
}
