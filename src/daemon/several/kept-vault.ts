import { type Diagnostic, diagnostic, EXIT, reasonOf, StewardError } from '../../vault/errors.ts';
import type { Parts } from '../compose.ts';
import { Daemon } from '../daemon.ts';
import type { Keeper } from '../keeper.ts';
import { aborted } from '../process.ts';
import type { LastResort } from '../runtime/last-resort.ts';
import { withoutProgram } from '../runtime/program-update.ts';
import type { RuntimePaths } from '../server/runtime-paths.ts';
import { demandHandles } from './handles.ts';
import { RevocableKeeper } from './revocable-keeper.ts';
import type { StartGate } from './start-gate.ts';
import { Stirrings } from './stirrings.ts';

/** How long (ms) a vault that could not be kept is left alone: after the first failure, and at most. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** A vault that was kept for so long (ms) begins with the shortest pause again. */
const LASTING_MS = 5 * 60_000;

interface KeptVaultParts {
  readonly parts: Parts;
  readonly paths: RuntimePaths;
  readonly keeper: Keeper;
  readonly gate: StartGate;
  readonly lastResort: LastResort;
  /** Resolves when it may begin. */
  readonly free: Promise<unknown>;
}

/**
 * One of the vaults that a process keeps: its daemon, for as long as that goes well. Where it does not, for whatever
 * reason, that is said once, and tried again after a pause that grows, or as soon as something happens in the vault's folder.
 */
export class KeptVault {
  /** Resolves when it was tried once, or a start has taken so long that others were let in before it was over. */
  readonly tried: Promise<void>;
  readonly #kept: KeptVaultParts;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #hasTried = Promise.withResolvers<void>();
  /** The daemon from when it begins to when it has ended. */
  #daemon: Daemon | null = null;
  #isRunning = false;
  #said: string | null = null;

  constructor(kept: KeptVaultParts) {
    this.#kept = kept;
    this.tried = this.#hasTried.promise;
    this.#ended = this.#keep();
  }

  /** Whether its daemon runs. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Stops it in order. */
  async end(): Promise<void> {
    this.#stop.abort();
    this.#hasTried.resolve();
    await this.#ended;
  }

  async #keep(): Promise<void> {
    await this.#kept.free;
    const stop = this.#stop.signal;
    for (let failures = 1; !stop.aborted; failures += 1) {
      const began = performance.now();
      const trouble = await this.#while();
      if (stop.aborted) return;
      if (performance.now() - began > LASTING_MS) failures = 1;
      await this.#pause(trouble, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));
    }
  }

  async #pause(trouble: Diagnostic, ms: number): Promise<void> {
    const { parts, keeper } = this.#kept;
    const again = parts.now() + ms;
    const said = `${trouble.code} ${trouble.file}`;
    if (said !== this.#said) parts.emit({ what: 'unkept', trouble, again });
    this.#said = said;
    using _stirrings = new Stirrings(parts.root, () => keeper.nudge());
    await keeper.rest(again, this.#stop.signal);
  }

  /** Keeps the vault for as long as it goes well. Resolves to what went wrong; never rejects. */
  async #while(): Promise<Diagnostic> {
    const revoking = new AbortController();
    const revoke = (error: unknown) => revoking.abort(faultOf(error));
    try {
      const work = () => this.#once(revoking.signal, revoke);
      await this.#kept.lastResort.within(
        (fault) => (this.#daemon === null ? revoke(fault.error) : this.#daemon.meet(fault)),
        work,
      );
      throw this.#stop.signal.reason; // which nobody asks for
    } catch (error) {
      return troubleOf(error);
    } finally {
      this.#daemon = null;
      this.#isRunning = false;
    }
  }

  async #once(revoked: AbortSignal, revoke: (error: unknown) => void): Promise<void> {
    const daemon = await this.#start(revoked, (made) => {
      this.#daemon = made;
      made.broken.addEventListener('abort', () => revoke(made.broken.reason.cause), { once: true });
    });
    this.#isRunning = true;
    this.#said = null;
    this.#hasTried.resolve();
    try {
      await aborted(AbortSignal.any([this.#stop.signal, daemon.lost]));
    } finally {
      this.#isRunning = false;
      await daemon[Symbol.asyncDispose]();
    }
    daemon.lost.throwIfAborted();
  }

  // A fault in the midst of a start may be the reason why that comes to no end.
  async #start(revoked: AbortSignal, made: (daemon: Daemon) => void): Promise<Daemon> {
    const { gate, parts, paths, keeper } = this.#kept;
    const left = () => this.#hasTried.resolve();
    return gate.through(async () => {
      this.#stop.signal.throwIfAborted(); // while it waited for its place
      demandHandles();
      const over = AbortSignal.any([this.#stop.signal, revoked]);
      const starting = Daemon.start(parts, paths, over, new RevocableKeeper(keeper, revoked), made);
      return unlessRevoked(starting, revoked);
    }, left);
  }
}

async function unlessRevoked(starting: Promise<Daemon>, revoked: AbortSignal): Promise<Daemon> {
  let isOver = false;
  const broken = aborted(revoked).then(() => {
    if (!isOver) void starting.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
    throw revoked.reason;
  });
  return Promise.race([starting, broken]).finally(() => {
    isOver = true;
  });
}

/** Returns an error that nobody foresaw as one that can be told. */
function faultOf(error: unknown): StewardError {
  return new StewardError(
    {
      code: 'vault-fault',
      message: `The work on this vault failed in a way that is a fault of the program: ${reasonOf(error)}`,
      hint: 'It begins anew by itself, as after a crash. Please report it, with what STEWARD_DEBUG=1 adds.',
    },
    EXIT.tryAgain,
    { cause: error },
  );
}

function troubleOf(thrown: unknown): Diagnostic {
  const error = withoutProgram(thrown);
  return diagnostic((error instanceof StewardError ? error : faultOf(error)).trouble);
}
