import type { OwnPace, TaskTimes } from '../../../src/steward/schedule.ts';
import type { Liveliness } from './mix.ts';

/** When a simulation begins and ends (epoch ms). */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A look at a note as the steward remembers it: when (epoch ms), and how many looks in a row were quiet. */
export interface Cursor {
  readonly at: number;
  readonly streak: number;
}

/** A task of an invented vault. */
export interface InventedTask {
  readonly name: string;
  readonly times: TaskTimes;
  readonly cursor: Cursor | null;
}

/** A matter of an invented vault, as it stands when the simulation begins. Moments in epoch ms. */
export interface InventedMatter {
  readonly pace: OwnPace;
  readonly times: Pick<TaskTimes, 'next_check_after' | 'surface_class'>;
  /** Whether many other vaults have a matter of this name, and so of this phase. */
  readonly isCommon: boolean;
  /** When it last ticked. */
  readonly last: number | null;
  readonly cursor: Cursor | null;
  readonly tasks: readonly InventedTask[];
}

/** Something from outside, at a moment (epoch ms). */
export interface Nudge {
  readonly at: number;
  readonly kind: 'mail' | 'edit';
  /** The places of its matter and task in the lists; null where it is about none. */
  readonly matter: number | null;
  readonly task: number | null;
  /** Whether it is a signal that waits for a tick (`weak`), one that is acted on at once (`strong`), or none. */
  readonly signal: 'weak' | 'strong' | null;
  /** What an edit makes of its task. */
  readonly change: Pick<TaskTimes, 'state'> | Pick<TaskTimes, 'due'> | null;
}

/** A vault that nobody has. */
export interface InventedVault {
  readonly liveliness: Liveliness['name'];
  readonly matters: readonly InventedMatter[];
  readonly isQuietAtNight: boolean;
  /** The minute of its local day at which it writes its digest; null for none. */
  readonly digestAt: number | null;
  /** How often (ms) it asks a mailbox, and when it first does after the beginning; null where it asks none. */
  readonly poll: { readonly every: number; readonly first: number } | null;
  /** In the order of their time. */
  readonly nudges: readonly Nudge[];
}
