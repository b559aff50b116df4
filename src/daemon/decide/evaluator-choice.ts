import { Anthropic, type JudgeSetup, Recorded, rules } from '../../model/evaluators.ts';
import type { Provider } from '../../model/provider.ts';
import { noRoom, ProviderError } from '../../model/provider-error.ts';
import type { Evaluator, Question, Verdict } from '../../steward/ports/evaluator.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { SETTINGS_FILE } from '../../vault/layout.ts';
import { backOff, isHeldOff } from '../budget/provider-backoff.ts';
import { capsOf, extractionSetup, heldSentence, priceUnder, whyNoQuestion } from '../budget.ts';
import type { Context, ModelAccess, Settings } from '../context.ts';

/** The key among the faults for a failure of the model that judges. */
const FAULT = 'model';

/**
 * Returns the evaluator for these settings (contract, section 3). A key alone sends nothing: the first question uses
 * it.
 */
export function evaluatorFor(context: Omit<Context, 'emit'>, provider: Provider | null): Evaluator {
  const { settings, env } = context;
  if (settings.evaluator === 'rules') return rules;
  if (env.recorded) return new Recorded(env.recorded);
  if (provider !== null) return skippingWaits(context, new Anthropic(provider, setupOf(settings)));
  return settings.evaluator === 'auto' || settings.evaluator_fallback === 'rules' ? rules : noEvaluator;
}

/** Replaces the evaluator where the settings name another. Questions under way are still answered by the former one. */
export function followSettings(space: ModelAccess, before: Settings): void {
  if (partOf(before) === partOf(space.context.settings)) return;
  space.models.evaluator = evaluatorFor(space.context, space.models.provider);
  space.problems.faults.delete(FAULT);
}

/**
 * Returns the verdict on a question. Where the model cannot be asked just now, the rules judge if the settings allow
 * it; otherwise it throws `ProviderError`, and the signals wait. `status` reports both until the model answers again.
 */
export async function evaluate(space: ModelAccess, question: Question, abort: AbortSignal): Promise<Verdict> {
  const {
    models: { evaluator },
  } = space;
  try {
    const verdict = await (evaluator.asksModel
      ? judgeByModel(space, question, abort)
      : evaluator.evaluate(question, abort));
    if (evaluator !== rules) space.problems.faults.delete(FAULT);
    return verdict;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (!abort.aborted && evaluator === space.models.evaluator) reportFailure(space, FAULT, error);
    if (space.context.settings.evaluator_fallback !== 'rules' || abort.aborted) throw error;
    return judgeByRules(space, question, error, abort);
  }
}

// Loaded when a model is first asked: the modules that look into files take time and memory.
async function judgeByModel(space: ModelAccess, question: Question, abort: AbortSignal): Promise<Verdict> {
  // Without a signal there is nothing to look up.
  if (question.perceiving !== undefined) return space.models.evaluator.evaluate(question, abort);
  const { withEvidence } = await import('./evidence-evaluator.ts');
  return withEvidence(space, question, abort);
}

// A question that was refused before it was read cost nothing, which frees the budget that was set aside for it.
async function judgeByRules(
  space: ModelAccess,
  question: Question,
  error: ProviderError,
  abort: AbortSignal,
): Promise<Verdict> {
  const model = space.models.evaluator.name;
  const { retryAfter } = error;
  // Two questions under way together may each be told a time to wait: the longer one holds.
  if (typeof retryAfter === 'number' || (retryAfter === null && !isHeldOff(space.context)))
    backOff(space.context, retryAfter);
  const instead = await rules.evaluate(question, abort);
  const usage = error.sent ? error.took : { model, tokens_in: 0, tokens_out: 0, usd: 0 };
  return { ...instead, usage, evaluator: `rules (embedded; ${model} could not be asked)` };
}

/**
 * Returns what is wrong with the choice of the evaluator: a person must not believe that a model judges, or is limited
 * in cost, if it is not.
 */
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

function unpriced({ context, models: { evaluator } }: ModelAccess): Diagnostic[] {
  const { vaultUsd, matterUsd } = capsOf(context);
  if ((vaultUsd ?? matterUsd) === null || !evaluator.asksModel || evaluator === noEvaluator) return [];
  const { settings } = context;
  const used = [
    { ...setupOf(settings), hint: priceHint('model_price_in and model_price_out') },
    { ...extractionSetup(settings), hint: priceHint('model_extraction_price_in and model_extraction_price_out') },
    ...[settings.haiku_model, settings.sonnet_model].map((model) => ({
      ...{ model, price: priceUnder(settings, model) },
      hint: 'No setting gives this one a price: limit the tokens, or name a model whose price is known.',
    })),
  ];
  const unknown = used.filter(({ price }) => price === null);
  const once = unknown.filter(({ model }, nth) => unknown.findIndex((other) => other.model === model) === nth);
  return once.map(({ model, hint }) =>
    diagnostic({
      code: 'model-unpriced',
      file: SETTINGS_FILE,
      message: `The budget is in US dollars, and no price of ${model} is known: it does not limit the model.`,
      hint,
    }),
  );
}

function priceHint(keys: string): string {
  return `Set ${keys} (US dollars for a million tokens, 0 for a model that costs nothing), or limit the tokens.`;
}

/** The evaluator where the settings ask for a model, there is no key for it, and the rules may not stand in. */
const noEvaluator: Evaluator = {
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

// Where the rules may stand in, no backoff of a provider and no full window delays a judgement: they judge.
function skippingWaits(context: Omit<Context, 'emit'>, model: Anthropic): Evaluator {
  if (context.settings.evaluator_fallback === 'wait') return model;
  return {
    name: model.name,
    get asksModel() {
      return whyNoQuestion(context) === null;
    },
    estimate: (question) => model.estimate(question),
    async evaluate(question, abort) {
      const held = whyNoQuestion(context);
      if (held !== null) throw noRoom(heldSentence(held, context.now()));
      return model.evaluate(question, abort);
    },
  };
}

/**
 * Reports a provider's failure: in `status` under its key, and once as an event. That there is no room is no failure:
 * `status` lists what waits for it.
 */
export function reportFailure(space: ModelAccess, key: string, error: ProviderError): void {
  const { message, trouble: told, failure } = error;
  if (failure === 'no-room') return;
  const before = space.problems.faults.get(key);
  space.problems.faults.set(key, told);
  if (before?.message !== message) space.context.emit({ what: 'trouble', trouble: told });
}

function setupOf(settings: Settings): JudgeSetup {
  const { model_evaluation: model, editable_fields: writable } = settings;
  return { model, writable, price: priceUnder(settings, model) };
}

/** The settings that choose the evaluator, as text that can be compared. */
function partOf(settings: Settings): string {
  return JSON.stringify([settings.evaluator, settings.evaluator_fallback, setupOf(settings)]);
}
