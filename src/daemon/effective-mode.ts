import { DEFAULT_THRESHOLDS, type Thresholds } from '../steward/gates-gate.ts';
import { effectiveMode, type Mode } from '../steward/gates-rounding.ts';
import type { Answerable } from '../undo/order.ts';
import type { EventRecord, TargetRecord } from '../vault/index/record.ts';
import type { Vault } from '../vault/watch.ts';
import type { Context } from './context.ts';

/** What the environment and the vault allow. */
type ModeSettings = Pick<Context, 'env' | 'settings'>;

/** Returns the mode that holds: the environment's ceiling, lowered by the vault and by the caller. */
export function modeOf({ env, settings }: ModeSettings, caller: Mode | null): Mode {
  return effectiveMode(env.ceiling, settings.mode, caller);
}

/** Returns the thresholds that hold: the stricter of the environment's and the vault's figures. */
export function thresholdsOf({ env, settings }: ModeSettings): Thresholds {
  const stricter = (given: number | null, vault: number | null, otherwise: number) =>
    given === null && vault === null ? otherwise : Math.max(given ?? 0, vault ?? 0);
  const { confidence, highConfidence } = DEFAULT_THRESHOLDS;
  return {
    confidence: stricter(env.confidenceThreshold, settings.confidence_threshold, confidence),
    highConfidence: stricter(env.highConfidenceThreshold, settings.high_confidence_threshold, highConfidence),
  };
}

/** Returns the current vault-relative path of the note that an event is about; null where the event names none. */
export function targetPath({ catalogue }: Vault, event: Answerable): string | null {
  const path =
    event.kind === 'event' ? event.fields.target_path : (event.fields.undo_recipe?.vault_patch.target ?? null);
  return path === null ? null : catalogue.currentPath(path);
}

/** Returns the matter or task that an event is about; null where there is none, or none any more. */
export function eventTarget(vault: Vault, event: EventRecord): TargetRecord | null {
  const path = targetPath(vault, event);
  const record = path === null ? undefined : vault.catalogue.get(path);
  return record?.kind === 'task' || record?.kind === 'matter' ? record : null;
}
