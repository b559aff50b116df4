import { undoAll } from '../../daemon/answers/answer-all.ts';
import type { Answer } from '../../undo/order.ts';
import { isDone } from '../../undo/order.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { handOver } from '../base/daemon-session.ts';
import { vaultDir } from '../base/vault-dir.ts';

interface UndoOptions extends CommonOptions {
  readonly last?: number;
  readonly reason?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** `steward undo EVENT… | --last N`: exit 0 when all were taken back, else 1. */
export async function undo(events: readonly string[], options: UndoOptions, context: CommandContext): CommandResult {
  demandOne(events, options);
  const root = vaultDir(options.vault, context.env, context.cwd);
  const request = {
    op: 'undo' as const,
    events: [...events],
    last: options.last ?? null,
    reason: options.reason ?? null,
    force: options.force === true,
    dryRun: options.dryRun === true,
  };
  const answers: Answer[] = await handOver(context, root, request, (space) => undoAll(space, request));
  if (options.json === true) context.out.json({ schemaVersion: 1, dryRun: request.dryRun, answers });
  else context.out.answers(answers, request.dryRun);
  return answers.every(isDone) ? EXIT.done : EXIT.refused;
}

function demandOne(events: readonly string[], options: UndoOptions): void {
  if (events.length > 0 !== (options.last !== undefined)) return;
  throw new StewardError(
    {
      code: 'usage',
      message: 'undo takes the names of events, or --last N.',
      hint: 'See `steward log` for the names.',
    },
    EXIT.usage,
  );
}
