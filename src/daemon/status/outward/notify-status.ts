import type { ChannelName } from '../../../steward/notify/memory.ts';
import { policyOf, type Want } from '../../../steward/notify/policy.ts';
import { iso, localDate } from '../../../vault/time.ts';
import type { Context } from '../../context/ports.ts';

/** How messages to the person stand. */
export interface NotifyStatus {
  readonly wants: Want;
  /** Messages sent today, and how many there may be. */
  readonly today: number;
  readonly atMost: number;
  /** Minutes since midnight; null for no digest. */
  readonly digestAt: number | null;
  /** Where their buttons are answered; null where they have none. */
  readonly actions: string | null;
  readonly channels: readonly ChannelStatus[];
}

interface ChannelStatus {
  readonly channel: ChannelName;
  /** How many things it has still to tell. */
  readonly waiting: number;
  /** ISO, UTC; null where it has taken no message yet. */
  readonly last: string | null;
  /** What went wrong last; null where it went well. */
  readonly trouble: string | null;
}

/** Returns how messages stand; null where no channel is named and none are asked for. */
export function notifyStatus({ env, settings, state, now }: Context): NotifyStatus | null {
  const access = env.notify ?? null;
  const { want, atMost, digestAt } = policyOf(settings, access !== null);
  if (access === null && want === 'off') return null;
  const memory = state.get('notify');
  const named: readonly ChannelName[] = [
    ...(access?.ntfy ? (['ntfy'] as const) : []),
    ...(access?.desktop ? (['desktop'] as const) : []),
    ...(access?.command ? (['command'] as const) : []),
  ];
  const channels = named.map((channel): ChannelStatus => {
    const tray = memory.trays[channel];
    const last = tray?.delivered ?? null;
    const waiting = (tray?.news.length ?? 0) + (tray?.digest == null ? 0 : 1);
    return { channel, waiting, last: last === null ? null : iso(last), trouble: tray?.trouble?.message ?? null };
  });
  const today = memory.day === localDate(now()) ? memory.sent : 0;
  const links = access?.links ?? null;
  const actions = links === null ? null : `${links.host}:${links.port}`;
  return { wants: want, today, atMost, digestAt, actions, channels };
}
