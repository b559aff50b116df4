import type { Usage } from '../../steward/ports/evaluator.ts';
import type { Extracted, ExtractionQuestion } from '../../steward/ports/extractor.ts';
import { FIRST_MODE } from '../messages.ts';
import { Model, type ModelSetup } from '../model.ts';
import { EXTRACT } from '../prompts/extract.ts';
import type { Provider } from '../provider/provider.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { Price } from '../tally.ts';
import { extractedFrom, inquiryOf } from './anthropic-extractor.ts';
import { type BatchReplies, createBatch, lookAtBatch } from './batches.ts';
import { extraction, meaningsIn } from './extraction.ts';

/** The price of a question in a batch, as a share of its price alone. */
const SHARE = 0.5;
/** How long no batch is sent to a server that failed to take one. Each file is then asked about alone. */
const SUSPENSION_MS = 60 * 60 * 1000;

/** What one reply of a batch says, and what it took. */
export interface BatchAnswer {
  /** Null where the reply cannot be used. Its event is then asked about alone. */
  readonly extracted: Extracted | null;
  readonly usage: Usage;
}

/** Asks a model about many stream events as one batch: the same questions at half the price, answered within a day. */
export class ExtractionBatch {
  /** The version of the prompt. */
  readonly prompt = EXTRACT.version;
  readonly #provider: Provider;
  readonly #model: Model;

  constructor(provider: Provider, { model, price }: ModelSetup) {
    this.#provider = provider;
    this.#model = new Model(provider, { model, price: price === null ? null : shareOf(price) });
  }

  /** Returns whether this server and model can be asked by batch, as far as this is known. `now`: epoch ms. */
  isOffered(now: number): boolean {
    const { batchSupport, outputModes } = this.#provider;
    return batchSupport.isAssumed(now) && (outputModes.of(this.#model.id) ?? FIRST_MODE) === FIRST_MODE;
  }

  /** Returns the most that one question can take. */
  estimate(question: ExtractionQuestion): Usage {
    return this.#model.estimate(inquiryOf(question));
  }

  /**
   * Sends the questions, by their ids. Returns the batch's id, or null where the server takes no batches. Throws
   * `ProviderError`.
   */
  async put(
    questions: ReadonlyMap<string, ExtractionQuestion>,
    now: number,
    abort: AbortSignal,
  ): Promise<string | null> {
    const requests = await Promise.all(
      [...questions].map(async ([custom_id, question]) => {
        return { custom_id, params: await this.#model.requestFor(inquiryOf(question)) };
      }),
    );
    const { batchSupport } = this.#provider;
    try {
      const id = await createBatch(this.#provider, { model: this.#model.id, now }, requests, abort);
      if (id === null) batchSupport.suspendUntil(Number.POSITIVE_INFINITY);
      return id;
    } catch (error) {
      const isToWait = error instanceof ProviderError && ['rate-limited', 'no-room'].includes(error.failure);
      if (!isToWait) batchSupport.suspendUntil(now + SUSPENSION_MS);
      throw error;
    }
  }

  /** Returns the replies; null while the batch is running, `unknown` where the provider no longer knows it. Throws `ProviderError`. */
  look(id: string, now: number, abort: AbortSignal): Promise<BatchReplies | 'unknown' | null> {
    return lookAtBatch(this.#provider, { model: this.#model.id, now }, id, abort);
  }

  /**
   * Returns what a reply says about the notes that were given with its question; null where it is no reply at all.
   * `candidates`: the paths of those notes, in their order; `prompt`: the version that was asked with.
   */
  read(response: unknown, candidates: readonly string[], prompt: string): BatchAnswer | null {
    const given = { candidates: candidates.map((path) => ({ path })) };
    const result = this.#model.resultOf({ schema: extraction, conclude: (said) => meaningsIn(said, given) }, response);
    if (result === null) return null;
    const { read, usage } = result;
    return {
      extracted: read.ok ? extractedFrom(read.value, `${this.#model.id} (prompt ${prompt})`, usage) : null,
      usage,
    };
  }
}

function shareOf({ read, written }: Price): Price {
  return { read: SHARE * read, written: SHARE * written };
}
