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
