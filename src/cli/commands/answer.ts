import type { ProposalFilter } from '../../steward/find-event.ts';
import { isDone } from '../../steward/inbox-words.ts';
import type { AnswerRecord } from '../../steward/types.ts';
import { EXIT } from '../../vault/errors.ts';
import type { MutationClass } from '../../vault/record.ts';
import { handOver, vaultDir } from '../client.ts';
import { printAnswers } from '../print.ts';
import { type CommandContext, type CommandResult, type CommonOptions, clean, count, usageError } from '../terminal.ts';

/** As `--class` names them. Said again here: the schemas of records take longer to load than the daemon to answer. */
const CLASSES: readonly MutationClass[] = ['state_change', 'context_edit', 'parent_matter', 'related'];

interface AnswerOptions extends CommonOptions {
  readonly matter?: string;
  readonly class?: string;
  readonly minConfidence?: number;
  readonly source?: string;
  readonly all?: boolean;
  readonly choose?: string;
  readonly force?: boolean;
  readonly later?: boolean;
  readonly wrong?: boolean;
  readonly dryRun?: boolean;
}

/**
 * `steward confirm` and `steward dismiss`, for the events named or for all proposals that fit the filters: exit 0 where
 * all were done, else 1. A dismissal by name means "wrong", and one by filter "not now".
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
  if (options.later === true && options.wrong === true)
    throw usageError('--later and --wrong exclude each other.', 'Leave out --later or --wrong.');
  const root = vaultDir(options, context);
  const { choose = null } = options;
  const later = kind === 'dismiss' && (options.later ?? (filter !== undefined && options.wrong !== true));
  const given = { choose, later, force: options.force === true, dryRun: options.dryRun === true };
  const asked = { kind, events: [...events], filter, ...given };
  const request = { op: 'answer' as const, ...asked };
  const answers = await handOver(context, root, request, async (space) => {
    const { answerAll } = await import('../../daemon/answers.ts');
    return answerAll(space, request);
  });
  const { dryRun } = request;
  if (options.json === true) {
    context.out.json({ schemaVersion: 1, dryRun, filter: filter ?? null, summary: summaryOf(answers), answers });
  } else {
    if (filter !== undefined) context.out.line(batchText(kind, { ...filter, later }, answers, dryRun));
    printAnswers(context.out, answers, dryRun);
  }
  return answers.length > 0 && answers.every(isDone) ? EXIT.done : EXIT.refused;
}

/** Returns the filter of the options; undefined if events are named. Throws `usage` (2) for both, or for neither. */
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
  const known = CLASSES.find((name) => name === written);
  if (known !== undefined) return known;
  throw usageError(`There is no class "${written}".`, `The classes are ${CLASSES.join(', ')}.`);
}

/** How a batch of answers went: how many were asked, done and not, and how many came to each outcome. */
interface BatchSummary {
  readonly asked: number;
  readonly done: number;
  readonly failed: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Returns the counts of a batch, as `--json` has them. */
function summaryOf(answers: readonly AnswerRecord[]): BatchSummary {
  const done = answers.filter(isDone).length;
  return { asked: answers.length, done, failed: answers.length - done, outcomes: Object.fromEntries(tallyOf(answers)) };
}

/** Returns a batch in one line: how many of how many, which proposals were meant, and what became of the rest. */
function batchText(
  kind: 'confirm' | 'dismiss',
  filter: ProposalFilter & { readonly later: boolean },
  answers: readonly AnswerRecord[],
  dryRun: boolean,
): string {
  const { asked, done, failed } = summaryOf(answers);
  const meant = meantBy(filter);
  if (asked === 0) return `No proposal${meant} waits.`;
  const verb = `${dryRun ? 'would ' : ''}${kind}${dryRun ? '' : 'ed'}`;
  const rest = failed === 0 ? '' : `; ${failed} not: ${failuresOf(answers)}`;
  const how = filter.later ? ' (not now)' : kind === 'dismiss' ? ' (wrong)' : '';
  return `${verb} ${done} of ${count(asked, 'proposal')}${meant}${how}${rest}`;
}

function meantBy({ matter, class: name, minConfidence, source }: ProposalFilter): string {
  const parts = [
    ...(matter === null ? [] : [`of ${clean(matter)}`]),
    ...(name === null ? [] : [`of class ${name}`]),
    ...(minConfidence === null ? [] : [`from ${minConfidence}`]),
    ...(source === null ? [] : [`by ${clean(source)}`]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`;
}

function failuresOf(answers: readonly AnswerRecord[]): string {
  const tally = tallyOf(answers.filter((answer) => !isDone(answer)));
  return tally.map(([outcome, number]) => `${number} ${outcome}`).join(', ');
}

function tallyOf(answers: readonly AnswerRecord[]): [outcome: string, number: number][] {
  return [...Map.groupBy(answers, ({ outcome }) => outcome)].map(([outcome, group]) => [outcome, group.length]);
}
