import path from 'node:path';
import { runProgram } from '../source/command.ts';
import type { Message } from '../steward/notify.ts';
import { systemCode } from '../vault/errors.ts';
import { type Channel, type NotifyAccess, type NotSentKind, type NtfyAccess, notSent, type Sent } from './channel.ts';

const LIMIT_MS = 30_000;
const GRACE_MS = 2_000;
const MAX_BYTES = 64 * 1024;
/** What a shell says of a program that is not there, or may not be run. */
const NOT_THERE = [126, 127];
/** EX_TEMPFAIL of sysexits(3). */
const TRY_AGAIN = 75;
/** What a program that shows or sends something needs of the environment. There are keys in the rest of it. */
const KEPT =
  /^(?:PATH|HOME|LANG|TZ|LC_[A-Z]{1,30}|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY)$/;

type Variables = Readonly<Record<string, string | undefined>>;

/** A program that is told of a message, and how it is called where it fails. */
interface Teller {
  readonly argv: readonly string[];
  /** The variables of this process, of which it is given a few. */
  readonly own: Variables;
  /** What it is given besides. */
  readonly more: Readonly<Record<string, string>>;
  readonly input: string;
  readonly name: string;
  readonly missing: string;
}

/** Runs a program that takes a message. What it prints is not read. Never throws. */
async function toldBy({ argv, own, more, input, name, missing }: Teller, abort: AbortSignal): Promise<Sent> {
  const failed = (kind: NotSentKind, how: string, hint: string) => notSent(kind, `${name} ${how}.`, hint);
  try {
    const limits = { limitMs: LIMIT_MS, graceMs: GRACE_MS, maxBytes: MAX_BYTES };
    const environment = { ...kept(own), ...more };
    const ended = await runProgram({ argv, environment, input, ...limits }, () => true, abort);
    if (ended.how === 'exit' && ended.code === 0) return { ok: true };
    if (ended.how === 'exit' && NOT_THERE.includes(ended.code)) return failed('missing', 'cannot be run here', missing);
    if (ended.how === 'exit' && ended.code === TRY_AGAIN) return failed('away', 'asks to try again later', AGAIN);
    if (ended.how === 'exit') return failed('uncertain', `ended with ${ended.code}`, NOT_AGAIN);
    return failed(
      'uncertain',
      ended.how === 'late' ? `took more than ${LIMIT_MS / 1000} seconds` : 'was ended',
      NOT_AGAIN,
    );
  } catch {
    if (abort.aborted) return notSent('ended', 'The steward was stopped.', '');
    return failed('missing', 'cannot be run here', missing);
  }
}

const AGAIN = 'It is tried again, less and less often.';
const NOT_AGAIN = 'What it was told is not told again; it is in `steward inbox`. Run it by hand to see what it says.';

function kept(own: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => (value !== undefined && KEPT.test(name) ? [[name, value]] : [])),
  );
}

/** Returns the channel of a program of a person's own. It is started without a shell, and told by its input and variables. */
export function commandChannel(argv: readonly string[], own: Teller['own']): Channel {
  const name = path.basename(argv[0] ?? '');
  return {
    name: 'command',
    place: name,
    send: (message, abort) => {
      const json = JSON.stringify(message);
      const { title, text, link } = message;
      return toldBy(
        {
          argv,
          own,
          more: {
            STEWARD_MESSAGE: json,
            STEWARD_MESSAGE_TITLE: title,
            STEWARD_MESSAGE_TEXT: text,
            STEWARD_MESSAGE_LINK: link,
          },
          input: `${json}\n`,
          name,
          missing: 'STEWARD_NOTIFY_COMMAND must name a program that may be run, by its whole path.',
        },
        abort,
      );
    },
  };
}

/** Returns the channel of the screen in front of this machine. */
export function desktopChannel(own: Teller['own']): Channel {
  return {
    name: 'desktop',
    place: 'this screen',
    send: ({ title, text }, abort) =>
      toldBy(
        {
          // What begins with a hyphen is no option behind `--`; in the text, a desktop may show marks as HTML.
          argv: ['notify-send', '--app-name=steward', '--', title, withoutMarks(text)],
          own,
          more: {},
          input: '',
          name: 'notify-send',
          missing: 'Install it (libnotify-bin, or libnotify), or take STEWARD_NOTIFY_DESKTOP away.',
        },
        abort,
      ),
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

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
async function published(access: NtfyAccess, message: Message, abort: AbortSignal): Promise<Sent> {
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
    await discard(response);
    return sentAs(response);
  } catch (error) {
    if (abort.aborted) return notSent('ended', 'The steward was stopped.', '');
    return unsent(error, cut.aborted);
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

function sentAs({ status, headers }: Response): Sent {
  if (status >= 200 && status < 300) return { ok: true };
  if (status === 401 || status === 403)
    return notSent('refused', 'The ntfy server refuses the token, or asks for one.', TOKEN_HINT);
  if (status >= 300 && status < 400)
    return notSent(
      'strange',
      'The ntfy server sends the message on to another address, and it is not sent there.',
      ADDRESS_HINT,
    );
  if (status === 504) return notSent('uncertain', 'The ntfy server did not answer in time.', LATE_HINT);
  if (status === 429)
    return notSent('busy', 'The ntfy server takes no more messages for now.', BUSY_HINT, waitOf(headers));
  if (status >= 500) return notSent('away', `The ntfy server is not well (${status}).`, AWAY_HINT, waitOf(headers));
  return notSent('strange', `The ntfy server does not take the message (${status}).`, ADDRESS_HINT);
}

const TOKEN_HINT =
  'Set STEWARD_NOTIFY_NTFY_TOKEN, or the credential ntfy_token, to a token that may write to the topic.';
const ADDRESS_HINT = 'Look at STEWARD_NOTIFY_NTFY: it is the address of the server with the topic at its end.';
const LATE_HINT = 'What was sent may have arrived, so it is not sent again; it is in `steward inbox`.';
const BUSY_HINT = 'It is tried again later.';
const AWAY_HINT = 'It is tried again, less and less often.';

function unsent(error: unknown, isLate: boolean): Sent {
  const code = systemCode(error instanceof Error ? error.cause : null) ?? systemCode(error) ?? '';
  if (NOT_CONNECTED.test(code)) return notSent('away', `The ntfy server cannot be reached (${code}).`, AWAY_HINT);
  if (isLate)
    return notSent('uncertain', `The ntfy server did not answer within ${TIMEOUT_MS / 1000} seconds.`, LATE_HINT);
  return notSent('uncertain', 'The connection to the ntfy server ended without an answer.', LATE_HINT);
}

function waitOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1000, MOST_WAIT_MS) : null;
}

async function discard({ body }: Response): Promise<void> {
  if (body === null) return;
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > MAX_ANSWER) return;
  }
}

/** Returns the channels that are named on this machine. `own`: the variables of this process. */
export function channelsOf(
  { ntfy, desktop, command }: NotifyAccess,
  own: Readonly<Record<string, string | undefined>>,
): Channel[] {
  return [
    ...(ntfy === null ? [] : [ntfyChannel(ntfy)]),
    ...(desktop ? [desktopChannel(own)] : []),
    ...(command === null ? [] : [commandChannel(command, own)]),
  ];
}
