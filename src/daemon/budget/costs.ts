import type { ModelSetup } from '../../model/model.ts';
import { leastPriceOf, priceOf } from '../../model/prices.ts';
import { type Price, usageOf } from '../../model/tally.ts';
import { costOf, greater, type Spending } from '../../steward/gates/budget.ts';
import { DAY, entered, type Sum, spentBy, spentIn, WEEK } from '../../steward/gates/usage-ledger.ts';
import type { Usage } from '../../steward/ports/evaluator.ts';
import type { Context } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';

const MOST_EXPENSIVE = 5;

/** What models took for the questions that were answered, in US dollars for those with a price. */
export interface Costs {
  readonly day: CostWindow;
  readonly week: CostWindow;
}

export interface CostWindow extends Sum {
  readonly models: readonly ModelCost[];
  /** The most expensive matters, five at most. */
  readonly matters: readonly (Sum & { readonly matter: string })[];
}

export interface ModelCost extends Sum {
  readonly model: string;
  /** The settings that would give it a price; null where its price is known, or no setting names the model. */
  readonly priceSettings: readonly string[] | null;
}

/** Enters what one question took into the ledger; a question without tokens is not entered. */
export function enter({ state, now }: Pick<Context, 'state' | 'now'>, matter: string | null, usage: Usage): void {
  const tokens = usage.tokens_in + usage.tokens_out;
  if (tokens === 0) return;
  state.set('ledger', entered(state.get('ledger'), { model: usage.model, matter, tokens, usd: usage.usd }, now()));
}

/** Returns the price of a model under these settings; null where it is unknown. */
export function priceUnder(settings: Settings, model: string): Price | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined ? priceOf(model, null, null) : priceOf(model, settings[named[1]], settings[named[2]]);
}

/**
 * Returns what a usage takes of the budget. Where the environment limits the money, whoever can edit `steward.md` must not
 * lift that by naming a lower price, or a model of which no price is known.
 */
export function takenOf({ env }: Pick<Context, 'env'>, usage: Usage): Spending {
  const cost = costOf(usage);
  if ((env.budgetUsdPerDay ?? null) === null) return cost;
  const { model, tokens_in: tokensIn, tokens_out: tokensOut } = usage;
  return greater(cost, costOf(usageOf(model, { tokensIn, tokensOut }, leastPriceOf(model))));
}

const PRICED = [
  ['model_evaluation', 'model_price_in', 'model_price_out'],
  ['model_extraction', 'model_extraction_price_in', 'model_extraction_price_out'],
] as const;

/** Returns what models took in the last 24 hours and the last 7 days. */
export function costsOf({ state, settings, now }: Pick<Context, 'state' | 'settings' | 'now'>): Costs {
  const ledger = state.get('ledger');
  const window = (ms: number): CostWindow => ({
    ...spentIn(ledger, ms, now()),
    models: spentBy('model', ledger, ms, now()).map(([model, sum]) => ({
      model,
      ...sum,
      priceSettings: priceSettings(model, settings),
    })),
    matters: spentBy('matter', ledger, ms, now())
      .slice(0, MOST_EXPENSIVE)
      .map(([matter, sum]) => ({ matter, ...sum })),
  });
  return { day: window(DAY), week: window(WEEK) };
}

function priceSettings(model: string, settings: Settings): readonly string[] | null {
  const named = PRICED.find(([key]) => settings[key] === model);
  return named === undefined || priceUnder(settings, model) !== null ? null : named.slice(1);
}

/** Returns the model that reads stream events, with its price. */
export function extractionSetup(settings: Settings): ModelSetup {
  const { model_extraction: model } = settings;
  return { model, price: priceUnder(settings, model) };
}
