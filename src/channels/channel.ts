import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { ApiKey } from '../daemon/api-key.ts';
import { isLocal } from '../daemon/network.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { readForeignJson } from '../vault/json.ts';

/**
 * A way to notify a person. To add one: a file that returns a `Channel`, its name in `CHANNELS`, its access below and in
 * `access.ts`, and a line in `openChannels` (`notifier.ts`).
 */
export interface Channel {
  readonly name: ChannelName;
  /** The destination as shown to a person: a host, a program. */
  readonly place: string;
  /** Never throws. */
  send(message: Message, abort: AbortSignal): Promise<SendResult>;
}

export const CHANNELS = ['ntfy', 'desktop', 'command'] as const;
export type ChannelName = (typeof CHANNELS)[number];

export interface MessageAction {
  readonly label: string;
  /** Pressing it sends a POST to this address. */
  readonly url: string;
}

/** A message as every channel gets it: plain text. */
export interface Message {
  readonly title: string;
  readonly text: string;
  /** Opens a note in Obsidian. */
  readonly link: string;
  readonly actions: readonly MessageAction[];
  /** The names of the event notes that it reports. */
  readonly events: readonly string[];
}

/**
 * Why a channel didn't take a message. `away` and `busy`: it took nothing, and may later. `refused`: it refuses the token.
 * `strange`: it doesn't take this message. `missing`: its program isn't on this machine. `uncertain`: the message may have
 * arrived, so it isn't sent again. `ended`: the daemon stops.
 */
export type NotSentKind = 'away' | 'busy' | 'refused' | 'strange' | 'missing' | 'uncertain' | 'ended';

export type SendResult = { readonly ok: true } | SendFailure;

export interface SendFailure {
  readonly ok: false;
  readonly kind: NotSentKind;
  /** One sentence, without any secret, and without anything that a server sent. */
  readonly message: string;
  readonly hint: string;
  /** For how long (ms) the server asks to wait; null if it doesn't say. */
  readonly waitMs: number | null;
}

export function notSent(kind: NotSentKind, message: string, hint: string, waitMs: number | null = null): SendFailure {
  return { ok: false, kind, message, hint, waitMs };
}

/** How a topic of an ntfy server is reached. */
export interface NtfyAccess {
  readonly server: string;
  readonly topic: string;
  /** Null if the server asks for none. */
  readonly token: Pick<ApiKey, 'reveal'> | null;
}

/** The server that answers the buttons of messages. */
export interface LinkPlace {
  readonly host: string;
  readonly port: number;
  /** The address under which a phone reaches it, without a slash at its end. */
  readonly base: string;
}

/** The destinations of messages. Only this machine's environment names them, never the vault. */
export interface NotifyAccess {
  readonly ntfy: NtfyAccess | null;
  readonly desktop: boolean;
  /** A program and its arguments; null for none. */
  readonly command: readonly string[] | null;
  /** Whether the sender and the words of a mail may leave this machine. */
  readonly quotes: boolean | null;
  /** Null if messages have no buttons. */
  readonly links: LinkPlace | null;
}

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const VISIBLE = /^[\x21-\x7e]+$/;
const PLACE = /^(\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]|localhost):(\d{1,5})$/i;

const yesNo = (name: string) =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['', 'yes', 'no', 'true', 'false', '1', '0'], { error: `${name} must be yes or no.` }))
    .transform((word) => ['yes', 'true', '1'].includes(word));

const ntfy = z.string().transform((written, context): Pick<NtfyAccess, 'server' | 'topic'> | null => {
  if (written === '') return null;
  const address = plainAddress(written);
  const [, before = '', topic = ''] = /^(.*)\/([^/]*)$/.exec(address?.pathname.replace(/\/$/, '') ?? '') ?? [];
  if (address !== null && TOPIC.test(topic) && isSafe(address)) return { server: `${address.origin}${before}/`, topic };
  // The value is not repeated: anyone who knows a topic can read it.
  const message =
    'STEWARD_NOTIFY_NTFY must be the https address of a topic, such as https://ntfy.example/my-topic; http is for this machine and private addresses.';
  return refused(context, message);
});

const token = z
  .string()
  .refine((text) => text === '' || VISIBLE.test(text), {
    error: 'The ntfy token contains a space or another forbidden character.',
  })
  .transform((text) => (text === '' ? null : new ApiKey(text)));

const argv = z.array(z.string().refine((word) => !word.includes('\0'))).min(1);
const command = z.string().transform((written, context): readonly string[] | null => {
  if (written === '') return null;
  const words = argv.safeParse(written.startsWith('[') ? readForeignJson(written) : [written]);
  if (words.success && path.isAbsolute(words.data[0] ?? '')) return words.data;
  const message =
    'STEWARD_NOTIFY_COMMAND must be the whole path of a program, or a JSON list of it and its arguments, such as ["/usr/local/bin/tell","--short"].';
  return refused(context, message);
});

const place = z.string().transform((written, context): Omit<LinkPlace, 'base'> | null => {
  if (written === '') return null;
  const [, named = '', digits = ''] = PLACE.exec(written) ?? [];
  const host = named.toLowerCase() === 'localhost' ? '127.0.0.1' : named.replace(/^\[|\]$/g, '');
  const port = Number(digits);
  // 0.0.0.0 and :: are every address of this machine, also one that the whole world reaches.
  const isEvery = /^(?:0+\.0+\.0+\.0+|[0:.]+)$/.test(host);
  const isListened = !isEvery && isLocal(host);
  if (isListened && port >= 1024 && port <= 65_535) return { host, port };
  const message =
    'STEWARD_NOTIFY_ACTIONS must be an address of this machine that is loopback or private, and a port from 1024 on, such as 127.0.0.1:8788.';
  return refused(context, message);
});

const base = z.string().transform((written, context): string | null => {
  if (written === '') return null;
  const address = plainAddress(written);
  if (address !== null) return `${address.origin}${address.pathname.replace(/(?<!\/)\/+$/, '')}`;
  return refused(
    context,
    'STEWARD_NOTIFY_ACTIONS_URL must be the http or https address under which your phone reaches this machine.',
  );
});

const variables = z
  .object({
    STEWARD_NOTIFY_NTFY: ntfy,
    STEWARD_NOTIFY_NTFY_TOKEN: token,
    STEWARD_NOTIFY_DESKTOP: yesNo('STEWARD_NOTIFY_DESKTOP'),
    STEWARD_NOTIFY_COMMAND: command,
    STEWARD_NOTIFY_QUOTES: z
      .string()
      .transform((written) => (written.trim() === '' ? null : written))
      .pipe(yesNo('STEWARD_NOTIFY_QUOTES').nullable()),
    STEWARD_NOTIFY_ACTIONS: place,
    STEWARD_NOTIFY_ACTIONS_URL: base,
  })
  .refine((set) => set.STEWARD_NOTIFY_ACTIONS_URL === null || set.STEWARD_NOTIFY_ACTIONS !== null, {
    error: 'STEWARD_NOTIFY_ACTIONS_URL has no effect without STEWARD_NOTIFY_ACTIONS.',
  });

/**
 * Returns the channels that the environment names; null if it names no channel. `credential` is the token that the
 * service was given. Throws (exit 78) if a value is invalid.
 */
export function notifyAccess(env: NodeJS.ProcessEnv, credential: () => string): NotifyAccess | null {
  const named = (name: string) => env[name]?.trim() ?? '';
  const hasNtfy = named('STEWARD_NOTIFY_NTFY') !== '';
  const written = Object.fromEntries(Object.keys(variables.shape).map((name) => [name, named(name)]));
  const asked = written.STEWARD_NOTIFY_NTFY_TOKEN === '' && hasNtfy ? credential() : written.STEWARD_NOTIFY_NTFY_TOKEN;
  const read = variables.safeParse({ ...written, STEWARD_NOTIFY_NTFY_TOKEN: asked });
  if (!read.success) throw unusable(read.error.issues[0]?.message ?? 'A setting of messages is not valid.');
  const {
    STEWARD_NOTIFY_NTFY: topic,
    STEWARD_NOTIFY_DESKTOP: desktop,
    STEWARD_NOTIFY_COMMAND: program,
    STEWARD_NOTIFY_ACTIONS: listens,
  } = read.data;
  if (topic === null && !desktop && program === null) return null;
  return {
    ntfy: topic === null ? null : { ...topic, token: read.data.STEWARD_NOTIFY_NTFY_TOKEN },
    desktop,
    command: program,
    quotes: read.data.STEWARD_NOTIFY_QUOTES,
    links: listens === null ? null : { ...listens, base: read.data.STEWARD_NOTIFY_ACTIONS_URL ?? addressOf(listens) },
  };
}

/** Returns the error of an ntfy token that cannot be read. */
export function badNtfyToken(why: string): StewardError {
  return unusable(`The credential ntfy_token ${why}.`);
}

function unusable(message: string): StewardError {
  return new StewardError(
    {
      code: 'settings-notify',
      message,
      hint: 'Correct it, or unset it. docs/notifications.md explains each variable.',
    },
    EXIT.settings,
  );
}

function addressOf({ host, port }: Omit<LinkPlace, 'base'>): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function plainAddress(written: string): URL | null {
  const address = URL.canParse(written) ? new URL(written) : null;
  const isPlain = address !== null && `${address.username}${address.password}${address.search}${address.hash}` === '';
  return isPlain && /^https?:$/.test(address.protocol) ? address : null;
}

// A name may lead anywhere, so that only an address that shows where it leads goes without TLS.
function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:' || hostname === 'localhost') return true;
  return isLocal(hostname.replace(/^\[|\]$/g, ''));
}

function refused(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
