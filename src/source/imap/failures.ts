import { z } from 'zod';
import { SourceError } from '../failure.ts';

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
