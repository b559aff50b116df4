import path from 'node:path';
import type { GrowingFiles } from '../../vault/disk/append.ts';
import type { OwnPlaces } from '../../vault/layout.ts';
import { KnownEvents } from '../ingest/items/known-events.ts';

type Parts = Pick<GrowingFiles, 'now' | 'demand'> & { readonly places: OwnPlaces };

/** What sources brought, by the keys that they give it: known for 400 days, in files that are only added to. */
export class Brought {
  readonly #known: KnownEvents;

  constructor({ places, now, demand }: Parts) {
    this.#known = new KnownEvents({ folder: path.join(places.state, 'brought'), now, demand });
  }

  /** Whether a source brought something before. Throws what the disk refuses. */
  has(source: string, key: string): boolean {
    return this.#known.of(identity(source, key)).length > 0;
  }

  /** Remembers what a source brought, on disk. Throws what the disk refuses. */
  add(source: string, keys: readonly string[]): void {
    for (const key of keys) this.#known.add(identity(source, key), { version: '', path: '', gave: false });
    this.#known.flush();
  }

  /** Forgets what is too old to come again. Throws what the disk refuses. */
  prune(): void {
    this.#known.prune();
  }
}

function identity(source: string, key: string) {
  return { key: `${source} ${key}`, version: '', otherwise: 'other' as const };
}
