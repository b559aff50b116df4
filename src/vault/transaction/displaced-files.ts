import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Displaced, DisplacedList } from '../disk/displaced-list.ts';
import { demandNoLink } from '../disk/own-places.ts';
import type { SystemCalls } from '../disk/system-calls.ts';
import { isBeingWritten } from '../disk.ts';
import { isOurs, systemCode } from '../errors.ts';
import { readBytes } from '../files.ts';
import { sha256 } from '../hash.ts';
import { isEntryAside, MAX_DISPLACED } from '../journal.ts';
import { ownPlaces } from '../layout.ts';

/** When a displaced file is checked again, in ms after it was displaced (contract, section 16). */
const LOOKS = [100, 1_000, 5_000, 30_000];
const LAST_LOOK = LOOKS.at(-1) ?? 0;
/** How often (ms) a file is checked that somebody still has open for writing after that. */
const OPEN_MS = 30_000;
/** The undo window (ms), after which the former bytes of a note are deleted. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;

/** A person's bytes in the history: the note they were written into, the file that holds them, when they were found. */
export const keptBytes = z.object({ note: z.string(), file: z.string(), at: z.string() });
export type KeptBytes = z.infer<typeof keptBytes>;

/** The list of history files that hold a person's bytes. */
export interface KeptList {
  get(): readonly KeptBytes[];
  set(kept: KeptBytes[]): void;
  /** Writes the list durably. */
  save(): void;
}

/** What a look found: the bytes as they were, nothing left to look for, or a disk that does not tell. */
type Look = 'quiet' | 'over' | 'unknown';

interface DisplacedFilesParts {
  readonly root: string;
  readonly history: string;
  readonly kept: KeptList;
  /** Whether a file of the history is needed to answer an unfinished action; nothing is where it is absent. */
  readonly isNeeded?: (name: string) => boolean;
  /** Throws where the vault is no longer this process's to write to. */
  readonly demand: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Loaded where it is first asked. */
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
   * itself, where `file` is a copy on another disk; it is removed in the end.
   */
  keepWatch(note: string, file: string, sha: string, apart?: string): void {
    const elsewhere = apart === undefined ? {} : { apart: path.relative(this.#parts.root, apart) };
    const at = this.#parts.now();
    const one: Displaced = { note, file: path.basename(file), sha, at, ...elsewhere };
    this.#known.set(one.file, one);
    if (!this.#list.add(one)) this.#list.write(this.#known.values());
    this.#watch(one);
  }

  /** Checks the files that earlier processes displaced: closely where they may not have been watched for long enough. */
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

  /** Lists a history file in `status`, since it holds a person's bytes. */
  report(note: string, file: string): void {
    const { root, kept: list, now } = this.#parts;
    const relative = path.relative(root, file).split(path.sep).join('/');
    const kept = list.get();
    if (kept.some((line) => line.file === relative)) return;
    list.set([...kept, { note, file: relative, at: new Date(now()).toISOString() }]);
    this.#saveKept();
  }

  /**
   * Checks everything still watched one last time, where the vault is still ours, and clears all timers. The list stays for
   * the next start.
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
   * Looks at all displaced files again, and deletes former bytes older than the undo window: never those that `status`
   * lists, that somebody may still write into, or that hold what is nowhere else. Throws where the history is a link, and
   * where the vault is no longer ours.
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
    // Again after the question: whoever closed it just now may have written before.
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

  // What was displaced long ago: nobody has written into it while its ctime stands.
  #lookAgain(one: Displaced): void {
    if (this.#ctime(one) !== one.ctime && this.#isOver(one)) this.#open.delete(one);
    else this.#follow(one);
  }

  // Whether there is nothing left to look for: the file is gone, or reported. One next to its note is copied each time.
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
      if (isGone(error)) return 'over'; // or the vault is away: there is nothing left to check
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
    // Nobody knows what it held. A write sets both times to the same instant, and a rename only one.
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

  // Asked by timers, whose errors nobody hears: what the disk does not tell now is asked at the next look.
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
