import { priceUnder } from '../daemon/budget.ts';
import type { Workspace } from '../daemon/context.ts';
import { checkModel, type ModelCheck } from '../daemon/decide/model-check.ts';
import { targetsOf } from '../daemon/ingest/target-sync.ts';
import {
  mostOf,
  type Reading,
  readByModel,
  readEmbedded,
  sampleIndex,
  sampleQuestions,
} from '../daemon/reader-check.ts';
import { AnthropicExtractor } from '../model/extractor.ts';
import { VaultBudget } from './base/vault-budget.ts';
import type { CommandContext } from './base.ts';
import { mostWords } from './print-reading.ts';

/** How long a question waits for room among the questions of a minute, or for another command that has the vault. */
const PATIENCE_MS = 60_000;

/** How well the readers at hand read the built-in mails. */
export interface ReaderCheck {
  /** That of the model first, where one was asked. */
  readonly readings: readonly Reading[];
  /** Why no model was asked; null where one was. */
  readonly notAsked: string | null;
}

/**
 * Has the built-in mails read by a model and by the program itself. Says before the first question what it may take at most.
 * `wanted`: a model to try in place of the one that the settings name. `checks`: the models that have just been asked.
 */
export async function checkReader(
  space: Workspace,
  context: CommandContext,
  root: string,
  checks: readonly ModelCheck[],
  wanted: string | null,
): Promise<ReaderCheck> {
  const { settings, now } = space.context;
  const { provider } = space.models;
  const at = now();
  const known = { index: sampleIndex(), learnt: targetsOf(space).learnt };
  const asked = await sampleQuestions(known, at);
  const embedded = readEmbedded(asked, known, at);
  const id = wanted ?? settings.model_extraction;
  const budget = new VaultBudget(context, root, PATIENCE_MS);
  const check = checks.find(({ model }) => model === id) ?? (await checkModel(space, budget, id));
  const notAsked = whyNot(check);
  if (notAsked !== null || provider === null) return { readings: [embedded], notAsked };
  const extractor = new AnthropicExtractor(provider, { model: id, price: priceUnder(settings, id) });
  context.err.line(mostWords(id, asked.length, mostOf(asked, extractor)));
  const setup = { extractor, budget, known, now: at };
  const reading = await readByModel(asked, setup, (nth, ms) => {
    context.err.progress(`mail ${nth} of ${asked.length}: ${(ms / 1000).toFixed(1)} s`);
  });
  return { readings: [reading, embedded], notAsked: null };
}

function whyNot(check: ModelCheck): string | null {
  if (check.outcome === 'answered') return null;
  return check.outcome === 'failed' ? check.trouble.message : `${check.model} was not asked: ${check.reason}.`;
}
