import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { opaqueId } from '../ids.ts';
import { writeState } from '../steward.ts';

const standing = z.object({
  /** All changes before this moment (epoch ms) were looked at. */
  seen: z.number(),
  /** When the last visit ended (epoch ms). */
  at: z.number(),
  /** Until when nothing is to be done (epoch ms); null: until something changes. */
  until: z.number().nullable(),
  /** Why the last visit came to nothing; null where it did not. */
  code: z.string().nullable(),
  /** How many visits in a row came to nothing. */
  troubles: z.number().int(),
});
/** How a vault was left by its last visit. */
export type Standing = z.infer<typeof standing>;

const FLUSH_MS = 2_000;

/**
 * How each vault of this host was left, kept in the host's state folder: `status` reads it, and a host that starts again
 * knows by it what changed meanwhile. Where it is lost, each vault is visited once more.
 */
export class Standings {
  readonly #file: string;
  readonly #known: Map<string, Standing>;
  #flush: NodeJS.Timeout | null = null;

  /** `state`: the folder of this user's state. */
  constructor(state: string) {
    this.#file = path.join(state, 'fleet', 'visits.json');
    this.#known = read(this.#file);
  }

  get(id: string): Standing | null {
    return this.#known.get(id) ?? null;
  }

  set(id: string, left: Standing): void {
    this.#known.set(id, left);
    this.#soon();
  }

  forget(id: string): void {
    if (this.#known.delete(id)) this.#soon();
  }

  /** Writes what is not on disk yet. Never throws: it is known in memory all the same. */
  flush(): void {
    if (this.#flush === null) return;
    clearTimeout(this.#flush);
    this.#flush = null;
    try {
      writeState(this.#file, JSON.stringify(Object.fromEntries(this.#known)));
    } catch {
      this.#soon();
    }
  }

  #soon(): void {
    this.#flush ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }
}

function read(file: string): Map<string, Standing> {
  try {
    return new Map(Object.entries(z.record(opaqueId, standing).parse(JSON.parse(fs.readFileSync(file, 'utf8')))));
  } catch {
    return new Map();
  }
}
