import { LanguageMemory } from '../../stream/language.ts';
import { type TargetCandidate, TargetIndex } from '../../stream/targets-target-index.ts';
import { TaskBook } from '../../stream/task-book.ts';
import { storedReader, type TrainedReader } from '../../stream/trained/trained-reader.ts';
import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { TaskRecord, VaultRecord } from '../../vault/index/record.ts';
import type { Change } from '../../vault/watch.ts';
import type { Targets, Workspace } from '../context.ts';

/** Returns the notes that a stream event could be about. From the first call on they follow the vault. */
export function targetsOf({ vault, ingest }: Pick<Workspace, 'vault' | 'ingest'>): Targets {
  ingest.targets ??= new TargetSync(vault.catalogue);
  return ingest.targets;
}

/**
 * The index of what signals could be about, updated with each change of the catalogue. Built when the first stream file
 * is read, so that a vault without streams never pays for it.
 */
class TargetSync implements Targets {
  readonly languages = new LanguageMemory();
  readonly #catalogue: Catalogue;
  #index: TargetIndex | null = null;
  #learnt: TrainedReader | null = null;
  #book: TaskBook | null = null;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  get index(): TargetIndex {
    this.#index ??= this.#built();
    return this.#index;
  }

  get learnt(): TrainedReader {
    this.#learnt ??= storedReader();
    return this.#learnt;
  }

  get book(): TaskBook {
    this.#book ??= new TaskBook(this.learnt);
    return this.#book;
  }

  /** Updates the index for changes of the vault. */
  follow(changes: readonly Change[]): void {
    const index = this.#index;
    if (index === null) return;
    for (const { path, before, after } of changes) {
      this.#put(index, path, after);
      if (before?.kind !== 'matter' && after?.kind !== 'matter') continue;
      // The matter decides whose tasks they are, and whether the steward may touch them.
      const now = after?.kind === 'matter' ? this.#catalogue.tasksOf(after).map((task) => task.path) : [];
      for (const task of new Set([...index.under(path), ...now]))
        this.#put(index, task, this.#catalogue.get(task) ?? null);
    }
  }

  #put(index: TargetIndex, path: string, record: VaultRecord | null): void {
    index.remove(path);
    this.#add(index, record);
  }

  #built(): TargetIndex {
    const index = new TargetIndex();
    for (const matter of this.#catalogue.each('matter')) this.#add(index, matter);
    for (const task of this.#catalogue.each('task')) this.#add(index, task);
    return index;
  }

  #add(index: TargetIndex, record: VaultRecord | null): void {
    const candidate = record === null ? null : this.#candidate(record);
    if (candidate !== null) index.add(candidate);
  }

  #candidate(record: VaultRecord): TargetCandidate | null {
    if (record.kind !== 'matter' && record.kind !== 'task') return null;
    const { fields } = record;
    const matter = record.kind === 'task' ? this.#catalogue.matterOf(record) : null;
    if (!fields.steward || matter?.fields.steward === false) return null;
    return {
      kind: record.kind,
      path: record.path,
      name: record.name,
      matterPath: matter?.path ?? null,
      aliases: fields.aliases,
      senders: fields.senders,
      keywords: fields.keywords,
      summary: (record.kind === 'matter' ? record.fields.summary : record.fields.current_state) ?? '',
      state: fields.state,
      ...(record.kind === 'task' ? datesAndPayment(record.fields) : {}),
    };
  }
}

function datesAndPayment({
  due,
  scheduled,
  payment,
}: TaskRecord['fields']): Pick<TargetCandidate, 'due' | 'scheduled' | 'payment'> {
  return { due, scheduled, payment };
}
