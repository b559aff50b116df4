import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf, StewardError, systemCode } from '../../vault/errors.ts';
import type { Arrival, Connector, Credential, Inlet, Session, SourceProblem } from '../connector.ts';
import { SourceError } from '../failure.ts';
import { bodyOf, RequestServer } from '../http/request-server.ts';
import { Windows } from '../http/windows.ts';
import type { WebhookSettings } from '../source-note.ts';
import { type Answer, accepted, later, refusal } from './answer.ts';
import { eventsIn } from './events-in.ts';
import { Knocks } from './knocks.ts';
import { answeredByPlace, bearerOf, type Head, idempotencyKey, MAX_BODY, refusedByForm } from './request-check.ts';
import { Token } from './token.ts';
import { Turn } from './turn.ts';

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
