import { iso } from '../vault/time.ts';
import type { Context, Settings } from './context.ts';
import type { RetentionState } from './remembered.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** After a longer pause the clock may be wrong, or the vault another's: nothing goes until a day has passed. */
const LONGEST_PAUSE_MS = 7 * DAY_MS;

type Days = Pick<Settings, 'keep_stream_days' | 'keep_event_days'>;

/** Whether anything leaves the vault in time. */
export function isOn({ keep_stream_days: streams, keep_event_days: events }: Days): boolean {
  return streams !== null || events !== null;
}

/** Returns the settings of retention as one text, to be compared. */
export function written({ keep_stream_days: streams, keep_event_days: events }: Days): string {
  return `${streams} ${events}`;
}

/** Returns when it is next looked what may go (epoch ms); null where nothing was said about these settings yet. */
export function nextRound(settings: Days, known: RetentionState): number | null {
  return known.settings === written(settings) ? known.at + DAY_MS : null;
}

/**
 * What is to be done now: nothing yet, a round, or only to say that one comes in a day. New settings, a long pause and a
 * clock that was set say so first: whoever did not mean them has a day to take them back.
 */
export function stepNow(settings: Days, known: RetentionState, now: number): 'wait' | 'announce' | 'round' {
  if (!isOn(settings)) return 'wait';
  const next = nextRound(settings, known);
  const passed = now - known.at;
  if (next === null || passed < 0 || passed > LONGEST_PAUSE_MS) return 'announce';
  return now < next ? 'wait' : 'round';
}

/** Returns the moment (epoch ms) before which a file is older than these days; null where all are kept. */
export function oldBefore(days: number | null, now: number): number | null {
  return days === null ? null : now - days * DAY_MS;
}

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
