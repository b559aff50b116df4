import type { z } from 'zod';
import type { Usage } from '../vault/records/verdict.ts';
import { type Answer, type Asking, ask } from './messages.ts';
import { type Price, usageOf } from './price.ts';
import type { Provider } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import { type Read, TOO_LONG } from './reply.ts';

/** What the form of the reply takes of a request, generously. */
const SCHEMA_TOKENS = 1000;

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
export interface Finding<Result> {
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

  /**
   * One asking, and one more where its reply cannot be used. Throws `ProviderError` where no reply can be had, and the
   * signal's reason where it is stopped before its turn.
   */
  async inquire<Said, Result>(inquiry: Inquiry<Said, Result>, abort: AbortSignal): Promise<Finding<Result>> {
    const asking = askingOf(this.id, inquiry);
    const first = await this.#hear(asking, inquiry, abort);
    if (first.read.ok || first.read.again === 'never') return this.#finding([first]);
    const again = askedAgain(asking, inquiry, first.read);
    const second = await this.#hear(again, inquiry, abort).catch((error: unknown) => {
      throw error instanceof ProviderError ? error.afterReply() : error;
    });
    return this.#finding([first, second]);
  }

  /** At most what one asking takes; no script needs more than a token for three bytes. */
  estimate<Said, Result>({ system, question, maxTokens }: Inquiry<Said, Result>): Usage {
    const asked = [...system, question(false)].join('');
    return this.#usage(Math.ceil(Buffer.byteLength(asked) / 3) + SCHEMA_TOKENS, maxTokens);
  }

  /** Whether the provider answers for this key and model; costs nothing. Throws `ProviderError` where it does not. */
  probe(now: number, abort: AbortSignal): Promise<void> {
    return this.#provider.probe({ model: this.id, now }, abort);
  }

  async #hear<Said, Result>(
    asking: Asking<Said>,
    { conclude }: Inquiry<Said, Result>,
    abort: AbortSignal,
  ): Promise<Answer<Result>> {
    try {
      const { read, ...tokens } = await ask(this.#provider, asking, abort);
      return { read: read.ok ? conclude(read.value) : read, ...tokens };
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'too-long') return UNREAD;
      throw error;
    }
  }

  /** The last word that was heard, and what all of it took. */
  #finding<Result>(heard: readonly Answer<Result>[]): Finding<Result> {
    const tokensIn = heard.reduce((sum, one) => sum + one.tokensIn, 0);
    const tokensOut = heard.reduce((sum, one) => sum + one.tokensOut, 0);
    return { read: heard.at(-1)?.read ?? TOO_LONG, usage: this.#usage(tokensIn, tokensOut) };
  }

  #usage(tokensIn: number, tokensOut: number): Usage {
    return usageOf(this.id, { tokensIn, tokensOut }, this.#price);
  }
}

/** What is heard where the provider found the question too long: nothing, at no cost. */
const UNREAD: Answer<never> = { read: TOO_LONG, tokensIn: 0, tokensOut: 0 };

function askingOf<Said, Result>(model: string, inquiry: Inquiry<Said, Result>): Asking<Said> {
  const { system, name, schema, question, maxTokens, now } = inquiry;
  return { model, system, name, schema, question: [question(false)], maxTokens, now };
}

/** The second asking: in brief where the first was too long, with more room where the reply was cut off. */
function askedAgain<Said, Result>(
  asking: Asking<Said>,
  { question, again }: Inquiry<Said, Result>,
  read: Extract<Read<Result>, { ok: false }>,
): Asking<Said> {
  const brief = read.again === 'briefer';
  const maxTokens = read.again === 'roomier' ? 2 * asking.maxTokens : asking.maxTokens;
  return { ...asking, maxTokens, question: brief ? [question(true)] : [question(false), again(read.reason)] };
}
