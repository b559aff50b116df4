import { knownProviders, type Price } from '../vault/data.ts';
import type { Settings } from './settings.ts';
import type { Usage } from './types.ts';

interface Tokens {
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Returns what this many tokens cost. `usd` is null without a price. */
export function computeUsage(model: string, { tokensIn, tokensOut }: Tokens, price: Price | null): Usage {
  const usd = price === null ? null : (tokensIn * price.read + tokensOut * price.written) / 1_000_000;
  return { model, tokens_in: tokensIn, tokens_out: tokensOut, usd };
}

/** Which model to ask, and what it costs. */
export interface ModelSetup {
  readonly model: string;
  /** Null if no price is known. */
  readonly price: Price | null;
}

/** Returns the price of a model: the one that a person set, else the known one, else null. */
export function findPrice(model: string, read: number | null, written: number | null): Price | null {
  if (read !== null && written !== null) return { read, written };
  const undated = model.replace(/-\d{8}$/, '');
  const { prices } = knownProviders();
  return Object.hasOwn(prices, undated) ? (prices[undated] ?? null) : null;
}

/** Returns the known price of a model, whatever the settings say; of one that is not known, that of the dearest. */
export function lowestPrice(model: string): Price {
  const known = Object.values(knownProviders().prices);
  return findPrice(model, null, null) ?? known.reduce((one, other) => (other.written > one.written ? other : one));
}

/** Returns the price of a model under these settings; null if it is unknown. */
export function priceUnder(settings: Settings, model: string): Price | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined ? findPrice(model, null, null) : findPrice(model, settings[named[1]], settings[named[2]]);
}

const PRICED = [
  ['model_evaluation', 'model_price_in', 'model_price_out'],
  ['model_extraction', 'model_extraction_price_in', 'model_extraction_price_out'],
] as const;

export function priceSettings(model: string, settings: Settings): readonly string[] | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined || priceUnder(settings, model) !== null ? null : named.slice(1);
}

/** Returns the model that reads stream events, with its price. */
export function extractionSetup(settings: Settings): ModelSetup {
  const { model_extraction: model } = settings;
  return { model, price: priceUnder(settings, model) };
}
