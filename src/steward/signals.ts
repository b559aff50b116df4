import { followStep, type Step } from '../vault/edit.ts';
import { markedQuote } from '../vault/event-text.ts';
import { fold } from '../vault/layout.ts';
import { nameKey } from '../vault/links.ts';
import { fieldLine } from '../vault/note-text.ts';
import type { EventRecord, SignalRecord, TargetRecord } from '../vault/record.ts';
import { isOwnSignal, resealedSignal } from '../vault/seal.ts';
import { addressFirst, claimedPattern, parseChannel, parsePattern, sourceKey } from '../vault/source-names.ts';
import { iso, nameTimeExact, utc } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import type { StoppedWaiting } from './inbox.ts';
import { afterEdit, fileName, findSilence, type Instinct, isPruned, knownInstincts } from './instinct.ts';
import { pinSteps } from './outcomes.ts';
import { findAnswer, isChoice, isHandsOff, isLiving, waitingAbout } from './proposals.ts';
import { isNews } from './schedule.ts';
import { identifySpeaker, type Speaker, sentAt, shutOut } from './sender.ts';
import { type AnswerRecord, ONLY_ASKED, type WeighedSignal } from './types.ts';
import type { DecisionIndexAccess, DecisionReadAccess, DecisionWriteAccess } from './workspace.ts';

/** A signal that is not evaluated for now, and why. */
interface WaitingSignal {
  readonly path: string;
  readonly id: string;
  readonly reason: string;
}

interface FreshSignals {
  /** Newest first, at most 50. */
  readonly signals: readonly WeighedSignal[];
  /** Signals that may be about this note; they wait until a person says so. */
  readonly ambiguous: readonly WaitingSignal[];
  /** How many more wait for a later check. */
  readonly waiting: number;
  /** How many more there are from sources that are silenced here. */
  readonly silenced: number;
}

/** Returns the signals for a note that have not been evaluated yet, newest first, and those that cannot be. */
export function freshSignals(space: DecisionReadAccess, target: TargetRecord): FreshSignals {
  const weighable = space.vault.catalogue.signalsFor(target, 'weighable');
  if (weighable.length === 0) return { signals: [], ambiguous: [], waiting: 0, silenced: 0 }; // as nearly always
  const again = namesAgain(space, target);
  const heard = weighable
    .filter((signal) => !isKnown(space, signal, again))
    .map((signal) => ({ signal, speaker: identifySpeaker(space, signal) }));
  const sources = new Set(heard.map(({ speaker }) => speaker.source));
  const silenced = new Set([...sources].filter((source) => silenceFor(space, source, target) !== null));
  const isSilenced = ({ speaker }: HeardSignal) => silenced.has(speaker.source);
  const now = space.context.now();
  const counting = gather(
    heard.filter((one) => !isSilenced(one)),
    now,
  );
  return { ...counting, silenced: gather(heard.filter(isSilenced), now).signals.length };
}

/** A signal and its speaker. */
export interface HeardSignal {
  readonly signal: Pick<SignalRecord, 'path' | 'name' | 'fields'>;
  readonly speaker: Pick<Speaker, 'source' | 'effectConfidence'>;
}

const MAX_SIGNALS = 50;

/**
 * Selects the signals to evaluate for one note (contract, 5.2). It tells them apart by name, not by time: a note that
 * was synced late still counts, and one in two folders counts once.
 */
export function gather(heard: readonly HeardSignal[], now: number): Omit<FreshSignals, 'silenced'> {
  const byName = new Map<string, HeardSignal>();
  for (const one of heard) {
    const { name, fields } = one.signal;
    if (!fields.target_ambiguous && !byName.has(name)) byName.set(name, one);
  }
  const sure = [...byName.values()].toSorted(newestFirst);
  return {
    signals: sure.slice(0, MAX_SIGNALS).map(({ signal, speaker }) => weighSignal(signal, speaker, now)),
    ambiguous: heard
      .filter(({ signal }) => signal.fields.target_ambiguous)
      .map(({ signal }) => ({ path: signal.path, id: signal.name, reason: ambiguityReason(signal) })),
    waiting: Math.max(0, sure.length - MAX_SIGNALS),
  };
}

function newestFirst({ signal: one }: HeardSignal, { signal: other }: HeardSignal): number {
  const byTime = (sentAt(other) ?? 0) - (sentAt(one) ?? 0);
  return byTime !== 0 ? byTime : one.name < other.name ? -1 : 1;
}

function ambiguityReason({ fields }: HeardSignal['signal']): string {
  const names = fields.target_candidates.join(', ');
  return `The signal may mean any of several notes${names === '' ? '.' : `: ${names}.`}`;
}

/** Returns a signal as an evaluator is shown it. A time in the future is an age of 0. */
export function weighSignal(
  signal: HeardSignal['signal'],
  { source, effectConfidence }: HeardSignal['speaker'],
  now: number,
): WeighedSignal {
  const { path, name, fields } = signal;
  const at = sentAt(signal);
  return {
    path,
    id: name,
    source,
    effect: fields.effect,
    effectConfidence,
    targetConfidence: fields.target_confidence,
    ageMs: at === null ? 0 : Math.max(0, now - at),
    headline: fields.headline,
    quote: fields.raw_quote,
    proposal: fields.mutation_proposal,
  };
}

/** A signal that is still to be evaluated. */
interface PendingSignal {
  readonly signal: SignalRecord;
  readonly target: TargetRecord;
  /** Whether it is news about an open task: then it is evaluated within a minute, and else at the next check. */
  readonly isNews: boolean;
}

/** Returns the signals that were read and are still to be evaluated: not those that wait for the user, or never count. */
export function pendingSignals(space: DecisionReadAccess): PendingSignal[] {
  return [...space.vault.catalogue.unrouted()].flatMap((signal) => pendingAs(space, signal) ?? []);
}

/** Returns a signal that is still to be evaluated, with its note; null if it is not. */
export function pendingAs(space: DecisionReadAccess, signal: SignalRecord): PendingSignal | null {
  const { effect, status, target_ambiguous: isOpen, steward } = signal.fields;
  if (effect === 'none' || status !== 'unrouted' || isOpen || !steward || wasWeighed(space, signal)) return null;
  const target = space.vault.catalogue.targetOf(signal);
  if (target === null || !isLiving(target) || isHandsOff(space, target)) return null;
  if (!isListenedTo(space, signal, target)) return null;
  const isFresh = target.kind === 'task' && isNews(target.fields, space.context.now());
  // A signal that is only evaluated again, because the note changed, waits for the note's check.
  return { signal, target, isNews: isFresh && !isAgain(space, target, [signal.name]) };
}

/** Returns the signals for a note that wait because their source is silenced just now, and why it is. */
export function silencedFor(space: DecisionReadAccess, target: TargetRecord): WaitingSignal[] {
  return space.vault.catalogue.signalsFor(target).flatMap((signal) => {
    const { status, effect } = signal.fields;
    const { source } = identifySpeaker(space, signal);
    const reason = status !== 'unrouted' || effect === 'none' ? null : silenceFor(space, source, target);
    return reason === null || wasWeighed(space, signal) ? [] : [{ path: signal.path, id: signal.name, reason }];
  });
}

/** Returns why the signals of a source don't count on a note, or null: the source may not speak there, or is silent. */
export function silenceFor(space: DecisionIndexAccess, source: string, target: TargetRecord): string | null {
  return shutOut(space, source, target) ?? findSilence(space, source);
}

/** Whether a signal counts on a note: its source may speak there, and is not silent. */
export function isListenedTo(space: DecisionIndexAccess, signal: SignalRecord, target: TargetRecord): boolean {
  return silenceFor(space, identifySpeaker(space, signal).source, target) === null;
}

/** Returns the ambiguous signals that name this note among their candidates: they have no target. */
export function ambiguousFor(vault: Vault, target: TargetRecord): WaitingSignal[] {
  return vault.catalogue
    .waiting('signal')
    .filter((signal) =>
      signal.fields.target_candidates.some((link) => vault.catalogue.resolve(link)?.path === target.path),
    )
    .map((signal) => ({ path: signal.path, id: signal.name, reason: 'It may mean any of several notes.' }));
}

/**
 * Whether a signal was evaluated before: the state remembers it, or an event note says so (contract, 5.3). A
 * signal whose proposal is about a note that has changed since counts as new: it is evaluated once more, on the note as
 * it is.
 */
export function wasWeighed(space: DecisionReadAccess, signal: SignalRecord): boolean {
  const target = space.vault.catalogue.targetOf(signal);
  return isKnown(space, signal, target === null ? new Set() : namesAgain(space, target));
}

/** Whether one of these signals, by name, is evaluated again because the note of its proposal has changed. */
export function isAgain(space: DecisionReadAccess, target: TargetRecord, names: readonly string[]): boolean {
  const again = namesAgain(space, target);
  return names.some((name) => again.has(fold(name)));
}

/** The folded names of the signals that are evaluated again for a note, which has changed since they led to a proposal. */
function namesAgain(space: DecisionReadAccess, target: TargetRecord): ReadonlySet<string> {
  return new Set(waitingAbout(space, target.path).flatMap(({ again }) => again));
}

function isKnown(space: DecisionIndexAccess, signal: SignalRecord, again: ReadonlySet<string>): boolean {
  if (again.has(fold(signal.name))) return false;
  if (space.context.state.get('weighed')[signal.name] !== undefined) return true;
  return space.vault.catalogue
    .eventsOfSignal(signal.name)
    .some((event) => isEvaluation(event) && !(isLeftOut(event, signal) && isDismissed(space, event)));
}

/** Whether a decision considered a signal and is not based on it. */
export function isLeftOut({ fields }: EventRecord, { name }: SignalRecord): boolean {
  return !fields.signals.some((link) => nameKey(link) === fold(name));
}

// A dismissal is no verdict on the signals that were left out: they are evaluated again.
function isDismissed(space: DecisionIndexAccess, event: EventRecord): boolean {
  return (findAnswer(space, event)?.fields.dismisses ?? null) !== null;
}

/** Forgets that the signals which a dismissed decision left out were evaluated (contract, section 8). */
export function forgetLeftOut({ context, vault }: DecisionIndexAccess, { fields }: EventRecord): void {
  const based = new Set(fields.signals.map(nameKey));
  for (const link of fields.considered.filter((one) => !based.has(nameKey(one)))) {
    const signal = vault.catalogue.resolve(link, ['signal']);
    if (signal?.kind !== 'signal') continue;
    delete context.state.get('weighed')[signal.name];
    context.state.touch('weighed', signal.name);
  }
}

// A question about which note is meant is no evaluation: once a person has chosen, the signal is evaluated.
function isEvaluation(event: EventRecord): boolean {
  return event.fields.decision !== 'rate_guarded' && !isChoice(event);
}

/** Returns the signal notes that an event is based on, as far as they are there. */
export function signalPaths(vault: Vault, event: EventRecord): { path: string }[] {
  return event.fields.signals.flatMap((link) => {
    const signal = vault.catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' ? [{ path: signal.path }] : [];
  });
}

/**
 * The steps that mark signals in their own notes as applied or skipped by an event (`event`: its path, `now` in epoch
 * ms), or take such a mark away (`unrouted`). A signal that opted out of Steward keeps its note as it is.
 */
export function stampSteps(
  { notes, vault, context: { seal } }: DecisionReadAccess,
  signals: readonly Pick<WeighedSignal, 'path'>[],
  event: string,
  now: number,
  status: 'applied' | 'skipped' | 'unrouted' = 'applied',
): Step[] {
  return signals.flatMap(({ path }) => {
    const record = vault.catalogue.get(path);
    const isOwn = record?.kind === 'signal' && isOwnSignal(seal, record);
    const step = followStep(notes, path, (data) => {
      if (data.steward === false) return [];
      if (status === 'unrouted' && data.audit_record_path !== event) return []; // another answer has marked it since
      const mark = isOwn
        ? [{ op: 'set' as const, field: 'seal', value: resealedSignal(seal, path, { ...data, status }) }]
        : [];
      return [
        { op: 'set', field: 'status', value: status },
        ...(status === 'applied' ? [{ op: 'set' as const, field: 'applied_at', value: utc(now) }] : []),
        { op: 'set', field: 'audit_record_path', value: status === 'unrouted' ? null : event },
        ...mark,
      ];
    });
    return step === null ? [] : [step];
  });
}

/**
 * The steps that withdraw signals of the program, because their message was read again and no longer says so, or that let
 * withdrawn ones count again.
 */
export function withdrawSteps(
  { notes, context: { seal } }: DecisionReadAccess,
  signals: readonly Pick<SignalRecord, 'path'>[],
  withdraws: boolean,
): Step[] {
  return signals.flatMap(({ path }) => {
    const step = followStep(notes, path, (data) => {
      const { withdrawn: _, ...fields } = data;
      const now = withdraws ? { ...fields, status: 'skipped', withdrawn: true } : { ...fields, status: 'unrouted' };
      return [
        { op: 'set', field: 'status', value: now.status },
        withdraws ? { op: 'set', field: 'withdrawn', value: true } : { op: 'delete', field: 'withdrawn' },
        { op: 'set', field: 'seal', value: resealedSignal(seal, path, now) },
      ];
    });
    return step === null ? [] : [step];
  });
}

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
