import { round4 } from '../../steward/gates/rounding.ts';
import {
  type Decision,
  type Evaluator,
  namedByChanges,
  type Question,
  type Verdict,
  type WeighedSignal,
} from '../../steward/ports/evaluator.ts';
import type { FieldChange } from '../../vault/records/mutation.ts';
import { plainLine } from '../plain.ts';
import { ruledOn } from './perceiving.ts';
import { combinedStrength, strength } from './strength.ts';
import { membersOf, type Side, type Subject, sideOf, subjectsOf, unique } from './subject.ts';

/** How much of a signal's text the reasoning quotes, in characters. */
const SHOWN = 120;

/** The embedded evaluator: weighs what the signals themselves propose. Deterministic, and asks no model. */
export const rules: Evaluator = {
  name: 'rules',
  asksModel: false,
  async evaluate(question, signal) {
    signal.throwIfAborted();
    return weigh(question);
  },
};

/**
 * Returns the verdict on a question. Signals that agree strengthen each other; signals that disagree about a field weaken
 * each other and leave the decision to a person.
 */
export function weigh(question: Question): Verdict {
  if (question.perceiving !== undefined) return ruledOn(question.perceiving);
  const subjects = withoutIdleDays(subjectsOf(question.signals));
  const actions = question.signals.filter((signal) => signal.effect === 'action' && strength(signal) > 0);
  const split = subjects.find((subject) => subject.sides.length > 1);
  if (split !== undefined) return contradiction(split);
  if (actions.length > 0) return personNeeded(actions, subjects, question);
  return subjects.length > 0 ? agreement(subjects, question) : nothingUsable(question.signals);
}

/** When something is to be done: no question of a note that is over. */
const DAYS: readonly string[] = ['due', 'scheduled', 'snoozed_until'];

// What is done or called off needs no day any more, whatever a calendar still says.
function withoutIdleDays(subjects: readonly Subject[]): readonly Subject[] {
  const isOver = subjects.some(({ sides }) => sides.length === 1 && sides.some(({ change }) => isEnd(change)));
  return isOver ? subjects.filter(({ field }) => !DAYS.includes(field)) : subjects;
}

function isEnd(change: FieldChange): boolean {
  return isState(change) && (change.value === 'done' || change.value === 'archived');
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

/** With different values for one field, no side is sure enough. The second side's strength weakens the first. */
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

/** Something is asked of the person. What the other signals agree on is proposed as well. */
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

/** The more strongly unusable signals say that something happened, the less sure it is that nothing did. */
function nothingUsable(signals: readonly WeighedSignal[]): Verdict {
  const active = signals.filter((signal) => signal.effect !== 'none');
  const names = active.map(spoken).join(' and ');
  return {
    decision: 'still_active',
    confidence: round4(1 - combinedStrength(active)),
    reasoning: active.length === 0 ? 'Rules: No signal says otherwise.' : `Rules: No change can be read from ${names}.`,
    evidence: evidenceOf(active),
    source_contributions: {},
    changes: [],
  };
}

function decisionOf(changes: readonly FieldChange[]): Decision {
  const state = changes.find(isState)?.value;
  if (state === 'done') return 'likely_done';
  if (state === 'archived') return 'stale_archive_candidate';
  return namedByChanges(
    'still_active',
    changes.map(({ field }) => field),
  );
}

/** Returns the changes agreed on, without a state that the note already has. */
function changesOf(sides: readonly Side[], state: string): readonly FieldChange[] {
  const changes = mergedChanges(sides);
  const stays = changes.some((change) => isState(change) && change.value === state);
  return stays ? changes.filter((change) => !isState(change) && change.field !== 'completedDate') : changes;
}

/** Returns one change for each field and operation: the state first, then in the order of the signals. */
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

/** Adds the completion date to `state = done`, as the strongest signal that has one names it. */
function withCompletion({ change, signals }: Side): FieldChange[] {
  if (!isState(change) || change.value !== 'done') return [change];
  const named = signals.map((signal) => signal.proposal?.set.completedDate).find((date) => typeof date === 'string');
  return named === undefined ? [change] : [change, { field: 'completedDate', op: 'set', value: named }];
}

function isState(change: FieldChange): boolean {
  return change.field === 'state';
}

/** Returns how much of the conclusion each source supports by itself, 0–1: the highest share over all sides. */
function contributionsOf(sides: readonly Side[]): Record<string, number> {
  const shares = new Map<string, number>();
  for (const side of sides) {
    for (const [source, own] of Map.groupBy(side.signals, (signal) => signal.source)) {
      const share = side.effect > 0 ? Math.min(1, combinedStrength(own) / side.effect) : 0;
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

function evidenceOf(signals: readonly WeighedSignal[]): Verdict['evidence'] {
  return unique(signals).map((signal) => ({
    source: signal.source,
    ref: `[[${signal.id}]]`,
    note: plainLine(signal.headline ?? signal.quote ?? '', SHOWN),
  }));
}

/** Such as `state should become done, says “Paid” [[id]] (bank, 0.93)`. */
function sentenceFor({ change, signals }: Side): string {
  const value = plainLine(typeof change.value === 'string' ? change.value : JSON.stringify(change.value), SHOWN);
  const what = { set: `should become ${value}`, add: `should gain ${value}`, remove: `should lose ${value}` }[
    change.op
  ];
  return `${plainLine(change.field, SHOWN)} ${what}, ${signals.length === 1 ? 'says' : 'say'} ${signals.map(spoken).join(' and ')}`;
}

function spoken(signal: WeighedSignal): string {
  const words = plainLine(signal.headline ?? signal.quote ?? '', SHOWN);
  const said = words === '' ? '' : `“${words}” `;
  return `${said}[[${signal.id}]] (${plainLine(signal.source, SHOWN)}, ${signal.effectConfidence.toFixed(2)})`;
}
