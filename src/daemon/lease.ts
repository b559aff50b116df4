import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Diagnostic, diagnostic, EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, ownPlacesRefusal } from '../vault/files.ts';
import { type OwnPlaces, ownPlaces } from '../vault/layout.ts';
import { endedDaemon, type Lease, Lock, takeSoon } from '../vault/lock.ts';
import { sha256 } from '../vault/note-text.ts';
import { localTime } from '../vault/time.ts';
import { awayError } from '../vault/vault.ts';
import type { DaemonEvent, Environment } from './environment.ts';
import { aborted } from './process.ts';
import type { RuntimePaths } from './runtime-paths.ts';

/** The program's own folders contain what was in notes that others may not read. */
const OWN_MODE = 0o700;

/**
 * Makes the program's own folders before anything is written, and closes them to other users. Throws `vault-away`, or
 * what the disk refuses (exit 75); also if one of them is a link.
 */
export function prepare(places: OwnPlaces): void {
  const root = realRoot(path.dirname(places.own)); // throws rather than making a vault that is missing
  const refusal = ownPlacesRefusal(root);
  if (refusal !== null) throw new StewardError(refusal.trouble, EXIT.tryAgain);
  for (const folder of [places.own, places.journal, places.state, places.cache, places.tmp, places.history]) {
    try {
      // Not recursive: on a read-only disk that fails with ENOENT, which explains nothing.
      if (!fs.existsSync(folder)) makeFolder(folder);
      fs.accessSync(folder, fs.constants.W_OK);
    } catch (error) {
      throw new StewardError(fileError(error, path.relative(path.dirname(places.own), folder)).trouble, EXIT.tryAgain);
    }
  }
  closeToOthers(places.own);
}

// Two commands may begin in a new vault at once.
function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: OWN_MODE });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

// A sync tool or a copy may have made it with other modes.
function closeToOthers(folder: string): void {
  try {
    const { mode } = fs.statSync(folder);
    if ((mode & 0o077) !== 0) fs.chmodSync(folder, mode & 0o7700);
  } catch {
    // The folder of another user, or a disk without modes.
  }
}

/** Returns the file in which this machine keeps what it knows of a vault's lock, or null if it keeps no such file. */
export function lockMemoryFile(root: string, folder: string | undefined): string | null {
  return folder === undefined ? null : path.join(folder, `${sha256(realRoot(root)).slice(0, 16)}.json`);
}

/**
 * Returns the problem of a daemon that ended without giving the vault back; an empty list if it ended in order, or
 * runs.
 */
export function endedDaemonProblem(root: string, memories: string | undefined): Diagnostic[] {
  const former = endedDaemon(ownPlaces(root).lock, lockMemoryFile(root, memories));
  if (former === null) return [];
  const last = localTime(Date.parse(former.refreshed_at)).replace('T', ' ').slice(0, 16);
  return [
    diagnostic({
      code: 'daemon-ended',
      message: `The daemon (pid ${former.pid}) was killed or crashed after ${last}, so mail isn't read.`,
      hint: 'Start it again with `steward run`, or its service: `steward service status` shows it.',
    }),
  ];
}

/** Returns the vault's root without symbolic links. Throws `vault-away` if it cannot be read. */
export function realRoot(root: string): string {
  try {
    return fs.realpathSync.native(root);
  } catch (error) {
    throw awayError(root, error instanceof Error ? error.message : String(error));
  }
}

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

  /** Ends the rest that is under way; without one, the next rest ends at once. */
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
  /** Called with the process that a start waits for. */
  readonly emit: (event: DaemonEvent) => void;
  /** For how long (ms) the lock may stay unrefreshed; `LEASE_MS` if absent. Not for vaults on a slow sync. */
  readonly leaseMs?: number;
  /** The tokens of all locks of this process, where it keeps several vaults: one that it left behind is free. */
  readonly holds?: Set<string>;
}

/** Keeps a vault by the lock that is in it: anyone who can write there can keep it. */
export class FileLeaseProvider implements LeaseProvider {
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
export interface LeaseProvider {
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
  /** Ends a rest: the one under way or, without one, the next at once. */
  nudge(): void;
}

interface CommandParts {
  readonly root: string;
  /** The folder where this machine keeps what it knows of the locks of vaults. */
  readonly memories: string | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Takes a vault for one command. Waits for another command for two seconds at most, and for no daemon: throws
 * `vault-locked` (75), and what the disk refuses (75).
 */
export function commandLease({ root, memories, now }: CommandParts): Promise<Lease> {
  const places = ownPlaces(root);
  prepare(places);
  const taker = { role: 'command', socket: null, now: now(), memory: lockMemoryFile(root, memories) } as const;
  return takeSoon(places.lock, () => Lock.take(places.lock, taker));
}
