import type { APIError, ClientOptions, Anthropic as Sdk } from '@anthropic-ai/sdk';
import type { ProviderAccess } from './api-key.ts';
import { Cooldown } from './cooldown.ts';
import { OutputModes } from './output-modes.ts';
import { failureOfStatus, ProviderError, stopped, unavailable } from './provider-error.ts';
import { secondsToWait } from './retry-after.ts';
import { Semaphore } from './semaphore.ts';
import { HalfReply, wholeReply } from './whole-reply.ts';

const AT_ONCE = 4;
/** How long the provider's own server may take for a reply, and one at home, which may be slow. */
const PATIENCE_MS = { own: 60_000, other: 240_000 } as const;
/** What is read of a complaint: some servers repeat the whole question in it. */
const MAX_COMPLAINT = 300;
/** As the provider says it, and as other servers do. */
const TOO_LONG = /too long|too large|context (?:window|length|size)|exceeds? the (?:maximum|limit)/i;
const UNPAID = /credit balance|billing/i;

/** Of which model a request is made, and when (epoch ms). */
export interface Requested {
  readonly model: string;
  readonly now: number;
}

/**
 * A server that offers the Messages API, reached through Anthropic's library, which is loaded when it is first needed.
 * So many requests at once, whoever makes them; a model that fails is left in peace for a while. No retry: how long to
 * wait is the rate guard's to know.
 */
export class Provider {
  /** How its models are held to a form, as far as it is known. */
  readonly ways = new OutputModes();
  /** Where it stands, if it is another than the provider's own; without what an address may hold beside that. */
  readonly server: string | null;
  readonly #access: ProviderAccess;
  readonly #patienceMs: number;
  readonly #places: Semaphore;
  readonly #respites = new Map<string, Cooldown>();
  #loaded: Promise<Sdk> | null = null;

  /** `patienceMs`: how long one reply may take, to its last byte. `atOnce`: how many requests may be under way. */
  constructor(
    access: ProviderAccess,
    patienceMs: number = PATIENCE_MS[access.baseUrl === null ? 'own' : 'other'],
    atOnce: number = AT_ONCE,
  ) {
    this.#places = new Semaphore(atOnce);
    this.server = access.baseUrl === null ? null : originOf(access.baseUrl);
    this.#access = access;
    this.#patienceMs = patienceMs;
  }

  /** The library, set up for this server; what it is asked goes through `request`. */
  client(): Promise<Sdk> {
    this.#loaded ??= load(this.#access, this.#patienceMs);
    return this.#loaded;
  }

  /** One request, made in its turn. Throws `ProviderError` where no reply can be had, or where it is stopped. */
  async request<Answer>(
    { model, now }: Requested,
    abort: AbortSignal,
    call: (sdk: Sdk, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const once = () => this.#once({ model, now }, abort, call);
    try {
      return await this.#places.run(abort, () => this.#respiteOf(model).guard(now, once));
    } catch (error) {
      throw abort.aborted && !(error instanceof ProviderError) ? stopped(model, false) : error;
    }
  }

  async #once<Answer>(
    { model, now }: Requested,
    abort: AbortSignal,
    call: (sdk: Sdk, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const sdk = await this.client();
    if (abort.aborted) throw stopped(model, false);
    try {
      return await heeding(abort, call(sdk, abort));
    } catch (error) {
      throw abort.aborted ? stopped(model, true) : this.#failureOf(error, model, now);
    }
  }

  #failureOf(error: unknown, model: string, now: number): ProviderError {
    if (error instanceof ProviderError) return error;
    const { status, headers, apiMessage, message = '', cause } = error as Partial<APIError>;
    if (cause instanceof HalfReply) return unavailable(model, cause.how, true);
    if (typeof status !== 'number') return unavailable(model, this.#noReply(), error instanceof SyntaxError);
    const told = (name: string) => headers?.get(name) ?? null;
    const complaint = complaintIn((apiMessage ?? message).slice(0, MAX_COMPLAINT));
    const wait = secondsToWait({ retryAfter: told('retry-after'), date: told('date') }, now);
    return failureOfStatus(model, { status, wait, complaint, server: this.server });
  }

  #noReply(): string {
    return this.server === null ? '(the connection failed)' : `(no connection to ${this.server})`;
  }

  #respiteOf(model: string): Cooldown {
    const respite = this.#respites.get(model) ?? new Cooldown();
    this.#respites.set(model, respite);
    return respite;
  }
}

function complaintIn(message: string): 'too-long' | 'unpaid' | null {
  if (TOO_LONG.test(message)) return 'too-long';
  return UNPAID.test(message) ? 'unpaid' : null;
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : 'an address that cannot be read';
}

async function load({ key, baseUrl }: ProviderAccess, patienceMs: number): Promise<Sdk> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const options: ClientOptions = {
    apiKey: key.reveal(),
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: 2 * patienceMs, // never first
    fetch: wholeReply(patienceMs),
    // Nothing of a request, its key or its text reaches a log or a trace, whatever the environment asks for.
    logLevel: 'off',
    openTelemetry: false,
  };
  return new Anthropic(options);
}

/** What is under way, or the signal's reason as soon as it says so: nobody waits for a connection that does not heed it. */
export async function heeding<Answer>(signal: AbortSignal, work: Promise<Answer>): Promise<Answer> {
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
