import type { ModelAccess, Workspace } from '../daemon/context.ts';
import { type Awaiting, RetryQueue } from '../daemon/queue.ts';
import { earliest, type Timers } from '../daemon/timers.ts';
import { questionRoom } from '../steward/spending.ts';
import { parseItemPath, streamFilePath } from '../vault/layout.ts';
import { type ModelWait, questionFor, waitForRoom } from './extract.ts';
import { type EventStream, type ItemStream, type ItemTaker, mayGoOn, type OpenedStream } from './items.ts';
import { listSignals, openStream, readMany, readOpened, type StreamResult } from './read-stream.ts';
import { EXTRACTION_FAULT, STREAMS } from './state.ts';

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** How soon files that wait for room are looked at again: with those for which it is then. */
const SHORTEST_PAUSE_MS = 1_000;
/** No limit lasts longer: a later moment comes from a clock that ran ahead. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** The stream files that wait for a model, and when each is tried again. */
class WaitingStreams {
  readonly #space: ModelAccess & Pick<Workspace, 'ingest'>;
  readonly #timers: Timers;
  readonly #tryAgain: (file: string) => void;
  /** When the files that wait for room are next looked at (epoch ms). */
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(space: ModelAccess & Pick<Workspace, 'ingest'>, timers: Timers, tryAgain: (file: string) => void) {
    this.#space = space;
    this.#timers = timers;
    this.#tryAgain = tryAgain;
  }

  /** Lets a file wait: until a moment, or until a pause that grows with each try is over. */
  wait(file: string, { reason, until, window }: ModelWait): void {
    const { waiting } = this.#space.ingest;
    const now = this.#space.context.now();
    const tries = (waiting.get(file)?.tries ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
    waiting.set(file, { reason, tries, at: until ?? now + pause, untilAnswer: until === null, window });
    if (window !== null && until !== null) this.#wakeAt(until);
  }

  /**
   * Tries again what has waited for long enough. Of those that wait for room only as many are tried as there is room for:
   * the others would be opened in vain.
   */
  retry(): void {
    const { context, ingest } = this.#space;
    const now = context.now();
    let room = questionRoom(context);
    for (const [file, { at, window }] of ingest.waiting) {
      if (at > now && at <= now + LONGEST_WAIT_MS) continue;
      if (window !== null) room -= 1;
      if (window === null || room >= 0) this.#tryAgain(file);
    }
    if (room < 0) this.#wakeAt(waitForRoom(context)?.until ?? now);
  }

  // One timer for all that wait for room. A clock that was moved since makes no difference: each minute they are looked at.
  #wakeAt(at: number): void {
    const now = this.#space.context.now();
    const soonest = Math.max(at, now + SHORTEST_PAUSE_MS);
    if (this.#wakesAt > now && this.#wakesAt <= soonest) return;
    this.#wakesAt = soonest;
    this.#timers.at(soonest, () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.retry();
    });
  }
}

/** How many files a model is asked about at once: fewer than the provider takes, so that a judgement finds a place. */
const AT_ONCE = 2;

/**
 * Reads stream files in the order they come, each once. Questions to a model go through a queue of their own: a slow
 * answer delays no file that needs no answer. Files that must wait for a model are listed in `space.ingest.waiting`.
 *
 * Each file is opened when its turn in the reading queue comes, and handed on to its reader: at once if no model is
 * needed, and to the asking queue if that has room. Of every other file that waits, only the path is kept, and it is
 * opened again when it is asked about. Before signals are written, the bytes on disk are compared with those that were
 * opened.
 */
export class StreamQueue {
  readonly #space: Workspace;
  readonly #reading: RetryQueue;
  /** Files that contain many events: a long one doesn't block other files. */
  readonly #many: RetryQueue;
  readonly #asking: RetryQueue;
  readonly #queues: readonly RetryQueue[];
  readonly #abort = new AbortController();
  readonly #queued = new Set<string>();
  readonly #underWay = new Map<string, Promise<StreamResult | ModelWait | null>>();
  /** The callers that receive the progress of the reading of a file. */
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
    this.#queues = [this.#reading, this.#many, this.#asking];
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
      // Queued again in the meantime, it may have changed: it is opened in its next turn.
      if (this.#queued.has(file)) return;
      if (this.#needsModel(opened)) this.#ask(file, opened);
      else if (opened?.kind === 'items') {
        this.#many.add(`stream ${file}`, file, async () => void (await this.#readOnce(file, async () => opened)));
      } else await this.#readOnce(file, async () => opened);
    });
  }

  /**
   * Reads a file now, or waits for the reading of it that is under way. `onProgress` receives the progress of the
   * reading of a file that contains many events.
   */
  async read(file: string, onProgress: ItemTaker['onProgress'] = () => {}): Promise<StreamResult | ModelWait | null> {
    const listeners = this.#listeners.get(file) ?? new Set();
    this.#listeners.set(file, listeners.add(onProgress));
    try {
      return await this.#readOnce(file, () => openStream(this.#space, file));
    } finally {
      listeners.delete(onProgress);
      if (listeners.size === 0) this.#listeners.delete(file);
    }
  }

  /** The number of the piece of reading that has run for longest; null if no reading runs. */
  get oldest(): number | null {
    return this.#reading.oldest;
  }

  /** Tries again what failed, and what has waited for long enough. */
  retry(): void {
    for (const queue of this.#queues) queue.retry();
    this.#waiting.retry();
  }

  /** Tries again every file that waits for a model: it may answer again, or the settings name another. */
  resume(): void {
    for (const file of this.#space.ingest.waiting.keys()) this.#addAgain(file);
  }

  /** When the next queued piece of work is due (epoch ms): now if one is under way, null if the queue is empty. */
  next(awaiting: Awaiting): number | null {
    if (this.#underWay.size > 0) return awaiting.now;
    return earliest(this.#queues.map((queue) => queue.next(awaiting)));
  }

  /** Resolves when every file that was queued has been read, or waits for a model. */
  async idle(): Promise<void> {
    const [reading, many] = [this.#reading, this.#many];
    for (const queue of [reading, many, reading, many, this.#asking, reading]) await queue.idle();
  }

  /** Ends what is under way: questions are aborted, and their files stay unread. */
  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#queues.map((queue) => queue.close()));
  }

  #needsModel(opened: OpenedStream | null): opened is EventStream {
    if (!this.#space.models.extractor.asksModel || opened?.kind !== 'event') return false;
    return questionFor(this.#space, opened.event) !== null;
  }

  async #readOnce(file: string, open: () => Promise<OpenedStream | null>): Promise<StreamResult | ModelWait | null> {
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

  async #readFrom(file: string, open: () => Promise<OpenedStream | null>): Promise<StreamResult | ModelWait | null> {
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
    if (!this.#needsModel(opened)) return listSignals(await this.#readOnce(path, async () => opened));
    this.#ask(path, opened);
    return [];
  }

  #again(path: string): readonly string[] {
    if (!this.#space.ingest.waiting.has(path) && !this.#underWay.has(path)) this.add(path);
    return [];
  }

  /** Asks about a file when its turn comes. */
  #ask(file: string, opened: EventStream): void {
    this.#queued.add(file);
    let known = this.#asking.hasRoom ? opened : null;
    this.#asking.add(`stream ${file}`, file, async () => {
      this.#queued.delete(file);
      const full = known === null ? this.#waitsForRoom() : null;
      if (full !== null) return this.#wait(file, full);
      try {
        await this.#readOnce(file, async () => known ?? (await openStream(this.#space, file)));
      } catch (error) {
        known = null;
        throw error;
      }
    });
  }

  // Then it need not be opened again in order to wait.
  #waitsForRoom(): ModelWait | null {
    const { context } = this.#space;
    return context.settings.evaluator_fallback === 'wait' ? waitForRoom(context) : null;
  }

  // A file that is being asked about is still among those that wait: its answer is on the way.
  #tryAgain(file: string): void {
    if (!this.#underWay.has(file)) this.#addAgain(file);
  }

  #addAgain(file: string): void {
    const { streams } = this.#space.vault;
    if (streams.has(file) || streams.has(streamFilePath(file))) this.add(file);
    else this.#space.ingest.waiting.delete(file);
  }

  #finish(file: string, result: StreamResult | ModelWait | null): void {
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
    // As soon as the model answers again, its fault is gone: files that waited for that go on.
    if (faults.has(EXTRACTION_FAULT)) return;
    for (const [other, { untilAnswer }] of [...waiting]) if (untilAnswer) this.#tryAgain(other);
  }

  // The reading of a file pauses while many of its events wait.
  #goOn(path: string): void {
    const item = parseItemPath(path);
    const read = item === null ? undefined : this.#space.context.state.get(STREAMS)[item.file];
    if (item !== null && read !== undefined && mayGoOn(read) && !this.#underWay.has(item.file)) this.add(item.file);
  }

  #wait(file: string, waits: ModelWait): void {
    if (!this.#abort.signal.aborted) this.#waiting.wait(file, waits);
  }
}
