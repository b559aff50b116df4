import { type Mode, parseMode } from '../steward/gate.ts';
import { EXIT, StewardError } from '../vault/trouble.ts';

/** What the environment allows: the ceiling that neither the vault nor a caller can raise. */
export interface Environment {
  readonly ceiling: Mode;
  /** `STEWARD_CONFIDENCE_THRESHOLD`, or null where it is not set. */
  readonly confidenceThreshold: number | null;
  /** `STEWARD_HIGH_CONFIDENCE_THRESHOLD`, or null where it is not set. */
  readonly highConfidenceThreshold: number | null;
}

/** Reads the process environment. Throws with exit 78 where a value cannot be meant. */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  return {
    ceiling: parseMode(env.STEWARD_LIVE_MODE),
    confidenceThreshold: threshold(env, 'STEWARD_CONFIDENCE_THRESHOLD'),
    highConfidenceThreshold: threshold(env, 'STEWARD_HIGH_CONFIDENCE_THRESHOLD'),
  };
}

function threshold(env: NodeJS.ProcessEnv, name: string): number | null {
  const written = env[name];
  if (written === undefined || written.trim() === '') return null;
  const figure = Number(written);
  if (Number.isFinite(figure) && figure >= 0 && figure <= 1) return figure;
  throw new StewardError(
    {
      code: 'settings-threshold',
      message: `${name} must be a number from 0 to 1.`,
      hint: `Set it to a figure such as 0.6, or unset it.`,
    },
    EXIT.settings,
  );
}
