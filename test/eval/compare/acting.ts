import { routeAlone } from '../../../src/steward/gates-freshness-gate.ts';
import { DEFAULT_THRESHOLDS, discretionGate, judge, modeGate } from '../../../src/steward/gates-gate.ts';
import type { Evaluator, Question, Verdict, WeighedSignal } from '../../../src/steward/ports/evaluator.ts';
import type { SignalDraft } from '../../../src/stream/draft.ts';
import { signalFields } from '../../../src/vault/status-words.ts';
import { LOW_EXPERIENCE } from '../../support/gates.ts';
import { nameOf } from './changes.ts';

/**
 * Returns the signals of one mail that the gates themselves, in live mode, would act upon without a person: each alone at
 * once, or all for one note together at the tick, where a strong one must not carry a wrong one along. It is asked as if
 * every sender were named and vouched for: what is measured is the reading.
 */
export async function actedUpon(
  drafts: readonly SignalDraft[],
  evaluator: Evaluator,
): Promise<ReadonlySet<SignalDraft>> {
  return new Set([...drafts.filter(actsAtOnce), ...(await actingTogether(drafts, evaluator))]);
}

/** Whether a verdict with changes passes the gates of live mode, from sources without experience. */
export function wouldAct(verdict: Verdict, signals: readonly WeighedSignal[]): boolean {
  const discretion = discretionGate(signals, () => LOW_EXPERIENCE);
  const gates = [discretion, modeGate('live', verdict.confidence, DEFAULT_THRESHOLDS)];
  return verdict.changes.length > 0 && judge('live', gates) === 'act';
}

function actsAtOnce(draft: SignalDraft): boolean {
  const gates = { mode: 'live', thresholds: DEFAULT_THRESHOLDS, discretion: LOW_EXPERIENCE, standing: [] } as const;
  return routeAlone(signalFields.parse(draft), weighedOf(draft), gates).route;
}

async function actingTogether(drafts: readonly SignalDraft[], evaluator: Evaluator): Promise<readonly SignalDraft[]> {
  const certain = drafts.filter((draft) => !draft.target_ambiguous);
  const acting: SignalDraft[] = [];
  for (const group of Map.groupBy(certain, (draft) => draft.target_path).values()) {
    const asked = questionOf(group);
    const verdict = await evaluator.evaluate(asked, AbortSignal.timeout(60_000));
    if (wouldAct(verdict, asked.signals)) acting.push(...group.filter(({ effect }) => effect === 'mutation'));
  }
  return acting;
}

function questionOf(drafts: readonly SignalDraft[]): Question {
  const path = drafts[0]?.target_path ?? '';
  const kind = drafts[0]?.target_kind ?? 'task';
  const target = { kind, path, name: nameOf(path), state: 'open', fields: {}, matter: null } as const;
  return { target, signals: drafts.map(weighedOf), now: Date.parse(drafts[0]?.created ?? '') };
}

function weighedOf(draft: SignalDraft): WeighedSignal {
  return {
    path: `signal/${draft.id}.md`,
    id: draft.id,
    source: draft.source_type,
    effect: draft.effect,
    effectConfidence: draft.effect_confidence,
    targetConfidence: draft.target_confidence,
    ageMs: 0,
    headline: draft.headline,
    quote: draft.raw_quote,
    proposal: signalFields.parse(draft).mutation_proposal,
  };
}
