import type { Beats } from './beats.ts';
import type { Turnstile } from './turnstile.ts';

/** What the daemons of one process share, so that each has its turn in the one event loop. */
export interface SharedLoop {
  readonly beats: Beats;
  readonly turnstile: Turnstile;
}
