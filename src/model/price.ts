import type { Usage } from '../vault/records/verdict.ts';

/** What a model costs: US dollars for a million tokens, read and written. */
export interface Price {
  readonly read: number;
  readonly written: number;
}

/** What so many tokens are of a budget; without a price they have no cost in money. */
export function usageOf(
  model: string,
  { tokensIn, tokensOut }: { readonly tokensIn: number; readonly tokensOut: number },
  price: Price | null,
): Usage {
  const usd = price === null ? null : (tokensIn * price.read + tokensOut * price.written) / 1_000_000;
  return { model, tokens_in: tokensIn, tokens_out: tokensOut, usd };
}
