import { isDone } from '../daemon/answer.ts';
import { answerAll } from '../daemon/operations.ts';
import { EXIT } from '../vault/trouble.ts';
import type { CommandContext, CommandResult, CommonOptions } from './context.ts';
import { handOver } from './session.ts';
import { vaultDir } from './vault-dir.ts';

/** `steward confirm EVENT…` and `steward dismiss EVENT…`: exit 0 when all were done, else 1. */
export async function answer(
  kind: 'confirm' | 'dismiss',
  events: readonly string[],
  options: CommonOptions & { readonly dryRun?: boolean },
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  const request = { op: 'answer' as const, kind, events: [...events], dryRun: options.dryRun === true };
  const answers = await handOver(context, root, request, (space) => answerAll(space, request));
  if (options.json === true) context.out.json({ schemaVersion: 1, dryRun: request.dryRun, answers });
  else context.out.answers(answers, request.dryRun);
  return answers.every(isDone) ? EXIT.done : EXIT.refused;
}
