import { AsyncLocalStorage } from 'node:async_hooks';
import type { APIError, ClientOptions, Anthropic as Sdk } from '@anthropic-ai/sdk';
import type { ProviderAccess } from '../daemon/api-key.ts';
import { readAnswer } from '../daemon/network.ts';
import type { Slot } from '../steward/rate-guard.ts';
import { type QuestionFailure, UnansweredError, type Usage } from '../steward/types.ts';
import { knownProviders, type Retirement } from '../vault/data.ts';
import { type Diagnostic, diagnostic } from '../vault/errors.ts';

/** Admits every request to a provider. A request can't be sent without it. */
export interface RequestGate {
  /**
   * Takes a slot for each of `questions`, on disk, before a request is sent. Rejects if there is no room or the provider
   * asked us to wait. With 0, it takes none but still waits in line. `slot`: the one that was reserved; it covers one
   * request, and says what the next ones count for.
   */
  pass(questions: number, slot?: Slot | null): Promise<void>;
  /** Records that the provider asked us to wait for some seconds, or null if it named no time. */
  heldOff(retryAfterSeconds: number | null): Promise<void>;
}

const AT_ONCE = 4;
/**
 * How long a reply may take: from the provider's own server, and from another one, which may be a slow computer at
 * home.
 */
const PATIENCE_MS = { own: 60_000, other: 240_000 } as const;
/** How much of an error message is read. Some servers repeat the whole question in it. */
const MAX_COMPLAINT = 300;
/** The wordings of Anthropic and of other servers. */
const TOO_LONG = /too long|too large|context (?:window|length|size)|exceeds? the (?:maximum|limit)/i;
const UNPAID = /credit balance|billing/i;

/** Which model a request is for, and when it is made (epoch ms). */
interface ModelRequest {
  readonly model: string;
  readonly now: number;
  /** The slot that was reserved for it; absent if there was no reservation. */
  readonly slot?: Slot | null;
}

/**
 * A server with the Messages API, through Anthropic's library, which is loaded on first use. It limits simultaneous
 * requests, and a failing model gets a cooldown. Each request passes the gate first. It never retries: the rate guard
 * decides how long to wait.
 */
export class Provider {
  /** How to request output in a schema from each of its models. */
  readonly outputModes = new OutputModes();
  /** The origin of its address; null for the provider's own server. */
  readonly server: string | null;
  readonly #access: ProviderAccess;
  readonly #gate: RequestGate;
  readonly #patienceMs: number;
  readonly #semaphore: Semaphore;
  readonly #cooldowns = new Map<string, Cooldown>();
  /** The slot of the request under way, for the gate, which the library calls. */
  readonly #slot = new AsyncLocalStorage<Slot | null>();
  #loaded: Promise<Sdk> | null = null;

  /** `patienceMs`: how long one reply may take, up to its last byte. `atOnce`: how many requests may run at once. */
  constructor(
    access: ProviderAccess,
    gate: RequestGate,
    patienceMs: number = PATIENCE_MS[access.baseUrl === null ? 'own' : 'other'],
    atOnce: number = AT_ONCE,
  ) {
    this.#semaphore = new Semaphore(atOnce);
    this.server = access.baseUrl === null ? null : originOf(access.baseUrl);
    this.#access = access;
    this.#gate = gate;
    this.#patienceMs = patienceMs;
  }

  /** Returns the library, set up for this server. Every call of it must go through `request`. */
  client(): Promise<Sdk> {
    const pass = () => this.#gate.pass(1, this.#slot.getStore() ?? null);
    this.#loaded ??= load(this.#access, pass, this.#patienceMs);
    return this.#loaded;
  }

  /**
   * Runs one request when it is its turn. Throws `ProviderError` if there is no reply or the request is aborted, and
   * whatever the gate throws.
   */
  async request<Result>(
    { model, now, slot = null }: ModelRequest,
    abort: AbortSignal,
    call: (sdk: Sdk, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const once = () => this.#slot.run(slot, () => this.#once({ model, now }, abort, call));
    try {
      return await this.#semaphore.run(abort, () => this.#cooldownOf(model).guard(now, once));
    } catch (error) {
      throw abort.aborted && !(error instanceof ProviderError) ? stopped(model, false) : error;
    }
  }

  async #once<Result>(
    { model, now }: ModelRequest,
    abort: AbortSignal,
    call: (sdk: Sdk, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const sdk = await this.client();
    if (abort.aborted) throw stopped(model, false);
    try {
      const said = await abortable(abort, call(sdk, abort));
      // The server's message ends up in notes, and some servers repeat the request in it, including headers.
      if (this.#access.key.isIn(said)) throw unavailable(model, '(its answer repeats the key)', true);
      return said;
    } catch (error) {
      const unsent = unsentBy(error);
      if (unsent !== null) throw unsent.why;
      if (abort.aborted) throw stopped(model, true);
      const failure = this.#failureOf(error, model, now);
      // This must happen before the next request starts, which would be refused too.
      if (failure.retryAfter !== undefined) await this.#gate.heldOff(failure.retryAfter);
      throw failure;
    }
  }

  #failureOf(error: unknown, model: string, now: number): ProviderError {
    if (error instanceof ProviderError) return error;
    const { status, headers, apiMessage, message = '', cause } = error as Partial<APIError>;
    if (cause instanceof HalfReply) return unavailable(model, cause.how, true);
    if (typeof status !== 'number') return unavailable(model, this.#noReply(), error instanceof SyntaxError);
    const headerOf = (name: string) => headers?.get(name) ?? null;
    const complaint = complaintIn((apiMessage ?? message).slice(0, MAX_COMPLAINT));
    const wait = secondsToWait({ retryAfter: headerOf('retry-after'), date: headerOf('date') }, now);
    return failureOfStatus(model, { status, wait, complaint, server: this.server });
  }

  #noReply(): string {
    return this.server === null ? '(the connection failed)' : `(no connection to ${this.server})`;
  }

  #cooldownOf(model: string): Cooldown {
    const cooldown = this.#cooldowns.get(model) ?? new Cooldown();
    this.#cooldowns.set(model, cooldown);
    return cooldown;
  }
}

// The library wraps what its `fetch` throws.
function unsentBy(error: unknown): NotSent | null {
  if (error instanceof NotSent) return error;
  return error instanceof Error && error.cause instanceof NotSent ? error.cause : null;
}

function complaintIn(message: string): 'too-long' | 'unpaid' | null {
  if (TOO_LONG.test(message)) return 'too-long';
  return UNPAID.test(message) ? 'unpaid' : null;
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : 'an address that cannot be read';
}

async function load({ key, baseUrl }: ProviderAccess, pass: PassGate, patienceMs: number): Promise<Sdk> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const options: ClientOptions = {
    apiKey: key.reveal(),
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: 2 * patienceMs, // `wholeReply` always gives up first
    fetch: throughGate(pass, wholeReply(patienceMs)),
    // Keys and texts must never reach a log, whatever the environment sets.
    logLevel: 'off',
    openTelemetry: false,
  };
  return new Anthropic(options);
}

/**
 * How a model is made to answer in a schema: enforced by the server, through a forced tool call, or only by the prompt.
 */
export type OutputMode = 'structured output' | 'a forced tool' | 'JSON in the text';

/** The output mode that works with each model of one server. */
export class OutputModes {
  readonly #byModel = new Map<string, OutputMode>();

  /** Returns the mode that works with a model, or null if it isn't known yet. */
  of(model: string): OutputMode | null {
    return this.#byModel.get(model) ?? null;
  }

  learn(model: string, mode: OutputMode): void {
    this.#byModel.set(model, mode);
  }
}

const MINUTE_MS = 60_000;
const LONGEST_MS = 15 * MINUTE_MS;
/** Failures that the next question would have too. */
const LASTING: readonly QuestionFailure[] = ['key-refused', 'unpaid', 'unknown-model', 'unavailable'];

/** Stops requests after a failure: for a minute, then twice as long after each further failure, at most 15 minutes. */
class Cooldown {
  #failures = 0;
  #last: { readonly error: ProviderError; readonly at: number; readonly ms: number } | null = null;

  /** Runs the work, or throws the last failure again during the cooldown. `now`: epoch ms. */
  async guard<Result>(now: number, work: () => Promise<Result>): Promise<Result> {
    const last = this.#last;
    // If the clock was set back, the cooldown ends early, which does no harm.
    if (last !== null && now >= last.at && now < last.at + last.ms) throw last.error;
    try {
      const result = await work();
      this.#failures = 0;
      this.#last = null;
      return result;
    } catch (error) {
      if (error instanceof ProviderError && LASTING.includes(error.failure)) this.#start(error, now);
      throw error;
    }
  }

  // Failures of simultaneous questions count once.
  #start(error: ProviderError, at: number): void {
    if (this.#last !== null && at < this.#last.at + this.#last.ms && at >= this.#last.at) return;
    this.#failures += 1;
    this.#last = { error, at, ms: Math.min(MINUTE_MS * 2 ** (this.#failures - 1), LONGEST_MS) };
  }
}

/** Limits how many tasks run at once. The others wait in order, unless they are aborted. */
class Semaphore {
  #permits: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Runs the work when there is a permit. Rejects with the signal's reason if it is aborted before. */
  async run<Result>(abort: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#acquire(abort);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #acquire(abort: AbortSignal): Promise<void> {
    abort.throwIfAborted();
    if (this.#permits > 0) {
      this.#permits -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const acquired = () => {
        abort.removeEventListener('abort', aborted);
        resolve();
      };
      const aborted = () => {
        this.#waiting.splice(this.#waiting.indexOf(acquired), 1);
        reject(abort.reason);
      };
      this.#waiting.push(acquired);
      abort.addEventListener('abort', aborted, { once: true });
    });
  }

  // The permit goes directly to the next in line.
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#permits += 1;
    else next();
  }
}

/** A request that was not sent. `why`: what the gate threw. */
class NotSent extends Error {
  readonly why: unknown;

  constructor(why: unknown) {
    super('the request was not sent');
    this.name = 'NotSent';
    this.why = why;
  }
}

type PassGate = () => Promise<void>;

/** Wraps `fetch` so that every request passes the gate first. Throws `NotSent` if the gate refuses. */
function throughGate(pass: PassGate, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      await pass();
    } catch (error) {
      throw new NotSent(error);
    }
    return send(input, init);
  };
}

/** A limit for endless replies. */
const MAX_BYTES = 4 * 1024 * 1024;
/** A longer error page isn't read: the status is enough. */
const MAX_REFUSAL = 16 * 1024;

/** A reply that started but didn't finish. It may have cost something. `how`: in brackets after a sentence. */
class HalfReply extends Error {
  readonly how: string;

  constructor(how: string) {
    super(`half a reply ${how}`);
    this.name = 'HalfReply';
    this.how = how;
  }
}

/**
 * Wraps `fetch` so that it returns only complete replies: within `patienceMs` of the request, and at most 4 MiB.
 * Otherwise it throws `HalfReply`, or the error of `fetch` if no reply started.
 */
function wholeReply(patienceMs: number): typeof fetch {
  return async (input, init) => {
    const patience = AbortSignal.timeout(patienceMs);
    const signal = init?.signal ? AbortSignal.any([patience, init.signal]) : patience;
    try {
      // Following a redirect would send the key to another address.
      const reply = await fetch(input, { ...init, signal, redirect: 'error' });
      const { status, statusText, headers } = reply;
      const body = reply.ok ? await wholeBody(reply) : await readAnswer(reply, MAX_REFUSAL).catch(() => null);
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      throw patience.aborted ? new HalfReply(`(no whole reply within ${patienceMs / 1000} s)`) : error;
    }
  };
}

async function wholeBody(reply: Response): Promise<Buffer<ArrayBuffer>> {
  const bytes = await readAnswer(reply, MAX_BYTES).catch(() => {
    throw new HalfReply('(the connection broke off)');
  });
  if (bytes === null) throw new HalfReply('(its reply does not end within 4 MiB)');
  return bytes;
}

interface WaitHeaders {
  /** `retry-after`, in seconds or as a date. */
  readonly retryAfter: string | null;
  /** `date`: the server's own clock. */
  readonly date: string | null;
}

/**
 * Returns how many seconds a server asks us to wait, at least 0; null if it names no usable time. Dates are compared
 * with the server's clock, or with ours (`now`, epoch ms) if it sends no `date`.
 */
export function secondsToWait({ retryAfter, date }: WaitHeaders, now: number): number | null {
  if (retryAfter === null || retryAfter.trim() === '') return null;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(retryAfter);
  const from = Date.parse(date ?? '');
  return Number.isNaN(until) ? null : Math.max(0, (until - (Number.isNaN(from) ? now : from)) / 1000);
}

interface Details {
  readonly failure: QuestionFailure;
  readonly message: string;
  readonly hint: string;
  /** Whether the request may have cost something. */
  readonly sent?: boolean;
  /** After a 429: how many seconds the provider asked us to wait; null if it named no time. */
  readonly retryAfter?: number | null;
  /** Usage of earlier replies to the same question. */
  readonly took?: Usage;
}

/**
 * The provider gave no reply: nothing was evaluated, and the signals wait. The message never contains text from the
 * provider, which could include the key.
 */
export class ProviderError extends UnansweredError {
  declare readonly failure: QuestionFailure;
  readonly trouble: Diagnostic;

  constructor({ failure, message, hint, sent = false, ...rest }: Details) {
    super(message, { sent, failure, ...rest });
    this.name = 'ProviderError';
    this.trouble = diagnostic({ code: `model-${failure}`, message, hint });
  }

  /** Returns the same failure with the usage of earlier replies. */
  afterReply(took: Usage): ProviderError {
    const { failure, message, retryAfter } = this;
    const waited = retryAfter === undefined ? {} : { retryAfter };
    return new ProviderError({ failure, message, hint: this.trouble.hint, sent: true, took, ...waited });
  }
}

const WAITS = 'The questions wait until it answers again.';

interface Refused {
  readonly status: number;
  /** How many seconds it asked us to wait; null if it named no time. */
  readonly wait: number | null;
  /** The reason of a 400, if it is known. */
  readonly complaint: 'too-long' | 'unpaid' | null;
  /** The origin of its address; null for the provider's own server. */
  readonly server: string | null;
}

function failureOfStatus(model: string, { status, wait, complaint, server }: Refused): ProviderError {
  const said = `(HTTP ${status})`;
  if (status === 413 || (status === 400 && complaint === 'too-long')) return tooLongError(model);
  if (status === 400 && complaint === 'unpaid') return unpaid(model, said);
  switch (status) {
    case 401:
    case 403:
      return new ProviderError({
        failure: 'key-refused',
        message: `The provider of ${model} rejected the key ${said}.`,
        hint: `Correct ANTHROPIC_API_KEY or the credential anthropic_api_key, and start Steward again. ${WAITS}`,
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

/** Returns the failure of a provider that asks us to wait. `retryAfter`: seconds, or null if it named no time. */
function rateLimited(model: string, retryAfter: number | null): ProviderError {
  return new ProviderError({
    failure: 'rate-limited',
    message: `The provider of ${model} asked us to wait.`,
    hint: 'Steward waits until then; status shows until when.',
    retryAfter,
  });
}

/** Returns the failure of a question that wasn't sent because the rate guard has no room. `why`: a sentence. */
export function noRoom(why: string): ProviderError {
  return new ProviderError({
    failure: 'no-room',
    message: why,
    hint: 'No action needed: Steward asks when there is room; status shows when.',
  });
}

/**
 * Returns the failure of a provider that sent no reply, an incomplete one, or one of another API. `how`: in brackets
 * after the message.
 */
export function unavailable(model: string, how: string, sent = false): ProviderError {
  return new ProviderError({
    failure: 'unavailable',
    sent,
    message: `${model} isn't available at the moment ${how}.`,
    hint: `No action needed unless this lasts. ${WAITS}`,
  });
}

/**
 * Returns the failure of a question that was aborted by its time limit or the end of the program. `sent`: see
 * `Details`.
 */
function stopped(model: string, sent: boolean): ProviderError {
  return new ProviderError({
    failure: 'stopped',
    sent,
    message: `${model} didn't finish its answer: the request was aborted.`,
    hint: 'The signals wait for the next check.',
  });
}

/** For `catch`: returns null if the server rejected only this request. Throws other errors again. */
export function nullIfRejected(error: unknown): null {
  if (error instanceof ProviderError && error.failure === 'rejected') return null;
  throw error;
}

function unpaid(model: string, said: string): ProviderError {
  return new ProviderError({
    failure: 'unpaid',
    message: `The provider of ${model} requires payment ${said}.`,
    hint: `Check the billing of the key's account. ${WAITS}`,
  });
}

function unknownModel(model: string, said: string, server: string | null): ProviderError {
  const retired = findRetirement(model);
  const elsewhere = server === null ? '' : `, or ANTHROPIC_BASE_URL if ${server} doesn't offer the Messages API`;
  return new ProviderError({
    failure: 'unknown-model',
    message: `The provider doesn't know the model ${model} ${said}.`,
    hint:
      retired === null
        ? `Correct the setting in steward.md that names it${elsewhere}.`
        : `It was retired on ${retired.since}. Name its successor in steward.md: ${retired.successor}.`,
  });
}

function rejected(model: string, said: string): ProviderError {
  return new ProviderError({
    failure: 'rejected',
    message: `The provider of ${model} rejected the question ${said}.`,
    hint: 'If it rejects every question, check the models in steward.md and the billing of the key.',
  });
}

function tooLongError(model: string): ProviderError {
  return new ProviderError({
    failure: 'too-long',
    message: `The question is too long for ${model}.`,
    hint: 'Steward asks again with less text.',
  });
}

/** Returns when a model was or will be retired; null if no date is known. */
export function findRetirement(model: string): Retirement | null {
  const { retired } = knownProviders();
  return Object.hasOwn(retired, model) ? (retired[model] ?? null) : null;
}

/** Returns the result of `work`. Rejects with the signal's reason as soon as it aborts; `work` may continue. */
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
