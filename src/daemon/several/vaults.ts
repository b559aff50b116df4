import fs from 'node:fs';
import type { Parts } from '../compose.ts';
import type { DaemonEvent } from '../environment.ts';
import { FileKeeper } from '../keeper.ts';
import { type Fault, LastResort } from '../runtime/last-resort.ts';
import type { RuntimePaths } from '../server/runtime-paths.ts';
import { Turnstile } from '../shared-loop.ts';
import { Beats } from '../timers.ts';
import { KeptVault } from './kept-vault.ts';
import { StartGate } from './start-gate.ts';

/** How many vaults are started at a time, and for how long (ms) a start keeps its place. */
const AT_ONCE = 4;
const PLACE_MS = 2_000;

interface VaultsParts extends Pick<Parts, 'env' | 'now' | 'outside'> {
  /** Where the files of a vault are that lie outside it. */
  readonly pathsOf: (root: string) => RuntimePaths;
  /** Who hears of what happens in a vault. */
  readonly emitFor: (root: string) => (event: DaemonEvent) => void;
  /** Is called with an error that came from the work of no vault; without it such an error ends the process. */
  readonly unowned?: (fault: Fault) => void;
}

/**
 * The vaults that one process keeps, each for itself: what befalls one ends no other. They share what is the process's:
 * the event loop, where each has its turn, and the start, where a few go on at a time.
 */
export class Vaults implements AsyncDisposable {
  readonly beats = new Beats();
  readonly #parts: VaultsParts;
  readonly #turnstile = new Turnstile();
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
    this.beats[Symbol.dispose]();
    this.#lastResort[Symbol.dispose]();
  }

  #begin(root: string, free: Promise<unknown>): KeptVault {
    const { env, now, outside, pathsOf, emitFor } = this.#parts;
    const paths = pathsOf(root);
    const emit = emitFor(root);
    const loop = { beats: this.beats, turnstile: this.#turnstile };
    const parts: Parts = { root, env, now, emit, loop, ...(outside && { outside }) };
    const keeper = new FileKeeper({ root, env, paths, now, emit, holds: this.#holds });
    return new KeptVault({ parts, paths, keeper, free, gate: this.#gate, lastResort: this.#lastResort });
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
