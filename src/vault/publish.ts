import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { append } from './entry-log.ts';
import { isOurs, StewardError, systemCode } from './errors.ts';
import {
  type Attributes,
  attributesRefusal,
  demandNoLink,
  type Exchange,
  editRefusal,
  giveAttributes,
  insideVault,
  linkOrCopy,
  openedAt,
  readAttributes,
  readBytes,
  type SystemCalls,
  sameAttributes,
  syncFolder,
  writeLasting,
  writeState,
} from './files.ts';
import { type Frontmatter, readNote, same } from './frontmatter.ts';
import { isEntryAside } from './journal.ts';
import { readOwnJson } from './json.ts';
import { isFileName, MAX_NOTE_BYTES, type OwnPlaces, ownPlaces, staysInside } from './layout.ts';
import { sha256 } from './note-text.ts';

// Puts new bytes in the place of a note, and keeps the earlier ones with whatever somebody wrote into them.

// The single steps in which files change names. A name that is gone is a person's decision, not an error.

/** The most bytes read of a displaced file, which may grow while somebody writes into it. */
const MAX_DISPLACED = 8 * MAX_NOTE_BYTES;

/** Identifies the file that has a name, whatever its bytes are; null if it can't be looked at. */
function identifyFile(file: string): string | null {
  try {
    const { dev, ino } = fs.statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/**
 * Whether the folder of a note became a link just before the note was displaced, so that `displaced` is a file behind
 * that link. `judged`: the identity of the note. A link that came afterwards doesn't matter.
 */
function isOfAnotherFolder(note: string, displaced: string, judged: string | null): boolean {
  if (identifyFile(displaced) === judged) return false;
  const folder = path.dirname(note);
  return unlessGone(() => fs.lstatSync(folder)) && fs.realpathSync.native(folder) !== folder;
}

function swap(exchange: Exchange, part: string, note: string): boolean {
  return unlessGone(() => exchange(part, note));
}

function move(from: string, to: string): boolean {
  return unlessGone(() => fs.renameSync(from, to));
}

function unlessGone(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Renames a file to a name that must be free; false if the name is taken. */
function claimName(file: string, name: string): boolean {
  try {
    linkOrCopy(file, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  fs.rmSync(file, { force: true });
  return true;
}

/** Moves a file unless its new folder is on another disk, and returns whether it was moved. */
function isMoved(file: string, to: string): boolean {
  try {
    fs.renameSync(file, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    return false;
  }
}

/** Restores a note and appends what somebody wrote under its free name. Returns the history files to report. */
function putBehind(note: string, kept: string, appended: string): string[] {
  if (!move(note, appended)) return [kept];
  if (!claimName(kept, note)) return [kept, appended]; // somebody created it once more
  fs.appendFileSync(note, bytesOf(appended) ?? '');
  return [appended];
}

function isStill(file: string, sha: string): boolean {
  return shaOf(file) === sha;
}

/** Returns the SHA-256 of a file's bytes, or null if it is gone. */
function shaOf(file: string): string | null {
  const bytes = bytesOf(file);
  return bytes === null ? null : sha256(bytes);
}

/** Returns a file's bytes; null if it is gone, or no file: then whatever replaced it has no text of a person's. */
function bytesOf(file: string): Buffer | null {
  try {
    return readBytes(file, MAX_DISPLACED).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || isNoFile(error)) return null;
    throw error;
  }
}

function isNoFile(error: unknown): boolean {
  return error instanceof StewardError && error.trouble.code === 'not-a-file';
}

/** The bits of the flags of an open file that say whether it was opened to write. */
const ACCESS_MODE = 0o3;

/**
 * Whether any process has a file open for writing; null if this is unknown. The kernel is asked for this one file. If
 * it does not answer (a file of another user, some network mounts), the open files of all processes are searched that
 * this user may look into, so that only "yes" is sure. Throws the system error if the file cannot be opened.
 */
export function isBeingWritten(file: string, system: SystemCalls | null): boolean | null {
  return withHandle(file, (handle) => system?.isBeingWritten(handle) ?? foundInProc(fs.fstatSync(handle)));
}

/**
 * Whether the kernel says that no process has a file open for writing. Throws the system error if it can't be opened.
 */
export function isClosed(file: string, system: SystemCalls | null): boolean {
  return system !== null && withHandle(file, (handle) => system.isBeingWritten(handle)) === false;
}

function withHandle<Result>(file: string, look: (handle: number) => Result): Result {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    return look(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function foundInProc(file: fs.Stats): true | null {
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const isFound = processes.some((pid) =>
    namesIn(`/proc/${pid}/fd`).some((fd) => isSame(file, `/proc/${pid}/fd/${fd}`) && isForWriting(pid, fd)),
  );
  return isFound ? true : null;
}

function isSame(file: fs.Stats, open: string): boolean {
  try {
    const { dev, ino } = fs.statSync(open);
    return dev === file.dev && ino === file.ino;
  } catch {
    return false; // closed in the meantime
  }
}

function isForWriting(pid: string, fd: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & ACCESS_MODE) !== 0;
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // no /proc, a process of another user, or one that has ended
  }
}

/**
 * Writes new bytes into an existing file, which keeps its owner, its attributes and whoever has it open. Returns false,
 * and changes no byte, if the file has other bytes than those of `before` (SHA-256). A crash half way leaves a mix: so
 * its bytes must have a copy, and its name must be unused at that moment.
 */
function rewrite(file: string, before: string, bytes: Uint8Array): boolean {
  const handle = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NOFOLLOW);
  try {
    if (sha256(fs.readFileSync(handle)) !== before) return false;
    for (let written = 0; written < bytes.length; ) {
      written += fs.writeSync(handle, bytes, written, bytes.length - written, written);
    }
    fs.ftruncateSync(handle, bytes.length);
    fs.fsyncSync(handle);
    return true;
  } finally {
    fs.closeSync(handle);
  }
}

/** How the name of a displaced file ends that stays next to its note. */
const APART = '.former';
/** A list beyond this many bytes is not ours. */
const MAX_LIST = 64 * 1024 * 1024;

const displaced = z.lazy(() =>
  z.object({
    note: z.string(),
    file: z.string().refine(isFileName),
    /** The hash of its bytes when it was displaced. */
    sha: z.string(),
    /** When it was displaced (epoch ms). */
    at: z.number(),
    /** Its ctime when its bytes were last compared: as long as that is the same, no program has written into it. */
    ctime: z.number().optional(),
    /** The displaced file itself, if `file` is a copy of it on another disk. Vault-relative. */
    apart: z
      .string()
      .refine((file) => staysInside(file) && /(^|\/)\.[^/]+$/.test(file) && file.endsWith(APART))
      .optional(),
  }),
);
/** A file that was a note until an edit displaced it. */
type Displaced = z.infer<typeof displaced>;

/**
 * The displaced files on disk, one line each: an editor that has one open may outlive this process, and before a file
 * is deleted its bytes are compared with those it had.
 */
class DisplacedList {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Adds a line, and returns whether it could. Not durably: it has to outlive this process, since no writer outlives the
   * machine.
   */
  add(one: Displaced): boolean {
    try {
      append(this.#file, `${JSON.stringify(one)}\n`);
      return true;
    } catch {
      return false; // the disk refuses, or it is no file now
    }
  }

  /** Replaces all lines. */
  write(all: Iterable<Displaced>): void {
    const text = Array.from(all, (one) => `${JSON.stringify(one)}\n`).join('');
    try {
      if (text === '') fs.rmSync(this.#file, { force: true });
      else writeState(this.#file, text);
    } catch {
      // The old list stays: the next start checks some files once too often.
    }
  }

  /** Returns all lines that can be read; of several about one file the last. */
  read(): Displaced[] {
    try {
      const text = readBytes(this.#file, MAX_LIST).bytes.toString('utf8');
      // A line that was cut off in the middle is skipped.
      const lines = text.split('\n').flatMap((line) => readOwnJson(displaced, line) ?? []);
      return [...new Map(lines.map((one) => [one.file, one])).values()];
    } catch {
      return []; // no list yet
    }
  }
}

interface Former {
  readonly displaced: string;
  /**
   * Set if the history is on another disk than the note: the file that used to be the note. Editors that have it open
   * still write into it, so it stays next to the note until it is quiet, and the history gets a copy.
   */
  readonly apart?: string;
}

class History {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Moves a file into the history, from another disk too, and returns its path there. */
  keep(file: string, keepAs: string): string {
    if (path.dirname(file) === this.#folder) return file;
    const { displaced, apart } = this.keepFormer(file, keepAs);
    if (apart === undefined) this.sync();
    else fs.rmSync(apart, { force: true });
    return displaced;
  }

  /**
   * Moves the file that used to be a note out of `tmp` into the history; from another disk it is copied, and stays by its
   * note. A move that a power cut takes back is made again by the next start, whatever has become of the journal.
   */
  keepFormer(file: string, keepAs: string): Former {
    const kept = this.freeName(keepAs);
    if (isMoved(file, kept)) return { displaced: kept };
    fs.copyFileSync(file, kept);
    this.sync();
    const apart = `${file}${APART}`; // no longer a part: a start after a crash does not mistake it for one
    fs.renameSync(file, apart);
    return { displaced: kept, apart };
  }

  /** Copies a file into the history, durably, and returns the path of the copy. */
  copy(file: string, keepAs: string): string {
    const kept = this.freeName(keepAs);
    writeLasting(kept, fs.readFileSync(file));
    this.sync();
    return kept;
  }

  /** Returns the next free path under a name. Throws if the folder has become a link. */
  freeName(keepAs: string): string {
    demandNoLink(this.#folder);
    return this.#file(keepAs, this.#freeNumber(keepAs));
  }

  /** Returns how many files the history has under a name. */
  count(keepAs: string): number {
    return this.#freeNumber(keepAs) - 1;
  }

  /** Returns the files that were kept for an edition since it was made, newest first. */
  filesOf({ keepAs, keptBefore }: Edition): string[] {
    const numbered = fs.readdirSync(this.#folder).flatMap((name) => {
      const number = name.startsWith(`${keepAs}.`) ? /^(\d+)\.md$/.exec(name.slice(keepAs.length + 1))?.[1] : undefined;
      return number === undefined || Number(number) <= keptBefore ? [] : [Number(number)];
    });
    return numbered.sort((one, other) => other - one).map((number) => this.#file(keepAs, number));
  }

  /** Makes what was moved here survive a power cut. */
  sync(): void {
    syncFolder(this.#folder);
  }

  #freeNumber(keepAs: string): number {
    let number = 1;
    while (fs.existsSync(this.#file(keepAs, number))) number += 1;
    return number;
  }

  #file(keepAs: string, number: number): string {
    return path.join(this.#folder, `${keepAs}.${number}.md`);
  }
}

/** When a displaced file is checked again, in ms after it was displaced (contract, 9.8). */
const LOOKS = [100, 1_000, 5_000, 30_000];
const LAST_LOOK = LOOKS.at(-1) ?? 0;
/** How often (ms) a file is checked that somebody still has open for writing after that. */
const OPEN_MS = 30_000;
/** The undo window (ms), after which the former bytes of a note are deleted. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * A person's bytes in the history: the note they were written into, the file that has them, and when they were found.
 */
export const keptBytes = z.object({ note: z.string(), file: z.string(), at: z.string() });
export type KeptBytes = z.infer<typeof keptBytes>;

/** The list of history files with bytes of a person's. */
export interface KeptList {
  get(): readonly KeptBytes[];
  set(kept: KeptBytes[]): void;
  /** Writes the list durably. */
  save(): void;
}

/** The result of a look: the bytes are as they were, the watch is over, or the disk gives no answer. */
type Look = 'quiet' | 'over' | 'unknown';

interface DisplacedFilesParts {
  readonly root: string;
  readonly history: string;
  readonly kept: KeptList;
  /** Whether a file of the history is needed to answer an unfinished action; nothing is where it is absent. */
  readonly isNeeded?: (name: string) => boolean;
  /** Throws if the vault is no longer this process's to write to. */
  readonly demand: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Loaded when first called. */
  readonly system: () => SystemCalls | null;
}

/**
 * Watches the files that an edit displaced: a program that still has one open may write into it late, and those bytes
 * must be found. They stay in the history, with a line in `status`. A file is looked at closely for half a minute, then
 * for as long as somebody has it open for writing, then once an hour by its ctime, and once more before it is deleted.
 */
export class DisplacedFiles {
  readonly #parts: DisplacedFilesParts;
  readonly #list: DisplacedList;
  /** All that were displaced and are not deleted yet, by their names in the history. */
  readonly #known = new Map<string, Displaced>();
  /** Those that are looked at closely, and the timers of the looks. */
  readonly #watched = new Map<Displaced, readonly NodeJS.Timeout[]>();
  /** Those that somebody had open for writing when last seen. */
  readonly #open = new Set<Displaced>();
  #openTimer: NodeJS.Timeout | null = null;

  constructor(parts: DisplacedFilesParts) {
    this.#parts = parts;
    this.#list = new DisplacedList(path.join(ownPlaces(parts.root).state, 'displaced.jsonl'));
  }

  /**
   * Checks a displaced file until it is quiet. `sha`: the hash of its bytes when it was displaced. `apart`: the file
   * itself, if `file` is a copy on another disk; it is removed in the end.
   */
  keepWatch(note: string, file: string, sha: string, apart?: string): void {
    const elsewhere = apart === undefined ? {} : { apart: path.relative(this.#parts.root, apart) };
    const at = this.#parts.now();
    const one: Displaced = { note, file: path.basename(file), sha, at, ...elsewhere };
    this.#known.set(one.file, one);
    if (!this.#list.add(one)) this.#list.write(this.#known.values());
    this.#watch(one);
  }

  /** Checks the files that earlier processes displaced: closely if they may not have been watched for long enough. */
  resume(): void {
    let isNew = false;
    const found = this.#list.read().filter((one) => !this.#known.has(one.file));
    for (const one of found) {
      const isCompared = one.ctime !== undefined;
      this.#known.set(one.file, one);
      if (this.#parts.now() - one.at >= LAST_LOOK) this.#lookAgain(one);
      else if (!this.#isOver(one)) this.#watch(one);
      isNew ||= !isCompared && one.ctime !== undefined;
    }
    // So that the next start need not compare their bytes once more.
    if (isNew) this.#list.write(this.#known.values());
  }

  /** Lists a history file in `status`, since it has bytes of a person's. */
  report(note: string, file: string): void {
    const { root, kept: list, now } = this.#parts;
    const relative = path.relative(root, file).split(path.sep).join('/');
    const kept = list.get();
    if (kept.some((line) => line.file === relative)) return;
    list.set([...kept, { note, file: relative, at: new Date(now()).toISOString() }]);
    this.#saveKept();
  }

  /**
   * Checks everything still watched one last time, if the vault is still ours, and clears all timers. The list stays
   * for the next start.
   */
  close(): void {
    const isStillOurs = isOurs(this.#parts.demand);
    for (const [one, timers] of this.#watched) {
      if (isStillOurs) this.#look(one);
      for (const timer of timers) clearTimeout(timer);
    }
    if (isStillOurs) for (const one of this.#open) this.#look(one);
    if (this.#openTimer !== null) clearInterval(this.#openTimer);
    this.#openTimer = null;
    this.#watched.clear();
    this.#open.clear();
  }

  /**
   * Looks at all displaced files again, and deletes former bytes older than the undo window. It keeps those that
   * `status` lists, that somebody may still write into, or that have the only copy of some bytes. Throws if the history
   * is a link, or the vault is no longer ours.
   */
  prune(): void {
    this.#parts.demand();
    demandNoLink(this.#parts.history); // what is deleted must be ours
    this.resume(); // a vault that was away at the start
    this.#forgetTaken();
    for (const one of this.#known.values()) if (!this.#watched.has(one)) this.#lookAgain(one);
    const reported = new Set(this.#parts.kept.get().map((line) => path.basename(line.file)));
    const there = fs.readdirSync(this.#parts.history);
    const deleted = there.filter((name) => !reported.has(name) && this.#isDeleted(name));
    const left = new Set(there);
    for (const name of deleted) left.delete(name);
    for (const name of [...this.#known.keys()]) if (!left.has(name)) this.#known.delete(name);
    this.#list.write(this.#known.values());
  }

  #watch(one: Displaced): void {
    const timers = LOOKS.map((delay) => {
      const timer = setTimeout(() => {
        if (!isOurs(this.#parts.demand)) return; // its next holder looks after it
        if (this.#isOver(one)) this.#unwatch(one);
        else if (delay === LAST_LOOK) {
          this.#unwatch(one);
          this.#follow(one);
        }
      }, delay);
      return timer.unref();
    });
    this.#watched.set(one, timers);
  }

  #unwatch(one: Displaced): void {
    for (const timer of this.#watched.get(one) ?? []) clearTimeout(timer);
    this.#watched.delete(one);
  }

  // A displaced file is looked at for as long as somebody can write into it; the file next to a note stays as long.
  #follow(one: Displaced): void {
    if (this.#isOpen(one)) {
      this.#open.add(one);
      this.#openTimer ??= setInterval(() => this.#lookAtOpen(), OPEN_MS).unref();
      return;
    }
    this.#open.delete(one);
    // Looks again after the question: a program that closed it just now may have written before.
    if (this.#look(one) !== 'unknown') this.#letGo(one);
  }

  #lookAtOpen(): void {
    if (!isOurs(this.#parts.demand)) return;
    for (const one of [...this.#open]) {
      if (this.#isOver(one)) this.#open.delete(one);
      else this.#follow(one);
    }
    if (this.#open.size > 0 || this.#openTimer === null) return;
    clearInterval(this.#openTimer);
    this.#openTimer = null;
  }

  // For a file that was displaced long ago: as long as its ctime is the same, no program has written into it.
  #lookAgain(one: Displaced): void {
    if (this.#ctime(one) !== one.ctime && this.#isOver(one)) this.#open.delete(one);
    else this.#follow(one);
  }

  // Whether the watch is over: the file is gone, or reported. A file next to its note is copied each time.
  #isOver(one: Displaced): boolean {
    return this.#look(one) === 'over' && one.apart === undefined;
  }

  #look(one: Displaced): Look {
    const file = path.join(this.#parts.history, one.file);
    const original = this.#original(one);
    const ctime = this.#ctime(one);
    try {
      if (sha256(readBytes(original, MAX_DISPLACED).bytes) === one.sha) {
        if (ctime !== undefined) one.ctime = ctime;
        return 'quiet';
      }
    } catch (error) {
      if (isGone(error)) return 'over'; // or the vault is away: no file is left to check
      if (systemCode(error) !== null) return 'unknown';
    }
    if (original !== file && !isCopied(original, file)) return 'unknown';
    this.report(one.note, file); // other bytes, or grown beyond reading
    return 'over';
  }

  #isDeleted(name: string): boolean {
    if (isEntryAside(name) || this.#parts.isNeeded?.(name) === true) return false;
    const file = path.join(this.#parts.history, name);
    const stat = fs.lstatSync(file);
    // A displaced file keeps its mtime, which may be years old; its ctime is when it came here, or was last written to.
    const isOld = stat.isFile() && this.#parts.now() - stat.ctimeMs > KEEP_MS;
    if (!isOld || !this.#mayGo(name, stat)) return false;
    fs.rmSync(file, { force: true });
    return true;
  }

  #mayGo(name: string, stat: fs.Stats): boolean {
    const one = this.#known.get(name);
    if (one !== undefined) return !this.#isOpen(one) && this.#look(one) === 'quiet';
    // Its former text isn't known. A write sets both times to the same instant, and a rename only one.
    if (stat.mtimeMs < stat.ctimeMs) return true;
    const file = path.join(this.#parts.history, name);
    this.report(path.relative(this.#parts.root, file), file);
    return false;
  }

  // A line is done once a person has moved or deleted its file.
  #forgetTaken(): void {
    const { root, kept: list } = this.#parts;
    const kept = list.get();
    const there = kept.filter((line) => fs.existsSync(path.join(root, line.file)));
    if (there.length < kept.length) list.set(there);
  }

  #isOpen(one: Displaced): boolean {
    try {
      return isBeingWritten(this.#original(one), this.#parts.system()) === true;
    } catch {
      return false; // gone, or the vault is away
    }
  }

  #original(one: Displaced): string {
    const { root, history } = this.#parts;
    return one.apart === undefined ? path.join(history, one.file) : path.join(root, one.apart);
  }

  // Called by timers, whose errors are lost: if the disk refuses this look, the next one asks again.
  #ctime(one: Displaced): number | undefined {
    try {
      return fs.lstatSync(this.#original(one)).ctimeMs;
    } catch {
      return undefined;
    }
  }

  #letGo(one: Displaced): void {
    if (one.apart === undefined) return;
    try {
      fs.rmSync(path.join(this.#parts.root, one.apart), { force: true });
    } catch {
      // It remains as a dot-file next to the note, which no listing mistakes for one.
    }
    delete one.apart;
    delete one.ctime; // that of the copy is another
  }

  // Durable at once: this is recorded nowhere else.
  #saveKept(): void {
    try {
      this.#parts.kept.save();
    } catch {
      // The next flush of the state tries again, and reports the failure.
    }
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
}

function isCopied(from: string, to: string): boolean {
  try {
    fs.copyFileSync(from, to);
    return true;
  } catch {
    return false; // the disk refuses: there will be another check
  }
}

/** A file that is to leave the vault, as it was when that was decided. */
interface Leaving {
  /** Vault-relative path. */
  readonly file: string;
  /** Whether these bytes may go. */
  readonly fits: (sha256: string) => boolean;
  readonly maxBytes: number;
  /** Whether it is deleted at once; absent if the history keeps it. */
  readonly isForGood?: true;
}

/**
 * Moves a file of the vault into the history, in which it stays until the undo window is over, or deletes it. False,
 * and the file stays, if it is not as it was decided about, or not a plain file with one name in folders that are no
 * links. The folder is kept open, so that another one that is swapped in isn't reached. Throws what the disk refuses.
 */
export function retire(root: string, { history }: Pick<OwnPlaces, 'history'>, leaving: Leaving): boolean {
  const place = path.join(fs.realpathSync.native(root), leaving.file);
  const handle = openFolder(path.dirname(place));
  if (handle === null) return false;
  try {
    const held = openedAt(handle);
    if (held !== null && held !== path.dirname(place)) return false; // a link is on the way
    const file = held === null ? place : `/proc/self/fd/${handle}/${path.basename(place)}`;
    return isFit(file, leaving) && isMovedAway(new History(history), file, leaving);
  } finally {
    fs.closeSync(handle);
  }
}

function openFolder(folder: string): number | null {
  try {
    if (fs.realpathSync.native(folder) !== folder) return null;
    return fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

function isFit(file: string, { fits, maxBytes }: Leaving): boolean {
  try {
    const { bytes, links } = readBytes(file, maxBytes, fs.constants.O_NOFOLLOW);
    return links === 1 && fits(sha256(bytes));
  } catch (error) {
    if (error instanceof StewardError || ['ENOENT', 'ELOOP'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

// A file that somebody put there since the comparison goes back, or stays in the history under a name of its own.
function isMovedAway(history: History, file: string, leaving: Leaving): boolean {
  const kept = history.keep(file, nameInHistory(leaving.file));
  if (isFit(kept, leaving)) {
    if (leaving.isForGood) fs.rmSync(kept, { force: true });
    return true;
  }
  claimName(kept, file);
  return false;
}

/** The longest name that leaves room for what the history puts around it. */
const MOST_LETTERS = 60;

function nameInHistory(file: string): string {
  const name = path.basename(file);
  return `removed-${name.slice(0, MOST_LETTERS)}-${sha256(file).slice(0, 8)}`;
}

/** A note's new bytes, and the bytes they were judged on. */
export interface Edition {
  /** Vault-relative path of a note that exists. */
  readonly path: string;
  readonly beforeSha256: string;
  readonly bytes: Buffer;
  /** The name under which the history keeps the former bytes: `<keepAs>.<n>.md`. */
  readonly keepAs: string;
  /** How many files the history had under that name before this edition was made. */
  readonly keptBefore: number;
}

/**
 * Returns the name of an edition's part file: one for each note an intent edits, so that recovery knows whose it is.
 */
export function partName(keepAs: string, file: string): string {
  return `${keepAs}.${sha256(file).slice(0, 8)}.part`;
}

/** Returns the two paths an edition's part file can have, in `tmp` and in the folder of the note. */
function partFiles(edition: Edition, tmp: string, folder: string): [inTmp: string, besideNote: string] {
  const name = partName(edition.keepAs, edition.path);
  return [path.join(tmp, name), path.join(folder, `.${name}`)];
}

/** Returns the absolute path of an edition's note, or null if the note is gone. */
function noteOf(edition: Edition, root: string): string | null {
  try {
    return insideVault(root, edition.path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function leftPart(edition: Edition, root: string, tmp: string): string | null {
  const folder = path.dirname(path.resolve(root, edition.path));
  return partFiles(edition, tmp, folder).find((file) => fs.existsSync(file)) ?? null;
}

/** Whether a part is our new text or the beginning of it, and not the file that was displaced. */
function isBeginning(part: string, edition: Edition): boolean {
  const bytes = bytesOf(part);
  return (
    bytes !== null && bytes.length <= edition.bytes.length && edition.bytes.subarray(0, bytes.length).equals(bytes)
  );
}

/**
 * Whether a note still has our change after both we and somebody else wrote: theirs (the file `theirs`) was displaced,
 * and the note was written again since. It does if each field that differs between ours and theirs is as ours has it.
 */
function keepsChange(edition: Edition, theirs: string, note: string): boolean {
  const [ours, other, now] = [edition.bytes, bytesOf(theirs), bytesOf(note)].map((bytes) =>
    dataOf(edition.path, bytes),
  );
  if (!ours || !other || !now) return false;
  const differing = Object.keys({ ...ours, ...other }).filter((key) => !same(ours[key] ?? null, other[key] ?? null));
  return differing.every((key) => same(now[key] ?? null, ours[key] ?? null));
}

function dataOf(file: string, bytes: Buffer | null): Frontmatter | null {
  const read = bytes === null ? null : readNote(file, bytes);
  return read?.ok ? read.note.data : null;
}

/** The outcome of an edition whose publishing was interrupted, once its files are in order again. */
interface Resolution {
  readonly published: boolean;
  /** The history file with the former bytes of the note, once the edition is published. */
  readonly displaced: string | null;
  /** As in `Former`. */
  readonly apart?: string;
  /** A history file with bytes that a person wrote in those moments, or null. */
  readonly found: string | null;
}

interface InterruptedPublishParts {
  readonly root: string;
  readonly tmp: string;
  readonly history: History;
  /** Puts the bytes of a file back into their note; returns the history file with what could not go back, or null. */
  readonly giveBack: (edition: Edition, note: string, file: string) => string | null;
}

/** Puts in order what a crash or a failing disk left of an edition, judging by the files on disk alone. */
class InterruptedPublish {
  readonly #parts: InterruptedPublishParts;

  constructor(parts: InterruptedPublishParts) {
    this.#parts = parts;
  }

  /**
   * Returns whether an edition reached its note. The part files tell: after the swap a part has the former text of the
   * note, before it the new one. `first`: there is no earlier edit under this name, so the files in the history are
   * this note's.
   */
  resolve(edition: Edition, first: boolean): Resolution {
    const part = leftPart(edition, this.#parts.root, this.#parts.tmp);
    const displaced = part !== null && !isBeginning(part, edition) ? part : null;
    if (displaced !== null) return this.#resolveDisplaced(edition, displaced);
    // If the note's name is free, the part is the only sign of why, so it goes last. Otherwise it goes first: it may be
    // a second name of the note, and would get in the way of giving back.
    const isFree = this.#find(edition) === null;
    if (part !== null && !isFree) fs.rmSync(part, { force: true });
    const resolution = this.#resolveKept(edition, part !== null && isFree, first);
    if (part !== null) fs.rmSync(part, { force: true });
    return resolution;
  }

  #resolveDisplaced(edition: Edition, part: string): Resolution {
    const { history, giveBack } = this.#parts;
    if (isStill(part, edition.beforeSha256)) return published(history.keepFormer(part, edition.keepAs), null);
    const note = this.#find(edition);
    if (note !== null && shaOf(note) === sha256(edition.bytes)) {
      // Killed while the new bytes were written into the file itself: a copy of the former ones was kept before that.
      const copy = this.#keptOf(edition).find((file) => isStill(file, edition.beforeSha256));
      if (copy !== undefined) return published({ displaced: copy }, this.#parts.history.keep(part, edition.keepAs));
      return withdrawn(giveBack(edition, note, part));
    }
    const kept = note === null ? this.#keptOf(edition) : [];
    // Killed while their bytes were moved out of the note to make room for what it was before: the newest go back.
    if (kept.length > 0) return this.#putBack(edition, part, kept);
    const isIn = note !== null && keepsChange(edition, part, note);
    const file = history.keep(part, edition.keepAs);
    return isIn ? published({ displaced: file }, file) : withdrawn(file);
  }

  #resolveKept(edition: Edition, movedAside: boolean, first: boolean): Resolution {
    const kept = this.#keptOf(edition);
    const note = this.#find(edition);
    const former = kept.find((file) => isStill(file, edition.beforeSha256));
    if (movedAside && kept.length > 0) return this.#putBack(edition, former, kept);
    if (former !== undefined) return published({ displaced: former }, null);
    const theirs = kept.find((file) => !isStill(file, sha256(edition.bytes)));
    if (!first || theirs === undefined || note === null) return withdrawn(null);
    if (shaOf(note) === sha256(edition.bytes)) return withdrawn(this.#parts.giveBack(edition, note, theirs));
    return keepsChange(edition, theirs, note) ? published({ displaced: theirs }, theirs) : withdrawn(theirs);
  }

  // Killed while the note was moved aside and its name was free: the part was still waiting.
  #putBack(edition: Edition, former: string | undefined, kept: readonly string[]): Resolution {
    const back = former ?? kept[0];
    if (back !== undefined) claimName(back, path.resolve(this.#parts.root, edition.path));
    return withdrawn(kept.find((file) => fs.existsSync(file)) ?? null);
  }

  // The files that the history has under the edition's name, newest first. A second name of the note itself is removed.
  #keptOf(edition: Edition): string[] {
    const note = this.#find(edition);
    const inode = note === null ? null : fs.statSync(note).ino;
    const files = this.#parts.history.filesOf(edition);
    const [linked, kept] = [files.filter(isNote), files.filter((file) => !isNote(file))];
    for (const file of linked) fs.rmSync(file, { force: true });
    return kept;

    function isNote(file: string): boolean {
      return fs.statSync(file).ino === inode;
    }
  }

  #find(edition: Edition): string | null {
    return noteOf(edition, this.#parts.root);
  }
}

function published(former: Former, found: string | null): Resolution {
  return { published: true, ...former, found };
}

function withdrawn(found: string | null): Resolution {
  return { published: false, displaced: null, found };
}

type Published =
  | ({ readonly done: true } & Former)
  /**
   * Somebody wrote to the note in between: no byte of ours stayed in it, no byte of theirs was lost. `found`: history
   * files with bytes of theirs that are not in the note.
   */
  | { readonly done: false; readonly found: readonly string[] };

const NOT_DONE: Published = { done: false, found: [] };
/** How often a person may write again while their bytes are given back, before the history keeps them instead. */
const SWAPS = 8;

export interface PublisherParts {
  readonly root: string;
  readonly tmp: string;
  /** The folder of the history. */
  readonly history: string;
  readonly exchange: Exchange | null;
  /** How attributes are read and given; if absent, only mode and owner are kept. */
  readonly system?: SystemCalls | null;
  /**
   * Called with our own bytes that were in a note for a moment: a program that opened them there writes into this file.
   */
  readonly withdrawn?: (note: string, file: string, sha: string) => void;
}

/** A note's new bytes before they get its name. */
interface Part {
  readonly file: string;
  readonly like: Attributes;
  /** Whether the part has all of them too. */
  readonly isAlike: boolean;
}

/**
 * Replaces the bytes of a note that others may be writing at the same instant (contract, section 9).
 *
 * The law: the bytes of the note when ours came are found again. Compare, write the new bytes to a part file, compare
 * again, swap, and look at what the swap displaced: if it is not what was judged, a write slipped in, and it goes back.
 * If the disk refuses half way, `publish` throws and leaves everything to `resolve`, which a start after a crash calls
 * too.
 */
export class Publisher {
  readonly #parts: PublisherParts;
  readonly #history: History;
  readonly #interrupted: InterruptedPublish;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
    this.#history = new History(parts.history);
    this.#interrupted = new InterruptedPublish({
      root: parts.root,
      tmp: parts.tmp,
      history: this.#history,
      giveBack: (edition, note, file) => this.#giveBack(edition, note, file),
    });
  }

  /**
   * Publishes one edition. Throws the system error if the disk refuses; `resolve` then tells what became of it. Throws
   * what `mayPublish` throws, which is asked last before the note changes, and a refusal, without a change, if the note
   * could not be kept as it was.
   */
  publish(edition: Edition, mayPublish: () => void = () => {}): Published {
    const note = noteOf(edition, this.#parts.root);
    if (note === null) return NOT_DONE;
    const now = readBytes(note, MAX_NOTE_BYTES);
    if (sha256(now.bytes) !== edition.beforeSha256) return NOT_DONE;
    const refusal = editRefusal(edition.path, note, now);
    if (refusal !== null) throw refusal;
    const part = this.#writePart(note, edition);
    const { exchange } = this.#parts;
    // Whether the vault is ours is looked at last: a process may have been frozen in between.
    const isReady = () => isStill(note, edition.beforeSha256) && allows(mayPublish);
    return exchange === null
      ? this.#byMove(edition, note, part.file, isReady)
      : this.#byExchange(edition, note, part, isReady, exchange);
  }

  /**
   * Puts in order what a crash or a failing disk left of an edition, and returns whether it reached its note. `first`:
   * there is no earlier edit under this name. May be cut off at any point and called again.
   */
  resolve(edition: Edition, first: boolean): Resolution {
    return this.#interrupted.resolve(edition, first);
  }

  /** Returns how many files the history has under a name. */
  keptUnder(keepAs: string): number {
    return this.#history.count(keepAs);
  }

  /** The folder of the history. */
  get history(): string {
    return this.#parts.history;
  }

  /** Returns the text of a note that was kept under a name, by its hash: in the history, or still in `tmp`. */
  formerText(keepAs: string, sha: string): string | null {
    for (const folder of [this.#parts.history, this.#parts.tmp]) {
      for (const file of filesBeginning(folder, `${keepAs}.`)) {
        const bytes = bytesOf(file);
        if (bytes !== null && sha256(bytes) === sha) return bytes.toString('utf8');
      }
    }
    return null;
  }

  // --- the swap ------------------------------------------------------------------------------------------------------

  // If .steward/tmp is on another file system than the note, the part is written next to the note, under a dot-name
  // that no listing and no editor mistakes for a note.
  #writePart(note: string, edition: Edition): Part {
    const sameDisk = fs.statSync(this.#parts.tmp).dev === fs.statSync(path.dirname(note)).dev;
    const file = this.#partFiles(edition, note)[sameDisk ? 0 : 1];
    const { exchange, system = null } = this.#parts;
    try {
      const like = readAttributes(note, system);
      writeLasting(file, edition.bytes);
      const isAlike = giveAttributes(file, like, system);
      if (!isAlike && exchange === null) throw attributesRefusal(edition.path);
      return { file, like, isAlike };
    } catch (error) {
      fs.rmSync(file, { force: true });
      throw error;
    }
  }

  #byExchange(edition: Edition, note: string, part: Part, isReady: () => boolean, exchange: Exchange): Published {
    const { file } = part;
    const swapped = () => {
      const judged = identifyFile(note);
      if (!isReady() || !swap(exchange, file, note)) return false;
      if (!isOfAnotherFolder(note, file, judged)) return true;
      swap(exchange, file, note);
      return false;
    };
    if (!this.#orDrop(edition, file, swapped)) return NOT_DONE;
    // `file` is now the very file that was the note: its name, and the editors that have it open.
    if (!isStill(file, edition.beforeSha256)) return notDone(this.#giveBack(edition, note, file));
    if (part.isAlike) this.#giveLate(note, part);
    const former = part.isAlike
      ? this.#history.keepFormer(file, edition.keepAs)
      : this.#intoFormer(edition, note, file, exchange);
    syncFolder(path.dirname(note));
    return { done: true, ...former };
  }

  // If somebody restricted the note's access at the instant of the swap, the new file must not be open either.
  #giveLate(note: string, { file, like }: Part): void {
    const { system = null } = this.#parts;
    const late = readAttributes(file, system);
    if (!sameAttributes(late, like)) giveAttributes(note, late, system);
  }

  /**
   * The note's owner or attributes cannot be given to a new file, so the file itself becomes the note again: the new bytes
   * are written into it while another file with the same bytes has its name, and the two are swapped back. Readers find
   * a whole note at every moment, and so does a start after a crash.
   */
  #intoFormer(edition: Edition, note: string, former: string, exchange: Exchange): Former {
    const displaced = this.#history.copy(former, edition.keepAs);
    // If somebody writes into it at this instant, it is kept as any displaced file is, and looked at again.
    if (!rewrite(former, edition.beforeSha256, edition.bytes)) return this.#history.keepFormer(former, edition.keepAs);
    // No swap if the note was deleted in the meantime: that is a person's decision. The swap returns our own file, or a
    // newer one that somebody wrote in its place in the meantime, which goes back.
    const isBack = swap(exchange, former, note);
    if (isBack && !isStill(former, sha256(edition.bytes))) swap(exchange, former, note);
    this.#withdraw(edition, former);
    return { displaced };
  }

  // Without an exchange the note is moved aside, and ours gets its name only if that is still free: for an instant the
  // name is free. Renaming over it would leave no such instant, but would bury whatever was written last.
  #byMove(edition: Edition, note: string, part: string, isReady: () => boolean): Published {
    const kept = this.#history.freeName(edition.keepAs);
    const moved = () => {
      const judged = identifyFile(note);
      if (!isReady() || !move(note, kept)) return false;
      if (!isOfAnotherFolder(note, kept, judged)) return true;
      claimName(kept, note);
      return false;
    };
    if (!this.#orDrop(edition, part, moved)) return NOT_DONE;
    const ours = this.#takeName(part, note, kept);
    syncFolder(path.dirname(note));
    this.#history.sync();
    if (!ours) return this.#recreated(edition, note, part, kept);
    if (isStill(kept, edition.beforeSha256)) return { done: true, displaced: kept };
    return notDone(this.#giveBack(edition, note, kept));
  }

  // A disk that refuses the name to the new file still gives it back to the old one.
  #takeName(part: string, note: string, kept: string): boolean {
    try {
      return claimName(part, note);
    } catch (error) {
      if (!fs.existsSync(note)) fs.renameSync(kept, note);
      fs.rmSync(part, { force: true });
      throw error;
    }
  }

  /**
   * Somebody created the note again in the instant when its name was free. If theirs is a whole note it stays, and the
   * history keeps the former one. If theirs has no frontmatter where the note had some, it was appended to a note that
   * was missing: the note comes back, with their bytes after it.
   */
  #recreated(edition: Edition, note: string, part: string, kept: string): Published {
    const [former, theirs] = [kept, note].map((file) => hasFrontmatter(edition.path, bytesOf(file)));
    const isAppended = former === true && theirs === false;
    const found = isAppended ? putBehind(note, kept, this.#history.freeName(edition.keepAs)) : [kept];
    fs.rmSync(part, { force: true }); // last: while the note's name is free, it is the only sign of why
    return { done: false, found };
  }

  // Up to the swap the part is ours to throw away; a disk that reports an error may have swapped anyway.
  #orDrop(edition: Edition, part: string, swapped: () => boolean): boolean {
    let done = false;
    try {
      done = swapped();
      return done;
    } finally {
      if (!done && isStill(part, sha256(edition.bytes))) fs.rmSync(part, { force: true });
    }
  }

  // --- giving back ---------------------------------------------------------------------------------------------------

  /**
   * A write slipped in before the swap: `aside` has it, the note has ours. Each swap takes newer bytes out of the note
   * than it puts in, so the swaps go on until one takes out the bytes that the last one put in. Returns the history
   * file with what could not go back, or null.
   */
  #giveBack(edition: Edition, note: string, aside: string): string | null {
    const { exchange } = this.#parts;
    if (exchange === null) return this.#moveBack(edition, note, aside);
    const ours = sha256(edition.bytes);
    let inNote = ours;
    for (let swaps = 0; swaps < SWAPS; swaps += 1) {
      const theirs = shaOf(aside);
      if (!swap(exchange, aside, note)) break; // deleted in the meantime: a person's decision
      syncFolder(path.dirname(note));
      if (isStill(aside, inNote)) {
        if (inNote !== ours) break; // an older text of theirs, which they overwrote themselves
        this.#withdraw(edition, aside);
        return null;
      }
      inNote = theirs ?? '';
    }
    return this.#history.keep(aside, edition.keepAs);
  }

  #moveBack(edition: Edition, note: string, aside: string): string | null {
    const out = this.#partFiles(edition, note)[0];
    if (!move(note, out)) return this.#history.keep(aside, edition.keepAs);
    const ours = isStill(out, sha256(edition.bytes));
    const back = claimName(ours ? aside : out, note);
    syncFolder(path.dirname(note));
    if (ours) this.#withdraw(edition, out);
    else if (!back) this.#history.keep(out, edition.keepAs);
    return ours && back ? null : this.#history.keep(aside, edition.keepAs);
  }

  #withdraw(edition: Edition, file: string): void {
    const { withdrawn } = this.#parts;
    if (withdrawn === undefined) fs.rmSync(file, { force: true });
    else withdrawn(edition.path, this.#history.keep(file, edition.keepAs), sha256(edition.bytes));
  }

  #partFiles(edition: Edition, note: string): [inTmp: string, besideNote: string] {
    return partFiles(edition, this.#parts.tmp, path.dirname(note));
  }
}

function allows(mayPublish: () => void): true {
  mayPublish();
  return true;
}

function notDone(found: string | null): Published {
  return found === null ? NOT_DONE : { done: false, found: [found] };
}

/** Whether a note has frontmatter; null if it cannot be read. */
function hasFrontmatter(file: string, bytes: Buffer | null): boolean | null {
  const read = bytes === null ? null : readNote(file, bytes);
  return read?.ok ? read.note.block !== null : null;
}

function filesBeginning(folder: string, beginning: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(beginning)).map((name) => path.join(folder, name));
}
