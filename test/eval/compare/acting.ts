import { proposes } from '../../../src/steward/decide.ts';
import {
  DEFAULT_THRESHOLDS,
  type Mode,
  modeGate,
  routeAlone,
  signalGates,
  type Witness,
} from '../../../src/steward/gates.ts';
import type { Verdict, WeighedSignal } from '../../../src/steward/types.ts';
import type { SignalDraft } from '../../../src/streams/signal.ts';
import { signalFields } from '../../../src/vault/record.ts';

/** As the discretion table has it for a sender with a licence. */
const LICENSED_THRESHOLD = 0.8;
const LICENSED = { ok: true, licence: null, sentence: 'a licence covers it.' } as const;

/**
 * Returns the signals of one mail that the gates themselves, in live mode, would act upon without a person. It is asked
 * as if every sender had a licence and were vouched for: what is measured is the reading.
 */
export function actedUpon(drafts: readonly SignalDraft[]): ReadonlySet<SignalDraft> {
  return new Set(drafts.filter(acts));
}

function acts(draft: SignalDraft): boolean {
  const mode = { mode: 'live' as Mode, thresholds: DEFAULT_THRESHOLDS };
  const gates = () => signalGates(witnessOf(draft), LICENSED, null);
  return routeAlone(signalFields.parse(draft), draft.effect_confidence, mode, gates).route;
}

function witnessOf(draft: SignalDraft): Witness {
  return {
    source: `${draft.source_type}:licensed`,
    sender: draft.source_type,
    vouched: 'pass',
    server: null,
    writer: 'own',
    evidence: draft.target_evidence,
    near: draft.target_near,
    targetConfidence: draft.target_confidence,
    reading: draft.effect_confidence_raw,
    effectConfidence: draft.effect_confidence,
    threshold: LICENSED_THRESHOLD,
    silence: null,
    endsMatter: draft.ends_matter === true,
    warning: null,
    doubt: draft.doubts?.[0] ?? null,
  };
}

/** Whether a verdict would be acted upon in live mode, from licensed senders whose signals lead surely to their note. */
export function wouldAct(verdict: Verdict, signals: readonly WeighedSignal[]): boolean {
  const isSure = modeGate('live', verdict.confidence, DEFAULT_THRESHOLDS).held;
  return isSure && verdict.changes.some((change) => signals.some((signal) => isBasis(signal, change)));
}

function isBasis(
  { proposal, effectConfidence, targetConfidence }: WeighedSignal,
  change: Verdict['changes'][number],
): boolean {
  const isProposed = proposal !== null && proposes(proposal, change);
  return isProposed && effectConfidence >= LICENSED_THRESHOLD && targetConfidence >= 0.85;
}
