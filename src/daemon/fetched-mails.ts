import path from 'node:path';
import { isInBatch } from '../stream/batch-state.ts';
import { MAX_MAIL_BYTES } from '../stream/mail/source-type.ts';
import { readFetched } from '../stream/mail-fetched.ts';
import type { GrowingFiles } from '../vault/disk/append.ts';
import { StewardError, systemCode } from '../vault/errors.ts';
import { sha256 } from '../vault/hash.ts';
import type { OwnPlaces } from '../vault/layout.ts';
import { readInside } from '../vault/slices.ts';
import { retire } from '../vault/transaction/retire.ts';
import type { Workspace } from './context.ts';
import { KnownEvents } from './item-file.ts';
import type { RetryQueue } from './queues.ts';
import type { Timers } from './timers.ts';

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

/** Mails that are read one after the other go together. */
const PAUSE_MS = 2_000;
/** A file that is expected and not there by then never came. */
const NEVER_CAME_MS = 60 * 60 * 1000;

type ClearingSpace = Pick<Workspace, 'context' | 'vault' | 'transactions' | 'ingest'>;

/** What is to become of a mail that is fetched only to be read: it stays for now, or for good, or it may go. */
type Fate = 'wait' | 'keep' | { readonly sha256: string };

interface ClearingParts {
  readonly space: ClearingSpace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** Deletes the mails of sources that keep nothing, soon after they were read. */
export class Clearing {
  readonly #parts: ClearingParts;
  #isDue = false;

  constructor(parts: ClearingParts) {
    this.#parts = parts;
  }

  /** Clears in a moment what has been read by then. Costs nothing where no such mail lies in the vault. */
  soon(): void {
    const { space, retries, timers } = this.#parts;
    if (this.#isDue || !hasAny(space.context.state.get('fleeting'))) return;
    this.#isDue = true;
    timers.at(space.context.now() + PAUSE_MS, () => {
      this.#isDue = false;
      retries.add('clearing', space.vault.layout.folders.stream, () => clearRead(space));
    });
  }
}

function hasAny(record: object): boolean {
  for (const _ in record) return true;
  return false;
}

/**
 * Deletes the mails that were fetched only to be read, where they were read and nothing of them waits for a model: those
 * bytes alone that the program wrote, and never through a link. Looks at no other file. Throws what the disk refuses.
 */
export async function clearRead(space: ClearingSpace): Promise<void> {
  const { state, now } = space.context;
  const [here, cleared] = [state.get('fleeting'), state.get('cleared')];
  const fates = Object.keys(here).map((file) => ({ file, fate: fateOf(space, file) }));
  const settled = fates.filter(({ fate }) => fate !== 'wait');
  if (settled.length === 0) return;
  // What was read must be known on disk before it is gone: nothing could be read again.
  space.ingest.known.flush();
  state.flush();
  space.ingest.trail.flush();
  for (const { file, fate } of settled) {
    const isGone =
      typeof fate === 'object' && (await space.transactions.inTurn(file, async () => leave(space, file, fate)));
    delete here[file];
    state.touch('fleeting', file);
    if (!isGone || (state.get('streams')[file]?.signals ?? 0) === 0) continue;
    cleared[file] = now();
    state.touch('cleared', file);
  }
  state.save('cleared');
  state.save('fleeting');
}

function leave({ vault, transactions }: ClearingSpace, file: string, { sha256: bytes }: { sha256: string }): boolean {
  transactions.demand();
  const fits = (found: string) => found === bytes;
  const isGone = retire(vault.root, vault.places, { file, fits, maxBytes: MAX_MAIL_BYTES, isForGood: true });
  if (isGone) vault.lose([file]);
  return isGone;
}

function fateOf({ context, vault, ingest }: ClearingSpace, file: string): Fate {
  const { state, seal } = context;
  const read = state.get('streams')[file];
  const bytes = bytesOf(vault.root, file);
  if (bytes === null) return isLate(context, file) ? 'keep' : 'wait';
  if (bytes === 'not ours' || readFetched(bytes, file, seal)?.keep !== 'quote') return 'keep';
  if (read === undefined || ingest.waiting.has(file) || read.sha256 !== sha256(bytes)) return 'wait';
  // What could not be read is for a person, as it is of any other source.
  if (read.refused !== null || read.tried !== null) return 'keep';
  return isInBatch(state.get('batch'), file, read.sha256) ? 'wait' : { sha256: read.sha256 };
}

function isLate({ state, now }: ClearingSpace['context'], file: string): boolean {
  return Math.abs(now() - (state.get('fleeting')[file] ?? 0)) > NEVER_CAME_MS;
}

/** Null where nothing is there. */
function bytesOf(root: string, file: string): Buffer | 'not ours' | null {
  try {
    return readInside(root, file, MAX_MAIL_BYTES).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (error instanceof StewardError || ['ELOOP', 'ENOTDIR'].includes(systemCode(error) ?? '')) return 'not ours';
    throw error;
  }
}
