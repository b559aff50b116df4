import type { Usage } from '../steward/ports/evaluator.ts';
import { ProviderError } from './provider/provider-error.ts';
import type { Reply } from './reply.ts';

/** What a model costs: US dollars for a million tokens, read and written. */
export interface Price {
  readonly read: number;
  readonly written: number;
}

type Tokens = Pick<Reply, 'tokensIn' | 'tokensOut'>;

/** What the replies to one question have taken so far, however often it was asked. */
export class Tally {
  #replies = 0;
  #tokensIn = 0;
  #tokensOut = 0;

  add({ tokensIn, tokensOut }: Tokens): void {
    this.#replies += 1;
    this.#tokensIn += tokensIn;
    this.#tokensOut += tokensOut;
  }

  usage(model: string, price: Price | null): Usage {
    return usageOf(model, { tokensIn: this.#tokensIn, tokensOut: this.#tokensOut }, price);
  }

  /** A failure as it is to be told: one after a reply was not for nothing. */
  after(error: unknown, model: string, price: Price | null): unknown {
    return error instanceof ProviderError && this.#replies > 0 ? error.afterReply(this.usage(model, price)) : error;
  }
}

/** What so many tokens are of a budget; without a price they have no cost in money. */
export function usageOf(model: string, { tokensIn, tokensOut }: Tokens, price: Price | null): Usage {
  const usd = price === null ? null : (tokensIn * price.read + tokensOut * price.written) / 1_000_000;
  return { model, tokens_in: tokensIn, tokens_out: tokensOut, usd };
}
