import { classOfField } from '../../../src/steward/change.ts';
import type { Evaluator, EvaluatorQuestion, Verdict, WeighedSignal } from '../../../src/steward/types.ts';
import type { MutationClass } from '../../../src/vault/record.ts';
import { type DecisionCase, titleOf } from '../case.ts';
import { wouldAct } from './acting.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T09:15:30Z');

/** What an evaluator decided in one case. */
export interface Ruling {
  readonly asked: DecisionCase;
  readonly verdict: Verdict;
  readonly isRight: boolean;
  readonly actsWrongly: boolean;
}

/** Puts the signals of one case before the evaluator, as a tick would. */
export async function rule(asked: DecisionCase, evaluator: Evaluator): Promise<Ruling> {
  const question = questionOf(asked);
  const verdict = await evaluator.evaluate(question, AbortSignal.timeout(60_000));
  const { decision, set } = asked.expect;
  // Both sides of a contradiction are put to the person, so nothing is decided.
  const isOpen = isContested(verdict);
  const changes = isOpen ? {} : Object.fromEntries(verdict.changes.map((change) => [change.field, change.value]));
  const isSameChange = JSON.stringify(sorted(changes)) === JSON.stringify(sorted(set));
  const isRight = (isOpen ? 'needs_input' : verdict.decision) === decision && isSameChange;
  const actsWrongly = !isOpen && wouldAct(verdict, question.signals) && (asked.never_acts || !isSameChange);
  return { asked, verdict, isRight, actsWrongly };
}

/** Whether a verdict names two values of one field: none of them is made without a person. */
function isContested({ changes }: Verdict): boolean {
  return new Set(changes.map(({ field }) => field)).size < changes.length;
}

function questionOf(asked: DecisionCase): EvaluatorQuestion {
  const path = `task/${asked.id}.md`;
  const target = { kind: 'task', path, name: asked.id, state: asked.state, fields: {}, matter: null } as const;
  return { target, signals: asked.signals.map((each, index) => signalOf(asked, each, index)), now: NOW };
}

function signalOf(asked: DecisionCase, said: DecisionCase['signals'][number], index: number): WeighedSignal {
  const id = `${titleOf(asked).replace('/', '-')}-${index}`;
  const set = said.says;
  const proposal = set === undefined ? null : { class: said.class ?? classOf(set), set, add: {}, remove: {} };
  return {
    path: `signal/${id}.md`,
    id,
    source: said.source,
    effect: said.asks ? 'action' : 'mutation',
    effectConfidence: said.effect,
    targetConfidence: said.target,
    ageMs: said.days_old * DAY_MS,
    headline: null,
    quote: null,
    proposal,
  };
}

function classOf(set: Readonly<Record<string, unknown>>): MutationClass {
  return classOfField(Object.keys(set)[0] ?? '');
}

function sorted(set: Readonly<Record<string, unknown>>): readonly [string, unknown][] {
  return Object.entries(set).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
