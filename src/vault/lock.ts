import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { awayRefusal, type Diagnostic, diagnostic, EXIT, LOCK_LOST, StewardError, systemCode } from './errors.ts';
import { type FileStat, fileError, readBytes, sameStat, syncFolder, writeState } from './files.ts';
import { readOwnJson } from './json.ts';
import { sha256 } from './note-text.ts';

// Decides which process may write to a vault.

// The file itself: read without ever waiting for it or following it, made and taken away without replacing another's.

/** No lock is longer: the rest is a path and some names. */
const MAX_BYTES = 16_384;

interface LockText {
  readonly text: string;
  readonly stat: FileStat;
}

/**
 * Returns the text of a lock file, or null without a lock. Throws `lock-no-file` (75) if something else is in its
 * place, and the system's error if the disk refuses.
 */
function readLockText(file: string): LockText | null {
  try {
    const { bytes, stat } = readBytes(file, MAX_BYTES, fs.constants.O_NOFOLLOW);
    return { text: bytes.toString('utf8'), stat };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    // A link is not followed (ELOOP), a socket cannot be opened (ENXIO).
    if (error instanceof StewardError || ['ELOOP', 'ENXIO'].includes(systemCode(error) ?? '')) throw noLockFile(error);
    throw error;
  }
}

/** Whether the lock is still the very file that was read or written before, untouched. */
function isUntouched(file: string, before: FileStat): boolean {
  let handle: number | null = null;
  try {
    // Opened, and not only looked at: a network disk asks its server when a file is opened.
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
    return sameStat(fs.fstatSync(handle), before);
  } catch {
    return false; // the reader after this one tells why
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}

function createLock(file: string, text: string): boolean {
  const part = partOf(file);
  try {
    fs.writeFileSync(part, text, { flag: 'wx', mode: 0o600 });
    fs.linkSync(part, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!isWithoutLinks(error)) throw error;
    return createExclusive(file, text);
  } finally {
    fs.rmSync(part, { force: true });
  }
}

/**
 * Writes a text of the same length into the lock, if it is still this very file. In place: a lock that another process
 * has put there in the meantime stays. Returns the file as it is then, or null if it is another.
 */
function rewriteLock(file: string, before: FileStat, text: string): FileStat | null {
  const handle = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK | fs.constants.O_NOFOLLOW);
  try {
    if (!sameStat(fs.fstatSync(handle), before)) return null;
    fs.writeSync(handle, text, 0, 'utf8');
    return fs.fstatSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Takes a dead lock away, if it still has exactly `text`. Several may find the same one. Each moves it to a name of its
 * own, so the others find no file to move. A lock that was taken or refreshed in the meantime goes back.
 */
function removeLock(file: string, text: string): void {
  const aside = partOf(file);
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    throw error;
  }
  let isDead = false;
  try {
    isDead = readLockText(aside)?.text === text;
  } finally {
    // Even if the disk refuses to tell what was moved: it may be alive.
    if (!isDead) putBack(aside, file);
    fs.rmSync(aside, { force: true });
  }
}

function putBack(aside: string, file: string): void {
  try {
    fs.linkSync(aside, file);
  } catch (error) {
    if (isWithoutLinks(error)) fs.renameSync(aside, file);
    else if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function createExclusive(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isWithoutLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '');
}

function partOf(file: string): string {
  return `${file}.${randomUUID()}.part`;
}

function noLockFile(cause: unknown): StewardError {
  return new StewardError(
    {
      code: 'lock-no-file',
      file: '.steward/lock',
      message: "The lock's file isn't a lock: it is a folder, a pipe, a link, or a large file.",
      hint: 'Check what it is, make sure that no daemon runs on this vault, and move it away.',
    },
    EXIT.tryAgain,
    { cause },
  );
}

/**
 * How long (ms) a holder may go without a refresh before another may take its vault: six refreshes, and longer than a
 * sync tool delays a file that changes often.
 */
export const LEASE_MS = 90_000;
/** How often a lease is refreshed while it lasts. */
const REFRESHES = 6;

/** A vault that is this process's to write to, until it is given back, runs out, or another has it. */
export interface Lease {
  /** How often the vault has been taken: a number that only grows, and is written in the lock. */
  readonly epoch: number;
  /** Aborted when the vault is no longer this process's; its reason is the `StewardError` that says why. */
  readonly lost: AbortSignal;
  /**
   * To be called before each act, and last of all before the step that decides. Throws `lock-lost` (75) once the lease
   * has run out or another has the vault, from then on always.
   */
  demand(): void;
  /** Gives the vault back, if it is still this process's. */
  release(): void;
}

/** Whether a lease is lost by now; checks one that may have run out since the last look. */
export function isLost(lease: Lease): boolean {
  try {
    lease.demand();
  } catch {
    // The vault may also be away, or the disk may refuse to tell: then it is still ours.
  }
  return lease.lost.aborted;
}

/** More takings than any vault will see; a larger figure was not counted. */
const MAX_EPOCH = 2 ** 50;

/** A longer lease (ms) was not given by this program: its lock counts as one that cannot be read. */
const MAX_LEASE_MS = 60 * 60 * 1000;

const holder = z.object({
  host: z.string(),
  pid: z.number().int().positive(),
  boot: z.string(),
  /** In which PID and time namespace `pid` and `birth` were counted; empty if the system has no namespaces. */
  pid_namespace: z.string().default(''),
  time_namespace: z.string().default(''),
  role: z.enum(['daemon', 'command']),
  /** The process's start as the kernel counts it, so that a reused pid is not mistaken for the holder. */
  birth: z.string(),
  since: z.string(),
  refreshed_at: z.string(),
  token: z.string(),
  /** How often the lock has been taken: it only grows, so that of two holders the later one is known. */
  epoch: z.number().int().min(0).max(MAX_EPOCH).default(0),
  /** For how long (ms) it may stay unrefreshed. */
  lease_ms: z.number().int().positive().max(MAX_LEASE_MS),
  /** The daemon's socket for commands; null for a command. */
  socket: z.string().nullable().catch(null),
});
/** Who has the vault, as the lock says it. */
export type LockHolder = z.infer<typeof holder>;

/** The state of a holder's process: `unknown` if it cannot be seen from here. */
type HolderState = 'running' | 'gone' | 'unknown';

/** Returns what a lock's text says, or null if it is no lock's. */
function holderOf(text: string): LockHolder | null {
  return readOwnJson(holder, text);
}

/**
 * Returns for how long (ms) a holder may stay unrefreshed, as it says itself; `null` for a lock that cannot be read.
 */
function leaseOf(other: LockHolder | null): number {
  return other?.lease_ms ?? LEASE_MS;
}

/** Returns this process as a holder. `now` in epoch ms. */
function thisProcess(role: LockHolder['role'], socket: string | null, now: number) {
  const since = new Date(now).toISOString();
  const birth = birthOf(process.pid) ?? '';
  return { ...place(), pid: process.pid, role, birth, since, refreshed_at: since, socket };
}

/** Returns the host, boot and namespaces of this process: only with the same ones does a pid mean the same process. */
export function place() {
  return {
    host: os.hostname(),
    boot: bootId(),
    pid_namespace: namespace('pid'),
    time_namespace: namespace('time'),
  };
}

/**
 * Returns what is known of the process behind a lock. `isOwn`: this machine remembers that it took this lock itself. A
 * pid says something only if it was counted as it is here: on this host, in this boot, in this PID namespace.
 * Containers share the boot, machines may share a name.
 */
function holderState(other: LockHolder, isOwn: boolean): HolderState {
  const here = place();
  if (other.host !== here.host) return 'unknown';
  if (other.boot !== here.boot) return isOwn ? 'gone' : 'unknown';
  const isSeen = here.boot === '' ? isOwn : here.pid_namespace !== '' && other.pid_namespace === here.pid_namespace;
  if (!isSeen) return 'unknown';
  if (!isThere(other.pid)) return 'gone';
  // Another time namespace counts a process's start from another moment.
  const birth = other.time_namespace === here.time_namespace ? birthOf(other.pid) : null;
  if (birth === null || other.birth === '') return 'unknown';
  return birth === other.birth ? 'running' : 'gone';
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

function bootId(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return ''; // not Linux
  }
}

function namespace(kind: 'pid' | 'time'): string {
  try {
    return fs.readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return '';
  }
}

// Field 22 of /proc/<pid>/stat, counted after the command name, which may itself contain spaces and brackets.
function birthOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(path.join('/proc', String(pid), 'stat'), 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** How often a vault's lock had been taken, and by whom. Outlives the lock, which goes when it is given back. */
interface Epoch {
  readonly epoch: number;
  readonly token: string;
}

const OWN_MODE = 0o700;
const MARK = /^epoch-(?<epoch>\d{1,16})-(?<token>[\w-]{1,64})$/;

// Each taking leaves an empty file of its own, and the highest counts. A process that was stopped in the middle of a
// taking, and goes on after others, can add a lower one, but never remove a higher one.

/** Returns the highest epoch of a lock, or null if unknown. */
export function readEpoch(lock: string): Epoch | null {
  return marks(lock).reduce<Epoch | null>((most, one) => (most === null || one.epoch > most.epoch ? one : most), null);
}

/** Writes down who has taken a lock. Throws the system's error. */
function writeEpoch(lock: string, taken: Epoch): void {
  const folder = folderOf(lock);
  fs.mkdirSync(folder, { recursive: true, mode: OWN_MODE });
  fs.closeSync(fs.openSync(path.join(folder, nameOf(taken)), 'w', 0o600));
  syncFolder(folder);
  for (const one of marks(lock)) if (one.epoch < taken.epoch) letGo(path.join(folder, nameOf(one)));
}

// One that cannot be removed, a folder of that name as well, is lower than the highest and does no harm.
function letGo(mark: string): void {
  try {
    fs.unlinkSync(mark);
  } catch {}
}

function marks(lock: string): Epoch[] {
  return namesIn(folderOf(lock)).flatMap((name) => {
    const { epoch, token } = MARK.exec(name)?.groups ?? {};
    // A number that is not below the highest of all was not counted by this program.
    return epoch === undefined || token === undefined || Number(epoch) >= MAX_EPOCH
      ? []
      : [{ epoch: Number(epoch), token }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function nameOf({ epoch, token }: Epoch): string {
  return `epoch-${epoch}-${token}`;
}

function folderOf(lock: string): string {
  return path.join(path.dirname(lock), 'state');
}

/**
 * Returns the time (ms) by the boot's own clock, which can't be set. On Linux it stops while the machine sleeps, and
 * goes on while a process is stopped.
 */
function sinceBoot(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

const memory = z.object({
  /** The lock that this machine took last. */
  own: z.string().nullable(),
  /** A lock that could not be judged: its text, and since when (ms of the boot's own clock) it has been the same. */
  seen: z.object({ sha256: z.string(), clock: z.string(), at: z.number() }).nullable(),
});
type Memory = z.infer<typeof memory>;

const NOTHING: Memory = { own: null, seen: null };

/**
 * A machine's memory of a vault's lock, outside the vault: which one it took itself, and how long another has not
 * changed. The time is that of the boot's own clock, which can't be set. It runs on from one process to the next, so a
 * daemon that is restarted again and again can go on with its watch.
 */
class LockMemory {
  readonly #file: string | null;
  #known: Memory;

  /** `file`: the file that keeps it; null to keep it in this process only. */
  constructor(file: string | null) {
    this.#file = file;
    this.#known = read(file);
  }

  isOwn(token: string): boolean {
    return this.#known.own === token;
  }

  took(token: string): void {
    this.#keep({ own: token, seen: null });
  }

  /** Returns for how long (ms) a lock is known to have held this text without a change. */
  unchangedFor(text: string): number {
    const now = sinceBoot();
    const { boot, time_namespace } = place();
    const same = { sha256: sha256(text), clock: `${boot} ${time_namespace}` };
    const { seen } = this.#known;
    if (seen !== null && seen.sha256 === same.sha256 && seen.clock === same.clock && seen.at <= now)
      return now - seen.at;
    this.#keep({ ...this.#known, seen: { ...same, at: now } });
    return 0;
  }

  #keep(known: Memory): void {
    this.#known = known;
    if (this.#file === null) return;
    try {
      fs.mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      writeState(this.#file, JSON.stringify(known));
    } catch {
      // It is remembered by this process alone; another one watches from the beginning.
    }
  }
}

function read(file: string | null): Memory {
  try {
    return (file === null ? null : readOwnJson(memory, fs.readFileSync(file, 'utf8'))) ?? NOTHING;
  } catch {
    return NOTHING;
  }
}

const FILE = '.steward/lock';

/** Returns the error `vault-locked` (75): another process has the vault. */
function lockedBy(other: LockHolder | null): StewardError {
  return new StewardError(
    {
      code: 'vault-locked',
      file: FILE,
      message: `The vault is in use by ${nameOfRefusals(other)}.`,
      hint: 'Stop that one first, or use it: commands pass their work to a running daemon.',
    },
    EXIT.tryAgain,
  );
}

/** Returns the error `vault-locked` (75) for a holder whose process cannot be seen from here; `leftMs`: for how long yet. */
function unjudged(other: LockHolder | null, leftMs: number): StewardError {
  const seconds = Math.ceil(leftMs / 1000);
  return new StewardError(
    {
      code: 'vault-locked',
      file: FILE,
      message: `The vault is in use by ${nameOfRefusals(other)}, which cannot be seen from here; its lock is taken over if it stays unchanged for ${seconds} s more.`,
      hint: 'Try again then. If that one runs on another machine or in another container, stop one of the two.',
    },
    EXIT.tryAgain,
  );
}

/** Returns the error `lock-lost` (75): the lock is no longer that of this process. */
function lostTo(other: LockHolder | null): StewardError {
  const whose = other === null ? 'no longer belongs to this process' : `now belongs to ${nameOfRefusals(other)}`;
  return new StewardError(
    {
      code: LOCK_LOST,
      file: FILE,
      message: `The vault’s lock ${whose}. This process stops writing.`,
      hint: 'Let one daemon run on this vault: stop the other one, or leave this one stopped.',
    },
    EXIT.tryAgain,
  );
}

/** Returns the error `lock-lost` (75): this process stood still for longer than its lease, and another may have the vault. */
function ranOut(stillMs: number, leaseMs: number): StewardError {
  const [still, lease] = [stillMs, leaseMs].map((ms) => Math.round(ms / 1000));
  return new StewardError(
    {
      code: LOCK_LOST,
      file: FILE,
      message: `This process was suspended for ${still} s, and its lock was valid for ${lease} s. This process stops writing.`,
      hint: 'Start it again: a service does that automatically. It continues from what is in the vault.',
    },
    EXIT.tryAgain,
  );
}

function nameOfRefusals(other: LockHolder | null): string {
  return other === null ? 'another process' : `${other.role} ${other.pid} on ${other.host}, since ${other.since}`;
}

/** How often a lock may change hands while it is being taken. */
const ATTEMPTS = 5;

interface Taker {
  readonly role: LockHolder['role'];
  readonly socket: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** For how long (ms) the lock may stay unrefreshed. */
  readonly leaseMs: number;
  /** The tokens of all locks that this process holds, where it says so: what it took and holds no longer is free. */
  readonly holds?: Set<string>;
}

interface HeldLock {
  readonly holder: LockHolder;
  readonly stat: FileStat;
}

/** Why a lock was not taken; `watch`: its text, if it can be taken over once it has stayed the same for long enough. */
interface Refusal {
  readonly refused: StewardError;
  readonly watch: string | null;
}

/**
 * Takes a lock if it is free, if its process is surely gone, or if it cannot be judged and is known not to have changed
 * for long enough. Throws `lock-no-file`, and (75) where the disk refuses.
 */
function tryToTake(file: string, taker: Taker, memory: LockMemory): HeldLock | Refusal {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const tried = tryOnce(file, taker, memory);
      if (tried !== null) return tried;
    }
    return { refused: lockedBy(null), watch: null };
  } catch (error) {
    throw error instanceof StewardError || systemCode(error) === null
      ? error
      : new StewardError(fileError(error, '.steward/lock').trouble, EXIT.tryAgain, { cause: error });
  }
}

// Null if somebody else was faster.
function tryOnce(file: string, taker: Taker, memory: LockMemory): HeldLock | Refusal | null {
  const held = readLockText(file);
  if (held === null) return takeFree(file, taker, memory, 0);
  const refusal = isLeft(held.text, taker) ? null : refusalOf(held.text, memory);
  if (refusal !== null) return refusal;
  removeLock(file, held.text);
  return takeFree(file, taker, memory, holderOf(held.text)?.epoch ?? 0);
}

// A lock that this very process took and no longer has: the vault was moved away under it, and is found elsewhere.
function isLeft(text: string, { holds }: Taker): boolean {
  const other = holderOf(text);
  if (holds === undefined || other?.pid !== process.pid || holds.has(other.token)) return false;
  return holderState(other, false) === 'running';
}

function refusalOf(text: string, memory: LockMemory): Refusal | null {
  const other = holderOf(text);
  const standing = other === null ? 'unknown' : holderState(other, memory.isOwn(other.token));
  if (standing === 'gone') return null;
  if (standing === 'running') return { refused: lockedBy(other), watch: null };
  const left = leaseOf(other) - memory.unchangedFor(text);
  return left <= 0 ? null : { refused: unjudged(other, left), watch: text };
}

function takeFree(
  file: string,
  { role, socket, now, leaseMs, holds }: Taker,
  memory: LockMemory,
  former: number,
): HeldLock | null {
  const epoch = Math.min(Math.max(former, readEpoch(file)?.epoch ?? 0) + 1, MAX_EPOCH);
  const holder: LockHolder = { ...thisProcess(role, socket, now), token: randomUUID(), epoch, lease_ms: leaseMs };
  const text = JSON.stringify(holder);
  if (!createLock(file, text)) return null;
  memory.took(holder.token);
  writeEpoch(file, holder);
  // A process that was stopped on the way here may come after others that have taken the vault and given it back: it
  // tries again.
  if (marks(file).some((other) => other.token !== holder.token && other.epoch >= holder.epoch)) {
    removeLock(file, text);
    return null;
  }
  holds?.add(holder.token);
  // A process that was stopped for long just now finds another's lock, or no lock.
  const held = readLockText(file);
  return held?.text === text ? { holder, stat: held.stat } : null;
}

const LOOK_MS = 250;

/** Who would take a lock. */
interface LockTaker extends Omit<Taker, 'leaseMs'> {
  /** The file in which this machine keeps what it knows of the vault's lock; if absent, only this process knows it. */
  readonly memory?: string | null;
  /** For how long (ms) the lock may stay unrefreshed; `LEASE_MS` if absent. */
  readonly leaseMs?: number;
  /**
   * The time (ms) by a clock that can't be set and that goes on while the process is stopped; the boot's own if absent.
   */
  readonly steady?: () => number;
}

/** A daemon that would watch a lock before it takes it over. */
interface Watcher {
  readonly stop: AbortSignal;
  /** Called once with the reason for the wait. */
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
  /** When it was last refreshed, or would have been if the disk had allowed it (ms, by the steady clock). */
  #refreshedAt: number;
  #isReleased = false;

  private constructor(file: string, taken: HeldLock, { steady = sinceBoot, holds }: LockTaker, began: number) {
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
   * Takes the lock of a vault. A lock whose process is surely gone is taken over at once; one whose process cannot be
   * seen from here, once it has not changed for its lease. Throws `vault-locked` (exit 75), naming the holder, if
   * another process has it, `lock-no-file` (75) if something else is in its place, and (75) if the disk refuses.
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
   * again, unless another process has taken it in the meantime. Throws `lock-lost` (75) if another has it, something
   * else is in its place, or this process was stopped for too long, from then on always. Throws `vault-away` if
   * `.steward` is not there, and what the disk refuses. Costs one opened file.
   */
  demand(): void {
    this.#demandNow();
    if (this.#steady() - this.#refreshedAt >= this.#refreshMs) this.#refresh();
  }

  release(): void {
    this.#isReleased = true;
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
    this.#demandTime(); // a disk that hangs blocks the process as well
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

  // By the clock as it was before: a process that watches the lock sees the change later than that.
  #refresh(): void {
    this.#refreshedAt = this.#steady();
    try {
      const text = JSON.stringify({ ...this.holder, refreshed_at: new Date().toISOString() });
      this.#mine = rewriteLock(this.#file, this.#mine, text) ?? this.#mine;
    } catch {
      // The disk refuses: the lock is refreshed when it lets us.
    }
  }

  // While the vault is away, the lease does not run out: the lock is looked at when the vault is back.
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
    if (this.#isReleased) return; // later callers have no more use for it
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
 * Returns who holds the lock, as far as it is known without waiting, or null. A process that cannot be seen from here
 * counts if it has stamped its lock lately, or in the future. For people to read; no lock is taken by it.
 */
export function lockHolder(file: string, now: number): LockHolder | null {
  const held = textIn(file);
  const current = held === null ? null : holderOf(held);
  if (current === null) return null;
  const standing = holderState(current, false);
  const isStamped = now - Date.parse(current.refreshed_at) < leaseOf(current);
  return standing === 'running' || (standing === 'unknown' && isStamped) ? current : null;
}

/**
 * Returns who held the lock, if it was a daemon that ended without giving it back: it was killed, or the machine
 * stopped. `memory`: where this machine keeps what it knows of the lock.
 */
export function endedDaemon(file: string, memory: string | null): LockHolder | null {
  const held = textIn(file);
  const former = held === null ? null : holderOf(held);
  if (former?.role !== 'daemon') return null;
  return holderState(former, new LockMemory(memory).isOwn(former.token)) === 'gone' ? former : null;
}

function textIn(file: string): string | null {
  try {
    return readLockText(file)?.text ?? null;
  } catch {
    return null;
  }
}

/** Clocks of machines that are kept by a time server differ by less (ms). */
const FUTURE_MS = 60_000;

/** The problem with a lock: `mended` if the lock was removed, else the trouble that a person should know of. */
type LockFinding = { readonly mended: string } | { readonly trouble: Diagnostic };

/**
 * Looks at a vault's lock, and removes one that is stamped in the future. It does so only if the lock's process is
 * gone, or is out of sight and has not refreshed it for as long as a start would wait. Returns null if the lock is in
 * order. `now` in epoch ms; `memory`: the file of this machine's `LockMemory`.
 */
export function mendLock(file: string, now: number, memory: string | null): LockFinding | null {
  try {
    const text = readLockText(file)?.text;
    const other = text === undefined ? null : holderOf(text);
    if (text === undefined || other === null || Date.parse(other.refreshed_at) <= now + FUTURE_MS) return null;
    const known = new LockMemory(memory);
    const standing = holderState(other, known.isOwn(other.token));
    const left = standing === 'unknown' ? leaseOf(other) - known.unchangedFor(text) : 0;
    if (standing === 'running' || left > 0) return { trouble: stamped(other.refreshed_at, standing, left) };
    removeLock(file, text);
    return { mended: `removed: it was stamped in the future (${other.refreshed_at}), and no process refreshes it` };
  } catch (error) {
    if (error instanceof StewardError) return { trouble: error.trouble };
    throw error;
  }
}

function stamped(at: string, standing: HolderState, leftMs: number): Diagnostic {
  return diagnostic({
    code: 'lock-in-future',
    file: '.steward/lock',
    message: `The lock is stamped in the future (${at}).`,
    hint:
      standing === 'running'
        ? 'Its process runs and stamps it again within 15 s; check the clock of this machine.'
        : `Its process cannot be seen from here. Run \`steward doctor\` again in ${Math.ceil(leftMs / 1000)} s: if no process has refreshed the lock by then, it is removed.`,
  });
}

/** For how long one waits for a command that has the lock: many have it for a moment only. */
const PATIENCE_MS = 2_000;
const BETWEEN_MS = 50;

/**
 * Takes a lock, and waits a moment if a command of this machine has it: to reserve a question’s cost takes
 * milliseconds. Throws what `take` throws, at once if a daemon has it, or a process that cannot be seen from here.
 */
export async function takeSoon(file: string, take: () => Lock | Promise<Lock>): Promise<Lock> {
  for (let left = PATIENCE_MS / BETWEEN_MS; ; left -= 1) {
    try {
      return await take();
    } catch (error) {
      const isLocked = error instanceof StewardError && error.trouble.code === 'vault-locked';
      if (!isLocked || left <= 0 || !mayBeMoment(file)) throw error;
      await wait(BETWEEN_MS);
    }
  }
}

// Also if it has been given back since.
function mayBeMoment(file: string): boolean {
  const held = readLockText(file);
  const holder = held === null ? null : holderOf(held.text);
  return held === null || (holder?.role === 'command' && holderState(holder, false) === 'running');
}
