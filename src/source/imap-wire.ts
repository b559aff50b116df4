import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import { z } from 'zod';
import { MAX_MAIL_BYTES } from '../stream/mail/source-type.ts';
import { SourceError } from './connector.ts';

/** What is read of an error of the library or of Node; its own words are never shown, they may be the server's. */
const failed = z.object({
  code: z.string().nullish().catch(null),
  responseStatus: z.string().nullish().catch(null),
  serverResponseCode: z.string().nullish().catch(null),
  authenticationFailed: z.boolean().nullish().catch(null),
  throttleReset: z.number().nullish().catch(null),
  responseText: z.string().nullish().catch(null),
  mailboxMissing: z.boolean().nullish().catch(null),
});
type Failed = z.infer<typeof failed>;

const EXPIRED = 'The certificate of the mail server has expired';
const SELF_SIGNED = 'The mail server shows a certificate that it signed itself';
const UNKNOWN = 'The certificate of the mail server is signed by nobody whom this machine knows';
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: 'The certificate of the mail server is not valid yet',
  CERT_REVOKED: 'The certificate of the mail server has been withdrawn',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the mail server is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN,
};
const CERTIFICATE_HINT =
  'Nothing was sent to it. Check the name of the host and the clock of this machine; where the server has an authority of its own, name its certificate in NODE_EXTRA_CA_CERTS.';
/** What the checks of a certificate say besides: all of it means that the server does not prove who it is. */
const OTHER_CERTIFICATE =
  /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

const STRANGE =
  /^(?:LineTooLarge|LiteralTooLarge|ResponseTooLarge|TooMany|MAX_IMAP_NESTING|UnexpectedTag|MissingTag|InvalidResponse|ResponseProcessing|ParserError)/;

/** Answers to a login that say nothing of the password. */
const AWAY_CODES = ['UNAVAILABLE', 'SERVERBUG'];
const BUSY_CODES = ['INUSE', 'LIMIT', 'CONTACTADMIN', 'OVERQUOTA', 'THROTTLED'];
/** How servers without such codes say that they are busy; where they speak of the password as well, it is that. */
const BUSY_WORDS = /too many|simultaneous|temporar|try again|unavailable|internal error|rate limit/i;
const PASSWORD_WORDS = /invalid|incorrect|wrong|credential|password|denied|authenticationfailed/i;

/** Nothing was heard in time, or the connection ended. */
export function away(message = 'The mail server ended the connection', cause?: unknown): SourceError {
  return new SourceError(
    { kind: 'away', message, hint: 'It is tried again. Check the network, and the host and port in the note.' },
    { cause },
  );
}

/** An answer that makes no sense. */
export function strange(message: string, cause?: unknown): SourceError {
  const hint = 'The connection was ended. Check that host and port are those of the mail server.';
  return new SourceError({ kind: 'strange', message, hint }, { cause });
}

function busy(waitMs: number | null | undefined): SourceError {
  const hint = 'It is tried again later, with longer pauses.';
  const message = 'The mail server asks to wait';
  return new SourceError({ kind: 'busy', message, hint, ...(typeof waitMs === 'number' && { waitMs }) });
}

function refused(): SourceError {
  const hint =
    'It is not tried again until the password or the note is another. Set the right one, then `steward source test NAME` tries it at once.';
  return new SourceError({ kind: 'refused', message: 'The mail server refuses the user or the password', hint });
}

function unfit(): SourceError {
  const hint = 'Check what the command or file that holds it prints: one line, and nothing else.';
  return new SourceError({
    kind: 'setup',
    message: 'The user or the token has signs in it that no server takes',
    hint,
  });
}

/** Returns what an error of the library means. What is a `SourceError` already stays as it is. */
export function failureOf(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const said = failed.safeParse(error).data;
  if (said === undefined) return away(undefined, error);
  return certificateFailure(said) ?? loginFailure(said) ?? otherFailure(said);
}

/** Whether a folder is not there. */
export function saysMissing(error: unknown): boolean {
  const said = failed.safeParse(error).data;
  return said?.mailboxMissing === true || said?.code === 'NotFound' || said?.serverResponseCode === 'NONEXISTENT';
}

/** Whether the server refused one command for a reason of its own, and the connection goes on. */
export function saysNo(error: unknown): boolean {
  const said = failed.safeParse(error).data;
  return said?.responseStatus === 'NO' && said.code !== 'ETHROTTLE' && temporary(said) === null;
}

function certificateFailure({ code }: Failed): SourceError | null {
  const known = CERTIFICATES[code ?? ''];
  if (known === undefined && !OTHER_CERTIFICATE.test(code ?? '')) return null;
  const message = known ?? 'The certificate of the mail server does not prove who it is';
  return new SourceError({ kind: 'certificate', message, hint: CERTIFICATE_HINT });
}

function loginFailure(said: Failed): SourceError | null {
  if (said.authenticationFailed !== true) return null;
  return temporary(said) ?? (speaksOfWaiting(said) ? busy(null) : refused());
}

function speaksOfWaiting({ serverResponseCode, responseText }: Failed): boolean {
  const text = responseText ?? '';
  const isOpen = serverResponseCode === null || serverResponseCode === undefined || serverResponseCode === 'ALERT';
  return isOpen && BUSY_WORDS.test(text) && !PASSWORD_WORDS.test(text);
}

function temporary({ serverResponseCode, code, throttleReset }: Failed): SourceError | null {
  if (code === 'ETHROTTLE') return busy(throttleReset);
  if (BUSY_CODES.includes(serverResponseCode ?? '')) return busy(null);
  return AWAY_CODES.includes(serverResponseCode ?? '') ? away('The mail server is not ready') : null;
}

function otherFailure(said: Failed): SourceError {
  const code = said.code ?? '';
  const passing = temporary(said);
  if (passing !== null) return passing;
  if (code === 'STARTTLS_INJECTION') return strange('Somebody spoke between this machine and the mail server');
  if (STRANGE.test(code)) return strange('The mail server answers with more than anybody asked for, or with no sense');
  if (/^ERR_SSL_|^EPROTO$/.test(code))
    return strange('The mail server speaks no TLS at this port, or none that is safe');
  if (code === 'InvalidStringValue') return unfit();
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return away('The mail server does not answer in time');
  if (code === 'ENOTFOUND') return away('The name of the mail server is not known');
  if (/^E(?:HOST|NET)UNREACH$|^ENETDOWN$|^EAI_/.test(code)) return away('The mail server cannot be reached');
  if (code === 'ECONNREFUSED') return away('Nobody answers at the address of the mail server');
  if (said.responseStatus === 'NO' || said.responseStatus === 'BAD')
    return strange('The mail server refuses what every mail server knows');
  return away();
}

/** How long a server may take, in ms. */
export interface ImapLimits {
  /** Until there is a connection, with TLS. */
  readonly connectMs: number;
  /** From there until the server has said who it is. */
  readonly greetingMs: number;
  /** For all that comes before the first folder: both of those, TLS by STARTTLS, and the login. */
  readonly loginMs: number;
  /** For all answers of one batch together; more only for as long as bytes come in at a fair pace. */
  readonly batchMs: number;
  /** For the answer to a question that costs the server nothing: who does not give it is no longer there. */
  readonly signMs: number;
  /** How long one IDLE lasts before it is asked for anew. Servers end a connection after half an hour of silence. */
  readonly idleMs: number;
  /** How often a server without IDLE is told that we are still there. */
  readonly keepAliveMs: number;
  /** How soon news that turned out to be none may be told again; twice as long each time. */
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

/** How many mails are asked for at once, and how much of them is put at once. */
export const BATCH_MAILS = 50;
export const BATCH_BYTES = 4 * 1024 * 1024;
/** How much of a mail is looked at before the rest is fetched. */
export const BEGINNING_BYTES = 32 * 1024;
/** Headers that are longer are no mail's. */
export const MAX_HEADER_BYTES = 256 * 1024;

/** A list of a million mails still fits into a line; the largest thing that is asked for is one mail. */
export const LINE_BYTES = 8 * 1024 * 1024;
export const LITERAL_BYTES = MAX_MAIL_BYTES;
/** The most that is taken for one answer: a batch of headers that are all as long as may be. */
const ANSWER_BYTES = 2 * BATCH_MAILS * MAX_HEADER_BYTES;
/** The most that is heard while nothing is asked. */
const IDLE_BYTES = 1024 * 1024;
/** A server that sends less in a second is not waited for. */
const FAIR_BYTES_PER_MS = 16;

/**
 * One connection, and what it may cost: every question has its time and its bytes, and whatever ends the connection
 * rejects all that is under way.
 */
export class Wire {
  readonly client: ImapFlow;
  readonly #limits: Pick<ImapLimits, 'batchMs' | 'signMs'>;
  /** Who is told when the connection ends. No promise is kept for it: each question would leave its answer with that. */
  readonly #waiting = new Set<(reason: SourceError) => void>();
  #ended: SourceError | null = null;
  #spentMs = 0;
  #batchFrom = 0;
  #heardFrom = 0;
  #mayHear = ANSWER_BYTES;

  /** Makes the client with a listener to each line it hears; nothing is sent yet. */
  constructor(
    make: (logger: NonNullable<ImapFlowOptions['logger']>) => ImapFlow,
    limits: Pick<ImapLimits, 'batchMs' | 'signMs'>,
  ) {
    this.#limits = limits;
    const heard = () => this.#heard();
    const silent = () => {};
    this.client = make({ trace: heard, debug: heard, info: silent, warn: silent, error: silent, fatal: silent });
    this.client.on('error', (error: unknown) => this.fail(failureOf(error)));
    this.client.on('close', () => this.fail(away()));
  }

  /** Ends the connection, for a reason that all hear who wait. Only the first one counts. */
  fail(reason: SourceError): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    for (const tell of this.#waiting) tell(reason);
    this.#waiting.clear();
    this.client.close();
  }

  /** Calls back once the connection has ended; at once where it has. */
  onEnd(tell: (reason: SourceError) => void): void {
    if (this.#ended !== null) tell(this.#ended);
    else this.#waiting.add(tell);
  }

  /** Waits for something, unless the connection ends before. */
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

  /** Begins a new batch: the time for it is all there again. */
  renew(): void {
    this.#spentMs = 0;
    this.#batchFrom = this.#received();
  }

  /** Asks for a sign of life: a connection can have died without a word while nothing was asked. */
  async isAlive(): Promise<void> {
    const late = setTimeout(() => this.fail(away('The mail server no longer answers')), this.#limits.signMs);
    try {
      await this.ask((client) => client.noop());
    } finally {
      clearTimeout(late);
    }
  }

  /** Asks something. Rejects with a `SourceError`, or as the library does where the server said no (see `failureOf`). */
  async ask<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const begun = performance.now();
    const stop = this.#alarm(begun);
    this.#listen(ANSWER_BYTES);
    try {
      return await this.unlessLost(work(this.client));
    } catch (error) {
      // Where the connection has ended, that is why, and the library knows less about it.
      throw this.#ended ?? error;
    } finally {
      stop();
      this.#spentMs += performance.now() - begun;
      this.#listen(IDLE_BYTES);
    }
  }

  /** Waits until the server is asked something else, and hears what it says of itself meanwhile. */
  async idle(): Promise<void> {
    this.#listen(IDLE_BYTES);
    await this.unlessLost(this.client.idle());
  }

  #listen(bytes: number): void {
    this.#mayHear = bytes;
    this.#heardFrom = this.#received();
  }

  #heard(): void {
    if (this.#received() - this.#heardFrom > this.#mayHear)
      this.fail(strange('The mail server sends far more than anybody asked for'));
  }

  #received(): number {
    return this.client.stats().received;
  }

  /** Ends the connection when the time of the batch is over; as long as bytes come in at a fair pace there is more of it. */
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
