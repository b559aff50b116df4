import { ZONES } from '../traffic/mix.ts';
import type { ZoneOrder } from './zone.ts';

/** Of one process: its start costs as much as some hundred vaults. */
const MOST_VAULTS = 40_000;

/** What one process is to do, in one time zone. */
export interface Order extends ZoneOrder {
  readonly zone: string;
}

type Common = Pick<ZoneOrder, 'seed' | 'day' | 'warmUp' | 'pace'>;

/** Deals out the vaults: each zone has its share of the numbers, and a process a part of them. */
export function ordersFor(vaults: number, common: Common): Order[] {
  const sum = ZONES.reduce((all, [weight]) => all + weight, 0);
  let weights = 0;
  return ZONES.flatMap(([weight, zone]) => {
    const first = Math.round((weights / sum) * vaults);
    weights += weight;
    return parts(first, Math.round((weights / sum) * vaults)).map((part) => ({ ...common, ...part, zone }));
  });
}

function parts(first: number, end: number): { first: number; count: number }[] {
  const count = Math.ceil((end - first) / MOST_VAULTS);
  return Array.from({ length: count }, (_, nth) => {
    const from = first + nth * MOST_VAULTS;
    return { first: from, count: Math.min(MOST_VAULTS, end - from) };
  });
}
