import type { Status } from '../../daemon/status/status.ts';
import { waitingText } from '../../steward/attention/kinds.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { usageError } from '../base/usage-error.ts';
import { vaultDir } from '../base/vault-dir.ts';
import { printHowToAnswer, printWaiting } from '../print/attention/print-waiting.ts';
import { answerInbox } from './inbox-answers.ts';
import { statusNow } from './status.ts';

interface InboxOptions extends CommonOptions {
  readonly answer?: boolean;
}

/**
 * `steward inbox`: what waits for a person, the same list as everywhere; with `--answer`, one by one. Exit 75 where the
 * vault is away: then the list is the last known one.
 */
export async function inbox(options: InboxOptions, context: CommandContext): CommandResult {
  if (options.answer === true && options.json === true)
    throw usageError('inbox either answers or prints JSON.', 'Leave out --answer or --json.');
  const root = vaultDir(options, context);
  const status = await statusNow(root, context);
  const isAway = status.vault.state === 'away';
  if (options.answer === true && !isAway) return answerInbox(context, root, status.waiting);
  print(context, options, status);
  return isAway ? EXIT.tryAgain : EXIT.done;
}

function print({ out }: CommandContext, { json }: InboxOptions, { waiting }: Status): void {
  if (json === true) {
    out.json({ schemaVersion: 1, waiting });
    return;
  }
  out.line(waitingText(waiting));
  printWaiting(out, waiting);
  printHowToAnswer(out, waiting);
}
