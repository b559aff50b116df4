import type { z } from 'zod';
import type { Usage } from '../steward/ports/evaluator.ts';
import { ask, FIRST_MODE, type MessageRequest, mostTokens, paramsOf } from './messages.ts';
import type { Provider } from './provider/provider.ts';
import { ProviderError } from './provider/provider-error.ts';
import { type Read, readReply, replyOf, TOO_LONG } from './reply.ts';
import { type Price, Tally, usageOf } from './tally.ts';

/** A generous estimate of the tokens that the schema takes. */
const SCHEMA_TOKENS = 1000;

/** A brief question leaves this fraction of the room for its answer. */
const BRIEF_DIVISOR = 4;

/** Which model to ask, and what it costs. */
export interface ModelSetup {
  readonly model: string;
  /** Null where no price is known. */
  readonly price: Price | null;
}

/** What a model is asked, the schema of its answer, and what follows from it. */
export interface Inquiry<Said, Result> {
  /** The same for every inquiry of its kind, the stable part first. */
  readonly system: readonly string[];
  /** The schema and its name. An answer is parsed before anything else sees it. */
  readonly name: string;
  readonly schema: z.ZodType<Said>;
  /** Returns the question. `brief`: where the model found the full question too long. */
  readonly question: (brief: boolean) => string;
  /** Returns what to add to the question after an unusable reply. `reason`: in the program's own words. */
  readonly again: (reason: string) => string;
  /** Returns what follows from a reply that fits the schema, or why it is still unusable. */
  readonly conclude: (said: Said) => Read<Result>;
  /** Enough for a reply and for what a model thinks before it. */
  readonly maxTokens: number;
  /** Epoch ms. */
  readonly now: number;
}

/** The result of an inquiry, and what all its requests took. */
interface InquiryResult<Result> {
  readonly read: Read<Result>;
  readonly usage: Usage;
}

/** One model that answers by a schema. */
export class Model {
  readonly id: string;
  readonly #provider: Provider;
  readonly #price: Price | null;

  constructor(provider: Provider, { model, price }: ModelSetup) {
    this.id = model;
    this.#provider = provider;
    this.#price = price;
  }

  /** Asks once, and once more if the reply is unusable. Throws `ProviderError` if there is no reply. */
  async inquire<Said, Result>(inquiry: Inquiry<Said, Result>, abort: AbortSignal): Promise<InquiryResult<Result>> {
    const tally = new Tally();
    const once = (request: MessageRequest<Said>) => this.#ask(request, inquiry, tally, abort);
    try {
      const request = firstRequest(this.id, inquiry);
      const first = await once(request);
      const isFinal = first.ok || first.again === 'never';
      const read = isFinal ? first : await once(secondRequest(request, inquiry, first));
      return { read, usage: tally.usage(this.id, this.#price) };
    } catch (error) {
      throw tally.after(error, this.id, this.#price);
    }
  }

  /** Returns the most that one request can take. */
  estimate<Said, Result>({ system, question, maxTokens }: Inquiry<Said, Result>): Usage {
    const asked = [...system, question(false)].join('');
    const tokensIn = mostTokens(asked) + SCHEMA_TOKENS;
    return usageOf(this.id, { tokensIn, tokensOut: maxTokens }, this.#price);
  }

  /** Returns the parameters of the first request, for a batch. */
  requestFor<Said, Result>(inquiry: Inquiry<Said, Result>) {
    return paramsOf(firstRequest(this.id, inquiry), FIRST_MODE);
  }

  /** Returns the result of a response to that request; null where it is no reply of the Messages API. */
  resultOf<Said, Result>(
    { schema, conclude }: Pick<Inquiry<Said, Result>, 'schema' | 'conclude'>,
    response: unknown,
  ): InquiryResult<Result> | null {
    const reply = replyOf(response);
    if (reply === null) return null;
    const said = readReply(reply, schema, FIRST_MODE);
    return { read: said.ok ? conclude(said.value) : said, usage: usageOf(this.id, reply, this.#price) };
  }

  async #ask<Said, Result>(
    request: MessageRequest<Said>,
    { conclude }: Inquiry<Said, Result>,
    tally: Tally,
    abort: AbortSignal,
  ): Promise<Read<Result>> {
    try {
      const read = await ask(this.#provider, request, tally, abort);
      return read.ok ? conclude(read.value) : read;
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'too-long') return TOO_LONG;
      throw error;
    }
  }
}

function firstRequest<Said, Result>(model: string, inquiry: Inquiry<Said, Result>): MessageRequest<Said> {
  const { system, name, schema, question, maxTokens, now } = inquiry;
  return { model, system, name, schema, question: [question(false)], maxTokens, now };
}

/**
 * The second request: with more room if the reply was cut off, in brief if the question was too long. On some servers
 * question and answer share one limit, so a brief question also gets a shorter answer.
 */
function secondRequest<Said, Result>(
  request: MessageRequest<Said>,
  { question, again }: Inquiry<Said, Result>,
  read: Extract<Read<Result>, { ok: false }>,
): MessageRequest<Said> {
  const { maxTokens } = request;
  if (read.again === 'briefer') return { ...request, maxTokens: maxTokens / BRIEF_DIVISOR, question: [question(true)] };
  const stricter = { ...request, question: [question(false), again(read.reason)] };
  return read.again === 'roomier' ? { ...stricter, maxTokens: 2 * maxTokens } : stricter;
}
