import type { MutationProposal } from '../../vault/records/mutation.ts';
import type { AuthenticationResult } from '../../vault/records/signal.ts';

/** Whether the event's channel vouches for its sender (contract, section 10). */
export interface Authentication {
  readonly result: AuthenticationResult;
  /** The server that said so; null where no trusted one said anything. */
  readonly server: string | null;
  /** Why, in a few words: `dmarc=pass`, or `no trusted server says who sent it`. */
  readonly reason: string;
}

/** Nobody vouches for the sender, and nobody denies it. */
export const NOT_VOUCHED: Authentication = { result: 'none', server: null, reason: 'nobody says who sent it' };

/** Something that happened outside, as its parser read it. All of it is data from strangers. */
export interface StreamEvent {
  /** Vault-relative path of the file under `stream/`. */
  readonly path: string;
  readonly sourceType: string;
  /** UTC, ISO with `Z`, to the second; null where the source gives no usable time. */
  readonly originAt: string | null;
  /** The same as a clock showed where it was written, `YYYY-MM-DDTHH:mm`; absent where the source does not say. */
  readonly writtenAt?: string;
  /** The bare address in lower case. */
  readonly from: string | null;
  /** The sender's display name. Never used to decide anything. */
  readonly fromName: string | null;
  readonly to: readonly string[];
  readonly subject: string;
  /** The author's own words: without quoted history, signature and forwarded mails. */
  readonly text: string;
  /** What was cut out of `text`. Searched for links only. */
  readonly quoted: string;
  /** Sent by a machine: to many people, or as an automatic reply. */
  readonly bulk: boolean;
  readonly bulkReason: string | null;
  /** Written by this program or by the vault's owner, so nothing is to be learnt from it. */
  readonly ownNote: boolean;
  readonly authentication: Authentication;
  /** Of a mail that the program fetched itself: its account names a server that could have vouched for the sender. */
  readonly isVouchable?: boolean;
  /** What is odd about the sender or the text, each a sentence in plain words: a look-alike address, for one. */
  readonly warnings: readonly string[];
  /** What every reader is surely shown, where that is not all of `text`; else null. */
  readonly shown: string | null;
  /** Why nothing is to be done on its word alone, each a sentence. */
  readonly doubts: readonly string[];
  /** The one note that it is about, where its channel says so by an id; absent where its words must tell. */
  readonly about?: string;
  /** What it says has changed, where its channel says so in fields; absent where its words must tell. */
  readonly stated?: Stated;
  /** A line of a bank account; absent where it is none. */
  readonly payment?: Payment;
  /** An entry of a calendar; absent where it is none. */
  readonly appointment?: Appointment;
  /** Something said in a chat or a meeting; absent where it is none. Its author is `from`. */
  readonly spoken?: Spoken;
  /** A page that somebody kept: a web clipping, a note. Absent where it is none. */
  readonly page?: Page;
  /** What the HTML of a mail says beside its text; absent where it says nothing. */
  readonly forms?: Forms;
  /** Handed in by a program in the generic form; absent where it was not. */
  readonly handed?: Handed;
  /** The versions of the same event that were read before, oldest first, where this one replaces them. */
  readonly replaces?: readonly string[];
}

/** Whether an event is a mail: it alone has a server that can vouch for its sender, and an address that can look like another. */
export function isMail({ payment, appointment, spoken, page, handed }: StreamEvent): boolean {
  return [payment, appointment, spoken, page, handed].every((one) => one === undefined);
}

/** A line of a bank account. `from` is the counterparty: its IBAN where the line has it, else its name. */
export interface Payment {
  /** The account of the vault's owner: its IBAN, or how the bank names it; null where the file does not say. */
  readonly account: string | null;
  readonly status: 'booked' | 'pending';
  /** The day it was booked, or is to be: `YYYY-MM-DD`. */
  readonly day: string;
  /** Signed decimal with a point, as many places as the currency has: `-1250.00` went out, `80.00` came in. */
  readonly amount: string;
  /** ISO 4217; null where the file does not say. */
  readonly currency: string | null;
  readonly counterparty: string | null;
  /** The counterparty's, without spaces, in capitals. */
  readonly iban: string | null;
  /** What identifies it for who asked for it: end-to-end id, creditor reference, mandate, cheque number. */
  readonly references: readonly string[];
  /** The words that go with it, as they stand. */
  readonly purpose: string;
  /** Takes an earlier booking back, and so settles nothing; absent where the file does not say so. */
  readonly isReversal?: boolean;
}

/** An entry of a calendar. `from` is its organiser. */
export interface Appointment {
  readonly uid: string;
  /** Which one of a series, by the start it was planned for; null where there is one, or it is the series. */
  readonly recurrence: string | null;
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
  /** Local in the person's zone: `YYYY-MM-DD` for whole days, else `YYYY-MM-DDTHH:mm`. */
  readonly start: string;
  /** The same for its end, a whole day counting in; null where it has none. */
  readonly end: string | null;
  /** Where it stood before, where the calendar itself says so, or an earlier version was read; else null. */
  readonly movedFrom: string | null;
  /** It comes again by a rule, and `start` is its next one; absent where it takes place once. */
  readonly series?: true;
  readonly location: string | null;
}

/** Something said in a chat or a meeting. */
interface Spoken {
  /** The room, channel or meeting; null between two people. */
  readonly room: string | null;
  /** Whether few enough take part that a request is surely put to the vault's owner. */
  readonly isPersonal: boolean;
}

/** A page that somebody kept. */
interface Page {
  /** Where it was found; null where it does not say. */
  readonly url: string | null;
}

/** What the HTML of a mail says beside its text. Whoever reads the mail has not seen it so. */
export interface Forms {
  /** What is told to programs, in the words of schema.org. */
  readonly things: readonly HiddenThing[];
  /** The texts that are crossed out. */
  readonly struck: readonly string[];
}

/** The kinds of thing that a mail tells programs of. */
export const THING_KINDS = ['order', 'invoice', 'parcel', 'reservation', 'event', 'confirmation'] as const;

/** One thing that a mail tells programs of. */
export interface HiddenThing {
  readonly kind: (typeof THING_KINDS)[number];
  /** How it stands: `OrderDelivered`, `PaymentDue`. */
  readonly statuses: readonly string[];
  /** `YYYY-MM-DD`: of an event, its day; of what is to be paid, until when. Null where it does not say. */
  readonly day: string | null;
  /** Of an event that was moved, its day before. */
  readonly dayBefore: string | null;
  /** Its numbers and codes, as written. */
  readonly references: readonly string[];
  /** What it is called. */
  readonly names: readonly string[];
  /** Who sells, sends or keeps it. */
  readonly parties: readonly string[];
}

/** What a program handed in. */
interface Handed {
  /** The source that did, by the program's own mark; null where a person dropped the file. */
  readonly source: string | null;
}

/** A change that a channel tells in fields, and how it says so. */
export interface Stated {
  /** At most fifty characters, as they stand in the file. */
  readonly quote: string;
  readonly proposal: MutationProposal;
}
