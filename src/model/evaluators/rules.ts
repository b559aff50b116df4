import type { Decision, Evaluator, Question, Verdict, WeighedSignal } from '../../steward/ports/evaluator.ts';
import { fieldOutsideClass, proposalChanges } from '../../steward/ports/mutation-class.ts';
import type { FieldChange } from '../../vault/records/mutation.ts';
import { stateOf, type Yaml } from '../../vault/records/values.ts';
import { plainLine } from '../plain.ts';

const DAY = 86_400_000;
/** A signal has its full weight for a week; from then on it halves every thirty days. */
const FRESH_DAYS = 7;
const HALF_LIFE_DAYS = 30;
const SHOWN = 120;

/** The embedded evaluator: weighs what the signals themselves propose. Same question, same answer; asks nobody. */
export const rules: Evaluator = {
  name: 'rules',
  asksModel: false,
  async evaluate(question, signal) {
    signal.throwIfAborted();
    return weigh(question);
  },
};

/**
 * The verdict over a question. Signals that say the same raise each other; signals that say different things of one
 * field lower each other and leave it to a person.
 */
export function weigh(question: Question): Verdict {
  const subjects = subjectsOf(question.signals);
  const actions = question.signals.filter((signal) => signal.effect === 'action' && strength(signal) > 0);
  const split = subjects.find((subject) => subject.sides.length > 1);
  if (split !== undefined) return contradiction(split);
  if (actions.length > 0) return personNeeded(actions, subjects, question);
  return subjects.length > 0 ? agreement(subjects, question) : nothingUsable(question.signals);
}

/** What one field, or one member of a list field, is said to become, and by whom: strongest side first. */
interface Subject {
  readonly field: string;
  readonly sides: readonly Side[];
}

interface Side {
  readonly change: FieldChange;
  readonly signals: readonly WeighedSignal[];
  /** How sure these signals are of it together, 0–1. */
  readonly effect: number;
  readonly confidence: number;
}

/** One signal's word on one subject. */
interface Vote {
  readonly subject: string;
  readonly saying: string;
  readonly change: FieldChange;
  readonly signal: WeighedSignal;
}

function agreement(subjects: readonly Subject[], question: Question): Verdict {
  const sides = subjects.flatMap((subject) => subject.sides);
  const changes = changesOf(sides, question.target.state);
  const lines = sides.map((side) => `${sentenceFor(side)}.`);
  return {
    decision: decisionOf(changes),
    confidence: lowest(sides),
    reasoning: `Rules: ${lines.join(' ')}`,
    evidence: evidenceOf(signalsOf(sides)),
    source_contributions: contributionsOf(sides),
    changes: [...changes],
  };
}

/** Different values for one field: nobody is right enough. The doubt of the second side is taken off the first. */
function contradiction({ field, sides }: Subject): Verdict {
  const [first, second] = sides;
  const doubt = 1 - (second?.effect ?? 0);
  const shares = contributionsOf(sides);
  return {
    decision: 'needs_input',
    confidence: round4((first?.confidence ?? 0) * doubt),
    reasoning: `Rules: The signals disagree about ${field}: ${sides.map(sentenceFor).join('; but ')}. A person should decide.`,
    evidence: evidenceOf(signalsOf(sides)),
    source_contributions: Object.fromEntries(
      Object.entries(shares).map(([source, share]) => [source, round4(share * doubt)]),
    ),
    changes: [],
  };
}

/** Something is asked of the person. What the other signals agree on goes along as a proposal. */
function personNeeded(actions: readonly WeighedSignal[], subjects: readonly Subject[], question: Question): Verdict {
  const asked: Side = sideOf({ field: 'action', op: 'set', value: null }, actions);
  const sides = subjects.flatMap((subject) => subject.sides);
  const also = sides.map((side) => ` ${sentenceFor(side)}.`).join('');
  return {
    decision: 'needs_input',
    confidence: sides.length > 0 ? lowest(sides) : asked.confidence,
    reasoning: `Rules: Something is asked of you by ${actions.map(spoken).join(' and ')}.${also}`,
    evidence: evidenceOf([...actions, ...signalsOf(sides)]),
    source_contributions: contributionsOf([asked, ...sides]),
    changes: [...changesOf(sides, question.target.state)],
  };
}

/** The more the unreadable signals say that something happened, the less sure it is that nothing did. */
function nothingUsable(signals: readonly WeighedSignal[]): Verdict {
  const heard = signals.filter((signal) => signal.effect !== 'none');
  const names = heard.map(spoken).join(' and ');
  return {
    decision: 'still_active',
    confidence: round4(1 - combined(heard)),
    reasoning: heard.length === 0 ? 'Rules: No signal says otherwise.' : `Rules: No change can be read from ${names}.`,
    evidence: evidenceOf(heard),
    source_contributions: {},
    changes: [],
  };
}

function decisionOf(changes: readonly FieldChange[]): Decision {
  const state = changes.find(isState)?.value;
  if (state === 'done') return 'likely_done';
  return state === 'archived' ? 'stale_archive_candidate' : 'still_active';
}

/** The changes agreed on, without a state that the note is in already. */
function changesOf(sides: readonly Side[], state: string): readonly FieldChange[] {
  const changes = mergedChanges(sides);
  const stays = changes.some((change) => isState(change) && change.value === state);
  return stays ? changes.filter((change) => !isState(change) && change.field !== 'completedDate') : changes;
}

/** One change for each field and operation: the state first, then as the signals name them. */
function mergedChanges(sides: readonly Side[]): readonly FieldChange[] {
  const groups = Map.groupBy(sides, ({ change }) => JSON.stringify([change.field, change.op]));
  const changes = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    if (first.change.op === 'set') return withCompletion(first);
    return [{ ...first.change, value: group.flatMap((side) => membersOf(side.change.value)) }];
  });
  return [...changes.filter(isState), ...changes.filter((change) => !isState(change))];
}

/** The day something was done goes with the state; the strongest signal that names one is believed. */
function withCompletion({ change, signals }: Side): FieldChange[] {
  if (!isState(change) || change.value !== 'done') return [change];
  const named = signals.map((signal) => signal.proposal?.set.completedDate).find((date) => typeof date === 'string');
  return named === undefined ? [change] : [change, { field: 'completedDate', op: 'set', value: named }];
}

function isState(change: FieldChange): boolean {
  return change.field === 'state';
}

/** All subjects the signals speak of. A proposal with a part its class may not write has no say (contract, section 3). */
function subjectsOf(signals: readonly WeighedSignal[]): readonly Subject[] {
  const votes = signals.filter((signal) => strength(signal) > 0).flatMap(votesOf);
  return [...Map.groupBy(votes, (vote) => vote.subject).values()].map((group) => ({
    field: group[0]?.change.field ?? '',
    sides: sidesOf(group),
  }));
}

function sidesOf(votes: readonly Vote[]): readonly Side[] {
  const sides = [...Map.groupBy(votes, (vote) => vote.saying).values()].flatMap((group) => {
    const strongest = group.toSorted((one, other) => byStrength(one.signal, other.signal));
    const [first] = strongest;
    return first === undefined ? [] : [sideOf(first.change, unique(strongest.map((vote) => vote.signal)))];
  });
  return sides.toSorted((one, other) => other.effect - one.effect);
}

function sideOf(change: FieldChange, signals: readonly WeighedSignal[]): Side {
  return { change, signals, effect: combined(signals), confidence: confidenceOf(signals) };
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

/** Each member is a subject of its own: two signals may agree on one and not on another. */
function memberVotes(change: FieldChange, signal: WeighedSignal): readonly Vote[] {
  return membersOf(change.value).map((member) => ({
    subject: JSON.stringify([change.field, folded(linkText(member))]),
    saying: change.op,
    change: { ...change, value: member },
    signal,
  }));
}

function membersOf(value: Yaml): readonly Yaml[] {
  return Array.isArray(value) ? value : [value];
}

function linkText(member: Yaml): Yaml {
  return typeof member === 'string' ? member.replace(/^\s*\[\[|\]\]\s*$/g, '') : member;
}

/** A value as it compares: case, spaces and the brackets of a link make no contradiction. */
function folded(value: Yaml): string {
  const bare = linkText(value);
  return typeof bare === 'string'
    ? bare.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
    : JSON.stringify(bare);
}

/** How much a signal says by itself: its effect, less with age. */
function strength({ effectConfidence, ageMs }: WeighedSignal): number {
  const beyond = Math.max(0, ageMs / DAY - FRESH_DAYS);
  return effectConfidence * 2 ** (-beyond / HALF_LIFE_DAYS);
}

function byStrength(one: WeighedSignal, other: WeighedSignal): number {
  return strength(other) - strength(one) || (one.id < other.id ? -1 : 1);
}

/** Noisy-or: independent sources raise each other. A further signal of one source counts half of the one before. */
function combined(signals: readonly WeighedSignal[]): number {
  const bySource = Map.groupBy(signals, (signal) => signal.sourceType);
  const doubts = [...bySource.values()].map((own) =>
    own.toSorted(byStrength).reduce((doubt, signal, index) => doubt * (1 - strength(signal) / 2 ** index), 1),
  );
  return 1 - doubts.reduce((all, doubt) => all * doubt, 1);
}

/**
 * min(weighted target confidence, combined effect confidence), and never less than the best of them says alone: a
 * second witness who is unsure which note is meant does not make the first one less sure.
 */
function confidenceOf(signals: readonly WeighedSignal[]): number {
  const weight = signals.reduce((sum, signal) => sum + strength(signal), 0);
  const targets = signals.reduce((sum, signal) => sum + strength(signal) * signal.targetConfidence, 0);
  const together = Math.min(weight > 0 ? targets / weight : 0, combined(signals));
  return round4(Math.max(together, ...signals.map((signal) => Math.min(signal.targetConfidence, strength(signal)))));
}

/** How much of the conclusion a source would bear by itself: 1 where it stands alone; of several changes, the most. */
function contributionsOf(sides: readonly Side[]): Record<string, number> {
  const shares = new Map<string, number>();
  for (const side of sides) {
    for (const [source, own] of Map.groupBy(side.signals, (signal) => signal.sourceType)) {
      const share = side.effect > 0 ? Math.min(1, combined(own) / side.effect) : 0;
      shares.set(source, Math.max(round4(share), shares.get(source) ?? 0));
    }
  }
  return Object.fromEntries(shares);
}

function lowest(sides: readonly Side[]): number {
  return Math.min(...sides.map((side) => side.confidence));
}

function signalsOf(sides: readonly Side[]): readonly WeighedSignal[] {
  return unique(sides.flatMap((side) => side.signals));
}

function unique(signals: readonly WeighedSignal[]): readonly WeighedSignal[] {
  return [...new Map(signals.map((signal) => [signal.id, signal])).values()];
}

function evidenceOf(signals: readonly WeighedSignal[]): Verdict['evidence'] {
  return unique(signals).map((signal) => ({
    source: signal.sourceType,
    ref: `[[${signal.id}]]`,
    note: plainLine(signal.headline ?? signal.quote ?? '', SHOWN),
  }));
}

/** `state should become done, by “Paid” [[id]] (bank, 0.93)`. */
function sentenceFor({ change, signals }: Side): string {
  const value = plainLine(typeof change.value === 'string' ? change.value : JSON.stringify(change.value), SHOWN);
  const what = { set: `should become ${value}`, add: `should gain ${value}`, remove: `should lose ${value}` }[
    change.op
  ];
  return `${plainLine(change.field, SHOWN)} ${what}, by ${signals.map(spoken).join(' and ')}`;
}

function spoken(signal: WeighedSignal): string {
  const words = plainLine(signal.headline ?? signal.quote ?? '', SHOWN);
  const said = words === '' ? '' : `“${words}” `;
  return `${said}[[${signal.id}]] (${plainLine(signal.sourceType, SHOWN)}, ${round4(signal.effectConfidence)})`;
}

function round4(figure: number): number {
  return Math.round(figure * 10_000) / 10_000;
}
