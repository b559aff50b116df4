import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { answerAll, undoAll } from '../daemon/answers.ts';
import type { WriteAccess } from '../daemon/context.ts';
import { originalKey } from '../daemon/environment.ts';
import { type HttpAnswer, RequestServer, readBody } from '../daemon/network.ts';
import { previewAnswer } from '../steward/answer.ts';
import type { WaitingEntry } from '../steward/inbox.ts';
import { isDone } from '../steward/inbox-words.ts';
import { isKnownNote, targetPath } from '../steward/records.ts';
import type { AnswerRecord } from '../steward/types.ts';
import { previewUndo } from '../undo/undo.ts';
import { awayRefusal, diagnostic, StewardError, systemCode } from '../vault/errors.ts';
import { changeLine } from '../vault/note-text.ts';
import type { EventRecord } from '../vault/record.ts';
import type { LinkPlace, MessageAction } from './channel.ts';
import { plainLine, readTitle, titleOfLink, withDays } from './message.ts';
import type { News } from './outbox.ts';
import { NOTIFY } from './outbox.ts';

/** A link works no longer than this, and no longer than its answer can be given. */
const GOOD_MS = 7 * 24 * 60 * 60_000;
const MAX_LABEL = 24;
/** The likeliest notes have a button each: three buttons are all that a message may have. */
const MOST_CHOICES = 2;
/** After this long the browser gets an answer, and the work goes on. */
const PRESS_MS = 25_000;
/** A form without fields. */
const MAX_BODY = 1024;
const MAX_CHANGE = 300;
const PATH = /^\/a\/([A-Za-z0-9_.-]{1,2048})$/;
const FOREIGN = /^(?:cross-site|same-site)$/i;
const FAULT = 'notify links';
const GONE = 'Its note is no longer there, or somebody else changed it.';
const LABELS: Readonly<Record<LinkClaim['answer'], string>> = {
  confirm: 'Confirm',
  dismiss: 'Dismiss',
  later: 'Not now',
  undo: 'Undo',
};

/**
 * The buttons of messages, and the server that answers them with the functions of the commands, for the program's own
 * events only. A GET doesn't change anything: programs that show a preview send one without being asked.
 */
export class Links {
  readonly #space: WriteAccess;
  readonly #place: LinkPlace;
  readonly #key: Uint8Array;
  #hosts: ReadonlySet<string>;
  #server: RequestServer | null = null;
  #isOpening = false;

  constructor(space: WriteAccess, place: LinkPlace) {
    this.#space = space;
    this.#place = place;
    this.#hosts = hostsOf(place);
    const { env, state } = space.context;
    // The folder's place too: a copy of a vault remembers the same of itself.
    const vault = `${state.get('identity').id}\0${space.vault.root}`;
    this.#key = linkKey(originalKey(env, true).key, vault);
  }

  /** Listens if it doesn't yet. If the system refuses, `status` says so, and the next call tries again. */
  async open(): Promise<void> {
    if (this.#server !== null || this.#isOpening) return;
    this.#isOpening = true;
    const server = new RequestServer({ answer: (request) => this.#answer(request), refuse: textAnswer });
    try {
      const port = await server.listen(this.#place, (error) => this.#lost(error));
      this.#hosts = hostsOf({ ...this.#place, port });
      this.#server = server;
      this.#space.problems.faults.delete(FAULT);
    } catch (error) {
      this.#lost(error);
    } finally {
      this.#isOpening = false;
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }

  /** Returns the buttons for one thing; empty while the server doesn't listen. `entry`: its entry in the inbox. */
  actionsFor(news: News, entry: WaitingEntry | null): MessageAction[] {
    const event = news.event === null ? null : this.#space.vault.catalogue.resolve(news.event, ['event']);
    if (this.#server === null || event?.kind !== 'event' || !isKnownNote(this.#space, event)) return [];
    const now = this.#space.context.now();
    const expires = Date.parse(event.fields.undo_recipe?.expires_at ?? '');
    const until = Math.min(now + GOOD_MS, Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires);
    return buttonsFor(news, entry).map(({ label, answer, choose }) => {
      const token = makeLinkToken(this.#key, { event: event.name, answer, choose, until });
      return { label, url: `${this.#place.base}/a/${token}` };
    });
  }

  #lost(error: unknown): void {
    this.#server = null;
    const { host, port } = this.#place;
    const why = systemCode(error) === 'EADDRINUSE' ? 'another program listens there' : (systemCode(error) ?? 'unknown');
    const trouble = diagnostic({
      code: 'notify-links',
      message: `The buttons of messages cannot be answered at ${host}:${port}: ${why}.`,
      hint: 'Until then, messages have no buttons. Set STEWARD_NOTIFY_ACTIONS to an address and a port of this machine that are free.',
    });
    const { faults } = this.#space.problems;
    if (faults.get(FAULT)?.message !== trouble.message) this.#space.context.emit({ what: 'trouble', trouble });
    faults.set(FAULT, trouble);
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
      return textAnswer(400, "The Host header doesn't name this machine.");
    const origin = headers.origin ?? null;
    const isOwn = origin === null || this.#hosts.has(origin.replace(/^https?:\/\//, '').toLowerCase());
    const site = headers['sec-fetch-site'];
    const isForeign = method === 'POST' && typeof site === 'string' && FOREIGN.test(site);
    return isOwn && !isForeign ? null : textAnswer(400, 'Requests from other pages are rejected.');
  }

  async #linked(request: IncomingMessage, say: Sayer): Promise<HttpAnswer> {
    const { now } = this.#space.context;
    const path = pathIn(request.url ?? '', this.#place);
    const [, token] = PATH.exec(path) ?? [];
    if (token === undefined) return textAnswer(404, "This page doesn't exist.");
    const isLook = request.method === 'GET' || request.method === 'HEAD';
    if (!isLook && request.method !== 'POST')
      return textAnswer(405, 'Only GET and POST are allowed.', { Allow: 'GET, POST' });
    const read = readToken(this.#key, token, now());
    if (read.kind === 'forged')
      return say(403, 'Not a link of this vault', 'It was not made by this machine for this vault, or it was changed.');
    if (read.kind !== 'good') return say(410, 'Too late', 'This link has expired. Answer in the vault.');
    if (isLook) return this.#preview(read.claim, request.method === 'HEAD');
    if ((await readBody(request, MAX_BODY)) === null) return textAnswer(413, 'The request is too large.');
    return this.#pressed(read.claim, read.id, say);
  }

  #preview(claim: LinkClaim, isHead: boolean): HttpAnswer {
    const preview = previewOf(this.#space, claim);
    const page = preview.isOpen
      ? pageAnswer(200, { title: preview.title, text: preview.change, button: LABELS[claim.answer] })
      : pageAnswer(409, { title: 'Nothing to do', text: preview.reason });
    return isHead ? { ...page, content: null } : page;
  }

  // Used up first: whatever happens then, it is never done twice.
  async #pressed(claim: LinkClaim, id: string, say: Sayer): Promise<HttpAnswer> {
    if (!this.#use(id, claim.until)) {
      const preview = previewOf(this.#space, claim);
      const what = preview.isOpen ? 'It had no effect: answer in the vault.' : preview.reason;
      return say(409, 'Pressed before', `This link works once. ${what}`);
    }
    const pressing = this.#press(claim, id);
    const pressed = await Promise.race([pressing, wait(PRESS_MS, null, { ref: false })]);
    if (pressed === null) return say(202, 'On its way', 'Steward does it when the note has stopped changing.');
    if (pressed.isDone) return say(200, 'Done', pressed.message);
    return say(pressed.mayRetry ? 503 : 409, 'Not done', pressed.message);
  }

  async #press(claim: LinkClaim, id: string): Promise<PressResult> {
    const result = await answerClaim(this.#space, claim);
    if (result.mayRetry) {
      const { [id]: _, ...others } = this.#space.context.state.get(NOTIFY).used;
      this.#keepUsed(others);
    }
    return result;
  }

  /** Marks a link as used, on disk; false if it was used before. Throws what the disk refuses. */
  #use(id: string, until: number): boolean {
    const { used } = this.#space.context.state.get(NOTIFY);
    if (used[id] !== undefined) return false;
    this.#keepUsed({ ...used, [id]: until });
    return true;
  }

  #keepUsed(used: Record<string, number>): void {
    const { state } = this.#space.context;
    state.set(NOTIFY, { ...state.get(NOTIFY), used });
    state.save(NOTIFY);
  }
}

const DISMISS_LABELS: Partial<Record<News['kind'], string>> = { question: 'Seen', choice: 'No' };

interface Button extends Pick<LinkClaim, 'answer' | 'choose'> {
  readonly label: string;
}

function buttonsFor({ kind }: News, entry: WaitingEntry | null): Button[] {
  const plain = (answer: LinkClaim['answer'], label = LABELS[answer]): Button => ({ label, answer, choose: null });
  if (kind === 'done') return [plain('undo')];
  if (entry === null) return [];
  const dismiss = entry.answers.includes('dismiss') ? [plain('dismiss', DISMISS_LABELS[kind] ?? LABELS.dismiss)] : [];
  if (entry.candidates.length > 0) return [...choices(entry), ...dismiss];
  const later = entry.answers.includes('later') ? [plain('later')] : [];
  return [...(entry.answers.includes('confirm') ? [plain('confirm')] : []), ...dismiss, ...later];
}

function choices({ candidates }: WaitingEntry): Button[] {
  return candidates
    .slice(0, MOST_CHOICES)
    .map((choose) => ({ label: plainLine(titleOfLink(choose), MAX_LABEL), answer: 'confirm', choose }));
}

type Preview =
  | { readonly isOpen: true; readonly title: string; readonly change: string }
  /** `reason`: why the button can't be pressed any more, as one sentence. */
  | { readonly isOpen: false; readonly reason: string };

interface PressResult {
  readonly isDone: boolean;
  /** Whether nothing was done, and the link may be pressed again in a moment. */
  readonly mayRetry: boolean;
  /** One sentence. */
  readonly message: string;
}

function previewOf(space: WriteAccess, claim: LinkClaim): Preview {
  const event = ownEvent(space, claim);
  if (event === null) return { isOpen: false, reason: GONE };
  const would = wouldDo(space, event, claim);
  if (!isDone(would)) return { isOpen: false, reason: plainLine(would.message, MAX_CHANGE) };
  const { change, changes } = event.fields;
  const line = plainLine(withDays(change ?? changeLine(changes) ?? '', space.context.now()), MAX_CHANGE);
  const target = targetPath(space.vault, event);
  const chosen = claim.choose === null ? null : titleOfLink(claim.choose);
  return { isOpen: true, title: chosen ?? (target === null ? 'Steward' : readTitle(target)), change: line };
}

function wouldDo(space: WriteAccess, event: EventRecord, { answer, choose }: LinkClaim): AnswerRecord {
  if (answer === 'undo') return previewUndo(space, event, false);
  return previewAnswer(space, { kind: answer === 'later' ? 'dismiss' : answer, event, choose });
}

async function answerClaim(space: WriteAccess, claim: LinkClaim): Promise<PressResult> {
  try {
    await space.vault.sweep(); // on the vault as it is now, as a command does it
    if (space.vault.away !== null) throw awayRefusal(space.vault.away);
    // A message shows what the program itself wrote. If somebody has changed the note since, the press agrees to
    // something else.
    if (ownEvent(space, claim) === null) return { isDone: false, mayRetry: false, message: GONE };
    const [given] = await giveAnswer(space, claim);
    if (given === undefined) return { isDone: false, mayRetry: false, message: GONE };
    return { isDone: isDone(given), mayRetry: given.until !== null, message: plainLine(given.message, MAX_CHANGE) };
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return { isDone: false, mayRetry: true, message: plainLine(error.message, MAX_CHANGE) };
  }
}

function giveAnswer(space: WriteAccess, { event, answer, choose }: LinkClaim): Promise<AnswerRecord[]> {
  const asked = { events: [event], dryRun: false, by: 'link' as const };
  if (answer === 'undo') return undoAll(space, { ...asked, last: null, reason: null, force: false });
  const isLater = answer === 'later';
  return answerAll(space, { ...asked, kind: isLater ? 'dismiss' : answer, choose, later: isLater });
}

function ownEvent(space: WriteAccess, { event }: LinkClaim): EventRecord | null {
  const found = space.vault.catalogue.resolve(event, ['event']);
  return found?.kind === 'event' && found.name === event && isKnownNote(space, found) ? found : null;
}

const claim = z.object({
  event: z.string().min(1).max(300),
  answer: z.enum(['confirm', 'dismiss', 'later', 'undo']),
  /** The note that is meant, as a link, where it may be any of several. */
  choose: z.string().max(400).nullable(),
  /** Until when it may be pressed (epoch ms). */
  until: z.number(),
});
type LinkClaim = z.infer<typeof claim>;

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
export function makeLinkToken(key: Uint8Array, asked: LinkClaim): string {
  const text = Buffer.from(JSON.stringify(asked)).toString('base64url');
  return `${text}.${markOf(key, text)}`;
}

/**
 * Returns what a token asks for; `forged` if this machine did not make it for this vault, `expired` if it is too late.
 */
export function readToken(
  key: Uint8Array,
  token: string,
  now: number,
): GoodLink | { readonly kind: 'forged' | 'expired' } {
  const [text = '', mark = '', ...more] = token.length > MAX_TOKEN ? [] : token.split('.');
  const own = markOf(key, text);
  // The comparison always gets a text as long as a mark, whatever was sent.
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

type Sayer = (status: number, title: string, text: string) => HttpAnswer;

/** A person in front of a browser gets a page, a program a line. */
function sayer({ headers }: IncomingMessage): Sayer {
  const isBrowser = (headers.accept ?? '').includes('text/html');
  return (status, title, text) => (isBrowser ? pageAnswer(status, { title, text }) : textAnswer(status, text));
}

/** The names under which this server may be asked: where it listens, and where a phone reaches it. */
function hostsOf({ host, port, base }: LinkPlace): ReadonlySet<string> {
  const own = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const names = host === '127.0.0.1' || host === '::1' ? [own, `localhost:${port}`] : [own];
  return new Set([...names, new URL(base).host].map((name) => name.toLowerCase()));
}

// A server in front may leave out the path of the base, or keep it.
function pathIn(url: string, { base }: LinkPlace): string {
  const before = new URL(base).pathname.replace(/(?<!\/)\/+$/, '');
  return before !== '' && url.startsWith(`${before}/`) ? url.slice(before.length) : url;
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

// The address contains the link itself, so no other page may learn it.
const HEADERS = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'same-origin' };

interface Page {
  readonly title: string;
  readonly text: string;
  readonly button?: string;
}

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
