import type { StewardError } from '../../vault/errors.ts';
import { ownPlaces } from '../../vault/layout.ts';
import type { Lease } from '../../vault/lock/lease.ts';
import { Lock } from '../../vault/lock/lock.ts';
import { takeSoon } from '../../vault/lock/moments.ts';
import type { DaemonEvent } from '../context/daemon-event.ts';
import type { Environment } from '../context/environment.ts';
import { lockMemoryFile, prepare } from '../context/own-folders.ts';
import type { RuntimePaths } from '../server/runtime-paths.ts';
import type { Keeper } from './keeper.ts';
import { Rest } from './rest.ts';

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
