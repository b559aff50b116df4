import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { reasonOf, StewardError, systemCode } from '../vault/errors.ts';
import {
  type Arrival,
  type Connector,
  type Credential,
  handedOver,
  type Inlet,
  type Session,
  SourceError,
  type SourceProblem,
} from './connector.ts';
import { bodyOf, type HttpAnswer, RequestServer, Windows } from './http.ts';
import type { WebhookSettings } from './source.ts';

/** What a sender is answered: a status, and JSON that says it. */
type Answer = HttpAnswer;

/** Returns the answer to a request that is refused. `message`: one sentence, with nothing in it that was sent. */
function refusal(status: number, message: string, headers: Answer['headers'] = {}): Answer {
  return { status, content: json({ message }), headers };
}

/** Returns the same where the sender is asked to come again after some ms. */
function later(status: number, message: string, waitMs: number): Answer {
  return refusal(status, message, { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) });
}

/** Returns the answer to a request whose events are on disk. */
function accepted(taken: number, known: number): Answer {
  const said = { message: takenWords(taken, known), taken, known };
  return { status: taken > 0 ? 202 : 200, content: json(said), headers: {} };
}

/** That it is there, and no more. */
const HEALTHY: Answer = { status: 200, content: null, headers: {} };

function json(said: Readonly<Record<string, string | number>>): Answer['content'] {
  return { type: 'application/json', text: `${JSON.stringify(said)}\n` };
}

function takenWords(taken: number, known: number): string {
  if (taken === 0) return 'Known already: an event with that id was taken before.';
  return known === 0 ? 'Taken.' : 'Taken, but for what was known already.';
}

/** How many events one request may hold. */
const MOST_EVENTS = 50;

const object = z.record(z.string(), z.unknown());

/** What the body of a request holds: what is put into the vault, or why nothing of it is. */
type EventsIn =
  | { readonly ok: true; readonly arrivals: readonly Arrival[] }
  | { readonly ok: false; readonly answer: Answer };

/** Reads the events of a request, all or none. `key`: what stands for the id of an event that has none. `now`: epoch ms. */
function eventsIn(body: Uint8Array, key: string | null, now: number): EventsIn {
  const json = jsonIn(body);
  if (json === undefined) return refused(400, 'It is not JSON in UTF-8.');
  const values: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (values.length === 0) return refused(422, 'The list is empty.');
  if (values.length > MOST_EVENTS) return refused(422, `The list has more than ${MOST_EVENTS} events.`);
  const arrivals: Arrival[] = [];
  for (const [nth, value] of values.entries()) {
    const place = Array.isArray(json) ? nth + 1 : null;
    const read = handedOver(withId(value, key, place), now);
    if (!read.ok) return refused(422, `${place === null ? 'The event' : `Event ${place}`}: ${read.reason}.`);
    arrivals.push(read.arrival);
  }
  return { ok: true, arrivals: [...new Map(arrivals.toReversed().map((one) => [one.key, one])).values()].toReversed() };
}

/** Of a list, each event without an id has one of its own. */
function withId(value: unknown, key: string | null, place: number | null): unknown {
  const fields = object.safeParse(value);
  if (key === null || !fields.success || fields.data.id !== undefined) return value;
  return { ...fields.data, id: place === null ? key : `${key}/${place}` };
}

function refused(status: number, message: string): EventsIn {
  return { ok: false, answer: refusal(status, message) };
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** For so long after the last wrong token a person is told of it. */
const TOLD_MS = 60 * 60 * 1000;

/** Who asked with a wrong token, and that a person is told. */
class Knocks {
  readonly #now: () => number;
  readonly #turned: () => void;
  #count = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: epoch ms. `turned` is called when a person is to be told something else. */
  constructor(now: () => number, turned: () => void) {
    this.#now = now;
    this.#turned = turned;
  }

  /** Counts a wrong token. */
  add(): void {
    this.#count += 1;
    this.#last = this.#now();
    if (this.#count > 1) return;
    this.#wakeAfter(TOLD_MS);
    this.#turned();
  }

  /** What a person is told of it now. */
  problems(): readonly SourceProblem[] {
    if (this.#count === 0) return [];
    const times = this.#count === 1 ? 'once' : `${this.#count} times`;
    const message = `Somebody asked the webhook ${times} with a wrong token, or with none.`;
    const hint =
      'Nothing was taken from them. If it is not a device of yours with an old token, look who else uses this machine.';
    return [{ message, hint }];
  }

  /** Ends the waiting for the hour to be over. */
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

/** What the head of a request says, as far as anything is decided by it. */
interface Head {
  readonly method: string;
  readonly url: string;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How many bytes a request may have. */
const MAX_BODY = 256 * 1024;

/** This machine by its own names, with any port: a tunnel ends at another one. A page that had its own name lead here has its name in it. */
const OWN_NAME = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const FOREIGN_SITE = /^(?:cross-site|same-site)$/i;

/** Returns what a request is answered by its head alone, before anybody asks who sent it; null where it goes on. */
function answeredByPlace({ method, url, headers }: Head): Answer | null {
  if (!OWN_NAME.test(one(headers.host))) return refusal(400, 'It was asked for under a name that is not this machine.');
  if (headers.origin !== undefined || FOREIGN_SITE.test(one(headers['sec-fetch-site'])))
    return refusal(400, 'Web pages have no business here.');
  if (url === '/health') return ['GET', 'HEAD'].includes(method) ? HEALTHY : otherMethod('GET');
  if (url !== '/events') return refusal(404, 'There is nothing here. Events go to /events.');
  return method === 'POST' ? null : otherMethod('POST');
}

/** Returns why the body of a request is not read; null where it is. */
function refusedByForm({ headers }: Head): Answer | null {
  if (!JSON_TYPE.test(one(headers['content-type'])))
    return refusal(415, 'It must be JSON, with Content-Type: application/json.');
  if (one(headers['content-encoding'], 'identity') !== 'identity') return refusal(415, 'It must not be compressed.');
  if (headers['content-length'] === undefined) return refusal(411, 'It must say its Content-Length.');
  const length = Number(one(headers['content-length']));
  return length <= MAX_BODY ? null : refusal(413, `It has more than ${MAX_BODY / 1024} KiB.`);
}

/** Returns the token that a request carries; empty where it has none. */
function bearerOf({ headers }: Head): string {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(one(headers.authorization))?.[1] ?? '';
}

/** Returns the id that a request gives to an event without one; null where it gives none. */
function idempotencyKey({ headers }: Head): string | null {
  const key = one(headers['idempotency-key']).trim();
  return key === '' ? null : key;
}

function otherMethod(allowed: string): Answer {
  return refusal(405, `It takes ${allowed} alone.`, { Allow: allowed });
}

function one(header: string | string[] | undefined, absent = ''): string {
  return typeof header === 'string' ? header : absent;
}

/** A shorter token could be guessed. */
const SHORTEST = 16;
/** For so long a token is not asked for again: whoever knocks must not have a program run each time. */
const FRESH_MS = 60_000;

/** The token of a webhook. No more than its digest is kept. */
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
   * Whether a text is the token as it is now; one that was replaced counts for a minute at most. Throws a `SourceError` where
   * there is none, or one that could be guessed.
   */
  async is(text: string): Promise<boolean> {
    return timingSafeEqual(digestOf(text), await this.#digest());
  }

  /** Looks whether there is a usable token. Throws a `SourceError` where there is none. */
  async ready(): Promise<void> {
    await this.#digest();
  }

  async #digest(): Promise<Uint8Array> {
    const age = this.#known === null ? null : this.#now() - this.#known.at;
    if (this.#known !== null && age !== null && age >= 0 && age < FRESH_MS) return this.#known.digest;
    // Many who knock at once wait for one answer.
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
    hint: 'Make one that nobody guesses: openssl rand -hex 24',
  });
}

/** Something that turns out otherwise now and then: whoever waits for it hears of each turn, also of one just before. */
class Turn {
  #isDue = false;
  #wake = () => {};

  /** Says that it is otherwise now. */
  tell(): void {
    this.#isDue = true;
    this.#wake();
  }

  /** Resolves as soon as it is otherwise than when it last resolved. One waits at a time. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#isDue = false;
        this.#wake = () => {}; // the next turn is for whoever waits next
        resolve();
      };
      if (this.#isDue) this.#wake();
    });
  }
}

/** It listens for this machine alone. */
const ADDRESS = '127.0.0.1';
const MINUTE_MS = 60_000;
const REQUESTS = [
  { most: 60, spanMs: MINUTE_MS },
  { most: 1000, spanMs: 60 * MINUTE_MS },
];
const WRONG_TOKENS = [{ most: 20, spanMs: MINUTE_MS }];
/** A wrong token is answered so much later, but no more than a few at a time: the others must find a free connection. */
const SLOWED_MS = 1000;
const MOST_SLOWED = 4;
/** A sender is not left to wait for longer: what was sent may be taken all the same, and is known by its id. */
const PUT_MS = 30_000;
/** So many may wait for the vault at once; the others are asked to come again. */
const MOST_WAITING = 16;
const UNCERTAIN = later(503, 'It is not certain yet that it is taken. Send it again, with the same id.', PUT_MS);

/** What a webhook is opened with. */
interface WebhookParts {
  readonly settings: Pick<WebhookSettings, 'port'>;
  readonly credential: Credential;
}

/** Returns the connector of programs on this machine that hand in events over HTTP, each with the token. */
export function webhookConnector({ settings, credential }: WebhookParts): Connector {
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
  readonly #wrong = new Windows(WRONG_TOKENS);
  readonly #knocks: Knocks;
  /** What a person is told is otherwise now. */
  readonly #turn = new Turn();
  /** Why what came last could not be kept; null where it was. */
  #unkept: string | null = null;
  /** The kind of error that nobody foresaw and that ended the last request; null where there was none. */
  #unexpected: string | null = null;
  readonly #lost = Promise.withResolvers<void>();
  #slowed = 0;
  /** What is put is put one after the other. */
  #putting: Promise<void> = Promise.resolve();
  #waiting = 0;
  #port = 0;

  constructor(inlet: Inlet, token: Token) {
    this.#inlet = inlet;
    this.#token = token;
    this.#knocks = new Knocks(
      () => inlet.now(),
      () => this.#turn.tell(),
    );
    // Whoever waits for news hears of it; nobody may be waiting yet.
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

  async visit(): Promise<readonly SourceProblem[]> {
    return [...unkeptProblems(this.#unkept), ...unexpectedProblems(this.#unexpected), ...this.#knocks.problems()];
  }

  news(): Promise<void> {
    const news = Promise.race([this.#turn.next(), this.#lost.promise]);
    // Whoever asked for it may be at something else when it is lost.
    news.catch(() => undefined);
    return news;
  }

  async describe(): Promise<readonly string[]> {
    const address = `http://127.0.0.1:${this.#port}/events`;
    const event = '{"id":"try-1","title":"A first event","text":"It works."}';
    return [
      `Its address is ${address}, for programs on this machine alone. To try it while the steward runs, with the token in $TOKEN:`,
      // Not as an argument of curl, which all who may list processes would see.
      `printf 'Authorization: Bearer %s' "$TOKEN" | curl -sS -H @- -H 'Content-Type: application/json' -d '${event}' ${address}`,
    ];
  }

  async close(): Promise<void> {
    this.#knocks.close();
    await this.#server.close();
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const head: Head = { method: request.method ?? '', url: request.url ?? '', headers: request.headers };
    try {
      const early = answeredByPlace(head) ?? (await this.#refusedSender(head)) ?? refusedByForm(head);
      const answer = early ?? (await this.#taken(head, await bodyOf(request, MAX_BODY)));
      this.#noteUnexpected(null);
      return answer;
    } catch (error) {
      if (!(error instanceof SourceError)) {
        this.#noteUnexpected(error instanceof Error ? error.name : typeof error);
        return refusal(500, 'Something went wrong here; nothing was taken.');
      }
      this.#lost.reject(error);
      return later(503, 'The webhook has no token at the moment.', MINUTE_MS);
    }
  }

  async #refusedSender(head: Head): Promise<Answer | null> {
    if (!(await this.#token.is(bearerOf(head)))) return this.#refusedToken();
    const waitMs = this.#requests.take(this.#inlet.now());
    return waitMs === 0 ? null : later(429, 'There were too many requests. Send it again later.', waitMs);
  }

  /** Whoever has the token is not held back by those who have not. */
  async #refusedToken(): Promise<Answer> {
    this.#knocks.add();
    const waitMs = this.#wrong.take(this.#inlet.now());
    if (waitMs > 0 || this.#slowed >= MOST_SLOWED) return later(429, 'There were too many wrong tokens.', waitMs);
    this.#slowed += 1;
    await wait(SLOWED_MS, undefined, { ref: false });
    this.#slowed -= 1;
    return refusal(401, 'The token is missing or wrong.', { 'WWW-Authenticate': 'Bearer' });
  }

  async #taken(head: Head, body: Uint8Array | null): Promise<Answer> {
    if (body === null) return refusal(400, 'It was cut off.');
    const read = eventsIn(body, idempotencyKey(head), this.#inlet.now());
    if (!read.ok) return read.answer;
    try {
      const fresh = read.arrivals.filter(({ key }) => !this.#inlet.knows(key));
      if (fresh.length > 0 && !(await this.#isPut(fresh))) return UNCERTAIN;
      return accepted(fresh.length, read.arrivals.length - fresh.length);
    } catch (error) {
      this.#noteKept(error);
      return later(503, 'The vault cannot take it at the moment. Send it again later, with the same id.', MINUTE_MS);
    }
  }

  #noteUnexpected(name: string | null): void {
    if (name === this.#unexpected) return;
    this.#unexpected = name;
    this.#turn.tell();
  }

  /** That the vault is away is said already, and is over when it is back. */
  #noteKept(error: unknown): void {
    const isAway = error instanceof StewardError && error.trouble.code === 'vault-away';
    const reason = error === null || isAway ? null : reasonOf(error);
    if (reason === this.#unkept) return;
    this.#unkept = reason;
    this.#turn.tell();
  }

  /** Whether it was on disk in time. */
  async #isPut(arrivals: readonly Arrival[]): Promise<boolean> {
    if (this.#waiting >= MOST_WAITING) return false;
    this.#waiting += 1;
    const before = this.#putting;
    const putting = before.then(() => this.#inlet.put(arrivals, this.#inlet.cursor()));
    this.#putting = putting
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

/** What a person is told of an event that could not be kept: the sender alone would know of it. */
function unkeptProblems(reason: string | null): readonly SourceProblem[] {
  if (reason === null) return [];
  const hint = 'Its sender was asked to send it again later. It is said until something is kept again.';
  return [{ message: `What came last could not be kept: ${reason.replace(/\.$/, '')}.`, hint }];
}

function unexpectedProblems(name: string | null): readonly SourceProblem[] {
  if (name === null) return [];
  const hint =
    'This is a fault of the program; please report it. The problem is over when a request is answered again.';
  return [{ message: `A request ended with an unexpected error (${name}); nothing of it was taken.`, hint }];
}

/** Whether something was done before so many ms were over. Rejects with what it rejects with. */
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
    ? `Port ${port} of this machine is taken.`
    : `The program cannot listen at port ${port} of this machine.`;
  const hint = isTaken
    ? `Another source note, another steward or another program listens there: ss -ltnp 'sport = :${port}' shows which. Send no token there before you know; or set another port.`
    : 'Set another port, from 1024 on.';
  return new SourceError({ kind: 'setup', message, hint });
}
