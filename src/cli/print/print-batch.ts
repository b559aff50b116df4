import type { ProposalFilter } from '../../daemon/answers/proposal-filter.ts';
import { type Answer, isDone } from '../../undo/order.ts';
import { clean, count } from './print.ts';

/** How a batch of answers went: how many were asked, done and not, and how many came to each outcome. */
interface BatchSummary {
  readonly asked: number;
  readonly done: number;
  readonly failed: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

export function summaryOf(answers: readonly Answer[]): BatchSummary {
  const done = answers.filter(isDone).length;
  const groups = [...Map.groupBy(answers, ({ outcome }) => outcome)];
  const outcomes = Object.fromEntries(groups.map(([outcome, group]) => [outcome, group.length]));
  return { asked: answers.length, done, failed: answers.length - done, outcomes };
}

/** A batch in one line: how many of how many, which were meant, and what became of the others. */
export function batchText(
  kind: 'confirm' | 'dismiss',
  filter: ProposalFilter,
  answers: readonly Answer[],
  dryRun: boolean,
): string {
  const { asked, done, failed } = summaryOf(answers);
  const meant = meantBy(filter);
  if (asked === 0) return `No proposal${meant} waits; nothing was done.`;
  const verb = `${dryRun ? 'would ' : ''}${kind}${dryRun ? '' : 'ed'}`;
  const rest = failed === 0 ? '' : `; ${failed} not: ${failuresOf(answers)}`;
  return `${verb} ${done} of ${count(asked, 'proposal')}${meant}${rest}`;
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

function failuresOf(answers: readonly Answer[]): string {
  const failed = answers.filter((one) => !isDone(one));
  const groups = [...Map.groupBy(failed, ({ outcome }) => outcome)];
  return groups.map(([outcome, group]) => `${group.length} ${outcome}`).join(', ');
}
