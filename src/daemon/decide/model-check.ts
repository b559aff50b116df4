import type { OutputMode } from '../../model/provider/output-modes.ts';
import { ProviderError } from '../../model/provider/provider-error.ts';
import { costOfTrial, tryOut } from '../../model/trial.ts';
import { budgetGate, costOf, reserveSpend } from '../../steward/gates/budget.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { iso } from '../../vault/time.ts';
import type { BudgetClient } from '../budget/budgeted-agent.ts';
import { heldOffUntil } from '../budget/provider-backoff.ts';
import { capsOf } from '../budget/reservation.ts';
import type { Context, ModelAccess } from '../context/ports.ts';

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
 * model is not asked where a judgement would not ask it either. A provider that asks us to wait is obeyed (contract,
 * section 6): `budget` remembers it for the vault.
 */
export function checkModels(space: ModelAccess, budget: Pick<BudgetClient, 'record'>): Promise<ModelCheck[]> {
  const { model_evaluation, model_extraction } = space.context.settings;
  const models = [...new Set([model_evaluation, model_extraction])];
  return Promise.all(models.map(async (model) => ({ model, ...(await tried(space, budget, model)) })));
}

async function tried(space: ModelAccess, budget: Pick<BudgetClient, 'record'>, model: string): Promise<CheckResult> {
  const {
    context: { settings, env, now },
    models: { provider },
  } = space;
  if (settings.evaluator === 'rules') return { outcome: 'not-asked', reason: 'the settings say rules' };
  if (env.recorded) return { outcome: 'not-asked', reason: 'its replies are recorded' };
  if (provider === null) return { outcome: 'not-asked', reason: 'there is no key here' };
  const reason = whyNotAsked(space.context, model);
  if (reason !== null) return { outcome: 'not-asked', reason };
  try {
    const { mode: way, ms } = await tryOut(provider, model, now(), new AbortController().signal);
    if (way === null) return { outcome: 'failed', trouble: formless(model) };
    return { outcome: 'answered', way, ms, server: provider.server };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { retryAfter } = error;
    if (retryAfter !== undefined) await budget.record({ id: null, cost: null, retryAfter });
    return { outcome: 'failed', trouble: error.trouble };
  }
}

function whyNotAsked(context: Context, model: string): string | null {
  const { state, settings, now } = context;
  const until = heldOffUntil(context);
  if (until !== null) return `the provider asked us to wait until ${iso(until)}`;
  const cost = costOf(costOfTrial(model));
  const room = reserveSpend(state.get('budget'), { matter: null, cost }, capsOf(settings), now());
  return room.ok ? null : budgetGate(room.refusal).sentence.replace(/\.$/, '');
}

function formless(model: string): Diagnostic {
  return diagnostic({
    code: 'model-formless',
    message: `${model} answers, and keeps to no form: no judgement can be had from it.`,
    hint: 'Name another model in steward.md: one that calls tools, or writes JSON when it is asked to.',
  });
}
