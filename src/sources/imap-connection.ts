import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import { z } from 'zod';
import { MAX_MAIL_BYTES } from '../streams/stream.ts';
import { SourceError } from './source.ts';

/**
 * The fields that we use of an error from the library or from Node. Its message is never shown: the server may have
 * written it.
 */
const libraryError = z.object({
  code: z.string().nullish().catch(null),
  responseStatus: z.string().nullish().catch(null),
  serverResponseCode: z.string().nullish().catch(null),
  authenticationFailed: z.boolean().nullish().catch(null),
  throttleReset: z.number().nullish().catch(null),
  responseText: z.string().nullish().catch(null),
  mailboxMissing: z.boolean().nullish().catch(null),
});
type LibraryError = z.infer<typeof libraryError>;
const UNKNOWN = "This machine doesn't trust the issuer of the mail server's certificate";
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'The certificate of the mail server has expired',
  CERT_NOT_YET_VALID: 'The certificate of the mail server is not valid yet',
  CERT_REVOKED: 'The certificate of the mail server was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the mail server is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The mail server uses a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN,
};
const CERTIFICATE_HINT =
  'No request was sent. Check the host name and the clock of this machine. If the server uses a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate.';
/** Other codes of a failed certificate check: the server couldn't prove its identity. */
const OTHER_CERTIFICATE =
  /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

const STRANGE =
  /^(?:LineTooLarge|LiteralTooLarge|ResponseTooLarge|TooMany|MAX_IMAP_NESTING|UnexpectedTag|MissingTag|InvalidResponse|ResponseProcessing|ParserError)/;

/** Response codes to a login that don't concern the password. */
const AWAY_CODES = ['UNAVAILABLE', 'SERVERBUG'];
const BUSY_CODES = ['INUSE', 'LIMIT', 'CONTACTADMIN', 'OVERQUOTA', 'THROTTLED'];
/**
 * How servers without response codes report that they are busy. If the text also mentions the password, the password is
 * wrong.
 */
const BUSY_WORDS = /too many|simultaneous|temporar|try again|unavailable|internal error|rate limit/i;
const PASSWORD_WORDS = /invalid|incorrect|wrong|credential|password|denied|authenticationfailed/i;

/** The server didn't answer in time, or the connection ended. */
export function away(message = 'The mail server ended the connection', cause?: unknown): SourceError {
  return new SourceError(
    { kind: 'away', message, hint: 'Steward will try again. Check the network, and the host and port in the note.' },
    { cause },
  );
}

/** The server broke the protocol. */
export function strange(message: string, cause?: unknown): SourceError {
  const hint = 'Steward ended the connection. Check that host and port belong to the mail server.';
  return new SourceError({ kind: 'strange', message, hint }, { cause });
}

function busy(waitMs: number | null | undefined): SourceError {
  const hint = 'Steward will try again later, with longer pauses.';
  const message = 'The mail server asks us to wait';
  return new SourceError({ kind: 'busy', message, hint, ...(typeof waitMs === 'number' && { waitMs }) });
}

function refused(): SourceError {
  const hint =
    'Steward tries again after the password or the note changes. Set the right password, then run `steward source test NAME`.';
  return new SourceError({ kind: 'refused', message: 'The mail server rejected the user name or the password', hint });
}

function unfit(): SourceError {
  const hint = 'Check the command or file that provides it: it must print exactly one line.';
  return new SourceError({
    kind: 'setup',
    message: 'The user name or the token contains invalid characters',
    hint,
  });
}

/** Returns the `SourceError` for an error of the library. A `SourceError` is returned as it is. */
export function classifyImapError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const said = libraryError.safeParse(error).data;
  if (said === undefined) return away(undefined, error);
  return certificateFailure(said) ?? loginFailure(said) ?? otherFailure(said);
}

/** Whether the error means that a folder doesn't exist. */
export function saysMissing(error: unknown): boolean {
  const said = libraryError.safeParse(error).data;
  return said?.mailboxMissing === true || said?.code === 'NotFound' || said?.serverResponseCode === 'NONEXISTENT';
}

/** Whether the server refused only this command, and the connection is still usable. */
export function saysNo(error: unknown): boolean {
  const said = libraryError.safeParse(error).data;
  return said?.responseStatus === 'NO' && said.code !== 'ETHROTTLE' && temporary(said) === null;
}

function certificateFailure({ code }: LibraryError): SourceError | null {
  const known = CERTIFICATES[code ?? ''];
  if (known === undefined && !OTHER_CERTIFICATE.test(code ?? '')) return null;
  const message = known ?? 'The certificate of the mail server is invalid';
  return new SourceError({ kind: 'certificate', message, hint: CERTIFICATE_HINT });
}

function loginFailure(said: LibraryError): SourceError | null {
  if (said.authenticationFailed !== true) return null;
  return temporary(said) ?? (speaksOfWaiting(said) ? busy(null) : refused());
}

function speaksOfWaiting({ serverResponseCode, responseText }: LibraryError): boolean {
  const text = responseText ?? '';
  const isOpen = serverResponseCode === null || serverResponseCode === undefined || serverResponseCode === 'ALERT';
  return isOpen && BUSY_WORDS.test(text) && !PASSWORD_WORDS.test(text);
}

function temporary({ serverResponseCode, code, throttleReset }: LibraryError): SourceError | null {
  if (code === 'ETHROTTLE') return busy(throttleReset);
  if (BUSY_CODES.includes(serverResponseCode ?? '')) return busy(null);
  return AWAY_CODES.includes(serverResponseCode ?? '') ? away('The mail server is not ready') : null;
}

function otherFailure(said: LibraryError): SourceError {
  const code = said.code ?? '';
  const passing = temporary(said);
  if (passing !== null) return passing;
  if (code === 'STARTTLS_INJECTION') return strange('The connection to the mail server was tampered with');
  if (STRANGE.test(code)) return strange('The mail server sent an invalid or oversized answer');
  if (/^ERR_SSL_|^EPROTO$/.test(code))
    return strange('The mail server offers no TLS at this port, or only an unsafe version');
  if (code === 'InvalidStringValue') return unfit();
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return away("The mail server didn't answer in time");
  if (code === 'ENOTFOUND') return away("The host name of the mail server doesn't exist");
  if (/^E(?:HOST|NET)UNREACH$|^ENETDOWN$|^EAI_/.test(code)) return away('The mail server cannot be reached');
  if (code === 'ECONNREFUSED') return away('The mail server refused the connection');
  if (said.responseStatus === 'NO' || said.responseStatus === 'BAD')
    return strange('The mail server rejected a standard command');
  return away();
}

/** Time limits, in ms. */
export interface ImapLimits {
  /** To connect, including TLS. */
  readonly connectMs: number;
  readonly greetingMs: number;
  /** From the start to the end of the login: connection, greeting, STARTTLS and login together. */
  readonly loginMs: number;
  /** For all answers of one batch. Extended while data arrives fast enough. */
  readonly batchMs: number;
  /** For the answer to a NOOP. Without one, the connection is dead. */
  readonly signMs: number;
  /** How long one IDLE lasts before it is renewed. Servers disconnect after half an hour without a command. */
  readonly idleMs: number;
  /** The interval of NOOPs to a server without IDLE. */
  readonly keepAliveMs: number;
  /** The delay before news is reported again after a false alarm. It doubles each time. */
  readonly falseNewsMs: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

export const LIMITS: ImapLimits = {
  connectMs: 30 * SECOND_MS,
  greetingMs: 30 * SECOND_MS,
  loginMs: 90 * SECOND_MS,
  batchMs: 5 * MINUTE_MS,
  signMs: 30 * SECOND_MS,
  idleMs: 19 * MINUTE_MS,
  keepAliveMs: 10 * MINUTE_MS,
  falseNewsMs: 2 * SECOND_MS,
};

/** How many mails are fetched at once, and after how many bytes they are stored. */
export const BATCH_MAILS = 50;
export const BATCH_BYTES = 4 * 1024 * 1024;
/** How much of a mail is fetched to decide whether to fetch the rest. */
export const BEGINNING_BYTES = 32 * 1024;
/** A mail with a longer header block is not read. */
export const MAX_HEADER_BYTES = 256 * 1024;

/** The longest lines are answers to a search (see `imap-fetch.ts`). The largest literal is one mail. */
export const LINE_BYTES = 1024 * 1024;
export const LITERAL_BYTES = MAX_MAIL_BYTES;
/** The most that the server may send while mails are fetched: twice a batch of headers of the maximum length. */
export const FETCH_BYTES = 2 * BATCH_MAILS * MAX_HEADER_BYTES;
/** The most that it may send to any other request, or without being asked. */
const OTHER_BYTES = 384 * 1024;
/** The most lines that it may send to one request, or without being asked: many short lines cost more than their bytes. */
const MAX_LINES = 10_000;
/** The connection ends when the time is over and the server sends less than this. */
const FAIR_BYTES_PER_MS = 16;

/**
 * One connection with limits: each request has a time and a size, and the end of the connection rejects everything that
 * waits for it.
 */
export class ImapConnection {
  readonly client: ImapFlow;
  readonly #limits: Pick<ImapLimits, 'batchMs' | 'signMs'>;
  /** Called when the connection ends. A promise would keep the answer of every request in memory. */
  readonly #waiting = new Set<(reason: SourceError) => void>();
  #ended: SourceError | null = null;
  #spentMs = 0;
  #batchFrom = 0;
  #heardFrom = 0;
  #mayHear = OTHER_BYTES;
  #lines = 0;

  /** Creates the client. It reports each line that it receives. Nothing is sent yet. */
  constructor(
    make: (logger: NonNullable<ImapFlowOptions['logger']>) => ImapFlow,
    limits: Pick<ImapLimits, 'batchMs' | 'signMs'>,
  ) {
    this.#limits = limits;
    const heard = () => this.#heard();
    const silent = () => {};
    this.client = make({ trace: heard, debug: heard, info: silent, warn: silent, error: silent, fatal: silent });
    this.client.on('error', (error: unknown) => this.fail(classifyImapError(error)));
    this.client.on('close', () => this.fail(away()));
  }

  /** Ends the connection. Everything that waits is rejected with this reason; later reasons are ignored. */
  fail(reason: SourceError): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    for (const tell of this.#waiting) tell(reason);
    this.#waiting.clear();
    this.client.close();
  }

  /** Calls back when the connection ends, or at once if it already has. */
  onEnd(tell: (reason: SourceError) => void): void {
    if (this.#ended !== null) tell(this.#ended);
    else this.#waiting.add(tell);
  }

  /** Waits for `work`, and rejects if the connection ends first. */
  async unlessLost<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.onEnd(reject);
    work.then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  /** Starts a new batch, with its full time. */
  renew(): void {
    this.#spentMs = 0;
    this.#batchFrom = this.#received();
  }

  /** Sends a NOOP: an idle connection can die without any sign. */
  async isAlive(): Promise<void> {
    const late = setTimeout(() => this.fail(away('The mail server no longer answers')), this.#limits.signMs);
    try {
      await this.ask((client) => client.noop());
    } finally {
      clearTimeout(late);
    }
  }

  /**
   * Runs one request. The connection ends if the server sends more than `bytes` in the meantime. Rejects with a
   * `SourceError`, or with the library's error if the server refused (see `classifyImapError`).
   */
  async ask<T>(work: (client: ImapFlow) => Promise<T>, bytes = OTHER_BYTES): Promise<T> {
    const begun = performance.now();
    const stop = this.#alarm(begun);
    this.#listen(bytes);
    try {
      return await this.unlessLost(work(this.client));
    } catch (error) {
      // The reason why the connection ended says more than the library's error.
      throw this.#ended ?? error;
    } finally {
      stop();
      this.#spentMs += performance.now() - begun;
      this.#listen(OTHER_BYTES);
    }
  }

  /** Waits in IDLE until the next command, and receives what the server reports. */
  async idle(): Promise<void> {
    this.#listen(OTHER_BYTES);
    await this.unlessLost(this.client.idle());
  }

  #listen(bytes: number): void {
    this.#mayHear = bytes;
    this.#lines = 0;
    this.#heardFrom = this.#received();
  }

  #heard(): void {
    this.#lines += 1;
    if (this.#lines > MAX_LINES || this.#received() - this.#heardFrom > this.#mayHear)
      this.fail(strange('The mail server sent far more than was requested'));
  }

  #received(): number {
    return this.client.stats().received;
  }

  /** Ends the connection when the time of the batch is over. Data that arrives fast enough extends it. */
  #alarm(begun: number): () => void {
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      const left = this.#leftMs(performance.now() - begun);
      if (left > 0) timer = setTimeout(look, left);
      else this.fail(away('The mail server answers too slowly'));
    };
    look();
    return () => clearTimeout(timer);
  }

  #leftMs(askedMs: number): number {
    const earned = (this.#received() - this.#batchFrom) / FAIR_BYTES_PER_MS;
    return this.#limits.batchMs + earned - this.#spentMs - askedMs;
  }
}
