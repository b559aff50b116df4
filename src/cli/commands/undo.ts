import { isDone } from '../../steward/inbox-words.ts';
import type { AnswerRecord } from '../../steward/types.ts';
import { EXIT } from '../../vault/errors.ts';
import { handOver, vaultDir } from '../client.ts';
import { printAnswers } from '../print.ts';
import { type CommandContext, type CommandResult, type CommonOptions, usageError } from '../terminal.ts';

interface UndoOptions extends CommonOptions {
  readonly last?: number;
  readonly reason?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** `steward undo EVENT… | --last N`: exit 0 where all were taken back, else 1. */
export async function undo(events: readonly string[], options: UndoOptions, context: CommandContext): CommandResult {
  demandEventsOrLast(events, options);
  const root = vaultDir(options, context);
  const request = {
    op: 'undo' as const,
    events: [...events],
    last: options.last ?? null,
    reason: options.reason ?? null,
    force: options.force === true,
    dryRun: options.dryRun === true,
  };
  const answers: AnswerRecord[] = await handOver(context, root, request, async (space) => {
    const { undoAll } = await import('../../daemon/answers.ts');
    return undoAll(space, request);
  });
  if (options.json === true) context.out.json({ schemaVersion: 1, dryRun: request.dryRun, answers });
  else printAnswers(context.out, answers, request.dryRun);
  return answers.every(isDone) ? EXIT.done : EXIT.refused;
}

function demandEventsOrLast(events: readonly string[], options: UndoOptions): void {
  if (events.length > 0 !== (options.last !== undefined)) return;
  throw usageError('undo needs either names of events or --last N.', 'See `steward log` for the names.');
}
