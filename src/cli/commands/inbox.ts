import type { Status } from '../../daemon/status.ts';
import { waitingText } from '../../steward/attention/kinds.ts';
import { EXIT, type ExitCode } from '../../vault/errors.ts';
import { usageError } from '../base/usage-error.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { vaultDir } from '../daemon-client.ts';
import { printHowToAnswer, printWaiting } from '../print-attention.ts';
import { statusNow } from './status.ts';

interface InboxOptions extends CommonOptions {
  /** Goes through it line by line where there is no terminal. */
  readonly answer?: boolean;
  /** Only prints it, also on a terminal. */
  readonly list?: boolean;
}

/**
 * `steward inbox`: what waits for a person, the same list as everywhere; on a terminal, or with `--answer`, one by one.
 * Exit 75 where the vault is away: then the list is the last known one.
 */
export async function inbox(options: InboxOptions, context: CommandContext): CommandResult {
  if (options.answer === true && options.json === true)
    throw usageError('--answer and --json exclude each other.', 'Leave out --answer or --json.');
  if (options.answer === true && options.list === true)
    throw usageError('--answer and --list exclude each other.', 'Leave out --answer or --list.');
  const root = vaultDir(options, context);
  const status = await statusNow(root, context);
  const isAway = status.vault.state === 'away';
  const isOnlyRead = options.json === true || options.list === true || isAway;
  if (!isOnlyRead && status.waiting.some(({ answers }) => answers.length > 0)) {
    const answered = await answerHere(options, context, root, status);
    if (answered !== null) return answered;
  }
  print(context, options, status);
  return isAway ? EXIT.tryAgain : EXIT.done;
}

// Null where nobody is there to answer. What answers loads the whole steward: to print the list takes none of it.
async function answerHere(
  { answer }: InboxOptions,
  context: CommandContext,
  root: string,
  { waiting }: Status,
): Promise<ExitCode | null> {
  const [{ Terminal }, { answerInbox }] = await Promise.all([
    import('../base/terminal.ts'),
    import('../commands-inbox.ts'),
  ]);
  using terminal = Terminal.open(context.env, false);
  if (terminal !== null) {
    const { KeyAsker } = await import('./inbox/ask-keys.ts');
    return await answerInbox(context, root, waiting, new KeyAsker(terminal));
  }
  if (answer !== true) return null;
  const { LineAsker } = await import('./inbox/ask-lines.ts');
  using lines = new LineAsker(context.out);
  return await answerInbox(context, root, waiting, lines);
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
