import { backoff, backoffUntil } from '../../steward/gates.ts';
import type { Context } from '../context.ts';

type Clocked = Pick<Context, 'state' | 'now'>;

/** Whether the provider asked not to be asked just now. */
export function isHeldOff({ state, now }: Clocked): boolean {
  return backoffUntil(state.get('rate-guard'), now()) !== null;
}

/**
 * Remembers, over a restart too, that the provider asked us to wait: so many seconds, or null where it did not say how
 * many.
 */
export function backOff({ state, now }: Clocked, retryAfterSeconds: number | null): void {
  state.set('rate-guard', backoff(state.get('rate-guard'), retryAfterSeconds, now()));
  state.save('rate-guard');
}
