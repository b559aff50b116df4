import type { ProposalFilter } from '../../daemon/answers/proposal-filter.ts';
import { type Answer, isDone } from '../../undo/order.ts';
import { changeLines } from './change-text.ts';
import { clean, count } from './plain-text.ts';
import { outcomeStyle } from './print-log.ts';
import type { Printer } from './printer.ts';

/** How a batch of answers went: how many were asked, done and not, and how many came to each outcome. */
interface BatchSummary {
  readonly asked: number;
  readonly done: number;
  readonly failed: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Prints each answer: its outcome and event, its message, its changes, what was learned, and the note it wrote. */
export function printAnswers(out: Printer, answers: readonly Answer[], dryRun: boolean): void {
  for (const answer of answers) {
    const { event, outcome, message, target, changes, calibration, note } = answer;
    const words = dryRun && isDone(answer) ? `would be ${outcome}` : outcome;
    out.line(`${out.paint(outcomeStyle(outcome), words)}  ${clean(event)}`);
    out.plain(`  ${message}`);
    for (const change of changeLines(changes)) out.line(`  ${clean(target ?? '')}  ${change}`);
    for (const [source, moved] of Object.entries(calibration)) out.plain(`  ${source} ${moved}`);
    if (note !== null) out.styled('dim', `  ${note}`);
  }
}

/** Returns the counts of a batch, as `--json` has them. */
export function summaryOf(answers: readonly Answer[]): BatchSummary {
  const done = answers.filter(isDone).length;
  return { asked: answers.length, done, failed: answers.length - done, outcomes: Object.fromEntries(tallyOf(answers)) };
}

/** Returns a batch in one line: how many of how many, which proposals were meant, and what became of the rest. */
export function batchText(
  kind: 'confirm' | 'dismiss',
  filter: ProposalFilter,
  answers: readonly Answer[],
  dryRun: boolean,
): string {
  const { asked, done, failed } = summaryOf(answers);
  const meant = meantBy(filter);
  if (asked === 0) return `No proposal${meant} waits.`;
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
  const tally = tallyOf(answers.filter((answer) => !isDone(answer)));
  return tally.map(([outcome, number]) => `${number} ${outcome}`).join(', ');
}

function tallyOf(answers: readonly Answer[]): [outcome: string, number: number][] {
  return [...Map.groupBy(answers, ({ outcome }) => outcome)].map(([outcome, group]) => [outcome, group.length]);
}
