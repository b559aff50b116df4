import { costOfTrial, type ModelSetup, tryOut } from '../../model/model.ts';
import type { OutputMode, Provider } from '../../model/provider.ts';
import { ProviderError } from '../../model/provider-error.ts';
import { costOf } from '../../steward/gate-limits.ts';
import { type Diagnostic, diagnostic, StewardError } from '../../vault/errors.ts';
import { type BudgetClient, type ErrandCost, priceUnder } from '../budget.ts';
import type { ModelAccess } from '../context.ts';

/** How the trial of a model ended. */
type CheckResult =
  | { readonly outcome: 'not-asked'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly trouble: Diagnostic }
  | {
      readonly outcome: 'answered';
      /** How it is made to keep to a form. */
      readonly way: OutputMode;
      readonly ms: number;
      /** Its server, if that is not the provider's own address. */
      readonly server: string | null;
    };

export type ModelCheck = CheckResult & { readonly model: string };

/**
 * Asks the models that judge and read, each once and with a tiny question, for `doctor`; a running daemon never does. A
 * model is not asked where a judgement would not ask it either. A trial counts like any question: in the rate guard, in
 * the budget, and a provider that asks us to wait is obeyed (contract, section 6).
 */
export function checkModels(space: ModelAccess, budget: BudgetClient): Promise<ModelCheck[]> {
  const { model_evaluation, model_extraction } = space.context.settings;
  const models = [...new Set([model_evaluation, model_extraction])];
  return Promise.all(models.map((model) => checkModel(space, budget, model)));
}

/** Asks one model in the same way. */
export async function checkModel(space: ModelAccess, budget: BudgetClient, model: string): Promise<ModelCheck> {
  return { model, ...(await tried(space, budget, model)) };
}

async function tried({ context, models }: ModelAccess, budget: BudgetClient, model: string): Promise<CheckResult> {
  const { settings, env, now } = context;
  const { provider } = models;
  if (settings.evaluator === 'rules') return { outcome: 'not-asked', reason: 'the settings say rules' };
  if (env.recorded) return { outcome: 'not-asked', reason: 'its replies are recorded' };
  if (provider === null) return { outcome: 'not-asked', reason: 'there is no key here' };
  try {
    return await asked(provider, { model, price: priceUnder(settings, model) }, budget, now());
  } catch (error) {
    // Neither the daemon nor the lock could be reached: without them no question is put.
    if (!(error instanceof StewardError)) throw error;
    return { outcome: 'not-asked', reason: asClause(error.message) };
  }
}

async function asked(provider: Provider, setup: ModelSetup, budget: BudgetClient, now: number): Promise<CheckResult> {
  const reserved = await budget.reserve(costOfTrial(setup));
  if (!reserved.ok) return { outcome: 'not-asked', reason: asClause(reserved.reason) };
  try {
    const { mode: way, ms, usage } = await tryOut(provider, setup, now, new AbortController().signal);
    await budget.record({ id: reserved.id, cost: costOf(usage), usage });
    if (way === null) return { outcome: 'failed', trouble: formless(setup.model) };
    return { outcome: 'answered', way, ms, server: provider.server };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await budget.record({ id: reserved.id, ...costOfFailure(error) });
    if (error.failure === 'no-room') return { outcome: 'not-asked', reason: asClause(error.message) };
    return { outcome: 'failed', trouble: error.trouble };
  }
}

/** Returns what is to be recorded of a question that failed. */
export function costOfFailure({ sent, took, retryAfter }: ProviderError): Omit<ErrandCost, 'id'> {
  const unknown = sent && took === null ? null : { tokens: 0, usd: 0 };
  return { cost: took === null ? unknown : costOf(took), ...(took && { usage: took }), retryAfter };
}

function asClause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}

function formless(model: string): Diagnostic {
  return diagnostic({
    code: 'model-formless',
    message: `${model} answers, and keeps to no form: no judgement can be had from it.`,
    hint: 'Name another model in steward.md: one that calls tools, or writes JSON when it is asked to.',
  });
}
