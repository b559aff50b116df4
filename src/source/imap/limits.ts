import { MAX_MAIL_BYTES } from '../../stream/mail/source-type.ts';

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
export const ANSWER_BYTES = 2 * BATCH_MAILS * MAX_HEADER_BYTES;
/** The most that is heard while nothing is asked. */
export const IDLE_BYTES = 1024 * 1024;
/** A server that sends less in a second is not waited for. */
export const FAIR_BYTES_PER_MS = 16;
