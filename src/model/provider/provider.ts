import type { APIError, ClientOptions, Anthropic as Sdk } from '@anthropic-ai/sdk';
import { abortable } from './abortable.ts';
import type { ProviderAccess } from './api-key.ts';
import { BatchSupport } from './batch-support.ts';
import { Cooldown } from './cooldown.ts';
import { type Door, NotSent, throughDoor } from './door.ts';
import { OutputModes } from './output-modes.ts';
import { failureOfStatus, ProviderError, stopped, unavailable } from './provider-error.ts';
import { secondsToWait } from './retry-after.ts';
import { Semaphore } from './semaphore.ts';
import { HalfReply, wholeReply } from './whole-reply.ts';

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
