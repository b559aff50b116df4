import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { systemCode } from '../errors.ts';
import { isFileName, readBytes, staysInside, writeState } from '../files.ts';
import { MAX_NOTE_BYTES } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import { ownPlaces } from '../layout.ts';
import { APART } from './history.ts';

/** When a displaced file is looked at again, in ms after it was displaced (contract, section 16). */
const LOOKS = [100, 1_000, 5_000, 30_000];
/** The undo window, after which the former bytes of a note are let go. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;

/** The list of what is watched is written anew when it has grown to this many lines. */
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

/** Bytes of a person that lie in the history: the note they were written into, the file that holds them, when it was found. */
export const keptBytes = z.object({ note: z.string(), file: z.string(), at: z.string() });
export type KeptBytes = z.infer<typeof keptBytes>;

/** Where it is remembered which files of the history hold bytes of a person. */
export interface KeptList {
  get(): readonly KeptBytes[];
  set(kept: KeptBytes[]): void;
  /** Writes the list down, lasting. */
  save(): void;
}

/**
 * Looks after the files that an edit displaced: a program that still holds one open may write into it late, and what
 * it wrote must be found. Such bytes stay in the history, with a line in `status`. What is watched is also written
 * down, a line each, since the writer may outlive this process: the next start looks again.
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
   * Looks at a displaced file again until it is quiet. `sha`: what it held when it was displaced. `apart`: the file
   * itself, where `file` is a copy on another disk; it is removed in the end.
   */
  keepWatch(note: string, file: string, sha: string, apart?: string): void {
    const elsewhere = apart === undefined ? {} : { apart: path.relative(this.#root, apart) };
    const one: Line = { note, file: path.basename(file), sha, at: this.#now(), ...elsewhere };
    this.#writeDown(one);
    this.#watch(one);
  }

  /** Looks again at what former processes displaced and may not have looked at for long enough. */
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

  /** Says in `status` that bytes of a person lie in the history. */
  report(note: string, file: string): void {
    const relative = path.relative(this.#root, file).split(path.sep).join('/');
    const kept = this.#kept.get();
    if (kept.some((line) => line.file === relative)) return;
    this.#kept.set([...kept, { note, file: relative, at: new Date(this.#now()).toISOString() }]);
    this.#saveKept();
  }

  /** One last look at everything still watched; then no timer is left. The list stays, for the next start. */
  close(): void {
    for (const watched of this.#watched) {
      this.#look(watched);
      for (const timer of watched.timers) clearTimeout(timer);
    }
    this.#watched.clear();
  }

  /** Deletes former bytes older than the undo window, except those that `status` names. */
  prune(): void {
    this.#forgetTaken();
    const named = new Set(this.#kept.get().map((line) => path.basename(line.file)));
    for (const name of fs.readdirSync(this.#history)) {
      const file = path.join(this.#history, name);
      // The displaced file keeps its own mtime, which may be years old; ctime is when it came here.
      if (!named.has(name) && this.#now() - fs.statSync(file).ctimeMs > KEEP_MS) fs.rmSync(file, { force: true });
    }
  }

  // A line whose file a person has moved away or deleted has done its duty.
  #forgetTaken(): void {
    const kept = this.#kept.get();
    const there = kept.filter((line) => fs.existsSync(path.join(this.#root, line.file)));
    if (there.length < kept.length) this.#kept.set(there);
  }

  #look(one: Line): boolean {
    const file = path.join(this.#history, one.file);
    const place = one.apart === undefined ? file : path.join(this.#root, one.apart);
    try {
      if (sha256(readBytes(place, 8 * MAX_NOTE_BYTES).bytes) === one.sha) return false;
    } catch (error) {
      if (systemCode(error) !== null) return true; // gone, or the vault is away: there is nothing more to look at
    }
    if (place !== file && !isCopied(place, file)) return false;
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
      // A dot-file beside the note, which no listing takes for one.
    }
  }

  // Lasting at once: what it says is found nowhere else.
  #saveKept(): void {
    try {
      this.#kept.save();
    } catch {
      // The next flush of the state tries again, and says why it cannot.
    }
  }

  // One appended line, not fsynced: it outlives this process, and a writer does not outlive the machine.
  #writeDown(one: Line): void {
    try {
      fs.appendFileSync(this.#list, `${JSON.stringify(one)}\n`);
      this.#lines += 1;
      if (this.#lines > MAX_LINES + 2 * this.#watched.size) this.#writeList();
    } catch {
      // A disk that refuses this: the looks of this process must do.
    }
  }

  #writeList(): void {
    try {
      const lines = [...this.#watched].map(({ timers: _, ...one }) => `${JSON.stringify(one)}\n`);
      if (lines.length === 0) fs.rmSync(this.#list, { force: true });
      else writeState(this.#list, lines.join(''));
      this.#lines = lines.length;
    } catch {
      // What stands there is looked at once too often.
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
    return false; // a disk that refuses: there will be another look
  }
}

// A line that was cut off in the middle says nothing.
function parsed(text: string): Line | [] {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
