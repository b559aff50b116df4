import { readEnvironment } from '../daemon/environment.ts';
import { type NotifyTest, testChannels } from '../daemon/test-message.ts';
import { channelsOf } from '../notify/channels.ts';
import { EXIT } from '../vault/errors.ts';
import { usageError } from './base/usage-error.ts';
import type { CommandContext, CommandResult, CommonOptions } from './base.ts';
import { askOrDo, presentVaultDir } from './daemon-client.ts';
import { printNotifyTest, SENDING } from './print-status.ts';

/**
 * `steward notify test`: sends one message to each channel. A running daemon does it, since it has an environment of its own;
 * else it is done with the one of this terminal. Exits 1 where a channel failed or none is named.
 */
export async function notify(what: string, options: CommonOptions, context: CommandContext): CommandResult {
  if (what !== 'test') throw usageError(`There is no "steward notify ${what}".`, 'Use: steward notify test');
  const root = presentVaultDir(options, context);
  context.err.progress(SENDING);
  const tested = await askOrDo(context, root, { op: 'notify-test' }, () => testedHere(root, context));
  if (options.json === true) context.out.json(tested);
  else printNotifyTest(context.out, tested);
  return tested.channels.length > 0 && tested.channels.every(({ ok }) => ok) ? EXIT.done : EXIT.refused;
}

async function testedHere(root: string, context: CommandContext): Promise<NotifyTest> {
  const access = readEnvironment(context.env).notify ?? null;
  const channels = access === null ? [] : channelsOf(access, context.env);
  return testChannels(channels, root, new AbortController().signal);
}
