/** A share, and the bounds it lies between given how few cases there are. All from 0 to 1. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution: both tails together leave 95 %. */
const Z = 1.959963984540054;

/**
 * Returns how often something was right, with the Wilson score interval at 95 %; null where nothing is decided yet. The
 * interval stays between 0 and 1, and is honest about few cases and shares near the ends (E. B. Wilson, 1927).
 */
export function shareOf(right: number, decided: number): Share | null {
  if (decided === 0) return null;
  const value = right / decided;
  const slack = (Z * Z) / decided;
  const centre = (value + slack / 2) / (1 + slack);
  const half = (Z * Math.sqrt((value * (1 - value)) / decided + slack / (4 * decided))) / (1 + slack);
  // At the ends the bound is the end itself; floating point may miss it by a hair.
  return { value, low: right === 0 ? 0 : centre - half, high: right === decided ? 1 : centre + half };
}
