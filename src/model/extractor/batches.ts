import type { Anthropic as Sdk } from '@anthropic-ai/sdk';
import { z } from 'zod';
import { jsonOf } from '../json-in-text.ts';
import type { Provider, Requested } from '../provider/provider.ts';
import { nullIfRejected, unavailable } from '../provider/provider-error.ts';

/** The HTTP statuses of a server without such an address. */
const NO_SUCH = [404, 405, 501];

const batch = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  processing_status: z.string(),
});

const result = z.lazy(() =>
  z.object({
    custom_id: z.string(),
    result: z.object({ type: z.string(), message: z.unknown().optional() }),
  }),
);

type Requests = Parameters<Sdk['messages']['batches']['create']>[0]['requests'];

/** The unparsed reply to each request that was answered, by the request's id. */
export type BatchReplies = ReadonlyMap<string, unknown>;

/** Sends many requests as one batch. Returns the batch's id; null where this server takes none. Throws `ProviderError`. */
export async function createBatch(
  provider: Provider,
  asked: Requested,
  requests: Requests,
  abort: AbortSignal,
): Promise<string | null> {
  const response = await provider
    .request(asked, abort, (sdk, signal) => sdk.messages.batches.create({ requests }, { signal }).catch(unlessNoSuch))
    .catch(nullIfRejected);
  return response === null ? null : batchOf(response, asked).id;
}

/** Returns a batch's replies; null while it is running, `unknown` where the provider no longer knows it. Throws `ProviderError`. */
export async function lookAtBatch(
  provider: Provider,
  asked: Requested,
  id: string,
  abort: AbortSignal,
): Promise<BatchReplies | 'unknown' | null> {
  const response = await provider.request(asked, abort, (sdk, signal) =>
    sdk.messages.batches.retrieve(id, {}, { signal }).catch(unlessNoSuch),
  );
  if (response === null) return 'unknown';
  if (batchOf(response, asked).processing_status !== 'ended') return null;
  const lines = await provider.request(asked, abort, (sdk, signal) => linesOf(sdk, id, signal).catch(unlessNoSuch));
  return lines === null ? 'unknown' : repliesIn(lines);
}

// Uses our own address, not the one in the batch, because the request carries the key.
async function linesOf(sdk: Sdk, id: string, signal: AbortSignal): Promise<string> {
  const response = await sdk.get(`/v1/messages/batches/${id}/results`, { signal }).asResponse();
  return response.text();
}

function batchOf(response: unknown, { model }: Requested): z.infer<typeof batch> {
  const parsed = batch.safeParse(response);
  if (!parsed.success) throw unavailable(model, '(what answered is not the Message Batches API)', true);
  return parsed.data;
}

/** One line per request, in any order. If a line cannot be read, its request has no reply. */
function repliesIn(lines: string): BatchReplies {
  return new Map(lines.split('\n').flatMap(replyIn));
}

function replyIn(line: string): [string, unknown][] {
  const parsed = result.safeParse(jsonOf(line));
  if (!parsed.success || parsed.data.result.type !== 'succeeded') return [];
  return [[parsed.data.custom_id, parsed.data.result.message]];
}

// Caught here, before the provider takes it for an unknown model and starts a cooldown.
function unlessNoSuch(error: unknown): null {
  if (error instanceof Error && 'status' in error && NO_SUCH.includes(Number(error.status))) return null;
  throw error;
}
