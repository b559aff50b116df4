import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { bodyOf, type HttpAnswer, RequestServer, Windows } from '../source/http.ts';
import type { LinkPlace } from './channel.ts';

/** What a button of a message asks for. */
const claim = z.object({
  /** The name of the event note. */
  event: z.string().min(1).max(300),
  answer: z.enum(['confirm', 'dismiss', 'undo']),
  /** The note that is meant, as a link, where it may be any of several. */
  choose: z.string().max(400).nullable(),
  /** Until when it may be pressed (epoch ms). */
  until: z.number(),
});
export type LinkClaim = z.infer<typeof claim>;

/** A link that this machine made for this vault. */
interface GoodLink {
  readonly kind: 'good';
  readonly claim: LinkClaim;
  /** By what it is known that it was used. */
  readonly id: string;
}

/** No link of this machine is longer. */
const MAX_TOKEN = 2048;
const MARK = /^[0-9a-f]{64}$/;

/**
 * Returns the key of the links of one vault. Apart from the mark on notes: what is sealed there must never do for a link here.
 * `machine`: the machine's own key; `vault`: what tells the vault from others.
 */
export function linkKey(machine: Uint8Array, vault: string): Uint8Array {
  return createHmac('sha256', machine).update(`steward: key of the links in messages\0${vault}`).digest();
}

/** Returns the part of an address by which a button is known. */
export function tokenOf(key: Uint8Array, asked: LinkClaim): string {
  const text = Buffer.from(JSON.stringify(asked)).toString('base64url');
  return `${text}.${markOf(key, text)}`;
}

/** Returns what a token asks for; `forged` where this machine did not make it for this vault, `expired` where it is too late. */
export function readToken(
  key: Uint8Array,
  token: string,
  now: number,
): GoodLink | { readonly kind: 'forged' | 'expired' } {
  const [text = '', mark = '', ...more] = token.length > MAX_TOKEN ? [] : token.split('.');
  const own = markOf(key, text);
  // Whatever was sent, it is as long as a mark when it is compared.
  const given = MARK.test(mark) ? mark : '0'.repeat(own.length);
  const isOwn = timingSafeEqual(Buffer.from(own), Buffer.from(given));
  if (!isOwn || more.length > 0) return { kind: 'forged' };
  const read = claim.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (!read.success) return { kind: 'forged' };
  return read.data.until > now ? { kind: 'good', claim: read.data, id: own.slice(0, 32) } : { kind: 'expired' };
}

function markOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

const STYLE = [
  ':root{color-scheme:light dark;font:18px/1.5 system-ui,sans-serif}',
  'body{max-width:34rem;margin:12vh auto;padding:0 1.2rem}',
  'h1{font-size:1.3rem;margin:0 0 .4rem;overflow-wrap:anywhere}',
  'p{margin:.4rem 0 1.6rem;overflow-wrap:anywhere}',
  'button{font:inherit;font-weight:600;padding:.7rem 1.6rem;border:0;border-radius:.6rem;background:#5b4bd5;color:#fff}',
  'button:focus-visible{outline:3px solid #5b4bd5;outline-offset:3px}',
].join('');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** No script, no picture, no frame, nothing from elsewhere; a form leads here alone. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

// The address holds the link itself: no other page is told of it.
const HEADERS = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'same-origin' };

/** What a page says; `button` presses. */
interface Page {
  readonly title: string;
  readonly text: string;
  readonly button?: string;
}

/** Returns a small page. */
function pageAnswer(status: number, page: Page): HttpAnswer {
  return { status, content: { type: 'text/html; charset=utf-8', text: htmlOf(page) }, headers: HEADERS };
}

/** Returns the same as a line of text, for programs. */
function textAnswer(status: number, text: string, headers: HttpAnswer['headers'] = {}): HttpAnswer {
  return { status, content: { type: 'text/plain; charset=utf-8', text: `${text}\n` }, headers };
}

function htmlOf({ title, text, button }: Page): string {
  const form = button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${escaped(title)}</title><style>${STYLE}</style></head>`,
    `<body><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</body></html>`,
    '',
  ].join('\n');
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}

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

/** What a person reads before they press. */
export type Preview =
  | { readonly isOpen: true; readonly title: string; readonly change: string }
  /** `reason`: why there is nothing to press any more, as one sentence. */
  | { readonly isOpen: false; readonly reason: string };

/** What came of pressing. */
export interface Pressed {
  readonly isDone: boolean;
  /** Whether nothing was done, and the link may be pressed again in a moment. */
  readonly mayRetry: boolean;
  /** One sentence. */
  readonly message: string;
}

/** Where a link is answered, by the same functions as a command. */
export interface LinkDesk {
  /** Says what it is about. Changes nothing. */
  preview(claim: LinkClaim): Preview;
  /** Uses a link up, on disk; false where it was used before. Throws what the disk refuses. */
  use(id: string, until: number): boolean;
  /** Gives it back where nothing was done. */
  giveBack(id: string): void;
  /** Does what it asks for. Never throws what a person could be told. */
  press(claim: LinkClaim): Promise<Pressed>;
}
