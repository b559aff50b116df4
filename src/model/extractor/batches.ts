import type { Anthropic as Sdk } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { Provider, Requested } from '../provider/provider.ts';
import { ProviderError, unavailable } from '../provider/provider-error.ts';

/** The statuses of a server that has no such address. */
const NO_SUCH = [404, 405, 501];

const batch = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  processing_status: z.string(),
});

const result = z.object({
  custom_id: z.string(),
  result: z.object({ type: z.string(), message: z.unknown().optional() }),
});

type Requests = Parameters<Sdk['messages']['batches']['create']>[0]['requests'];

/** The reply to each request that was answered, by the request's own name, as it came. */
export type BatchReplies = ReadonlyMap<string, unknown>;

/**
 * Puts many requests as one batch, and gives the provider's name for it; null where this server takes none. Throws
 * `ProviderError`.
 */
export async function createBatch(
  provider: Provider,
  asked: Requested,
  requests: Requests,
  abort: AbortSignal,
): Promise<string | null> {
  const answered = await provider
    .request(asked, abort, (sdk, signal) => sdk.messages.batches.create({ requests }, { signal }).catch(unlessNoSuch))
    .catch(refused);
  return answered === null ? null : batchOf(answered, asked).id;
}

/** What came of a batch: null while it is under way, `unknown` where the provider knows it no longer. Throws `ProviderError`. */
export async function lookAtBatch(
  provider: Provider,
  asked: Requested,
  id: string,
  abort: AbortSignal,
): Promise<BatchReplies | 'unknown' | null> {
  const found = await provider.request(asked, abort, (sdk, signal) =>
    sdk.messages.batches.retrieve(id, {}, { signal }).catch(unlessNoSuch),
  );
  if (found === null) return 'unknown';
  if (batchOf(found, asked).processing_status !== 'ended') return null;
  const lines = await provider.request(asked, abort, (sdk, signal) => linesOf(sdk, id, signal).catch(unlessNoSuch));
  return lines === null ? 'unknown' : repliesIn(lines);
}

// By its own address, not by the one that the batch names: whoever is asked is sent the key.
async function linesOf(sdk: Sdk, id: string, signal: AbortSignal): Promise<string> {
  const answered = await sdk.get(`/v1/messages/batches/${id}/results`, { signal }).asResponse();
  return answered.text();
}

function batchOf(answered: unknown, { model }: Requested): z.infer<typeof batch> {
  const parsed = batch.safeParse(answered);
  if (!parsed.success) throw unavailable(model, '(what answered is not the Message Batches API)', true);
  return parsed.data;
}

/** One line a request, in any order. A line that cannot be read leaves its request without a reply. */
function repliesIn(lines: string): BatchReplies {
  return new Map(lines.split('\n').flatMap(replyIn));
}

function replyIn(line: string): [string, unknown][] {
  try {
    const parsed = result.safeParse(JSON.parse(line));
    if (!parsed.success || parsed.data.result.type !== 'succeeded') return [];
    return [[parsed.data.custom_id, parsed.data.result.message]];
  } catch {
    return [];
  }
}

// Caught before it is taken for a model that is not known, which would be left alone for a while.
function unlessNoSuch(error: unknown): null {
  if (error instanceof Error && 'status' in error && NO_SUCH.includes(Number(error.status))) return null;
  throw error;
}

function refused(error: unknown): null {
  if (error instanceof ProviderError && error.failure === 'rejected') return null;
  throw error;
}
