import type { APIError, ClientOptions, Anthropic as Sdk } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { ProviderAccess } from './api-key.ts';
import { failureOfStatus, ProviderError, stopped, unavailable } from './provider-error.ts';
import { type Read, type Reply, readReply } from './reply.ts';

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

const count = z
  .number()
  .int()
  .min(0)
  .nullish()
  .transform((value) => value ?? 0);

/** A message as it comes over the network. A proxy in between may answer anything. */
const message = z.object({
  type: z.literal('message'),
  stop_reason: z.string(),
  content: z.array(z.union([z.object({ type: z.literal('text'), text: z.string() }), z.object({ type: z.string() })])),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
});

const TOO_LONG = /too long|too large|context window|exceeds? the (?:maximum|limit)/i;

/**
 * The Messages API through the provider's own library, which is loaded when it is first needed. One request, no retry:
 * how long to wait is the rate guard's to know. Every failure is a `ProviderError`.
 */
export class Messages {
  readonly #access: ProviderAccess;
  readonly #patienceMs: number;
  #loaded: Promise<Sdk> | null = null;

  constructor(access: ProviderAccess, patienceMs: number) {
    this.#access = access;
    this.#patienceMs = patienceMs;
  }

  /** One reply to one question. Throws `ProviderError`. */
  async ask<T>(asking: Asking<T>, abort: AbortSignal): Promise<Answer<T>> {
    const { zodOutputFormat } = await import('@anthropic-ai/sdk/helpers/zod');
    const answered = await this.#called(asking, abort, (sdk, signal) =>
      // Not `parse`, which throws at a reply that was cut off or refused, and says neither why nor what it cost.
      sdk.messages.create(
        {
          model: asking.model,
          max_tokens: asking.maxTokens,
          system: prefix(asking.system),
          messages: [{ role: 'user', content: asking.question.map((text) => ({ type: 'text' as const, text })) }],
          output_config: { format: zodOutputFormat(asking.schema) },
        },
        { signal },
      ),
    );
    const parsed = message.safeParse(answered);
    if (!parsed.success) throw unavailable(asking.model, '(what answered is not the Messages API)', true);
    const reply = replyOf(parsed.data);
    return { read: readReply(reply, asking.schema), tokensIn: reply.tokensIn, tokensOut: reply.tokensOut };
  }

  /** Whether the provider answers for this key and model; costs nothing. Throws `ProviderError` where it does not. */
  async probe(model: string, now: number, abort: AbortSignal): Promise<void> {
    await this.#called({ model, now }, abort, (sdk, signal) => sdk.models.retrieve(model, {}, { signal }));
  }

  async #called<Answer>(
    { model, now }: Pick<Asking<unknown>, 'model' | 'now'>,
    abort: AbortSignal,
    call: (sdk: Sdk, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    if (abort.aborted) throw stopped(model);
    const sdk = await this.#sdk();
    const patience = AbortSignal.timeout(this.#patienceMs);
    try {
      return await heeding(AbortSignal.any([abort, patience]), (signal) => call(sdk, signal));
    } catch (error) {
      if (abort.aborted) throw stopped(model);
      if (patience.aborted) throw unavailable(model, `(no whole reply within ${this.#patienceMs / 1000} s)`, true);
      throw failureOf(error, model, now);
    }
  }

  #sdk(): Promise<Sdk> {
    this.#loaded ??= load(this.#access, this.#patienceMs);
    return this.#loaded;
  }
}

async function load({ key, baseUrl }: ProviderAccess, patienceMs: number): Promise<Sdk> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const options: ClientOptions = {
    apiKey: key.reveal(),
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: patienceMs,
    // Nothing of a request, its key or its text reaches a log or a trace, whatever the environment asks for.
    logLevel: 'off',
    openTelemetry: false,
  };
  return new Anthropic(options);
}

/** The signal holds for the reply's body as well, and ends the waiting even where the connection does not heed it. */
async function heeding<Answer>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The stable part, kept by the provider where it is long enough for that; what is shorter is simply not kept. */
function prefix(texts: readonly string[]) {
  return texts.map((text, index) => ({
    type: 'text' as const,
    text,
    ...(index === texts.length - 1 ? { cache_control: { type: 'ephemeral' as const } } : {}),
  }));
}

function replyOf({ content, stop_reason, usage }: z.infer<typeof message>): Reply {
  return {
    text: content.map((block) => ('text' in block ? block.text : '')).join(''),
    stopReason: stop_reason,
    tokensIn: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    tokensOut: usage.output_tokens,
  };
}

function failureOf(error: unknown, model: string, now: number): ProviderError {
  if (error instanceof ProviderError) return error;
  const { status, headers, apiMessage } = error as Partial<APIError>;
  if (typeof status !== 'number') return unavailable(model, '(the connection failed)', error instanceof SyntaxError);
  const retryAfter = headers?.get('retry-after') ?? null;
  return failureOfStatus(model, { status, retryAfter, tooLong: TOO_LONG.test(apiMessage ?? '') }, now);
}
