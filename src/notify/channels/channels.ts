import type { NotifyAccess } from '../access.ts';
import type { Channel } from '../channel.ts';
import { commandChannel } from './command.ts';
import { desktopChannel } from './desktop.ts';
import { ntfyChannel } from './ntfy.ts';

/** Returns the channels that are named on this machine. `own`: the variables of this process. */
export function channelsOf(
  { ntfy, desktop, command }: NotifyAccess,
  own: Readonly<Record<string, string | undefined>>,
): Channel[] {
  return [
    ...(ntfy === null ? [] : [ntfyChannel(ntfy)]),
    ...(desktop ? [desktopChannel(own)] : []),
    ...(command === null ? [] : [commandChannel(command, own)]),
  ];
}
