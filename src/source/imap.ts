import { setTimeout as pause } from 'node:timers/promises';
import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import PostalMime from 'postal-mime';
import { oneLine } from '../stream/mail/plain-text.ts';
import { readAuthenticationResults } from '../stream/mail.ts';
import {
  type Connector,
  type Credential,
  type Inlet,
  installCommand,
  type Session,
  SourceError,
  type SourceProblem,
} from './connector.ts';
import { Bookmarks, type FolderVisit, Selection, visitFolder } from './imap-fetch.ts';
import {
  away,
  failureOf,
  type ImapLimits,
  LIMITS,
  LINE_BYTES,
  LITERAL_BYTES,
  MAX_HEADER_BYTES,
  strange,
  Wire,
} from './imap-wire.ts';
import type { ImapSettings } from './source.ts';

const MOST_FOLDERS = 40;
const NEWEST_MAILS = 10;
/** What a server may offer that spares looks. */
const OFFERS = ['IDLE', 'CONDSTORE', 'QRESYNC'];

/** Says what is in each folder, which others there are, and what the server offers. */
async function describeMailbox(wire: Wire, selection: Selection, names: readonly string[]): Promise<string[]> {
  wire.renew();
  const lines: string[] = [];
  for (const name of names) lines.push(await folderLine(wire, selection, name));
  const signer = await signerOf(wire, selection, names[0] ?? 'INBOX');
  return [
    ...lines,
    ...(await foldersLine(wire)),
    offersLine(wire.client),
    ...(signer === null ? [] : [`The newest mails are signed by ${signer}`]),
  ];
}

/**
 * Returns the name by which the account's own server signs `Authentication-Results`, for `mail_server`: the one that stands
 * topmost in most of the newest mails of a folder. Null where there is none. A person is to confirm it.
 */
async function signerOf(wire: Wire, selection: Selection, name: string): Promise<string | null> {
  const state = await selection.open(name);
  if (state?.count === null || state === null || state.count === 0) return null;
  const headers = await newestHeaders(wire, state.count);
  const signers = await Promise.all(headers.map(topmostSigner));
  const counted = Map.groupBy(signers, (signer) => signer);
  const most = [...counted].find(([signer, same]) => signer !== null && same.length * 2 > headers.length);
  return most?.[0] ?? null;
}

async function newestHeaders(wire: Wire, count: number): Promise<readonly Buffer[]> {
  const headers: Buffer[] = [];
  const part = { key: 'HEADER', maxLength: MAX_HEADER_BYTES };
  const range = `${Math.max(1, count - NEWEST_MAILS + 1)}:${count}`;
  await asked(wire, async (client) => {
    for await (const row of client.fetch(range, { bodyParts: [part] }))
      if (Buffer.isBuffer(row.headers) && headers.length < NEWEST_MAILS) headers.push(row.headers);
  });
  return headers;
}

async function topmostSigner(header: Buffer): Promise<string | null> {
  try {
    const { headers } = await PostalMime.parse(header);
    const topmost = headers.find(({ key }) => key === 'authentication-results');
    const server = topmost === undefined ? null : (readAuthenticationResults(topmost.value)?.server ?? null);
    return server === null || !SERVER_NAME.test(server) ? null : server;
  } catch {
    // What cannot be read says nothing.
    return null;
  }
}

const SERVER_NAME = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]*\.)*[a-z\d-]*[a-z\d]$/;

async function folderLine(wire: Wire, selection: Selection, name: string): Promise<string> {
  const shown = oneLine(name, 100);
  const state = await selection.open(name);
  if (state === null) return `There is no folder ${shown}`;
  const count = state.count ?? 0;
  if (count === 0) return `No mails in ${shown}`;
  const newest = await asked(wire, (client) => client.fetchOne('*', { internalDate: true }));
  const day =
    newest !== false && newest.internalDate instanceof Date ? newest.internalDate.toISOString().slice(0, 10) : null;
  return `${grouped(count)} ${count === 1 ? 'mail' : 'mails'} in ${shown}${day === null ? '' : `, the newest of ${day}`}`;
}

async function foldersLine(wire: Wire): Promise<string[]> {
  const listed = await asked(wire, (client) => client.list({ listOnly: true }));
  const names = listed.filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => oneLine(path, 60));
  const more = names.length > MOST_FOLDERS ? `, and ${names.length - MOST_FOLDERS} more` : '';
  return names.length === 0 ? [] : [`Folders there: ${names.slice(0, MOST_FOLDERS).join(', ')}${more}`];
}

function offersLine({ capabilities }: ImapFlow): string {
  const offered = OFFERS.filter((name) => capabilities.has(name));
  const idle = capabilities.has('IDLE') ? '' : '; new mails are found at the pace of the note';
  return offered.length === 0
    ? `The server offers none of ${OFFERS.join(', ')}${idle}`
    : `The server offers ${offered.join(', ')}${idle}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ');
}

async function asked<T>(wire: Wire, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  try {
    return await wire.ask(work);
  } catch (error) {
    throw failureOf(error);
  }
}

/** An IDLE that ends sooner than this is not begun anew at once; where no visit ended it, later each time. */
const SHORTEST_IDLE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

/**
 * Listens by IDLE while nothing is asked, for as long as somebody waits for news. A visit ends the IDLE, and it is begun
 * anew afterwards. Where the server has no IDLE, it is told now and then that we are still there.
 */
class Listening {
  readonly #wire: Wire;
  readonly #limits: ImapLimits;
  readonly #look: () => Promise<boolean>;
  #waiting: { readonly news: Promise<void>; readonly resolve: () => void } | null = null;
  #isListening = false;
  #hasTold = false;
  /** A server that tells of news that are none is believed later and later. */
  #pauseMs = 0;
  #shortIdles = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `look` opens the folder that is listened to, and says whether something is new in it already. */
  constructor(wire: Wire, limits: ImapLimits, look: () => Promise<boolean>) {
    this.#wire = wire;
    this.#limits = limits;
    this.#look = look;
    wire.onEnd(() => this.#stopTimer());
  }

  /** Resolves with the next news; rejects where the connection ends. */
  async news(): Promise<void> {
    this.#waiting ??= this.#wait();
    const { news } = this.#waiting;
    // What fails in it has ended the connection, of which all hear who wait.
    this.#listen().catch(() => {});
    await news;
  }

  /** Something came. */
  tell(): void {
    if (this.#waiting === null || this.#timer !== null) return;
    if (this.#pauseMs === 0) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), this.#pauseMs).unref();
  }

  /** After each visit: whether it found anything. */
  visited(hasNews: boolean): void {
    if (this.#hasTold && !hasNews)
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(this.#limits.falseNewsMs, 2 * this.#pauseMs));
    if (hasNews) this.#pauseMs = 0;
    this.#hasTold = false;
    this.#shortIdles = 0;
  }

  #tellNow(): void {
    this.#stopTimer();
    this.#hasTold = true;
    this.#waiting?.resolve();
    this.#waiting = null;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #listen(): Promise<void> {
    if (this.#isListening) return;
    this.#isListening = true;
    try {
      while (this.#waiting !== null) {
        if (await this.#look()) this.tell();
        if (this.#waiting !== null) await this.#hear();
      }
    } finally {
      this.#isListening = false;
    }
  }

  async #hear(): Promise<void> {
    const { client } = this.#wire;
    // With no folder open there is nothing to listen to.
    if (!client.capabilities.has('IDLE') || client.mailbox === false) {
      await this.#pause(this.#limits.keepAliveMs);
      await this.#wire.isAlive();
      return;
    }
    const begun = performance.now();
    await this.#wire.idle();
    const isShort = performance.now() - begun < SHORTEST_IDLE_MS;
    this.#shortIdles = isShort ? this.#shortIdles + 1 : 0;
    if (isShort) await this.#pause(Math.min(LONGEST_PAUSE_MS, SHORTEST_IDLE_MS * 2 ** (this.#shortIdles - 1)));
  }

  /** One for all who ask: whoever asks at each pace must not leave a promise behind each time. */
  #wait(): { readonly news: Promise<void>; readonly resolve: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { news: this.#wire.unlessLost(promise), resolve };
  }

  /** Waits, unless the connection ends before. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    try {
      await this.#wire.unlessLost(promise);
    } finally {
      clearTimeout(timer);
    }
  }
}

const LOGOUT_MS = 2000;

/** A mailbox that is connected. One thing is done at a time; what it hears of meanwhile is not lost. */
export class MailboxSession implements Session {
  readonly #wire: Wire;
  readonly #inlet: Inlet;
  readonly #settings: ImapSettings;
  readonly #selection: Selection;
  readonly #listening: Listening;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(wire: Wire, inlet: Inlet, settings: ImapSettings, limits: ImapLimits) {
    this.#wire = wire;
    this.#inlet = inlet;
    this.#settings = settings;
    this.#selection = new Selection(wire, () => this.#listening.tell());
    const [first = 'INBOX'] = settings.folders;
    const look = () => this.#inTurn(() => this.#hasNews(first));
    this.#listening = new Listening(wire, limits, look);
  }

  /** Brings what is new in all folders, in the order of the note. A folder that is not there is said; the others go on. */
  async visit(): Promise<readonly SourceProblem[]> {
    const visits = await this.#inTurn(() => this.#visitAll());
    this.#listening.visited(visits.some(({ hasNews }) => hasNews));
    const problems = visits.flatMap(({ problem }) => (problem === null ? [] : [problem]));
    const [first] = problems;
    if (first !== undefined && visits.every(({ isThere }) => !isThere))
      throw new SourceError({ kind: 'missing', ...first });
    return problems;
  }

  /** Resolves when something has come into the first folder; only a server with IDLE says so at once. */
  async news(): Promise<void> {
    await this.#listening.news();
  }

  async describe(): Promise<readonly string[]> {
    return await this.#inTurn(() => describeMailbox(this.#wire, this.#selection, this.#settings.folders));
  }

  /** Returns the name that `mail_server` should have, as the newest mails show it, or null: a proposal for a person. */
  async signer(): Promise<string | null> {
    return await this.#inTurn(() => signerOf(this.#wire, this.#selection, this.#settings.folders[0] ?? 'INBOX'));
  }

  async close(): Promise<void> {
    const bye = this.#wire.unlessLost(this.#wire.client.logout());
    const abort = new AbortController();
    await Promise.race([bye.catch(() => {}), pause(LOGOUT_MS, undefined, { signal: abort.signal }).catch(() => {})]);
    abort.abort();
    this.#wire.client.close();
  }

  async #visitAll(): Promise<readonly FolderVisit[]> {
    const { folders } = this.#settings;
    const bookmarks = new Bookmarks(this.#inlet, folders);
    const visit = {
      wire: this.#wire,
      selection: this.#selection,
      inlet: this.#inlet,
      settings: this.#settings,
      bookmarks,
    };
    const visits: FolderVisit[] = [];
    for (const name of new Set(folders)) visits.push(await visitFolder(visit, name));
    return visits;
  }

  /** Opens the folder that is listened to, and says whether something came while another one was open. */
  async #hasNews(name: string): Promise<boolean> {
    if (this.#selection.isOpen(name)) return this.#selection.hasGrown(name);
    const mark = new Bookmarks(this.#inlet, this.#settings.folders).of(name);
    this.#wire.renew();
    const state = await this.#selection.open(name);
    return mark !== undefined && state !== null && state.next !== null && mark.next !== null && state.next > mark.next;
  }

  /** One after the other: a folder that is open for one must not be closed by another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** What a connection is made of. */
interface Way {
  readonly settings: ImapSettings;
  readonly credential: Credential;
  readonly limits: ImapLimits;
  readonly abort: AbortSignal;
}

/**
 * Connects and logs in. A password goes to the server once. A token that is refused is asked for once more, and only
 * another one is tried: it may have ended meanwhile. Throws a `SourceError`.
 */
async function openWire(way: Way): Promise<Wire> {
  const secret = await way.credential.reveal();
  try {
    return await loggedIn(way, secret);
  } catch (error) {
    const next = await renewed(way, secret, error);
    if (next === null) throw error;
    return await loggedIn(way, next);
  }
}

async function renewed({ settings, credential }: Way, old: string, error: unknown): Promise<string | null> {
  if (settings.auth !== 'oauth2' || !(error instanceof SourceError) || error.kind !== 'refused') return null;
  const next = await credential.reveal();
  return next === old ? null : next;
}

async function loggedIn({ settings, limits, abort }: Way, secret: string): Promise<Wire> {
  if (abort.aborted) throw away('The visit was ended');
  const { ImapFlow: Client } = await library();
  const wire = new Wire((logger) => new Client({ ...optionsOf(settings, limits, secret), logger }), limits);
  const stop = () => wire.fail(away('The visit was ended'));
  abort.addEventListener('abort', stop, { once: true });
  wire.onEnd(() => abort.removeEventListener('abort', stop));
  const timer = setTimeout(() => wire.fail(away('The mail server does not answer in time')), limits.loginMs);
  try {
    await wire.ask((client) => client.connect());
    assertAsked(wire.client);
    return wire;
  } catch (error) {
    const reason = loginFailure(wire.client, settings, error);
    wire.fail(reason);
    throw reason;
  } finally {
    clearTimeout(timer);
  }
}

/** A server that lets anybody in without a password is not the one that was meant, or somebody stands before it. */
function assertAsked(client: ImapFlow): void {
  // The library keeps the words of a greeting that asks for a login, and none of one that does not.
  if (client.greeting === undefined) throw strange('The mail server asks for no password');
}

async function library(): Promise<typeof import('imapflow')> {
  try {
    return await import('imapflow');
  } catch (error) {
    const message = 'Mailboxes need a library that is not installed';
    throw new SourceError({ kind: 'setup', message, hint: `Run: ${installCommand('imapflow')}` }, { cause: error });
  }
}

function optionsOf(settings: ImapSettings, limits: ImapLimits, secret: string): ImapFlowOptions {
  const isLoopback = settings.security !== 'none' || LOOPBACK.test(settings.host);
  if (!isLoopback) throw setup('Without TLS only a server on this machine may be asked', 'Set security to tls.');
  if (secret === '') throw setup('The password is empty', 'Set it again; `steward source test NAME` then tries it.');
  return {
    host: settings.host.replace(/^\[|\]$/g, ''),
    port: settings.port,
    secure: settings.security === 'tls',
    doSTARTTLS: settings.security === 'starttls',
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    auth:
      settings.auth === 'oauth2' ? { user: settings.user, accessToken: secret } : { user: settings.user, pass: secret },
    clientInfo: { name: 'vault-steward' },
    // A few bytes must not become a flood, and one connection a folder is enough.
    disableCompression: true,
    disableAutoIdle: true,
    disableIMAP4rev2: true,
    disableBinary: true,
    maxIdleTime: limits.idleMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    // Each question has its own time (see `Wire`); this one ends a connection that died while it idled.
    socketTimeout: limits.idleMs + limits.connectMs,
    maxLineLength: LINE_BYTES,
    maxLiteralSize: LITERAL_BYTES,
    maxResponseSize: LINE_BYTES + LITERAL_BYTES,
    maxResponseTokens: MAX_TOKENS,
  };
}

const MAX_TOKENS = 100_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
const TOKEN_LOGINS = ['AUTH=OAUTHBEARER', 'AUTH=XOAUTH2', 'AUTH=XOAUTH'];

/** Tells a server that cannot do what the note asks for from one that refuses. */
function loginFailure(client: ImapFlow, { security, auth }: ImapSettings, error: unknown): SourceError {
  const offers = (name: string) => client.capabilities.has(name);
  if (security === 'starttls' && !client.secureConnection && client.connectedAt !== null && isSilentOn(error))
    return setup(
      'The mail server offers no TLS at this port, so no password was sent',
      'Set security to tls and port to 993, or ask whoever runs the server.',
    );
  if (!isSilentOn(error)) return failureOf(error);
  if (auth === 'oauth2' && client.connectedAt !== null && !TOKEN_LOGINS.some(offers))
    return setup('The mail server takes no tokens', 'Set auth to password, or leave it out.');
  if (auth === 'password' && offers('LOGINDISABLED'))
    return setup('The mail server takes no password', 'Set auth to oauth2, or ask whoever runs the server.');
  return failureOf(error);
}

/** Whether the library gave up by itself: no answer of the server, of the network, or of TLS is behind it. */
function isSilentOn(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof SourceError) return false;
  return !('code' in error && typeof error.code === 'string') && !('responseStatus' in error);
}

function setup(message: string, hint: string): SourceError {
  return new SourceError({ kind: 'setup', message, hint });
}

interface ImapSource {
  readonly settings: ImapSettings;
  /** The password, or the access token: asked for at each connection. */
  readonly credential: Credential;
  /** How long the server may take, where it is not as long as usual. */
  readonly limits?: Partial<ImapLimits>;
}

/** A connector whose sessions can also propose a `mail_server`. */
interface ImapConnector extends Connector {
  open(inlet: Inlet, abort: AbortSignal): Promise<MailboxSession>;
}

/**
 * Reaches a mailbox by IMAP, only to read: folders are opened with EXAMINE, mails are fetched with BODY.PEEK, and nothing
 * is ever stored, copied, marked as seen or expunged.
 */
export function imapConnector({ settings, credential, limits }: ImapSource): ImapConnector {
  const all = { ...LIMITS, ...limits };
  return {
    open: async (inlet, abort) => {
      const wire = await openWire({ settings, credential, limits: all, abort });
      return new MailboxSession(wire, inlet, settings, all);
    },
  };
}
