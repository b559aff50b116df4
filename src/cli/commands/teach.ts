import { isDone } from '../../steward/inbox-words.ts';
import type { AnswerRecord } from '../../steward/types.ts';
import { EXIT } from '../../vault/errors.ts';
import { handOver, vaultDir } from '../client.ts';
import { printAnswers } from '../print.ts';
import { type CommandContext, type CommandResult, type CommonOptions, usageError } from '../terminal.ts';

interface TeachOptions extends CommonOptions {
  readonly task: string;
  readonly set: readonly string[];
}

/** `steward teach MAIL --task NOTE --set FIELD=VALUE`: exit 0 if the change was made, else 1. */
export async function teach(mail: string, options: TeachOptions, context: CommandContext): CommandResult {
  const set = Object.fromEntries(options.set.map(assignment));
  const root = vaultDir(options, context);
  const request = { op: 'teach' as const, mail, task: options.task, set };
  const given: AnswerRecord = await handOver(context, root, request, async (space) => {
    const { teach: teachHere } = await import('../../features/teach.ts');
    return teachHere(space, request);
  });
  if (options.json === true) context.out.json({ schemaVersion: 1, answers: [given] });
  else printAnswers(context.out, [given], false);
  return isDone(given) ? EXIT.done : EXIT.refused;
}

function assignment(written: string): readonly [string, string] {
  const [, field, value] = /^([^=\s]+)=(.*)$/s.exec(written) ?? [];
  if (field !== undefined && value !== undefined) return [field, value.trim()];
  throw usageError(`"${written}" isn't a change of a field.`, 'Write FIELD=VALUE, such as --set state=done.');
}
