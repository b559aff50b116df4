import type { Workspace } from '../context/ports.ts';
import { RetryQueue } from '../runtime/retry-queue.ts';
import { answersOf, batchFor, LEAST_IN_BATCH, putBatch, takeIn } from './batch-extraction.ts';
import { questionFor, type Waits } from './extract-signals.ts';
import { EXTRACTION_FAULT } from './extractor-choice.ts';
import { openStream, readStream, type StreamResult, waitForBatch } from './stream-file.ts';

/** How many files a model is asked about at once: not all the places there are, so that a judgement finds one. */
const AT_ONCE = 2;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** No limit lasts longer: a moment further off was said by a clock that ran ahead. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/**
 * Reads stream files in the order they come, each once. Those that a model is asked about go beside the others, so that
 * no answer that is long in coming holds up a file that needs none; those that must wait for a model stand in
 * `space.heldStreams`. A backlog of them may be asked about as one batch (`batch.ts`).
 */
export class StreamQueue {
  readonly #space: Workspace;
  readonly #reading: RetryQueue;
  readonly #asking: RetryQueue;
  readonly #batching: RetryQueue;
  readonly #abort = new AbortController();
  readonly #queued = new Set<string>();
  /** Those of them that a model is to be asked about. */
  readonly #backlog = new Set<string>();
  readonly #underWay = new Map<string, Promise<StreamResult | Waits | null>>();

  constructor(space: Workspace) {
    this.#space = space;
    this.#reading = new RetryQueue(space);
    this.#asking = new RetryQueue(space, AT_ONCE);
    this.#batching = new RetryQueue(space);
  }

  /** Queues a file, unless it stands in the queue: what cannot be answered would be asked once for each time. */
  add(file: string): void {
    if (this.#queued.has(file)) return;
    this.#queued.add(file);
    this.#reading.add(`stream ${file}`, file, async () => {
      if (await this.#needsModel(file)) this.#await(file);
      else await this.#take(file);
    });
  }

  /** Reads a file now, or waits for the reading of it that is under way. */
  async read(file: string): Promise<StreamResult | Waits | null> {
    const known = this.#underWay.get(file);
    if (known !== undefined) return known;
    const mine = readStream(this.#space, file, this.#abort.signal);
    this.#underWay.set(file, mine);
    try {
      const result = await mine;
      this.#follow(file, result);
      return result;
    } finally {
      this.#underWay.delete(file);
    }
  }

  /** Tries again what failed, and what has waited for long enough. */
  retry(): void {
    this.#reading.retry();
    this.#asking.retry();
    this.#batching.retry();
    this.#batching.add('batch', this.#space.vault.layout.folders.stream, () => this.#takeIn());
    const now = this.#space.context.now();
    for (const [file, { at }] of this.#space.ingest.waiting) {
      if (at <= now || at > now + LONGEST_WAIT_MS) this.#again(file);
    }
  }

  /** Tries again whatever waits for a model: it may answer again, or the settings name another. */
  resume(): void {
    for (const file of this.#space.ingest.waiting.keys()) this.#again(file);
  }

  async drained(): Promise<void> {
    await this.#reading.drained();
    await this.#batching.drained();
    await this.#reading.drained();
    await this.#batching.drained();
    await this.#asking.drained();
    await this.#reading.drained();
  }

  /** Ends what is under way: a question is aborted, and its file left unread. */
  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all([this.#reading.close(), this.#asking.close(), this.#batching.close()]);
  }

  async #needsModel(file: string): Promise<boolean> {
    if (!this.#space.models.extractor.asksModel) return false;
    const opened = await openStream(this.#space, file);
    if (opened?.kind !== 'event' || waitForBatch(this.#space.context, file, opened.seen.sha256) !== null) return false;
    return questionFor(this.#space, opened.event) !== null;
  }

  async #take(file: string): Promise<void> {
    this.#queued.delete(file);
    await this.read(file);
  }

  // Where a batch may be put, once those that came with it have been looked at: only then is it known how many they are.
  #await(file: string): void {
    if (batchFor(this.#space) === null) {
      this.#ask(file);
      return;
    }
    this.#backlog.add(file);
    this.#reading.add(`backlog ${file}`, file, async () => this.#deal(file));
  }

  #deal(file: string): void {
    if (!this.#backlog.has(file)) return;
    if (this.#backlog.size < LEAST_IN_BATCH || batchFor(this.#space) === null) {
      this.#ask(file);
      return;
    }
    const files = [...this.#backlog];
    this.#backlog.clear();
    this.#batching.add('backlog', file, () => this.#putBatch(files));
  }

  /** Asks about a file alone, when its turn comes; it may have gone into a batch until then. */
  #ask(file: string): void {
    this.#queued.add(file);
    this.#backlog.add(file);
    this.#asking.add(`stream ${file}`, file, async () => {
      if (!this.#backlog.delete(file)) return;
      try {
        await this.#take(file);
      } catch (error) {
        this.#backlog.add(file);
        throw error;
      }
    });
  }

  async #putBatch(files: readonly string[]): Promise<void> {
    const entries = await putBatch(this.#space, files, this.#abort.signal);
    for (const { file, sha256 } of entries) {
      this.#queued.delete(file);
      const waits = waitForBatch(this.#space.context, file, sha256);
      if (waits !== null) this.#hold(file, waits);
    }
    const put = new Set(entries.map(({ file }) => file));
    for (const file of files) if (!put.has(file)) this.#ask(file);
  }

  // Reads what the batch under way has been answered, if it has ended.
  async #takeIn(): Promise<void> {
    const answers = await answersOf(this.#space, this.#abort.signal);
    for (const answered of answers ?? []) {
      const { file } = answered.entry;
      const result = await takeIn(this.#space, answered);
      this.#follow(file, result);
      if (result?.kind === 'waits') this.add(file);
      else if (result === null) this.#ask(file);
    }
    // There may be room in the budget again.
    if (answers !== null) this.resume();
  }

  #again(file: string): void {
    if (this.#space.vault.streams.has(file)) this.add(file);
    else this.#space.ingest.waiting.delete(file);
  }

  #follow(file: string, result: StreamResult | Waits | null): void {
    const {
      ingest: { waiting: held },
      problems: { faults },
    } = this.#space;
    if (result?.kind === 'waits') {
      this.#hold(file, result);
      return;
    }
    held.delete(file);
    // Its fault is gone once the model has answered: then so has every reason to wait for that.
    if (faults.has(EXTRACTION_FAULT)) return;
    for (const [other, { untilAnswer }] of [...held]) if (untilAnswer) this.#again(other);
  }

  #hold(file: string, { reason, until }: Waits): void {
    if (this.#abort.signal.aborted) return;
    const {
      ingest: { waiting: held },
    } = this.#space;
    const now = this.#space.context.now();
    const tries = (held.get(file)?.tries ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
    held.set(file, { reason, tries, at: until ?? now + pause, untilAnswer: until === null });
  }
}
