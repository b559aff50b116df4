import fs from 'node:fs';
import { type Diagnostic, StewardError } from '../steward.ts';
import {
  aborted,
  Daemon,
  type DaemonEvent,
  type Fault,
  FileLeaseProvider,
  LastResort,
  type LeaseProvider,
  type Parts,
  type RuntimePaths,
  type VisitResult,
  visit,
  withoutProgram,
} from '../steward-daemon.ts';
import { demandHandles, FaultScope, vaultFault } from './fault-scope.ts';
import { ChangeWatch } from './folder-watch.ts';
import { Intervals, TurnQueue } from './shared-loop.ts';

/** What happens in one of the vaults of a process. */
export type VaultEvent =
  | DaemonEvent
  /** It cannot be kept just now; it is tried again at a moment (epoch ms), or when its folder changes. */
  | { readonly what: 'unkept'; readonly trouble: Diagnostic; readonly again: number }
  /** It has left the folder of vaults, and is kept no longer. */
  | { readonly what: 'let-go' };

/** How long (ms) a vault that could not be kept is left alone: after the first failure, and at most. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** A vault that was kept for so long (ms) begins with the shortest pause again. */
const LASTING_MS = 5 * 60_000;

/**
 * What is needed to open one vault: its settings, its lock, and a scope for each time that it is opened. Both ways of keeping a
 * vault use it, so that faults, file handles and starts are treated alike.
 */
class Opening {
  readonly parts: Parts;
  readonly emit: (event: VaultEvent) => void;
  readonly keeper: LeaseProvider;
  readonly #paths: RuntimePaths;
  readonly #gate: StartGate;
  readonly #lastResort: LastResort;

  constructor(own: {
    parts: Parts;
    emit: (event: VaultEvent) => void;
    paths: RuntimePaths;
    keeper: LeaseProvider;
    gate: StartGate;
    lastResort: LastResort;
  }) {
    this.parts = own.parts;
    this.emit = own.emit;
    this.keeper = own.keeper;
    this.#paths = own.paths;
    this.#gate = own.gate;
    this.#lastResort = own.lastResort;
  }

  /** Keeps the vault open until `stop`. `left` is called when others may start, `started` when its daemon runs. Throws why it ended. */
  async stayOpen(stop: AbortSignal, left: () => void, started: () => void): Promise<never> {
    return await this.#isolated(stop, async (scope, over) => {
      const daemon = await this.#gate.through(() => this.#start(scope, over), left);
      started();
      try {
        await aborted(AbortSignal.any([stop, daemon.lost]));
      } finally {
        await daemon[Symbol.asyncDispose]();
      }
      daemon.lost.throwIfAborted();
      throw stop.reason;
    });
  }

  /** Opens the vault, does all that is due, and closes it. Its place in the gate is free as soon as the vault is read. */
  visit(stop: AbortSignal, slackMs: number): Promise<VisitResult> {
    return this.#isolated(stop, async (scope, over) => {
      const read = Promise.withResolvers<unknown>();
      const made = (daemon: Daemon) => {
        scope.follow(daemon);
        read.resolve(null);
      };
      const { visited } = await this.#gate.through(
        async () => {
          this.#demandRoom(over);
          const visited = visit(this.parts, this.#paths, scope.provider(this.keeper), over, {
            made,
            slackMs,
          });
          await Promise.race([read.promise, visited.catch(() => {})]);
          return { visited };
        },
        () => {},
      );
      return visited;
    });
  }

  #isolated<Result>(
    stop: AbortSignal,
    work: (scope: FaultScope, over: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const scope = new FaultScope(this.#lastResort);
    return scope.run(() => work(scope, AbortSignal.any([stop, scope.revoked])));
  }

  #start(scope: FaultScope, over: AbortSignal): Promise<Daemon> {
    this.#demandRoom(over);
    return Daemon.start(this.parts, this.#paths, over, scope.provider(this.keeper), (made) => scope.follow(made));
  }

  // It may have been stopped while it waited for its place.
  #demandRoom(over: AbortSignal): void {
    over.throwIfAborted();
    demandHandles();
  }
}

/**
 * A vault that a process keeps open. If its daemon ends, for whatever reason, this is reported once, and the vault is tried again
 * after a pause that grows, or as soon as something happens in its folder.
 */
class ResidentVault {
  /** Resolves when it was tried once, or a start has taken so long that others were let in before it was over. */
  readonly tried: Promise<void>;
  readonly #opening: Opening;
  readonly #free: Promise<unknown>;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #hasTried = Promise.withResolvers<void>();
  #isRunning = false;
  #said: string | null = null;

  /** `free`: resolves when it may begin. */
  constructor(opening: Opening, free: Promise<unknown>) {
    this.#opening = opening;
    this.#free = free;
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
    await this.#free;
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
    const { parts, emit, keeper } = this.#opening;
    const again = parts.now() + ms;
    const said = `${trouble.code} ${trouble.file}`;
    if (said !== this.#said) emit({ what: 'unkept', trouble, again });
    this.#said = said;
    using _changes = new ChangeWatch(parts.root, () => keeper.nudge());
    await keeper.rest(again, this.#stop.signal);
  }

  /** Keeps the vault for as long as it goes well. Resolves to what went wrong; never rejects. */
  async #while(): Promise<Diagnostic> {
    const started = () => {
      this.#isRunning = true;
      this.#said = null;
      this.#hasTried.resolve();
    };
    try {
      return await this.#opening.stayOpen(this.#stop.signal, () => this.#hasTried.resolve(), started);
    } catch (error) {
      return troubleOf(error);
    } finally {
      this.#isRunning = false;
    }
  }
}

function troubleOf(thrown: unknown): Diagnostic {
  const error = withoutProgram(thrown);
  return (error instanceof StewardError ? error : vaultFault(error)).trouble;
}

/**
 * Lets a few starts go on at a time, so that the first vault is served soon. A start that takes long, since it waits for a
 * lock or for a disk, gives its place to the next one and goes on beside it.
 */
export class StartGate {
  readonly #width: number;
  readonly #longestMs: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  /** `width`: how many at a time; `longestMs`: for how long one keeps its place. */
  constructor(width: number, longestMs: number) {
    this.#width = width;
    this.#longestMs = longestMs;
  }

  /** Does some work when it is its turn. `left` is told once when it has its place no longer, be it done or not. */
  async through<Result>(work: () => Promise<Result>, left: () => void): Promise<Result> {
    const leave = await this.#enter(left);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async #enter(left: () => void): Promise<() => void> {
    if (this.#inside >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    let isInside = true;
    const leave = () => {
      clearTimeout(patience);
      if (!isInside) return;
      isInside = false;
      left();
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    };
    const patience = setTimeout(leave, this.#longestMs);
    return leave;
  }
}

/** How many vaults are started at a time, and for how long (ms) a start keeps its place. */
const AT_ONCE = 4;
const PLACE_MS = 2_000;

interface VaultsParts extends Pick<Parts, 'env' | 'now' | 'outside'> {
  /** Where the files of a vault are that lie outside it. */
  readonly pathsOf: (root: string) => RuntimePaths;
  /** Receives what happens in a vault. */
  readonly emitFor: (root: string) => (event: VaultEvent) => void;
  /** Is called with an error that came from the work of no vault; without it such an error ends the process. */
  readonly unowned?: (fault: Fault) => void;
  /** For how long (ms) a process that stands still keeps a vault; Steward's own length if it is absent. */
  readonly leaseMs?: number | undefined;
  /** So late (ms) a tick of a sleeping vault may be if its period is an hour and more; 0 if it is absent. */
  readonly slackMs?: number;
}

/**
 * The vaults of one process. A vault is either resident (`keep`: its daemon runs), or it sleeps and is opened for a moment
 * (`visit`). In both cases a failing vault doesn't affect the others. The vaults share the event loop, in which each has its turn,
 * and the gate, through which a few start at a time.
 */
export class Vaults implements AsyncDisposable {
  readonly intervals = new Intervals();
  readonly #parts: VaultsParts;
  readonly #turns = new TurnQueue();
  readonly #lastResort: LastResort;
  readonly #gate = new StartGate(AT_ONCE, PLACE_MS);
  /** The locks that this process holds. */
  readonly #holds = new Set<string>();
  readonly #residents = new Map<string, ResidentVault>();
  readonly #leaving = new Set<Promise<void>>();
  #isOver = false;

  constructor(parts: VaultsParts) {
    this.#parts = parts;
    this.#lastResort = new LastResort(parts.unowned);
  }

  /** How many are resident, and of how many the daemon runs. */
  get count(): { readonly vaults: number; readonly running: number } {
    const all = [...this.#residents.values()];
    return { vaults: all.length, running: all.filter(({ isRunning }) => isRunning).length };
  }

  /** Keeps these vaults open from now on. */
  keep(roots: readonly string[]): void {
    if (this.#isOver) return;
    const free = Promise.all(this.#leaving); // a vault that was moved has to be given back first
    for (const root of roots) {
      const place = placeOf(root);
      if (!this.#residents.has(place)) this.#residents.set(place, new ResidentVault(this.#opening(place), free));
    }
  }

  /** Closes a resident vault in order, and forgets it. */
  async letGo(root: string): Promise<void> {
    const vault = this.#residents.get(root);
    if (vault === undefined) return;
    this.#residents.delete(root);
    const left = vault.end();
    this.#leaving.add(left);
    await left;
    this.#leaving.delete(left);
    this.#parts.emitFor(root)({ what: 'let-go' });
  }

  /**
   * Opens a sleeping vault, does all that is due, and closes it. Throws what `visit` of a vault throws, `vault-fault` (75) after
   * an error that no code caught, and `too-many-open` (75) if no file handles are left for one more.
   */
  visit(root: string, stop: AbortSignal): Promise<VisitResult> {
    return this.#opening(root).visit(stop, this.#parts.slackMs ?? 0);
  }

  /** Resolves when all resident vaults were tried once. */
  async tried(): Promise<void> {
    await Promise.all([...this.#residents.values()].map((vault) => vault.tried));
  }

  /** Closes all resident vaults in order. Visits end at their own `stop`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    const all = [...this.#residents.values()].map((vault) => vault.end());
    await Promise.all([...all, ...this.#leaving]);
    this.intervals[Symbol.dispose]();
    this.#lastResort[Symbol.dispose]();
  }

  #opening(root: string): Opening {
    const { env, now, outside, pathsOf, emitFor, leaseMs } = this.#parts;
    const [paths, emit] = [pathsOf(root), emitFor(root)];
    const loop = { intervals: this.intervals, turn: this.#turns.turn };
    const parts: Parts = { root, env, now, emit, loop, ...(outside && { outside }) };
    const lease = leaseMs === undefined ? {} : { leaseMs };
    const keeper = new FileLeaseProvider({ root, env, paths, now, emit, holds: this.#holds, ...lease });
    return new Opening({ parts, emit, paths, keeper, gate: this.#gate, lastResort: this.#lastResort });
  }
}

// A vault has one place, whatever links lead to it.
function placeOf(root: string): string {
  try {
    return fs.realpathSync.native(root);
  } catch {
    return root; // it is not there yet
  }
}
