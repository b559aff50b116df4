import { z } from 'zod';
import { FORM_TOOL, inWords } from './prompts/form.ts';
import type { OutputMode } from './provider/output-modes.ts';
import type { Provider } from './provider/provider.ts';
import { ProviderError, unavailable } from './provider/provider-error.ts';
import { type Read, type Reply, readReply, replyOf } from './reply.ts';
import type { Tally } from './tally.ts';

/** A request for one reply of a form: the same beginning for every question of its kind, then what is asked. */
export interface Asking<T> {
  readonly model: string;
  readonly system: readonly string[];
  readonly question: readonly string[];
  /** The form's name and its schema: the model is held to it by the provider, and its reply checked against it here. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly maxTokens: number;
  /** Epoch ms. */
  readonly now: number;
}

/** The way that is tried first with a server that is not known yet. */
export const FIRST_WAY = 'structured output' satisfies OutputMode;
/** The ways that a server must support, in the order in which they are tried. */
const HELD_BY_SERVER: readonly OutputMode[] = [FIRST_WAY, 'a forced tool'];
const IN_TEXT: OutputMode = 'JSON in the text';

/**
 * The answer to one question, in the way that is known to work with this model and server, or else in the first that does.
 * A server that refuses the form of a request, or ignores it, leads to the next way; nothing else does. What each reply
 * took is added to the tally. Throws `ProviderError`.
 */
export async function ask<T>(
  provider: Provider,
  asking: Asking<T>,
  tally: Tally,
  abort: AbortSignal,
): Promise<Read<T>> {
  const once = (way: OutputMode) => askIn(way, provider, asking, tally, abort);
  const known = provider.ways.of(asking.model);
  if (known !== null) return once(known);
  for (const way of HELD_BY_SERVER) {
    const read = await once(way).catch(refused);
    if (read?.ok) provider.ways.learn(asking.model, way);
    if (read !== null && (read.ok || read.again !== 'stricter')) return read;
  }
  const read = await once(IN_TEXT);
  provider.ways.learn(asking.model, IN_TEXT); // also where it went wrong: no other way is left
  return read;
}

function refused(error: unknown): null {
  if (error instanceof ProviderError && error.failure === 'rejected') return null;
  throw error;
}

async function askIn<T>(
  way: OutputMode,
  provider: Provider,
  asking: Asking<T>,
  tally: Tally,
  abort: AbortSignal,
): Promise<Read<T>> {
  const params = await paramsOf(asking, way);
  // Not `parse`, which throws at a reply that was cut off or refused, and says neither why nor what it cost.
  const reply = await provider.request(asking, abort, async (sdk, signal) =>
    replied(asking.model, await sdk.messages.create(params, { signal })),
  );
  tally.add(reply);
  return readReply(reply, asking.schema, way);
}

/** The request for a reply, in one way of asking. */
export async function paramsOf<T>({ name, schema, ...asking }: Asking<T>, way: OutputMode) {
  const params = {
    model: asking.model,
    max_tokens: asking.maxTokens,
    system: prefix(asking.system),
    messages: [{ role: 'user' as const, content: textBlocks(asking.question) }],
  };
  switch (way) {
    case 'structured output': {
      const { zodOutputFormat } = await import('@anthropic-ai/sdk/helpers/zod');
      return { ...params, output_config: { format: zodOutputFormat(schema) } };
    }
    case 'a forced tool': {
      const tool = { type: 'custom' as const, name, description: FORM_TOOL, input_schema: objectSchema(schema) };
      return { ...params, tools: [tool], tool_choice: { type: 'tool' as const, name } };
    }
    case 'JSON in the text':
      return { ...params, system: prefix([...asking.system, inWords(z.toJSONSchema(schema))]) };
  }
}

// A form is an object: the library's type asks for its word.
function objectSchema(schema: z.ZodType) {
  return { ...z.toJSONSchema(schema), type: 'object' as const };
}

/**
 * The reply in what a server answered. Throws `ProviderError` where it answers otherwise than the Messages API does: within
 * the request, so that such a server is left in peace too. The question may have cost something.
 */
export function replied(model: string, answered: unknown): Reply {
  const reply = replyOf(answered);
  if (reply === null) throw unavailable(model, '(what answered is not the Messages API)', true);
  return reply;
}

/** The stable part, kept by the provider where it is long enough for that; what is shorter is simply not kept. */
export function prefix(texts: readonly string[]) {
  return textBlocks(texts).map((block, index) => ({
    ...block,
    ...(index === texts.length - 1 ? { cache_control: { type: 'ephemeral' as const } } : {}),
  }));
}

export function textBlocks(texts: readonly string[]) {
  return texts.map((text) => ({ type: 'text' as const, text }));
}
