import type { WeighedSignal } from '../../steward/ports/evaluator.ts';
import { fieldOutsideClass, proposalChanges } from '../../steward/ports/mutation-class.ts';
import type { FieldChange } from '../../vault/records/mutation.ts';
import { stateOf, type Yaml } from '../../vault/records/values.ts';
import { byStrength, combinedStrength, confidenceOf, strength } from './strength.ts';

/** What the signals say about one field, or about one member of a list field. */
export interface Subject {
  readonly field: string;
  /** Strongest first. More than one where the signals disagree. */
  readonly sides: readonly Side[];
}

/** The signals that say the same about a subject. */
export interface Side {
  readonly change: FieldChange;
  readonly signals: readonly WeighedSignal[];
  /** How sure these signals are of it together, 0–1. */
  readonly effect: number;
  readonly confidence: number;
}

/** What one signal says about one subject. */
interface Vote {
  readonly subject: string;
  /** Equal for votes that say the same. */
  readonly saying: string;
  readonly change: FieldChange;
  readonly signal: WeighedSignal;
}

/** Returns every subject of the signals. A proposal with a field that its class may not write has no vote (section 3). */
export function subjectsOf(signals: readonly WeighedSignal[]): readonly Subject[] {
  const votes = signals.filter((signal) => strength(signal) > 0).flatMap(votesOf);
  return [...Map.groupBy(votes, (vote) => vote.subject).values()].map((group) => ({
    field: group[0]?.change.field ?? '',
    sides: sidesOf(group),
  }));
}

/** Returns the side that these signals form. */
export function sideOf(change: FieldChange, signals: readonly WeighedSignal[]): Side {
  return { change, signals, effect: combinedStrength(signals), confidence: confidenceOf(signals) };
}

/** Returns the members of a list; any other value is its own only member. */
export function membersOf(value: Yaml): readonly Yaml[] {
  return Array.isArray(value) ? value : [value];
}

/** Returns each signal once, by its id. */
export function unique(signals: readonly WeighedSignal[]): readonly WeighedSignal[] {
  return [...new Map(signals.map((signal) => [signal.id, signal])).values()];
}

function sidesOf(votes: readonly Vote[]): readonly Side[] {
  const sides = [...Map.groupBy(votes, (vote) => vote.saying).values()].flatMap((group) => {
    const strongest = group.toSorted((one, other) => byStrength(one.signal, other.signal));
    const [first] = strongest;
    return first === undefined ? [] : [sideOf(first.change, unique(strongest.map((vote) => vote.signal)))];
  });
  return sides.toSorted((one, other) => other.effect - one.effect);
}

function votesOf(signal: WeighedSignal): readonly Vote[] {
  const { proposal, effect } = signal;
  if (effect !== 'mutation' || proposal === null || fieldOutsideClass(proposal) !== null) return [];
  return proposalChanges(proposal)
    .filter((change) => change.field !== 'completedDate')
    .flatMap((change) => (change.op === 'set' ? [setVote(change, signal)] : memberVotes(change, signal)));
}

function setVote(change: FieldChange, signal: WeighedSignal): Vote {
  const named = change.field === 'status' ? { ...change, field: 'state' } : change;
  const state = named.field === 'state' && typeof named.value === 'string' ? stateOf(named.value) : null;
  const plain = state === null ? named : { ...named, value: state };
  return { subject: JSON.stringify([plain.field]), saying: folded(plain.value), change: plain, signal };
}

/** Each member is its own subject, because two signals may agree on one member and not on another. */
function memberVotes(change: FieldChange, signal: WeighedSignal): readonly Vote[] {
  return membersOf(change.value).map((member) => ({
    subject: JSON.stringify([change.field, folded(linkText(member))]),
    saying: change.op,
    change: { ...change, value: member },
    signal,
  }));
}

function linkText(member: Yaml): Yaml {
  return typeof member === 'string' ? member.replace(/^\s*\[\[|\]\]\s*$/g, '') : member;
}

/** Values that differ only in case, spaces or the brackets of a link do not contradict each other. */
function folded(value: Yaml): string {
  const bare = linkText(value);
  return typeof bare === 'string'
    ? bare.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
    : JSON.stringify(bare);
}
