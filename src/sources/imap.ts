import { setTimeout as pause } from 'node:timers/promises';
import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import PostalMime from 'postal-mime';
import { readSender } from '../streams/mail.ts';
import { readAuthenticationResults } from '../streams/mail-sender.ts';
import { oneLine } from '../vault/note-text.ts';
import { Mutex } from '../vault/time.ts';
import {
  away,
  classifyImapError,
  FETCH_BYTES,
  ImapConnection,
  type ImapLimits,
  LIMITS,
  LINE_BYTES,
  LITERAL_BYTES,
  MAX_HEADER_BYTES,
  strange,
} from './imap-connection.ts';
import { FolderMarks, type FolderResult, FolderSelection, pollFolder } from './imap-fetch.ts';
import {
  type Credential,
  type ImapSettings,
  type Inlet,
  installCommand,
  type SenderReport,
  type Session,
  type Source,
  SourceError,
  type SourceProblem,
} from './source.ts';

const MOST_FOLDERS = 40;
const NEWEST_MAILS = 10;
/** How many mails the report about senders covers, and how much of each header block it reads. */
const REPORTED_MAILS = 100;
const REPORTED_HEADER_BYTES = 64 * 1024;
/** Extensions that save requests. */
const OFFERS = ['IDLE', 'CONDSTORE', 'QRESYNC'];

/** Describes the chosen folders, names the others, and lists the extensions of the server. */
async function describeMailbox(
  connection: ImapConnection,
  selection: FolderSelection,
  names: readonly string[],
): Promise<string[]> {
  connection.renew();
  const lines: string[] = [];
  for (const name of names) lines.push(await folderLine(connection, selection, name));
  const signer = await signerOf(connection, selection, names[0] ?? 'INBOX');
  return [
    ...lines,
    ...(await foldersLine(connection)),
    offersLine(connection.client),
    ...(signer === null ? [] : [`The newest mails are signed by ${signer}`]),
  ];
}

/**
 * Returns the name with which the account's server signs `Authentication-Results`: the topmost one in most of the
 * newest mails of a folder. Null if no server signs. A person must confirm it as `mail_server`.
 */
async function signerOf(connection: ImapConnection, selection: FolderSelection, name: string): Promise<string | null> {
  const state = await selection.open(name);
  if (state?.count === null || state === null || state.count === 0) return null;
  const headers = await newestHeaders(connection, state.count, NEWEST_MAILS, MAX_HEADER_BYTES);
  const signers = await Promise.all(headers.map(topmostSigner));
  const counted = Map.groupBy(signers, (signer) => signer);
  const most = [...counted].find(([signer, same]) => signer !== null && same.length * 2 > headers.length);
  return most?.[0] ?? null;
}

/** Returns the header blocks of the newest mails of the open folder, in parts of at most `bytes`. */
async function newestHeaders(
  connection: ImapConnection,
  count: number,
  most: number,
  bytes: number,
): Promise<readonly Buffer[]> {
  const headers: Buffer[] = [];
  const part = { key: 'HEADER', maxLength: bytes };
  const range = `${Math.max(1, count - most + 1)}:${count}`;
  await asked(
    connection,
    async (client) => {
      for await (const row of client.fetch(range, { bodyParts: [part] }))
        if (Buffer.isBuffer(row.headers) && headers.length < most) headers.push(row.headers.subarray(0, bytes));
    },
    FETCH_BYTES,
  );
  return headers;
}

async function sendersIn(
  connection: ImapConnection,
  selection: FolderSelection,
  name: string,
  server: string | null,
): Promise<SenderReport> {
  const state = await selection.open(name);
  const count = state?.count ?? 0;
  const headers = count === 0 ? [] : await newestHeaders(connection, count, REPORTED_MAILS, REPORTED_HEADER_BYTES);
  const trusted = server === null ? [] : [server];
  const mails = await Promise.all(headers.map((header) => readSender(header, trusted)));
  const senders = Map.groupBy(mails, ({ from }) => from ?? '');
  const never = [...senders].flatMap(([from, own]) => {
    const isNever = own.every(({ authentication }) => authentication.result !== 'pass');
    return isNever ? [{ from, mails: own.length, reason: own.at(-1)?.authentication.reason ?? '' }] : [];
  });
  return {
    server,
    mails: mails.length,
    authenticated: mails.filter(({ authentication }) => authentication.result === 'pass').length,
    never: never.sort((one, other) => other.mails - one.mails || (one.from < other.from ? -1 : 1)),
  };
}

async function topmostSigner(header: Buffer): Promise<string | null> {
  try {
    const { headers } = await PostalMime.parse(header);
    const topmost = headers.find(({ key }) => key === 'authentication-results');
    const server = topmost === undefined ? null : (readAuthenticationResults(topmost.value)?.server ?? null);
    return server === null || !SERVER_NAME.test(server) ? null : server;
  } catch {
    // A mail that can't be read doesn't count.
    return null;
  }
}

const SERVER_NAME = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]*\.)*[a-z\d-]*[a-z\d]$/;

async function folderLine(connection: ImapConnection, selection: FolderSelection, name: string): Promise<string> {
  const shown = oneLine(name, 100);
  const state = await selection.open(name);
  if (state === null) return `There is no folder ${shown}`;
  const count = state.count ?? 0;
  if (count === 0) return `No mails in ${shown}`;
  const newest = await asked(connection, (client) => client.fetchOne('*', { internalDate: true }));
  const day =
    newest !== false && newest.internalDate instanceof Date ? newest.internalDate.toISOString().slice(0, 10) : null;
  return `${grouped(count)} ${count === 1 ? 'mail' : 'mails'} in ${shown}${day === null ? '' : `, the newest of ${day}`}`;
}

async function foldersLine(connection: ImapConnection): Promise<string[]> {
  const listed = await asked(connection, (client) => client.list({ listOnly: true }));
  const names = listed.filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => oneLine(path, 60));
  const more = names.length > MOST_FOLDERS ? `, and ${names.length - MOST_FOLDERS} more` : '';
  return names.length === 0 ? [] : [`Folders there: ${names.slice(0, MOST_FOLDERS).join(', ')}${more}`];
}

// A folder that is only named like one may have been made by a mail to an address with a suffix (`anna+Sent@…`).
async function markedAsSent(connection: ImapConnection): Promise<string | null> {
  const listed = await asked(connection, (client) => client.list({ listOnly: true }));
  const marked = listed.filter(({ flags, path }) => flags.has('\\Sent') && path.toUpperCase() !== 'INBOX');
  return marked[0]?.path ?? null;
}

function noSentFolder(): FolderResult {
  const message = 'The mail server marks no folder as that of your sent mails';
  const hint = 'Write its name into sent_folder in the note; `steward source test NAME` lists the folders.';
  return { isThere: true, hasNews: false, problem: { message, hint } };
}

function offersLine({ capabilities }: ImapFlow): string {
  const offered = OFFERS.filter((name) => capabilities.has(name));
  const idle = capabilities.has('IDLE') ? '' : '; new mails are found at the interval in the note';
  return offered.length === 0
    ? `The server doesn't offer any of ${OFFERS.join(', ')}${idle}`
    : `The server offers ${offered.join(', ')}${idle}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en').replaceAll(',', ' ');
}

async function asked<T>(
  connection: ImapConnection,
  work: (client: ImapFlow) => Promise<T>,
  bytes?: number,
): Promise<T> {
  try {
    return await connection.ask(work, bytes);
  } catch (error) {
    throw classifyImapError(error);
  }
}

/** An IDLE that ends sooner is renewed after a pause, which grows if it keeps ending by itself. */
const SHORTEST_IDLE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

/**
 * Runs IDLE between requests while somebody waits for news. Each poll ends the IDLE, which starts again afterwards. A
 * server without IDLE gets a NOOP at intervals.
 */
class IdleListener {
  readonly #connection: ImapConnection;
  readonly #limits: ImapLimits;
  readonly #look: () => Promise<boolean>;
  #waiting: { readonly news: Promise<void>; readonly resolve: () => void } | null = null;
  #isListening = false;
  #hasTold = false;
  /** Grows when the server reports news, but no new mail is found. */
  #pauseMs = 0;
  #shortIdles = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `look` opens the watched folder and returns whether it already has new mails. */
  constructor(connection: ImapConnection, limits: ImapLimits, look: () => Promise<boolean>) {
    this.#connection = connection;
    this.#limits = limits;
    this.#look = look;
    connection.onEnd(() => this.#stopTimer());
  }

  /** Resolves when there is news. Rejects when the connection ends. */
  async waitForNews(): Promise<void> {
    this.#waiting ??= this.#wait();
    const { news } = this.#waiting;
    // A failure has ended the connection, which rejects everybody who waits.
    this.#listen().catch(() => {});
    await news;
  }

  /** Reports news. */
  tell(): void {
    if (this.#waiting === null || this.#timer !== null) return;
    if (this.#pauseMs === 0) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), this.#pauseMs).unref();
  }

  /** To be called after each poll. */
  polled(hasNews: boolean): void {
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
    const { client } = this.#connection;
    // IDLE needs an open folder.
    if (!client.capabilities.has('IDLE') || client.mailbox === false) {
      await this.#pause(this.#limits.keepAliveMs);
      await this.#connection.isAlive();
      return;
    }
    const begun = performance.now();
    await this.#connection.idle();
    const isShort = performance.now() - begun < SHORTEST_IDLE_MS;
    this.#shortIdles = isShort ? this.#shortIdles + 1 : 0;
    if (isShort) await this.#pause(Math.min(LONGEST_PAUSE_MS, SHORTEST_IDLE_MS * 2 ** (this.#shortIdles - 1)));
  }

  /** All callers share one promise, so that repeated calls don't pile up. */
  #wait(): { readonly news: Promise<void>; readonly resolve: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { news: this.#connection.unlessLost(promise), resolve };
  }

  /** Waits, and rejects if the connection ends first. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    try {
      await this.#connection.unlessLost(promise);
    } finally {
      clearTimeout(timer);
    }
  }
}

const LOGOUT_MS = 2000;

/** The note's word for the folder that the server itself marks as that of sent mails (RFC 6154). */
const MARKED_BY_SERVER = 'auto';

/** A connected mailbox. Requests run one after another; no news is lost between them. */
export class MailboxSession implements Session {
  readonly #connection: ImapConnection;
  readonly #inlet: Inlet;
  readonly #settings: ImapSettings;
  readonly #selection: FolderSelection;
  readonly #listener: IdleListener;
  readonly #turns = new Mutex();

  constructor(connection: ImapConnection, inlet: Inlet, settings: ImapSettings, limits: ImapLimits) {
    this.#connection = connection;
    this.#inlet = inlet;
    this.#settings = settings;
    this.#selection = new FolderSelection(connection, () => this.#listener.tell());
    const [first = 'INBOX'] = settings.folders;
    const look = () => this.#inTurn(() => this.#hasNews(first));
    this.#listener = new IdleListener(connection, limits, look);
  }

  /**
   * Fetches new mails from all folders, in the order of the note. A missing folder is a problem and doesn't stop the
   * others.
   */
  async poll(): Promise<readonly SourceProblem[]> {
    const results = await this.#inTurn(() => this.#pollAll());
    this.#listener.polled(results.some(({ hasNews }) => hasNews));
    const problems = results.flatMap(({ problem }) => (problem === null ? [] : [problem]));
    const [first] = problems;
    if (first !== undefined && results.every(({ isThere }) => !isThere))
      throw new SourceError({ kind: 'missing', ...first });
    return problems;
  }

  /** Resolves when a mail arrives in the first folder. Only servers with IDLE report this at once. */
  async waitForNews(): Promise<void> {
    await this.#listener.waitForNews();
  }

  async describe(): Promise<readonly string[]> {
    return await this.#inTurn(async () => {
      const { folders, sent_folder: wanted } = this.#settings;
      const lines = await describeMailbox(this.#connection, this.#selection, folders);
      if (wanted === null) return lines;
      const sent = await this.#sentFolder();
      if (sent === null) return [...lines, 'The server marks no folder as that of your sent mails'];
      return [...lines, `Your sent mails: ${await folderLine(this.#connection, this.#selection, sent)}`];
    });
  }

  /**
   * Suggests a value for `mail_server` from the newest mails, for a person to confirm. Null if no server signs them.
   */
  async signer(): Promise<string | null> {
    return await this.#inTurn(() => signerOf(this.#connection, this.#selection, this.#settings.folders[0] ?? 'INBOX'));
  }

  async senders(): Promise<SenderReport> {
    const { folders, mail_server: server } = this.#settings;
    return await this.#inTurn(() => sendersIn(this.#connection, this.#selection, folders[0] ?? 'INBOX', server));
  }

  async close(): Promise<void> {
    const bye = this.#connection.unlessLost(this.#connection.client.logout());
    const abort = new AbortController();
    await Promise.race([bye.catch(() => {}), pause(LOGOUT_MS, undefined, { signal: abort.signal }).catch(() => {})]);
    abort.abort();
    this.#connection.client.close();
  }

  async #pollAll(): Promise<readonly FolderResult[]> {
    const { since, senders } = this.#settings;
    const sent = await this.#sentFolder();
    const folders = new Set(this.#settings.folders);
    const names = sent === null ? [...folders] : [...folders.add(sent)];
    const visit = {
      connection: this.#connection,
      selection: this.#selection,
      inlet: this.#inlet,
      marks: new FolderMarks(this.#inlet, names),
    };
    const results: FolderResult[] = [];
    for (const name of names) {
      const isSent = name === sent;
      results.push(await pollFolder({ ...visit, isSent, settings: { since, senders: isSent ? [] : senders } }, name));
    }
    if (sent === null && this.#settings.sent_folder !== null) results.push(noSentFolder());
    return results;
  }

  /**
   * Returns the folder of the mails that the user sent; null if it isn't read, or the server marks no folder as such.
   */
  async #sentFolder(): Promise<string | null> {
    const { sent_folder: named } = this.#settings;
    return named === MARKED_BY_SERVER ? markedAsSent(this.#connection) : named;
  }

  /** Opens the watched folder, and returns whether mails arrived while another folder was open. */
  async #hasNews(name: string): Promise<boolean> {
    if (this.#selection.isOpen(name)) return this.#selection.hasGrown(name);
    const mark = new FolderMarks(this.#inlet, this.#settings.folders).of(name);
    this.#connection.renew();
    const state = await this.#selection.open(name);
    return mark !== undefined && state !== null && state.next !== null && mark.next !== null && state.next > mark.next;
  }

  /** Runs one task at a time, because each opens the folder that it needs. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work);
  }
}

interface LoginParts {
  readonly settings: ImapSettings;
  readonly credential: Credential;
  readonly limits: ImapLimits;
  readonly abort: AbortSignal;
}

/**
 * Connects and logs in. A password is sent only once. If a token is refused, the credential is read again, because the
 * token may have expired; only a different token is sent. Throws a `SourceError`.
 */
async function connect(login: LoginParts): Promise<ImapConnection> {
  const secret = await login.credential.reveal();
  try {
    return await loggedIn(login, secret);
  } catch (error) {
    const next = await renewed(login, secret, error);
    if (next === null) throw error;
    return await loggedIn(login, next);
  }
}

async function renewed({ settings, credential }: LoginParts, old: string, error: unknown): Promise<string | null> {
  if (settings.auth !== 'oauth2' || !(error instanceof SourceError) || error.kind !== 'refused') return null;
  const next = await credential.reveal();
  return next === old ? null : next;
}

async function loggedIn({ settings, limits, abort }: LoginParts, secret: string): Promise<ImapConnection> {
  if (abort.aborted) throw away('The poll was cancelled');
  const { ImapFlow: Client } = await library();
  const connection = new ImapConnection(
    (logger) => new Client({ ...optionsOf(settings, limits, secret), logger }),
    limits,
  );
  const stop = () => connection.fail(away('The poll was cancelled'));
  abort.addEventListener('abort', stop, { once: true });
  connection.onEnd(() => abort.removeEventListener('abort', stop));
  const timer = setTimeout(() => connection.fail(away("The mail server didn't answer in time")), limits.loginMs);
  try {
    await connection.ask((client) => client.connect());
    assertAsked(connection.client);
    return connection;
  } catch (error) {
    const reason = loginFailure(connection.client, settings, error);
    connection.fail(reason);
    throw reason;
  } finally {
    clearTimeout(timer);
  }
}

/** A server that needs no password isn't the right one, or somebody intercepts the connection. */
function assertAsked(client: ImapFlow): void {
  // The library keeps the greeting of a server that requires a login, and drops that of a server that doesn't.
  if (client.greeting === undefined) throw strange('The mail server asks for no password');
}

async function library(): Promise<typeof import('imapflow')> {
  try {
    return await import('imapflow');
  } catch (error) {
    const message = "The library for mailboxes isn't installed";
    throw new SourceError({ kind: 'setup', message, hint: `Run: ${installCommand('imapflow')}` }, { cause: error });
  }
}

function optionsOf(settings: ImapSettings, limits: ImapLimits, secret: string): ImapFlowOptions {
  const isLoopback = settings.security !== 'none' || LOOPBACK.test(settings.host);
  if (!isLoopback) throw setup('Without TLS, only a server on this machine is allowed', 'Set security to tls.');
  if (secret === '') throw setup('The password is empty', 'Set it again, then run `steward source test NAME`.');
  return {
    host: settings.host.replace(/^\[|\]$/g, ''),
    port: settings.port,
    secure: settings.security === 'tls',
    doSTARTTLS: settings.security === 'starttls',
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    auth:
      settings.auth === 'oauth2' ? { user: settings.user, accessToken: secret } : { user: settings.user, pass: secret },
    clientInfo: { name: 'vault-steward' },
    // Compression could expand a few bytes into a flood, and one connection for each folder is enough.
    disableCompression: true,
    disableAutoIdle: true,
    disableIMAP4rev2: true,
    disableBinary: true,
    maxIdleTime: limits.idleMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    // Each request has its own limit (see `ImapConnection`). This one ends a connection that dies during IDLE.
    socketTimeout: limits.idleMs + limits.connectMs,
    maxLineLength: LINE_BYTES,
    maxLiteralSize: LITERAL_BYTES,
    maxResponseSize: 2 * LITERAL_BYTES,
    maxResponseTokens: MAX_TOKENS,
  };
}

const MAX_TOKENS = 100_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
const TOKEN_LOGINS = ['AUTH=OAUTHBEARER', 'AUTH=XOAUTH2', 'AUTH=XOAUTH'];

/** Tells a server that doesn't support the note's settings from one that refuses the login. */
function loginFailure(client: ImapFlow, { security, auth }: ImapSettings, error: unknown): SourceError {
  const offers = (name: string) => client.capabilities.has(name);
  if (security === 'starttls' && !client.secureConnection && client.connectedAt !== null && isSilentOn(error))
    return setup(
      'The mail server offers no TLS at this port, so no password was sent',
      'Set security to tls and port to 993, or ask whoever runs the server.',
    );
  if (!isSilentOn(error)) return classifyImapError(error);
  if (auth === 'oauth2' && client.connectedAt !== null && !TOKEN_LOGINS.some(offers))
    return setup("The mail server doesn't accept tokens", 'Set auth to password, or remove it.');
  if (auth === 'password' && offers('LOGINDISABLED'))
    return setup("The mail server doesn't accept passwords", 'Set auth to oauth2, or ask whoever runs the server.');
  return classifyImapError(error);
}

/** Whether the library gave up without an error from the server, the network or TLS. */
function isSilentOn(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof SourceError) return false;
  return !('code' in error && typeof error.code === 'string') && !('responseStatus' in error);
}

function setup(message: string, hint: string): SourceError {
  return new SourceError({ kind: 'setup', message, hint });
}

interface ImapSource {
  readonly settings: ImapSettings;
  /** The password or the access token. Read at each connection. */
  readonly credential: Credential;
  /** Overrides of the usual time limits. */
  readonly limits?: Partial<ImapLimits>;
}

/** A source whose sessions can also suggest a `mail_server`. */
interface ImapSourceKind extends Source {
  open(inlet: Inlet, abort: AbortSignal): Promise<MailboxSession>;
}

/**
 * Reads a mailbox by IMAP, and doesn't change anything: folders are opened with EXAMINE, mails are fetched with
 * BODY.PEEK, and no mail is stored, copied, marked as seen or expunged.
 */
export function imapSource({ settings, credential, limits }: ImapSource): ImapSourceKind {
  const all = { ...LIMITS, ...limits };
  return {
    open: async (inlet, abort) => {
      const connection = await connect({ settings, credential, limits: all, abort });
      return new MailboxSession(connection, inlet, settings, all);
    },
  };
}
