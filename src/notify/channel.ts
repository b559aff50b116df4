import type { ChannelName, Message } from '../steward/notify.ts';

/**
 * Why a channel did not take a message. `away` and `busy`: it took nothing, and may later. `refused`: it does not let us in.
 * `strange`: it will not take this message. `missing`: the program for it is not on this machine. `uncertain`: nobody knows
 * whether it was taken, so it is not sent again. `ended`: the steward stops.
 */
export type NotSentKind = 'away' | 'busy' | 'refused' | 'strange' | 'missing' | 'uncertain' | 'ended';

/** What became of a message. */
export type Sent =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly kind: NotSentKind;
      /** One sentence, without any secret, and with nothing in it that a server said. */
      readonly message: string;
      readonly hint: string;
      /** For how long (ms) it asks to be left alone; null where it does not say. */
      readonly waitMs: number | null;
    };

/** A way by which messages leave this machine, or reach its screen. */
export interface Channel {
  readonly name: ChannelName;
  /** Where messages go, for a person: a host, a program. */
  readonly place: string;
  /** Never throws. */
  send(message: Message, abort: AbortSignal): Promise<Sent>;
}

/** Says that a message was not taken. */
export function notSent(
  kind: NotSentKind,
  message: string,
  hint: string,
  waitMs: number | null = null,
): Extract<Sent, { ok: false }> {
  return { ok: false, kind, message, hint, waitMs };
}

/** A secret that only its own server gets to see. */
interface Secret {
  reveal(): string;
}

/** How a topic of an ntfy server is reached. */
export interface NtfyAccess {
  /** The server's address, to which messages are published. */
  readonly server: string;
  readonly topic: string;
  /** Null where the server asks for none. */
  readonly token: Secret | null;
}

/** Where links in messages are answered. */
export interface LinkPlace {
  readonly host: string;
  readonly port: number;
  /** The address under which a phone reaches it, without a slash at its end. */
  readonly base: string;
}

/** Where messages go: named on this machine alone, never in the vault. */
export interface NotifyAccess {
  readonly ntfy: NtfyAccess | null;
  readonly desktop: boolean;
  /** A program and its arguments; null for none. */
  readonly command: readonly string[] | null;
  /** Whether the sender and the words of a mail may leave this machine. */
  readonly quotes: boolean;
  /** Null where messages have no buttons. */
  readonly links: LinkPlace | null;
}
