import type { Usage } from '../steward/ports/evaluator.ts';
import { ProviderError } from './provider/provider-error.ts';
import type { Reply } from './reply.ts';

/** What a model costs, in US dollars per million tokens, read and written. */
export interface Price {
  readonly read: number;
  readonly written: number;
}

type Tokens = Pick<Reply, 'tokensIn' | 'tokensOut'>;

/** Adds up what the replies to one question have taken, however often it is asked. */
export class Tally {
  #replies = 0;
  #tokensIn = 0;
  #tokensOut = 0;

  /** Adds one reply. */
  add({ tokensIn, tokensOut }: Tokens): void {
    this.#replies += 1;
    this.#tokensIn += tokensIn;
    this.#tokensOut += tokensOut;
  }

  /** Returns what the replies have taken so far. */
  usage(model: string, price: Price | null): Usage {
    return usageOf(model, { tokensIn: this.#tokensIn, tokensOut: this.#tokensOut }, price);
  }

  /** Returns the error to throw: a failure after an earlier reply says what that reply took. */
  after(error: unknown, model: string, price: Price | null): unknown {
    return error instanceof ProviderError && this.#replies > 0 ? error.afterReply(this.usage(model, price)) : error;
  }
}

/** Returns what so many tokens cost. `usd` is null without a price. */
export function usageOf(model: string, { tokensIn, tokensOut }: Tokens, price: Price | null): Usage {
  const usd = price === null ? null : (tokensIn * price.read + tokensOut * price.written) / 1_000_000;
  return { model, tokens_in: tokensIn, tokens_out: tokensOut, usd };
}
