import type { z } from 'zod';
import type { Catalogue } from '../vault/index/catalogue.ts';
import type { Layout } from '../vault/layout.ts';
import type { MutationProposal } from '../vault/records.ts';
import type { Seal } from '../vault/seal.ts';
import type { AuthenticationResult, TargetEvidence } from '../vault/status-words.ts';
import type { NoteReader } from '../vault/transaction.ts';
import type { Usage } from './ports/evaluator.ts';

/** Something an agent may do while it works on an errand. Its input comes from a model: data, parsed before use. */
export interface AgentTool<Input = unknown> {
  /** As the model calls it, such as `Read`. */
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Resolves to what the agent is told. Of a thrown error it is told the message; the errand goes on. */
  run(input: Input): Promise<string>;
}

/**
 * What an agent is sent to do. Texts from outside belong into `task`, quoted as data; `system` is the program's own.
 */
export interface Errand {
  readonly model: string;
  /** The same for every errand of its kind, the stable part first. */
  readonly system: readonly string[];
  readonly task: readonly string[];
  readonly tools: readonly AgentTool[];
  /** How many turns the agent has before it must be done. */
  readonly maxTurns: number;
  readonly maxTokens: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called after each reply with what all replies took so far, so that a stopped errand is counted too. */
  readonly heard?: (usage: Usage) => void;
}

/** What an agent came back with. */
export interface Report {
  /** Its last words. Data from a model. */
  readonly text: string;
  /** Whether it ended by itself, and not because its turns or its tokens ran out. */
  readonly finished: boolean;
  readonly usage: Usage;
}

/** The port behind which agents work: a provider's models, or replies from files. */
export interface Agent {
  /**
   * Sends an agent on an errand. Rejects with `Unanswered` where no reply can be had, and with the reason of `abort`
   * when it is stopped.
   */
  send(errand: Errand, abort: AbortSignal): Promise<Report>;
}

/** A note that an event may be about, as the search in the vault found it. */
export interface CandidateNote {
  readonly kind: 'task' | 'matter';
  /** Vault-relative, with `.md`. */
  readonly path: string;
  readonly name: string;
  /** The name of a task's matter; null for a matter, and for a task without one. */
  readonly matter: string | null;
  readonly state: string;
  readonly summary: string;
  /** Why the event may be about it, in a few words. */
  readonly why: string;
}

/** What an extractor is asked: what one stream event means for a few notes, and for no others. */
export interface ExtractionQuestion {
  readonly event: StreamEvent;
  /** At most five, best first. Empty for an extractor that searches by itself. */
  readonly candidates: readonly CandidateNote[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What an event means for one note: a signal that is not written yet. */
export interface Meaning {
  /** The path of the note that is meant. */
  readonly target: string;
  /** The paths of all notes that could be meant, best first, the target among them. */
  readonly candidates: readonly string[];
  /** True where it is not certain which of them is meant; such a signal is never acted upon. */
  readonly ambiguous: boolean;
  readonly targetConfidence: number;
  /** What led to the note, and whether that stands beside the finding: see the signal's fields of those names. */
  readonly targetEvidence: readonly TargetEvidence[];
  readonly targetNear: boolean;
  /** Whether it says that the affair itself has ended. */
  readonly endsMatter: boolean;
  /** The words it rests on. A model's quote is only a claim until it is found in the source. */
  readonly quote: string;
  /** Null where nothing is to be changed: the person is asked for something, or it is only news. */
  readonly proposal: MutationProposal | null;
  /** The time of day that goes with a new day, `HH:mm`; absent where none is named. */
  readonly time?: string;
  /** What a person should read first, where the event's own subject does not say it. */
  readonly headline?: string;
  /** The part of a sum that was paid, `500.00 EUR`, or that went back, `-500.00 EUR`; absent where no part was. */
  readonly paid?: string;
  /** True where it only tells that something has happened, and asks nothing of anybody. */
  readonly isNews?: boolean;
  /** Before the instinct of its source is applied. */
  readonly effectConfidence: number;
  readonly reasoning: string;
}

/** What an extractor made of one event. */
export interface Extracted {
  readonly meanings: readonly Meaning[];
  /** Why there is none; null where there is one. */
  readonly skipped: string | null;
  /** The parts of a reply that could not be used, each in a few words: `a note that was not given`. */
  readonly rejected: readonly string[];
  /** Why no reply of a model could be used; null where one could. */
  readonly unusable: string | null;
  /** Who read the event, as the signal names it. */
  readonly extractor: string;
  /** What it took; null where no model was asked. */
  readonly usage: Usage | null;
}

/** The port behind which stream events are read: by the embedded rules, or by a model. */
export interface Extractor {
  /** `rules`, or the model's id. */
  readonly name: string;
  /** Whether a provider is asked, so that its answers are checked, cost something, and may have to wait. */
  readonly asksModel: boolean;
  /** Rejects with `Unanswered` where nobody could be asked: the event then still counts as unread. */
  extract(question: ExtractionQuestion, abort: AbortSignal): Promise<Extracted>;
  /** Returns the most a question may take, to be set aside from the budget before it is asked. */
  estimate?(question: ExtractionQuestion): Usage;
}

// The parts of the work on a vault that judging may use. A function names the ones it needs: `Records & Notes & Clock`.

/** The records of the vault. */
export interface Records {
  readonly vault: { readonly catalogue: Catalogue; readonly layout: Layout };
}

/** The notes as they are at this moment. */
export interface Notes {
  readonly notes: NoteReader;
}

/** The program's mark on notes that it wrote itself. */
export interface Seals {
  readonly context: { readonly seal: Seal };
}

/** The time, in epoch milliseconds. */
export interface Clock {
  readonly context: { readonly now: () => number };
}

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
