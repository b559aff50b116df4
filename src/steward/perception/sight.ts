import type { State } from '../../vault/records/values.ts';

/** What a note waits for, and whether that is over. */
export interface Blocker {
  readonly name: string;
  readonly isOver: boolean;
  /** When its note last changed (epoch ms). */
  readonly at: number;
}

/** What is known of a note without any signal: its own dates, and what lies around it. */
export interface Sight {
  readonly state: State;
  readonly due: string | null;
  readonly scheduled: string | null;
  readonly snoozedUntil: string | null;
  readonly blockers: readonly Blocker[];
  /** `blocked_on` as text that can be compared. */
  readonly blockedOn: string;
  /** A matter's tasks, and since when (epoch ms) none of them nor the matter has changed; null for a task. */
  readonly tasks: { readonly count: number; readonly open: number; readonly restingSince: number } | null;
  /** When anything last happened to it (epoch ms); null where another note speaks for its silence. */
  readonly untouchedSince: number | null;
  /** The day of that, as text. */
  readonly of: string;
}
