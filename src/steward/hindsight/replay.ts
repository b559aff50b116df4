import { channelOf, sourceKey } from '../../vault/source-names.ts';
import { dispositionOf } from '../changes/disposition.ts';
import type { Permission } from '../changes/permission.ts';
import { discretionGate, type Gate, type Mode, modeGate, type Thresholds } from '../gates/gate.ts';
import { reasonIn } from '../gates/refusal-words.ts';
import { clamp, round4 } from '../gates/rounding.ts';
import { effectConfidence } from '../learning/instinct.ts';
import type { Outcome } from './scorecard.ts';

/** Settings to replay decisions with. Whatever is left out stays as it was recorded. */
export interface Overrides {
  readonly mode?: Mode | undefined;
  readonly confidence_threshold?: number | undefined;
  readonly high_confidence_threshold?: number | undefined;
  /** For every note, instead of the note's own threshold and of what experience says. */
  readonly discretion_threshold?: number | undefined;
  readonly editable_fields?: readonly string[] | undefined;
  readonly protected_fields?: readonly string[] | undefined;
  /** Source → the trust in it, instead of its instinct's confidence. A channel stands for all who speak in it. */
  readonly priors: ReadonlyMap<string, number>;
}

/** Replays decisions as they were recorded. */
export const NO_OVERRIDES: Overrides = { priors: new Map() };

/** What the gates asked when a decision was made. */
export interface Circumstances {
  readonly mode: Mode;
  readonly thresholds: Thresholds;
  /** The discretion threshold of a source; null where the source is never acted upon. */
  readonly discretion: (source: string) => number | null;
  /** The gates that asked who the sender was, as recorded; empty in a record of before they were asked. */
  readonly standing: readonly Gate[];
}

/** Returns circumstances with some settings replaced. */
export function under(overrides: Overrides, recorded: Circumstances): Circumstances {
  const { discretion_threshold: discretion } = overrides;
  return {
    mode: overrides.mode ?? recorded.mode,
    thresholds: {
      confidence: overrides.confidence_threshold ?? recorded.thresholds.confidence,
      highConfidence: overrides.high_confidence_threshold ?? recorded.thresholds.highConfidence,
    },
    discretion: discretion === undefined ? recorded.discretion : () => discretion,
    standing: recorded.standing,
  };
}

/**
 * Returns a signal's effect confidence under another trust in its source. `raw` is the confidence before any trust,
 * null where it is not known.
 */
export function trusted(
  signal: { readonly source: string; readonly effectConfidence: number; readonly raw: number | null },
  { priors }: Overrides,
): number {
  const prior = priors.get(sourceKey(signal.source)) ?? priors.get(sourceKey(channelOf(signal.source)));
  if (prior === undefined || signal.raw === null) return signal.effectConfidence;
  return effectConfidence(signal.raw, { confidence: clamp(prior, 0, 1) });
}

/** A recorded decision, as the gates see it. */
export interface Judged {
  readonly decision: string;
  readonly confidence: number;
  readonly permission: Permission;
  readonly signals: readonly { readonly source: string; readonly effectConfidence: number }[];
  /** Why the record says that only a person may decide it; null where it does not. */
  readonly person: string | null;
}

/** What becomes of a decision, and why. */
export interface Replayed {
  readonly outcome: Outcome;
  readonly decision: string;
  readonly confidence: number;
  /** The gate that decides; null where every gate holds. */
  readonly gate: string | null;
  /** One sentence with the gate's figures. */
  readonly reason: string;
}

/** Returns what becomes of a decision under given circumstances. The rate guard is assumed to have room, as it had. */
export function rejudge(judged: Judged, circumstances: Circumstances): Replayed {
  const { decision, confidence, permission, person } = judged;
  const gates = gatesFor(judged, circumstances);
  const disposition = dispositionOf(circumstances.mode, gates, permission);
  const decided = { decision, confidence: round4(confidence) };
  if (!permission.ok) return { ...decided, outcome: 'nothing', gate: 'writing', reason: permission.reason };
  if (permission.edits.length === 0)
    return { ...decided, outcome: 'nothing', gate: 'none', reason: 'No change proposed.' };
  if (disposition === 'act') return { ...decided, outcome: 'acted', gate: null, reason: 'Every gate holds.' };
  const outcome = disposition === 'propose' ? 'proposed' : 'recorded';
  return {
    ...decided,
    outcome,
    ...(decidingGate(gates, disposition === 'record') ?? { gate: 'person', reason: person ?? REOPENING }),
  };
}

const REOPENING = 'reopening always waits for a person.';

function gatesFor({ signals, confidence }: Judged, circumstances: Circumstances): readonly Gate[] {
  return [
    ...circumstances.standing,
    discretionGate(signals, circumstances.discretion),
    modeGate(circumstances.mode, confidence, circumstances.thresholds),
  ];
}

// In shadow the mode decides, whatever the other gates say.
function decidingGate(gates: readonly Gate[], isShadow: boolean): Pick<Replayed, 'gate' | 'reason'> | null {
  const closed = gates.find((gate) => !gate.held && (!isShadow || gate.name === 'mode'));
  if (closed === undefined) return null;
  return { gate: closed.name, reason: reasonIn(closed.sentence) };
}
