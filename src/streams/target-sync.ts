import type { IndexAccess, Targets, Workspace } from '../daemon/context.ts';
import { storedReader, TaskBook, type Tiers, type TrainedReader } from '../reading/learnt.ts';
import { type TargetCandidate, TargetIndex } from '../reading/targets.ts';
import { pastAnswers, standingChanges } from '../steward/sender.ts';
import type { PastAnswer, StandingChange, StreamEvent } from '../steward/types.ts';
import type { Catalogue } from '../vault/index.ts';
import type { MatterRecord, TaskRecord, VaultRecord } from '../vault/record.ts';
import type { RecordChange } from '../vault/vault.ts';
import { eventSource } from './signal.ts';

/** Returns the notes that a stream event could be about. From the first call on they follow the vault. */
export function syncTargets({ vault, ingest, context }: Pick<Workspace, 'vault' | 'ingest' | 'context'>): Targets {
  ingest.targets ??= new TargetSync({ vault, context });
  return ingest.targets;
}

/** How many changed notes wait at most until the index is used. */
const MAX_PENDING = 500;

/**
 * The index of what signals could be about. Built when the first stream file is read, so that a vault without streams never
 * pays for it; brought up to date when the next one is read, so that an answer or an undo doesn't.
 */
class TargetSync implements Targets {
  readonly #space: IndexAccess;
  readonly #catalogue: Catalogue;
  #index: TargetIndex | null = null;
  #isPreparing = false;
  #learnt: TrainedReader | null = null;
  #book: TaskBook | null = null;
  /** Changed notes that the index doesn't show yet, by path: whether they are or were a matter. */
  readonly #pending = new Map<string, boolean>();

  constructor(space: IndexAccess) {
    this.#space = space;
    this.#catalogue = space.vault.catalogue;
  }

  get index(): TargetIndex {
    if (this.#index === null) this.#index = this.#built();
    else this.#update(this.#index);
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

  get tiers(): Tiers {
    const { propose_from: proposeFrom, ask_from: askFrom } = this.#space.context.settings;
    return { proposeFrom, askFrom };
  }

  answers = (event: StreamEvent): readonly PastAnswer[] => pastAnswers(this.#space, eventSource(event));

  standing = (event: StreamEvent): readonly StandingChange[] => {
    const { index } = this;
    const named = event.from === null ? [] : index.listing(event.from).map(({ path }) => path);
    const notes = new Set(named.flatMap((path) => [path, ...index.under(path)]));
    return standingChanges(this.#space, eventSource(event), [...notes]);
  };

  *prepare(): Generator<void> {
    if (this.#index !== null || this.#isPreparing) return;
    this.#isPreparing = true; // later changes wait for the index
    const index = new TargetIndex();
    const notes = (['matter', 'task'] as const).flatMap((kind) => [...this.#catalogue.each(kind)]);
    for (const { path } of notes) {
      this.#add(index, this.#catalogue.get(path) ?? null);
      yield;
    }
    yield* index.prepareThings();
    this.#index ??= index;
  }

  follow(changes: readonly RecordChange[]): void {
    if (this.#index === null && !this.#isPreparing) return;
    for (const { path, before, after } of changes) {
      const isMatter = before?.kind === 'matter' || after?.kind === 'matter';
      this.#pending.set(path, isMatter || this.#pending.get(path) === true);
    }
    if (this.#index !== null && this.#pending.size > MAX_PENDING) this.#update(this.#index);
  }

  #update(index: TargetIndex): void {
    for (const [path, isMatter] of this.#pending) {
      const record = this.#catalogue.get(path) ?? null;
      this.#put(index, path, record);
      if (!isMatter) continue;
      // The matter decides whose tasks they are, and whether Steward may touch them.
      const now = record?.kind === 'matter' ? this.#catalogue.tasksOf(record).map((task) => task.path) : [];
      for (const task of new Set([...index.under(path), ...now]))
        this.#put(index, task, this.#catalogue.get(task) ?? null);
    }
    this.#pending.clear();
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
      numbers: fields.numbers,
      ...(record.kind === 'task' ? datesAndPayment(record.fields) : boxesOf(record.fields)),
    };
  }
}

function boxesOf({ open_boxes: boxes }: MatterRecord['fields']): Pick<TargetCandidate, 'boxes'> {
  return boxes === '' ? {} : { boxes };
}

function datesAndPayment({
  due,
  scheduled,
  payment,
}: TaskRecord['fields']): Pick<TargetCandidate, 'due' | 'scheduled' | 'payment'> {
  return { due, scheduled, payment };
}
