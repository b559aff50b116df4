import { isChoice } from '../../steward/attention/asking.ts';
import { type Ambiguous, type Candidate, type Gathered, gather } from '../../steward/changes/gather-signals.ts';
import { silenceOf } from '../../steward/learning/sources.ts';
import { waitingAbout } from '../../steward/proposals/proposal-status.ts';
import { parseLocalTime } from '../../steward/schedule/cadence.ts';
import type { EventRecord, SignalRecord, TargetRecord } from '../../vault/index/record.ts';
import { fold } from '../../vault/note-names.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { IndexAccess, ReadAccess } from '../context/ports.ts';

/** Returns the signals for a note that have not been weighed yet, newest first, and those that cannot be. */
export function freshSignals(space: ReadAccess, target: TargetRecord): Gathered {
  const { catalogue } = space.vault;
  const signals = catalogue.signalsFor(target);
  const again = namesAgain(space, target);
  const weighed = new Set(signals.filter((signal) => isKnown(space, signal, again)).map((signal) => signal.name));
  const sources = new Set(signals.map(({ fields }) => fields.source_type));
  const silenced = new Set([...sources].filter((source) => silenceOf(space, source) !== null));
  const heard = signals.filter(({ fields }) => !silenced.has(fields.source_type));
  return gather(
    heard.map((signal) => candidate(signal, target.path)),
    { targetPath: target.path, weighed, now: space.context.now() },
  );
}

/** Returns the signals for a note that wait because their source is silenced just now, and why it is. */
export function silencedFor(space: ReadAccess, target: TargetRecord): Ambiguous[] {
  return space.vault.catalogue.signalsFor(target).flatMap((signal) => {
    const { status, effect, source_type: source } = signal.fields;
    const reason = status !== 'unrouted' || effect === 'none' ? null : silenceOf(space, source);
    return reason === null || wasWeighed(space, signal) ? [] : [{ path: signal.path, id: signal.name, reason }];
  });
}

/** Returns the ambiguous signals that name this note among their candidates: they have no target. */
export function ambiguousFor(vault: Vault, target: TargetRecord): Ambiguous[] {
  return vault.catalogue
    .signals()
    .filter((signal) => signal.fields.target_ambiguous && signal.fields.status === 'unrouted')
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
export function candidate(signal: SignalRecord, targetPath: string | null): Candidate {
  const written = signal.fields.origin_at ?? signal.fields.created;
  const at = written === null ? null : parseLocalTime(written);
  return { path: signal.path, id: signal.name, fields: signal.fields, targetPath, at };
}
