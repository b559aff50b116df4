import { EXIT, StewardError } from '../../vault/errors.ts';

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
