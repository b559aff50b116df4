import type { APIError, ClientOptions, Anthropic as Sdk } from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { ProviderAccess } from './api-key.ts';
import {
  abortable,
  failureOfStatus,
  ProviderError,
  type ProviderFailure,
  stopped,
  unavailable,
} from './provider-error.ts';

/** Whether a server takes batches, as far as this is known. Until a batch fails, it is assumed to. */
class BatchSupport {
  #suspendedUntil = 0;

  /** Returns whether a batch may be sent to the server. `now`: epoch ms. */
  isAssumed(now: number): boolean {
    return now >= this.#suspendedUntil;
  }

  /** Records that the server took no batch. No other is sent to it before `at` (epoch ms). */
  suspendUntil(at: number): void {
    this.#suspendedUntil = at;
  }
}

const MINUTE_MS = 60_000;
const LONGEST_MS = 15 * MINUTE_MS;
/** Failures that the next question would run into as well. */
const LASTING: readonly ProviderFailure[] = ['key-refused', 'unpaid', 'unknown-model', 'unavailable'];

/** Stops requests after a failure: for a minute, then twice as long after each further failure, at most 15 minutes. */
class Cooldown {
  #failures = 0;
  #last: { readonly error: ProviderError; readonly at: number; readonly ms: number } | null = null;

  /** Does the work, or throws its last failure again while the cooldown lasts. `now`: epoch ms. */
  async guard<Result>(now: number, work: () => Promise<Result>): Promise<Result> {
    const last = this.#last;
    // A clock that was set back ends the cooldown: a wait that is a minute too short does no harm.
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

  // Failures of questions that were asked at the same time count once.
  #start(error: ProviderError, at: number): void {
    if (this.#last !== null && at < this.#last.at + this.#last.ms && at >= this.#last.at) return;
    this.#failures += 1;
    this.#last = { error, at, ms: Math.min(MINUTE_MS * 2 ** (this.#failures - 1), LONGEST_MS) };
  }
}

/** Where every request takes its place before it is sent, so that nobody who asks a provider can forget to. */
export interface Door {
  /**
   * Takes a place for each question, on disk before it is sent. Rejects where there is no room for them or the provider
   * asked us to wait. None is taken for a request that puts no question, which only waits as the others do.
   */
  pass(questions: number): Promise<void>;
  /** Remembers that the provider asked us to wait: so many seconds, or null where it did not say how many. */
  heldOff(retryAfterSeconds: number | null): Promise<void>;
}

/** A request that was not sent. `why`: what the door threw. */
class NotSent extends Error {
  readonly why: unknown;

  constructor(why: unknown) {
    super('the request was not sent');
    this.name = 'NotSent';
    this.why = why;
  }
}

const batch = z.object({ requests: z.array(z.unknown()) });

/** Returns a `fetch` that sends nothing before the door has let it pass. It throws `NotSent` where the door refuses. */
function throughDoor(door: Door, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      await door.pass(questionsOf(input instanceof Request ? input.url : String(input), init));
    } catch (error) {
      throw new NotSent(error);
    }
    return send(input, init);
  };
}

/** How many questions a request puts: none where it only looks, one for each request of a batch, else one. */
function questionsOf(url: string, init: RequestInit = {}): number {
  if ((init.method ?? 'GET').toUpperCase() === 'GET') return 0;
  if (!new URL(url).pathname.endsWith('/batches') || typeof init.body !== 'string') return 1;
  return batch.parse(JSON.parse(init.body)).requests.length;
}

/** How a model is held to a schema: by the server, by a tool that it must call, or only by being asked. */
export type OutputMode = 'structured output' | 'a forced tool' | 'JSON in the text';

/** The output mode that works with each model of one server, as far as it is known. */
export class OutputModes {
  readonly #byModel = new Map<string, OutputMode>();

  /** Returns the mode that works with a model, or null where it is not known yet. */
  of(model: string): OutputMode | null {
    return this.#byModel.get(model) ?? null;
  }

  /** Records the mode that works with a model. */
  learn(model: string, mode: OutputMode): void {
    this.#byModel.set(model, mode);
  }
}

interface WaitHeaders {
  /** `retry-after`, in seconds or as a date. */
  readonly retryAfter: string | null;
  /** `date`: the server's own clock. */
  readonly date: string | null;
}

/**
 * Returns how long a server asks us to wait, in seconds and never negative; null where it says nothing usable. A date is
 * counted from the server's own clock, or from ours (`now`, epoch ms) if the server sends no `date`.
 */
export function secondsToWait({ retryAfter, date }: WaitHeaders, now: number): number | null {
  if (retryAfter === null || retryAfter.trim() === '') return null;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(retryAfter);
  const from = Date.parse(date ?? '');
  return Number.isNaN(until) ? null : Math.max(0, (until - (Number.isNaN(from) ? now : from)) / 1000);
}

/** Lets a limited number of tasks run at once. The others wait in order, until it is their turn or they are aborted. */
class Semaphore {
  #permits: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Runs the work as soon as there is a permit for it. Rejects with the signal's reason if it is aborted before that. */
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

  // A permit goes straight to the next in line.
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#permits += 1;
    else next();
  }
}

/** Enough for the longest replies of a batch of a hundred, but not for a reply that never ends. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How much of a refusal is read: its status says enough, whatever page comes with it. */
const MAX_REFUSAL = 16 * 1024;

/** A reply that began but did not end. It may have cost something. `how`: in brackets after a sentence. */
class HalfReply extends Error {
  readonly how: string;

  constructor(how: string) {
    super(`half a reply ${how}`);
    this.name = 'HalfReply';
    this.how = how;
  }
}

/**
 * Returns a `fetch` that returns only whole replies: complete within `patienceMs` of the request, and at most 4 MiB long.
 * It throws `HalfReply` for any other reply, and what `fetch` throws where no reply began.
 */
function wholeReply(patienceMs: number): typeof fetch {
  return async (input, init) => {
    const patience = AbortSignal.timeout(patienceMs);
    const signal = init?.signal ? AbortSignal.any([patience, init.signal]) : patience;
    try {
      // Following a redirect would send the key to another address.
      const reply = await fetch(input, { ...init, signal, redirect: 'error' });
      const { status, statusText, headers } = reply;
      const body = await (reply.ok ? wholeBody(reply) : beginningOf(reply));
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      throw patience.aborted ? new HalfReply(`(no whole reply within ${patienceMs / 1000} s)`) : error;
    }
  };
}

async function wholeBody({ body }: Response): Promise<Blob | null> {
  if (body === null) return null;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = MAX_BYTES;
  for await (const chunk of unbroken(body)) {
    left -= chunk.byteLength;
    if (left < 0) throw new HalfReply('(its reply does not end within 4 MiB)');
    chunks.push(chunk);
  }
  return new Blob(chunks);
}

async function* unbroken(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* body;
  } catch {
    throw new HalfReply('(the connection broke off)');
  }
}

async function beginningOf({ body }: Response): Promise<Blob | null> {
  if (body === null) return null;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = MAX_REFUSAL;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      left -= chunk.byteLength;
      if (left < 0) break;
    }
  } catch {
    // What has arrived is enough.
  }
  return new Blob(chunks);
}

const AT_ONCE = 4;
/** How long a reply may take from the provider's own server, and from another, which may be a slow one at home. */
const PATIENCE_MS = { own: 60_000, other: 240_000 } as const;
/** How much of a complaint is read: some servers repeat the whole question in it. */
const MAX_COMPLAINT = 300;
/** As the provider and other servers word it. */
const TOO_LONG = /too long|too large|context (?:window|length|size)|exceeds? the (?:maximum|limit)/i;
const UNPAID = /credit balance|billing/i;

/** Which model a request is for, and when it is made (epoch ms). */
export interface Requested {
  readonly model: string;
  readonly now: number;
}

/**
 * A server that offers the Messages API, reached through Anthropic's library, which is loaded on first use. It limits the
 * requests at once, whoever makes them, and a model that fails gets a cooldown. Nothing is sent before the door has let
 * it pass. It never retries: the rate guard decides how long to wait.
 */
export class Provider {
  /** How its models are held to a schema, as far as this is known. */
  readonly outputModes = new OutputModes();
  readonly batchSupport = new BatchSupport();
  /** The origin of its address, if it is not the provider's own server; null otherwise. */
  readonly server: string | null;
  readonly #access: ProviderAccess;
  readonly #door: Door;
  readonly #patienceMs: number;
  readonly #semaphore: Semaphore;
  readonly #cooldowns = new Map<string, Cooldown>();
  #loaded: Promise<Sdk> | null = null;

  /** `patienceMs`: how long one reply may take, up to its last byte. `atOnce`: how many requests may run at once. */
  constructor(
    access: ProviderAccess,
    door: Door,
    patienceMs: number = PATIENCE_MS[access.baseUrl === null ? 'own' : 'other'],
    atOnce: number = AT_ONCE,
  ) {
    this.#semaphore = new Semaphore(atOnce);
    this.server = access.baseUrl === null ? null : originOf(access.baseUrl);
    this.#access = access;
    this.#door = door;
    this.#patienceMs = patienceMs;
  }

  /** Returns the library, set up for this server. Every call of it must go through `request`. */
  client(): Promise<Sdk> {
    this.#loaded ??= load(this.#access, this.#door, this.#patienceMs);
    return this.#loaded;
  }

  /**
   * Makes one request when it is its turn. Throws `ProviderError` if there is no reply or the request is aborted, and what
   * the door throws.
   */
  async request<Result>(
    { model, now }: Requested,
    abort: AbortSignal,
    call: (sdk: Sdk, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const once = () => this.#once({ model, now }, abort, call);
    try {
      return await this.#semaphore.run(abort, () => this.#cooldownOf(model).guard(now, once));
    } catch (error) {
      throw abort.aborted && !(error instanceof ProviderError) ? stopped(model, false) : error;
    }
  }

  async #once<Result>(
    { model, now }: Requested,
    abort: AbortSignal,
    call: (sdk: Sdk, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const sdk = await this.client();
    if (abort.aborted) throw stopped(model, false);
    try {
      const said = await abortable(abort, call(sdk, abort));
      // What a server says ends in notes that others read; some repeat what they were asked with, headers and all.
      if (this.#access.key.isIn(said)) throw unavailable(model, '(its answer repeats the key)', true);
      return said;
    } catch (error) {
      const unsent = unsentBy(error);
      if (unsent !== null) throw unsent.why;
      if (abort.aborted) throw stopped(model, true);
      const failure = this.#failureOf(error, model, now);
      // Here, before the next in line has its turn: it would be sent into the same refusal.
      if (failure.retryAfter !== undefined) await this.#door.heldOff(failure.retryAfter);
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

async function load({ key, baseUrl }: ProviderAccess, door: Door, patienceMs: number): Promise<Sdk> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const options: ClientOptions = {
    apiKey: key.reveal(),
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: 2 * patienceMs, // `wholeReply` always gives up first
    fetch: throughDoor(door, wholeReply(patienceMs)),
    // No key and no text may reach a log or a trace, whatever the environment asks for.
    logLevel: 'off',
    openTelemetry: false,
  };
  return new Anthropic(options);
}
