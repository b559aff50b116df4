import type { Context, ModelAccess } from '../daemon/context.ts';
import { extractionSetup, type ModelSetup, priceUnder, sumCost } from '../steward/budget.ts';
import type { Settings } from '../steward/settings.ts';
import {
  backOff,
  type ClockedState,
  type ErrandCost,
  effectiveCaps,
  isHeldOff,
  orderQuestions,
  whyNoQuestion,
} from '../steward/spending.ts';
import type { Evaluator, EvaluatorQuestion, Verdict } from '../steward/types.ts';
import type { Retirement } from '../vault/data.ts';
import { type Diagnostic, diagnostic, StewardError } from '../vault/errors.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import type { BudgetClient } from './agent.ts';
import { Anthropic, type JudgeSetup } from './evaluator.ts';
import { costOfTrial, tryOut } from './messages.ts';
import { findRetirement, noRoom, type OutputMode, type Provider, ProviderError, type RequestGate } from './provider.ts';
import { RecordedEvaluator, rules } from './substitutes.ts';

/** The key among the faults for a failure of the model that judges. */
const FAULT = 'model';

/**
 * Returns the evaluator for these settings (contract, section 3). A key alone doesn't send anything: the first question
 * uses it.
 */
export function evaluatorFor(context: Omit<Context, 'emit'>, provider: Provider | null): Evaluator {
  const { settings, env } = context;
  if (settings.evaluator === 'rules') return rules;
  if (env.recorded) return new RecordedEvaluator(env.recorded);
  if (provider !== null) return skippingWaits(context, new Anthropic(provider, setupOf(settings)));
  return settings.evaluator === 'auto' || settings.evaluator_fallback === 'rules' ? rules : noEvaluator;
}

/** Replaces the evaluator if the settings name another. Questions under way are still answered by the former one. */
export function followSettings(space: ModelAccess, before: Settings): void {
  if (partOf(before) === partOf(space.context.settings)) return;
  space.models.evaluator = evaluatorFor(space.context, space.models.provider);
  space.problems.faults.delete(FAULT);
}

type AskModel = (space: ModelAccess, question: EvaluatorQuestion, abort: AbortSignal) => Promise<Verdict>;

/**
 * Returns the verdict on a question. While the model can't be asked, the rules answer if the settings allow it; otherwise
 * it throws `ProviderError`, and the signals wait. `status` reports both until the model answers again. `askModel`: how a
 * question about signals is put to the model.
 */
export async function evaluate(
  space: ModelAccess,
  askModel: AskModel,
  question: EvaluatorQuestion,
  abort: AbortSignal,
): Promise<Verdict> {
  const {
    models: { evaluator },
  } = space;
  try {
    // Without a signal there are no files to consult.
    const isPlain = !evaluator.asksModel || question.perceiving !== undefined;
    const verdict = await (isPlain ? evaluator.evaluate(question, abort) : askModel(space, question, abort));
    if (evaluator !== rules) space.problems.faults.delete(FAULT);
    return verdict;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (!abort.aborted && evaluator === space.models.evaluator) reportFailure(space, FAULT, error);
    if (space.context.settings.evaluator_fallback !== 'rules' || abort.aborted) throw error;
    return judgeByRules(space, question, error, abort);
  }
}

// A question that was refused before it was read is free, which releases the budget that was set aside for it.
async function judgeByRules(
  space: ModelAccess,
  question: EvaluatorQuestion,
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
  return [...missing(space), ...unpriced(space), ...retiredModelProblems(space)];
}

function missing({ context: { settings, env }, models: { provider, evaluator } }: ModelAccess): Diagnostic[] {
  if (settings.evaluator !== 'anthropic' || env.recorded || provider !== null) return [];
  const instead = evaluator === rules ? 'the rules evaluate' : 'no model evaluates, and the signals wait';
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
  const { vaultUsd, matterUsd } = effectiveCaps(context);
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
  return `Set ${keys} (US dollars for a million tokens, 0 for a free model), or limit the tokens.`;
}

/** The evaluator if the settings ask for a model, there is no key for it, and the rules may not replace it. */
const noEvaluator: Evaluator = {
  name: 'no model: there is no key',
  asksModel: true,
  async evaluate() {
    throw new ProviderError({
      failure: 'no-key',
      message: 'There is no key for the model that should evaluate.',
      hint: 'Set ANTHROPIC_API_KEY or the credential anthropic_api_key and start again; the signals wait.',
    });
  },
};

// If the rules may replace the model, no provider's backoff and no full window delays an evaluation: the rules make it.
function skippingWaits(context: Omit<Context, 'emit'>, model: Anthropic): Evaluator {
  if (context.settings.evaluator_fallback === 'wait') return model;
  return {
    name: model.name,
    get asksModel() {
      return whyNoQuestion(context) === null;
    },
    estimate: (question) => model.estimate(question),
    async evaluate(question, abort) {
      // Without a slot the rules stand in, whatever the windows say by now.
      if (question.slot === null) throw noRoom('There was no slot, or no budget, for a question about this note.');
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

async function checkModel(space: ModelAccess, budget: BudgetClient, model: string): Promise<ModelCheck> {
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
    await budget.record({ id: reserved.id, cost: sumCost(usage), usage });
    if (way === null) return { outcome: 'failed', trouble: formless(setup.model) };
    return { outcome: 'answered', way, ms, server: provider.server };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await budget.record({ id: reserved.id, ...costOfFailure(error) });
    if (error.failure === 'no-room') return { outcome: 'not-asked', reason: asClause(error.message) };
    return { outcome: 'failed', trouble: error.trouble };
  }
}

function costOfFailure({ sent, took, retryAfter }: ProviderError): Omit<ErrandCost, 'id'> {
  const unknown = sent && took === null ? null : { tokens: 0, usd: 0 };
  return { cost: took === null ? unknown : sumCost(took), ...(took && { usage: took }), retryAfter };
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

/** The settings that name a model: for signals and streams, which the rules can handle too, and for errands. */
const INCOMING = ['model_evaluation', 'model_extraction'] as const satisfies readonly (keyof Settings)[];
const ERRANDS = ['haiku_model', 'sonnet_model'] as const satisfies readonly (keyof Settings)[];

/**
 * Returns a problem for each model in the settings that its provider has retired or is about to retire. No model is
 * replaced automatically, because another one judges and costs differently. Another server may still offer them.
 */
function retiredModelProblems({ context: { settings, now }, models: { provider } }: ModelAccess): Diagnostic[] {
  if (provider === null || provider.server !== null) return [];
  const naming = settings.evaluator === 'rules' ? ERRANDS : [...INCOMING, ...ERRANDS];
  return naming.flatMap((setting) => {
    const model = settings[setting];
    const known = findRetirement(model);
    return known === null ? [] : [retiredProblem(setting, model, known, now())];
  });
}

function retiredProblem(setting: string, model: string, { since, successor }: Retirement, now: number): Diagnostic {
  const over = since <= new Date(now).toISOString();
  return diagnostic({
    code: 'model-retired',
    file: SETTINGS_FILE,
    message: `${model}, which ${setting} names, ${over ? 'was' : 'will be'} retired by its provider on ${since}.`,
    hint: `Set ${setting} to ${successor}, which the provider recommends, or to another model: you alone choose it.`,
  });
}

/** Returns the gate to a provider for whoever keeps the vault's state: the daemon, or a command that has the lock. */
export function questionGate(account: ClockedState): RequestGate {
  return {
    async pass(questions, slot) {
      const order = orderQuestions(account, questions, slot);
      if (!order.ok) throw noRoom(order.reason);
    },
    async heldOff(retryAfterSeconds) {
      backOff(account, retryAfterSeconds);
    },
  };
}
