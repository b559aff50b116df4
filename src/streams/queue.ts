import type { Context, ModelAccess, Workspace } from '../daemon/context.ts';
import { type Awaiting, RetryQueue } from '../daemon/queue.ts';
import { earliest, type Timers } from '../daemon/timers.ts';
import { reportFailure } from '../providers/choice.ts';
import { type BatchAnswer, ExtractionBatch } from '../providers/extractor.ts';
import { ProviderError } from '../providers/provider.ts';
import { priceUnder } from '../steward/prices.ts';
import {
  backOff,
  isHeldOff,
  questionRoom,
  recordUnanswered,
  recordUsage,
  releaseCost,
  reserveFor,
} from '../steward/spending.ts';
import type { ExtractionQuestion } from '../steward/types.ts';
import type { Problems } from '../steward/workspace.ts';
import { parseItemPath, streamFilePath } from '../vault/layout.ts';
import { sha256 } from '../vault/note-text.ts';
import { type ModelWait, questionFor, questionMatter, waitForRoom } from './extract.ts';
import { type EventStream, type ItemStream, type ItemTaker, mayGoOn, type OpenedStream } from './items.ts';
import {
  isUnread,
  listSignals,
  openStream,
  readAnswered,
  readMany,
  readOpened,
  type StreamResult,
  waitForBatch,
} from './read-stream.ts';
import {
  BATCH,
  type BatchEntry,
  type BatchState,
  EXTRACTION_FAULT,
  emptyBatch,
  LONGEST_BATCH_MS,
  STREAMS,
  withoutEntry,
} from './state.ts';

/** The fewest and the most files of one batch, which takes a place with the rate guard for each of its questions. */
const LEAST_IN_BATCH = 10;
const MOST_IN_BATCH = 100;
/** The key among the faults for a batch whose results cannot be fetched. */
const BATCH_FAULT = 'model-batch';

/** The files that a model is to be asked about, by path, with those that are already open; null: to be opened. */
type Backlog = ReadonlyMap<string, EventStream | null>;

interface BatchQuestion {
  readonly entry: BatchEntry;
  readonly question: ExtractionQuestion;
}

/** One file of a batch and its answer; null if the file must be asked about alone. */
interface BatchResult {
  readonly entry: BatchEntry;
  readonly answer: BatchAnswer | null;
}

/**
 * Returns the batch that may be put now, or null: the settings ask for one, the server takes it, there is room for its
 * questions, and none is under way.
 */
function batchFor(space: ModelAccess): ExtractionBatch | null {
  const {
    context: { settings, state },
    models: { extractor },
  } = space;
  if (!settings.model_batch || !extractor.asksModel || state.get(BATCH).entries.length > 0) return null;
  const hasRoom = questionRoom(space.context) >= LEAST_IN_BATCH;
  const batch = hasRoom ? batchesOf(space, settings.model_extraction) : null;
  return batch?.isOffered(space.context.now()) ? batch : null;
}

/** Returns a model as it is asked in batches; null without a key. */
function batchesOf(
  { context: { settings }, models: { provider } }: Pick<Workspace, 'context' | 'models'>,
  model: string,
): ExtractionBatch | null {
  return provider === null ? null : new ExtractionBatch(provider, { model, price: priceUnder(settings, model) });
}

/**
 * Sends files to the provider as one batch, as many as the rate guard and the budget have room for. Returns those that
 * are in it: empty if they are too few, or the provider refused the batch.
 */
async function putBatch(space: Workspace, files: Backlog, abort: AbortSignal): Promise<readonly BatchEntry[]> {
  const batch = batchFor(space);
  if (batch === null) return [];
  const asked = await questionsFor(space, batch, files);
  const entries = asked.map(({ entry }) => entry);
  if (entries.length >= LEAST_IN_BATCH) return (await put(space.context, batch, asked, abort)) ? entries : [];
  releaseAll(space.context, entries);
  return [];
}

/**
 * Returns the results of the batch, file by file; null without a batch, while it runs, or while the provider cannot be
 * asked.
 */
async function batchAnswers(space: ModelAccess, abort: AbortSignal): Promise<readonly BatchResult[] | null> {
  const state = space.context.state.get(BATCH);
  if (state.entries.length === 0) return null;
  // Without an id, the program ended while it put the batch, which may or may not have arrived.
  if (state.id === null || space.context.now() - state.at >= LONGEST_BATCH_MS)
    return withoutAnswers(space.problems, state);
  const batch = batchesOf(space, state.model);
  if (batch === null || isHeldOff(space.context)) return null;
  try {
    const replies = await batch.look(state.id, space.context.now(), abort);
    space.problems.faults.delete(BATCH_FAULT);
    if (replies === 'unknown') return withoutAnswers(space.problems, state);
    return replies && state.entries.map((entry) => answered(space.context, batch, state, entry, replies));
  } catch (error) {
    if (abort.aborted) return null;
    if (!(error instanceof ProviderError)) throw error;
    if (error.retryAfter !== undefined) backOff(space.context, error.retryAfter);
    reportFailure(space, BATCH_FAULT, error);
    return null;
  }
}

/**
 * Reads a file of the batch by its answer, if it still has the same bytes, and removes it from the batch. Returns null
 * if it must be asked about alone.
 */
async function readBatched(space: Workspace, { entry, answer }: BatchResult): Promise<StreamResult | ModelWait | null> {
  const { extracted = null, usage = null } = answer ?? {};
  const result = extracted === null ? null : await readAnswered(space, entry.file, entry.sha256, extracted);
  recordUsage(space.context, entry.reservation, usage);
  space.context.state.set(BATCH, withoutEntry(space.context.state.get(BATCH), entry));
  return result;
}

async function questionsFor(space: Workspace, batch: ExtractionBatch, files: Backlog): Promise<BatchQuestion[]> {
  const asked: BatchQuestion[] = [];
  const most = Math.min(MOST_IN_BATCH, questionRoom(space.context));
  for (const [file, known] of [...files].slice(0, most)) {
    const opened = known ?? (await openStream(space, file));
    if (opened?.kind !== 'event' || !isUnread(space, file, opened)) continue;
    const question = questionFor(space, opened.event);
    if (question === null) continue;
    const cost = reserveFor(space.context, questionMatter(space, question), batch.estimate(question));
    if (!cost.ok) continue;
    const candidates = question.candidates.map(({ path }) => path);
    asked.push({ entry: { file, sha256: opened.form.sha256, candidates, reservation: cost.id }, question });
  }
  return asked;
}

// Remembered before it is put, so that no file on its way is asked about a second time.
async function put(
  context: Context,
  batch: ExtractionBatch,
  asked: readonly BatchQuestion[],
  abort: AbortSignal,
): Promise<boolean> {
  const at = context.now();
  const entries = asked.map(({ entry }) => entry);
  const state = { id: null, at, model: context.settings.model_extraction, prompt: batch.prompt, entries };
  saveBatch(context, state);
  try {
    const questions = new Map(asked.map(({ entry, question }) => [nameOf(entry), question]));
    const id = await batch.put(questions, at, abort);
    saveBatch(context, id === null ? emptyBatch() : { ...state, id });
    if (id === null) releaseAll(context, entries);
    return id !== null;
  } catch (error) {
    saveBatch(context, emptyBatch());
    if (!abort.aborted && !(error instanceof ProviderError)) throw error;
    giveUp(context, error, entries);
    return false;
  }
}

// Not reported: the same files are asked about alone now, and a failure that lasts is reported then.
function giveUp(context: Context, error: unknown, entries: readonly BatchEntry[]): void {
  if (!(error instanceof ProviderError)) {
    releaseAll(context, entries);
    return;
  }
  for (const { reservation } of entries) recordUnanswered(context, reservation, error);
  if (error.retryAfter !== undefined) backOff(context, error.retryAfter);
}

function answered(
  context: Context,
  batch: ExtractionBatch,
  { prompt }: BatchState,
  entry: BatchEntry,
  replies: ReadonlyMap<string, unknown>,
): BatchResult {
  const name = nameOf(entry);
  if (replies.has(name)) return { entry, answer: batch.read(replies.get(name), entry.candidates, prompt) };
  releaseCost(context, entry.reservation);
  return { entry, answer: null };
}

// A batch that was set aside stays set aside: it may have cost something.
function withoutAnswers(problems: Problems, { entries }: BatchState): BatchResult[] {
  problems.faults.delete(BATCH_FAULT);
  return entries.map((entry) => ({ entry, answer: null }));
}

function releaseAll(context: Context, entries: readonly BatchEntry[]): void {
  for (const { reservation } of entries) releaseCost(context, reservation);
}

function saveBatch(context: Context, state: BatchState): void {
  context.state.set(BATCH, state);
  context.state.save(BATCH);
}

/** The name of a question in its batch: one for each file and its bytes. */
function nameOf({ file, sha256: bytes }: BatchEntry): string {
  return sha256(`${file}\0${bytes}`);
}

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
 * answer delays no file that needs no answer. Files that must wait for a model are listed in `space.ingest.waiting`. If
 * the settings allow it, a backlog of questions is asked as one batch (`putBatch`).
 *
 * Each file is opened once: when its turn in the reading queue comes. Opened files are handed on to their reader: at
 * once if no model is needed, and to the asking queue if that has room. The first files of a backlog, as many as go
 * into one batch, stay open until the batch is put. Of every other file that waits, only the path is kept. It is opened
 * again when it is asked about, when a pause of minutes is over, or when its batch has been answered. Before signals
 * are written, the bytes on disk are compared with those that were opened.
 */
export class StreamQueue {
  readonly #space: Workspace;
  readonly #reading: RetryQueue;
  /** Files that contain many events: a long one doesn't block other files. */
  readonly #many: RetryQueue;
  readonly #asking: RetryQueue;
  readonly #batching: RetryQueue;
  readonly #queues: readonly RetryQueue[];
  readonly #abort = new AbortController();
  readonly #queued = new Set<string>();
  /** The queued files that a model is to be asked about; null for those that must be opened again. */
  readonly #backlog = new Map<string, EventStream | null>();
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
      // Queued again in the meantime, it may have changed: it is opened in its next turn.
      if (this.#queued.has(file)) return;
      if (this.#needsModel(file, opened)) this.#queueQuestion(file, opened);
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
    this.#batching.add('batch', this.#space.vault.layout.folders.stream, () => this.#readBatch());
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
    const [reading, many, batching] = [this.#reading, this.#many, this.#batching];
    for (const queue of [reading, many, batching, reading, many, batching, this.#asking, reading]) {
      await queue.idle();
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
    if (!this.#needsModel(path, opened)) return listSignals(await this.#readOnce(path, async () => opened));
    this.#queueQuestion(path, opened);
    return [];
  }

  #again(path: string): readonly string[] {
    if (!this.#space.ingest.waiting.has(path) && !this.#underWay.has(path)) this.add(path);
    return [];
  }

  // If a batch may be put, the decision waits until the files that came together have been opened: only then is their
  // number known.
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
  #waitsForRoom(): ModelWait | null {
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
