import { setTimeout as wait } from 'node:timers/promises';
import type { StewardError } from '../vault/errors.ts';
import { ownPlaces } from '../vault/layout.ts';
import { type Lease, Lock, takeSoon } from '../vault/lock.ts';
import { lockMemoryFile, prepare } from './context/own-folders.ts';
import type { DaemonEvent, Environment } from './environment.ts';
import { aborted } from './process.ts';
import type { RuntimePaths } from './server/runtime-paths.ts';

/** The clock is looked at so often (ms): a timer stands still while the machine sleeps, and a clock may be set. */
const LOOK_MS = 30_000;

/** Rests until a moment, or until somebody ends it. */
class Rest {
  readonly #now: () => number;
  #ended = new AbortController();

  /** `now`: epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Resolves at `moment` (epoch ms; null: never by itself), at `stop`, or when it is ended. */
  async until(moment: number | null, stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, this.#ended.signal]);
    if (moment === null) await aborted(signal);
    for (let left = this.#left(moment); left > 0 && !signal.aborted; left = this.#left(moment)) {
      await wait(Math.min(left, LOOK_MS), undefined, { signal }).catch(() => {});
    }
    if (this.#ended.signal.aborted) this.#ended = new AbortController();
  }

  /** Ends the rest that is under way; where none is, the next one ends at once. */
  end(): void {
    this.#ended.abort();
  }

  #left(moment: number | null): number {
    return moment === null ? 0 : moment - this.#now();
  }
}

interface FileKeeperParts {
  readonly root: string;
  readonly env: Pick<Environment, 'lockMemories'>;
  readonly paths: Pick<RuntimePaths, 'socket'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Is told for whom a start waits. */
  readonly emit: (event: DaemonEvent) => void;
  /** For how long (ms) the lock may stay unrefreshed; `LEASE_MS` where it is absent. Not for vaults on a slow sync. */
  readonly leaseMs?: number;
  /** The tokens of all locks of this process, where it keeps several vaults: one that it left behind is free. */
  readonly holds?: Set<string>;
}

/** Keeps a vault by the lock that lies in it: whoever can write there can keep it. */
export class FileKeeper implements Keeper {
  readonly #parts: FileKeeperParts;
  readonly #rest: Rest;

  constructor(parts: FileKeeperParts) {
    this.#parts = parts;
    this.#rest = new Rest(parts.now);
  }

  async take(stop: AbortSignal): Promise<Lease> {
    const { root, env, paths, now, emit, leaseMs, holds } = this.#parts;
    const places = ownPlaces(root);
    prepare(places);
    const memory = lockMemoryFile(root, env.lockMemories);
    const lease = leaseMs === undefined ? {} : { leaseMs };
    const more = { memory, ...lease, ...(holds && { holds }) };
    const taker = { role: 'daemon', socket: paths.socket, now: now(), ...more } as const;
    const waiting = ({ trouble }: StewardError) => emit({ what: 'trouble', trouble });
    return takeSoon(places.lock, () => Lock.takeOrWatch(places.lock, taker, { stop, waiting }));
  }

  rest(until: number | null, stop: AbortSignal): Promise<void> {
    return this.#rest.until(until, stop);
  }

  nudge(): void {
    this.#rest.end();
  }
}

/** Who decides when a vault is this process's to look after: on one machine its lock, in a fleet an engine as well. */
export interface Keeper {
  /**
   * Takes the vault. Waits, until `stop`, for a lease that cannot be judged from here. Throws `vault-locked` (75), and
   * what the disk refuses (75).
   */
  take(stop: AbortSignal): Promise<Lease>;
  /**
   * Resolves when the vault is to be looked after again: at `until` (epoch ms; null: only when nudged), when it is nudged,
   * or at `stop`.
   */
  rest(until: number | null, stop: AbortSignal): Promise<void>;
  /** Ends a rest, now or, where none is under way, the next one at once. */
  nudge(): void;
}
