import type { GenericEvent } from '../stream/generic/generic-event.ts';

/** A value as JSON can hold it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What a source gives of one thing that happened. */
type Content =
  | {
      readonly kind: 'mail';
      /** The whole mail as the server has it. */
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: 'calendar';
      /** One calendar (`BEGIN:VCALENDAR` …), with one entry or many. */
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'event'; readonly event: GenericEvent };

/** One thing that a source brought. */
export interface Arrival {
  /** SHA-256 (hex) of what makes it the same thing at this source: whatever is brought twice has the same key. */
  readonly key: string;
  /** When it happened or came in (epoch ms), as the server says; null where it does not. */
  readonly at: number | null;
  /** Null for what was looked at and is not taken: its key is remembered all the same. */
  readonly content: Content | null;
}

/** What is known of a mail before it is fetched whole. */
export interface MailHead {
  /** The header block; or the header and the beginning of the body. */
  readonly bytes: Uint8Array;
  /** Whether that is all of the mail. */
  readonly isWhole: boolean;
}

/** What to do about a mail of which only the beginning is there: `more` of it is needed to tell. */
export type Sifted = 'fetch' | 'more' | 'pass';

/** The vault, as a source sees it. */
export interface Inlet {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Says whether a mail may be about something in the vault. */
  readonly sift: (head: MailHead) => Promise<Sifted>;
  /** Whether something with this key was put in before. Throws what the disk refuses. */
  readonly knows: (key: string) => boolean;
  /** Where this source was when it was last left; null at the first time. It was saved by an earlier version, or by nobody. */
  readonly cursor: () => Json;
  /**
   * Puts what came into `stream/`, and only then moves the cursor: when it resolves, all of that is on disk. Waits while much
   * is unread. Rejects with what the disk refuses, or where the vault is away; then the cursor stands where it was.
   */
  readonly put: (arrivals: readonly Arrival[], cursor: Json) => Promise<void>;
}

/** Something that is wrong with a part of a source, while the rest of it works. */
export interface SourceProblem {
  readonly message: string;
  readonly hint: string;
}

/** A connection to a source. */
export interface Session {
  /**
   * Brings everything that is new since the cursor, in order. Returns what is wrong with parts of it. Throws a `SourceError`.
   */
  visit(): Promise<readonly SourceProblem[]>;
  /** Resolves as soon as the source says that there is something new; never for one that cannot. Rejects where it is lost. */
  news(): Promise<void>;
  /** Says in a few lines what is there, for a person who has just connected it. Throws a `SourceError`. */
  describe(): Promise<readonly string[]>;
  /**
   * Says by which server the newest mails are signed, so that it can be put to a person; null where they do not say.
   * Throws a `SourceError`. Absent for a source that has no mails.
   */
  readonly signer?: () => Promise<string | null>;
  /** Ends it. Never rejects. */
  close(): Promise<void>;
}

/** How one kind of source is reached. Opening throws a `SourceError`; aborting ends whatever is under way. */
export interface Connector {
  open(inlet: Inlet, abort: AbortSignal): Promise<Session>;
}

/** A password, token or key. Asked for each time it is needed: a token may be another one by then. Throws a `SourceError`. */
export interface Credential {
  reveal(): Promise<string>;
}
