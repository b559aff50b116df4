import { answerAll, undoAll } from '../../src/daemon/answers/answer-all.ts';
import { type Composed, compose } from '../../src/daemon/compose.ts';
import type { DaemonEvent } from '../../src/daemon/context/daemon-event.ts';
import type { Environment } from '../../src/daemon/context/environment.ts';
import { prepare } from '../../src/daemon/context/own-folders.ts';
import type { Workspace } from '../../src/daemon/context/ports.ts';
import type { State } from '../../src/daemon/context/state.ts';
import { routeSignal } from '../../src/daemon/decide/weigh.ts';
import { tickAll } from '../../src/daemon/schedule/tick-all.ts';
import type { Evaluator } from '../../src/steward/ports/evaluator.ts';
import type { Catalogue } from '../../src/vault/index/catalogue.ts';
import type { Exchange } from '../../src/vault/transaction/atomic-exchange.ts';
import type { DisplacedFiles } from '../../src/vault/transaction/displaced-files.ts';
import type { Recovery } from '../../src/vault/transaction/recovery.ts';
import { Clock } from './clock.ts';
import type { TempVault } from './temp-vault.ts';

export const LIVE: Environment = { ceiling: 'live', confidenceThreshold: null, highConfidenceThreshold: null };
export const SHADOW: Environment = { ...LIVE, ceiling: 'shadow' };
export const HIGH_ONLY: Environment = { ...LIVE, ceiling: 'live_high_confidence_only' };

export interface Setting {
  readonly env?: Environment;
  readonly clock?: Clock;
  readonly evaluator?: Evaluator;
}

interface BenchSetting extends Setting {
  readonly exchange?: Exchange | null;
}

/** Work on a vault without a daemon, as a one-shot command does it. Each call reads the disk first. */
export class Bench {
  readonly space: Workspace;
  readonly recovery: Recovery;
  readonly displaced: DisplacedFiles;
  readonly happenings: DaemonEvent[];

  private constructor({ space, recovery, displaced }: Composed, happenings: DaemonEvent[]) {
    this.space = space;
    this.recovery = recovery;
    this.displaced = displaced;
    this.happenings = happenings;
  }

  static async open(
    vault: TempVault,
    { env = LIVE, clock = new Clock(), evaluator, exchange }: BenchSetting = {},
  ): Promise<Bench> {
    prepare(vault.places);
    const happenings: DaemonEvent[] = [];
    const emit = (event: DaemonEvent) => void happenings.push(event);
    const parts = { root: vault.root, env, now: clock.now, emit };
    const around = evaluator === undefined ? {} : { around: () => evaluator };
    const composed = await compose({ ...parts, ...around, ...(exchange === undefined ? {} : { exchange }) });
    composed.recovery.run();
    return new Bench(composed, happenings);
  }

  /** The records as last listed. */
  get catalogue(): Catalogue {
    return this.space.vault.catalogue;
  }

  /** Lists the vault. */
  async sweep(): Promise<void> {
    await this.space.vault.sweep();
  }

  /** What the program remembers under a name, saved or not. */
  remembered<N extends Parameters<State['get']>[0]>(name: N): ReturnType<typeof this.space.context.state.get<N>> {
    return this.space.context.state.get(name);
  }

  /** Routes every signal that is strong enough, then ticks the named matters, or all. */
  async tick(...matters: string[]) {
    await this.sweep();
    return tickAll(this.space, { matters, force: true, mode: null }, new AbortController().signal);
  }

  /** Routes one signal note, as the daemon does when the note appears. */
  async route(path: string) {
    await this.space.vault.sweep();
    const found = this.space.vault.catalogue.get(path);
    if (found?.kind !== 'signal') throw new Error(`${path} is no signal but ${found?.kind}`);
    return routeSignal(this.space, found, null);
  }

  async undo(event: string, { force = false, reason = null as string | null } = {}) {
    await this.space.vault.sweep();
    const [answer] = await undoAll(this.space, { events: [event], last: null, reason, force, dryRun: false });
    if (answer === undefined) throw new Error('no answer');
    return answer;
  }

  async confirm(event: string) {
    return this.#answer('confirm', event);
  }

  async dismiss(event: string) {
    return this.#answer('dismiss', event);
  }

  /** Saves the state to disk, as a process does when it ends. */
  close(): void {
    this.space.context.state.flush();
    this.displaced.close();
  }

  async #answer(kind: 'confirm' | 'dismiss', event: string) {
    await this.space.vault.sweep();
    const [answer] = await answerAll(this.space, { kind, events: [event], dryRun: false });
    if (answer === undefined) throw new Error('no answer');
    return answer;
  }
}

/** Returns the only element of a list. Throws where there is not exactly one. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`expected one, got ${JSON.stringify(items)}`);
  return item;
}
