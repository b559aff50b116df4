import { fieldLine } from '../vault/note-text.ts';
import { sourceKey } from '../vault/source-names.ts';
import { iso } from '../vault/time.ts';
import type { SuspectWaiting } from './inbox.ts';
import { type AnswerRecord, ONLY_ASKED } from './types.ts';
import type { DecisionContext } from './workspace.ts';

/*
 * Mails that pretend to be from a sender of the vault, or give orders to Steward, and led to no question: they were
 * about no note. All of one kind that pretend to be the same sender are one warning with a count, so that many mails
 * can't fill the list or the memory.
 */

type SuspectKind = 'rejected' | 'look-alike' | 'shown-name' | 'orders';

/** A suspicious mail. Its texts are from outside, in one line each. */
export interface SuspectMail {
  readonly kind: SuspectKind;
  /** The sender of the vault that it pretends to be; null for orders to Steward. */
  readonly pretends: string | null;
  readonly warning: string;
  /** As it is shown. */
  readonly from: string | null;
  readonly subject: string;
  readonly file: string;
}

/** A vault names fewer senders. Beyond this, what came longest ago makes room. */
const MAX_SUSPECTS = 200;

/** Remembers a suspicious mail. */
export function noteSuspect({ state, now }: Pick<DecisionContext, 'state' | 'now'>, mail: SuspectMail): void {
  const known = state.get('suspects');
  const { kind, pretends, ...shown } = mail;
  const key = `${kind}:${pretends ?? 'steward'}`;
  const before = known[key];
  known[key] = { ...shown, count: (before?.count ?? 0) + 1, first: before?.first ?? now(), last: now() };
  state.touch('suspects', key);
  const byAge = Object.keys(known).toSorted((one, other) => (known[one]?.last ?? 0) - (known[other]?.last ?? 0));
  for (const old of byAge.slice(0, Math.max(0, byAge.length - MAX_SUSPECTS))) forget(state, old);
}

function forget(state: DecisionContext['state'], key: string): void {
  delete state.get('suspects')[key];
  state.touch('suspects', key);
}

/** Returns these mails as warnings, one for each sender that they pretend to be and for each kind. */
export function waitingSuspects({
  context: { state },
}: {
  readonly context: Pick<DecisionContext, 'state'>;
}): SuspectWaiting[] {
  return Object.entries(state.get('suspects')).map(([name, { warning, from, subject, file, count, first, last }]) => ({
    event: name,
    warning: `⚠ ${fieldLine(warning)}`,
    change: `${timesWords(count, last)} about no note of yours. Steward did nothing.`,
    from,
    quote: subject === '' ? null : subject,
    mail: file,
    since: iso(first),
    answers: ['dismiss'],
  }));
}

function timesWords(count: number, last: number): string {
  return count === 1 ? 'One mail' : `${count} mails, the last on ${iso(last).slice(0, 10)},`;
}

/**
 * Carries out the answer to such a warning: a dismissal hides it until another mail comes. Returns null if there is no
 * warning of this name.
 */
export function answerSuspect(
  { context: { state } }: { readonly context: Pick<DecisionContext, 'state'> },
  name: string,
  { kind, dryRun }: { readonly kind: 'confirm' | 'dismiss'; readonly dryRun: boolean },
): AnswerRecord | null {
  const key = Object.keys(state.get('suspects')).find((one) => sourceKey(one) === sourceKey(name));
  if (key === undefined) return null;
  const nothing = { note: null, target: null, changes: {}, calibration: {}, untaught: null, until: null };
  if (kind === 'confirm')
    return { ...nothing, event: key, outcome: 'refused', message: 'It has no proposal to confirm.' };
  if (!dryRun) forget(state, key);
  const message = dryRun ? ONLY_ASKED : 'The warning is hidden until another such mail comes.';
  return { ...nothing, event: key, outcome: 'dismissed', message };
}
