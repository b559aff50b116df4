import path from 'node:path';
import type { Arrival, Inlet, Json, MailHead, Sifted } from '../../source/connector.ts';
import { usualGap } from '../../source/silence.ts';
import type { SourceState } from '../../source/source-state.ts';
import { together } from '../../source/together.ts';
import { openAsFolderAndSources } from '../../vault/disk/readers.ts';
import { loadSystemCalls } from '../../vault/disk/system-calls.ts';
import { awayRefusal, StewardError } from '../../vault/errors.ts';
import { createWhole, readBytes } from '../../vault/files.ts';
import type { Workspace } from '../context/ports.ts';
import type { Brought } from './brought.ts';
import type { SourceNote } from './source-notes.ts';
import type { StreamFile } from './stream-files.ts';

/** How many files a source may have put in before it waits until they have been read. */
const MOST_UNREAD = 200;

/** How many other files may have the name of what is brought: whoever can write into the vault could put them there. */
const MOST_NAMESAKES = 9;

interface InletParts {
  readonly space: Workspace;
  readonly note: SourceNote;
  readonly brought: Brought;
  /** What is remembered of the source, to be changed in place. */
  readonly known: SourceState;
  /** Has files read. */
  readonly streams: { add(file: string): void; drained(): Promise<void> };
}

/** The vault as one source sees it. It alone knows where what is brought comes to lie. */
export class VaultInlet implements Inlet {
  readonly now: () => number;
  readonly #parts: InletParts;
  #unread = 0;

  constructor(parts: InletParts) {
    this.#parts = parts;
    this.now = parts.space.context.now;
  }

  async sift(head: MailHead): Promise<Sifted> {
    const { sift } = await import('./sift.ts');
    return sift(this.#parts.space, head);
  }

  knows(key: string): boolean {
    return this.#parts.brought.has(this.#parts.note.name, key);
  }

  cursor(): Json {
    return structuredClone(this.#parts.known.cursor);
  }

  /**
   * The one way in, and its law: first the files are on disk, then what was brought is known by its key, and only then the
   * cursor moves. Whoever is killed in between is brought the same things again, which have the same names and keys.
   */
  async put(arrivals: readonly Arrival[], cursor: Json): Promise<void> {
    const { space, note, brought, known } = this.#parts;
    const { context, vault } = space;
    if (vault.away !== null) throw awayRefusal(vault.away);
    const fresh = arrivals.filter(({ key }) => !this.knows(key));
    const files: string[] = [];
    for (const arrival of together(fresh)) {
      space.transactions.demand(); // nothing more is written where another program has the vault by now
      files.push(...(await this.#write(arrival)));
    }
    brought.add(note.name, [...new Set(fresh.map(({ key }) => key))]);
    this.#count(fresh);
    known.cursor = cursor;
    context.state.touch('sources', note.name);
    context.state.save('sources');
    if (fresh.length > 0)
      context.emit({
        what: 'fetched',
        source: note.name,
        seen: fresh.length,
        taken: files.length === 0 ? 0 : takenOf(fresh),
      });
    await this.#handOn(files);
  }

  async #write(arrival: Arrival): Promise<readonly string[]> {
    const { space, note } = this.#parts;
    const { fileOf } = await import('./stream-files.ts');
    for (let nth = 1; nth <= MOST_NAMESAKES; nth += 1) {
      const made = await fileOf(space, note, arrival, nth);
      if (made === null) return [];
      space.transactions.demand(); // again: others had their turn meanwhile
      if (this.#create(made)) return [made.file];
      if (isThere(path.join(space.vault.root, made.file), made.bytes)) return []; // the program was ended before the cursor moved
    }
    throw new StewardError({
      code: 'names-taken',
      message: `the names for it in ${space.vault.layout.folders.stream}/${note.name} are taken`,
      hint: 'Move the files with that name out of this folder.',
    });
  }

  #create({ file, bytes }: StreamFile): boolean {
    const { vault } = this.#parts.space;
    const readable = path.join(vault.root, this.#parts.note.path); // read by nobody who may not read the note of its source
    const dress = (part: string, folder: string) => openAsFolderAndSources(part, folder, [readable], loadSystemCalls());
    return createWhole(vault.root, vault.places.tmp, file, bytes, dress);
  }

  #count(fresh: readonly Arrival[]): void {
    const { known } = this.#parts;
    if (fresh.length === 0) return;
    const now = this.now();
    const times = fresh.flatMap(({ at }) => (at === null ? [] : [Math.min(at, now)]));
    known.gapMs = usualGap(known, times);
    known.event = now;
    known.seen += fresh.length;
    known.taken += takenOf(fresh);
    known.lagMs = times.length === 0 ? null : now - (times.at(-1) ?? now);
  }

  // What was written whole need not keep still first, as what somebody copies must.
  async #handOn(files: readonly string[]): Promise<void> {
    const { space, streams } = this.#parts;
    space.vault.look(files);
    for (const file of files) streams.add(file);
    this.#unread += files.length;
    if (this.#unread < MOST_UNREAD) return;
    await streams.drained();
    this.#unread = 0;
  }
}

function takenOf(arrivals: readonly Arrival[]): number {
  return arrivals.filter(({ content }) => content !== null).length;
}

// Also where a file stands in the place of a folder: then the name is taken, and nothing is there.
function isThere(file: string, bytes: Uint8Array | string): boolean {
  const wanted = Buffer.from(bytes);
  try {
    return readBytes(file, wanted.length).bytes.equals(wanted);
  } catch {
    return false;
  }
}
