import type { State } from '../../vault/records/values.ts';
import { type NextCheck, SLACK } from './cadence.ts';

/** Why nothing was judged, in one word for programs. */
export type SkipCode =
  | 'vault-away'
  | 'hands-off'
  | 'finished'
  | 'quiet-hours'
  | 'not-due'
  | 'no-signals'
  | 'settling'
  | 'rate-guarded'
  | 'budget'
  | 'unasked'
  | 'running';

export interface Skip {
  readonly code: SkipCode;
  /** For people: `not due: normal: every 4 h`. */
  readonly reason: string;
}

/** Everything that decides whether a note is judged now. */
interface Look {
  /** Why the vault is away, or null. */
  readonly away: string | null;
  /** `steward: false`, on the note or on its matter. */
  readonly handsOff: boolean;
  readonly state: State;
  /** Whether a person asked for what is not due too. */
  readonly force: boolean;
  readonly quietHours: boolean;
  readonly check: NextCheck;
  /** How many fresh signals wait for it. */
  readonly signals: number;
  /** When the note will have been quiet for the settle window, epoch ms. */
  readonly settledAt: number;
  /** What the rate guard or the budget would say, or null where there is room. */
  readonly refusal: Skip | null;
  readonly now: number;
}

/** Why a note is not judged now, or null where it is: the first reason that holds, in the order of a tick (section 5). */
export function skipOf(look: Look): Skip | null {
  return notLookedAt(look) ?? notJudged(look);
}

/** Why a note is not even looked at: then its cursor stays where it is. */
export function notLookedAt(look: Omit<Look, 'signals' | 'settledAt' | 'refusal'>): Skip | null {
  if (look.away !== null) return { code: 'vault-away', reason: `the vault is away: ${look.away}` };
  if (look.handsOff) return { code: 'hands-off', reason: 'steward: false' };
  if (look.state === 'done' || look.state === 'archived') return { code: 'finished', reason: `it is ${look.state}` };
  if (look.force) return null;
  if (look.quietHours) return { code: 'quiet-hours', reason: 'quiet hours' };
  const { at, reason } = look.check;
  return at !== null && at <= look.now + SLACK ? null : { code: 'not-due', reason: `not due: ${reason}` };
}

function notJudged({ signals, settledAt, refusal, now }: Look): Skip | null {
  if (signals === 0) return NO_SIGNALS;
  return settledAt > now ? SETTLING : refusal;
}

export const NO_SIGNALS: Skip = { code: 'no-signals', reason: 'no signals' };
export const SETTLING: Skip = { code: 'settling', reason: 'settling: it was edited just now' };

/** From what a person most needs to know to what is quite usual. */
const TELLING: readonly SkipCode[] = [
  ...(['vault-away', 'budget', 'rate-guarded', 'unasked', 'settling', 'running', 'quiet-hours'] as const),
  ...(['no-signals', 'not-due', 'hands-off', 'finished'] as const),
];

/** Of the reasons for which notes were passed over, the one that tells most; null where there is none. */
export function mostTelling(skips: readonly Skip[]): Skip | null {
  return skips.toSorted((one, other) => TELLING.indexOf(one.code) - TELLING.indexOf(other.code))[0] ?? null;
}
