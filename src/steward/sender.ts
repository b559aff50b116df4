import { same } from '../vault/frontmatter.ts';
import { fold } from '../vault/layout.ts';
import { gravestWarning } from '../vault/note-text.ts';
import {
  type AuthenticationResult,
  type EventRecord,
  isSiblingType,
  type LicenceKind,
  type MatterRecord,
  OCCURRENCES,
  parseState,
  type ReversalRecord,
  type SignalRecord,
  TARGET_EVIDENCE,
  type TargetEvidence,
  type TargetRecord,
} from '../vault/record.ts';
import {
  claimedPattern,
  isBankChannel,
  isSenderNamed,
  isSentMail,
  isTrustedServer,
  isUnverified,
  OWN_FILES,
  parseChannel,
  plainSender,
  SENT,
  sentFolder,
  sourceKey,
  sourceName,
  unverified,
  VAULT_EDIT,
} from '../vault/source-names.ts';
import { localDate, parseLocalTime } from '../vault/time.ts';
import { isStateField } from './change.ts';
import { forgedGate, type Gate, round4 } from './gates.ts';
import { findInstinct } from './instinct.ts';
import { isOwnNote } from './records.ts';
import type { Clock, PastAnswer, Records, Seals, StandingChange } from './types.ts';

/** The data that identify the sender of a signal. */
interface TrustSpace extends Records, Seals {
  readonly context: Seals['context'] & {
    readonly settings: {
      readonly trusted_signal_sources: readonly string[];
      readonly trusted_mail_servers: readonly string[];
      readonly trusted_bank_accounts: readonly string[];
    };
    /**
     * The servers of the mailboxes that are connected now: each authenticates its own mail. Absent if there aren't any.
     */
    readonly accountServers?: () => readonly string[];
    /** The connected mailboxes whose folder of sent mails the user allowed to speak for them, by source. */
    readonly sentAccounts?: () => readonly string[];
  };
}

/** Who speaks in a signal, and how far that can be believed. */
export interface Speaker {
  /** The source that is taught by what becomes of the signal. */
  readonly source: string;
  /** The channel that the signal came by. */
  readonly channel: string;
  /** The sender as its channel names them: an address, a counterparty; null if it names no sender. */
  readonly pattern: string | null;
  /**
   * Who wrote the signal note: the program itself (`own`), an author that the settings trust to speak for this source
   * (`trusted`), or anybody (`unknown`).
   */
  readonly writer: 'own' | 'trusted' | 'unknown';
  /** Whether the sender is authenticated, by the settings as they are now. */
  readonly vouched: AuthenticationResult;
  /** The server that authenticates the sender, or denies it. */
  readonly server: string | null;
  readonly evidence: readonly TargetEvidence[];
  readonly near: boolean;
  readonly endsMatter: boolean;
  /** How far the signal is believed, after its source's instinct. */
  readonly effectConfidence: number;
}

/**
 * Returns who speaks in a signal (contract, section 10). A note that the program did not write itself speaks for its
 * source only if the settings say so; then its target counts as a link. Else it counts as `other`. Only the program's
 * own note says what the user sent.
 */
export function identifySpeaker(space: TrustSpace, signal: SignalRecord): Speaker {
  const { fields } = signal;
  const { source_type: channel, pattern } = fields;
  if (isOwnNote(space, signal)) {
    return {
      source: sourceName(channel, taughtPattern(fields)),
      channel,
      pattern,
      writer: 'own',
      vouched: vouchedToday(space, fields),
      server: fields.authenticated_by,
      evidence: TARGET_EVIDENCE.filter((kind) => fields.target_evidence.includes(kind)),
      near: fields.target_near,
      endsMatter: fields.ends_matter,
      effectConfidence: fields.effect_confidence,
    };
  }
  const isTrusted =
    !isSentMail(channel) && space.context.settings.trusted_signal_sources.some((one) => one === channel);
  if (!isTrusted) return anybody(space, signal);
  return {
    source: sourceName(channel, pattern),
    channel,
    pattern,
    writer: 'trusted',
    vouched: 'pass',
    server: null,
    evidence: ['link'],
    near: true,
    endsMatter: true,
    effectConfidence: fields.effect_confidence,
  };
}

/** Channels that the program itself reads from: no server is named in the settings for them. */
const SEEN_BY_ITSELF: readonly string[] = ['plane', VAULT_EDIT];

// A server that was trusted when the signal was written may have been removed since: then it authenticates no sender.
function vouchedToday({ context }: TrustSpace, fields: SignalRecord['fields']): AuthenticationResult {
  const { authenticated, authenticated_by: server, source_type: channel } = fields;
  if (authenticated !== 'pass' || SEEN_BY_ITSELF.includes(sourceKey(channel))) return authenticated;
  if (server === null) return 'none';
  if (isSentMail(channel))
    return [OWN_FILES, ...(context.sentAccounts?.() ?? [])].map(sentFolder).includes(server) ? 'pass' : 'none';
  const { trusted_mail_servers: servers, trusted_bank_accounts: accounts } = context.settings;
  if (isBankChannel(channel)) {
    const digits = /…([A-Z0-9]+)$/.exec(server)?.[1];
    return digits !== undefined && accounts.some((one) => plainAccount(one).endsWith(digits)) ? 'pass' : 'none';
  }
  return isTrustedServer([...servers, ...(context.accountServers?.() ?? [])], server) ? 'pass' : 'none';
}

/** Returns an account's number in letters and digits alone, however it is cut into groups. */
export function plainAccount(written: string): string {
  return written.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

const MAIL_CHANNELS: ReadonlySet<string> = new Set(['mail', 'gmail', 'gmail_unknown', SENT]);

// A signal names the sender of a mail even if no server authenticated it.
function taughtPattern({ source_type: channel, pattern, authenticated }: SignalRecord['fields']): string | null {
  const isProven = authenticated === 'pass' || !MAIL_CHANNELS.has(sourceKey(channel));
  return pattern === null || isProven || isUnverified(pattern) ? pattern : unverified(pattern);
}

/** The source of unauthenticated signals. */
const OTHER = 'other';

function anybody(space: TrustSpace, { fields }: SignalRecord): Speaker {
  const raw = fields.effect_confidence_raw ?? fields.effect_confidence;
  return {
    source: OTHER,
    channel: OTHER,
    pattern: null,
    writer: 'unknown',
    vouched: 'none',
    server: null,
    evidence: [],
    near: false,
    endsMatter: false,
    effectConfidence: round4(Math.min(raw, 1) * findInstinct(space, OTHER).confidence),
  };
}

/** Returns the gate that says whether a signal's sender is who they claim to be, and whether the mail is a warning. */
export function evaluateForgery(space: TrustSpace, signal: SignalRecord): Gate {
  const speaker = identifySpeaker(space, signal);
  const { source, pattern, vouched } = speaker;
  const sender = pattern === null ? source : claimedPattern(pattern);
  return forgedGate({ vouched, sender, warning: findWarning(signal, speaker) });
}

/**
 * Returns what is wrong with the sender or the words of a signal, a sentence; null if there isn't a warning. Only the
 * program's own notes count: others could say anything.
 */
export function findWarning({ fields }: SignalRecord, { writer }: Pick<Speaker, 'writer'>): string | null {
  return writer === 'own' ? gravestWarning(fields.warnings) : null;
}

/** Returns when what a signal tells of happened (epoch ms); null if its note does not say. */
export function sentAt({ fields }: Pick<SignalRecord, 'fields'>): number | null {
  const written = fields.origin_at ?? fields.created;
  return written === null ? null : parseLocalTime(written);
}

/** Returns the matter that a note is, or belongs to. */
export function findMatter(catalogue: TrustSpace['vault']['catalogue'], target: TargetRecord): MatterRecord | null {
  return target.kind === 'matter' ? target : catalogue.matterOf(target);
}

/** Returns the senders that a note or its matter names, in lower case: addresses, `@domain`, IBANs, names. */
export function listSenders({ vault: { catalogue } }: TrustSpace, target: TargetRecord): string[] {
  const accounts = target.kind === 'task' ? (target.fields.payment?.iban ?? []) : [];
  const named = [target, findMatter(catalogue, target)].flatMap((note) => note?.fields.senders ?? []);
  const written = [...named, ...accounts];
  return [...new Set(written.map(plainSender))].filter((sender) => sender !== '');
}

export function names(space: TrustSpace, target: TargetRecord, { pattern }: Pick<Speaker, 'pattern'>): boolean {
  return pattern !== null && isSenderNamed(listSenders(space, target), pattern);
}

/** Returns the entries of a `signal_sources` list with an unknown channel: they let no sender through. */
export function unknownChannels(written: readonly string[], channels: Iterable<string>): string[] {
  const known = new Set([...channels].map(sourceKey));
  return written.filter((one) => !known.has(sourceKey(parseChannel(one))));
}

/**
 * Returns why a source may not speak about a note at all, or null if it may. The note's matter lists the allowed
 * sources in `signal_sources`, by channel or by channel and pattern (contract, section 6).
 */
export function shutOut(
  { vault }: { readonly vault: Pick<TrustSpace['vault'], 'catalogue'> },
  source: string,
  target: TargetRecord,
): string | null {
  const matter = findMatter(vault.catalogue, target);
  const heard = matter?.fields.signal_sources ?? [];
  const listed = new Set([sourceKey(source), sourceKey(parseChannel(source))]);
  if (matter === null || heard.length === 0 || heard.some((one) => listed.has(sourceKey(one)))) return null;
  return `${matter.name} accepts only ${heard.join(', ')} (signal_sources); ${source} isn't one of them.`;
}

/**
 * The user's answers about the changes of one sender on one matter. They give no right: they are the evidence for the
 * offer of a licence (contract, section 6).
 */
export interface TrackRecord {
  readonly right: number;
  readonly wrong: number;
  /** How many of the wrong ones the program itself doubted: a no to these is no verdict on what the sender said. */
  readonly doubted: number;
  /** The local days with a right outcome, in order. */
  readonly days: readonly string[];
  /** The right changes: the local day, and the kinds of the changes. */
  readonly outcomes: readonly { readonly day: string; readonly kinds: readonly LicenceKind[] }[];
}

type Answerable = EventRecord | ReversalRecord;

/** A note's kind, and the name that it has for its state. */
interface NoteOfKind {
  readonly kind: TargetRecord['kind'];
  readonly fields: { readonly state_field: string };
}

/** Returns the kind of licence that a change of a field needs. `after`: the field's new value, a state as the program calls it. */
export function kindOfChange(target: NoteOfKind, field: string, after: unknown): LicenceKind {
  if (isStateField(field) || field === target.fields.state_field) {
    const end = after === true ? 'done' : after; // a ticked checkbox
    if (end === 'done' || end === 'archived') return target.kind === 'matter' ? 'matter' : end;
    return 'due'; // snoozed, and awake again
  }
  if (field === 'completedDate' || field === OCCURRENCES) return 'done';
  return DATES.has(field) ? 'due' : 'fields';
}

const DATES: ReadonlySet<string> = new Set(['due', 'scheduled', 'snoozed_until']);

/** Returns what the user has said about a sender's changes on a note's matter, by notes that the program itself wrote. */
export function trackRecord(space: TrustSpace, source: string, target: TargetRecord): TrackRecord {
  const about = listMatterNotes(space, target).flatMap((note) =>
    space.vault.catalogue
      .eventsAbout(note.path)
      .filter((event) => isBorneBy(event, source) && isOwnNote(space, event))
      .map((event) => ({ note, event })),
  );
  const right = about.filter(({ event }) => isRight(event) && !isWithdrawn(space, event));
  const wrong = about.filter(({ event }) => isWrong(space, event));
  const outcomes = right.map(({ note, event }) => ({
    day: localDate(outcomeAt(event)),
    kinds: Object.entries(event.fields.changes).map(([field, change]) => kindOfChange(note, field, change.after)),
  }));
  return {
    right: right.length,
    wrong: wrong.length,
    doubted: wrong.filter(({ event }) => isDoubted(space, event)).length,
    days: [...new Set(outcomes.map(({ day }) => day))].toSorted(),
    outcomes,
  };
}

/** Returns a track record in a few words: `right 3 of 3 times, on 2 days`. */
export function trackRecordWords({ right, wrong, days }: { right: number; wrong: number; days: number }): string {
  const all = right + wrong;
  return `right ${right} of ${all} ${all === 1 ? 'time' : 'times'}, on ${days} ${days === 1 ? 'day' : 'days'}`;
}

/** Returns a track record as the evidence of a licence. */
export function evidenceWords(record: TrackRecord): string {
  const { doubted } = record;
  const doubt = doubted === 0 ? '' : `; ${doubted} doubtful ${doubted === 1 ? 'reading' : 'readings'}`;
  return `${trackRecordWords({ ...record, days: record.days.length })}${doubt}`;
}

/**
 * Returns what the user said about a source's changes, by notes that the program itself wrote. Right: confirmed, taught
 * or made by hand. Wrong: dismissed as wrong, set otherwise by hand or undone. An answer that was taken back since
 * doesn't count, nor one from `until` on (epoch ms).
 */
export function pastAnswers(space: Records & Seals, source: string, until = Number.POSITIVE_INFINITY): PastAnswer[] {
  const { catalogue } = space.vault;
  return catalogue.judgementsOf(source).flatMap((note) => {
    if (!isOwnNote(space, note) || isWithdrawn(space, note) || saidAt(note) >= until) return [];
    const judged = note.kind === 'event' ? note : catalogue.resolve(note.fields.reverses ?? '', ['event']);
    // To undo an answer takes it back, and is no verdict on the sender.
    if (judged?.kind !== 'event' || (note.kind === 'reversal' && isSiblingType(judged.fields.type))) return [];
    const path = judged.fields.target_path;
    return path === null
      ? []
      : [{ note: catalogue.currentPath(path), isRight: note.kind === 'event' && isRight(note) }];
  });
}

function saidAt(note: Answerable): number {
  return note.kind === 'event' ? outcomeAt(note) : Date.parse(note.fields.settled_at ?? '');
}

/** A sender may take back what they said, as long as older mail is read. */
const MOST_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * Returns what was done, called off or moved to another day on a source's word in these notes, and stands there; newest
 * first.
 */
export function standingChanges(
  space: Records & Seals & Clock,
  source: string,
  notes: readonly string[],
): readonly StandingChange[] {
  const first = localDate(space.context.now() - (MOST_DAYS + 1) * DAY_MS);
  return notes
    .flatMap((note) => space.vault.catalogue.eventsAbout(note))
    .filter(({ fields }) => fields.timestamp >= first)
    .filter((event) => event.fields.undo_recipe !== null && isBorneBy(event, source) && isOwnNote(space, event))
    .filter((event) => !isWithdrawn(space, event))
    .toSorted((one, other) => (one.fields.timestamp > other.fields.timestamp ? -1 : 1))
    .flatMap((event) => standingOf(space, event));
}

function standingOf({ vault: { catalogue } }: Records, { fields }: EventRecord): readonly StandingChange[] {
  const task = fields.target_path === null ? undefined : catalogue.get(catalogue.currentPath(fields.target_path));
  if (task?.kind !== 'task') return [];
  const signal = catalogue.resolve(fields.signals[0] ?? '', ['signal']);
  const said = signal?.kind === 'signal' ? signal.fields : null;
  const quote = fields.quote ?? said?.raw_quote ?? null;
  if (quote === null) return [];
  return Object.entries(fields.changes).flatMap(([name, { before, after }]): StandingChange[] => {
    const made = { note: task.path, quote, at: said?.origin_at ?? null };
    const state = typeof after === 'string' ? parseState(after) : null;
    if (isStateField(name) && (task.fields.state === 'done' || task.fields.state === 'archived'))
      return state === null || state === task.fields.state ? [{ ...made, field: 'state', before: 'open' }] : [];
    const isDay = name === 'due' && typeof before === 'string' && same(after, task.fields.due);
    return isDay ? [{ ...made, field: 'due', before }] : [];
  });
}

/** Whether an event note records that the user found a change right: confirmed, taught, or made by hand. */
export function isRight({ fields }: EventRecord): boolean {
  if (fields.dismisses !== null) return false;
  return fields.taught === 'right' || (fields.confirms !== null && Object.keys(fields.changes).length > 0);
}

// When the user found it right: a change made by hand may have been proposed long before.
function outcomeAt({ fields }: EventRecord): number {
  return Date.parse((fields.taught === 'right' ? fields.taught_at : null) ?? fields.timestamp);
}

/** Whether the user found a change wrong: dismissed as wrong, set otherwise by hand, or undone. */
function isWrong(space: TrustSpace, event: EventRecord): boolean {
  const { type, taught, dismisses, later, undo_recipe: recipe, lesson } = event.fields;
  const isTakenBack = isWithdrawn(space, event);
  // To have seen a question, and "not now", are no verdict on its sender.
  if (dismisses !== null) return !later && !isTakenBack && isLesson(lesson);
  // To undo a confirmation takes the answer back, and is no verdict on the sender either.
  return taught === 'wrong' || (isTakenBack && recipe !== null && !isSiblingType(type));
}

/** Whether the program wasn't sure of what an answer is about: which note is meant, or what the words say. */
function isDoubted({ vault }: TrustSpace, event: EventRecord): boolean {
  const { dismisses } = event.fields;
  const asked = dismisses === null ? event : vault.catalogue.resolve(dismisses, ['event']);
  return (
    asked?.kind === 'event' &&
    asked.fields.gates.some(({ gate, held }) => !held && (gate === 'target' || gate === 'reading'))
  );
}

function isLesson(lesson: EventRecord['fields']['lesson']): boolean {
  return lesson !== null && (lesson.none !== null || Object.keys(lesson.moved).length > 0);
}

/** Whether a source bears a part of a decision. */
function isBorneBy({ fields }: EventRecord, source: string): boolean {
  const key = sourceKey(source);
  return Object.entries(fields.source_contributions).some(([one, share]) => share > 0 && sourceKey(one) === key);
}

/** Undos of undos are followed this far; beyond it, what was taken back stays so. */
const MOST_UNDOS = 20;

/**
 * Whether an event was taken back, and still is. Anybody may drop a note that takes something back, and it errs on the safe
 * side to believe it. A note that takes a reversal back would restore what the user withdrew, so that one must be the
 * program's own.
 */
function isWithdrawn(space: Records & Seals, event: Answerable, depth = 0): boolean {
  if (depth > MOST_UNDOS) return true;
  const isRestored = (reversal: Answerable) =>
    reversalsOf(space, reversal).some(
      (undoing) => isOwnNote(space, undoing) && !isWithdrawn(space, undoing, depth + 1),
    );
  return reversalsOf(space, event).some((reversal) => !isRestored(reversal));
}

function reversalsOf({ vault }: Records, { name }: Answerable): ReversalRecord[] {
  return vault.catalogue
    .answersTo(name)
    .filter((answer) => answer.kind === 'reversal')
    .filter(({ fields }) => fields.outcome === 'reversed');
}

/** Returns a note's matter and all its tasks; a task without a matter comes alone. */
export function listMatterNotes({ vault: { catalogue } }: TrustSpace, target: TargetRecord): TargetRecord[] {
  const matter = findMatter(catalogue, target);
  return matter === null ? [target] : [matter, ...catalogue.tasksOf(matter)];
}

/** Returns the senders that had a right outcome on each matter, with a note of it, from some event notes. */
export function rightSenders(
  space: TrustSpace,
  events: Iterable<EventRecord>,
): { readonly source: string; readonly target: TargetRecord }[] {
  const found = new Map<string, { source: string; target: TargetRecord }>();
  for (const event of events) {
    const path = event.fields.target_path;
    const target = path === null ? undefined : space.vault.catalogue.get(space.vault.catalogue.currentPath(path));
    if ((target?.kind !== 'task' && target?.kind !== 'matter') || !isRight(event)) continue;
    const matter = findMatter(space.vault.catalogue, target);
    for (const [source, share] of Object.entries(event.fields.source_contributions)) {
      if (share > 0) found.set(`${sourceKey(source)} ${fold(matter?.path ?? target.path)}`, { source, target });
    }
  }
  return [...found.values()];
}
