import { stem } from '../vault/layout.ts';
import type { FindingKind } from './proposals.ts';
import type { AnswerRecord } from './types.ts';

// Has few imports: short commands print these words in the time it takes to ask the daemon.

/**
 * The kinds of entries that can wait for a person:
 *
 * - `arrival`: whether a vault with another key's marks is theirs.
 * - `found`: a question of Steward itself.
 * - `conflict`: an undo that found the field changed.
 * - `stopped`: mails of a sender that was wrong too often.
 * - `kept`: bytes put aside for them.
 * - `licence`: one on offer, or from outside.
 * - `setting`: one from outside that gives a right.
 * - `suspect`: mails about no note that pretend to be from a sender, or give orders to Steward.
 * - `unfinished`: an action that an update or another program left half done.
 */
export const WAITING_KINDS = [
  'arrival',
  'proposal',
  'licence',
  'setting',
  'question',
  'choice',
  'found',
  'conflict',
  'stopped',
  'suspect',
  'unfinished',
  'kept',
  'trouble',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

export const NOUNS: Readonly<Record<WaitingKind, string>> = {
  arrival: 'arrived vault',
  proposal: 'proposal',
  licence: 'licence',
  setting: 'setting',
  question: 'question',
  choice: 'choice',
  found: 'question',
  conflict: 'conflict',
  stopped: 'stopped sender',
  suspect: 'suspicious mail',
  unfinished: 'unfinished action',
  kept: 'kept file',
  trouble: 'problem',
};

/** Returns the list in one line: `3 things wait for you: 2 proposals, 1 question`. `pending`: how many signals are still to be evaluated. */
export function waitingText(waiting: readonly { readonly kind: WaitingKind }[], pending: number): string {
  if (waiting.length === 0) return pending === 0 ? 'Nothing waits for you.' : nothingYet(pending);
  const nouns = [...new Set(WAITING_KINDS.map((kind) => NOUNS[kind]))];
  const counts = nouns.map((noun) => ({ noun, number: waiting.filter(({ kind }) => NOUNS[kind] === noun).length }));
  const parts = counts.filter(({ number }) => number > 0).map(({ noun, number }) => several(number, noun));
  return `${several(waiting.length, 'thing')} ${waiting.length === 1 ? 'waits' : 'wait'} for you: ${parts.join(', ')}`;
}

function nothingYet(pending: number): string {
  return `Nothing waits for you yet: ${several(pending, 'signal')} ${pending === 1 ? 'is' : 'are'} still to be evaluated.`;
}

export const SHOWN_AS: Readonly<Record<FindingKind, string>> = {
  overdue: 'overdue',
  snooze_over: 'snooze over',
  unblocked: 'free to go on',
  tasks_done: 'all tasks done',
  silent: 'untouched',
};
/** Steward's findings in one matter without a signal: one line of the list of findings (contract, section 17). */
export interface MatterFindings {
  /** The path of the matter; null for notes without one. */
  readonly matter: string | null;
  /** The most pressing first. */
  readonly notes: readonly {
    readonly note: string;
    readonly kind: FindingKind;
    /** The local day since when it is so, `YYYY-MM-DD`. */
    readonly since: string;
  }[];
}

/** Returns how many findings there are of each kind, in one line: `overdue: 3 · untouched: 1`. */
export function countFindings(findings: readonly MatterFindings[]): string {
  const kinds = findings.flatMap(({ notes }) => notes.map(({ kind }) => kind));
  const counts = Object.entries(SHOWN_AS).map(([kind, shown]) => [shown, kinds.filter((one) => one === kind).length]);
  return counts.flatMap(([shown, number]) => (Number(number) > 0 ? [`${shown}: ${number}`] : [])).join(' · ');
}

/** Returns the findings of one matter in one line. `name`: how a note is named there, by its path. */
export function findingsLine({ matter, notes }: MatterFindings, name: (path: string) => string): string {
  const named = notes.slice(0, MOST_OF_MATTER).map(({ note, kind, since }) => {
    const what = note === matter ? '' : `${name(note)} `;
    return `${what}${SHOWN_AS[kind]}${kind === 'unblocked' ? '' : ` since ${since}`}`;
  });
  const more = notes.length - named.length;
  const about = matter === null ? '' : `${name(matter)}: `;
  return `${about}${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** How many notes of one matter its line names. */
const MOST_OF_MATTER = 3;

const CHANNEL_NOUNS: Readonly<Record<string, string>> = {
  ...{ mail: 'mail', gmail: 'mail', gmail_unknown: 'mail', sent: 'mail' },
  ...{ bank: 'booking', sure: 'booking', calendar: 'appointment', gcal: 'appointment' },
  ...{ slack: 'message', slack_channel: 'message' },
};

/** What is known of a received event. `source`: its channel, alone or with its sender. */
interface Received {
  readonly source: string | null;
  /** The sender as shown. */
  readonly from: string | null;
  readonly subject: string | null;
}

/** Returns a received event as a person names it: `mail from anna@notary.example (Anna Bell), “Deposit”`. Null if it has neither sender nor subject. */
export function receivedWords({ source, from, subject }: Received): string | null {
  if (from === null && subject === null) return null;
  const [channel = ''] = (source ?? '').split(':');
  const noun = CHANNEL_NOUNS[channel.toLowerCase()] ?? 'event';
  return `${noun}${from === null ? '' : ` from ${from}`}${subject === null ? '' : `, “${subject}”`}`;
}

/** Returns `1 thing`, `2 things`. */
export function several(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns whether an order was carried out. */
export function isDone(answer: AnswerRecord): boolean {
  return answer.outcome === 'reversed' || answer.outcome === 'confirmed' || answer.outcome === 'dismissed';
}

/** Returns the name of the note that an entry is about; the names that it may mean, if it isn't known which. */
export function entryName(entry: { readonly target: string | null; readonly candidates: readonly string[] }): string {
  const { target, candidates } = entry;
  return target === null ? candidates.map((link) => link.replace(/^\[\[|\]\]$/g, '')).join(' or ') : stem(target);
}

/** Events that weren't read, by the reason. */
export type UnreadCounts = Readonly<Record<string, number>>;

/** A file may give as many reasons as its writer likes: the rest are counted together. */
const MAX_REASONS = 20;
export const OTHER_REASONS = 'other reasons';

/** Returns the counts with more events that weren't read for a reason. */
export function addUnread(unread: UnreadCounts, reason: string, events = 1): Record<string, number> {
  const isKnown = Object.hasOwn(unread, reason) || Object.keys(unread).length < MAX_REASONS;
  const key = isKnown ? reason : OTHER_REASONS;
  return { ...unread, [key]: (Object.hasOwn(unread, key) ? (unread[key] ?? 0) : 0) + events };
}

/** Returns how many events weren't read, and why: `3 not read (2 encrypted with PGP, 1 only a picture)`. Empty if all were. */
export function unreadWords(unread: UnreadCounts): string {
  const all = Object.entries(unread).toSorted(([, one], [, other]) => other - one);
  const sum = all.reduce((events, [, each]) => events + each, 0);
  return sum === 0 ? '' : `${sum} not read (${all.map(([reason, each]) => `${each} ${reason}`).join(', ')})`;
}

/** Returns a quote without the marks of where it was cut, as the mail has it. */
export function unmarkedQuote(quote: string): string {
  return quote.replace(/^…|…$/g, '');
}

/**
 * Returns a source as a person reads it: its sender without the channel, or the channel alone. Commands load this file
 * alone; `source-names.ts` brings what they don't need.
 */
export function senderWords(source: string): string {
  const [, doubt = '', sender = source] = /^[^:]+:(unverified:)?(.+)$/s.exec(source) ?? [];
  if (source.startsWith('sent:')) return 'your sent mail';
  if (doubt === '') return sender;
  return sender === 'nobody' ? 'news without a sender' : `${sender} (not authenticated)`;
}
