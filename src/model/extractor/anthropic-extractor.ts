import type { Usage } from '../../steward/ports/evaluator.ts';
import type { Extracted, ExtractionQuestion, Extractor } from '../../steward/ports/extractor.ts';
import { type Inquiry, Model, type ModelSetup } from '../model.ts';
import { askAgain, EXTRACT } from '../prompts/extract.ts';
import type { Provider } from '../provider/provider.ts';
import { eventText } from './event-text.ts';
import { type Extraction, extraction, meaningsIn } from './extraction.ts';

const MAX_TOKENS = 4096;

type Meant = Pick<Extracted, 'meanings' | 'rejected'>;

/** Reads stream events by asking a model of Anthropic's: one request for one event, and one more where the reply cannot be used. */
export class AnthropicExtractor implements Extractor {
  readonly name: string;
  readonly asksModel = true;
  readonly #model: Model;

  constructor(provider: Provider, setup: ModelSetup) {
    this.name = setup.model;
    this.#model = new Model(provider, setup);
  }

  /** What an event means. Throws `ProviderError` where no reply can be had: then the event is as unread as before. */
  async extract(question: ExtractionQuestion, abort: AbortSignal): Promise<Extracted> {
    const { read, usage } = await this.#model.inquire(inquiryOf(question), abort);
    const extractor = `${this.name} (prompt ${EXTRACT.version})`;
    if (!read.ok) return { meanings: [], rejected: [], skipped: null, unusable: read.reason, extractor, usage };
    return extractedFrom(read.value, extractor, usage);
  }

  /** At most what one asking takes. */
  estimate(question: ExtractionQuestion): Usage {
    return this.#model.estimate(inquiryOf(question));
  }
}

/** What a reply that can be used makes of an event; `extractor`: who read it, as it stands in the signal. */
export function extractedFrom(meant: Meant, extractor: string, usage: Usage): Extracted {
  const skipped = meant.meanings.length === 0 ? 'nothing that changes a matter' : null;
  return { ...meant, skipped, unusable: null, extractor, usage };
}

/** What is asked of one event. */
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
