import type { StreamEvent } from '../steward/ports.ts';

/** What makes an event one and the same, by whichever file it comes. */
export interface Identity {
  /** What names it, as its kind writes it: `mail <id@host>`, `bank DE02… 2035-03-02 -12.00 rent 1`. Compared by its hash. */
  readonly key: string;
  /**
   * What tells the forms of the same name apart: a hash of a mail's sender and body, the number of an appointment's
   * revision. Empty where there is one form.
   */
  readonly version: string;
  /**
   * What another version is. `other`: another event, which takes another's name, and is said to. `newer`: the same event
   * as it is now, if the version comes later in the order of text; else it is out of date.
   */
  readonly otherwise: 'other' | 'newer';
  /** Of an appointment that a mail brought: its key in a calendar. Absent of everything else. */
  readonly inCalendar?: string;
}

/** An event with what makes it one and the same. */
export interface Carried {
  readonly event: StreamEvent;
  readonly identity: Identity;
}

/** What one item of a file holds. */
export type ItemContent =
  | { readonly what: 'event'; readonly event: StreamEvent; readonly identity: Identity }
  /** It should hold an event and cannot be read; `reason` is one sentence without the place. */
  | ItemWithout<'refused'>
  /** It holds no event: a balance, a line of the program that wrote the file. */
  | ItemWithout<'nothing'>;

interface ItemWithout<What extends string> {
  readonly what: What;
  readonly reason: string;
}

/** Returns that an item should hold an event and cannot be read. */
export function refused(reason: string): ItemWithout<'refused'> {
  return { what: 'refused', reason };
}

/** Returns that an item holds no event. */
export function nothing(reason: string): ItemWithout<'nothing'> {
  return { what: 'nothing', reason };
}

/** One of the events that a file holds, before it is read. */
export interface Item {
  /** Where it begins: a byte offset or its number, from 0 on, as its kind counts. From there the same item is found again. */
  readonly at: number;
  /** Where the next one begins. */
  readonly next: number;
  /** How a person finds it in the file: `line 4812`, `entry 12`. */
  readonly place: string;
  /** Reads it. May throw, and may take too long: then this one item counts as refused. */
  readonly read: () => ItemContent | Promise<ItemContent>;
}

/** The bytes of an open file. */
export interface ByteSource {
  readonly size: number;
  /** Returns `length` bytes from `at` on, fewer at the end of the file. */
  read(at: number, length: number): Uint8Array;
}

/** What a kind is told besides the bytes. */
export interface ItemDoor {
  /** The file's vault-relative path: the `path` of the events. */
  readonly file: string;
  /** The source of the events: that of the file's folder, else the kind's own. */
  readonly sourceType: string;
  /** The servers that are trusted to say who sent a mail. */
  readonly trustedServers: readonly string[];
  /** The IANA name of the person's time zone, in which a time without one is meant. */
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How the files of banks are to be read that do not say it themselves: lines of the setting `bank_formats`. */
  readonly bankFormats?: readonly string[] | undefined;
}

/** Reads the items of a file in order, from the item at `from` on. Throws `FileRefusal` where the file cannot be read any further. */
export type ItemReader = (source: ByteSource, from: number, door: ItemDoor) => Iterable<Item> | AsyncIterable<Item>;

/** A kind of file that holds many events. A new kind is one folder, and one line in `kinds.ts`. */
export interface ItemKind {
  readonly name: string;
  /** Grows with what it understands: a file that an earlier version refused as a whole is read again. */
  readonly version: number;
  /** What people call such a file: `a mailbox (mbox)`. */
  readonly title: string;
  /** The source of its events where the file's folder names none. */
  readonly sourceType: string;
  /** Whether files of this name may be of this kind. Several kinds may share an ending. */
  readonly takes: (file: string) => boolean;
  /** Whether a file that begins with these bytes, at most 64 KiB, is of this kind. Quick, and never throws. */
  readonly recognises: (head: Uint8Array) => boolean;
  /** Whether such a file is added to at its end, so that it is read on from a byte offset; else it is read anew. */
  readonly isAppended: boolean;
  /** Loads the reader: only the process that reads the file pays for its libraries. */
  readonly load: () => Promise<ItemReader>;
}

/** Why a file cannot be read (any further): one sentence, and what to do about it. */
export class FileRefusal extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** A version of an event that was read before. */
export interface KnownVersion {
  readonly version: string;
  /** The path of the event as it was read. */
  readonly path: string;
  /** Whether it gave a signal. */
  readonly gave: boolean;
}

/** How an event stands to those that were read before under its name. */
export type Standing =
  | { readonly kind: 'new' }
  /** It was read before; or a newer version of it was. */
  | { readonly kind: 'known'; readonly as: KnownVersion; readonly isOutdated: boolean }
  /** Another event has its name. */
  | { readonly kind: 'namesake'; readonly of: KnownVersion }
  /** It is a newer version of what was read before, oldest first. */
  | { readonly kind: 'newer'; readonly than: readonly KnownVersion[] };

/** Returns how an event stands to what is known of its name, oldest first (see `Identity`). */
export function standingAmong({ version, otherwise }: Identity, known: readonly KnownVersion[]): Standing {
  const same = known.findLast((one) => one.version === version);
  if (same !== undefined && otherwise === 'other') return { kind: 'known', as: same, isOutdated: false };
  const newest = known.reduce<KnownVersion | null>((a, b) => (a === null || b.version >= a.version ? b : a), null);
  if (newest === null) return { kind: 'new' };
  if (otherwise === 'other') return { kind: 'namesake', of: newest };
  if (version > newest.version) return { kind: 'newer', than: known.toSorted(byVersion) };
  return { kind: 'known', as: newest, isOutdated: version !== newest.version };
}

/**
 * Does the same where it may have come by another door as well: `there` is what was read of it there. One version is the same
 * by both doors. A calendar is the person's own, so a later version in it outdates what a mail brings; what a mail brings
 * outdates nothing in a calendar, since anybody can write it.
 */
export function standingAcross(
  identity: Identity,
  own: readonly KnownVersion[],
  there: readonly KnownVersion[],
): Standing {
  const here = standingAmong(identity, own);
  if (here.kind === 'known') return here;
  const { version, inCalendar } = identity;
  const same = there.find((one) => one.version === version);
  if (same !== undefined) return { kind: 'known', as: same, isOutdated: false };
  const later = inCalendar === undefined ? undefined : there.findLast((one) => one.version > version);
  if (later !== undefined) return { kind: 'known', as: later, isOutdated: true };
  const than = [...there, ...own].filter((one) => one.version < version).toSorted(byVersion);
  return than.length === 0 ? here : { kind: 'newer', than };
}

function byVersion(one: KnownVersion, other: KnownVersion): number {
  return one.version < other.version ? -1 : Number(one.version > other.version);
}

/** Returns all bytes of a file. Throws `FileRefusal` where there are more than `most`. */
export function wholeFile(source: ByteSource, most: number): Uint8Array {
  if (source.size > most) {
    const size = (source.size / 1024 / 1024).toFixed(0);
    throw new FileRefusal(
      `The file has ${size} MiB; of its kind at most ${most / 1024 / 1024} MiB are read.`,
      'Export a shorter time, or split it.',
    );
  }
  return source.read(0, source.size);
}
