import { itemIn, streamFileOf } from '../../../vault/notes/stream-path.ts';
import type { Workspace } from '../../context/ports.ts';
import { earliest } from '../../runtime/earliest.ts';
import { type Awaiting, RetryQueue } from '../../runtime/retry-queue.ts';
import type { Timers } from '../../runtime/timers.ts';
import { questionFor, type Waits, waitForRoom } from '../extract-signals.ts';
import { EXTRACTION_FAULT } from '../extractor-choice.ts';
import { type ItemTaker, mayGoOn } from '../items/read-items.ts';
import type { EventStream, ItemStream, OpenedStream } from '../opened.ts';
import { openStream } from '../opened-stream.ts';
import { readMany, readOpened, type StreamResult, signalsIn, waitForBatch } from '../stream-file.ts';
import {
  type Backlog,
  batchAnswers,
  batchFor,
  LEAST_IN_BATCH,
  MOST_IN_BATCH,
  putBatch,
  readBatched,
} from './batch-extraction.ts';
import { WaitingStreams } from './waiting-streams.ts';

/** How many files a model is asked about at once: fewer than the provider takes, so that a judgement finds a place. */
const AT_ONCE = 2;

/**
 * Reads stream files in the order they come, each once. Questions to a model go through a queue of their own, so that a
 * slow answer delays no file that needs none; files that must wait for a model are listed in `space.ingest.waiting`.
 * Where the settings allow it, a backlog of questions is asked as one batch (`batch-extraction.ts`).
 *
 * Each file is opened once: when its turn in the reading queue comes. What was opened is handed on to whoever reads it:
 * at once where no model is needed, and to the asking queue where that has room. The first files of a backlog, as many
 * as go into one batch, stay open until the batch is put. Of every other file that waits, only the path is kept: it is
 * opened again when it is asked about, when a pause of minutes is over, or when its batch has been answered. Before
 * signals are written, the bytes on disk are compared with those that were opened.
 */
export class StreamQueue {
  readonly #space: Workspace;
  readonly #reading: RetryQueue;
  /** Files that hold many events: a long one holds up no other file. */
  readonly #many: RetryQueue;
  readonly #asking: RetryQueue;
  readonly #batching: RetryQueue;
  readonly #queues: readonly RetryQueue[];
  readonly #abort = new AbortController();
  readonly #queued = new Set<string>();
  /** The queued files that a model is to be asked about; null for those that must be opened again. */
  readonly #backlog = new Map<string, EventStream | null>();
  readonly #underWay = new Map<string, Promise<StreamResult | Waits | null>>();
  /** Who is told how far the reading of a file is, whoever began it. */
  readonly #listeners = new Map<string, Set<ItemTaker['onProgress']>>();
  readonly #waiting: WaitingStreams;
  readonly #onRead: () => void;

  /** `onRead` is called when a file has been read. */
  constructor(space: Workspace, timers: Timers, onRead: () => void = () => {}) {
    this.#space = space;
    this.#onRead = onRead;
    this.#waiting = new WaitingStreams(space, timers, (file) => this.#tryAgain(file));
    this.#reading = new RetryQueue(space);
    this.#many = new RetryQueue(space);
    this.#asking = new RetryQueue(space, AT_ONCE);
    this.#batching = new RetryQueue(space);
    this.#queues = [this.#reading, this.#many, this.#asking, this.#batching];
  }

  /**
   * Queues a file, unless it is queued already: a question that cannot be answered is asked once, not for each call.
   */
  add(file: string): void {
    if (this.#queued.has(file)) return;
    this.#queued.add(file);
    this.#reading.add(`stream ${file}`, file, async () => {
      this.#queued.delete(file);
      const opened = await openStream(this.#space, file);
      // Queued again meanwhile, it may have changed: it is opened when its next turn comes.
      if (this.#queued.has(file)) return;
      if (this.#needsModel(file, opened)) this.#queueQuestion(file, opened);
      else if (opened?.kind === 'items') {
        this.#many.add(`stream ${file}`, file, async () => void (await this.#readOnce(file, async () => opened)));
      } else await this.#readOnce(file, async () => opened);
    });
  }

  /**
   * Reads a file now, or waits for the reading of it that is under way. `onProgress` is told how far the reading of a file
   * that holds many events is.
   */
  async read(file: string, onProgress: ItemTaker['onProgress'] = () => {}): Promise<StreamResult | Waits | null> {
    const listeners = this.#listeners.get(file) ?? new Set();
    this.#listeners.set(file, listeners.add(onProgress));
    try {
      return await this.#readOnce(file, () => openStream(this.#space, file));
    } finally {
      listeners.delete(onProgress);
      if (listeners.size === 0) this.#listeners.delete(file);
    }
  }

  /** The number of the piece of reading that has run for longest; null where none runs. */
  get oldest(): number | null {
    return this.#reading.oldest;
  }

  /** Tries again what failed, and what has waited for long enough. */
  retry(): void {
    for (const queue of this.#queues) queue.retry();
    this.#batching.add('batch', this.#space.vault.layout.folders.stream, () => this.#readBatch());
    this.#waiting.retry();
  }

  /** Tries again every file that waits for a model: it may answer again, or the settings name another. */
  resume(): void {
    for (const file of this.#space.ingest.waiting.keys()) this.#addAgain(file);
  }

  /** When the next of what is queued is done (epoch ms): now while it is, null where nothing is. */
  restsUntil(awaiting: Awaiting): number | null {
    if (this.#underWay.size > 0) return awaiting.now;
    return earliest(this.#queues.map((queue) => queue.restsUntil(awaiting)));
  }

  /** Resolves when every file that was queued has been read, or waits for a model. */
  async drained(): Promise<void> {
    const [reading, many, batching] = [this.#reading, this.#many, this.#batching];
    for (const queue of [reading, many, batching, reading, many, batching, this.#asking, reading]) {
      await queue.drained();
    }
  }

  /** Ends what is under way: questions are aborted, and their files stay unread. */
  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#queues.map((queue) => queue.close()));
  }

  #needsModel(file: string, opened: OpenedStream | null): opened is EventStream {
    if (!this.#space.models.extractor.asksModel || opened?.kind !== 'event') return false;
    if (waitForBatch(this.#space.context, file, opened.form) !== null) return false;
    return questionFor(this.#space, opened.event) !== null;
  }

  async #readOnce(file: string, open: () => Promise<OpenedStream | null>): Promise<StreamResult | Waits | null> {
    const known = this.#underWay.get(file);
    if (known !== undefined) return known;
    const mine = this.#readFrom(file, open);
    this.#underWay.set(file, mine);
    try {
      const result = await mine;
      this.#finish(file, result);
      return result;
    } finally {
      this.#underWay.delete(file);
    }
  }

  async #readFrom(file: string, open: () => Promise<OpenedStream | null>): Promise<StreamResult | Waits | null> {
    const opened = await open();
    if (opened?.kind === 'items') return this.#readMany(opened);
    return readOpened(this.#space, file, opened, this.#abort.signal);
  }

  async #readMany(stream: ItemStream): Promise<StreamResult | null> {
    const { signal: abort } = this.#abort;
    try {
      return await readMany(this.#space, stream, {
        take: (opened) => this.#take(opened),
        again: async (path) => this.#again(path),
        onProgress: (progress) => {
          for (const hear of this.#listeners.get(stream.file) ?? []) hear?.(progress);
        },
        abort,
      });
    } catch (error) {
      if (abort.aborted) return null; // it is read on from there at the next start
      throw error;
    }
  }

  async #take(opened: EventStream): Promise<readonly string[]> {
    const { path } = opened.event;
    if (!this.#needsModel(path, opened)) return signalsIn(await this.#readOnce(path, async () => opened));
    this.#queueQuestion(path, opened);
    return [];
  }

  #again(path: string): readonly string[] {
    if (!this.#space.ingest.waiting.has(path) && !this.#underWay.has(path)) this.add(path);
    return [];
  }

  // Where a batch may be put, the decision waits until the files that came together have been opened: only then is
  // their number known.
  #queueQuestion(file: string, opened: EventStream): void {
    if (batchFor(this.#space) === null) {
      this.#ask(file, opened);
      return;
    }
    this.#queued.add(file);
    this.#backlog.set(file, this.#backlog.size < MOST_IN_BATCH ? opened : null);
    this.#reading.add(`backlog ${file}`, file, async () => this.#batchOrAsk(file));
  }

  #batchOrAsk(file: string): void {
    const opened = this.#backlog.get(file);
    if (opened === undefined) return;
    if (this.#backlog.size < LEAST_IN_BATCH || batchFor(this.#space) === null) {
      this.#ask(file, opened);
      return;
    }
    const files = new Map(this.#backlog);
    this.#backlog.clear();
    this.#batching.add(`batch of ${file}`, file, () => this.#putBatch(files));
  }

  /** Asks about a file alone when its turn comes. Until then a batch may take it. */
  #ask(file: string, opened: EventStream | null): void {
    this.#queued.add(file);
    this.#backlog.set(file, this.#asking.hasRoom ? opened : null);
    this.#asking.add(`stream ${file}`, file, async () => {
      const known = this.#backlog.get(file);
      if (known === undefined) return;
      this.#backlog.delete(file);
      this.#queued.delete(file);
      const full = known === null ? this.#waitsForRoom() : null;
      if (full !== null) return this.#wait(file, full);
      try {
        await this.#readOnce(file, async () => known ?? (await openStream(this.#space, file)));
      } catch (error) {
        this.#backlog.set(file, null);
        throw error;
      }
    });
  }

  // Then it need not be opened again in order to wait.
  #waitsForRoom(): Waits | null {
    const { context } = this.#space;
    return context.settings.evaluator_fallback === 'wait' ? waitForRoom(context) : null;
  }

  async #putBatch(files: Backlog): Promise<void> {
    const entries = await putBatch(this.#space, files, this.#abort.signal);
    for (const entry of entries) {
      this.#queued.delete(entry.file);
      const waits = waitForBatch(this.#space.context, entry.file, entry);
      if (waits !== null) this.#wait(entry.file, waits);
    }
    const put = new Set(entries.map(({ file }) => file));
    for (const [file, opened] of files) if (!put.has(file)) this.#ask(file, opened);
  }

  // Reads the files of the batch under way by its answers, if it has ended.
  async #readBatch(): Promise<void> {
    const answers = await batchAnswers(this.#space, this.#abort.signal);
    for (const answered of answers ?? []) {
      const { file } = answered.entry;
      const result = await readBatched(this.#space, answered);
      this.#finish(file, result);
      if (result?.kind === 'waits') this.add(file);
      else if (result === null) this.#ask(file, null);
    }
    // There may be room in the budget again.
    if (answers !== null) this.resume();
  }

  // A file that is being asked about still stands among those that wait: its answer is on the way.
  #tryAgain(file: string): void {
    if (!this.#underWay.has(file)) this.#addAgain(file);
  }

  #addAgain(file: string): void {
    const { streams } = this.#space.vault;
    if (streams.has(file) || streams.has(streamFileOf(file))) this.add(file);
    else this.#space.ingest.waiting.delete(file);
  }

  #finish(file: string, result: StreamResult | Waits | null): void {
    const {
      ingest: { waiting },
      problems: { faults },
    } = this.#space;
    if (result?.kind === 'waits') {
      this.#wait(file, result);
      return;
    }
    waiting.delete(file);
    this.#onRead();
    this.#goOn(file);
    // The model has answered as soon as its fault is gone: nothing that waited for that has to wait any longer.
    if (faults.has(EXTRACTION_FAULT)) return;
    for (const [other, { untilAnswer }] of [...waiting]) if (untilAnswer) this.#tryAgain(other);
  }

  // The reading of a file pauses while many of its events wait.
  #goOn(path: string): void {
    const item = itemIn(path);
    const read = item === null ? undefined : this.#space.context.state.get('streams')[item.file];
    if (item !== null && read !== undefined && mayGoOn(read) && !this.#underWay.has(item.file)) this.add(item.file);
  }

  #wait(file: string, waits: Waits): void {
    if (!this.#abort.signal.aborted) this.#waiting.wait(file, waits);
  }
}
