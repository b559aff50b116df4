import { answerAll } from '../../daemon/answers/answer-all.ts';
import type { ProposalFilter } from '../../daemon/answers/proposal-filter.ts';
import { isDone } from '../../undo/order.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { MUTATION_CLASSES, type MutationClass } from '../../vault/records/mutation.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { handOver } from '../base/daemon-session.ts';
import { vaultDir } from '../base/vault-dir.ts';
import { batchText, summaryOf } from '../print/print-batch.ts';

interface AnswerOptions extends CommonOptions {
  readonly matter?: string;
  readonly class?: string;
  readonly minConfidence?: number;
  readonly source?: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

/**
 * `steward confirm` and `steward dismiss`, of the events named or of all proposals that fit: exit 0 when all were done,
 * else 1.
 */
export async function answer(
  kind: 'confirm' | 'dismiss',
  events: readonly string[],
  options: AnswerOptions,
  context: CommandContext,
): CommandResult {
  const filter = filterOf(kind, events, options);
  const root = vaultDir(options.vault, context.env, context.cwd);
  const request = { op: 'answer' as const, kind, events: [...events], filter, dryRun: options.dryRun === true };
  const answers = await handOver(context, root, request, (space) => answerAll(space, request));
  const { dryRun } = request;
  if (options.json === true) {
    context.out.json({ schemaVersion: 1, dryRun, filter: filter ?? null, summary: summaryOf(answers), answers });
  } else {
    if (filter !== undefined) context.out.line(batchText(kind, filter, answers, dryRun));
    context.out.answers(answers, dryRun);
  }
  return answers.length > 0 && answers.every(isDone) ? EXIT.done : EXIT.refused;
}

/** The filter that the options make; undefined where events are named. Throws `usage` (2) for both, or neither. */
function filterOf(
  kind: string,
  events: readonly string[],
  { matter, class: written, minConfidence, source, all }: AnswerOptions,
): ProposalFilter | undefined {
  const filters = [matter, written, minConfidence, source].some((part) => part !== undefined) || all === true;
  if (filters !== events.length > 0) {
    const fields = { matter: matter ?? null, minConfidence: minConfidence ?? null, source: source ?? null };
    return filters ? { ...fields, class: written === undefined ? null : classNamed(written) } : undefined;
  }
  const message = filters
    ? `${kind} takes the names of events, or filters; not both.`
    : `${kind} takes the names of events, or says which proposals are meant.`;
  throw usage(
    message,
    'Name them as `steward status` does, or use --matter, --class, --min-confidence, --source, --all.',
  );
}

function classNamed(written: string): MutationClass {
  const found = MUTATION_CLASSES.find((name) => name === written);
  if (found !== undefined) return found;
  throw usage(`There is no class "${written}".`, `The classes are ${MUTATION_CLASSES.join(', ')}.`);
}

function usage(message: string, hint: string): StewardError {
  return new StewardError({ code: 'usage', message, hint }, EXIT.usage);
}
