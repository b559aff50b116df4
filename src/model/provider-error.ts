import { Unanswered, type Usage } from '../steward/ports/evaluator.ts';
import { type Diagnostic, diagnostic } from '../vault/errors.ts';

/** Returns the result of `work`, or rejects with the signal's reason as soon as it aborts, even if the work goes on. */
export async function abortable<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** When a model was or will be switched off by its provider. */
export interface Retirement {
  /** The first day without it, YYYY-MM-DD. */
  readonly since: string;
  /** The model that the provider recommends instead. */
  readonly successor: string;
}

const HAIKU = 'claude-haiku-4-5-20251001';
const SONNET = 'claude-sonnet-4-6';
const OPUS = 'claude-opus-4-8';

/**
 * The provider's list of November 2026 (platform.claude.com/docs/en/about-claude/model-deprecations), with every name of
 * each model. It applies to the provider's own server.
 */
const RETIRED: Readonly<Record<string, Retirement>> = {
  'claude-sonnet-4-5-20250929': { since: '2026-11-30', successor: 'claude-sonnet-5-5' },
  'claude-sonnet-4-5': { since: '2026-11-30', successor: 'claude-sonnet-5-5' },
  'claude-opus-4-1-20250805': { since: '2026-08-05', successor: OPUS },
  'claude-opus-4-1': { since: '2026-08-05', successor: OPUS },
  'claude-sonnet-4-20250514': { since: '2026-06-15', successor: SONNET },
  'claude-sonnet-4-0': { since: '2026-06-15', successor: SONNET },
  'claude-opus-4-20250514': { since: '2026-06-15', successor: OPUS },
  'claude-opus-4-0': { since: '2026-06-15', successor: OPUS },
  'claude-3-haiku-20240307': { since: '2026-04-20', successor: HAIKU },
  'claude-3-5-haiku-20241022': { since: '2026-02-19', successor: HAIKU },
  'claude-3-5-haiku-latest': { since: '2026-02-19', successor: HAIKU },
  'claude-3-7-sonnet-20250219': { since: '2026-02-19', successor: SONNET },
  'claude-3-7-sonnet-latest': { since: '2026-02-19', successor: SONNET },
  'claude-3-opus-20240229': { since: '2026-01-05', successor: OPUS },
  'claude-3-opus-latest': { since: '2026-01-05', successor: OPUS },
  'claude-3-5-sonnet-20240620': { since: '2025-10-28', successor: SONNET },
  'claude-3-5-sonnet-20241022': { since: '2025-10-28', successor: SONNET },
  'claude-3-5-sonnet-latest': { since: '2025-10-28', successor: SONNET },
  'claude-3-sonnet-20240229': { since: '2025-07-21', successor: SONNET },
  'claude-2.1': { since: '2025-07-21', successor: OPUS },
  'claude-2.0': { since: '2025-07-21', successor: OPUS },
};

/** Returns when a model was or will be retired, or null where no retirement is known. */
export function retirementOf(model: string): Retirement | null {
  return Object.hasOwn(RETIRED, model) ? (RETIRED[model] ?? null) : null;
}

/** Why a provider gave no reply. `rejected`, `too-long` and `unrecorded` concern one question; the others would affect any. */
export type ProviderFailure =
  | 'no-key'
  | 'key-refused'
  | 'unpaid'
  | 'unknown-model'
  | 'rate-limited'
  | 'no-room'
  | 'unavailable'
  | 'rejected'
  | 'too-long'
  | 'unrecorded'
  | 'stopped';

interface Details {
  readonly failure: ProviderFailure;
  readonly message: string;
  readonly hint: string;
  /** Whether the request may have cost something. */
  readonly sent?: boolean;
  /** After a 429: how long the provider asked us to wait, in seconds; null where it named no time. */
  readonly retryAfter?: number | null;
  /** What earlier replies to the same question took. */
  readonly took?: Usage;
}

/**
 * A provider gave no reply: nothing was judged, and the signals wait. The message is in the program's own words, never
 * the provider's, which might repeat the key.
 */
export class ProviderError extends Unanswered {
  readonly failure: ProviderFailure;
  readonly trouble: Diagnostic;

  constructor({ failure, message, hint, sent = false, ...rest }: Details) {
    super(message, { sent, ...rest });
    this.name = 'ProviderError';
    this.failure = failure;
    this.trouble = diagnostic({ code: `model-${failure}`, message, hint });
  }

  /** Returns the same failure with what earlier replies to the same question took. */
  afterReply(took: Usage): ProviderError {
    const { failure, message, retryAfter } = this;
    const waited = retryAfter === undefined ? {} : { retryAfter };
    return new ProviderError({ failure, message, hint: this.trouble.hint, sent: true, took, ...waited });
  }
}

const WAITS = 'What it was to be asked waits until it answers again.';

/** How a server refused a request. */
interface Refused {
  /** The HTTP status. */
  readonly status: number;
  /** How long it asked us to wait, in seconds; null where it named no time. */
  readonly wait: number | null;
  /** What a 400 is about, where that is known. */
  readonly complaint: 'too-long' | 'unpaid' | null;
  /** Its address, if it is not the provider's own server. */
  readonly server: string | null;
}

/** Returns the failure that an HTTP status stands for. */
export function failureOfStatus(model: string, { status, wait, complaint, server }: Refused): ProviderError {
  const said = `(HTTP ${status})`;
  if (status === 413 || (status === 400 && complaint === 'too-long')) return tooLongError(model);
  if (status === 400 && complaint === 'unpaid') return unpaid(model, said);
  switch (status) {
    case 401:
    case 403:
      return new ProviderError({
        failure: 'key-refused',
        message: `The provider of ${model} does not accept the key ${said}.`,
        hint: `Mend ANTHROPIC_API_KEY or the credential anthropic_api_key, and start again. ${WAITS}`,
      });
    case 402:
      return unpaid(model, said);
    case 404:
      return unknownModel(model, said, server);
    case 429:
      return rateLimited(model, wait);
    default:
      return status >= 500 || status === 408 || status === 409 ? unavailable(model, said) : rejected(model, said);
  }
}

/** Returns the failure of a provider that asks us to wait. `retryAfter`: in seconds, or null where it named no time. */
function rateLimited(model: string, retryAfter: number | null): ProviderError {
  return new ProviderError({
    failure: 'rate-limited',
    message: `The provider of ${model} asked us to wait.`,
    hint: 'Nothing is asked of it until then; status says until when.',
    retryAfter,
  });
}

/** Returns the failure of a question that was not sent, because the rate guard has no room for it. `why`: as a sentence. */
export function noRoom(why: string): ProviderError {
  return new ProviderError({
    failure: 'no-room',
    message: why,
    hint: 'Nothing needs to be done: it is asked when there is room; status says when.',
  });
}

/** Returns the failure of a provider that sent no reply, half of one, or one of another API. `how`: in brackets after the message. */
export function unavailable(model: string, how: string, sent = false): ProviderError {
  return new ProviderError({
    failure: 'unavailable',
    sent,
    message: `${model} cannot be asked just now ${how}.`,
    hint: `Nothing needs to be done unless it stays so. ${WAITS}`,
  });
}

/** Returns the failure of a question that was aborted, because its time or the program ended. `sent`: as in `Details`. */
export function stopped(model: string, sent: boolean): ProviderError {
  return new ProviderError({
    failure: 'stopped',
    sent,
    message: `${model} was not heard to the end: the round was cut off.`,
    hint: 'The signals wait for the next tick.',
  });
}

/** For `catch`: returns null where the server rejected this one request, and throws any other error again. */
export function nullIfRejected(error: unknown): null {
  if (error instanceof ProviderError && error.failure === 'rejected') return null;
  throw error;
}

function unpaid(model: string, said: string): ProviderError {
  return new ProviderError({
    failure: 'unpaid',
    message: `The provider of ${model} asks to be paid first ${said}.`,
    hint: `Look at the billing of the key's account. ${WAITS}`,
  });
}

function unknownModel(model: string, said: string, server: string | null): ProviderError {
  const retired = retirementOf(model);
  const elsewhere = server === null ? '' : `, or ANTHROPIC_BASE_URL where ${server} does not offer the Messages API`;
  return new ProviderError({
    failure: 'unknown-model',
    message: `The provider does not know the model ${model} ${said}.`,
    hint:
      retired === null
        ? `Mend the setting in steward.md that names it${elsewhere}.`
        : `It was retired on ${retired.since}. Name its successor in steward.md: ${retired.successor}.`,
  });
}

function rejected(model: string, said: string): ProviderError {
  return new ProviderError({
    failure: 'rejected',
    message: `The provider of ${model} did not take the question ${said}.`,
    hint: 'If every question is refused, look at the models in steward.md and at the billing of the key.',
  });
}

function tooLongError(model: string): ProviderError {
  return new ProviderError({
    failure: 'too-long',
    message: `The question is too long for ${model}.`,
    hint: 'It is asked again in brief.',
  });
}
