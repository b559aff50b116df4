import type { NotifyTest } from '../../../daemon/notify/test-message.ts';
import type { Printer } from '../printer.ts';

const NONE =
  'No channel is named on this machine: set STEWARD_NOTIFY_NTFY, STEWARD_NOTIFY_DESKTOP or STEWARD_NOTIFY_COMMAND';

/** Said while the messages are on their way. */
export const SENDING = 'Sending a message to each channel.';

/** Prints what came of a message to each channel. */
export function printNotifyTest(out: Printer, { channels }: NotifyTest): void {
  if (channels.length === 0) out.line(`${NONE} where the daemon starts (docs/notifications.md).`);
  for (const { channel, place, ok, message, hint } of channels) {
    if (ok) out.plain(`${channel} (${place}): the message is sent.`);
    else out.plain(`${channel} (${place}): ${message} ${hint}`);
  }
}
