import { utc } from '../vault/time.ts';
import type { GuardWindow, Reservation } from './gates.ts';
import { clears, type Mode, round4 } from './gates-rounding.ts';
import type { WeighedSignal } from './ports/evaluator.ts';

const DIGITS = [2, 3, 4];

/** Gates whose reason needs a name before it. */
const NAMES: Readonly<Record<string, string>> = { rate_guard: 'rate guard', budget: 'budget' };

/** Returns why a gate refused, for where its reason stands alone: `not sure enough: mail scored 0.84, 0.95 needed.` */
export function refusalWords(gate: string, reason: string): string {
  const isMeasured = gate === 'discretion' && / needed\.?$/.test(reason);
  const name = isMeasured ? 'not sure enough' : NAMES[gate];
  return name === undefined ? reason : `${name}: ${reason}`;
}

/** Returns the reason in the sentence of a gate, without the gate's name. */
export function reasonIn(sentence: string): string {
  return sentence.replace(/^[a-z ]+: /, '');
}

/** Returns a figure with two decimals, or with as many more as it takes to stand on its own side of the threshold. */
export function figureWords(figure: number, threshold: number): string {
  const shown = DIGITS.map((digits) => figure.toFixed(digits));
  return shown.find((text) => clears(Number(text), threshold) === clears(figure, threshold)) ?? String(figure);
}

/** Returns a threshold with two decimals, or with all that it has. */
function thresholdWords(threshold: number): string {
  const short = threshold.toFixed(2);
  return Number(short) === threshold ? short : String(threshold);
}

/** One gate with its figures, as the event note and `explain` name it. */
export interface Gate {
  readonly name: 'discretion' | 'sender' | 'reading' | 'closing' | 'freshness' | 'mode' | 'rate_guard' | 'budget';
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

/** The thresholds where neither the environment nor the vault names any. */
export const DEFAULT_THRESHOLDS: Thresholds = { confidence: 0.6, highConfidence: 0.85 };

/** What becomes of a decision: its change is made, is proposed to a person, or only stands in an event note. */
export type Disposition = 'act' | 'propose' | 'record';

/**
 * Returns what becomes of a decision (contract, section 6): in shadow an event note and nothing else; in a live mode an
 * action where every gate holds, and a proposal where one does not.
 */
export function judge(mode: Mode, gates: readonly Gate[]): Disposition {
  if (mode === 'shadow') return 'record';
  return gates.every((gate) => gate.held) ? 'act' : 'propose';
}

/**
 * Returns how sure a signal must be, given the observations behind its source. A note's own threshold wins (section 6).
 */
export function discretionThreshold(observations: number, noteOverride: number | null): number {
  if (noteOverride !== null) return noteOverride;
  if (observations >= 50) return 0.75;
  if (observations >= 20) return 0.8;
  if (observations >= 10) return 0.85;
  return observations >= 5 ? 0.9 : 0.95;
}

type Contributing = Pick<WeighedSignal, 'source' | 'effectConfidence'>;

/**
 * Returns the gate that holds where at least one signal clears its own source's threshold, and names the signal that
 * came closest. A source without a threshold (null) contributes nothing.
 */
export function discretionGate(signals: readonly Contributing[], thresholdOf: (source: string) => number | null): Gate {
  const best = signals
    .flatMap((signal) => {
      const threshold = thresholdOf(signal.source);
      return threshold === null ? [] : [{ ...signal, threshold }];
    })
    .reduce<(Contributing & { threshold: number }) | null>(
      (one, other) => (one === null || margin(other) > margin(one) ? other : one),
      null,
    );
  if (best === null) return noSignals(signals, thresholdOf('other'));
  const held = clears(best.effectConfidence, best.threshold);
  const figure = round4(best.effectConfidence);
  const scored = `${best.source} scored ${figureWords(best.effectConfidence, best.threshold)}`;
  const sentence = `discretion: ${scored}, ${thresholdWords(best.threshold)} needed.`;
  return { name: 'discretion', held, figure, threshold: best.threshold, sentence };
}

function margin(one: { readonly effectConfidence: number; readonly threshold: number }): number {
  return one.effectConfidence - one.threshold;
}

function noSignals([first]: readonly Contributing[], threshold: number | null): Gate {
  const sentence =
    first === undefined
      ? 'discretion: no signal stands behind the decision.'
      : `discretion: signals from ${first.source} wait until a person has looked at its instinct note.`;
  return { name: 'discretion', held: false, figure: null, threshold: threshold ?? 1, sentence };
}

/**
 * Returns the gate of the confidence that a mode asks for. In shadow it is closed, and shows what live would ask for.
 */
export function modeGate(mode: Mode, confidence: number, thresholds: Thresholds): Gate {
  const threshold = thresholdIn(mode, thresholds);
  const cleared = clears(confidence, threshold);
  const held = mode !== 'shadow' && cleared;
  const figure = round4(confidence);
  return { name: 'mode', held, figure, threshold, sentence: `mode: ${modeSentence(mode, confidence, threshold)}` };
}

function thresholdIn(mode: Mode, thresholds: Thresholds): number {
  return mode === 'live_high_confidence_only' ? thresholds.highConfidence : thresholds.confidence;
}

function modeSentence(mode: Mode, confidence: number, threshold: number): string {
  const [scored, needed] = [figureWords(confidence, threshold), thresholdWords(threshold)];
  if (mode === 'shadow') return `shadow changes no note; live needs ${needed}, this scored ${scored}.`;
  return `this scored ${scored}, ${mode} needs ${needed}.`;
}

/** Returns the rate guard's answer as a gate: what is used of the window, the window's cap, and when there is room. */
export function rateGate(reservation: Reservation): Gate {
  if (reservation.ok) {
    return { name: 'rate_guard', held: true, figure: null, threshold: 0, sentence: 'rate guard: there was room.' };
  }
  const { used, cap, freeAt, window } = reservation;
  const full = `${used} of ${cap} used ${PER[window]}`;
  return {
    name: 'rate_guard',
    held: false,
    figure: used,
    threshold: cap,
    sentence: `rate guard: ${full}; free at ${utc(freeAt)}.`,
  };
}

const PER: Readonly<Record<GuardWindow, string>> = {
  minute: 'this minute',
  hour: 'this hour',
  day: 'today',
  task: 'by this task in a day',
  matter: 'by this matter in a day',
};
