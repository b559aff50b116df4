import type { Usage } from '../../steward/ports/evaluator.ts';
import type { Extracted, ExtractionQuestion, Extractor } from '../../steward/ports/extractor.ts';
import { type Inquiry, Model, type ModelSetup } from '../model.ts';
import { askAgain, EXTRACT } from '../prompts/extract.ts';
import type { Provider } from '../provider/provider.ts';
import { eventText } from './event-text.ts';
import { type Extraction, extraction, meaningsIn } from './extraction.ts';

const MAX_TOKENS = 4096;

type Meant = Pick<Extracted, 'meanings' | 'rejected'>;

/** Reads stream events by asking one of Anthropic's models: one request per event, and a second if the reply cannot be used. */
export class AnthropicExtractor implements Extractor {
  readonly name: string;
  readonly asksModel = true;
  readonly #model: Model;

  constructor(provider: Provider, setup: ModelSetup) {
    this.name = setup.model;
    this.#model = new Model(provider, setup);
  }

  /** Returns what an event means. Throws `ProviderError` if there is no reply; then the event remains unread. */
  async extract(question: ExtractionQuestion, abort: AbortSignal): Promise<Extracted> {
    const { read, usage } = await this.#model.inquire(inquiryOf(question), abort);
    const extractor = `${this.name} (prompt ${EXTRACT.version})`;
    if (!read.ok) return { meanings: [], rejected: [], skipped: null, unusable: read.reason, extractor, usage };
    return extractedFrom(read.value, extractor, usage);
  }

  /** Returns the most that one request can take. */
  estimate(question: ExtractionQuestion): Usage {
    return this.#model.estimate(inquiryOf(question));
  }
}

/** Returns the extraction of a usable reply. `extractor`: who read the event, as the signal says it. */
export function extractedFrom(meant: Meant, extractor: string, usage: Usage): Extracted {
  const skipped = meant.meanings.length === 0 ? 'nothing that changes a matter' : null;
  return { ...meant, skipped, unusable: null, extractor, usage };
}

/** Returns what a model is asked about one event. */
export function inquiryOf(question: ExtractionQuestion): Inquiry<Extraction, Meant> {
  return {
    system: [EXTRACT.system],
    name: 'extraction',
    schema: extraction,
    question: (brief) => eventText(question, brief),
    again: askAgain,
    conclude: (said) => meaningsIn(said, question),
    maxTokens: MAX_TOKENS,
    now: question.now,
  };
}
