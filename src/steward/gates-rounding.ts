import { EXIT, StewardError } from '../vault/errors.ts';

/** From what touches nothing to what acts most freely (contract, section 6). */
export const MODES = ['shadow', 'live_high_confidence_only', 'live'] as const;
export type Mode = (typeof MODES)[number];

/**
 * Returns the ceiling that `STEWARD_LIVE_MODE` sets. Absent or empty is shadow.
 * @throws StewardError `settings-mode`, exit 78, where the word is unknown (contract, section 16).
 */
export function parseMode(word: string | undefined): Mode {
  const text = (word ?? '').trim();
  const mode = text === '' ? 'shadow' : modeOf(text);
  if (mode !== null) return mode;
  throw new StewardError(
    {
      code: 'settings-mode',
      message: `STEWARD_LIVE_MODE names no mode: "${text.slice(0, 60)}".`,
      hint: 'Set it to shadow, live_high_confidence_only or live.',
    },
    EXIT.settings,
  );
}

/** Returns the mode that a word of the vault's settings names, or null where the word is unknown. */
export function modeOf(word: string): Mode | null {
  return MODES.find((mode) => mode === word.trim()) ?? null;
}

/** Returns the mode that holds. The vault and the caller can lower the ceiling, never raise it; null lowers nothing. */
export function effectiveMode(ceiling: Mode, vault: Mode | null, caller: Mode | null): Mode {
  const rank = Math.min(...[ceiling, vault ?? 'live', caller ?? 'live'].map((mode) => MODES.indexOf(mode as Mode)));
  return MODES[rank] ?? 'shadow';
}

/** Returns a figure rounded to four decimals, as confidences and costs are kept and shown. */
export function round4(figure: number): number {
  return Math.round(figure * 10_000) / 10_000;
}

/**
 * Returns whether a figure is at or above its threshold (contract, section 16). The slack only forgives floating point
 * errors, as in 0.9 × 0.9 ≥ 0.81.
 */
export function clears(figure: number, threshold: number): boolean {
  return figure >= threshold - 1e-9;
}

/** Returns the figure, or the bound it lies beyond. */
export function clamp(figure: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, figure));
}
