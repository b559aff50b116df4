import { iso } from '../../vault/time.ts';
import type { Context } from '../context/ports.ts';
import type { RetentionState } from '../context/remembered/values.ts';
import { isOn, nextRound } from './due.ts';

/** What leaves the vault in time, as `status` shows it. */
export interface RetentionStatus {
  /** After how many days; null where it is kept. */
  readonly streamDays: number | null;
  readonly eventDays: number | null;
  /** When it is next looked what may go; null where no round has been planned yet. */
  readonly next: string | null;
  /** How many files left in the last round. */
  readonly last: Pick<RetentionState, 'streams' | 'events' | 'signals'>;
}

/** Returns what leaves the vault in time; null where everything is kept. */
export function retentionStatus({ settings, state }: Context): RetentionStatus | null {
  if (!isOn(settings)) return null;
  const known = state.get('retention');
  const { streams, events, signals } = known;
  const next = nextRound(settings, known);
  return {
    streamDays: settings.keep_stream_days,
    eventDays: settings.keep_event_days,
    next: next === null ? null : iso(next),
    last: { streams, events, signals },
  };
}
