import {
  Agenda,
  Chronicle,
  FolderCounts,
  Moves,
  NamePostings,
  PathNumbers,
  type Postings,
  postingsOf,
  RecordStore,
} from '../catalogue.ts';
import type { FileStat } from '../files.ts';
import { fold, stem } from '../note-names.ts';
import { type CachedRecord, eachKey, type SavedRecords } from '../record-cache.ts';
import { sourceKey } from '../source-names.ts';
import { NO_WORDS, type StatusWords } from '../status-words.ts';
import { byPath, LinkResolver } from './links/link-resolver.ts';
import { MatterTasks } from './links/matter-tasks.ts';
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

/**
 * The vault's records in memory, with the indexes that judgement queries: matters, tasks by matter, signals by target,
 * events by signal. It is updated one change at a time; no query walks the vault.
 *
 * Tasks and signals are indexed by what their link says, not by where it leads today, so that when a matter appears or
 * is renamed no other record has to be read again.
 */
export class Catalogue {
  /** The words by which its records were read. */
  words: StatusWords = NO_WORDS;
  #revision = 0;
  /** How many known files lie in each folder: records and other notes; whoever knows more files counts them here too. */
  readonly folders = new FolderCounts();
  readonly #records = new RecordStore();
  /** The records as the cache saves them. */
  readonly saved: SavedRecords = this.#records;
  /** The vault's other notes, of which only the names count, and the index of these. */
  readonly #notes = new PathNumbers();
  readonly #noteNames = new NamePostings(this.#notes);
  /** Where notes were moved to, so that paths written down before still lead to them. */
  readonly moves = new Moves();
  readonly #postings = postingsOf(this.#records.numbers);
  /** Events and reversals in the order of time. */
  readonly chronicle = new Chronicle({ postings: this.#postings, get: (path) => this.get(path) });
  /** Tasks that somebody has to look at. */
  readonly agenda = new Agenda({
    postings: this.#postings,
    get: (path) => this.#records.at(path),
    resolve: (link) => this.resolve(link, ['matter']),
    matterOf: (task) => this.matterOf(task),
  });
  readonly #byKind = new Map<VaultRecord['kind'], Set<number>>();
  readonly #links = new LinkResolver({
    has: (path) => this.#records.has(path),
    get: (path) => this.get(path),
    postings: this.#postings,
    noteNames: this.#noteNames,
    moves: this.moves,
  });
  readonly #matterTasks = new MatterTasks({
    links: this.#links,
    get: (path) => this.get(path),
    revision: () => this.#revision + this.moves.count,
  });

  /** Adds a record as just read, or as cached, replacing any record of the same path. */
  put(record: VaultRecord | CachedRecord): void {
    this.remove(record.path);
    this.#revision += 1;
    const number = this.#records.put(record);
    this.folders.add(record.path);
    this.#kind(record.kind).add(number);
    eachKey(record, (index, key) => this.#postings[index].add(key, number));
  }

  /** Grows with every change, so that callers can tell whether results they derived from the records still hold. */
  get revision(): number {
    return this.#revision;
  }

  /** Removes a record; does nothing for an unknown path. */
  remove(path: string): void {
    const number = this.#records.numbers.of(path);
    const record = number === undefined ? undefined : this.#records.at(path);
    if (number === undefined || record === undefined) return;
    this.#revision += 1;
    this.#kind(record.kind).delete(number);
    eachKey(record, (index, key) => this.#postings[index].remove(key, number));
    this.#records.delete(path);
    this.folders.remove(path);
  }

  /** Adds one of the vault's other notes, of which only the name counts. */
  addNote(note: string): void {
    if (this.#notes.of(note) !== undefined) return;
    this.#revision += 1;
    this.folders.add(note);
    this.#noteNames.add(fold(stem(note)), this.#notes.give(note));
  }

  /** Drops one of the other notes; does nothing for an unknown one. */
  dropNote(note: string): void {
    const number = this.#notes.of(note);
    if (number === undefined) return;
    this.#revision += 1;
    this.folders.remove(note);
    this.#noteNames.remove(fold(stem(note)), number);
    this.#notes.release(note);
  }

  /** The other notes. */
  notes = (): Pick<PathNumbers, 'has' | 'size' | 'paths'> => this.#notes;

  /** Returns the record of a path, or undefined where there is none. */
  get(path: string): VaultRecord | undefined {
    return this.#records.get(path);
  }

  get size(): number {
    return this.#records.size;
  }

  /** Returns how many records of one kind there are. */
  count(kind: VaultRecord['kind']): number {
    return this.#kind(kind).size;
  }

  paths = (): IterableIterator<string> => this.#records.paths();

  /** All records. */
  entries = (): IterableIterator<VaultRecord> => this.#records.entries();

  /** Returns the stat of a record's file as last read. */
  statOf = (path: string): FileStat | undefined => this.#records.statOf(path);

  /** Returns the paths of one kind, or of all (`paths`), without parsing any record. */
  pathsOf = (kind: VaultRecord['kind']): readonly string[] =>
    Array.from(this.#kind(kind), (number) => this.#records.numbers.path(number));

  /** Yields the records of one kind, each unpacked as it is asked for. */
  *each<Kind extends VaultRecord['kind']>(kind: Kind): Generator<RecordOf<Kind>> {
    yield* this.#ofKind(this.pathsOf(kind), kind);
  }

  /** Returns all matters; the methods below do the same for the other kinds. */
  matters(): MatterRecord[] {
    return [...this.each('matter')];
  }
  tasks(): TaskRecord[] {
    return [...this.each('task')];
  }
  signals(): SignalRecord[] {
    return [...this.each('signal')];
  }
  events(): EventRecord[] {
    return [...this.each('event')];
  }
  reversals(): ReversalRecord[] {
    return [...this.each('reversal')];
  }
  orders(): OrderRecord[] {
    return [...this.each('order')];
  }
  instincts(): InstinctRecord[] {
    return [...this.each('instinct')];
  }
  bad(): BadRecord[] {
    return [...this.each('bad')];
  }

  /** Returns the records of one name, whatever their letter case and folder. */
  named(name: string): VaultRecord[] {
    return this.#at(this.#postings.name, fold(name));
  }

  /** Returns other matters with the same slug; where there are any, none of them is scheduled until that is mended. */
  namesakes(matter: MatterRecord): MatterRecord[] {
    return this.named(matter.name).filter(
      (record): record is MatterRecord => record.kind === 'matter' && record.path !== matter.path,
    );
  }

  /** Returns the tasks whose `parent_matter` leads to this matter, however the link is written. */
  tasksOf = (matter: MatterRecord): TaskRecord[] => this.#matterTasks.of(matter);

  /** Returns the matter a task belongs to, or null where its link leads to none. */
  matterOf = (task: TaskRecord): MatterRecord | null => this.#matterTasks.matterOf(task);

  /** Returns the signals that name this matter or task as their target: all, or those that can be weighed (`weighable`). */
  signalsFor(target: TargetRecord, which: 'signalLink' | 'weighable' = 'signalLink'): SignalRecord[] {
    return this.#links
      .linkedTo(target, which)
      .filter(
        (record): record is SignalRecord => record.kind === 'signal' && this.targetOf(record)?.path === target.path,
      );
  }

  /** Returns the matter or task a signal is about, or null where there is none. */
  targetOf(signal: SignalRecord): TargetRecord | null {
    const { target_path: path, target_kind: kind } = signal.fields;
    if (path === null) return null;
    const found = this.resolve(path, kind === null ? ['task', 'matter'] : [kind]);
    return found?.kind === 'matter' || found?.kind === 'task' ? found : null;
  }

  /** Returns the event notes that weighed a signal. */
  eventsOfSignal(signalName: string): EventRecord[] {
    return this.#at(this.#postings.eventSignal, fold(signalName)).filter((record) => record.kind === 'event');
  }

  /** Returns the event notes about a note, under its present path or one it had; not of one that differs in case alone. */
  eventsAbout(path: string): EventRecord[] {
    const now = this.currentPath(path);
    return [now, ...this.#links.formerPaths(now)]
      .flatMap((known) => this.#at(this.#postings.eventTarget, fold(known)))
      .filter((record) => record.kind === 'event')
      .filter(({ fields: { target_path: said } }) => said === now || said === null || !this.#records.has(said));
  }

  /** Returns the path a note has now that was once written down under this one; the path itself where none is known. */
  currentPath(path: string): string {
    return this.#links.currentPath(path);
  }

  /** Returns what answers an event: its reversals, confirmations and dismissals. */
  answersTo(eventName: string): (EventRecord | ReversalRecord)[] {
    return this.#at(this.#postings.answered, fold(eventName)).filter(
      (record) => record.kind === 'event' || record.kind === 'reversal',
    );
  }

  /** Returns the events in which a person wrote or ticked (`asking`), that flag their note, or are told to Plane (`told`). */
  eventsThat(index: 'asking' | 'flagged' | 'told'): EventRecord[] {
    return this.#at(this.#postings[index], 'event').filter((record) => record.kind === 'event');
  }

  /** Yields the signals that are neither applied nor skipped, each unpacked as it is asked for. */
  *unrouted(): Generator<SignalRecord> {
    yield* this.#ofKind(this.#postings.unrouted.get('signal'), 'signal');
  }

  /** Returns what may wait for a person: events that say so, undos that met a conflict, signals of no sure target. */
  waiting<Kind extends 'event' | 'reversal' | 'signal'>(kind: Kind): RecordOf<Kind>[] {
    return this.#at(this.#postings.waiting, kind).filter((record) => isOfKind(record, kind));
  }

  /** Returns what has been learnt of a source. Of several notes that name it, the one with the shortest path wins. */
  instinctOf(source: string): InstinctRecord | null {
    const found = this.#at(this.#postings.source, sourceKey(source)).filter((record) => record.kind === 'instinct');
    return found.sort(byPath)[0] ?? null;
  }

  /**
   * Returns the record a link leads to, as Obsidian resolves it: by path, by name, by the end of a path, by alias;
   * case-folded. Of several, one of the `preferred` kinds, then the one with the shortest path.
   */
  resolve(link: string, preferred: readonly VaultRecord['kind'][] = []): VaultRecord | null {
    return this.#links.resolve(link, preferred);
  }

  /** Whether a link leads to any note of the vault, record or not. */
  exists(link: string): boolean {
    return this.#links.leadsSomewhere(link);
  }

  *#ofKind<Kind extends VaultRecord['kind']>(paths: readonly string[], kind: Kind): Generator<RecordOf<Kind>> {
    for (const path of paths) {
      const record = this.#records.at(path);
      if (record !== undefined && isOfKind(record, kind)) yield record;
    }
  }

  #at(postings: Pick<Postings, 'get'>, key: string): VaultRecord[] {
    return postings.get(key).flatMap((path) => this.get(path) ?? []);
  }

  #kind(kind: VaultRecord['kind']): Set<number> {
    const numbers = this.#byKind.get(kind) ?? new Set<number>();
    this.#byKind.set(kind, numbers);
    return numbers;
  }
}

type RecordOf<Kind extends VaultRecord['kind']> = Extract<VaultRecord, { readonly kind: Kind }>;

function isOfKind<Kind extends VaultRecord['kind']>(record: VaultRecord, kind: Kind): record is RecordOf<Kind> {
  return record.kind === kind;
}
