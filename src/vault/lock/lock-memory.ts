import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeState } from '../files.ts';
import { sha256 } from '../hash.ts';
import { place } from './holder.ts';
import { sinceBoot } from './steady.ts';

const memory = z.object({
  /** The lock that this machine took last. */
  own: z.string().nullable(),
  /** A lock that could not be judged: what it held, and since when (ms of the boot's own clock) it has held just that. */
  seen: z.object({ sha256: z.string(), clock: z.string(), at: z.number() }).nullable(),
});
type Memory = z.infer<typeof memory>;

const NOTHING: Memory = { own: null, seen: null };

/**
 * What this machine remembers of a vault's lock, outside the vault: which one it took itself, and how long another has
 * not changed. The time is that of the boot's own clock, which nobody sets; it runs on from one process to the next, so
 * that a daemon that is started again and again need not begin to watch anew.
 */
export class LockMemory {
  readonly #file: string | null;
  #known: Memory;

  /** `file`: where it is kept; null for this process alone. */
  constructor(file: string | null) {
    this.#file = file;
    this.#known = read(file);
  }

  /** Whether this machine took a lock itself. */
  isOwn(token: string): boolean {
    return this.#known.own === token;
  }

  /** Remembers that this machine has taken a lock. */
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
    return file === null ? NOTHING : memory.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return NOTHING;
  }
}
