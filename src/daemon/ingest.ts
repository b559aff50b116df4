import { AnthropicExtractor, ExtractionBatch } from '../model/extractor.ts';
import type { Provider } from '../model/provider.ts';
import { ProviderError } from '../model/provider-error.ts';
import type { Extractor } from '../steward/ports.ts';
import { extractionSetup, priceUnder } from './budget.ts';
import type { State } from './context/state.ts';
import type { SeenFiles, Settings, Workspace } from './context.ts';

/** What chooses an extractor, and what it reads by. */
type Heard = Pick<Workspace, 'context' | 'vault' | 'ingest'>;

/** The key among the faults for a failure of the model that reads. */
export const EXTRACTION_FAULT = 'model-extraction';

/** Returns the extractor for these settings: where a model judges, a model reads too, each with its own id. */
export function extractorFor(space: Heard, provider: Provider | null): Extractor {
  const { settings, env } = space.context;
  const rules = rulesWhenAsked(space);
  // Only the replies to judgements are recorded.
  if (settings.evaluator === 'rules' || env.recorded) return rules;
  if (provider !== null) return new AnthropicExtractor(provider, extractionSetup(settings));
  return settings.evaluator === 'auto' || settings.evaluator_fallback === 'rules' ? rules : noExtractor;
}

// Loaded with the first event: the words of six languages take longer than most commands.
function rulesWhenAsked(space: Heard): Extractor {
  return {
    name: 'rules',
    asksModel: false,
    async extract(question, abort) {
      const [{ rulesExtractor }, { targetsOf }] = await Promise.all([
        import('../stream/rules-extractor.ts'),
        import('./ingest/target-sync.ts'),
      ]);
      return rulesExtractor(targetsOf(space)).extract(question, abort);
    },
  };
}

/** Replaces the extractor where the settings name another. Questions under way are still answered by the former one. */
export function followExtractor(space: Workspace, before: Settings): void {
  if (partOf(before) === partOf(space.context.settings)) return;
  space.models.extractor = extractorFor(space, space.models.provider);
  space.problems.faults.delete(EXTRACTION_FAULT);
}

/** Returns a model as it is asked in batches; null where there is no key. */
export function batchesOf(
  { context: { settings }, models: { provider } }: Pick<Workspace, 'context' | 'models'>,
  model: string,
): ExtractionBatch | null {
  return provider === null ? null : new ExtractionBatch(provider, { model, price: priceUnder(settings, model) });
}

/** The settings that choose the extractor, as text that can be compared. */
function partOf(settings: Settings): string {
  return JSON.stringify([settings.evaluator, settings.evaluator_fallback, extractionSetup(settings)]);
}

/** The extractor where the settings ask for a model, there is no key for it, and the rules may not stand in. */
const noExtractor: Extractor = {
  name: 'nobody: there is no key',
  asksModel: true,
  async extract() {
    throw new ProviderError({
      failure: 'no-key',
      message: 'The model that reads what comes in has no key.',
      hint: 'Set ANTHROPIC_API_KEY or the credential anthropic_api_key and start again; the files wait.',
    });
  },
};

/** Returns the key under which it is remembered that bytes have left the vault: half of their hash tells them apart. */
export function retiredKey(sha256: string): string {
  return sha256.slice(0, 32);
}

/**
 * Remembers under which name bytes were read and gave signals, so that a mail that is filed under another name gives
 * them only once. Built from the state at the first question.
 */
export class RememberedFiles implements SeenFiles {
  readonly #state: State;
  #files: Map<string, string> | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** Returns the file that was read with this hash and gave signals, or null. */
  of(sha256: string): string | null {
    this.#files ??= this.#built();
    return this.#files.get(sha256) ?? null;
  }

  /** Whether bytes with this hash were read, and have left the vault since. */
  isRetired(sha256: string): boolean {
    return this.#state.get('retired')[retiredKey(sha256)] !== undefined;
  }

  /** Remembers that a file with this hash gave signals. */
  add(sha256: string, file: string): void {
    this.#files?.set(sha256, file);
  }

  #built(): Map<string, string> {
    const read = Object.entries(this.#state.get('streams')).filter(([, { signals }]) => signals > 0);
    return new Map(read.map(([file, { sha256 }]) => [sha256, file]));
  }
}
