import { Anthropic, type JudgeSetup } from '../../model/evaluators/anthropic.ts';
import { Recorded } from '../../model/evaluators/recorded.ts';
import { rules } from '../../model/evaluators/rules.ts';
import type { Provider } from '../../model/provider/provider.ts';
import { ProviderError, rateLimited } from '../../model/provider/provider-error.ts';
import type { Evaluator, Question, Verdict } from '../../steward/ports/evaluator.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { SETTINGS_FILE } from '../../vault/layout.ts';
import { extractionSetup, priceUnder } from '../budget/costs.ts';
import { backOff, isHeldOff } from '../budget/provider-backoff.ts';
import type { Context, ModelAccess } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';

/** Under this name a provider's failure stands among the faults. */
const FAULT = 'model';

/** Who judges under these settings (contract, section 3). The key alone sends nothing: it is used at the first question. */
export function evaluatorFor(context: Omit<Context, 'emit'>, provider: Provider | null): Evaluator {
  const { settings, env } = context;
  if (settings.evaluator === 'rules') return rules;
  if (env.recorded) return new Recorded(env.recorded);
  if (provider !== null) return heedingBackoff(context, new Anthropic(provider, setupOf(settings)));
  return settings.evaluator === 'auto' || settings.evaluator_fallback === 'rules' ? rules : nobody;
}

/**
 * Takes up changed settings: who judges from now on. What is under way is answered by whom it was asked of; who failed is
 * asked no more.
 */
export function followSettings(space: ModelAccess, before: Settings): void {
  if (partOf(before) === partOf(space.context.settings)) return;
  space.models.evaluator = evaluatorFor(space.context, space.models.provider);
  space.problems.faults.delete(FAULT);
}

/**
 * The verdict on a question. Where no model can be asked just now, the rules judge if the settings let them stand in;
 * otherwise it throws `ProviderError`, and the signals wait. `status` says either until the model answers again.
 */
export async function evaluate(space: ModelAccess, question: Question, abort: AbortSignal): Promise<Verdict> {
  const {
    models: { evaluator },
  } = space;
  try {
    const verdict = await (evaluator.asksModel ? asked(space, question, abort) : evaluator.evaluate(question, abort));
    if (evaluator !== rules) space.problems.faults.delete(FAULT);
    return verdict;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (!abort.aborted && evaluator === space.models.evaluator) reportFailure(space, FAULT, error);
    if (space.context.settings.evaluator_fallback !== 'rules' || abort.aborted) throw error;
    return standIn(space, question, error, abort);
  }
}

// Loaded when a model is first asked: what looks into files takes its room and its time.
async function asked(space: ModelAccess, question: Question, abort: AbortSignal): Promise<Verdict> {
  const { withEvidence } = await import('./evidence-evaluator.ts');
  return withEvidence(space, question, abort);
}

// What was refused before it was read cost nothing, and the budget that was set aside for it is free again.
async function standIn(
  space: ModelAccess,
  question: Question,
  error: ProviderError,
  abort: AbortSignal,
): Promise<Verdict> {
  const model = space.models.evaluator.name;
  const { retryAfter } = error;
  // Of two that were under way together each may name a time of its own: the longer one holds.
  if (typeof retryAfter === 'number' || (retryAfter === null && !isHeldOff(space.context)))
    backOff(space.context, retryAfter);
  const instead = await rules.evaluate(question, abort);
  const usage = error.sent ? error.took : { model, tokens_in: 0, tokens_out: 0, usd: 0 };
  return { ...instead, usage, evaluator: `rules (embedded; ${model} could not be asked)` };
}

/** What is said of who judges: nobody must believe that a model does, or that its cost is limited, where it is not so. */
export function evaluatorProblems(space: ModelAccess): Diagnostic[] {
  return [...missing(space), ...unpriced(space)];
}

function missing({ context: { settings, env }, models: { provider, evaluator } }: ModelAccess): Diagnostic[] {
  if (settings.evaluator !== 'anthropic' || env.recorded || provider !== null) return [];
  const instead = evaluator === rules ? 'the rules judge' : 'nobody judges, and the signals wait';
  return [
    diagnostic({
      code: 'evaluator-missing',
      file: SETTINGS_FILE,
      message: `The settings ask for the evaluator anthropic, and there is no key for it: ${instead}.`,
      hint: 'Set ANTHROPIC_API_KEY or the credential anthropic_api_key and start again, or set evaluator to auto or rules.',
    }),
  ];
}

function unpriced({ context: { settings }, models: { evaluator } }: ModelAccess): Diagnostic[] {
  const limited = settings.budget_usd_per_day ?? settings.budget_usd_per_matter_per_day;
  if (limited === null || !evaluator.asksModel || evaluator === nobody) return [];
  const used = [
    { ...setupOf(settings), keys: 'model_price_in and model_price_out' },
    { ...extractionSetup(settings), keys: 'model_extraction_price_in and model_extraction_price_out' },
  ];
  return used
    .filter(({ price }) => price === null)
    .map(({ model, keys }) =>
      diagnostic({
        code: 'model-unpriced',
        file: SETTINGS_FILE,
        message: `The budget is in US dollars, and no price of ${model} is known: it does not limit the model.`,
        hint: `Set ${keys} (US dollars for a million tokens), or limit the tokens.`,
      }),
    );
}

/** Nobody: a model is asked for, there is no key for it, and the rules may not stand in. */
const nobody: Evaluator = {
  name: 'nobody: there is no key',
  asksModel: true,
  async evaluate() {
    throw new ProviderError({
      failure: 'no-key',
      message: 'There is no key for the model that should judge.',
      hint: 'Set ANTHROPIC_API_KEY or the credential anthropic_api_key and start again; the signals wait.',
    });
  },
};

// With rules to fall back on, no provider's backoff holds a judgement up.
function heedingBackoff(context: Omit<Context, 'emit'>, model: Anthropic): Evaluator {
  if (context.settings.evaluator_fallback === 'wait') return model;
  return {
    name: model.name,
    get asksModel() {
      return !isHeldOff(context);
    },
    estimate: (question) => model.estimate(question),
    async evaluate(question, abort) {
      if (isHeldOff(context)) throw rateLimited(model.name, null);
      return model.evaluate(question, abort);
    },
  };
}

/** Says a provider's failure, in `status` under its key and once as a line. */
export function reportFailure(space: ModelAccess, key: string, { message, trouble: told }: ProviderError): void {
  const before = space.problems.faults.get(key);
  space.problems.faults.set(key, told);
  if (before?.message !== message) space.context.emit({ what: 'trouble', trouble: told });
}

function setupOf(settings: Settings): JudgeSetup {
  const { model_evaluation: model, editable_fields: writable } = settings;
  return { model, writable, price: priceUnder(settings, model) };
}

/** The settings that say who judges, and how. */
function partOf(settings: Settings): string {
  return JSON.stringify([settings.evaluator, settings.evaluator_fallback, setupOf(settings)]);
}
