import path from 'node:path';
import { type GenericEvent, genericEvent, whyNoEvent } from '../stream/generic.ts';
import { sha256 } from '../vault/hash.ts';
import { utc } from '../vault/time.ts';

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

/**
 * Why a source gave nothing. `away`: no server, no whole answer in time, the connection ended. `refused`: it does not let
 * us in: a wrong password, or none. `certificate`: it does not prove who it is. `missing`: the folder or calendar is not
 * there. `busy`: it asks to wait. `strange`: an answer that makes no sense. `setup`: the note, this machine or a library is
 * not ready for it. `fault`: the program itself failed in a way that nobody foresaw.
 */
export type SourceFailure = 'away' | 'refused' | 'certificate' | 'missing' | 'busy' | 'strange' | 'setup' | 'fault';

interface SourceErrorDetails {
  readonly kind: SourceFailure;
  /** One sentence in plain words, without any secret, and with nothing in it that the server said. */
  readonly message: string;
  /** What a person can do about it. */
  readonly hint: string;
  /** For how long (ms) it asks to be left alone; absent where it does not say. */
  readonly waitMs?: number;
}

/** A source that gave nothing, and why. */
export class SourceError extends Error {
  readonly kind: SourceFailure;
  readonly hint: string;
  readonly waitMs: number | null;

  constructor({ kind, message, hint, waitMs }: SourceErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.kind = kind;
    this.hint = hint;
    this.waitMs = waitMs ?? null;
  }
}

/** What a program gave that should be an event: it as something that a source brought, or why it is none (a sentence's end). */
type HandedOver = { readonly ok: true; readonly arrival: Arrival } | { readonly ok: false; readonly reason: string };

/**
 * Reads an event that a program gave. Its id alone makes it the same thing at its source. Where it does not say when it
 * happened, it was now (`now`: epoch ms); of an appointment that says nothing.
 */
export function handedOver(value: unknown, now: number): HandedOver {
  const read = genericEvent.safeParse(value);
  if (!read.success) return { ok: false, reason: whyNoEvent(read.error) };
  const { time, appointment } = read.data;
  const event: GenericEvent =
    time === undefined && appointment === undefined ? { ...read.data, time: utc(now) } : read.data;
  const at = event.time === undefined ? null : Date.parse(event.time);
  return { ok: true, arrival: { key: sha256(`event ${event.id}`), at, content: { kind: 'event', event } } };
}

/** The libraries that only some sources need, in the versions that this program is tested with. */
const VERSIONS = { imapflow: '2.10.2', tsdav: '2.3.4' } as const;

/** Returns the command that installs such a library where this program finds it. `place`: the folder of this file. */
export function installCommand(library: keyof typeof VERSIONS, place: string = import.meta.dirname): string {
  const wanted = `${library}@${VERSIONS[library]}`;
  const [before = '', inside] = place.split(`${path.sep}node_modules${path.sep}vault-steward${path.sep}`);
  if (inside === undefined) return `npm install ${wanted}`;
  // A global install lies in PREFIX/lib/node_modules; whatever lies beside it there is found.
  if (path.basename(before) === 'lib') return `npm install -g --prefix ${shellWord(path.dirname(before))} ${wanted}`;
  return `npm install --prefix ${shellWord(before)} ${wanted}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
