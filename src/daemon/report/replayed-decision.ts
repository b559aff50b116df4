import { weigh } from '../../model/evaluators/rules.ts';
import { recordedChanges } from '../../steward/changes/recorded-changes.ts';
import { routeAlone } from '../../steward/gates/route.ts';
import { type Overrides, trusted, under } from '../../steward/hindsight/replay.ts';
import { proposalChanges } from '../../steward/ports/mutation-class.ts';
import type { EventRecord, SignalRecord } from '../../vault/index/record.ts';
import { stem } from '../../vault/note-names.ts';
import type { Settings } from '../context/settings.ts';
import type { Decision } from '../decide/decision.ts';
import { type DecisionContext, weighedThen } from './decision-context.ts';

/**
 * Where a replayed decision comes from: the rules asked again, the signal that was strong enough alone, or the record.
 */
export type JudgedBy = 'rules' | 'signal' | 'record';

/** A decision made again, before the rules of writing and the gates. */
type ReplayedDecision = Pick<Decision, 'decision' | 'confidence' | 'changes' | 'proposal'>;

/** Returns who can judge a recorded decision again: the rules and single signals can, a model cannot. */
export function judgeOf({ event, signals }: DecisionContext): JudgedBy {
  if (signals === null || signals.length === 0) return 'record';
  if (event.fields.type === 'signal-action') return signals.length === 1 ? 'signal' : 'record';
  return event.fields.evaluator?.startsWith('rules') === true ? 'rules' : 'record';
}

/** Returns the decision as it would be made under other settings. */
export function replayedDecision(
  context: DecisionContext,
  judgedBy: JudgedBy,
  settings: Settings,
  overrides: Overrides,
): ReplayedDecision {
  const [signal] = context.signals ?? [];
  if (judgedBy === 'record' || signal === undefined) return recordedDecision(context, settings);
  const routed = judgedBy === 'signal' ? decisionBySignal(context, signal, overrides) : null;
  return routed ?? decisionByRules(context, overrides);
}

/** Returns a signal's effect confidence, 0–1, given the trust that the overrides put in its source. */
export function trust(context: DecisionContext, signal: SignalRecord, overrides: Overrides): number {
  const { source, effectConfidence } = context.speakerOf(signal);
  return trusted({ source, effectConfidence, raw: signal.fields.effect_confidence_raw }, overrides);
}

/**
 * Whether two confidences are the same but for the rounding of an event's time to the second, which makes an old signal
 * weigh a little more or less.
 */
export function isSameConfidence(one: number, other: number): boolean {
  return Math.abs(one - other) <= 0.0005;
}

function recordedDecision({ event }: DecisionContext, settings: Settings): ReplayedDecision {
  const { decision, confidence, changes } = event.fields;
  return {
    decision,
    confidence,
    changes: recordedChanges(changes, settings.field_mapping, settings.status_values),
    proposal: null,
  };
}

// Null where the signal would not have been strong enough alone, and would have waited for the tick.
function decisionBySignal(
  context: DecisionContext,
  signal: SignalRecord,
  overrides: Overrides,
): ReplayedDecision | null {
  const { fields } = signal;
  const proposal = fields.mutation_proposal;
  if (proposal === null) return null;
  const asked = under(overrides, context.circumstances);
  const routable = {
    ...fields,
    ...{ status: 'unrouted' as const, steward: true, target_ambiguous: false },
  };
  const { source } = context.speakerOf(signal);
  const speaker = { source, effectConfidence: trust(context, signal, overrides) };
  // Whether a matter may be closed is asked of the decision, not of the signal.
  const standing = asked.standing.filter(({ name }) => name === 'sender' || name === 'reading');
  const route = routeAlone(routable, speaker, { ...asked, standing, discretion: asked.discretion(source) });
  if (!route.route) return null;
  return { decision: proposal.class, confidence: route.confidence, changes: proposalChanges(proposal), proposal };
}

function decisionByRules(context: DecisionContext, overrides: Overrides): ReplayedDecision {
  const { event, at } = context;
  const { kind, state, fields, matter } = context.note;
  const path = event.fields.target_path ?? '';
  const signals = (context.signals ?? []).map((signal) => ({
    ...weighedThen(context, signal),
    effectConfidence: trust(context, signal, overrides),
  }));
  const { decision, confidence, changes } = weigh({
    target: { kind, path, name: stem(path), state, fields, matter },
    signals,
    now: at,
  });
  return { decision, confidence: confidenceThen(confidence, event, overrides), changes, proposal: null };
}

function confidenceThen(confidence: number, event: EventRecord, { priors }: Overrides): number {
  const recorded = event.fields.confidence;
  return isSameConfidence(confidence, recorded) && priors.size === 0 ? recorded : confidence;
}
