import type { z } from 'zod';
import type { Provider } from './provider.ts';
import { unavailable } from './provider-error.ts';
import { type Read, readReply, replyOf } from './reply.ts';

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

/** One reply as read, and what it took. */
export interface Answer<T> {
  readonly read: Read<T>;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** One reply to one question. Throws `ProviderError`. */
export async function ask<T>(provider: Provider, asking: Asking<T>, abort: AbortSignal): Promise<Answer<T>> {
  const { zodOutputFormat } = await import('@anthropic-ai/sdk/helpers/zod');
  const answered = await provider.request(asking, abort, (sdk, signal) =>
    // Not `parse`, which throws at a reply that was cut off or refused, and says neither why nor what it cost.
    sdk.messages.create(
      {
        model: asking.model,
        max_tokens: asking.maxTokens,
        system: prefix(asking.system),
        messages: [{ role: 'user', content: textBlocks(asking.question) }],
        output_config: { format: zodOutputFormat(asking.schema) },
      },
      { signal },
    ),
  );
  const reply = replyOf(answered);
  if (reply === null) throw notMessages(asking.model);
  return { read: readReply(reply, asking.schema), tokensIn: reply.tokensIn, tokensOut: reply.tokensOut };
}

/** What a server is told off for that answers in another form than the Messages API's; it may have cost something. */
export function notMessages(model: string) {
  return unavailable(model, '(what answered is not the Messages API)', true);
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
