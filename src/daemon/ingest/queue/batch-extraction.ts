import type { BatchAnswer, ExtractionBatch } from '../../../model/extractor/extraction-batch.ts';
import { ProviderError } from '../../../model/provider/provider-error.ts';
import type { ExtractionQuestion } from '../../../steward/ports/extractor.ts';
import {
  type BatchEntry,
  type BatchState,
  emptyBatch,
  LONGEST_BATCH_MS,
  withoutEntry,
} from '../../../stream/batch-state.ts';
import { sha256 } from '../../../vault/hash.ts';
import { backOff, isHeldOff } from '../../budget/provider-backoff.ts';
import { questionRoom } from '../../budget/question-door.ts';
import { recordUnanswered, recordUsage, releaseCost, reserveFor } from '../../budget/reservation.ts';
import type { Context, ModelAccess, Problems, Workspace } from '../../context/ports.ts';
import { reportFailure } from '../../decide/evaluator-choice.ts';
import { matterOf, questionFor, type Waits } from '../extract-signals.ts';
import { batchesOf } from '../extractor-choice.ts';
import type { EventStream } from '../opened.ts';
import { isUnread, openStream } from '../opened-stream.ts';
import { readAnswered, type StreamResult } from '../stream-file.ts';

/** The fewest and the most files of one batch, which takes a place with the rate guard for each of its questions. */
export const LEAST_IN_BATCH = 10;
export const MOST_IN_BATCH = 100;
/** The key among the faults for a batch whose results cannot be fetched. */
const BATCH_FAULT = 'model-batch';

/** The files that a model is to be asked about, by path, with those that are already open; null: to be opened. */
export type Backlog = ReadonlyMap<string, EventStream | null>;

interface Asked {
  readonly entry: BatchEntry;
  readonly question: ExtractionQuestion;
}

/** One file of a batch and its answer; null where the file must be asked about alone. */
interface Answered {
  readonly entry: BatchEntry;
  readonly answer: BatchAnswer | null;
}

/**
 * Returns the batch that may be put now, or null: the settings ask for one, the server takes it, there is room for its
 * questions, and none is under way.
 */
export function batchFor(space: ModelAccess): ExtractionBatch | null {
  const {
    context: { settings, state },
    models: { extractor },
  } = space;
  if (!settings.model_batch || !extractor.asksModel || state.get('batch').entries.length > 0) return null;
  const hasRoom = questionRoom(space.context) >= LEAST_IN_BATCH;
  const batch = hasRoom ? batchesOf(space, settings.model_extraction) : null;
  return batch?.isOffered(space.context.now()) ? batch : null;
}

/**
 * Puts files to the provider as one batch, as many as the rate guard and the budget have room for, and returns those that are in it: none
 * where they are too few, or the provider refused the batch.
 */
export async function putBatch(space: Workspace, files: Backlog, abort: AbortSignal): Promise<readonly BatchEntry[]> {
  const batch = batchFor(space);
  if (batch === null) return [];
  const asked = await questionsFor(space, batch, files);
  const entries = asked.map(({ entry }) => entry);
  if (entries.length >= LEAST_IN_BATCH) return (await put(space.context, batch, asked, abort)) ? entries : [];
  releaseAll(space.context, entries);
  return [];
}

/**
 * Returns what came of the batch, file by file; null where there is none, while it runs, or while the provider cannot
 * be asked.
 */
export async function batchAnswers(space: ModelAccess, abort: AbortSignal): Promise<readonly Answered[] | null> {
  const state = space.context.state.get('batch');
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
 * where it must be asked about alone.
 */
export async function readBatched(space: Workspace, { entry, answer }: Answered): Promise<StreamResult | Waits | null> {
  const { extracted = null, usage = null } = answer ?? {};
  const result = extracted === null ? null : await readAnswered(space, entry.file, entry.sha256, extracted);
  recordUsage(space.context, entry.reservation, usage);
  space.context.state.set('batch', withoutEntry(space.context.state.get('batch'), entry));
  return result;
}

async function questionsFor(space: Workspace, batch: ExtractionBatch, files: Backlog): Promise<Asked[]> {
  const asked: Asked[] = [];
  const most = Math.min(MOST_IN_BATCH, questionRoom(space.context));
  for (const [file, known] of [...files].slice(0, most)) {
    const opened = known ?? (await openStream(space, file));
    if (opened?.kind !== 'event' || !isUnread(space, file, opened)) continue;
    const question = questionFor(space, opened.event);
    if (question === null) continue;
    const cost = reserveFor(space.context, matterOf(space, question), batch.estimate(question));
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
  asked: readonly Asked[],
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
): Answered {
  const name = nameOf(entry);
  if (replies.has(name)) return { entry, answer: batch.read(replies.get(name), entry.candidates, prompt) };
  releaseCost(context, entry.reservation);
  return { entry, answer: null };
}

// What was set aside stays set aside: the batch may have cost something.
function withoutAnswers(problems: Problems, { entries }: BatchState): Answered[] {
  problems.faults.delete(BATCH_FAULT);
  return entries.map((entry) => ({ entry, answer: null }));
}

function releaseAll(context: Context, entries: readonly BatchEntry[]): void {
  for (const { reservation } of entries) releaseCost(context, reservation);
}

function saveBatch(context: Context, state: BatchState): void {
  context.state.set('batch', state);
  context.state.save('batch');
}

/** The name of a question in its batch: one for each file and its bytes. */
function nameOf({ file, sha256: bytes }: BatchEntry): string {
  return sha256(`${file}\0${bytes}`);
}
