import type { Price } from './tally.ts';

/**
 * What Anthropic's models cost, in US dollars per million tokens. Cached input costs less, so a sum is never below what is
 * paid. Haiku 5.5 costs five times as much for questions of over 100 000 tokens, but there are none here.
 */
const PRICES: Readonly<Record<string, Price>> = {
  'claude-fable-5-1': { read: 10, written: 50 },
  'claude-opus-5-5': { read: 4, written: 20 },
  'claude-opus-5': { read: 5, written: 25 },
  'claude-sonnet-5-5': { read: 2, written: 10 },
  'claude-sonnet-5': { read: 2, written: 10 },
  'claude-haiku-5-5': { read: 0.1, written: 0.5 },
  'claude-haiku-4-5': { read: 1, written: 5 },
};

const DEAREST: Price = Object.values(PRICES).reduce((one, other) => (other.written > one.written ? other : one));

/** Returns the price of a model: the one that a person set, else the known one, else null. */
export function priceOf(model: string, read: number | null, written: number | null): Price | null {
  if (read !== null && written !== null) return { read, written };
  const undated = model.replace(/-\d{8}$/, '');
  return Object.hasOwn(PRICES, undated) ? (PRICES[undated] ?? null) : null;
}

/** Returns the known price of a model, whatever the settings say; of one that is not known, that of the dearest. */
export function leastPriceOf(model: string): Price {
  return priceOf(model, null, null) ?? DEAREST;
}
