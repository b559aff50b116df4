import type { BatchAnswer, ExtractionBatch } from '../../model/extractor/extraction-batch.ts';
import { ProviderError } from '../../model/provider/provider-error.ts';
import type { ExtractionQuestion } from '../../steward/ports/extractor.ts';
import {
  type BatchEntry,
  type BatchState,
  emptyBatch,
  LONGEST_BATCH_MS,
  withoutEntry,
} from '../../stream/batch-state.ts';
import { sha256 } from '../../vault/hash.ts';
import { backOff, isHeldOff } from '../budget/provider-backoff.ts';
import { recordUnanswered, recordUsage, releaseCost, reserveFor } from '../budget/reservation.ts';
import type { Context, ModelAccess, Problems, Workspace } from '../context/ports.ts';
import { reportFailure } from '../decide/evaluator-choice.ts';
import { matterOf, questionFor, type Waits } from './extract-signals.ts';
import { batchesOf } from './extractor-choice.ts';
import { type EventStream, openStream } from './opened-stream.ts';
import { readAnswered, type StreamResult } from './stream-file.ts';

/** So many files at least make a batch, and so many at most go into one. */
export const LEAST_IN_BATCH = 10;
export const MOST_IN_BATCH = 100;
/** Under this name a failure to hear of a batch stands among the faults. */
const BATCH_FAULT = 'model-batch';

/** The files that a model is to be asked about, by path, with those that are already open; null: to be opened. */
export type Backlog = ReadonlyMap<string, EventStream | null>;

interface Asked {
  readonly entry: BatchEntry;
  readonly question: ExtractionQuestion;
}

/** What came of one file of a batch; null where it is to be asked about alone. */
interface Answered {
  readonly entry: BatchEntry;
  readonly answer: BatchAnswer | null;
}

/** The batch that may be put now: the settings ask for one, the server takes it, and none is under way; else null. */
export function batchFor(space: ModelAccess): ExtractionBatch | null {
  const {
    context: { settings, state },
    models: { extractor },
  } = space;
  if (!settings.model_batch || !extractor.asksModel || state.get('batch').entries.length > 0) return null;
  const batch = isHeldOff(space.context) ? null : batchesOf(space, settings.model_extraction);
  return batch?.isOffered(space.context.now()) ? batch : null;
}

/**
 * Puts files to the provider as one batch, as many as the budget has room for, and gives those that are in it: none where
 * they are too few, or the provider took none.
 */
export async function putBatch(space: Workspace, files: Backlog, abort: AbortSignal): Promise<readonly BatchEntry[]> {
  const batch = batchFor(space);
  if (batch === null) return [];
  const asked = await askedOf(space, batch, files);
  const entries = asked.map(({ entry }) => entry);
  if (entries.length >= LEAST_IN_BATCH) return (await put(space.context, batch, asked, abort)) ? entries : [];
  releaseAll(space.context, entries);
  return [];
}

/** What came of the batch, file by file; null where there is none, while it is under way, or while nobody can be asked about it. */
export async function answersOf(space: ModelAccess, abort: AbortSignal): Promise<readonly Answered[] | null> {
  const state = space.context.state.get('batch');
  if (state.entries.length === 0) return null;
  // Without an id: the program ended while it was being put, and nobody knows whether it was.
  if (state.id === null || space.context.now() - state.at >= LONGEST_BATCH_MS) return lost(space.problems, state);
  const batch = batchesOf(space, state.model);
  if (batch === null || isHeldOff(space.context)) return null;
  try {
    const replies = await batch.look(state.id, space.context.now(), abort);
    space.problems.faults.delete(BATCH_FAULT);
    if (replies === 'unknown') return lost(space.problems, state);
    return replies && state.entries.map((entry) => answered(space.context, batch, state, entry, replies));
  } catch (error) {
    if (abort.aborted) return null;
    if (!(error instanceof ProviderError)) throw error;
    if (error.retryAfter !== undefined) backOff(space.context, error.retryAfter);
    reportFailure(space, BATCH_FAULT, error);
    return null;
  }
}

/** Reads a file by its answer, if it still has those bytes, and lets go of it; null where it must be asked about alone. */
export async function takeIn(space: Workspace, { entry, answer }: Answered): Promise<StreamResult | Waits | null> {
  const { extracted = null, usage = null } = answer ?? {};
  const result = extracted === null ? null : await readAnswered(space, entry.file, entry.sha256, extracted);
  recordUsage(space.context, entry.reservation, usage);
  space.context.state.set('batch', withoutEntry(space.context.state.get('batch'), entry));
  return result;
}

async function askedOf(space: Workspace, batch: ExtractionBatch, files: Backlog): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const [file, known] of [...files].slice(0, MOST_IN_BATCH)) {
    const opened = known ?? (await openStream(space, file));
    const question = opened?.kind === 'event' ? questionFor(space, opened.event) : null;
    if (opened === null || question === null) continue;
    const cost = reserveFor(space.context, matterOf(space.ingest, question), batch.estimate(question));
    if (!cost.ok) continue;
    const candidates = question.candidates.map(({ path }) => path);
    asked.push({ entry: { file, sha256: opened.form.sha256, candidates, reservation: cost.id }, question });
  }
  return asked;
}

// Remembered before it is put: what is on its way is asked about by nobody else.
async function put(
  context: Context,
  batch: ExtractionBatch,
  asked: readonly Asked[],
  abort: AbortSignal,
): Promise<boolean> {
  const at = context.now();
  const entries = asked.map(({ entry }) => entry);
  const state = { id: null, at, model: context.settings.model_extraction, prompt: batch.prompt, entries };
  remember(context, state);
  try {
    const questions = new Map(asked.map(({ entry, question }) => [nameOf(entry), question]));
    const id = await batch.put(questions, at, abort);
    remember(context, id === null ? emptyBatch() : { ...state, id });
    if (id === null) releaseAll(context, entries);
    return id !== null;
  } catch (error) {
    remember(context, emptyBatch());
    if (!abort.aborted && !(error instanceof ProviderError)) throw error;
    notPut(context, error, entries);
    return false;
  }
}

// Nothing is said of it: the same files are asked about alone now, and that says it if it is still so.
function notPut(context: Context, error: unknown, entries: readonly BatchEntry[]): void {
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

// What was set aside stays so: it may have cost something.
function lost(problems: Problems, { entries }: BatchState): Answered[] {
  problems.faults.delete(BATCH_FAULT);
  return entries.map((entry) => ({ entry, answer: null }));
}

function releaseAll(context: Context, entries: readonly BatchEntry[]): void {
  for (const { reservation } of entries) releaseCost(context, reservation);
}

function remember(context: Context, state: BatchState): void {
  context.state.set('batch', state);
  context.state.save('batch');
}

/** The name of a question in its batch: one for one file in one form. */
function nameOf({ file, sha256: bytes }: BatchEntry): string {
  return sha256(`${file}\0${bytes}`);
}
