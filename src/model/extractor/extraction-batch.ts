import type { Usage } from '../../steward/ports/evaluator.ts';
import type { Extracted, ExtractionQuestion } from '../../steward/ports/extractor.ts';
import { FIRST_WAY } from '../messages.ts';
import { Model, type ModelSetup } from '../model.ts';
import { EXTRACT } from '../prompts/extract.ts';
import type { Provider } from '../provider/provider.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { Price } from '../tally.ts';
import { extractedFrom, inquiryOf } from './anthropic-extractor.ts';
import { type BatchReplies, createBatch, lookAtBatch } from './batches.ts';
import { extraction, meaningsIn } from './extraction.ts';

/** What a question costs in a batch, of what it costs alone. */
const SHARE = 0.5;
/** How long no batch is put to a server that failed to take one: until then each file is asked about alone. */
const REST_MS = 60 * 60 * 1000;

/** What a reply of a batch came to, and what it took. */
export interface BatchAnswer {
  /** Null where the reply cannot be used: then its event is asked about alone. */
  readonly extracted: Extracted | null;
  readonly usage: Usage;
}

/** Asks a model about many stream events as one batch: each as it would be asked alone, at half the price, within a day. */
export class ExtractionBatch {
  /** The version of the prompt that it asks with. */
  readonly prompt = EXTRACT.version;
  readonly #provider: Provider;
  readonly #model: Model;

  constructor(provider: Provider, { model, price }: ModelSetup) {
    this.#provider = provider;
    this.#model = new Model(provider, { model, price: price === null ? null : shareOf(price) });
  }

  /** Whether this server and model can be asked so, as far as it is known. `now`: epoch ms. */
  isOffered(now: number): boolean {
    const { ways } = this.#provider;
    return ways.takesBatches(now) && (ways.of(this.#model.id) ?? FIRST_WAY) === FIRST_WAY;
  }

  /** At most what one question takes. */
  estimate(question: ExtractionQuestion): Usage {
    return this.#model.estimate(inquiryOf(question));
  }

  /** Puts questions, each under a name of its own: the batch's id, or null where the server takes none. Throws `ProviderError`. */
  async put(
    questions: ReadonlyMap<string, ExtractionQuestion>,
    now: number,
    abort: AbortSignal,
  ): Promise<string | null> {
    const requests = await Promise.all(
      [...questions].map(async ([custom_id, question]) => {
        return { custom_id, params: await this.#model.request(inquiryOf(question)) };
      }),
    );
    const { ways } = this.#provider;
    try {
      const id = await createBatch(this.#provider, { model: this.#model.id, now }, requests, abort);
      if (id === null) ways.noBatchesBefore(Number.POSITIVE_INFINITY);
      return id;
    } catch (error) {
      const isToWait = error instanceof ProviderError && error.failure === 'rate-limited';
      if (!isToWait) ways.noBatchesBefore(now + REST_MS);
      throw error;
    }
  }

  /** The replies; null while it is under way, `unknown` where the provider knows it no longer. Throws `ProviderError`. */
  look(id: string, now: number, abort: AbortSignal): Promise<BatchReplies | 'unknown' | null> {
    return lookAtBatch(this.#provider, { model: this.#model.id, now }, id, abort);
  }

  /**
   * What a reply says for the notes that were given with its question, by path in their order; `prompt`: the version it
   * was asked with. Null where it is no reply at all.
   */
  read(answered: unknown, candidates: readonly string[], prompt: string): BatchAnswer | null {
    const given = { candidates: candidates.map((path) => ({ path })) };
    const found = this.#model.hear({ schema: extraction, conclude: (said) => meaningsIn(said, given) }, answered);
    if (found === null) return null;
    const { read, usage } = found;
    return {
      extracted: read.ok ? extractedFrom(read.value, `${this.#model.id} (prompt ${prompt})`, usage) : null,
      usage,
    };
  }
}

function shareOf({ read, written }: Price): Price {
  return { read: SHARE * read, written: SHARE * written };
}
