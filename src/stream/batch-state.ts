import { z } from 'zod';

/** A batch is answered within a day; one that is older has been lost. */
export const LONGEST_BATCH_MS = 25 * 60 * 60 * 1000;

const entry = z.object({
  /** The stream file, and its bytes as they were asked about. */
  file: z.string(),
  sha256: z.string(),
  /** The paths of the notes that were given, in their order: a reply calls them by their place. */
  candidates: z.array(z.string()),
  /** What was set aside for it of the budget. */
  reservation: z.number().int().nullable(),
});
export type BatchEntry = z.infer<typeof entry>;

/** `.steward/state/batch.json`: the questions that were put to the provider as one batch; without entries there is none. */
export const batchState = z.object({
  /** The provider's name for it; null until it is known. */
  id: z.string().nullable(),
  /** When it was put (epoch ms). */
  at: z.number(),
  model: z.string(),
  /** The version of the prompt. */
  prompt: z.string(),
  entries: z.array(entry),
});
export type BatchState = z.infer<typeof batchState>;

export function emptyBatch(): BatchState {
  return { id: null, at: 0, model: '', prompt: '', entries: [] };
}

/** Whether a file is asked about in the batch, in the bytes that it has now. */
export function isInBatch({ entries }: BatchState, file: string, sha256: string): boolean {
  return entries.some((one) => one.file === file && one.sha256 === sha256);
}

/** The batch without a file that has been seen to; without its last, there is none. */
export function withoutEntry(state: BatchState, { file }: BatchEntry): BatchState {
  const entries = state.entries.filter((one) => one.file !== file);
  return entries.length === 0 ? emptyBatch() : { ...state, entries };
}
