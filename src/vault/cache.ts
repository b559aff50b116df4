import fs from 'node:fs';
import { z } from 'zod';
import { type FileStat, sameStat, writeState } from './files.ts';
import { sha256 } from './hash.ts';
import type { Entry } from './record.ts';

/**
 * The records as last read, so that a start needs to read only what changed since.
 *
 * The first line carries a digest of the rest: a file that is not exactly what this program wrote, under the same
 * format and the same settings, is not believed at all.
 */
export class RecordCache {
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();

  /** Reads the cache of `file`, if it is ours and made under the same `key` (format and field mapping). */
  constructor(file: string, key: string) {
    this.#file = file;
    for (const entry of readEntries(file, key)) this.#entries.set(entry.path, entry);
  }

  /** The record of a file that has not changed since it was cached, or null. */
  get(file: string, stat: FileStat): Entry | null {
    const entry = this.#entries.get(file);
    return entry !== undefined && sameStat(entry.stat, stat) ? entry : null;
  }

  /** Everything that was there when it was saved. */
  entries(): IterableIterator<Entry> {
    return this.#entries.values();
  }

  /** Lets go of what was read: after a start it is the catalogue that knows. */
  forget(): void {
    this.#entries.clear();
  }

  /** Writes the records of the catalogue for the next start. */
  save(key: string, entries: Iterable<Entry>): void {
    const body = JSON.stringify([...entries]);
    writeState(this.#file, `${JSON.stringify({ key, sha256: sha256(body) })}\n${body}`);
  }
}

const header = z.object({ key: z.string(), sha256: z.string() });

function readEntries(file: string, key: string): readonly Entry[] {
  try {
    const text = fs.readFileSync(file, 'utf8');
    const cut = text.indexOf('\n');
    const head = header.parse(JSON.parse(text.slice(0, cut)));
    const body = text.slice(cut + 1);
    if (head.key !== key || head.sha256 !== sha256(body)) return [];
    // The digest and the key make this the very text that `save` wrote from `Entry` values.
    return JSON.parse(body) as Entry[];
  } catch {
    return []; // absent, torn or foreign: everything is simply read again
  }
}
