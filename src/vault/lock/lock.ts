import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { awayRefusal, StewardError } from '../errors.ts';
import { type FileStat, fileError } from '../files.ts';
import { readEpoch, writeEpoch } from './epoch.ts';
import { holderOf, type LockHolder, standingOf } from './holder.ts';
import { createLock, isUntouched, type LockText, readLockText, removeLock, rewriteLock } from './lock-file.ts';
import { LockMemory } from './lock-memory.ts';
import { lockedBy, lostTo } from './refusals.ts';
import { type Taken, type Taker, tryToTake, UNREFRESHED_MS } from './taking.ts';

const REFRESH_MS = 15_000;
const LOOK_MS = 250;

/** Who would take a lock, and is told when it is lost. */
interface LockTaker extends Taker {
  /** Where this machine keeps what it knows of the vault's lock; in this process alone where it is absent. */
  readonly memory?: string | null;
  /** Is told once, when the lock turns out to be another's. */
  readonly lost?: (error: StewardError) => void;
}

/** A daemon that would watch a lock before it takes it over. */
interface Watcher {
  /** Ends the waiting. */
  readonly stop: AbortSignal;
  /** Is told why it waits, once. */
  readonly waiting: (error: StewardError) => void;
}

/** The vault's lock, held until `release`, or until another has it. */
export class Lock {
  readonly holder: LockHolder;
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  readonly #tell: (error: StewardError) => void;
  /** The file as it was when it was last known to be ours. */
  #mine: FileStat;
  #lost: StewardError | null = null;

  private constructor(file: string, taken: Taken, lost: LockTaker['lost']) {
    this.#file = file;
    this.holder = taken.holder;
    this.#mine = taken.stat;
    this.#tell = lost ?? (() => {});
    this.#timer = setInterval(() => this.#refresh(), REFRESH_MS);
    this.#timer.unref();
  }

  /**
   * Takes the lock of a vault. A lock whose process is surely gone is taken over at once; one whose process cannot be seen
   * from here, when it is known not to have changed for `UNREFRESHED_MS`.
   * Throws `vault-locked` (exit 75), naming the holder, where another process holds it, `lock-no-file` (75) where
   * something else is in its place, and (75) where the disk refuses.
   */
  static take(file: string, taker: LockTaker): Lock {
    const tried = tryToTake(file, taker, new LockMemory(taker.memory ?? null));
    if ('refused' in tried) throw tried.refused;
    return new Lock(file, tried, taker.lost);
  }

  /**
   * The same for who can wait: watches a lock that cannot be judged until it changes, which is a sign of life, or has not
   * for long enough.
   */
  static async takeOrWatch(file: string, taker: LockTaker, watcher: Watcher): Promise<Lock> {
    const memory = new LockMemory(taker.memory ?? null);
    let watched: string | null = null;
    for (;;) {
      const tried = tryToTake(file, taker, memory);
      if (!('refused' in tried)) return new Lock(file, tried, taker.lost);
      if (tried.watch === null) throw tried.refused;
      if (watched === null) watcher.waiting(tried.refused);
      else if (watched !== tried.watch) throw lockedBy(holderOf(tried.watch)); // it was refreshed just now
      watched = tried.watch;
      await wait(LOOK_MS, undefined, { signal: watcher.stop }).catch(() => {});
      if (watcher.stop.aborted) throw tried.refused;
    }
  }

  /** Whether another process is known to have the lock. */
  get isLost(): boolean {
    return this.#lost !== null;
  }

  /**
   * To be called before each act, as near to it as can be. Makes a lock that was deleted anew, where nobody else has
   * taken it meanwhile. Throws `lock-lost` (75) where another has it or something else is in its place, from then on
   * always; `vault-away` where `.steward` is not there; and what the disk refuses. Costs one opened file.
   */
  demand(): void {
    if (this.#lost !== null) throw this.#lost;
    if (isUntouched(this.#file, this.#mine)) return;
    const held = this.#read();
    if (held === null) this.#makeAnew();
    else if (this.#isMine(held)) this.#mine = held.stat;
    else throw this.#loseTo(holderOf(held.text));
  }

  /** Releases the lock if it is still ours. */
  release(): void {
    clearInterval(this.#timer);
    try {
      const held = readLockText(this.#file);
      if (held !== null && this.#isMine(held)) removeLock(this.#file, held.text);
    } catch {
      // The disk refuses: the work is done nevertheless, and the end of this process frees the lock.
    }
  }

  #refresh(): void {
    try {
      this.demand();
      const text = JSON.stringify({ ...this.holder, refreshed_at: new Date().toISOString() });
      this.#mine = rewriteLock(this.#file, this.#mine, text) ?? this.#mine;
    } catch {
      // Lost, which was told; or the vault is away: the lock is refreshed when it is back.
    }
  }

  #read(): LockText | null {
    try {
      return readLockText(this.#file);
    } catch (error) {
      if (error instanceof StewardError) throw this.#loseTo(null);
      throw fileError(error, '.steward/lock');
    }
  }

  #isMine({ text }: LockText): boolean {
    const held = holderOf(text);
    return held !== null && held.token === this.holder.token && held.epoch === this.holder.epoch;
  }

  #makeAnew(): void {
    if (!fs.existsSync(path.dirname(this.#file))) throw awayRefusal('its folder .steward is not there');
    // Who took the lock while it was not looked at may have given it back since.
    const last = readEpoch(this.#file);
    if (last !== null && last.token !== this.holder.token) throw this.#loseTo(null);
    createLock(this.#file, JSON.stringify({ ...this.holder, refreshed_at: new Date().toISOString() }));
    if (last === null) writeEpoch(this.#file, this.holder);
    const held = this.#read();
    if (held === null || !this.#isMine(held)) throw this.#loseTo(held === null ? null : holderOf(held.text));
    this.#mine = held.stat;
  }

  #loseTo(other: LockHolder | null): StewardError {
    this.#lost = lostTo(other);
    clearInterval(this.#timer);
    this.#tell(this.#lost);
    return this.#lost;
  }
}

/**
 * Returns who holds the lock, as far as can be told without waiting, or null: a process that cannot be seen from here
 * counts where it has stamped its lock lately, or in the future. For people to read; nobody takes a lock by it.
 */
export function lockHolder(file: string, now: number): LockHolder | null {
  const held = textIn(file);
  const current = held === null ? null : holderOf(held);
  if (current === null) return null;
  const standing = standingOf(current, false);
  const isStamped = now - Date.parse(current.refreshed_at) < UNREFRESHED_MS;
  return standing === 'running' || (standing === 'unknown' && isStamped) ? current : null;
}

function textIn(file: string): string | null {
  try {
    return readLockText(file)?.text ?? null;
  } catch {
    return null;
  }
}
