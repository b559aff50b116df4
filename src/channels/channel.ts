import type { ApiKey } from '../daemon/api-key.ts';

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

/** One button of a message. */
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
  /** The server's address, to which messages are published. */
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
