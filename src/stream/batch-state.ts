import { z } from 'zod';

/** A batch is answered within a day; an older one is lost. */
export const LONGEST_BATCH_MS = 25 * 60 * 60 * 1000;

const entry = z.lazy(() =>
  z.object({
    /** The stream file, and its bytes as they were asked about. */
    file: z.string(),
    sha256: z.string(),
    /** The paths of the notes given with the question. A reply refers to them by their position. */
    candidates: z.array(z.string()),
    /** The id of the budget reservation for it, if there is one. */
    reservation: z.number().int().nullable(),
  }),
);
export type BatchEntry = z.infer<typeof entry>;

/** `.steward/state/batch.json`: the questions sent to the provider as one batch. Without entries there is no batch. */
export const batchState = z.lazy(() =>
  z.object({
    /** The provider's id for it; null until it is known. */
    id: z.string().nullable(),
    /** When it was sent (epoch ms). */
    at: z.number(),
    model: z.string(),
    /** The version of the prompt. */
    prompt: z.string(),
    entries: z.array(entry),
  }),
);
export type BatchState = z.infer<typeof batchState>;

/** Returns the state without a batch. */
export function emptyBatch(): BatchState {
  return { id: null, at: 0, model: '', prompt: '', entries: [] };
}

/** Returns whether the batch asks about a file with this content. */
export function isInBatch({ entries }: BatchState, file: string, sha256: string): boolean {
  return entries.some((one) => one.file === file && one.sha256 === sha256);
}

/** Returns the batch without a file that is done. Without its last file, there is no batch. */
export function withoutEntry(state: BatchState, { file }: BatchEntry): BatchState {
  const entries = state.entries.filter((one) => one.file !== file);
  return entries.length === 0 ? emptyBatch() : { ...state, entries };
}
