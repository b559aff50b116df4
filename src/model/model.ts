import type { z } from 'zod';
import type { Usage } from '../steward/ports/evaluator.ts';
import { type Asking, ask, FIRST_WAY, paramsOf } from './messages.ts';
import type { Provider } from './provider/provider.ts';
import { ProviderError } from './provider/provider-error.ts';
import { type Read, readReply, replyOf, TOO_LONG } from './reply.ts';
import { type Price, Tally, usageOf } from './tally.ts';

/** What the form of the reply takes of a request, generously. */
const SCHEMA_TOKENS = 1000;

/** By how much the room for an answer shrinks with a brief question. */
const BRIEFER = 4;

/** Which model is asked, and what is known of it. */
export interface ModelSetup {
  readonly model: string;
  /** Null where nobody has said what it costs. */
  readonly price: Price | null;
}

/** What is asked of a model, in which form it must answer, and what follows from what it says. */
export interface Inquiry<Said, Result> {
  /** The same for every inquiry of its kind, the stable part first. */
  readonly system: readonly string[];
  /** The form's name and its schema: data from a model, parsed before anybody sees it. */
  readonly name: string;
  readonly schema: z.ZodType<Said>;
  /** What is asked; `brief` where the model found the whole too long. */
  readonly question: (brief: boolean) => string;
  /** What is added where a first reply could not be used; `reason` in the program's own words. */
  readonly again: (reason: string) => string;
  /** What follows from a reply of the form, or why it cannot be used all the same. */
  readonly conclude: (said: Said) => Read<Result>;
  /** Room for a reply, and for what a model thinks before it. */
  readonly maxTokens: number;
  /** Epoch ms. */
  readonly now: number;
}

/** What came of an inquiry, and what all its askings took. */
interface Finding<Result> {
  readonly read: Read<Result>;
  readonly usage: Usage;
}

/** One model that can be asked in a form. */
export class Model {
  readonly id: string;
  readonly #provider: Provider;
  readonly #price: Price | null;

  constructor(provider: Provider, { model, price }: ModelSetup) {
    this.id = model;
    this.#provider = provider;
    this.#price = price;
  }

  /** One asking, and one more where its answer cannot be used. Throws `ProviderError` where no answer can be had. */
  async inquire<Said, Result>(inquiry: Inquiry<Said, Result>, abort: AbortSignal): Promise<Finding<Result>> {
    const tally = new Tally();
    const hear = (asking: Asking<Said>) => this.#ask(asking, inquiry, tally, abort);
    try {
      const asking = askingOf(this.id, inquiry);
      const first = await hear(asking);
      const done = first.ok || first.again === 'never';
      const read = done ? first : await hear(askedAgain(asking, inquiry, first));
      return { read, usage: tally.usage(this.id, this.#price) };
    } catch (error) {
      throw tally.after(error, this.id, this.#price);
    }
  }

  /** At most what one asking takes; no script needs more than a token for three bytes. */
  estimate<Said, Result>({ system, question, maxTokens }: Inquiry<Said, Result>): Usage {
    const asked = [...system, question(false)].join('');
    const tokensIn = Math.ceil(Buffer.byteLength(asked) / 3) + SCHEMA_TOKENS;
    return usageOf(this.id, { tokensIn, tokensOut: maxTokens }, this.#price);
  }

  /** The request that the first asking makes, for a batch. */
  request<Said, Result>(inquiry: Inquiry<Said, Result>) {
    return paramsOf(askingOf(this.id, inquiry), FIRST_WAY);
  }

  /** What follows from a reply to that request, and what it took; null where it is no reply of the Messages API. */
  hear<Said, Result>(
    { schema, conclude }: Pick<Inquiry<Said, Result>, 'schema' | 'conclude'>,
    answered: unknown,
  ): Finding<Result> | null {
    const reply = replyOf(answered);
    if (reply === null) return null;
    const said = readReply(reply, schema, FIRST_WAY);
    return { read: said.ok ? conclude(said.value) : said, usage: usageOf(this.id, reply, this.#price) };
  }

  async #ask<Said, Result>(
    asking: Asking<Said>,
    { conclude }: Inquiry<Said, Result>,
    tally: Tally,
    abort: AbortSignal,
  ): Promise<Read<Result>> {
    try {
      const read = await ask(this.#provider, asking, tally, abort);
      return read.ok ? conclude(read.value) : read;
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'too-long') return TOO_LONG;
      throw error;
    }
  }
}

function askingOf<Said, Result>(model: string, inquiry: Inquiry<Said, Result>): Asking<Said> {
  const { system, name, schema, question, maxTokens, now } = inquiry;
  return { model, system, name, schema, question: [question(false)], maxTokens, now };
}

/**
 * The second asking: with more room where the reply was cut off, in brief where the question was too long. Some servers
 * have one room for both, so that a brief question leaves a brief answer room as well.
 */
function askedAgain<Said, Result>(
  asking: Asking<Said>,
  { question, again }: Inquiry<Said, Result>,
  read: Extract<Read<Result>, { ok: false }>,
): Asking<Said> {
  const { maxTokens } = asking;
  if (read.again === 'briefer') return { ...asking, maxTokens: maxTokens / BRIEFER, question: [question(true)] };
  const stricter = { ...asking, question: [question(false), again(read.reason)] };
  return read.again === 'roomier' ? { ...stricter, maxTokens: 2 * maxTokens } : stricter;
}
