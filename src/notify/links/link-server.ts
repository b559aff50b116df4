import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpAnswer } from '../../source/http/http-answer.ts';
import { bodyOf, RequestServer } from '../../source/http/request-server.ts';
import { Windows } from '../../source/http/windows.ts';
import type { LinkPlace } from '../access.ts';
import type { LinkDesk, Pressed } from './link-desk.ts';
import { type LinkClaim, readToken } from './link-token.ts';
import { pageAnswer, textAnswer } from './page.ts';

const MINUTE_MS = 60_000;
const REQUESTS = [{ most: 60, spanMs: MINUTE_MS }];
const WRONG = [{ most: 20, spanMs: MINUTE_MS }];
/** A wrong link is answered so much later, but no more than a few at a time: the others must find a free connection. */
const SLOWED_MS = 1000;
const MOST_SLOWED = 4;
/** Nobody is left to wait for longer: what is asked for is done all the same. */
const PRESS_MS = 25_000;
/** A form without fields. */
const MAX_BODY = 1024;
const PATH = /^\/a\/([A-Za-z0-9_.-]{1,2048})$/;
const FOREIGN = /^(?:cross-site|same-site)$/i;

/** What a button says that asks for this. */
export const LABELS: Readonly<Record<LinkClaim['answer'], string>> = {
  confirm: 'Confirm',
  dismiss: 'Dismiss',
  undo: 'Undo',
};

interface LinkServerParts {
  readonly place: LinkPlace;
  readonly key: Uint8Array;
  readonly desk: LinkDesk;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Answers the links in messages. To look at one changes nothing: programs that show a preview do that unasked. */
export class LinkServer {
  readonly #parts: LinkServerParts;
  readonly #server = new RequestServer({ answer: (request) => this.#answer(request), refuse: textAnswer });
  readonly #requests = new Windows(REQUESTS);
  readonly #wrong = new Windows(WRONG);
  #hosts: ReadonlySet<string>;
  #slowed = 0;

  constructor(parts: LinkServerParts) {
    this.#parts = parts;
    this.#hosts = hostsOf(parts.place);
  }

  /** Begins to listen, and returns the port. Throws what the system says. `lost` is told where it ends by itself later. */
  async listen(lost: (error: unknown) => void): Promise<number> {
    const { place } = this.#parts;
    const port = await this.#server.listen(place, lost);
    this.#hosts = hostsOf({ ...place, port });
    return port;
  }

  /** Ends it, with all connections. Never rejects. */
  close(): Promise<void> {
    return this.#server.close();
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    const say = sayer(request);
    try {
      return this.#refusedByHead(request) ?? (await this.#linked(request, say));
    } catch {
      return say(503, 'Not now', 'Something went wrong here. Try again in a moment, or answer in the vault.');
    }
  }

  // A page elsewhere that has its own name lead here has its name in Host; a form elsewhere has its own in Origin.
  #refusedByHead({ headers, method = '' }: IncomingMessage): HttpAnswer | null {
    if (!this.#hosts.has((headers.host ?? '').toLowerCase()))
      return textAnswer(400, 'It was asked for under a name that is not this machine.');
    const origin = headers.origin ?? null;
    const isOwn = origin === null || this.#hosts.has(origin.replace(/^https?:\/\//, '').toLowerCase());
    const site = headers['sec-fetch-site'];
    const isForeign = method === 'POST' && typeof site === 'string' && FOREIGN.test(site);
    return isOwn && !isForeign ? null : textAnswer(400, 'Other pages have no business here.');
  }

  async #linked(request: IncomingMessage, say: Sayer): Promise<HttpAnswer> {
    const { key, now } = this.#parts;
    const path = pathIn(request.url ?? '', this.#parts.place);
    const [, token] = PATH.exec(path) ?? [];
    if (token === undefined) return textAnswer(404, 'There is nothing here.');
    const isLook = request.method === 'GET' || request.method === 'HEAD';
    if (!isLook && request.method !== 'POST')
      return textAnswer(405, 'It takes GET and POST alone.', { Allow: 'GET, POST' });
    const read = readToken(key, token, now());
    if (read.kind === 'forged') return this.#refusedLink(say);
    const waitMs = this.#requests.take(now());
    if (waitMs > 0) return later(waitMs);
    if (read.kind !== 'good') return say(410, 'Too late', 'This link has expired. Answer in the vault.');
    if (isLook) return this.#preview(read.claim, request.method === 'HEAD');
    if ((await bodyOf(request, MAX_BODY)) === null) return textAnswer(413, 'It has too large a body.');
    return this.#pressed(read.claim, read.id, say);
  }

  #preview(claim: LinkClaim, isHead: boolean): HttpAnswer {
    const preview = this.#parts.desk.preview(claim);
    const page = preview.isOpen
      ? pageAnswer(200, { title: preview.title, text: preview.change, button: LABELS[claim.answer] })
      : pageAnswer(409, { title: 'Nothing to do', text: preview.reason });
    return isHead ? { ...page, content: null } : page;
  }

  // Used up first: whatever happens then, it is never done twice.
  async #pressed(claim: LinkClaim, id: string, say: Sayer): Promise<HttpAnswer> {
    const { desk } = this.#parts;
    if (!desk.use(id, claim.until)) {
      const preview = desk.preview(claim);
      const what = preview.isOpen ? 'Nothing came of it: answer in the vault.' : preview.reason;
      return say(409, 'Pressed before', `This link works once. ${what}`);
    }
    const pressing = this.#press(claim, id);
    const pressed = await Promise.race([pressing, wait(PRESS_MS, null, { ref: false })]);
    if (pressed === null) return say(202, 'On its way', 'It is done as soon as the note has been quiet for a while.');
    if (pressed.isDone) return say(200, 'Done', pressed.message);
    return say(pressed.mayRetry ? 503 : 409, 'Not done', pressed.message);
  }

  async #press(claim: LinkClaim, id: string): Promise<Pressed> {
    const { desk } = this.#parts;
    const pressed = await desk.press(claim);
    if (pressed.mayRetry) desk.giveBack(id);
    return pressed;
  }

  async #refusedLink(say: Sayer): Promise<HttpAnswer> {
    const waitMs = this.#wrong.take(this.#parts.now());
    if (waitMs > 0 || this.#slowed >= MOST_SLOWED) return later(waitMs);
    this.#slowed += 1;
    await wait(SLOWED_MS, undefined, { ref: false });
    this.#slowed -= 1;
    return say(403, 'Not a link of this steward', 'It was not made by this machine for this vault, or it was changed.');
  }
}

type Sayer = (status: number, title: string, text: string) => HttpAnswer;

/** A person in front of a browser gets a page, a program a line. */
function sayer({ headers }: IncomingMessage): Sayer {
  const isBrowser = (headers.accept ?? '').includes('text/html');
  return (status, title, text) => (isBrowser ? pageAnswer(status, { title, text }) : textAnswer(status, text));
}

function later(waitMs: number): HttpAnswer {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return textAnswer(429, 'There were too many requests. Try again in a minute.', { 'Retry-After': seconds });
}

/** The names under which this server may be asked: where it listens, and where a phone reaches it. */
function hostsOf({ host, port, base }: LinkPlace): ReadonlySet<string> {
  const own = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const names = host === '127.0.0.1' || host === '::1' ? [own, `localhost:${port}`] : [own];
  return new Set([...names, new URL(base).host].map((name) => name.toLowerCase()));
}

// Whoever puts another server in front may have it leave out the path of the base, or not.
function pathIn(url: string, { base }: LinkPlace): string {
  const before = new URL(base).pathname.replace(/(?<!\/)\/+$/, '');
  return before !== '' && url.startsWith(`${before}/`) ? url.slice(before.length) : url;
}
