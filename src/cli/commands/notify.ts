import { type NotifyTest, openChannels, testChannels } from '../../channels/notifier.ts';
import { readEnvironment } from '../../daemon/environment.ts';
import { EXIT } from '../../vault/errors.ts';
import { askOrDo, presentVaultDir } from '../client.ts';
import { type CommandContext, type CommandResult, type CommonOptions, type Printer, usageError } from '../terminal.ts';

/**
 * `steward notify test`: sends one message to each channel. A running daemon does it, since it has an environment of
 * its own; else it is done with the one of this terminal. Exits 1 if a channel failed, or if no channel is named.
 */
export async function notify(what: string, options: CommonOptions, context: CommandContext): CommandResult {
  if (what !== 'test') throw usageError(`There is no "steward notify ${what}".`, 'Use: steward notify test');
  const root = presentVaultDir(options, context);
  context.err.progress('Sending a message to each channel.');
  const tested = await askOrDo(context, root, { op: 'notify-test' }, () => testedHere(root, context));
  if (options.json === true) context.out.json(tested);
  else printNotifyTest(context.out, tested);
  return tested.channels.length > 0 && tested.channels.every(({ ok }) => ok) ? EXIT.done : EXIT.refused;
}

async function testedHere(root: string, context: CommandContext): Promise<NotifyTest> {
  const access = readEnvironment(context.env).notify ?? null;
  const channels = access === null ? [] : openChannels(access, context.env);
  return testChannels(channels, root, new AbortController().signal);
}

const NONE =
  'No channel is named on this machine: set STEWARD_NOTIFY_NTFY, STEWARD_NOTIFY_DESKTOP or STEWARD_NOTIFY_COMMAND';

function printNotifyTest(out: Printer, { channels }: NotifyTest): void {
  if (channels.length === 0) out.plain(`${NONE} in the daemon's environment (docs/notifications.md).`);
  for (const { channel, place, ok, message, hint } of channels) {
    if (ok) out.plain(`${channel} (${place}): the message is sent.`);
    else out.plain(`${channel} (${place}): ${message} ${hint}`);
  }
}
