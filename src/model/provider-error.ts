import { Unanswered } from '../vault/records/verdict.ts';
import { type Trouble, trouble } from '../vault/trouble.ts';

/** Why a provider gave no reply. `rejected` and `too-long` concern this one question; the others would meet any. */
export type ProviderFailure =
  | 'no-key'
  | 'key-refused'
  | 'unpaid'
  | 'unknown-model'
  | 'rate-limited'
  | 'unavailable'
  | 'rejected'
  | 'too-long'
  | 'stopped';

interface Details {
  readonly failure: ProviderFailure;
  readonly message: string;
  readonly hint: string;
  /** Whether the request may have cost something all the same. */
  readonly sent?: boolean;
  /** A 429: what the provider asked us to wait, in seconds; null where it named no time. */
  readonly retryAfter?: number | null;
}

/**
 * No reply was had from a provider: nothing was judged, and the signals wait. Its words are the program's own, never
 * the provider's, which might repeat the key.
 */
export class ProviderError extends Unanswered {
  readonly failure: ProviderFailure;
  readonly trouble: Trouble;

  constructor({ failure, message, hint, sent = false, ...rest }: Details) {
    super(message, { sent, ...rest });
    this.name = 'ProviderError';
    this.failure = failure;
    this.trouble = trouble({ code: `model-${failure}`, message, hint });
  }

  /** The same failure where an earlier request for the same judgement was answered, and cost something. */
  afterReply(): ProviderError {
    const { failure, message, retryAfter } = this;
    const waited = retryAfter === undefined ? {} : { retryAfter };
    return new ProviderError({ failure, message, hint: this.trouble.hint, sent: true, ...waited });
  }
}

const WAITS = 'The signals wait; they are judged as soon as it answers again.';

/** The failure that an HTTP status stands for. `now`: epoch ms, for a `retry-after` that is a date. */
export function failureOfStatus(
  model: string,
  { status, retryAfter, tooLong }: { status: number; retryAfter: string | null; tooLong: boolean },
  now: number,
): ProviderError {
  const said = `(HTTP ${status})`;
  if (status === 413 || (status === 400 && tooLong)) return tooLongError(model);
  switch (status) {
    case 401:
    case 403:
      return new ProviderError({
        failure: 'key-refused',
        message: `The provider of ${model} does not accept the key ${said}.`,
        hint: `Mend ANTHROPIC_API_KEY or the credential anthropic_api_key, and start again. ${WAITS}`,
      });
    case 402:
      return new ProviderError({
        failure: 'unpaid',
        message: `The provider of ${model} asks to be paid first ${said}.`,
        hint: `Look at the billing of the key's account. ${WAITS}`,
      });
    case 404:
      return new ProviderError({
        failure: 'unknown-model',
        message: `The provider does not know the model ${model} ${said}.`,
        hint: 'Mend model_evaluation in steward.md; without it the default model judges.',
      });
    case 429:
      return rateLimited(model, secondsOf(retryAfter, now));
    default:
      return status >= 500 || status === 408 || status === 409 ? unavailable(model, said) : rejected(model, said);
  }
}

/** The provider asked us to wait: so many seconds, or null where it named no time. */
export function rateLimited(model: string, retryAfter: number | null): ProviderError {
  return new ProviderError({
    failure: 'rate-limited',
    message: `The provider of ${model} asked us to wait.`,
    hint: 'Nothing is asked of it until then; status says until when.',
    retryAfter,
  });
}

/** No reply, or half of one, or one that is no reply of this interface. `how`: in brackets behind the sentence. */
export function unavailable(model: string, how: string, sent = false): ProviderError {
  return new ProviderError({
    failure: 'unavailable',
    sent,
    message: `${model} cannot be asked just now ${how}.`,
    hint: `Nothing needs to be done unless it stays so. ${WAITS}`,
  });
}

/** The evaluation was told to stop, by the end of its time or of the program. */
export function stopped(model: string): ProviderError {
  return new ProviderError({
    failure: 'stopped',
    sent: true,
    message: `${model} was not heard to the end: the round was cut off.`,
    hint: 'The signals wait for the next tick.',
  });
}

function rejected(model: string, said: string): ProviderError {
  return new ProviderError({
    failure: 'rejected',
    message: `The provider of ${model} did not take the question ${said}.`,
    hint: 'If every question is refused, look at model_evaluation and at the billing of the key. The signals wait.',
  });
}

function tooLongError(model: string): ProviderError {
  return new ProviderError({
    failure: 'too-long',
    message: `The question is too long for ${model}.`,
    hint: 'It is asked again in brief.',
  });
}

/** `retry-after` in seconds, from a number or a date; null where it says neither. */
function secondsOf(written: string | null, now: number): number | null {
  if (written === null || written.trim() === '') return null;
  const seconds = Number(written);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(written);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000);
}
