import { gravestWarning } from '../vault/note-text.ts';
import {
  type AuthenticationResult,
  type MatterRecord,
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
import { parseLocalTime } from '../vault/time.ts';
import { forgedGate, type Gate, round4 } from './gates.ts';
import { findInstinct } from './instinct.ts';
import { isOwnNote } from './records.ts';
import type { Records, Seals } from './types.ts';

/** The data that identify the sender of a signal. */
export interface TrustSpace extends Records, Seals {
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

/** The channels of mails. */
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
