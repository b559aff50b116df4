import type { WeighedSignal } from '../ports/evaluator.ts';
import type { Mode } from './mode.ts';
import type { GuardWindow, Reservation } from './rate-guard.ts';
import { clears, round4 } from './rounding.ts';

export { effectiveMode, type Mode, modeOf, parseMode } from './mode.ts';

/** One gate with its figures, as the event note and `explain` name it. */
export interface Gate {
  readonly name: 'discretion' | 'mode' | 'rate_guard' | 'budget';
  /** True where the gate lets the decision through. */
  readonly held: boolean;
  /** What was measured; null where there was nothing to measure. */
  readonly figure: number | null;
  readonly threshold: number;
  readonly sentence: string;
}

/** `STEWARD_CONFIDENCE_THRESHOLD` and `STEWARD_HIGH_CONFIDENCE_THRESHOLD`. */
export interface Thresholds {
  readonly confidence: number;
  readonly highConfidence: number;
}

export const DEFAULT_THRESHOLDS: Thresholds = { confidence: 0.6, highConfidence: 0.85 };

export type Disposition = 'act' | 'propose' | 'record';

/**
 * What becomes of a decision (contract, section 6): in shadow an event note and nothing else; in a live mode an action
 * where all gates hold, and a proposal where one does not.
 */
export function judge(mode: Mode, gates: readonly Gate[]): Disposition {
  if (mode === 'shadow') return 'record';
  return gates.every((gate) => gate.held) ? 'act' : 'propose';
}

/** How sure a signal must be, by the observations behind its source; a note's own threshold wins (section 6). */
export function discretionThreshold(observations: number, noteOverride: number | null): number {
  if (noteOverride !== null) return noteOverride;
  if (observations >= 50) return 0.75;
  if (observations >= 20) return 0.8;
  if (observations >= 10) return 0.85;
  return observations >= 5 ? 0.9 : 0.95;
}

type Contributing = Pick<WeighedSignal, 'sourceType' | 'effectConfidence'>;

/**
 * At least one contributing signal must clear its own source's threshold. Names the one that came closest. A source
 * without a threshold (null) contributes nothing.
 */
export function discretionGate(signals: readonly Contributing[], thresholdOf: (source: string) => number | null): Gate {
  const best = signals
    .flatMap((signal) => {
      const threshold = thresholdOf(signal.sourceType);
      return threshold === null ? [] : [{ ...signal, threshold }];
    })
    .reduce<(Contributing & { threshold: number }) | null>(
      (one, other) => (one === null || margin(other) > margin(one) ? other : one),
      null,
    );
  if (best === null) return noSignals(signals, thresholdOf('other'));
  const held = clears(best.effectConfidence, best.threshold);
  const figure = round4(best.effectConfidence);
  const sentence = held
    ? `discretion: ${best.sourceType} at ${figure} clears its threshold of ${best.threshold}.`
    : `discretion: no signal clears its source's threshold; ${best.sourceType} came closest, ${figure} against ${best.threshold}.`;
  return { name: 'discretion', held, figure, threshold: best.threshold, sentence };
}

function margin(one: { readonly effectConfidence: number; readonly threshold: number }): number {
  return one.effectConfidence - one.threshold;
}

function noSignals([first]: readonly Contributing[], threshold: number | null): Gate {
  const sentence =
    first === undefined
      ? 'discretion: no signal stands behind the decision.'
      : `discretion: nothing of ${first.sourceType} is acted upon until a person has looked at its instinct note.`;
  return { name: 'discretion', held: false, figure: null, threshold: threshold ?? 1, sentence };
}

/** The confidence a mode asks for. In shadow the gate is closed, and shows what live would ask for. */
export function modeGate(mode: Mode, confidence: number, thresholds: Thresholds): Gate {
  const threshold = thresholdIn(mode, thresholds);
  const cleared = clears(confidence, threshold);
  const held = mode !== 'shadow' && cleared;
  const figure = round4(confidence);
  return { name: 'mode', held, figure, threshold, sentence: `mode: ${modeSentence(mode, cleared, figure, threshold)}` };
}

function thresholdIn(mode: Mode, thresholds: Thresholds): number {
  return mode === 'live_high_confidence_only' ? thresholds.highConfidence : thresholds.confidence;
}

function modeSentence(mode: Mode, cleared: boolean, figure: number, threshold: number): string {
  const verb = cleared ? 'clears' : 'is below';
  if (mode === 'shadow')
    return `in shadow nothing is touched; in live, ${figure} ${verb} the threshold of ${threshold}.`;
  return `${figure} ${verb} the ${mode} threshold of ${threshold}.`;
}

/** The rate guard's answer as a gate: what was used of the window, the window's cap, and when there is room. */
export function rateGate(reservation: Reservation): Gate {
  if (reservation.ok) {
    return { name: 'rate_guard', held: true, figure: null, threshold: 0, sentence: 'rate guard: there was room.' };
  }
  const { used, cap, freeAt, window } = reservation;
  const until = new Date(freeAt).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const full = window === 'backoff' ? 'the provider asked us to wait' : `${used} of ${cap} used ${PER[window]}`;
  return {
    name: 'rate_guard',
    held: false,
    figure: used,
    threshold: cap,
    sentence: `rate guard: ${full}; free at ${until}.`,
  };
}

const PER: Readonly<Record<Exclude<GuardWindow, 'backoff'>, string>> = {
  minute: 'this minute',
  hour: 'this hour',
  day: 'today',
  task: 'by this task in a day',
  matter: 'by this matter in a day',
};
