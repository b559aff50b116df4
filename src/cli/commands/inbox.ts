import type { Status } from '../../daemon/compose.ts';
import type { WaitingAnswer, WaitingEntry } from '../../steward/inbox.ts';
import { waitingText } from '../../steward/inbox-words.ts';
import { EXIT, type ExitCode } from '../../vault/errors.ts';
import { vaultDir } from '../client.ts';
import { parseTitle, printDecision } from '../inbox-view.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  count,
  type Printer,
  usageError,
} from '../terminal.ts';
import { statusNow } from './status.ts';

interface InboxOptions extends CommonOptions {
  /** Goes through it line by line if there is no terminal. */
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
  if (!isOnlyRead && [...status.warnings, ...status.waiting].some(({ answers }) => answers.length > 0)) {
    const answered = await answerHere(options, context, root, status);
    if (answered !== null) return answered;
  }
  print(context, options, status);
  return isAway ? EXIT.tryAgain : EXIT.done;
}

// Null if no person is there to answer.
async function answerHere(
  { answer }: InboxOptions,
  context: CommandContext,
  root: string,
  { warnings, waiting: decisions }: Status,
): Promise<ExitCode | null> {
  const waiting = [...warnings, ...decisions];
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (!isTerminal && answer !== true) return null;
  const { answerByKeys, answerByLines } = await import('./inbox-round.ts');
  const byKeys = await answerByKeys(context, root, waiting);
  return byKeys === null && answer === true ? answerByLines(context, root, waiting) : byKeys;
}

function print({ out }: CommandContext, { json }: InboxOptions, { warnings, waiting, pending }: Status): void {
  if (json === true) {
    out.json({ schemaVersion: 1, warnings, waiting });
    return;
  }
  const all = [...warnings, ...waiting];
  if (warnings.length > 0) out.line(`⚠ ${count(warnings.length, 'warning')}:`);
  for (const entry of warnings) printDecision(out, entry, { withEvent: true });
  out.line(waitingText(waiting, pending.length));
  for (const entry of waiting) printDecision(out, entry, { withEvent: !isNamedByTitle(entry, all) });
  printHowToAnswer(out, all);
}

// `steward confirm "Order tiles"` finds the only event that waits about the note. An undo has more events to choose from.
function isNamedByTitle({ kind, target, candidates }: WaitingEntry, all: readonly WaitingEntry[]): boolean {
  if (target === null || candidates.length > 0 || kind === 'conflict' || kind === 'unfinished') return false;
  const title = (path: string) => parseTitle(path).toLowerCase();
  return all.filter((one) => one.target !== null && title(one.target) === title(target)).length === 1;
}

function printHowToAnswer(out: Printer, waiting: readonly WaitingEntry[]): void {
  // A proposal can be answered with another note, too; only a choice needs one.
  const isMeant = ({ candidates }: WaitingEntry, answer: WaitingAnswer) => answer !== 'choose' || candidates.length > 0;
  const possible = new Set(waiting.flatMap((entry) => entry.answers.filter((answer) => isMeant(entry, answer))));
  const ways = WAYS.filter(([answer]) => possible.has(answer)).map(([, command]) => command);
  if (ways.length === 0) return;
  for (const line of out.wrapped(
    `${ways.join(', ')}, or answer in the note. EVENT is the note’s title, or the name under an entry.`,
    2,
  ))
    out.styled('dim', line);
}

const WAYS: readonly (readonly [WaitingAnswer, string])[] = [
  ['confirm', 'steward confirm EVENT'],
  ['dismiss', 'steward dismiss EVENT'],
  ['later', 'steward dismiss EVENT --later'],
  ['choose', 'steward confirm EVENT --choose NOTE'],
  ['force', 'steward undo EVENT --force'],
];
