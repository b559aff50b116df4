import { createInterface } from 'node:readline';
import { answerAll, undoAll } from '../../daemon/answers/answer-all.ts';
import { waitingText } from '../../steward/attention/kinds.ts';
import type { Waiting, WaitingAnswer } from '../../steward/attention/waiting.ts';
import { type Answer, isDone } from '../../undo/order.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext, CommandResult } from '../base/context.ts';
import { handOver } from '../base/hand-over.ts';
import { printEntry } from '../print/attention/print-waiting.ts';
import { printAnswers } from '../print/print-answers.ts';

/** An answer to one entry; `note`: the one that is chosen. */
interface Given {
  readonly what: WaitingAnswer;
  readonly note: string | null;
}

/**
 * Goes through what can be answered, one by one, and carries out each answer as the commands do. Exit 1 where one of
 * the answers could not be carried out.
 */
export async function answerInbox(context: CommandContext, root: string, waiting: readonly Waiting[]): CommandResult {
  const { out } = context;
  const entries = waiting.filter(({ answers }) => answers.length > 0);
  out.line(waitingText(waiting));
  if (entries.length === 0) return EXIT.done;
  const input = createInterface({ input: process.stdin, terminal: false });
  const lines = input[Symbol.asyncIterator]();
  let isAllDone = true;
  try {
    for (const entry of entries) {
      out.line();
      printEntry(out, entry);
      const said = await askAbout(context, entry, lines);
      if (said === 'quit') break;
      if (said !== 'skip') isAllDone = (await carryOut(context, root, entry, said)) && isAllDone;
    }
  } finally {
    input.close();
  }
  return isAllDone ? EXIT.done : EXIT.refused;
}

async function askAbout(
  { out }: CommandContext,
  entry: Waiting,
  lines: AsyncIterator<string>,
): Promise<Given | 'skip' | 'quit'> {
  for (;;) {
    out.line(`  ${questionFor(entry)}`);
    const { value, done } = await lines.next();
    if (done === true) return 'quit';
    const said = understood(entry, value.trim());
    if (said !== 'unclear') return said;
  }
}

const LETTERS: readonly (readonly [WaitingAnswer, string])[] = [
  ['confirm', 'c'],
  ['dismiss', 'd'],
  ['force', 'f'],
];

function questionFor({ answers, candidates }: Waiting): string {
  const ways = LETTERS.filter(([answer]) => answers.includes(answer)).map(
    ([answer, letter]) => `${answer} (${letter})`,
  );
  const choose = answers.includes('choose') ? [`choose (1-${candidates.length}, or the name of a note)`] : [];
  return `${[...choose, ...ways, 'skip (s)', 'quit (q)'].join(', ')}?`;
}

function understood({ answers, candidates }: Waiting, typed: string): Given | 'skip' | 'quit' | 'unclear' {
  const word = typed.toLowerCase();
  if (word === 'q' || word === 'quit') return 'quit';
  if (word === 's' || word === 'skip' || word === '') return 'skip';
  const named = LETTERS.find(([answer, letter]) => word === letter || word === answer);
  if (named !== undefined) return answers.includes(named[0]) ? { what: named[0], note: null } : 'unclear';
  return answers.includes('choose') ? { what: 'choose', note: candidates[Number(word) - 1] ?? typed } : 'unclear';
}

async function carryOut(
  context: CommandContext,
  root: string,
  { event }: Waiting,
  { what, note }: Given,
): Promise<boolean> {
  if (event === null) return false;
  try {
    const answers = await (what === 'force'
      ? takeBack(context, root, event)
      : answer(context, root, event, what, note));
    printAnswers(context.out, answers, false);
    return answers.every(isDone);
  } catch (error) {
    // One that cannot be answered, as where it was answered elsewhere meanwhile, does not end the round.
    if (!(error instanceof StewardError) || error.exit === EXIT.tryAgain) throw error;
    context.err.trouble(error.trouble);
    return false;
  }
}

function answer(
  context: CommandContext,
  root: string,
  event: string,
  what: Exclude<WaitingAnswer, 'force'>,
  choose: string | null,
): Promise<Answer[]> {
  const kind = what === 'dismiss' ? ('dismiss' as const) : ('confirm' as const);
  const request = { op: 'answer' as const, kind, events: [event], choose, dryRun: false };
  return handOver(context, root, request, (space) => answerAll(space, request));
}

function takeBack(context: CommandContext, root: string, event: string): Promise<Answer[]> {
  const request = { op: 'undo' as const, events: [event], last: null, reason: null, force: true, dryRun: false };
  return handOver(context, root, request, (space) => undoAll(space, request));
}
