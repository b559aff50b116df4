import { effectiveMode, type Mode, type Thresholds } from '../../steward/gates/gate.ts';
import type { Context } from './ports.ts';

/** What the environment and the vault allow. */
type Ground = Pick<Context, 'env' | 'settings'>;

/** Returns the mode that holds: the environment's ceiling, lowered by the vault and by the caller. */
export function modeOf({ env, settings }: Ground, caller: Mode | null): Mode {
  return effectiveMode(env.ceiling, settings.mode, caller);
}

/** Returns the thresholds that hold: the stricter of the environment's and the vault's figures. */
export function thresholdsOf({ env, settings }: Ground): Thresholds {
  const stricter = (given: number | null, vault: number | null, otherwise: number) =>
    given === null && vault === null ? otherwise : Math.max(given ?? 0, vault ?? 0);
  return {
    confidence: stricter(env.confidenceThreshold, settings.confidence_threshold, 0.6),
    highConfidence: stricter(env.highConfidenceThreshold, settings.high_confidence_threshold, 0.85),
  };
}
