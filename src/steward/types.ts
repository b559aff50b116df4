import { z } from 'zod';
import type { Changes, Frontmatter } from '../vault/frontmatter.ts';
import type { Catalogue } from '../vault/index.ts';
import type { Layout } from '../vault/layout.ts';
import type { ProblemCode } from '../vault/problem-codes.ts';
import {
  type AuthenticationResult,
  type EventRecord,
  evidenceItem,
  type FieldChange,
  fieldChange,
  type MutationProposal,
  type OrderOutcome,
  type Outcome,
  type ReversalRecord,
  type State,
  type TargetEvidence,
  type TargetRecord,
  type TaskRecord,
  unit,
} from '../vault/record.ts';
import type { Seal } from '../vault/seal.ts';
import type { NoteReader } from '../vault/transaction.ts';
import type { Slot } from './rate-guard.ts';

/** Something an agent may do while it works on an errand. Its input comes from a model: data, parsed before use. */
export interface AgentTool<Input = unknown> {
  /** As the model calls it, such as `Read`. */
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Resolves to the agent's result. The agent gets the message of a thrown error; the errand goes on. */
  run(input: Input): Promise<string>;
}

/** An agent's errand. Texts from outside belong into `task`, quoted as data; `system` is the program's own. */
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

export interface AgentReport {
  /** Its last words. Data from a model. */
  readonly text: string;
  /** Whether it ended by itself, and not because its turns or its tokens ran out. */
  readonly finished: boolean;
  readonly usage: Usage;
}

/** The port behind which agents work: a provider's models, or replies from files. */
export interface Agent {
  /**
   * Sends an agent on an errand. Rejects with `UnansweredError` if no reply can be had, and with the reason of `abort`
   * when it is stopped.
   */
  send(errand: Errand, abort: AbortSignal): Promise<AgentReport>;
}

/** A note that an event may be about. */
export interface CandidateNote {
  readonly kind: 'task' | 'matter';
  /** Vault-relative, with `.md`. */
  readonly path: string;
  readonly name: string;
  /** The name of a task's matter; null for a matter, and for a task without one. */
  readonly matter: string | null;
  readonly state: string;
  /** The day or time that a task is due, as the note has it; null if unset. */
  readonly due: string | null;
  readonly summary: string;
  /** The clue in the event that leads to it, in a few words; may be empty. */
  readonly why: string;
}

/** The question to an extractor: the meaning of one stream event for some notes, and for no others. */
export interface ExtractionQuestion {
  readonly event: StreamEvent;
  /** Likeliest first. Empty for an extractor that searches by itself. */
  readonly candidates: readonly CandidateNote[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The meaning of an event for one note: a signal that is not written yet. */
export interface Meaning {
  readonly target: string;
  /** The paths of all notes that could be meant, best first, the target among them. */
  readonly candidates: readonly string[];
  /** True if it is not certain which of them is meant; such a signal is never acted upon. */
  readonly ambiguous: boolean;
  readonly targetConfidence: number;
  /**
   * The clues that led to the note, and whether they are next to the finding: see the signal's fields of those names.
   */
  readonly targetEvidence: readonly TargetEvidence[];
  readonly targetNear: boolean;
  /** Whether it says that the affair itself has ended. */
  readonly endsMatter: boolean;
  /**
   * The open checkbox in the note of a matter that it is about: reported, never edited. Absent if it is about the note
   * itself.
   */
  readonly line?: string;
  /** The words it rests on. A model's quote is only a claim until it is found in the source. */
  readonly quote: string;
  /** Null if there is no change: the person is asked for something, or it is only news. */
  readonly proposal: MutationProposal | null;
  /** The time of day that goes with a new day, `HH:mm`; absent if no time is named. */
  readonly time?: string;
  /** The line that a person should read first, if the event's own subject does not say it. */
  readonly headline?: string;
  /** The part of a sum that was paid, `500.00 EUR`, or that went back, `-500.00 EUR`; absent if no part was. */
  readonly paid?: string;
  /** True if it is only news, without a request. */
  readonly isNews?: boolean;
  /** Before the instinct of its source is applied. */
  readonly effectConfidence: number;
  readonly reasoning: string;
  /** Why it is only proposed, however sure it is, each as a sentence; absent without doubts. */
  readonly doubts?: readonly string[];
  /** It sets back an earlier change, as its one doubt says; absent if it is news. */
  readonly takesBack?: true;
}

export interface ExtractorResult {
  readonly meanings: readonly Meaning[];
  /** Why there is no meaning; null if there is one. */
  readonly skipped: string | null;
  /** Why the words could not be read at all, in a few words: `written in Polish`. Absent if they were read. */
  readonly unread?: string;
  /** The parts of a reply that could not be used, each in a few words: `a note that was not given`. */
  readonly rejected: readonly string[];
  /** Why no reply of a model could be used; null if one could. */
  readonly unusable: string | null;
  /** Who read the event, as the signal names it. */
  readonly extractor: string;
  /** The tokens and cost; null if no model was asked. */
  readonly usage: Usage | null;
  /** The notes that the event was compared with, best first; absent if its words alone say which they are. */
  readonly compared?: readonly FittingNote[];
}

/** A note that an event could be about, and what leads to it. */
export interface FittingNote {
  readonly note: string;
  readonly score: number;
  readonly evidence: readonly TargetEvidence[];
}

/** The port behind which stream events are read: by the embedded rules, or by a model. */
export interface Extractor {
  /** `rules`, or the model's id. */
  readonly name: string;
  /** Whether a provider is asked, so that its answers are checked, cost something, and may have to wait. */
  readonly asksModel: boolean;
  /** Rejects with `UnansweredError` if no model could be asked: the event then still counts as unread. */
  extract(question: ExtractionQuestion, abort: AbortSignal): Promise<ExtractorResult>;
  /** Returns the most a question may take, to be set aside from the budget before it is asked. */
  estimate?(question: ExtractionQuestion): Usage;
}

/** The user's answer about an earlier change of a sender. */
export interface PastAnswer {
  /** The present path of the note that the change was about. */
  readonly note: string;
  readonly isRight: boolean;
}

/** A change that was made on a sender's word, and that the note still has. */
export interface StandingChange {
  /** The present path of the note. */
  readonly note: string;
  readonly field: 'state' | 'due';
  /** The value before it; `open` of a state. */
  readonly before: string;
  /** The sender's words. */
  readonly quote: string;
  /** When the sender said so, ISO; null if that isn't known. */
  readonly at: string | null;
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

/** Whether the event's channel authenticates its sender (contract, section 10). */
export interface Authentication {
  readonly result: AuthenticationResult;
  /** The server that said so; null if no trusted one said anything. */
  readonly server: string | null;
  /** Why, in a few words: `dmarc=pass`, or `no trusted server says who sent it`. */
  readonly reason: string;
}

/** The sender is neither authenticated nor denied. */
export const NOT_VOUCHED: Authentication = { result: 'none', server: null, reason: "its sender isn't authenticated" };

/** Something that happened outside, as its parser read it. All of it is data from strangers. */
export interface StreamEvent {
  /** Vault-relative path of the file under `stream/`. */
  readonly path: string;
  readonly sourceType: string;
  /** UTC, ISO with `Z`, to the second; null if the source gives no usable time. */
  readonly originAt: string | null;
  /** The same as a clock showed at the place of writing, `YYYY-MM-DDTHH:mm`; absent if the source does not say. */
  readonly writtenAt?: string;
  /** The bare address in lower case. */
  readonly from: string | null;
  /** The sender's display name. Never used to decide anything. */
  readonly fromName: string | null;
  readonly to: readonly string[];
  /** The display names of recipients, by address; absent if the mail gives no names. */
  readonly toNames?: Readonly<Record<string, string>>;
  readonly subject: string;
  /** Whether a mail answers or passes on another one, so that its subject may be another's; absent if not. */
  readonly continuesThread?: boolean;
  /** The author's own words: without quoted history, signature and forwarded mails. */
  readonly text: string;
  /** The text that was cut out of `text`. Searched for links only. */
  readonly quoted: string;
  /** Sent by a machine: to many people, or as an automatic reply. */
  readonly bulk: boolean;
  readonly bulkReason: string | null;
  /** Written by this program or by the vault's owner, so it teaches no lesson. */
  readonly ownNote: boolean;
  readonly authentication: Authentication;
  /** Anomalies of the sender or the text, each a sentence in plain words: a look-alike address, for one. */
  readonly warnings: readonly string[];
  /** The text that every reader is surely shown, if that is not all of `text`; else null. */
  readonly shown: string | null;
  /** Why its word alone isn't enough for a change, each a sentence. */
  readonly doubts: readonly string[];
  /** The one note that it is about, if its channel says so by an id; absent if its words must tell. */
  readonly about?: string;
  /** The change that it reports, if its channel says so in fields; absent if its words must tell. */
  readonly stated?: StatedChange;
  /** A line of a bank account; absent if it isn't one. */
  readonly payment?: Payment;
  /** An entry of a calendar; absent if it isn't one. */
  readonly appointment?: Appointment;
  /** Something said in a chat or a meeting; absent if it isn't one. Its author is `from`. */
  readonly spoken?: Spoken;
  /** A page that somebody kept: a web clipping, a note. Absent if it isn't one. */
  readonly page?: Page;
  /** The machine-readable parts of a mail's HTML; absent if there aren't any. */
  readonly forms?: Forms;
  /** Handed in by a program in the generic form; absent if it was not. */
  readonly handed?: Handed;
  /** Words of it that weren't read; absent if all were. */
  readonly unread?: Unread;
  /** The versions of the same event that were read before, oldest first, if this one replaces them. */
  readonly replaces?: readonly string[];
}

/**
 * Whether an event is a mail: it alone has a server that can authenticate its sender, and an address that can look like
 * another.
 */
export function isMail({ payment, appointment, spoken, page, handed }: StreamEvent): boolean {
  return [payment, appointment, spoken, page, handed].every((one) => one === undefined);
}

/** Words of an event that could not be read. */
export interface Unread {
  /** Why, in a few words: `encrypted with PGP`, `only a picture`. */
  readonly reason: string;
  /** Whether not even the subject counts. If it does, the event counts as unread only if the rest means no change. */
  readonly isWhole: boolean;
}

/** A line of a bank account. `from` is the counterparty: its IBAN if the line has it, else its name. */
export interface Payment {
  /** The account of the vault's owner: its IBAN, or how the bank names it; null if the file does not say. */
  readonly account: string | null;
  readonly status: 'booked' | 'pending';
  /** The day it was booked, or is to be: `YYYY-MM-DD`. */
  readonly day: string;
  /** Signed decimal with a point, as many places as the currency has: `-1250.00` went out, `80.00` came in. */
  readonly amount: string;
  /** ISO 4217; null if the file does not say. */
  readonly currency: string | null;
  readonly counterparty: string | null;
  /** The counterparty's, without spaces, in capitals. */
  readonly iban: string | null;
  /** The identifiers of it for the payee: end-to-end id, creditor reference, mandate, cheque number. */
  readonly references: readonly string[];
  /** The text that goes with it, unchanged. */
  readonly purpose: string;
  /** It takes an earlier booking back, and so settles no task; absent if the file does not say so. */
  readonly isReversal?: boolean;
}

/** An entry of a calendar. `from` is its organiser. */
export interface Appointment {
  readonly uid: string;
  /** Which one of a series, by the start it was planned for; null if it is the only one, or the series itself. */
  readonly recurrence: string | null;
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
  /** Local in the person's zone: `YYYY-MM-DD` for whole days, else `YYYY-MM-DDTHH:mm`. */
  readonly start: string;
  /** The same for its end, a whole day counting in; null if it has no end. */
  readonly end: string | null;
  /** Its former start, if the calendar itself says so, or an earlier version was read; else null. */
  readonly movedFrom: string | null;
  /** It comes again by a rule, and `start` is its next one; absent if it takes place once. */
  readonly series?: true;
  /** It is one of a series that its file has too; absent if the file has it alone. */
  readonly ofSeries?: true;
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
  /** Its address; null if it does not say. */
  readonly url: string | null;
}

/** The machine-readable parts of a mail's HTML. A reader of the mail doesn't see them. */
export interface Forms {
  /** The data for programs, in the words of schema.org. */
  readonly things: readonly HiddenThing[];
  /** The texts that are crossed out. */
  readonly struck: readonly string[];
}

/** The kinds of thing that a mail tells programs of. */
export const THING_KINDS = ['order', 'invoice', 'parcel', 'reservation', 'event', 'confirmation'] as const;

/** One thing that a mail tells programs of. */
export interface HiddenThing {
  readonly kind: (typeof THING_KINDS)[number];
  /** Its status: `OrderDelivered`, `PaymentDue`. */
  readonly statuses: readonly string[];
  /** `YYYY-MM-DD`: the day of an event; the due day of a payment. Null if it does not say. */
  readonly day: string | null;
  /** The day before, for an event that was moved. */
  readonly dayBefore: string | null;
  /** Its numbers and codes, as written. */
  readonly references: readonly string[];
  readonly names: readonly string[];
  /** Who sells, sends or keeps it. */
  readonly parties: readonly string[];
}

interface Handed {
  /** The source that did, by the program's own mark; null if a person dropped the file. */
  readonly source: string | null;
}

/** A change that a channel tells in fields, and how it says so. */
export interface StatedChange {
  /** At most fifty characters, as in the file. */
  readonly quote: string;
  readonly proposal: MutationProposal;
  /** Why that is so, in a sentence. */
  readonly reasoning: string;
  readonly extractor: string;
}

export const DECISIONS = ['still_active', 'changed', 'likely_done', 'needs_input', 'stale_archive_candidate'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Whether a decision says that the affair goes on, with or without a change of its fields. */
function goesOn(decision: string): boolean {
  return decision === 'still_active' || decision === 'changed';
}

/**
 * Returns the decision under the name that its changes give it: a note that goes on has `changed` if a field other than
 * the state moves, else it is `still_active`.
 */
export function namedByChanges<Name extends string>(
  decision: Name,
  fields: readonly string[],
): Name | 'changed' | 'still_active' {
  if (!goesOn(decision)) return decision;
  return fields.some((field) => field !== 'state' && field !== 'status') ? 'changed' : 'still_active';
}

export const usage = z.object({
  /** The model's id. */
  model: z.string(),
  tokens_in: z.number().min(0),
  tokens_out: z.number().min(0),
  /** US dollars; null if the model has no price. */
  usd: z.number().min(0).nullable(),
});
export type Usage = z.infer<typeof usage>;

/** Returns what two answers took together. */
export function usageOfBoth(one: Usage, other: Usage): Usage {
  return {
    model: one.model === other.model ? one.model : `${one.model}, ${other.model}`,
    tokens_in: one.tokens_in + other.tokens_in,
    tokens_out: one.tokens_out + other.tokens_out,
    usd: one.usd === null && other.usd === null ? null : (one.usd ?? 0) + (other.usd ?? 0),
  };
}

/** What an evaluator answers (contract, 5.8). */
export const verdict = z.object({
  decision: z.enum(DECISIONS),
  confidence: unit,
  reasoning: z.string(),
  evidence: z.array(evidenceItem),
  /** Source → its share of the conclusion, 0–1. */
  source_contributions: z.record(z.string(), unit),
  changes: z.array(fieldChange),
  /** The tokens and cost of the answer; absent if no model was asked. */
  usage: usage.nullish(),
  /** Who judged and by which prompt, where that is more than the evaluator's name. */
  evaluator: z.string().optional(),
  /** Requests to look up in the registered files before the verdict counts; only if files were offered. */
  requests: z.array(z.string()).optional(),
  /** True if no reply could be used, so that the note is left as it is. */
  fallback: z.boolean().optional(),
});
export type Verdict = z.infer<typeof verdict>;

/** A signal as an evaluator is shown it. Its texts come from outside: data, never instructions (section 10). */
export interface WeighedSignal {
  /** Vault-relative path of the signal note. */
  readonly path: string;
  /** The note's name without folder and `.md`. */
  readonly id: string;
  /** The source: its channel, and who spoke in it. */
  readonly source: string;
  readonly effect: 'mutation' | 'action' | 'none';
  /** After the source's instinct. */
  readonly effectConfidence: number;
  readonly targetConfidence: number;
  readonly ageMs: number;
  readonly headline: string | null;
  readonly quote: string | null;
  readonly proposal: MutationProposal | null;
}

/** The note that a question is about. */
interface QuestionTarget {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  readonly name: string;
  readonly state: State;
  readonly fields: Frontmatter;
  /** The name of the task's matter; null for a matter, and for a task without one. */
  readonly matter: string | null;
  /** When a task is due and until when it is snoozed, whatever the note calls these fields; absent for a matter. */
  readonly due?: string | null;
  readonly snoozed_until?: string | null;
}

/** The files that a person registered for a matter, and what was found in them. */
export interface QuestionFiles {
  readonly paths: readonly string[];
  /** The findings in answer to the evaluator's requests, as data; null while it may still ask. */
  readonly extracts: readonly string[] | null;
}

/**
 * The facts that a note shows without any signal, and what the rules make of it. An evaluator may find something for a
 * person to see, but there is no change to make.
 */
export interface Perceiving {
  /** Plain sentences in the program's own words. */
  readonly facts: readonly string[];
  /** The fields of the task's matter; null if there isn't one. */
  readonly matter: Frontmatter | null;
}

/** A mail that was read, whether it gave a signal or not. Nobody rejected its sender. */
export interface ReadMail {
  /** The address, in lower case. */
  readonly from: string;
  /** When it was sent (epoch ms). */
  readonly at: number;
  /** In one line; null if there isn't one. */
  readonly subject: string | null;
  /** The stream file, or the event in it. */
  readonly file: string;
  /** Whether a trusted server authenticates the sender. */
  readonly isVouched: boolean;
}

export interface EarlierAnswer {
  readonly kind: 'confirmed' | 'dismissed as wrong' | 'not now' | 'undone';
  /** When, as it is written in the note of the answer; null if that doesn't say. */
  readonly at: string | null;
  readonly reason: string | null;
}

/** A decision that was made about a note before. */
export interface EarlierDecision {
  /** The event note's name. */
  readonly event: string;
  readonly at: string;
  readonly decision: string;
  readonly changes: Changes;
  /** The signals behind it, as far as their notes are still there. */
  readonly signals: readonly {
    readonly source: string;
    readonly headline: string | null;
    readonly quote: string | null;
  }[];
  /** Null if the user hasn't answered. */
  readonly answer: EarlierAnswer | null;
}

/** A change of a note that the user dismissed: one field and value, or one member of a list. */
export interface DismissedChange {
  readonly change: FieldChange;
  readonly answer: 'dismissed as wrong' | 'not now';
  /** The day: `YYYY-MM-DD`. */
  readonly on: string;
  readonly reason: string | null;
  /** The signals of the question, by id, that bring nothing new: the same kind of evidence, or, after "not now", a signal of then. */
  readonly repeatedBy: readonly string[];
}

/** The earlier decisions about a note, and the user's answers to them. */
export interface Memory {
  /** The newest decision that changed something or proposed to, else the newest; null if there isn't one. */
  readonly last: EarlierDecision | null;
  readonly dismissed: readonly DismissedChange[];
}

/** The question of a check to an evaluator: one note, and the signals that have come in for it. */
export interface EvaluatorQuestion {
  readonly target: QuestionTarget;
  readonly signals: readonly WeighedSignal[];
  readonly files?: QuestionFiles;
  /** The earlier decisions about the note; absent if unknown. */
  readonly memory?: Memory;
  /** Where there is no signal, and the note is looked at for what it shows by itself. */
  readonly perceiving?: Perceiving;
  /** The slot that the rate guard reserved for the question; null if no model may be asked it. */
  readonly slot?: Slot | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The port behind which evaluators work: the embedded rules, a model, or replies from files. */
export interface Evaluator {
  /** `rules`, or the model's id: as written in the event note. */
  readonly name: string;
  /** Whether a provider is asked, so that its backoff applies to this evaluator (section 6). */
  readonly asksModel: boolean;
  /** Rejects with `UnansweredError` if no answer can be had. */
  evaluate(question: EvaluatorQuestion, signal: AbortSignal): Promise<Verdict>;
  /**
   * Returns the most a question may take, to be set aside from the budget. Without it, the dearest call of the day is.
   */
  estimate?(question: EvaluatorQuestion): Usage;
}

/** A question that was not answered. Any other error of an evaluator counts as a call that was made. */
export class UnansweredError extends Error {
  /** Whether anything was sent. If not, the place and the budget set aside for the question are given back. */
  readonly sent: boolean;
  /**
   * After a provider's 429: how many seconds it asked us to wait, null if it didn't say. Undefined for anything else.
   */
  readonly retryAfter: number | null | undefined;
  /** The usage of earlier replies to the same question; null without earlier replies. */
  readonly took: Usage | null;
  /** Why there was no answer; null if it wasn't a provider's failure. */
  readonly failure: QuestionFailure | null;

  constructor(message: string, { sent, retryAfter, took = null, failure = null }: UnansweredDetails) {
    super(message);
    this.name = 'Unanswered';
    this.failure = failure;
    this.sent = sent;
    this.retryAfter = retryAfter;
    this.took = took;
  }
}

interface UnansweredDetails {
  readonly sent: boolean;
  readonly retryAfter?: number | null;
  readonly took?: Usage | null;
  readonly failure?: QuestionFailure | null;
}

/** The door through which a person gave an order. `link`: the button of a message. */
export type AnsweredBy = 'file' | 'checkbox' | 'command' | 'link' | 'inbox';

/** An event that a person may answer: an action or a proposal, or a reversal that is itself to be reversed. */
export type Answerable = EventRecord | ReversalRecord;

/** A person's order to take an event back. */
export interface UndoOrder {
  /** The event, or null if a dropped file names no event. */
  readonly event: Answerable | null;
  readonly by: AnsweredBy;
  readonly reason: string | null;
  readonly force: boolean;
  /** The reversal note that a person dropped, to be completed; null if the program writes one. */
  readonly file: ReversalRecord | null;
  /** The senders that the command has taught before; absent if it answers only this. */
  readonly gesture?: Set<string>;
}

/** The result of a person's order about one event. */
export interface AnswerRecord {
  /** The event note's name, without folder and `.md`. */
  readonly event: string;
  readonly outcome: Outcome | OrderOutcome | 'settling';
  /** The note that records it, vault-relative, or null if no note was written. */
  readonly note: string | null;
  readonly target: string | null;
  readonly changes: Changes;
  /** Source → "before → after". */
  readonly calibration: Readonly<Record<string, string>>;
  /** Why it taught a sender no lesson; null if it did, or if there was no lesson to teach. */
  readonly untaught: string | null;
  /** One sentence in plain words. */
  readonly message: string;
  /** When to try again (epoch ms), where somebody is editing the note just now. */
  readonly until: number | null;
}

/** The message of a dry run whose order could be carried out. */
export const ONLY_ASKED = 'A dry run: this is what would happen.';

/** Why a provider gave no reply. `rejected`, `too-long` and `unrecorded` concern one question; the others would affect any. */
export type QuestionFailure =
  | 'no-key'
  | 'key-refused'
  | 'unpaid'
  | 'unknown-model'
  | 'rate-limited'
  | 'no-room'
  | 'unavailable'
  | 'rejected'
  | 'too-long'
  | 'unrecorded'
  | 'stopped';

/** Below this score, no note is taken to be meant. */
export const TARGET_FLOOR = 0.5;

/** The effect of an action in another system, as its notes say it (`plane_action` and `plane_revert`: stored names). */
export interface ExternalEffect {
  /** What the event note says is to be done there. */
  readonly action: Frontmatter;
  /** Returns what the undo recipe of an event says is to be taken back there. */
  readonly revert: (event: string) => Frontmatter;
}

/** A system outside the vault that shows tasks. A capability connects it, and follows the event notes. */
export interface ExternalSystem {
  /** Returns what the action does there that brings a task to a state (null: as before); null for nothing. */
  effect(task: TaskRecord, state: State | null): ExternalEffect | null;
  /** Returns what is wrong with the field of a note that names something there; null if it is valid. */
  problem(record: TargetRecord): FieldProblem | null;
}

export interface FieldProblem {
  readonly field: string;
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint: string;
}
