/** A confidence as it is kept and shown: four decimals. */
export function round4(figure: number): number {
  return Math.round(figure * 10_000) / 10_000;
}

/** "Clears" means ≥ (contract, section 16); the slack forgives only what floating point adds (0.9 × 0.9 ≥ 0.81). */
export function clears(figure: number, threshold: number): boolean {
  return figure >= threshold - 1e-9;
}

export function clamp(figure: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, figure));
}
