import { clears } from './rounding.ts';

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
export function thresholdWords(threshold: number): string {
  const short = threshold.toFixed(2);
  return Number(short) === threshold ? short : String(threshold);
}
