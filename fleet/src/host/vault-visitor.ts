import { demandHandles, FaultScope } from '../several/fault-scope.ts';
import { StartGate } from '../several/vaults.ts';
import { runtimePaths } from '../steward.ts';
import {
  type Daemon,
  type DaemonEvent,
  FileLeaseProvider,
  type LastResort,
  readEnvironment,
  type Visited,
  visit,
} from '../steward-daemon.ts';

/** How many visits begin at a time, and for how long (ms) a beginning keeps its place. */
const AT_ONCE = 4;
const PLACE_MS = 2_000;

interface VisitorParts {
  readonly env: NodeJS.ProcessEnv;
  /** Receives the errors that no code caught. */
  readonly lastResort: LastResort;
  /** For how long (ms) a process that stands still keeps a vault; Steward's own length if it is absent. */
  readonly leaseMs?: number | undefined;
  /** Is called with what happens in a vault. By default that stays in the vault. */
  readonly emit?: (event: DaemonEvent) => void;
}

/**
 * Visits vaults, each in a scope of its own: an error that no code caught ends one visit with `vault-fault`, and the others go
 * on. A few begin at a time. Throws `too-many-open` (75) if no file handles are left for one more.
 */
export class VaultVisitor {
  readonly #parts: VisitorParts;
  readonly #own: ReturnType<typeof readEnvironment>;
  readonly #gate = new StartGate(AT_ONCE, PLACE_MS);

  /** Throws (78) if the environment has a value that isn't valid. */
  constructor(parts: VisitorParts) {
    this.#parts = parts;
    this.#own = readEnvironment(parts.env);
  }

  /** Visits the vault at `root`, as `visit` does. */
  visit(root: string, stop: AbortSignal): Promise<Visited> {
    const { env, lastResort, leaseMs, emit = () => {} } = this.#parts;
    const scope = new FaultScope(lastResort);
    const parts = { root, env: this.#own, now: Date.now, emit };
    const paths = runtimePaths(root, env);
    const leases = new FileLeaseProvider({ ...parts, paths, ...(leaseMs === undefined ? {} : { leaseMs }) });
    return scope.run(() =>
      this.#begin((made) => {
        const over = AbortSignal.any([stop, scope.revoked]);
        return visit(parts, paths, scope.provider(leases), over, (daemon) => {
          scope.follow(daemon);
          made(daemon);
        });
      }),
    );
  }

  // Its place is free again as soon as the vault is read.
  async #begin(work: (made: (daemon: Daemon) => void) => Promise<Visited>): Promise<Visited> {
    const begun = Promise.withResolvers<unknown>();
    const { visited } = await this.#gate.through(
      async () => {
        demandHandles();
        const visited = work(begun.resolve);
        await Promise.race([begun.promise, visited.catch(() => {})]);
        return { visited };
      },
      () => {},
    );
    return visited;
  }
}
