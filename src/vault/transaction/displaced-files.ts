import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../errors.ts';
import { isFileName, readBytes, staysInside, writeState } from '../files.ts';
import { sha256 } from '../hash.ts';
import { ownPlaces } from '../layout.ts';
import { APART } from './history.ts';
import { MAX_DISPLACED } from './rename-ops.ts';

/** When a displaced file is checked again, in ms after it was displaced (contract, section 16). */
const LOOKS = [100, 1_000, 5_000, 30_000];
/** The undo window (ms), after which the former bytes of a note are deleted. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;

/** The list of watched files is rewritten once it has grown well beyond the files still watched: by this many lines. */
const MAX_LINES = 500;

const line = z.object({
  note: z.string(),
  file: z.string().refine(isFileName),
  sha: z.string(),
  at: z.number(),
  /** The displaced file itself, where `file` is a copy of it on another disk. Vault-relative. */
  apart: z
    .string()
    .refine((file) => staysInside(file) && /(^|\/)\.[^/]+$/.test(file) && file.endsWith(APART))
    .optional(),
});
type Line = z.infer<typeof line>;

interface Watched extends Line {
  timers: NodeJS.Timeout[];
}

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

/**
 * Watches the files that an edit displaced: a program that still has one open may write into it late, and those bytes
 * must be found. They stay in the history, with a line in `status`. The list of watched files is also kept on disk, one
 * line each, since the writer may outlive this process: the next start checks again.
 */
export class DisplacedFiles {
  readonly #root: string;
  readonly #history: string;
  readonly #kept: KeptList;
  readonly #watched = new Set<Watched>();
  readonly #now: () => number;
  readonly #list: string;
  #lines = 0;

  constructor(parts: { root: string; history: string; kept: KeptList; now: () => number }) {
    this.#root = parts.root;
    this.#history = parts.history;
    this.#kept = parts.kept;
    this.#now = parts.now;
    this.#list = path.join(ownPlaces(parts.root).state, 'displaced.jsonl');
  }

  /**
   * Checks a displaced file until it is quiet. `sha`: the hash of its bytes when it was displaced. `apart`: the file
   * itself, where `file` is a copy on another disk; it is removed in the end.
   */
  keepWatch(note: string, file: string, sha: string, apart?: string): void {
    const elsewhere = apart === undefined ? {} : { apart: path.relative(this.#root, apart) };
    const one: Line = { note, file: path.basename(file), sha, at: this.#now(), ...elsewhere };
    this.#writeDown(one);
    this.#watch(one);
  }

  /** Checks the files that earlier processes displaced and may not have watched for long enough. */
  resume(): void {
    const known = new Set([...this.#watched].map((one) => one.file));
    for (const one of this.#readList()) {
      if (known.has(one.file)) continue;
      const isOver = this.#look(one) && one.apart === undefined;
      if (!isOver && this.#now() - one.at < (LOOKS.at(-1) ?? 0)) this.#watch(one);
      else this.#letGo(one);
    }
    this.#writeList();
  }

  #watch(one: Line): void {
    const watched: Watched = { ...one, timers: [] };
    watched.timers = LOOKS.map((delay, index) => {
      const timer = setTimeout(() => {
        const isOver = this.#look(watched) && one.apart === undefined;
        if (isOver || index === LOOKS.length - 1) this.#drop(watched);
      }, delay);
      timer.unref();
      return timer;
    });
    this.#watched.add(watched);
  }

  /** Lists a history file in `status`, since it holds a person's bytes. */
  report(note: string, file: string): void {
    const relative = path.relative(this.#root, file).split(path.sep).join('/');
    const kept = this.#kept.get();
    if (kept.some((line) => line.file === relative)) return;
    this.#kept.set([...kept, { note, file: relative, at: new Date(this.#now()).toISOString() }]);
    this.#saveKept();
  }

  /** Checks everything still watched one last time and clears all timers. The list stays for the next start. */
  close(): void {
    for (const watched of this.#watched) {
      this.#look(watched);
      for (const timer of watched.timers) clearTimeout(timer);
    }
    this.#watched.clear();
  }

  /** Deletes former bytes older than the undo window, except those that `status` lists. */
  prune(): void {
    this.#forgetTaken();
    const named = new Set(this.#kept.get().map((line) => path.basename(line.file)));
    for (const name of fs.readdirSync(this.#history)) {
      const file = path.join(this.#history, name);
      // A displaced file keeps its mtime, which may be years old; its ctime is when it came here.
      if (!named.has(name) && this.#now() - fs.statSync(file).ctimeMs > KEEP_MS) fs.rmSync(file, { force: true });
    }
  }

  // A line is done once a person has moved or deleted its file.
  #forgetTaken(): void {
    const kept = this.#kept.get();
    const there = kept.filter((line) => fs.existsSync(path.join(this.#root, line.file)));
    if (there.length < kept.length) this.#kept.set(there);
  }

  #look(one: Line): boolean {
    const file = path.join(this.#history, one.file);
    const original = one.apart === undefined ? file : path.join(this.#root, one.apart);
    try {
      if (sha256(readBytes(original, MAX_DISPLACED).bytes) === one.sha) return false;
    } catch (error) {
      if (systemCode(error) !== null) return true; // gone, or the vault is away: there is nothing left to check
    }
    if (original !== file && !isCopied(original, file)) return false;
    this.report(one.note, file); // other bytes, or grown beyond reading
    return true;
  }

  #drop(watched: Watched): void {
    for (const timer of watched.timers) clearTimeout(timer);
    this.#watched.delete(watched);
    this.#letGo(watched);
    if (this.#watched.size === 0) this.#writeList();
  }

  #letGo({ apart }: Line): void {
    try {
      if (apart !== undefined) fs.rmSync(path.join(this.#root, apart), { force: true });
    } catch {
      // It remains as a dot-file next to the note, which no listing mistakes for one.
    }
  }

  // Durable at once: this is recorded nowhere else.
  #saveKept(): void {
    try {
      this.#kept.save();
    } catch {
      // The next flush of the state tries again, and reports the failure.
    }
  }

  // One appended line without fsync: it only has to outlive this process, since no writer outlives the machine.
  #writeDown(one: Line): void {
    try {
      fs.appendFileSync(this.#list, `${JSON.stringify(one)}\n`);
      this.#lines += 1;
      if (this.#lines > MAX_LINES + 2 * this.#watched.size) this.#writeList();
    } catch {
      // The disk refuses: the checks of this process must be enough.
    }
  }

  #writeList(): void {
    try {
      const lines = [...this.#watched].map(({ timers: _, ...one }) => `${JSON.stringify(one)}\n`);
      if (lines.length === 0) fs.rmSync(this.#list, { force: true });
      else writeState(this.#list, lines.join(''));
      this.#lines = lines.length;
    } catch {
      // The old list stays: the next start checks some files once too often.
    }
  }

  #readList(): Line[] {
    try {
      return fs.readFileSync(this.#list, 'utf8').split('\n').flatMap(parsed);
    } catch {
      return []; // there is none
    }
  }
}

function isCopied(from: string, to: string): boolean {
  try {
    fs.copyFileSync(from, to);
    return true;
  } catch {
    return false; // the disk refuses: there will be another check
  }
}

// A line that was cut off in the middle is skipped.
function parsed(text: string): Line | [] {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
