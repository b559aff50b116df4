import fs from 'node:fs';
import { StewardError } from '../steward.ts';
import {
  aborted,
  Daemon,
  type DaemonEvent,
  type Diagnostic,
  type Fault,
  FileLeaseProvider,
  LastResort,
  type LeaseProvider,
  type Parts,
  type RuntimePaths,
  withoutProgram,
} from '../steward-daemon.ts';
import { demandHandles, FaultScope, vaultFault } from './fault-scope.ts';
import { ChangeWatch } from './folder-watch.ts';
import { Intervals, TurnQueue } from './shared-loop.ts';

/** What happens in one of several vaults. */
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

interface KeptVaultParts {
  readonly parts: Parts;
  readonly emit: (event: VaultEvent) => void;
  readonly paths: RuntimePaths;
  readonly keeper: LeaseProvider;
  readonly gate: StartGate;
  readonly lastResort: LastResort;
  /** Resolves when it may begin. */
  readonly free: Promise<unknown>;
}

/**
 * One of the vaults that a process keeps: its daemon, for as long as that goes well. Where it does not, for whatever
 * reason, that is said once, and tried again after a pause that grows, or as soon as something happens in the vault's folder.
 */
class KeptVault {
  /** Resolves when it was tried once, or a start has taken so long that others were let in before it was over. */
  readonly tried: Promise<void>;
  readonly #kept: KeptVaultParts;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #hasTried = Promise.withResolvers<void>();
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
    const { parts, emit, keeper } = this.#kept;
    const again = parts.now() + ms;
    const said = `${trouble.code} ${trouble.file}`;
    if (said !== this.#said) emit({ what: 'unkept', trouble, again });
    this.#said = said;
    using _changes = new ChangeWatch(parts.root, () => keeper.nudge());
    await keeper.rest(again, this.#stop.signal);
  }

  /** Keeps the vault for as long as it goes well. Resolves to what went wrong; never rejects. */
  async #while(): Promise<Diagnostic> {
    const scope = new FaultScope(this.#kept.lastResort);
    try {
      await scope.run(() => this.#once(scope));
      throw this.#stop.signal.reason; // which nobody asks for
    } catch (error) {
      return troubleOf(error);
    } finally {
      this.#isRunning = false;
    }
  }

  async #once(scope: FaultScope): Promise<void> {
    const daemon = await this.#start(scope);
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

  #start(scope: FaultScope): Promise<Daemon> {
    const { gate, parts, paths, keeper } = this.#kept;
    const left = () => this.#hasTried.resolve();
    return gate.through(async () => {
      this.#stop.signal.throwIfAborted(); // while it waited for its place
      demandHandles();
      const over = AbortSignal.any([this.#stop.signal, scope.revoked]);
      return Daemon.start(parts, paths, over, scope.provider(keeper), (made) => scope.follow(made));
    }, left);
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
  /** Who hears of what happens in a vault. */
  readonly emitFor: (root: string) => (event: VaultEvent) => void;
  /** Is called with an error that came from the work of no vault; without it such an error ends the process. */
  readonly unowned?: (fault: Fault) => void;
}

/**
 * The vaults that one process keeps, each for itself: what befalls one ends no other. They share what is the process's:
 * the event loop, where each has its turn, and the start, where a few go on at a time.
 */
export class Vaults implements AsyncDisposable {
  readonly intervals = new Intervals();
  readonly #parts: VaultsParts;
  readonly #turns = new TurnQueue();
  readonly #lastResort: LastResort;
  readonly #gate = new StartGate(AT_ONCE, PLACE_MS);
  /** The locks that this process holds. */
  readonly #holds = new Set<string>();
  readonly #vaults = new Map<string, KeptVault>();
  readonly #leaving = new Set<Promise<void>>();
  #isOver = false;

  constructor(parts: VaultsParts) {
    this.#parts = parts;
    this.#lastResort = new LastResort(parts.unowned);
  }

  /** How many there are, and of how many the daemon runs. */
  get count(): { readonly vaults: number; readonly running: number } {
    const all = [...this.#vaults.values()];
    return { vaults: all.length, running: all.filter(({ isRunning }) => isRunning).length };
  }

  /** Begins to keep those of these vaults that are not kept yet. */
  keep(roots: readonly string[]): void {
    if (this.#isOver) return;
    const free = Promise.all(this.#leaving); // a vault that was moved has to be given back first
    for (const root of roots) {
      const place = placeOf(root);
      if (!this.#vaults.has(place)) this.#vaults.set(place, this.#begin(place, free));
    }
  }

  /** Ends one in order, and forgets it. */
  async letGo(root: string): Promise<void> {
    const vault = this.#vaults.get(root);
    if (vault === undefined) return;
    this.#vaults.delete(root);
    const left = vault.end();
    this.#leaving.add(left);
    await left;
    this.#leaving.delete(left);
    this.#parts.emitFor(root)({ what: 'let-go' });
  }

  /** Resolves when all that are kept now were tried once. */
  async tried(): Promise<void> {
    await Promise.all([...this.#vaults.values()].map((vault) => vault.tried));
  }

  /** Ends all of them in order. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    const all = [...this.#vaults.values()].map((vault) => vault.end());
    await Promise.all([...all, ...this.#leaving]);
    this.intervals[Symbol.dispose]();
    this.#lastResort[Symbol.dispose]();
  }

  #begin(root: string, free: Promise<unknown>): KeptVault {
    const { env, now, outside, pathsOf, emitFor } = this.#parts;
    const paths = pathsOf(root);
    const emit = emitFor(root);
    const loop = { intervals: this.intervals, turn: this.#turns.turn };
    const parts: Parts = { root, env, now, emit, loop, ...(outside && { outside }) };
    const keeper = new FileLeaseProvider({ root, env, paths, now, emit, holds: this.#holds });
    return new KeptVault({ parts, emit, paths, keeper, free, gate: this.#gate, lastResort: this.#lastResort });
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
