import { isChoice } from '../steward/attention.ts';
import { type Ambiguous, type Candidate, type Gathered, gather } from '../steward/disposition.ts';
import { silenceOf } from '../steward/learning/sources.ts';
import type { WeighedSignal } from '../steward/ports/evaluator.ts';
import { waitingAbout } from '../steward/proposals.ts';
import { sentAt, speakerOf } from '../steward/trust/speaker.ts';
import { shutOut } from '../steward/trust.ts';
import type { EventRecord, SignalRecord, TargetRecord } from '../vault/index/record.ts';
import { fold } from '../vault/note-names.ts';
import { utc } from '../vault/time.ts';
import type { Step } from '../vault/transaction/intent.ts';
import { followStep } from '../vault/transaction/steps.ts';
import type { NoteReader } from '../vault/transaction.ts';
import type { Vault } from '../vault/watch.ts';
import type { IndexAccess, ReadAccess } from './context.ts';

/** The signals for a note, and how many more there are of sources that are not heard on it. */
interface Fresh extends Gathered {
  readonly silenced: number;
}

const NO_SIGNALS: Fresh = { signals: [], ambiguous: [], waiting: 0, silenced: 0 };

/** Returns the signals for a note that have not been weighed yet, newest first, and those that cannot be. */
export function freshSignals(space: ReadAccess, target: TargetRecord): Fresh {
  const weighable = space.vault.catalogue.signalsFor(target, 'weighable');
  if (weighable.length === 0) return NO_SIGNALS; // as nearly always
  const again = namesAgain(space, target);
  const unweighed = weighable.filter((signal) => !isKnown(space, signal, again));
  const candidates = unweighed.map((signal) => candidate(space, signal, target.path));
  const sources = new Set(candidates.map(({ speaker }) => speaker.source));
  const silenced = new Set([...sources].filter((source) => silenceFor(space, source, target) !== null));
  const isHeard = ({ speaker }: Candidate) => !silenced.has(speaker.source);
  const request = { targetPath: target.path, weighed: NONE, now: space.context.now() };
  const unheard = candidates.filter((one) => !isHeard(one));
  return { ...gather(candidates.filter(isHeard), request), silenced: gather(unheard, request).signals.length };
}

/** Returns the signals for a note that wait because their source is silenced just now, and why it is. */
export function silencedFor(space: ReadAccess, target: TargetRecord): Ambiguous[] {
  return space.vault.catalogue.signalsFor(target).flatMap((signal) => {
    const { status, effect } = signal.fields;
    const { source } = speakerOf(space, signal);
    const reason = status !== 'unrouted' || effect === 'none' ? null : silenceFor(space, source, target);
    return reason === null || wasWeighed(space, signal) ? [] : [{ path: signal.path, id: signal.name, reason }];
  });
}

/** Returns why the signals of a source count for nothing on a note, or null: it may not speak there, or is silent. */
export function silenceFor(space: IndexAccess, source: string, target: TargetRecord): string | null {
  return shutOut(space, source, target) ?? silenceOf(space, source);
}

/** Whether what a signal says counts on a note: its source may speak there, and is not silent. */
export function isListenedTo(space: IndexAccess, signal: SignalRecord, target: TargetRecord): boolean {
  return silenceFor(space, speakerOf(space, signal).source, target) === null;
}

/** Returns the ambiguous signals that name this note among their candidates: they have no target. */
export function ambiguousFor(vault: Vault, target: TargetRecord): Ambiguous[] {
  return vault.catalogue
    .waiting('signal')
    .filter((signal) =>
      signal.fields.target_candidates.some((link) => vault.catalogue.resolve(link)?.path === target.path),
    )
    .map((signal) => ({ path: signal.path, id: signal.name, reason: 'It may mean any of several notes.' }));
}

/**
 * Whether a signal was weighed before: the state remembers it, or an event note says so (contract, section 16). A
 * signal that led to a proposal whose note has changed since counts as new: it is weighed once more, on the note as it
 * is.
 */
export function wasWeighed(space: ReadAccess, signal: SignalRecord): boolean {
  const target = space.vault.catalogue.targetOf(signal);
  return isKnown(space, signal, target === null ? NONE : namesAgain(space, target));
}

const NONE: ReadonlySet<string> = new Set();

/** Whether one of these signals, by name, is weighed again for a note because the note of its proposal has changed. */
export function isAgain(space: ReadAccess, target: TargetRecord, names: readonly string[]): boolean {
  const again = namesAgain(space, target);
  return names.some((name) => again.has(fold(name)));
}

/** The folded names of the signals that are weighed again for a note: it has changed since they led to a proposal. */
function namesAgain(space: ReadAccess, target: TargetRecord): ReadonlySet<string> {
  return new Set(waitingAbout(space, target.path).flatMap(({ again }) => again));
}

function isKnown(space: IndexAccess, signal: SignalRecord, again: ReadonlySet<string>): boolean {
  if (again.has(fold(signal.name))) return false;
  if (space.context.state.get('weighed')[signal.name] !== undefined) return true;
  return space.vault.catalogue.eventsOfSignal(signal.name).some(isWeighing);
}

// Asking which note is meant judges nothing: once a person has mended the signal by hand, it is weighed like any other.
function isWeighing(event: EventRecord): boolean {
  return event.fields.decision !== 'rate_guarded' && !isChoice(event);
}

/** Returns a signal as a candidate for weighing; `targetPath`: the note its link leads to. */
export function candidate(space: IndexAccess, signal: SignalRecord, targetPath: string | null): Candidate {
  const at = sentAt(signal);
  return {
    path: signal.path,
    id: signal.name,
    fields: signal.fields,
    speaker: speakerOf(space, signal),
    targetPath,
    at,
  };
}

/**
 * The steps that mark signals in their own notes as applied or skipped by an event (`event`: its path, `now` in epoch
 * ms). A signal that opted out of the steward keeps its note as it is.
 */
export function stampSteps(
  notes: NoteReader,
  signals: readonly Pick<WeighedSignal, 'path'>[],
  event: string,
  now: number,
  status: 'applied' | 'skipped' = 'applied',
): Step[] {
  return signals.flatMap((signal) => {
    const step = followStep(notes, signal.path, ({ steward }) =>
      steward === false
        ? []
        : [
            { op: 'set', field: 'status', value: status },
            ...(status === 'applied' ? [{ op: 'set' as const, field: 'applied_at', value: utc(now) }] : []),
            { op: 'set', field: 'audit_record_path', value: event },
          ],
    );
    return step === null ? [] : [step];
  });
}
