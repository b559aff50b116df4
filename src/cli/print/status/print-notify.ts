import type { NotifyStatus } from '../../../daemon/status/outward/notify-status.ts';
import { count, local } from '../plain-text.ts';
import type { Printer } from '../printer.ts';

/** Prints how messages stand; nothing where there are none. An older daemon or snapshot knows nothing of them. */
export function printNotify(out: Printer, notify: NotifyStatus | null | undefined): void {
  if (notify == null) return;
  out.heading('Messages');
  for (const line of notifyLines(notify)) out.plain(`  ${line}`);
}

/** Returns how messages stand, a line for what holds and one for each channel. */
export function notifyLines(notify: NotifyStatus | null): string[] {
  if (notify === null) return [];
  const { channels, actions } = notify;
  const buttons = actions === null ? [] : [`their buttons are answered at ${actions}`];
  return [wantWords(notify), ...channels.map(channelWords), ...buttons];
}

function wantWords({ wants, today, atMost, digestAt, channels }: NotifyStatus): string {
  if (wants === 'off') return 'off, as steward.md says';
  const digest = digestAt === null ? null : `a digest at ${timeOf(digestAt)}`;
  const note = channels.length === 0 ? ', only as a note: no channel is named on this machine' : '';
  if (wants === 'digest') return `${digest ?? 'none: the digest has no time set'}${note}`;
  return [`${today} of at most ${atMost} sent today`, ...(digest === null ? [] : [digest])].join(', ');
}

function channelWords({ channel, waiting, last, trouble }: NotifyStatus['channels'][number]): string {
  const said = last === null ? 'has sent nothing yet' : `last sent ${local(last)}`;
  const held = waiting === 0 ? [] : [`${count(waiting, 'thing')} to send`];
  return `${channel} ${[said, ...held, ...(trouble === null ? [] : [trouble])].join('; ')}`;
}

function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
