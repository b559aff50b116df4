import type { FileStat } from './files.ts';
import type { EventRecord, MatterRecord, ReversalRecord, TaskRecord, VaultRecord } from './index/record.ts';
import { dayOf, hourOf, type Index } from './index-keys.ts';
import { linkKey } from './links.ts';
import { fold, stem } from './note-names.ts';
import { CachedRecord, isPackedKind, PackedRows, Packing, type Piece, Room } from './record-cache.ts';

type Order = (one: string, other: string) => number;
const OLDEST_FIRST: Order = (one, other) => (one < other ? -1 : 1);
const NEWEST_FIRST: Order = (one, other) => (one > other ? -1 : 1);
/** The beginning that the hours of a month share. */
const MONTH = '2026-11';

/** What events and reversals are found by in the order of time. Each is asked for as it is needed, and no sooner. */
export class Chronicle {
  readonly #parts: {
    readonly postings: Readonly<Record<'closing' | 'decided' | 'happened' | 'expiring', Postings>>;
    readonly get: (path: string) => VaultRecord | undefined;
  };

  constructor(parts: {
    postings: Readonly<Record<'closing' | 'decided' | 'happened' | 'expiring', Postings>>;
    get: (path: string) => VaultRecord | undefined;
  }) {
    this.#parts = parts;
  }

  /** Yields the events and reversals, those of the newest hour first, and those that tell no time last. */
  *newestHours(): Generator<(EventRecord | ReversalRecord)[]> {
    const { happened } = this.#parts.postings;
    for (const hour of inOrder(happened.keys(), NEWEST_FIRST)) yield this.#at(happened, hour);
  }

  /** Yields the events of before a moment (epoch ms), those of the oldest hour first; none that tells no time. */
  *oldestHours(before: number): Generator<EventRecord[]> {
    const { happened } = this.#parts.postings;
    const last = hourOf(before);
    const hours = [...happened.keys()].filter((one) => one !== '' && one < last);
    for (const hour of inOrder(hours, OLDEST_FIRST)) {
      yield this.#at(happened, hour).filter((record) => record.kind === 'event');
    }
  }

  /** Yields the events that can still be taken back at a moment (epoch ms), those that expire in the last hour first. */
  *undoableHours(now: number): Generator<EventRecord[]> {
    const { expiring } = this.#parts.postings;
    const first = hourOf(now);
    const hours = [...expiring.keys()].filter((one) => one >= first);
    for (const hour of inOrder(hours, NEWEST_FIRST)) {
      yield this.#at(expiring, hour).filter((record) => record.kind === 'event');
    }
  }

  /** Yields the events and reversals that can be taken back no more since a moment; both moments in epoch ms. */
  *ended(since: number, now: number): Generator<EventRecord | ReversalRecord> {
    const { expiring } = this.#parts.postings;
    const [first, last] = [hourOf(since), hourOf(now)];
    for (const hour of [...expiring.keys()].filter((one) => one >= first && one <= last))
      yield* this.#each(expiring, hour);
  }

  /** Returns when the first thing can be taken back no more at or after a moment (epoch ms); null: there is none. */
  nextExpiry(from: number): number | null {
    const { expiring } = this.#parts.postings;
    for (const hour of [...expiring.keys()].filter((one) => one >= hourOf(from)).sort()) {
      const ends = [...this.#each(expiring, hour)]
        .map(({ fields }) => Date.parse(fields.undo_recipe?.expires_at ?? ''))
        .filter((end) => end >= from);
      if (ends.length > 0) return Math.min(...ends);
    }
    return null;
  }

  /**
   * Yields the decisions that have taught nobody yet, of the days between two moments (epoch ms), both included: those
   * whose undo window closes then (`closing`), or that were made then (`decided`).
   */
  *untaught(index: 'closing' | 'decided', from: number, to: number): Generator<EventRecord> {
    const [first, last] = [dayOf(from), dayOf(to)];
    const postings = this.#parts.postings[index];
    for (const day of [...postings.keys()].filter((one) => one >= first && one <= last)) {
      for (const record of this.#each(postings, day)) if (record.kind === 'event') yield record;
    }
  }

  #at(postings: Postings, key: string): (EventRecord | ReversalRecord)[] {
    return [...this.#each(postings, key)];
  }

  // Each as it is when it is asked for: what has gone meanwhile is passed over.
  *#each(postings: Postings, key: string): Generator<EventRecord | ReversalRecord> {
    for (const path of postings.get(key)) {
      const record = this.#parts.get(path);
      if (record?.kind === 'event' || record?.kind === 'reversal') yield record;
    }
  }
}

/** Yields hours in order, a month at a time: whoever asks for the newest of many years needs no other month put in order. */
function* inOrder(hours: Iterable<string>, order: Order): Generator<string> {
  const months = Map.groupBy(hours, (hour) => hour.slice(0, MONTH.length));
  for (const month of [...months.keys()].sort(order)) yield* (months.get(month) ?? []).sort(order);
}

/** A number for each path that is known, so that a path is kept once, however many indexes name it. */
export class PathNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #paths: (string | null)[] = [];
  readonly #free: number[] = [];

  /** Returns the number of a path, a new one where it has none yet: one that was released, or the next. */
  give(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#paths.length;
    this.#numbers.set(path, number);
    this.#paths[number] = path;
    return number;
  }

  /** Returns the number of a path, or undefined where it has none. */
  of(path: string): number | undefined {
    return this.#numbers.get(path);
  }

  has(path: string): boolean {
    return this.#numbers.has(path);
  }

  /** Takes a path's number from it. No index may hold it any more. */
  release(path: string): void {
    const number = this.#numbers.get(path);
    if (number === undefined) return;
    this.#numbers.delete(path);
    this.#paths[number] = null;
    this.#free.push(number);
  }

  /** Returns the path that has a number. */
  path(number: number): string {
    return this.#paths[number] ?? '';
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** All paths, oldest first. */
  paths(): IterableIterator<string> {
    return this.#numbers.keys();
  }
}

/** How many packed records are kept parsed: those that were asked for last. */
const KEPT_PARSED = 512;

/**
 * The records by path. What a vault has many of, tasks and what grows with the years, lies packed outside the heap and is
 * parsed when it is asked for. Matters and the rest stay as they are.
 */
export class RecordStore {
  /** Each record's number, by its path. */
  readonly numbers = new PathNumbers();
  /** Those that stay as they are, by number. */
  readonly #standing = new Map<number, VaultRecord | CachedRecord>();
  readonly #rows = new PackedRows();
  readonly #parsed = new Map<string, VaultRecord>();
  readonly #packing = new Packing();
  readonly #room = new Room();
  /** The paths whose records have changed, come or gone since they were saved. */
  readonly unsaved = new Set<string>();

  /** Adds a record as just read, or as cached, in the place of any of the same path; returns its number. */
  put(record: VaultRecord | CachedRecord): number {
    const number = this.numbers.give(record.path);
    this.#forget(record.path, number);
    if (record instanceof CachedRecord) this.unsaved.delete(record.path);
    else this.unsaved.add(record.path);
    const { kind, stat } = record;
    const content = isPackedKind(kind) ? this.#content(record) : null;
    if (isPackedKind(kind) && content !== null) this.#rows.set(number, { kind, stat, content });
    else this.#standing.set(number, record instanceof CachedRecord ? record : standing(record));
    return number;
  }

  delete(path: string): void {
    const number = this.numbers.of(path);
    if (number === undefined) return;
    this.#forget(path, number);
    this.unsaved.add(path);
    this.numbers.release(path);
  }

  #forget(path: string, number: number): void {
    if (!this.#standing.delete(number)) this.#rows.clear(number);
    this.#parsed.delete(path);
  }

  has(path: string): boolean {
    return this.numbers.of(path) !== undefined;
  }

  /** Returns the record of a path, or undefined where there is none. */
  get(path: string): VaultRecord | undefined {
    const number = this.numbers.of(path);
    if (number === undefined) return undefined;
    const known = this.#standing.get(number);
    if (known === undefined) return this.#parsed.get(path) ?? this.#remembered(this.#unpacked(path, number));
    if (!(known instanceof CachedRecord)) return known;
    const record = known.record();
    this.#standing.set(number, record);
    return record;
  }

  get size(): number {
    return this.numbers.size;
  }

  paths(): IterableIterator<string> {
    return this.numbers.paths();
  }

  /** Returns the record of a path for the moment: nothing parsed is kept. */
  peek(path: string): VaultRecord | undefined {
    const number = this.numbers.of(path);
    if (number === undefined) return undefined;
    const known = this.#standing.get(number);
    if (known === undefined) return this.#parsed.get(path) ?? this.#unpacked(path, number);
    return known instanceof CachedRecord ? known.record() : known;
  }

  /** Returns the stat of a file as last read, without parsing its record, or undefined where there is none. */
  statOf(path: string): FileStat | undefined {
    const number = this.numbers.of(path);
    if (number === undefined) return undefined;
    return this.#standing.get(number)?.stat ?? this.#rows.stat(number);
  }

  /** All records. What lies packed is parsed for the moment. */
  *entries(): IterableIterator<VaultRecord> {
    for (const path of this.numbers.paths()) {
      const record = this.at(path);
      if (record !== undefined) yield record;
    }
  }

  /** Returns the record of a path as `get` does, for somebody who goes over many: what is packed is not remembered. */
  at(path: string): VaultRecord | undefined {
    const number = this.numbers.of(path);
    if (number === undefined || this.#standing.has(number)) return this.get(path);
    return this.#parsed.get(path) ?? this.#unpacked(path, number);
  }

  #content(record: VaultRecord | CachedRecord): Piece | null {
    if (record instanceof CachedRecord) return record.piece;
    const packed = this.#packing.pack(record);
    return packed === null ? null : this.#room.take(packed);
  }

  #unpacked(path: string, number: number): VaultRecord {
    const { kind, stat, content } = this.#rows.at(number);
    return this.#packing.unpack({ kind, path, stat }, content);
  }

  #remembered(record: VaultRecord): VaultRecord {
    const [oldest] = this.#parsed.size < KEPT_PARSED ? [] : this.#parsed.keys();
    if (oldest !== undefined) this.#parsed.delete(oldest);
    this.#parsed.set(record.path, record);
    return record;
  }
}

// Its texts were cut out of the note, and would keep the whole of it in memory.
function standing(record: VaultRecord): VaultRecord {
  return JSON.parse(JSON.stringify(record)) as VaultRecord; // the same values, as a cache would give them back
}

interface Parts {
  readonly postings: Readonly<Record<'doubtful' | 'due' | 'taskLink', Postings>>;
  readonly get: (path: string) => VaultRecord | undefined;
  readonly resolve: (link: string) => VaultRecord | null;
  readonly matterOf: (task: TaskRecord) => MatterRecord | null;
}

/** The tasks that somebody has to look at, so that nobody has to go over all of them. */
export class Agenda {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the tasks with which something may be wrong, by their notes alone: a status, a date, an id. */
  doubtful(): TaskRecord[] {
    return this.#at('doubtful', 'task');
  }

  /** Returns the tasks that name a matter which is not there. Pauses after each name. */
  *strays(): Generator<void, TaskRecord[]> {
    const { postings, matterOf, resolve } = this.#parts;
    // Whether a link leads to a matter is the same for all links of one key, and nearly all keys are such a link themselves.
    const strays: TaskRecord[] = [];
    for (const key of [...postings.taskLink.keys()]) {
      yield;
      if (linkKey(key) === key && resolve(key)?.kind === 'matter') continue;
      const [first] = this.#tasks(postings.taskLink.get(key).slice(0, 1));
      if (first !== undefined && matterOf(first) === null) strays.push(...this.#at('taskLink', key));
    }
    return strays;
  }

  /** Returns the open tasks that are due on a day (`YYYY-MM-DD`) or before, and those whose day is not plainly written. */
  dueBy(last: string): TaskRecord[] {
    return [...this.#parts.postings.due.keys()].filter((day) => day <= last).flatMap((day) => this.#at('due', day));
  }

  #at(index: keyof Parts['postings'], key: string): TaskRecord[] {
    return this.#tasks(this.#parts.postings[index].get(key));
  }

  #tasks(paths: readonly string[]): TaskRecord[] {
    return paths.flatMap((path) => this.#parts.get(path) ?? []).filter((record) => record.kind === 'task');
  }
}

/** How many paths are known in each folder, kept up with each change: a listing of one folder is compared with a number. */
export class FolderCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a path that has become known. */
  add(path: string): void {
    const folder = folderOf(path);
    this.#counts.set(folder, this.of(folder) + 1);
  }

  /** No longer counts a path that was known. */
  remove(path: string): void {
    const folder = folderOf(path);
    if (this.of(folder) > 1) this.#counts.set(folder, this.of(folder) - 1);
    else this.#counts.delete(folder);
  }

  /** Returns how many known paths lie directly in a folder. */
  of(folder: string): number {
    return this.#counts.get(folder) ?? 0;
  }

  /** Returns the counts as they are now. */
  taken(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }
}

/** Returns the folder that a vault-relative path lies in; '' for the vault itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** From this many paths on, a set finds one of them sooner than a list does, and takes three times the memory. */
const MANY = 64;

type Some = number | number[] | Set<number>;

/** The paths under each key: a small inverted index. Paths stand there by their numbers, and most keys have one. */
export class Postings<Key extends string | number = string> {
  readonly #numbers: PathNumbers;
  readonly #known = new Map<Key, Some>();

  constructor(numbers: PathNumbers) {
    this.#numbers = numbers;
  }

  /** Adds a path, by its number, under a key. */
  add(key: Key, path: number): void {
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(own(key), path);
    else if (known instanceof Set) known.add(path);
    else if (typeof known === 'number' ? known !== path : !known.includes(path))
      this.#known.set(key, more(known, path));
  }

  /** Removes a path from a key; does nothing where it is not there. */
  remove(key: Key, path: number): void {
    const known = this.#known.get(key);
    if (known === path) this.#known.delete(key);
    if (known === undefined || typeof known === 'number') return;
    if (known instanceof Set) known.delete(path);
    else if (known.includes(path)) known.splice(known.indexOf(path), 1);
    if ((known instanceof Set ? known.size : known.length) === 0) this.#known.delete(key);
  }

  /** Returns every key that has paths. */
  keys(): IterableIterator<Key> {
    return this.#known.keys();
  }

  /**
   * Returns the paths of a key in their order, whichever was added first; none for an unknown one. A file system lists
   * its folders in any order, and what is done first must not hang on that.
   */
  get(key: Key): readonly string[] {
    const known = this.#known.get(key);
    if (known === undefined) return [];
    return typeof known === 'number'
      ? [this.#numbers.path(known)]
      : Array.from(known, (one) => this.#numbers.path(one)).sort();
  }
}

function more(known: number | number[], path: number): Some {
  if (typeof known === 'number') return [known, path];
  if (known.length >= MANY) return new Set([...known, path]);
  known.push(path);
  return known;
}

/**
 * Returns a key that is not a piece of a longer text. What was cut out of a note keeps the whole note in memory for as long
 * as it is kept.
 */
function own<Key extends string | number>(key: Key): Key {
  return JSON.parse(JSON.stringify(key));
}

/**
 * The paths under the folded name of their notes, as `Postings` has them under any key. Nearly every note has a name of its
 * own, and each path tells it: so only a hash of the name is kept, and the few others that share it are left out.
 */
export class NamePostings {
  readonly #hashed: Postings<number>;

  constructor(numbers: PathNumbers) {
    this.#hashed = new Postings(numbers);
  }

  /** Adds a path, by its number, under its name. */
  add(name: string, path: number): void {
    this.#hashed.add(hashOf(name), path);
  }

  /** Removes a path from its name; does nothing where it is not there. */
  remove(name: string, path: number): void {
    this.#hashed.remove(hashOf(name), path);
  }

  /** Returns the paths of a name in their order; none for an unknown one. */
  get(name: string): readonly string[] {
    return this.#hashed.get(hashOf(name)).filter((path) => fold(stem(path)) === name);
  }
}

// FNV-1a, over UTF-16 units: 32 bits, a small integer to V8. Who makes names that share one makes look-ups as long as who
// gives many notes the same name.
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** All indexes of some records. */
export type Indexes = Readonly<Record<Exclude<Index, 'name'>, Postings>> & { readonly name: NamePostings };

/** Returns all indexes of some records, empty. */
export function postingsOf(numbers: PathNumbers): Indexes {
  return {
    name: new NamePostings(numbers),
    alias: new Postings(numbers),
    taskLink: new Postings(numbers),
    signalLink: new Postings(numbers),
    weighable: new Postings(numbers),
    eventSignal: new Postings(numbers),
    eventTarget: new Postings(numbers),
    answered: new Postings(numbers),
    closing: new Postings(numbers),
    decided: new Postings(numbers),
    source: new Postings(numbers),
    waiting: new Postings(numbers),
    happened: new Postings(numbers),
    expiring: new Postings(numbers),
    asking: new Postings(numbers),
    unrouted: new Postings(numbers),
    flagged: new Postings(numbers),
    told: new Postings(numbers),
    doubtful: new Postings(numbers),
    due: new Postings(numbers),
  };
}

/** So many answers are remembered. */
const MOST = 64;

/** What was found for the keys that were asked about last, for as long as nothing changes: a tick asks the same again and again. */
export class Lately<Found> {
  readonly #found = new Map<string, Found>();
  #revision: number | null = null;

  /** Returns what was found for a key at `revision`, from memory or by `work`. */
  at(key: string, revision: number, work: () => Found): Found {
    if (this.#revision !== revision || this.#found.size >= MOST) this.#found.clear();
    this.#revision = revision;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = work();
    this.#found.set(key, found);
    return found;
  }
}

/**
 * Where notes were moved or renamed to, so that a path written down before still leads to its note. Only observed moves
 * count: guessing by name could lead to another note of that name.
 */
export class Moves {
  readonly #now = new Map<string, string>();
  readonly #former = new Map<string, Set<string>>();
  #count = 0;

  /** How many moves were remembered so far: each may make a link lead elsewhere. */
  get count(): number {
    return this.#count;
  }

  /**
   * Remembers one move; whatever had moved to `from` before moves on with it. Returns the former paths that now lead
   * elsewhere, or nowhere.
   */
  remember(from: string, to: string): readonly string[] {
    this.#count += 1;
    const former = new Set([...(this.#former.get(from) ?? []), from]);
    this.#former.delete(from);
    former.delete(to); // it went back to where it once was
    this.#now.delete(linkKey(to));
    for (const one of former) this.#now.set(linkKey(one), to);
    this.#former.set(to, new Set([...(this.#former.get(to) ?? []), ...former]));
    return [...former, to];
  }

  /** Returns where the note is now that was once at this path (a path, or a link with the whole path), or null. */
  whereTo(written: string): string | null {
    return this.#now.get(linkKey(written)) ?? null;
  }

  /** Returns the paths a note had before. */
  formerOf(path: string): readonly string[] {
    return [...(this.#former.get(path) ?? [])];
  }

  /** Returns every known move, former path → present path, without moves of notes that are gone. */
  toRecord(isThere: (path: string) => boolean): Record<string, string> {
    const there = [...this.#former].filter(([to]) => isThere(to));
    return Object.fromEntries(there.flatMap(([to, former]) => [...former].map((from) => [from, to] as const)));
  }
}
