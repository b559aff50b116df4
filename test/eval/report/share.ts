/** So many of so many, and between what the true share lies in 95 of 100 such samples. */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** 0–1; null where there is nothing to count. */
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

/** 95 of 100 lie within so many standard deviations. */
const Z = 1.959964;

/** Returns a share with its Wilson interval, which holds for few cases and for shares near 0 and 1 as well. */
export function shareOf(count: number, of: number): Share {
  if (of === 0) return { count, of, share: null, low: 0, high: 1 };
  const share = count / of;
  const spread = (Z * Z) / of;
  const middle = (share + spread / 2) / (1 + spread);
  const reach = Math.sqrt(share * (1 - share) * spread + (spread * spread) / 4) / (1 + spread);
  return { count, of, share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}
