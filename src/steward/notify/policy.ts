import type { Hours } from './hours.ts';

/** How much a person wants to be told: nothing, a digest a day, or each thing by itself and the digest. */
export const WANTS = ['off', 'digest', 'each'] as const;
export type Want = (typeof WANTS)[number];

/** No vault has more messages sent in a day than this, whatever its settings say. */
export const MOST_A_DAY = 20;
/** The hours in which nothing is said where nobody has named any: 22:00-07:00. */
const NIGHT: Hours = { from: 22 * 60, to: 7 * 60 };

/** What the settings of a vault say of messages. */
export interface NotifySettings {
  /** Null where they do not say it. */
  readonly notify: Want | null;
  /** Minutes since midnight; null for no digest. */
  readonly notify_digest_at: number | null;
  /** `none`: there are none. Null where they do not say it. */
  readonly notify_quiet_hours: Hours | 'none' | null;
  readonly notify_at_most: number;
  readonly quiet_hours: Hours | null;
}

/** What holds of messages now. */
export interface Policy {
  readonly want: Want;
  readonly digestAt: number | null;
  readonly quiet: Hours | null;
  readonly atMost: number;
}

/**
 * Returns what holds: that a channel is named on this machine asks for each message, and the vault can ask for fewer.
 * Where no channel is named, no more than the digest note in the vault can be asked for.
 */
export function policyOf(settings: NotifySettings, hasChannel: boolean): Policy {
  const { notify, notify_digest_at: digestAt, notify_quiet_hours: named, notify_at_most: atMost } = settings;
  const quiet = named === 'none' ? null : (named ?? settings.quiet_hours ?? NIGHT);
  const asked = notify ?? (hasChannel ? 'each' : 'off');
  return { want: asked === 'each' && !hasChannel ? 'digest' : asked, digestAt, quiet, atMost };
}
