import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type HttpAnswer, RequestServer, readBody, Windows } from '../daemon/network.ts';
import { errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { readForeignJson } from '../vault/json.ts';
import { Mutex } from '../vault/time.ts';
import {
  type Arrival,
  type Credential,
  type Inlet,
  parseEvent,
  type Session,
  type Source,
  SourceError,
  type SourceProblem,
  type WebhookSettings,
} from './source.ts';

type Answer = HttpAnswer;

/** Returns the answer for a refused request. `message`: one sentence, without anything from the request. */
function refusal(status: number, message: string, headers: Answer['headers'] = {}): Answer {
  return { status, content: json({ message }), headers };
}

function later(status: number, message: string, waitMs: number): Answer {
  return refusal(status, message, { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) });
}

function accepted(taken: number, known: number): Answer {
  const said = { message: takenWords(taken, known), taken, known };
  return { status: taken > 0 ? 202 : 200, content: json(said), headers: {} };
}

const HEALTHY: Answer = { status: 200, content: null, headers: {} };

function json(said: Readonly<Record<string, string | number>>): Answer['content'] {
  return { type: 'application/json', text: `${JSON.stringify(said)}\n` };
}

function takenWords(taken: number, known: number): string {
  if (taken === 0) return 'Already known: an event with this id was accepted before.';
  return known === 0 ? 'Accepted.' : 'Accepted, except for events that were already known.';
}

const MOST_EVENTS = 50;

const object = z.record(z.string(), z.unknown());

/** The arrivals in the body of a request, or the refusal. */
type EventsIn =
  | { readonly ok: true; readonly arrivals: readonly Arrival[] }
  | { readonly ok: false; readonly answer: Answer };

/** Reads the events of a request, all or none. `key`: the id for an event without one. `now`: epoch ms. */
function eventsIn(body: Uint8Array, key: string | null, now: number): EventsIn {
  const json = readForeignJson(body);
  if (json === undefined) return refused(400, "The body isn't JSON in UTF-8.");
  const values: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (values.length === 0) return refused(422, 'The list is empty.');
  if (values.length > MOST_EVENTS) return refused(422, `The list has more than ${MOST_EVENTS} events.`);
  const arrivals: Arrival[] = [];
  for (const [nth, value] of values.entries()) {
    const place = Array.isArray(json) ? nth + 1 : null;
    const read = parseEvent(withId(value, key, place), now);
    if (!read.ok) return refused(422, `${place === null ? 'The event' : `Event ${place}`}: ${read.reason}.`);
    arrivals.push(read.arrival);
  }
  return { ok: true, arrivals: [...new Map(arrivals.toReversed().map((one) => [one.key, one])).values()].toReversed() };
}

/** Events of a list that have no id get one each. */
function withId(value: unknown, key: string | null, place: number | null): unknown {
  const fields = object.safeParse(value);
  if (key === null || !fields.success || fields.data.id !== undefined) return value;
  return { ...fields.data, id: place === null ? key : `${key}/${place}` };
}

function refused(status: number, message: string): EventsIn {
  return { ok: false, answer: refusal(status, message) };
}

/** How long after the last wrong token the problem is shown. */
const TOLD_MS = 60 * 60 * 1000;

/** Counts wrong tokens and reports them as a problem. */
class WrongTokens {
  readonly #now: () => number;
  readonly #turned: () => void;
  #count = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: epoch ms. `turned` is called when the problem appears or ends. */
  constructor(now: () => number, turned: () => void) {
    this.#now = now;
    this.#turned = turned;
  }

  add(): void {
    this.#count += 1;
    this.#last = this.#now();
    if (this.#count > 1) return;
    this.#wakeAfter(TOLD_MS);
    this.#turned();
  }

  problems(): readonly SourceProblem[] {
    if (this.#count === 0) return [];
    const times = this.#count === 1 ? 'once' : `${this.#count} times`;
    const message = `Somebody asked the webhook ${times} with a wrong token or without one.`;
    const hint =
      "No event was accepted. If it isn't one of your devices with an old token, find out who else uses this machine.";
    return [{ message, hint }];
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wakeAfter(ms: number): void {
    this.#timer = setTimeout(() => this.#forget(), ms);
    this.#timer.unref();
  }

  #forget(): void {
    const left = this.#last + TOLD_MS - this.#now();
    if (left > 0) {
      this.#wakeAfter(left);
      return;
    }
    this.#count = 0;
    this.#turned();
  }
}

/** The parts of a request that decide whether its body is read. */
interface Head {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const MAX_BODY = 256 * 1024;

/**
 * This machine by its own names, with any port (for tunnels). A web page that rebinds its DNS name to this machine
 * sends that name.
 */
const OWN_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const FOREIGN_SITE = /^(?:cross-site|same-site)$/i;

/** Returns the answer to a request that needs no token; null if the request continues. */
function answeredByPlace({ method, url, headers }: Head): Answer | null {
  if (!OWN_NAME.test(one(headers.host))) return refusal(400, "The Host header doesn't name this machine.");
  if (headers.origin !== undefined || FOREIGN_SITE.test(one(headers['sec-fetch-site'])))
    return refusal(400, "Requests from web pages aren't allowed.");
  if (url === '/health') return ['GET', 'HEAD'].includes(method) ? HEALTHY : otherMethod('GET');
  if (url !== '/events') return refusal(404, 'Unknown path. Send events to /events.');
  return method === 'POST' ? null : otherMethod('POST');
}

/** Returns why the body of a request isn't read; null if it is. */
function refusedByForm({ headers }: Head): Answer | null {
  if (!JSON_TYPE.test(one(headers['content-type'])))
    return refusal(415, 'The body must be JSON, with Content-Type: application/json.');
  if (one(headers['content-encoding'], 'identity') !== 'identity')
    return refusal(415, 'The body must not be compressed.');
  if (headers['content-length'] === undefined) return refusal(411, 'The request must have a Content-Length.');
  const length = Number(one(headers['content-length']));
  return length <= MAX_BODY ? null : refusal(413, `The body has more than ${MAX_BODY / 1024} KiB.`);
}

function bearerOf({ headers }: Head): string {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(one(headers.authorization))?.[1] ?? '';
}

function idempotencyKey({ headers }: Head): string | null {
  const key = one(headers['idempotency-key']).trim();
  return key === '' ? null : key;
}

function otherMethod(allowed: string): Answer {
  return refusal(405, `Only ${allowed} is allowed.`, { Allow: allowed });
}

function one(header: string | string[] | undefined, absent = ''): string {
  return typeof header === 'string' ? header : absent;
}

/** Shorter tokens could be guessed: wrong ones are answered at once. */
const SHORTEST = 32;
/** How long a token is cached, so that requests with wrong tokens don't run a program each time. */
const FRESH_MS = 60_000;

/** The token of the webhook. Only its digest is kept. */
class Token {
  readonly #credential: Credential;
  readonly #now: () => number;
  #known: { readonly digest: Uint8Array; readonly at: number } | null = null;
  #asking: Promise<Uint8Array> | null = null;

  /** `now`: epoch ms. */
  constructor(credential: Credential, now: () => number) {
    this.#credential = credential;
    this.#now = now;
  }

  /**
   * Whether a text is the current token. A replaced token is accepted for a minute at most. Throws a `SourceError` if
   * there is no token, or one that is too short.
   */
  async is(text: string): Promise<boolean> {
    return timingSafeEqual(digestOf(text), await this.#digest());
  }

  /** Throws a `SourceError` if there is no usable token. */
  async ready(): Promise<void> {
    await this.#digest();
  }

  async #digest(): Promise<Uint8Array> {
    const age = this.#known === null ? null : this.#now() - this.#known.at;
    if (this.#known !== null && age !== null && age >= 0 && age < FRESH_MS) return this.#known.digest;
    // Simultaneous requests share one read.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<Uint8Array> {
    const token = (await this.#credential.reveal()).trim();
    if (token.length < SHORTEST) throw tooShort();
    this.#known = { digest: digestOf(token), at: this.#now() };
    return this.#known.digest;
  }
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function tooShort(): SourceError {
  return new SourceError({
    kind: 'setup',
    message: `The token of the webhook has fewer than ${SHORTEST} characters.`,
    hint: 'Create one that is hard to guess: openssl rand -hex 24',
  });
}

/** A flag that one caller can wait for. A change shortly before the wait counts. */
class Turn {
  #isDue = false;
  #wake = () => {};

  tell(): void {
    this.#isDue = true;
    this.#wake();
  }

  /** Resolves at the next change since it last resolved. Only one caller may wait at a time. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#isDue = false;
        this.#wake = () => {}; // the next change is for the next caller
        resolve();
      };
      if (this.#isDue) this.#wake();
    });
  }
}

/** Only this machine can connect. */
const ADDRESS = '127.0.0.1';
const MINUTE_MS = 60_000;
const REQUESTS = [
  { most: 60, spanMs: MINUTE_MS },
  { most: 1000, spanMs: 60 * MINUTE_MS },
];
/** After this, the sender is asked to send again. If the event was stored in the meantime, its id shows that. */
const PUT_MS = 30_000;
/** How many requests may wait for the vault. Others are asked to send again. */
const MOST_WAITING = 16;
const UNCERTAIN = later(503, 'The event may not have been stored yet. Send it again with the same id.', PUT_MS);

interface WebhookParts {
  readonly settings: Pick<WebhookSettings, 'port'>;
  readonly credential: Credential;
}

/** Receives events by HTTP from programs on this machine, which authenticate with a token. */
export function webhookSource({ settings, credential }: WebhookParts): Source {
  return {
    async open(inlet, abort) {
      abort.throwIfAborted();
      const token = new Token(credential, () => inlet.now());
      await token.ready();
      const session = new WebhookSession(inlet, token);
      await session.listen(settings.port);
      abort.addEventListener('abort', () => void session.close(), { once: true });
      if (abort.aborted) await session.close();
      abort.throwIfAborted();
      return session;
    },
  };
}

class WebhookSession implements Session {
  readonly #inlet: Inlet;
  readonly #token: Token;
  readonly #server = new RequestServer({ answer: (request) => this.#answer(request), refuse: refusal });
  readonly #requests = new Windows(REQUESTS);
  readonly #wrongTokens: WrongTokens;
  /** Changes when the problems change. */
  readonly #turn = new Turn();
  /** Why the last event couldn't be stored; null if it was. */
  #unkept: string | null = null;
  /** The name of the unexpected error that ended the last request; null if there wasn't one. */
  #unexpected: string | null = null;
  readonly #lost = Promise.withResolvers<void>();
  /** Events are stored one after another. */
  readonly #turns = new Mutex();
  #waiting = 0;
  #port = 0;

  constructor(inlet: Inlet, token: Token) {
    this.#inlet = inlet;
    this.#token = token;
    this.#wrongTokens = new WrongTokens(
      () => inlet.now(),
      () => this.#turn.tell(),
    );
    // `waitForNews` rejects with it; there may be no caller yet.
    this.#lost.promise.catch(() => undefined);
  }

  async listen(port: number): Promise<void> {
    try {
      const lost = (error: unknown) => this.#lost.reject(notListening(port, error));
      this.#port = await this.#server.listen({ host: ADDRESS, port }, lost);
    } catch (error) {
      throw notListening(port, error);
    }
  }

  async poll(): Promise<readonly SourceProblem[]> {
    return [...unkeptProblems(this.#unkept), ...unexpectedProblems(this.#unexpected), ...this.#wrongTokens.problems()];
  }

  waitForNews(): Promise<void> {
    const news = Promise.race([this.#turn.next(), this.#lost.promise]);
    // The caller may have stopped waiting.
    news.catch(() => undefined);
    return news;
  }

  async describe(): Promise<readonly string[]> {
    const address = `http://127.0.0.1:${this.#port}/events`;
    const event = '{"id":"try-1","title":"A first event","text":"It works."}';
    return [
      `Its address is ${address}, for programs on this machine only. To try it while Steward runs, with the token in $TOKEN:`,
      // The token is passed on stdin, because arguments are visible to other users.
      `printf 'Authorization: Bearer %s' "$TOKEN" | curl -sS -H @- -H 'Content-Type: application/json' -d '${event}' ${address}`,
    ];
  }

  async close(): Promise<void> {
    this.#wrongTokens.close();
    await this.#server.close();
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const head: Head = { method: request.method ?? '', url: request.url ?? '', headers: request.headers };
    try {
      const early = answeredByPlace(head) ?? (await this.#refusedSender(head)) ?? refusedByForm(head);
      const answer = early ?? (await this.#taken(head, await readBody(request, MAX_BODY)));
      this.#noteUnexpected(null);
      return answer;
    } catch (error) {
      if (!(error instanceof SourceError)) {
        this.#noteUnexpected(error instanceof Error ? error.name : typeof error);
        return refusal(500, 'Something went wrong; no event was accepted.');
      }
      this.#lost.reject(error);
      return later(503, 'The webhook has no token at the moment.', MINUTE_MS);
    }
  }

  async #refusedSender(head: Head): Promise<Answer | null> {
    if (!(await this.#token.is(bearerOf(head)))) {
      this.#wrongTokens.add();
      return refusal(401, 'The token is missing or wrong.', { 'WWW-Authenticate': 'Bearer' });
    }
    const waitMs = this.#requests.take(this.#inlet.now());
    return waitMs === 0 ? null : later(429, 'Too many requests. Send it again later.', waitMs);
  }

  async #taken(head: Head, body: Uint8Array | null): Promise<Answer> {
    if (body === null) return refusal(400, 'The body was cut off.');
    const read = eventsIn(body, idempotencyKey(head), this.#inlet.now());
    if (!read.ok) return read.answer;
    try {
      const fresh = read.arrivals.filter(({ key }) => !this.#inlet.knows(key));
      if (fresh.length > 0 && !(await this.#isPut(fresh))) return UNCERTAIN;
      return accepted(fresh.length, read.arrivals.length - fresh.length);
    } catch (error) {
      this.#noteKept(error);
      return later(503, "The vault isn't available at the moment. Send it again later with the same id.", MINUTE_MS);
    }
  }

  #noteUnexpected(name: string | null): void {
    if (name === this.#unexpected) return;
    this.#unexpected = name;
    this.#turn.tell();
  }

  /** An unavailable vault is reported elsewhere, and recovers by itself. */
  #noteKept(error: unknown): void {
    const isAway = error instanceof StewardError && error.trouble.code === 'vault-away';
    const reason = error === null || isAway ? null : errorReason(error);
    if (reason === this.#unkept) return;
    this.#unkept = reason;
    this.#turn.tell();
  }

  /** Whether the events were on disk in time. */
  async #isPut(arrivals: readonly Arrival[]): Promise<boolean> {
    if (this.#waiting >= MOST_WAITING) return false;
    this.#waiting += 1;
    const putting = this.#turns.run(() => this.#inlet.put(arrivals, this.#inlet.cursor()));
    void putting
      .then(
        () => this.#noteKept(null),
        (error) => this.#noteKept(error),
      )
      .finally(() => {
        this.#waiting -= 1;
      });
    return inTime(putting, PUT_MS);
  }
}

/** Events that couldn't be stored: without a problem, only the sender would know. */
function unkeptProblems(reason: string | null): readonly SourceProblem[] {
  if (reason === null) return [];
  const hint = 'Its sender was asked to send it again later. The problem ends when an event is stored again.';
  return [{ message: `The last event couldn't be stored: ${reason.replace(/\.$/, '')}.`, hint }];
}

function unexpectedProblems(name: string | null): readonly SourceProblem[] {
  if (name === null) return [];
  const hint = 'This is a bug in Steward; please report it. The problem ends when a request is answered again.';
  return [{ message: `A request ended with an unexpected error (${name}); no event was accepted.`, hint }];
}

/** Whether the work finished within `ms`. Rejects if the work does. */
async function inTime(work: Promise<void>, ms: number): Promise<boolean> {
  const done = new AbortController();
  try {
    return await Promise.race([work.then(() => true), wait(ms, false, { signal: done.signal, ref: false })]);
  } finally {
    done.abort();
  }
}

function notListening(port: number, error: unknown): SourceError {
  const isTaken = systemCode(error) === 'EADDRINUSE';
  const message = isTaken
    ? `Port ${port} of this machine is in use.`
    : `Steward can't listen on port ${port} of this machine.`;
  const hint = isTaken
    ? `Another source note, another steward or another program uses it: ss -ltnp 'sport = :${port}' shows which. Don't send a token there until you know, or set another port.`
    : 'Set another port, 1024 or higher.';
  return new SourceError({ kind: 'setup', message, hint });
}
