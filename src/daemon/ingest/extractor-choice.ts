import { AnthropicExtractor } from '../../model/extractor/anthropic-extractor.ts';
import { ExtractionBatch } from '../../model/extractor/extraction-batch.ts';
import type { Provider } from '../../model/provider/provider.ts';
import { ProviderError } from '../../model/provider/provider-error.ts';
import type { Extractor } from '../../steward/ports/extractor.ts';
import { rulesExtractor } from '../../stream/rules-extractor.ts';
import { extractionSetup, priceUnder } from '../budget/costs.ts';
import type { Context, Targets, Workspace } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';

/** Under this name a failure of the model that reads stands among the faults. */
export const EXTRACTION_FAULT = 'model-extraction';

/** Who reads stream events under these settings: whoever judges reads too, each by a model of its own. */
export function extractorFor(
  { settings, env }: Pick<Context, 'settings' | 'env'>,
  provider: Provider | null,
  targets: Targets,
): Extractor {
  const rules = rulesExtractor(() => targets.index);
  // Replies are recorded of judgements alone.
  if (settings.evaluator === 'rules' || env.recorded) return rules;
  if (provider !== null) return new AnthropicExtractor(provider, extractionSetup(settings));
  return settings.evaluator === 'auto' || settings.evaluator_fallback === 'rules' ? rules : nobody;
}

/** Takes up changed settings. What is under way is answered by whom it was asked of; who failed is asked no more. */
export function followExtractor(space: Workspace, before: Settings): void {
  if (partOf(before) === partOf(space.context.settings)) return;
  space.models.extractor = extractorFor(space.context, space.models.provider, space.ingest.targets);
  space.problems.faults.delete(EXTRACTION_FAULT);
}

/** A model as it is asked in batches; null where there is no key. */
export function batchesOf(
  { context: { settings }, models: { provider } }: Pick<Workspace, 'context' | 'models'>,
  model: string,
): ExtractionBatch | null {
  return provider === null ? null : new ExtractionBatch(provider, { model, price: priceUnder(settings, model) });
}

/** The settings that say who reads, and how. */
function partOf(settings: Settings): string {
  return JSON.stringify([settings.evaluator, settings.evaluator_fallback, extractionSetup(settings)]);
}

/** Nobody: a model is asked for, there is no key for it, and the rules may not stand in. */
const nobody: Extractor = {
  name: 'nobody: there is no key',
  asksModel: true,
  async extract() {
    throw new ProviderError({
      failure: 'no-key',
      message: 'There is no key for the model that should read what comes in.',
      hint: 'Set ANTHROPIC_API_KEY or the credential anthropic_api_key and start again; the files wait.',
    });
  },
};
