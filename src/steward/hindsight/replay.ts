import { dispositionOf } from '../changes/disposition.ts';
import type { Permission } from '../changes/permission.ts';
import { discretionGate, type Gate, type Mode, modeGate, type Thresholds } from '../gates/gate.ts';
import { clamp, round4 } from '../gates/rounding.ts';
import { effectConfidence } from '../learning/instinct.ts';
import type { Outcome } from './scorecard.ts';

/** What is put in the place of the settings that held; what is left out stays as it was recorded. */
export interface Overrides {
  readonly mode?: Mode | undefined;
  readonly confidence_threshold?: number | undefined;
  readonly high_confidence_threshold?: number | undefined;
  /** For every note, whatever its own says and experience gives. */
  readonly discretion_threshold?: number | undefined;
  readonly editable_fields?: readonly string[] | undefined;
  readonly protected_fields?: readonly string[] | undefined;
  /** Source → the trust in it, in the place of its instinct's confidence. */
  readonly priors: ReadonlyMap<string, number>;
}

export const NO_OVERRIDES: Overrides = { priors: new Map() };

/** What the gates asked when a decision was made. */
export interface Circumstances {
  readonly mode: Mode;
  readonly thresholds: Thresholds;
  /** What discretion asks of a source; null where nothing of it is acted upon. */
  readonly discretion: (source: string) => number | null;
}

/** The same with other settings in their place. */
export function under(overrides: Overrides, held: Circumstances): Circumstances {
  const { discretion_threshold: discretion } = overrides;
  return {
    mode: overrides.mode ?? held.mode,
    thresholds: {
      confidence: overrides.confidence_threshold ?? held.thresholds.confidence,
      highConfidence: overrides.high_confidence_threshold ?? held.thresholds.highConfidence,
    },
    discretion: discretion === undefined ? held.discretion : () => discretion,
  };
}

/** A signal's effect confidence where the trust in its source is another one; `raw` is what its own text said. */
export function trusted(
  signal: { readonly source: string; readonly effectConfidence: number; readonly raw: number | null },
  { priors }: Overrides,
): number {
  const prior = priors.get(signal.source.trim().toLowerCase());
  if (prior === undefined || signal.raw === null) return signal.effectConfidence;
  return effectConfidence(signal.raw, { confidence: clamp(prior, 0, 1) });
}

/** A decision as the gates see it. */
export interface Judged {
  readonly decision: string;
  readonly confidence: number;
  readonly permission: Permission;
  readonly signals: readonly { readonly sourceType: string; readonly effectConfidence: number }[];
  /** Why only a person decides it, as it was recorded; null where nothing says so. */
  readonly person: string | null;
}

/** What becomes of a decision, and the gate that decides it; null where every gate holds. */
export interface Replayed {
  readonly outcome: Outcome;
  readonly decision: string;
  readonly confidence: number;
  readonly gate: string | null;
  /** One sentence with the gate's figures. */
  readonly reason: string;
}

/** What becomes of a decision under given circumstances. The rate guard is taken to have had room, as it had. */
export function rejudge(judged: Judged, circumstances: Circumstances): Replayed {
  const { decision, confidence, permission, person } = judged;
  const gates = gatesFor(judged, circumstances);
  const judgement = dispositionOf(circumstances.mode, gates, permission);
  const said = { decision, confidence: round4(confidence) };
  if (!permission.ok) return { ...said, outcome: 'nothing', gate: 'writing', reason: permission.reason };
  if (permission.edits.length === 0)
    return { ...said, outcome: 'nothing', gate: 'none', reason: 'No change is asked for.' };
  if (judgement === 'act') return { ...said, outcome: 'acted', gate: null, reason: 'Every gate holds.' };
  const outcome = judgement === 'propose' ? 'proposed' : 'recorded';
  return {
    ...said,
    outcome,
    ...(decidingGate(gates, judgement === 'record') ?? { gate: 'person', reason: person ?? REOPENING }),
  };
}

const REOPENING = 'reopening is only ever proposed.';

function gatesFor({ signals, confidence }: Judged, circumstances: Circumstances): readonly Gate[] {
  return [
    discretionGate(signals, circumstances.discretion),
    modeGate(circumstances.mode, confidence, circumstances.thresholds),
  ];
}

// In shadow it is the mode that decides, whatever the others say.
function decidingGate(gates: readonly Gate[], isShadow: boolean): Pick<Replayed, 'gate' | 'reason'> | null {
  const closed = gates.find((gate) => !gate.held && (!isShadow || gate.name === 'mode'));
  if (closed === undefined) return null;
  return { gate: closed.name, reason: closed.sentence.replace(/^[a-z ]+: /, '') };
}
