import type { FileStat } from './files.ts';
import { linkKey } from './links.ts';
import { fold, stem } from './names.ts';
import { Postings } from './postings.ts';
import type {
  BadRecord,
  Entry,
  EventRecord,
  InstinctRecord,
  MatterRecord,
  ReversalRecord,
  SignalRecord,
  TargetRecord,
  TaskRecord,
} from './record.ts';

/**
 * The vault's records in memory, with the indexes that judgement asks: matters, tasks by matter, signals by target,
 * events by signal. Kept up to date one change at a time; no question walks the vault.
 *
 * Tasks and signals are indexed by what their link says, not by where it leads today, so that a matter that appears
 * or is renamed needs no other record to be looked at again.
 */
export class Catalogue {
  readonly #entries = new Map<string, Entry>();
  readonly #notes = new Set<string>();
  readonly #byName = new Postings();
  readonly #byAlias = new Postings();
  readonly #tasksByLink = new Postings();
  readonly #signalsByLink = new Postings();
  readonly #eventsBySignal = new Postings();
  readonly #eventsByTarget = new Postings();
  readonly #answersByEvent = new Postings();
  readonly #byKind = new Map<Entry['kind'], Set<string>>();

  /** Takes in a record as just read, in the place of what stood under its path before. */
  put(entry: Entry): void {
    this.remove(entry.path);
    this.#entries.set(entry.path, entry);
    this.#kind(entry.kind).add(entry.path);
    this.#index(entry, (postings, key) => postings.add(key, entry.path));
  }

  /** Forgets a record; unknown paths are no matter. */
  remove(path: string): void {
    const entry = this.#entries.get(path);
    if (entry === undefined) return;
    this.#entries.delete(path);
    this.#kind(entry.kind).delete(path);
    this.#index(entry, (postings, key) => postings.remove(key, path));
  }

  /** The other notes of the vault, of which only the names count. */
  setNotes(notes: ReadonlySet<string>): void {
    for (const note of this.#notes) if (!notes.has(note)) this.#dropNote(note);
    for (const note of notes) this.#addNote(note);
  }

  get(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** How many records of one kind there are. */
  count(kind: Entry['kind']): number {
    return this.#kind(kind).size;
  }

  entries(): IterableIterator<Entry> {
    return this.#entries.values();
  }

  /** The files as last read, for comparison with a fresh listing. */
  stats(): Map<string, FileStat> {
    return new Map([...this.#entries].map(([path, entry]) => [path, entry.stat]));
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

  instincts(): InstinctRecord[] {
    return this.#all('instinct').filter((entry) => entry.kind === 'instinct');
  }

  bad(): BadRecord[] {
    return this.#all('bad').filter((entry) => entry.kind === 'bad');
  }

  /** Other matters with the same slug; with any, none of them is scheduled until it is mended. */
  namesakes(matter: MatterRecord): MatterRecord[] {
    return this.#named(matter.name).filter(
      (entry): entry is MatterRecord => entry.kind === 'matter' && entry.path !== matter.path,
    );
  }

  /** The tasks whose `parent_matter` leads to this matter, in any of its written forms. */
  tasksOf(matter: MatterRecord): TaskRecord[] {
    return this.#linkedTo(matter, this.#tasksByLink).filter(
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
    return this.#linkedTo(target, this.#signalsByLink).filter(
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
    return this.#at(this.#eventsBySignal, fold(signalName)).filter((entry) => entry.kind === 'event');
  }

  /** The event notes about a note, by its path. */
  eventsAbout(path: string): EventRecord[] {
    return this.#at(this.#eventsByTarget, fold(path)).filter((entry) => entry.kind === 'event');
  }

  /** What answers an event: its reversals, confirmations and dismissals. */
  answersTo(eventName: string): (EventRecord | ReversalRecord)[] {
    return this.#at(this.#answersByEvent, fold(eventName)).filter(
      (entry) => entry.kind === 'event' || entry.kind === 'reversal',
    );
  }

  instinctOf(source: string): InstinctRecord | null {
    const key = fold(source);
    return this.instincts().find((entry) => fold(entry.fields.source_type ?? entry.name) === key) ?? null;
  }

  /**
   * The record a link leads to, as Obsidian resolves it: by path, by name, by the end of a path, by alias; case-folded.
   * Of several, one of the `preferred` kinds, then the shortest path.
   */
  resolve(link: string, preferred: readonly Entry['kind'][] = []): Entry | null {
    const key = linkKey(link);
    if (key === '') return null;
    const found = this.#candidates(key);
    if (found.length <= 1) return found[0] ?? null;
    const rank = (entry: Entry) => (preferred.includes(entry.kind) ? 0 : 1);
    const exact = (entry: Entry) => (pathKey(entry.path) === key ? 0 : 1);
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
    return this.#candidates(key).length > 0 || this.#byName.get(lastPart(key)).some((path) => endsWith(path, key));
  }

  #candidates(key: string): Entry[] {
    const named = this.#at(this.#byName, lastPart(key)).filter((entry) => endsWith(entry.path, key));
    return named.length > 0 ? named : this.#at(this.#byAlias, key);
  }

  #named(name: string): Entry[] {
    return this.#at(this.#byName, fold(name));
  }

  // Every way of writing a link to this record: its name, the ends of its path, its aliases.
  #linkedTo(target: TargetRecord, postings: Postings): Entry[] {
    const keys = new Set([...pathEnds(target.path), ...target.fields.aliases.map(fold)]);
    const paths = new Set([...keys].flatMap((key) => postings.get(key)));
    return [...paths].flatMap((path) => this.#entries.get(path) ?? []);
  }

  #index(entry: Entry, post: (postings: Postings, key: string) => void): void {
    post(this.#byName, fold(entry.name));
    if (entry.kind === 'matter' || entry.kind === 'task') {
      for (const alias of entry.fields.aliases) post(this.#byAlias, fold(alias));
    }
    if (entry.kind === 'task' && entry.fields.parent_matter !== null) {
      post(this.#tasksByLink, linkKey(entry.fields.parent_matter));
    }
    if (entry.kind === 'signal' && entry.fields.target_path !== null) {
      post(this.#signalsByLink, linkKey(entry.fields.target_path));
    }
    if (entry.kind === 'event') {
      for (const signal of entry.fields.signals) post(this.#eventsBySignal, lastPart(linkKey(signal)));
      if (entry.fields.target_path !== null) post(this.#eventsByTarget, fold(entry.fields.target_path));
      const answered = entry.fields.confirms ?? entry.fields.dismisses;
      if (answered !== null) post(this.#answersByEvent, lastPart(linkKey(answered)));
    }
    if (entry.kind === 'reversal' && entry.fields.reverses !== null) {
      post(this.#answersByEvent, lastPart(linkKey(entry.fields.reverses)));
    }
  }

  #at(postings: Postings, key: string): Entry[] {
    return postings.get(key).flatMap((path) => this.#entries.get(path) ?? []);
  }

  #all(kind: Entry['kind']): Entry[] {
    return [...this.#kind(kind)].flatMap((path) => this.#entries.get(path) ?? []);
  }

  #kind(kind: Entry['kind']): Set<string> {
    const paths = this.#byKind.get(kind) ?? new Set<string>();
    this.#byKind.set(kind, paths);
    return paths;
  }

  #addNote(note: string): void {
    if (this.#notes.has(note)) return;
    this.#notes.add(note);
    this.#byName.add(fold(stem(note)), note);
  }

  #dropNote(note: string): void {
    this.#notes.delete(note);
    this.#byName.remove(fold(stem(note)), note);
  }
}

function pathKey(path: string): string {
  return fold(path.replace(/\.md$/i, ''));
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

function endsWith(path: string, key: string): boolean {
  const whole = pathKey(path);
  return whole === key || whole.endsWith(`/${key}`);
}

function pathEnds(path: string): string[] {
  const parts = pathKey(path).split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}
