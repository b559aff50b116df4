import { markedQuote } from '../vault/event-text.ts';
import { fieldLine } from '../vault/note-text.ts';
import type { SignalRecord } from '../vault/record.ts';
import { addressFirst, claimedPattern, parseChannel, parsePattern, sourceKey } from '../vault/source-names.ts';
import { iso, nameTimeExact } from '../vault/time.ts';
import type { StoppedWaiting } from './inbox.ts';
import { afterEdit, fileName, type Instinct, isPruned, knownInstincts } from './instinct.ts';
import { pinSteps } from './outcomes.ts';
import { identifySpeaker, sentAt } from './sender.ts';
import { stampSteps, wasWeighed } from './signals.ts';
import { type AnswerRecord, ONLY_ASKED } from './types.ts';
import type { DecisionReadAccess, DecisionWriteAccess } from './workspace.ts';

/** A sender that was wrong too often, and the signals of theirs that wait. */
interface StoppedSender {
  readonly instinct: Instinct;
  /** Newest first. */
  readonly signals: readonly SignalRecord[];
}

function stoppedSenders(space: DecisionReadAccess): StoppedSender[] {
  const pruned = knownInstincts(space).filter(({ status, source }) => status === 'pruned' && isPruned(space, source));
  if (pruned.length === 0) return []; // as nearly always
  const waiting = [...space.vault.catalogue.unrouted()].filter(
    (signal) => signal.fields.effect !== 'none' && signal.fields.steward && !wasWeighed(space, signal),
  );
  const bySource = Map.groupBy(waiting, (signal) => sourceKey(identifySpeaker(space, signal).source));
  return pruned.flatMap((instinct) => {
    const signals = bySource.get(sourceKey(instinct.source)) ?? [];
    const newestFirst = signals.toSorted((one, other) => (sentAt(other) ?? 0) - (sentAt(one) ?? 0));
    return signals.length === 0 ? [] : [{ instinct, signals: newestFirst }];
  });
}

/** Returns what waits of stopped senders, as entries of the list of what waits: one for each sender. */
export function waitingStopped(space: DecisionReadAccess): StoppedWaiting[] {
  return stoppedSenders(space).map(({ instinct, signals }) => {
    const [newest] = signals;
    const at = newest === undefined ? null : sentAt(newest);
    return {
      event: instinct.source,
      target: newest?.fields.target_path ?? null,
      change: questionOf(instinct, signals.length),
      from: newest?.fields.from == null ? null : fieldLine(addressFirst(newest.fields.from)),
      quote: newest === undefined ? null : markedQuote(newest.fields),
      since: at === null ? null : iso(at),
      answers: ['confirm', 'dismiss'],
    };
  });
}

function questionOf({ source, lastNegativeAt }: Instinct, count: number): string {
  const who = claimedPattern(parsePattern(source) ?? parseChannel(source));
  const times = count === 1 ? 'wrote' : `wrote ${count} times`;
  const since = lastNegativeAt === null ? '' : ` on ${iso(lastNegativeAt).slice(0, 10)}`;
  return `${who} ${times}. You stopped this sender's ${parseChannel(source)}${since}. Read it again? Confirm: it is read again. Dismiss: what waits is set aside.`;
}

/**
 * Carries out the answer about the waiting mails of a stopped sender: yes pins the sender, so that it is read again; no
 * sets the mails aside. Returns null if no mail waits of a sender of this name.
 */
export function answerStopped(
  space: DecisionWriteAccess,
  name: string,
  { kind, dryRun }: { readonly kind: 'confirm' | 'dismiss'; readonly dryRun: boolean },
): AnswerRecord | null {
  const found = stoppedSenders(space).find(({ instinct }) => sourceKey(instinct.source) === sourceKey(name));
  const path = found === undefined ? undefined : space.vault.catalogue.instinctOf(found.instinct.source)?.path;
  if (found === undefined || path === undefined) return null;
  const { source } = found.instinct;
  const answered = (outcome: AnswerRecord['outcome'], message: string): AnswerRecord => {
    const nothing = { changes: {}, calibration: {}, untaught: null, until: null };
    return { event: source, outcome, note: null, target: path, message, ...nothing };
  };
  const done =
    kind === 'confirm'
      ? answered('confirmed', `${source} is pinned, and read again at the next check.`)
      : answered('dismissed', `${source} stays stopped; what waited is set aside.`);
  if (dryRun) return { ...done, message: ONLY_ASKED };
  const now = space.context.now();
  const steps =
    kind === 'confirm'
      ? pinSteps(space, source, now, (one) =>
          afterEdit({ ...one, pinned: false }, { prior: null, confidence: null, pinned: true }),
        )
      : stampSteps(space, found.signals, path, now, 'skipped');
  const id = `stopped-${nameTimeExact(now)}-${fileName(source)}`;
  const isWritten = steps.length > 0 && space.transactions.commit(id, steps);
  return isWritten ? done : answered('refused', `${path} can't be edited just now. Try again in a moment.`);
}
