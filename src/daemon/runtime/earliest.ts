/** Returns the earliest of some moments (epoch ms); null stands for never. */
export function earliest(moments: Iterable<number | null>): number | null {
  let first: number | null = null;
  for (const moment of moments) if (moment !== null && (first === null || moment < first)) first = moment;
  return first;
}
