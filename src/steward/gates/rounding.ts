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
