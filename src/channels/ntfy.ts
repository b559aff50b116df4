import { fetchErrorCode, readAnswer, retryAfterMs } from '../daemon/network.ts';
import { type Channel, type Message, type NtfyAccess, notSent, type SendResult } from './channel.ts';

const TIMEOUT_MS = 15_000;
/** An answer is a small object; what is longer is not read. */
const MAX_ANSWER = 64 * 1024;
/** A longer message would become a file at the server. */
const MAX_TEXT_BYTES = 3500;
const MOST_ACTIONS = 3;
const MOST_WAIT_MS = 24 * 60 * 60_000;
/** Before these the request had not left this machine. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|\w*_CERT\w*|UNABLE_TO_\w+|ERR_TLS_\w+)$/;

/** Returns the channel of a topic at an ntfy server. */
export function ntfyChannel(access: NtfyAccess): Channel {
  const { hostname } = new URL(access.server);
  return { name: 'ntfy', place: hostname, send: (message, abort) => published(access, message, abort) };
}

/**
 * Publishes as JSON: in a header, a line break in a title would begin another one. The token goes to the one address, and no
 * redirect is followed. Never throws.
 */
async function published(access: NtfyAccess, message: Message, abort: AbortSignal): Promise<SendResult> {
  const cut = AbortSignal.any([abort, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(access.server, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(access.token === null ? {} : { Authorization: `Bearer ${access.token.reveal()}` }),
      },
      body: JSON.stringify(bodyOf(access.topic, message)),
      redirect: 'manual',
      signal: cut,
    });
    await readAnswer(response, MAX_ANSWER);
    return resultOf(response);
  } catch (error) {
    if (abort.aborted) return notSent('ended', 'Steward was stopped.', '');
    return failureOf(error, cut.aborted);
  }
}

/** The published JSON: https://docs.ntfy.sh/publish/#publish-as-json */
function bodyOf(topic: string, { title, text, link, actions }: Message): object {
  const buttons = actions
    .slice(0, MOST_ACTIONS)
    .map(({ label, url }) => ({ action: 'http', label, url, method: 'POST', clear: true }));
  return {
    topic,
    title,
    message: shortened(text),
    click: link,
    ...(buttons.length === 0 ? {} : { actions: buttons }),
  };
}

function shortened(text: string): string {
  const bytes = Buffer.from(text.toWellFormed());
  if (bytes.length <= MAX_TEXT_BYTES) return bytes.toString();
  return `${new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES)).replace(/\uFFFD+$/, '')}…`;
}

function resultOf({ status, headers }: Response): SendResult {
  if (status >= 200 && status < 300) return { ok: true };
  if (status === 401 || status === 403)
    return notSent('refused', 'The ntfy server rejected the token, or requires one.', TOKEN_HINT);
  if (status >= 300 && status < 400)
    return notSent('strange', "The ntfy server redirects to another address; Steward doesn't follow it.", ADDRESS_HINT);
  if (status === 504) return notSent('uncertain', 'The ntfy server did not answer in time.', LATE_HINT);
  const asked = retryAfterMs(headers.get('retry-after'), Date.now());
  const waitMs = asked === null ? null : Math.min(asked, MOST_WAIT_MS);
  if (status === 429) return notSent('busy', 'The ntfy server accepts no more messages for now.', BUSY_HINT, waitMs);
  if (status >= 500) return notSent('away', `The ntfy server reports an error (${status}).`, AWAY_HINT, waitMs);
  return notSent('strange', `The ntfy server rejected the message (${status}).`, ADDRESS_HINT);
}

const TOKEN_HINT =
  'Set STEWARD_NOTIFY_NTFY_TOKEN, or the credential ntfy_token, to a token that may write to the topic.';
const ADDRESS_HINT = 'Check STEWARD_NOTIFY_NTFY: it is the address of the server with the topic at its end.';
const LATE_HINT = "The message may have arrived, so Steward doesn't send it again; it is in `steward inbox`.";
const BUSY_HINT = 'Steward tries again later.';
const AWAY_HINT = 'Steward tries again, with growing pauses.';

function failureOf(error: unknown, isLate: boolean): SendResult {
  const code = fetchErrorCode(error) ?? '';
  if (NOT_CONNECTED.test(code)) return notSent('away', `The ntfy server cannot be reached (${code}).`, AWAY_HINT);
  if (isLate)
    return notSent('uncertain', `The ntfy server did not answer within ${TIMEOUT_MS / 1000} seconds.`, LATE_HINT);
  return notSent('uncertain', 'The connection to the ntfy server ended without an answer.', LATE_HINT);
}
