import type { FileStat } from '../files.ts';
import { linkKey } from '../links.ts';
import { fold, sourceKey, stem } from '../note-names.ts';
import { dayOf, type Index, type IndexKey, indexKeys, lastPart } from './index-keys.ts';
import { Moves } from './moves.ts';
import { Postings } from './postings.ts';
import type {
  BadRecord,
  EventRecord,
  InstinctRecord,
  MatterRecord,
  OrderRecord,
  ReversalRecord,
  SignalRecord,
  TargetRecord,
  TaskRecord,
  VaultRecord,
} from './record.ts';
import { CachedRecord } from './record-cache.ts';

/**
 * The vault's records in memory, with the indexes that judgement asks: matters, tasks by matter, signals by target,
 * events by signal. Kept up to date one change at a time; no question walks the vault.
 *
 * Tasks and signals are indexed by what their link says, not by where it leads today, so that a matter that appears
 * or is renamed needs no other record to be looked at again.
 */
export class Catalogue {
  // What came from the cache stays as it lies there until somebody asks for it.
  #revision = 0;
  readonly #entries = new Map<string, VaultRecord | CachedRecord>();
  readonly #notes = new Set<string>();
  /** Where notes went: what was written of them before still leads to them. */
  readonly moves = new Moves();
  readonly #postings: Readonly<Record<Index, Postings>> = {
    name: new Postings(),
    alias: new Postings(),
    taskLink: new Postings(),
    signalLink: new Postings(),
    eventSignal: new Postings(),
    eventTarget: new Postings(),
    answered: new Postings(),
    closing: new Postings(),
  };
  readonly #byKind = new Map<VaultRecord['kind'], Set<string>>();

  /** Takes in a record as just read, or as cached, in the place of what stood under its path before. */
  put(record: VaultRecord | CachedRecord): void {
    this.remove(record.path);
    this.#revision += 1;
    this.#entries.set(record.path, record);
    this.#kind(record.kind).add(record.path);
    for (const [index, key] of keysOf(record)) this.#postings[index].add(key, record.path);
  }

  /** Moves on with every change, so that what was worked out from the records can be known to hold still. */
  get revision(): number {
    return this.#revision;
  }

  /** Forgets a record; unknown paths are no matter. */
  remove(path: string): void {
    const record = this.#entries.get(path);
    if (record === undefined) return;
    this.#revision += 1;
    this.#entries.delete(path);
    this.#kind(record.kind).delete(path);
    for (const [index, key] of keysOf(record)) this.#postings[index].remove(key, path);
  }

  /** The other notes of the vault, of which only the names count. */
  setNotes(notes: ReadonlySet<string>): void {
    for (const note of this.#notes) if (!notes.has(note)) this.#dropNote(note);
    for (const note of notes) this.#addNote(note);
  }

  get(path: string): VaultRecord | undefined {
    const held = this.#entries.get(path);
    if (!(held instanceof CachedRecord)) return held;
    const entry = held.entry();
    this.#entries.set(path, entry);
    return entry;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** How many records of one kind there are. */
  count(kind: VaultRecord['kind']): number {
    return this.#kind(kind).size;
  }

  /** The paths of all records, none of which is parsed for it. */
  paths(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /** All records. */
  *entries(): IterableIterator<VaultRecord> {
    for (const path of this.#entries.keys()) {
      const entry = this.get(path);
      if (entry !== undefined) yield entry;
    }
  }

  /** The files as last read, for comparison with a fresh listing. */
  stats(): Map<string, FileStat> {
    const stats = new Map<string, FileStat>();
    for (const [path, record] of this.#entries) stats.set(path, record.stat);
    return stats;
  }

  matters(): MatterRecord[] {
    return this.#all('matter').filter((entry) => entry.kind === 'matter');
  }

  tasks(): TaskRecord[] {
    return this.#all('task').filter((entry) => entry.kind === 'task');
  }

  signals(): SignalRecord[] {
    return this.#all('signal').filter((entry) => entry.kind === 'signal');
  }

  events(): EventRecord[] {
    return this.#all('event').filter((entry) => entry.kind === 'event');
  }

  reversals(): ReversalRecord[] {
    return this.#all('reversal').filter((entry) => entry.kind === 'reversal');
  }

  orders(): OrderRecord[] {
    return this.#all('order').filter((entry) => entry.kind === 'order');
  }

  instincts(): InstinctRecord[] {
    return this.#all('instinct').filter((entry) => entry.kind === 'instinct');
  }

  bad(): BadRecord[] {
    return this.#all('bad').filter((entry) => entry.kind === 'bad');
  }

  /** The records of one name, in whatever letters and folder. */
  named(name: string): VaultRecord[] {
    return this.#at(this.#postings.name, fold(name));
  }

  /** Other matters with the same slug; with any, none of them is scheduled until it is mended. */
  namesakes(matter: MatterRecord): MatterRecord[] {
    return this.named(matter.name).filter(
      (entry): entry is MatterRecord => entry.kind === 'matter' && entry.path !== matter.path,
    );
  }

  /** The tasks whose `parent_matter` leads to this matter, in any of its written forms. */
  tasksOf(matter: MatterRecord): TaskRecord[] {
    return this.#linkedTo(matter, this.#postings.taskLink).filter(
      (entry): entry is TaskRecord => entry.kind === 'task' && this.matterOf(entry)?.path === matter.path,
    );
  }

  /** The matter a task belongs to, or null where its link leads to none. */
  matterOf(task: TaskRecord): MatterRecord | null {
    const parent = task.fields.parent_matter;
    const found = parent === null ? null : this.resolve(parent, ['matter']);
    return found?.kind === 'matter' ? found : null;
  }

  /** The signals that name this matter or task as their target. */
  signalsFor(target: TargetRecord): SignalRecord[] {
    return this.#linkedTo(target, this.#postings.signalLink).filter(
      (entry): entry is SignalRecord => entry.kind === 'signal' && this.targetOf(entry)?.path === target.path,
    );
  }

  /** The matter or task a signal is about, or null where there is none. */
  targetOf(signal: SignalRecord): TargetRecord | null {
    const { target_path: path, target_kind: kind } = signal.fields;
    if (path === null) return null;
    const found = this.resolve(path, kind === null ? ['task', 'matter'] : [kind]);
    return found?.kind === 'matter' || found?.kind === 'task' ? found : null;
  }

  /** The event notes that weighed a signal. */
  eventsOfSignal(signalName: string): EventRecord[] {
    return this.#at(this.#postings.eventSignal, fold(signalName)).filter((entry) => entry.kind === 'event');
  }

  /** The event notes about a note, by its path, or by one it had when they were written. */
  eventsAbout(path: string): EventRecord[] {
    const now = this.currentPath(path);
    return [now, ...this.#formerPaths(now)]
      .flatMap((place) => this.#at(this.#postings.eventTarget, fold(place)))
      .filter((entry) => entry.kind === 'event');
  }

  /**
   * Where the note lies now that was once written down under this path: there, there in other letters (a case-only
   * rename, a machine that writes names decomposed), or where it was moved to. The path itself where none is known.
   */
  currentPath(path: string): string {
    if (this.#entries.has(path)) return path;
    const key = pathKey(path);
    const inOtherLetters = this.named(stem(path)).find((entry) => pathKey(entry.path) === key);
    return inOtherLetters?.path ?? this.moves.whereTo(path) ?? path;
  }

  // A path that another note has taken since is that note's.
  #formerPaths(path: string): string[] {
    return this.moves.formerOf(path).filter((former) => this.currentPath(former) === path);
  }

  /** What answers an event: its reversals, confirmations and dismissals. */
  answersTo(eventName: string): (EventRecord | ReversalRecord)[] {
    return this.#at(this.#postings.answered, fold(eventName)).filter(
      (entry) => entry.kind === 'event' || entry.kind === 'reversal',
    );
  }

  /** The actions whose undo window closes on the days between two moments (epoch ms), both days included. */
  closing(from: number, to: number): EventRecord[] {
    const [first, last] = [dayOf(from), dayOf(to)];
    return [...this.#postings.closing.keys()]
      .filter((day) => day >= first && day <= last)
      .flatMap((day) => this.#at(this.#postings.closing, day))
      .filter((entry) => entry.kind === 'event');
  }

  /** What has been learnt of a source. Of two notes that name it, the one with the shorter path; then the first. */
  instinctOf(source: string): InstinctRecord | null {
    const key = sourceKey(source);
    const found = this.instincts().filter((entry) => sourceKey(entry.fields.source_type ?? entry.name) === key);
    return found.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1))[0] ?? null;
  }

  /**
   * The record a link leads to, as Obsidian resolves it: by path, by name, by the end of a path, by alias; case-folded.
   * Of several, one of the `preferred` kinds, then the shortest path.
   */
  resolve(link: string, preferred: readonly VaultRecord['kind'][] = []): VaultRecord | null {
    const key = linkKey(link);
    if (key === '') return null;
    const found = this.#candidates(key);
    if (found.length <= 1) return found[0] ?? null;
    const rank = (entry: VaultRecord) => (preferred.includes(entry.kind) ? 0 : 1);
    const exact = (entry: VaultRecord) => (pathKey(entry.path) === key ? 0 : 1);
    return (
      found.sort(
        (a, b) =>
          exact(a) - exact(b) || rank(a) - rank(b) || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
      )[0] ?? null
    );
  }

  /** Whether a link leads to any note of the vault, record or not. */
  exists(link: string): boolean {
    const key = linkKey(link);
    if (key === '') return false;
    return (
      this.#candidates(key).length > 0 || this.#postings.name.get(lastPart(key)).some((path) => endsWith(path, key))
    );
  }

  #candidates(key: string): VaultRecord[] {
    const name = lastPart(key);
    const found = this.#at(this.#postings.name, name);
    const named = name === key ? found : found.filter((entry) => endsWith(entry.path, key));
    if (named.length > 0) return named;
    const moved = this.get(this.moves.whereTo(key) ?? '');
    return moved === undefined ? this.#at(this.#postings.alias, key) : [moved];
  }

  // Every way of writing a link to this record: its name, the ends of its path, its aliases, its former paths.
  #linkedTo(target: TargetRecord, postings: Postings): VaultRecord[] {
    const former = this.#formerPaths(target.path).map(pathKey);
    const keys = new Set([...pathEnds(target.path), ...target.fields.aliases.map(fold), ...former]);
    const paths = new Set([...keys].flatMap((key) => postings.get(key)));
    return [...paths].flatMap((path) => this.get(path) ?? []);
  }

  #at(postings: Postings, key: string): VaultRecord[] {
    return postings.get(key).flatMap((path) => this.get(path) ?? []);
  }

  #all(kind: VaultRecord['kind']): VaultRecord[] {
    return [...this.#kind(kind)].flatMap((path) => this.get(path) ?? []);
  }

  #kind(kind: VaultRecord['kind']): Set<string> {
    const known = this.#byKind.get(kind);
    if (known !== undefined) return known;
    const paths = new Set<string>();
    this.#byKind.set(kind, paths);
    return paths;
  }

  #addNote(note: string): void {
    if (this.#notes.has(note)) return;
    this.#revision += 1;
    this.#notes.add(note);
    this.#postings.name.add(fold(stem(note)), note);
  }

  #dropNote(note: string): void {
    this.#notes.delete(note);
    this.#revision += 1;
    this.#postings.name.remove(fold(stem(note)), note);
  }
}

function keysOf(record: VaultRecord | CachedRecord): readonly IndexKey[] {
  return record instanceof CachedRecord ? record.keys : indexKeys(record);
}

function pathKey(path: string): string {
  return fold(path.replace(/\.md$/i, ''));
}

function endsWith(path: string, key: string): boolean {
  if (path === `${key}.md`) return true; // as most links with a folder are written; folding costs more than all the rest
  const whole = pathKey(path);
  return whole === key || whole.endsWith(`/${key}`);
}

function pathEnds(path: string): string[] {
  const parts = pathKey(path).split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}
