import type { StreamEvent } from '../../steward/ports/stream-event.ts';

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
