import type { ProposalFilter } from '../../daemon/answers/proposal-filter.ts';
import { isDone } from '../../undo/order.ts';
import { EXIT } from '../../vault/errors.ts';
import { MUTATION_CLASSES, type MutationClass } from '../../vault/records/mutation-class.ts';
import { usageError } from '../base/usage-error.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { handOver, vaultDir } from '../daemon-client.ts';
import { batchText, printAnswers, summaryOf } from '../print.ts';

interface AnswerOptions extends CommonOptions {
  readonly matter?: string;
  readonly class?: string;
  readonly minConfidence?: number;
  readonly source?: string;
  readonly all?: boolean;
  readonly choose?: string;
  readonly dryRun?: boolean;
}

/**
 * `steward confirm` and `steward dismiss`, for the events named or for all proposals that fit the filters: exit 0 where
 * all were done, else 1.
 */
export async function answer(
  kind: 'confirm' | 'dismiss',
  events: readonly string[],
  options: AnswerOptions,
  context: CommandContext,
): CommandResult {
  const filter = filterOf(kind, events, options);
  if (options.choose !== undefined && events.length !== 1)
    throw usageError('--choose needs exactly one event.', 'Name one event.');
  const root = vaultDir(options, context);
  const { choose = null } = options;
  const request = { op: 'answer' as const, kind, events: [...events], filter, choose, dryRun: options.dryRun === true };
  const answers = await handOver(context, root, request, async (space) => {
    const { answerAll } = await import('../../daemon/answers/answer-all.ts');
    return answerAll(space, request);
  });
  const { dryRun } = request;
  if (options.json === true) {
    context.out.json({ schemaVersion: 1, dryRun, filter: filter ?? null, summary: summaryOf(answers), answers });
  } else {
    if (filter !== undefined) context.out.line(batchText(kind, filter, answers, dryRun));
    printAnswers(context.out, answers, dryRun);
  }
  return answers.length > 0 && answers.every(isDone) ? EXIT.done : EXIT.refused;
}

/** Returns the filter of the options; undefined where events are named. Throws `usage` (2) for both, or neither. */
function filterOf(
  kind: string,
  events: readonly string[],
  { matter, class: written, minConfidence, source, all }: AnswerOptions,
): ProposalFilter | undefined {
  const isFiltered = [matter, written, minConfidence, source].some((part) => part !== undefined) || all === true;
  if (isFiltered !== events.length > 0) {
    const fields = { matter: matter ?? null, minConfidence: minConfidence ?? null, source: source ?? null };
    return isFiltered ? { ...fields, class: written === undefined ? null : classNamed(written) } : undefined;
  }
  const message = isFiltered
    ? `${kind} takes either names of events or filters.`
    : `${kind} needs names of events, or a filter.`;
  throw usageError(
    message,
    'Name them as `steward status` does, or use --matter, --class, --min-confidence, --source, --all.',
  );
}

function classNamed(written: string): MutationClass {
  const known = MUTATION_CLASSES.find((name) => name === written);
  if (known !== undefined) return known;
  throw usageError(`There is no class "${written}".`, `The classes are ${MUTATION_CLASSES.join(', ')}.`);
}
