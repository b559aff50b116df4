import fs from 'node:fs';
import path from 'node:path';
import { readBytes } from '../vault/files.ts';
import { MAX_NOTE_BYTES } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/hash.ts';
import type { State } from './state.ts';

/** When a displaced file is looked at again, in ms after it was displaced (contract, section 16). */
const LOOKS = [100, 1_000, 5_000, 30_000];
/** The undo window, after which the former bytes of a note are let go. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;

interface Watched {
  readonly note: string;
  readonly file: string;
  readonly sha: string;
  timers: NodeJS.Timeout[];
}

/**
 * Looks after the files that an edit displaced: a program that still holds one open may write into it late, and what
 * it wrote must be found. Such bytes stay in the history, with a line in `status`.
 */
export class Displaced {
  readonly #root: string;
  readonly #history: string;
  readonly #state: State;
  readonly #watched = new Set<Watched>();
  readonly #now: () => number;

  constructor(parts: { root: string; history: string; state: State; now: () => number }) {
    this.#root = parts.root;
    this.#history = parts.history;
    this.#state = parts.state;
    this.#now = parts.now;
  }

  /** Looks at a displaced file again until it is quiet. `sha`: what it held when it was displaced. */
  keepWatch(note: string, file: string, sha: string): void {
    const watched: Watched = { note, file, sha, timers: [] };
    watched.timers = LOOKS.map((delay, index) => {
      const timer = setTimeout(() => {
        const changed = this.#look(watched);
        if (changed || index === LOOKS.length - 1) this.#drop(watched);
      }, delay);
      timer.unref();
      return timer;
    });
    this.#watched.add(watched);
  }

  /** Says in `status` that bytes of a person lie in the history. */
  report(note: string, file: string): void {
    const relative = path.relative(this.#root, file).split(path.sep).join('/');
    const kept = this.#state.get('kept');
    if (kept.some((line) => line.file === relative)) return;
    this.#state.set('kept', [...kept, { note, file: relative, at: new Date(this.#now()).toISOString() }]);
  }

  /** One last look at everything still watched; then no timer is left. */
  close(): void {
    for (const watched of [...this.#watched]) {
      this.#look(watched);
      this.#drop(watched);
    }
  }

  /** Deletes former bytes older than the undo window, except those that `status` names. */
  prune(): void {
    const named = new Set(this.#state.get('kept').map((line) => path.basename(line.file)));
    for (const name of fs.readdirSync(this.#history)) {
      const file = path.join(this.#history, name);
      // The displaced file keeps its own mtime, which may be years old; ctime is when it came here.
      if (!named.has(name) && this.#now() - fs.statSync(file).ctimeMs > KEEP_MS) fs.rmSync(file, { force: true });
    }
  }

  #look(watched: Watched): boolean {
    try {
      if (sha256(readBytes(watched.file, 8 * MAX_NOTE_BYTES).bytes) === watched.sha) return false;
      this.report(watched.note, watched.file);
      return true;
    } catch {
      return true; // gone, or the vault is away: there is nothing more to look at
    }
  }

  #drop(watched: Watched): void {
    for (const timer of watched.timers) clearTimeout(timer);
    this.#watched.delete(watched);
  }
}
