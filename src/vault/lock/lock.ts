import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { awayRefusal, StewardError } from '../errors.ts';
import { type FileStat, fileError } from '../files.ts';
import { readEpoch, writeEpoch } from './epoch.ts';
import { holderOf, type LockHolder, leaseOf, standingOf } from './holder.ts';
import { LEASE_MS, type Lease, REFRESHES } from './lease.ts';
import { createLock, isUntouched, type LockText, readLockText, removeLock, rewriteLock } from './lock-file.ts';
import { LockMemory } from './lock-memory.ts';
import { lockedBy, lostTo, ranOut } from './refusals.ts';
import { sinceBoot } from './steady.ts';
import { type Refusal, type Taken, type Taker, tryToTake } from './taking.ts';

const LOOK_MS = 250;

/** Who would take a lock. */
interface LockTaker extends Omit<Taker, 'leaseMs'> {
  /** Where this machine keeps what it knows of the vault's lock; in this process alone where it is absent. */
  readonly memory?: string | null;
  /** For how long (ms) the lock may stay unrefreshed; `LEASE_MS` where it is absent. */
  readonly leaseMs?: number;
  /** The time (ms) by a clock that nobody sets and that goes on while the process is stopped; the boot's own where it is absent. */
  readonly steady?: () => number;
}

/** A daemon that would watch a lock before it takes it over. */
interface Watcher {
  /** Ends the waiting. */
  readonly stop: AbortSignal;
  /** Is told why it waits, once. */
  readonly waiting: (error: StewardError) => void;
}

/**
 * The vault's lock, held until `release`, until another has it, or until this process has stood still for longer than the
 * lock may stay unrefreshed: others may have taken it over by then, and given it back.
 */
export class Lock implements Lease {
  readonly holder: LockHolder;
  readonly #file: string;
  readonly #steady: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #holds: Set<string> | undefined;
  readonly #losing = new AbortController();
  /** The file as it was when it was last known to be ours. */
  #mine: FileStat;
  /** When it was last refreshed, or would have been where the disk let us (ms, by the steady clock). */
  #refreshedAt: number;

  private constructor(file: string, taken: Taken, { steady = sinceBoot, holds }: LockTaker, began: number) {
    this.#file = file;
    this.#holds = holds;
    this.holder = taken.holder;
    this.#mine = taken.stat;
    this.#steady = steady;
    this.#refreshedAt = began;
    this.#timer = setInterval(() => this.#look(), this.#refreshMs);
    this.#timer.unref();
  }

  /**
   * Takes the lock of a vault. A lock whose process is surely gone is taken over at once; one whose process cannot be seen
   * from here, when it is known not to have changed for as long as it says that it may stay unrefreshed.
   * Throws `vault-locked` (exit 75), naming the holder, where another process holds it, `lock-no-file` (75) where
   * something else is in its place, and (75) where the disk refuses.
   */
  static take(file: string, taker: LockTaker): Lock {
    const tried = Lock.#attempt(file, taker, new LockMemory(taker.memory ?? null));
    if (tried instanceof Lock) return tried;
    throw tried.refused;
  }

  /**
   * The same for who can wait: watches a lock that cannot be judged until it changes, which is a sign of life, or has not
   * for long enough.
   */
  static async takeOrWatch(file: string, taker: LockTaker, watcher: Watcher): Promise<Lock> {
    const memory = new LockMemory(taker.memory ?? null);
    let watched: string | null = null;
    for (;;) {
      const tried = Lock.#attempt(file, taker, memory);
      if (tried instanceof Lock) return tried;
      if (tried.watch === null) throw tried.refused;
      if (watched === null) watcher.waiting(tried.refused);
      else if (watched !== tried.watch) throw lockedBy(holderOf(tried.watch)); // it was refreshed just now
      watched = tried.watch;
      await wait(LOOK_MS, undefined, { signal: watcher.stop }).catch(() => {});
      if (watcher.stop.aborted) throw tried.refused;
    }
  }

  static #attempt(file: string, taker: LockTaker, memory: LockMemory): Lock | Refusal {
    const { leaseMs = LEASE_MS, steady = sinceBoot } = taker;
    const began = steady();
    const tried = tryToTake(file, { ...taker, leaseMs }, memory);
    return 'refused' in tried ? tried : new Lock(file, tried, taker, began);
  }

  get epoch(): number {
    return this.holder.epoch;
  }

  get lost(): AbortSignal {
    return this.#losing.signal;
  }

  /**
   * To be called before each act, as near to it as can be. Refreshes a lock that is due, and makes one that was deleted
   * anew, where nobody else has taken it meanwhile. Throws `lock-lost` (75) where another has it, something else is in its
   * place, or this process stood still for too long, from then on always; `vault-away` where `.steward` is not there; and
   * what the disk refuses. Costs one opened file.
   */
  demand(): void {
    this.#demandNow();
    if (this.#steady() - this.#refreshedAt >= this.#refreshMs) this.#refresh();
  }

  /** Releases the lock if it is still ours. */
  release(): void {
    clearInterval(this.#timer);
    try {
      this.#demandTime();
      const held = readLockText(this.#file);
      if (held !== null && this.#isMine(held)) removeLock(this.#file, held.text);
    } catch {
      // It is lost; or the disk refuses: the work is done nevertheless, and the end of this process frees the lock.
    }
    this.#holds?.delete(this.holder.token);
  }

  get #refreshMs(): number {
    return this.holder.lease_ms / REFRESHES;
  }

  #demandNow(): void {
    this.#demandTime();
    this.#demandFile();
    this.#demandTime(); // a disk that hangs holds up the process as well
  }

  #demandTime(): void {
    if (this.lost.aborted) throw this.lost.reason;
    const still = this.#steady() - this.#refreshedAt;
    if (still > this.holder.lease_ms) throw this.#lose(ranOut(still, this.holder.lease_ms));
  }

  #demandFile(): void {
    if (isUntouched(this.#file, this.#mine)) return;
    const held = this.#read();
    if (held === null) this.#makeAnew();
    else if (this.#isMine(held)) this.#mine = held.stat;
    else throw this.#lose(lostTo(holderOf(held.text)));
  }

  // By the clock as it was before: whoever watches the lock sees the change later than that.
  #refresh(): void {
    this.#refreshedAt = this.#steady();
    try {
      const text = JSON.stringify({ ...this.holder, refreshed_at: new Date().toISOString() });
      this.#mine = rewriteLock(this.#file, this.#mine, text) ?? this.#mine;
    } catch {
      // The disk refuses: the lock is refreshed when it lets us.
    }
  }

  // Where the vault is away this process does not stand still: the lock is looked at when it is back.
  #look(): void {
    try {
      this.#demandNow();
      this.#refresh();
    } catch {
      if (!this.lost.aborted) this.#refreshedAt = this.#steady();
    }
  }

  #read(): LockText | null {
    try {
      return readLockText(this.#file);
    } catch (error) {
      if (error instanceof StewardError) throw this.#lose(lostTo(null));
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
    if (last !== null && last.token !== this.holder.token) throw this.#lose(lostTo(null));
    createLock(this.#file, JSON.stringify({ ...this.holder, refreshed_at: new Date().toISOString() }));
    if (last === null) writeEpoch(this.#file, this.holder);
    const held = this.#read();
    if (held === null || !this.#isMine(held)) throw this.#lose(lostTo(held === null ? null : holderOf(held.text)));
    this.#mine = held.stat;
  }

  #lose(error: StewardError): StewardError {
    clearInterval(this.#timer);
    this.#losing.abort(error);
    return error;
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
  const isStamped = now - Date.parse(current.refreshed_at) < leaseOf(current);
  return standing === 'running' || (standing === 'unknown' && isStamped) ? current : null;
}

function textIn(file: string): string | null {
  try {
    return readLockText(file)?.text ?? null;
  } catch {
    return null;
  }
}
