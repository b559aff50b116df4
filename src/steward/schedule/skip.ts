import type { State } from '../../vault/records/values.ts';
import { type NextCheck, SLACK } from './cadence.ts';

/** Why a note was not judged, in one word for programs. */
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

/** Why a note was not judged. */
export interface Skip {
  readonly code: SkipCode;
  /** For people: `not due: normal: every 4 h`. */
  readonly reason: string;
}

/** Everything that decides whether a note is judged now. */
interface TickConditions {
  /** Why the vault is away, or null. */
  readonly away: string | null;
  /** `steward: false`, on the note or on its matter. */
  readonly handsOff: boolean;
  /** What keeps the program's hands off, where it is something else. */
  readonly offWords?: string;
  readonly state: State;
  /** Whether a person asked for a tick of notes that are not due, too. */
  readonly force: boolean;
  readonly quietHours: boolean;
  readonly check: NextCheck;
  /** How many fresh signals wait for it. */
  readonly signals: number;
  /** How many more wait of sources that are not heard on it. */
  readonly silenced: number;
  /** When the note will have been quiet for the settle window, in epoch ms. */
  readonly settledAt: number;
  /** Why the rate guard or the budget refuses, or null where there is room. */
  readonly refusal: Skip | null;
  readonly now: number;
}

/**
 * Returns the first reason why a note is not judged now, in the order of a tick (section 5); null where it is judged.
 */
export function skipOf(conditions: TickConditions): Skip | null {
  return notLookedAt(conditions) ?? notJudged(conditions);
}

/** Returns why a note is not even looked at, so that its cursor stays where it is; null where it is looked at. */
export function notLookedAt(
  conditions: Omit<TickConditions, 'signals' | 'silenced' | 'settledAt' | 'refusal'>,
): Skip | null {
  if (conditions.away !== null) return { code: 'vault-away', reason: `the vault is away: ${conditions.away}` };
  if (conditions.handsOff) return { code: 'hands-off', reason: conditions.offWords ?? 'steward: false' };
  if (conditions.state === 'done' || conditions.state === 'archived')
    return { code: 'finished', reason: `it is ${conditions.state}` };
  if (conditions.force) return null;
  if (conditions.quietHours) return { code: 'quiet-hours', reason: 'quiet hours' };
  const { at, reason } = conditions.check;
  return at !== null && at <= conditions.now + SLACK ? null : { code: 'not-due', reason: `not due: ${reason}` };
}

function notJudged({ signals, silenced, settledAt, refusal, now }: TickConditions): Skip | null {
  if (signals === 0) return noSignals(silenced);
  return settledAt > now ? SETTLING : refusal;
}

/** Returns that no fresh signal waits for the note, but for those of sources that are not heard on it. */
export function noSignals(silenced: number): Skip {
  const others = silenced === 0 ? '' : ` (${silenced} of ${silenced === 1 ? 'a source' : 'sources'} not heard here)`;
  return { code: 'no-signals', reason: `no signals${others}` };
}
/** Somebody has just edited the note. */
export const SETTLING: Skip = { code: 'settling', reason: 'settling: it was just edited' };

/** From what a person most needs to know to what is ordinary. */
const TELLING: readonly SkipCode[] = [
  ...(['vault-away', 'budget', 'rate-guarded', 'unasked', 'settling', 'running', 'quiet-hours'] as const),
  ...(['no-signals', 'not-due', 'hands-off', 'finished'] as const),
];

/** Returns the most telling of the reasons why notes were skipped; null where there is none. */
export function mostTelling(skips: readonly Skip[]): Skip | null {
  return skips.toSorted((one, other) => TELLING.indexOf(one.code) - TELLING.indexOf(other.code))[0] ?? null;
}
