import path from 'node:path';
import type { StreamIntake } from '../daemon/capability.ts';
import type { Workspace } from '../daemon/context.ts';
import type { StreamFile } from '../streams/fetched-mail.ts';
import { KnownEvents } from '../streams/state.ts';
import type { GrowingFiles } from '../vault/entry-log.ts';
import { awayRefusal, StewardError } from '../vault/errors.ts';
import { createWhole, loadSystemCalls, openAsFolderAndSources, readBytes } from '../vault/files.ts';
import type { OwnPlaces } from '../vault/layout.ts';
import { sha256 } from '../vault/note-text.ts';
import {
  type Arrival,
  type Inlet,
  type Json,
  type MailHead,
  ownAddresses,
  type Relevance,
  SOURCES,
  type SourceState,
} from './source.ts';
import type { SourceNote } from './source-note.ts';

/** How many files a source may have put in before it waits until they have been read. */
const MOST_UNREAD = 200;

/** How many other files may have the name of an arrival: another program could have put them there. */
const MOST_NAMESAKES = 9;

interface InletParts {
  readonly space: Workspace;
  readonly note: SourceNote;
  readonly knownKeys: KnownKeys;
  /** The stored facts about the source, to be changed in place. */
  readonly known: SourceState;
  readonly streams: StreamIntake;
}

/** The vault as one source sees it. It alone decides where arrivals are stored. */
export class VaultInlet implements Inlet {
  readonly now: () => number;
  readonly #parts: InletParts;
  #unread = 0;

  constructor(parts: InletParts) {
    this.#parts = parts;
    this.now = parts.space.context.now;
  }

  async checkRelevance(head: MailHead): Promise<Relevance> {
    const { checkRelevance } = await import('./relevance.ts');
    const { space, note } = this.#parts;
    const own = note.settings.kind === 'imap' ? ownAddresses(note.settings) : [];
    return checkRelevance(space, head, own);
  }

  knows(key: string): boolean {
    return this.#parts.knownKeys.has(this.#parts.note.name, key);
  }

  cursor(): Json {
    return structuredClone(this.#parts.known.cursor);
  }

  /**
   * Writes the files first, then the keys, and moves the cursor last. After a crash in between the same things come again,
   * with the same names and keys.
   */
  async put(arrivals: readonly Arrival[], cursor: Json): Promise<void> {
    const { space, note, knownKeys, known } = this.#parts;
    const { context, vault } = space;
    if (vault.away !== null) throw awayRefusal(vault.away);
    const fresh = arrivals.filter(({ key }) => !this.knows(key));
    const files: string[] = [];
    for (const arrival of joinCalendars(fresh)) {
      space.transactions.demand(); // nothing more is written where another program has the vault by now
      files.push(...(await this.#write(arrival)));
    }
    knownKeys.add(note.name, [...new Set(fresh.map(({ key }) => key))]);
    this.#count(fresh);
    known.cursor = cursor;
    context.state.touch(SOURCES, note.name);
    context.state.save(SOURCES);
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
    const { placeFetchedMail } = await import('../streams/fetched-mail.ts');
    for (let nth = 1; nth <= MOST_NAMESAKES; nth += 1) {
      const made = await placeFetchedMail(space, note, arrival, nth);
      if (made === null) return [];
      space.transactions.demand(); // again: others had their turn in the meantime
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
    const readable = path.join(vault.root, this.#parts.note.path); // only for readers of the source's note
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

  // A file that was written whole need not settle first, unlike one that somebody copies.
  async #handOn(files: readonly string[]): Promise<void> {
    const { space, streams } = this.#parts;
    space.vault.look(files);
    for (const file of files) streams.add(file);
    this.#unread += files.length;
    if (this.#unread < MOST_UNREAD) return;
    await streams.idle();
    this.#unread = 0;
  }
}

function takenOf(arrivals: readonly Arrival[]): number {
  return arrivals.filter(({ content }) => content !== null).length;
}

// False also if a file is in the place of a folder: then the name is taken, but by something else.
function isThere(file: string, bytes: Uint8Array | string): boolean {
  const wanted = Buffer.from(bytes);
  try {
    return readBytes(file, wanted.length).bytes.equals(wanted);
  } catch {
    return false;
  }
}

/** The keys of what came from sources, for 400 days, in files that are only appended to. */
export class KnownKeys {
  readonly #known: KnownEvents;

  constructor({ places, now, demand }: Pick<GrowingFiles, 'now' | 'demand'> & { readonly places: OwnPlaces }) {
    this.#known = new KnownEvents({ folder: path.join(places.state, 'brought'), now, demand });
  }

  /** Throws what the disk refuses. */
  has(source: string, key: string): boolean {
    return this.#known.of(identity(source, key)).length > 0;
  }

  /** Stores keys on disk. Throws what the disk refuses. */
  add(source: string, keys: readonly string[]): void {
    for (const key of keys) this.#known.add(identity(source, key), { version: '', path: '', gave: false });
    this.#known.flush();
  }

  /** Forgets keys that are too old to come again. Throws what the disk refuses. */
  prune(): void {
    this.#known.prune();
  }
}

function identity(source: string, key: string) {
  return { key: `${source} ${key}`, version: '', otherwise: 'other' as const };
}

/** The most in one file, so that a file that can't be read costs few entries. */
const MOST_ENTRIES = 200;
const MOST_BYTES = 1024 * 1024;

type Entry = Arrival & { readonly content: Extract<Arrival['content'], { kind: 'calendar' }> };

/**
 * Returns the same arrivals, with consecutive calendars joined: each file of calendars is read in a process of its own, which
 * takes longer than all the rest. The same arrivals make the same files.
 */
export function joinCalendars(arrivals: readonly Arrival[]): readonly Arrival[] {
  const made: Arrival[] = [];
  let row: Entry[] = [];
  const close = () => {
    const [first, ...others] = row;
    if (first !== undefined) made.push(others.length === 0 ? first : joined(first, others));
    row = [];
  };
  for (const arrival of arrivals) {
    if (!isEntry(arrival)) {
      made.push(arrival);
      continue;
    }
    if (row.length >= MOST_ENTRIES || bytesIn(row) + arrival.content.bytes.length > MOST_BYTES) close();
    row.push(arrival);
  }
  close();
  return made;
}

function isEntry(arrival: Arrival): arrival is Entry {
  return arrival.content?.kind === 'calendar';
}

function bytesIn(row: readonly Entry[]): number {
  return row.reduce((sum, { content }) => sum + content.bytes.length, 0);
}

function joined(first: Entry, others: readonly Entry[]): Arrival {
  const row = [first, ...others];
  const bytes = Buffer.from(row.map(({ content }) => standingAlone(content.bytes)).join(''));
  return { key: sha256(row.map(({ key }) => key).join(' ')), at: first.at, content: { kind: 'calendar', bytes } };
}

// No line of one goes on in the next, and none ends its lines in another way than the others.
function standingAlone(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^[\uFEFF\s]+/, '')
    .trimEnd();
  return `${text.replace(/\r\n?|\n/g, '\r\n')}\r\n`;
}

/** A gap of the usual length counts as one in this many; a longer one counts for more. */
const MEMORY = 10;

/**
 * Returns how long (ms) it usually is between two things of a source, after things came in at `times` (epoch ms); null
 * while that is not known. The times are those at the server, not of the fetch: a first visit brings hundreds in a
 * moment. Each gap weighs as much as it is long, so that ten mails of one minute say little next to the week before
 * them.
 */
export function usualGap(
  { event, lagMs, gapMs }: Pick<SourceState, 'event' | 'lagMs' | 'gapMs'>,
  times: readonly number[],
): number | null {
  let last = event === null || lagMs === null ? null : event - lagMs;
  let usual = gapMs;
  for (const time of times) {
    const gap = last === null ? 0 : time - last;
    if (gap > 0) usual = usual === null ? gap : usual + ((gap - usual) * gap) / (gap + (MEMORY - 1) * usual);
    last = time;
  }
  return usual;
}
