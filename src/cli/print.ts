import type { ProposalFilter } from '../daemon/answers/proposal-filter.ts';
import type { Costs, CostWindow, ModelCost } from '../daemon/budget.ts';
import type { LoggedEvent } from '../daemon/explain/audit-log.ts';
import type { Explanation } from '../daemon/explain/explanation.ts';
import type { TickResult } from '../daemon/schedule/tick.ts';
import type { BudgetStatus, Status } from '../daemon/status.ts';
import type { Sum } from '../steward/gate-limits.ts';
import { round4 } from '../steward/gates-rounding.ts';
import { type Answer, isDone } from '../undo/order.ts';
import type { Diagnostic } from '../vault/errors.ts';
import type { Yaml } from '../vault/records/values.ts';
import type { Changes } from '../vault/records.ts';
import { clean, count, figure, local } from './print/plain-text.ts';
import type { Printer, Style } from './print/printer.ts';

const MAX_VALUE = 60;

/** Returns one clean line for each changed field: `state open → done`. */
export function changeLines(changes: Changes): string[] {
  return Object.entries(changes).map(
    ([field, { before, after }]) => `${clean(field)} ${valueText(before)} → ${valueText(after)}`,
  );
}

function valueText(value: Yaml): string {
  if (value === null) return '(none)';
  const text = clean(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

const MADE = ['applied', 'confirmed', 'reversed'];
const LEFT = ['proposed', 'asked', 'recorded', 'settling', 'dismissed'];

/** Prints the audit trail: for each event its time, outcome, target and decision, then its changes or what it asks, and its note. */
export function printLog(out: Printer, events: readonly LoggedEvent[]): void {
  if (events.length === 0) out.line('Nothing has happened yet.');
  for (const logged of events) {
    const { time, outcome, target, candidates, decision, confidence, changes, asks, event } = logged;
    const about = target ?? (candidates ?? []).join(' or '); // a daemon of an earlier version does not say which
    const what = `${out.paint(outcomeStyle(outcome), clean(outcome))}${reasonText(logged)}`;
    out.line(`${out.paint('dim', local(time))}  ${what}  ${clean(about)}  ${clean(decision)} ${figure(confidence)}`);
    for (const change of changeLines(changes)) out.line(`    ${change}`);
    if (asks != null) out.line(`    ${clean(asks)}`); // a daemon of an earlier version does not say it
    out.line(`    ${out.paint('dim', clean(event))}`);
  }
}

/** What closed a proposal, or what keeps it waiting. */
function reasonText({ outcome, by, reason }: LoggedEvent): string {
  if (outcome === 'superseded' && by !== null) return ` by ${clean(by)}`;
  return reason === null ? '' : ` (${clean(reason)})`;
}

/** Returns the colour of an outcome: green where the note was changed, yellow where it was left alone, else red. */
function outcomeStyle(outcome: string): Style {
  if (MADE.includes(outcome)) return 'green';
  return LEFT.includes(outcome) ? 'yellow' : 'red';
}

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

/** How many matters are named, the most expensive first. */
const NAMED = 5;

/** Returns the budget of a status in lines: none where nothing is limited. */
export function budgetLines(budget: Status['gates']['budget'] | undefined): string[] {
  if (budget === undefined) return []; // a status that an earlier version left behind
  const { vault, matters } = budget;
  const limited = [vault, ...matters].some(({ caps }) => caps.tokens !== null || caps.usd !== null);
  if (!limited) return [];
  const byCost = matters.toSorted((one, other) => other.usd - one.usd || other.tokens - one.tokens);
  return [
    `budget, last 24 h: ${figures(vault)}`,
    ...byCost.slice(0, NAMED).map((one) => `  ${one.matter}: ${figures(one)}`),
    ...(byCost.length > NAMED
      ? [`  and ${byCost.length - NAMED} cheaper ${byCost.length - NAMED === 1 ? 'matter' : 'matters'}`]
      : []),
  ];
}

/** Returns what the models cost in lines, by model and for the most expensive matters: none after a week without any. */
export function costLines(costs: Costs | undefined): string[] {
  if (costs === undefined || costs.week.questions === 0) return [];
  return [...windowLines('last 24 h', costs.day), ...windowLines('last 7 days', costs.week)];
}

function windowLines(name: string, window: CostWindow): string[] {
  if (window.questions === 0) return [`models, ${name}: no questions`];
  const matters = window.matters.map((one) => `${one.matter} ${money(one)}`).join(', ');
  return [
    `models, ${name}: ${sumText(window)}`,
    ...window.models.map((one) => `  ${one.model}: ${sumText(one)}${missingPrice(one)}`),
    ...(matters === '' ? [] : [`  most expensive: ${matters}`]),
  ];
}

function sumText(sum: Sum): string {
  return `${count(sum.questions, 'question')}, ${round4(sum.tokens)} tokens, ${money(sum)}`;
}

function money({ questions, usd, unpriced }: Sum): string {
  if (unpriced === questions) return 'no price known';
  return `${round4(usd)} USD${unpriced === 0 ? '' : ` and ${unpriced} without a price`}`;
}

function missingPrice({ unpriced, priceSettings }: ModelCost): string {
  return unpriced === 0 || priceSettings === null ? '' : `; set ${priceSettings.join(' and ')} in steward.md`;
}

function figures({ tokens, usd, caps }: BudgetStatus): string {
  return `${of(tokens, caps.tokens)} tokens, ${of(usd, caps.usd)} USD`;
}

function of(used: number, cap: number | null): string {
  return cap === null ? `${round4(used)}` : `${round4(used)}/${cap}`;
}

/** One thing that `steward doctor` looked at, and what it found. */
export interface Check {
  readonly name: string;
  readonly found: string;
}

/** Prints what was checked, then every trouble; says so where all is well. */
export function printDoctor(out: Printer, troubles: readonly Diagnostic[], checks: readonly Check[]): void {
  out.rows(checks.map(({ name, found }) => [name, found]));
  if (troubles.length === 0) out.line(out.paint('green', 'All is well.'));
  printTroubles(out, troubles);
}

/** Prints the troubles under a heading with their number; nothing where there are none. */
export function printTroubles(out: Printer, troubles: readonly Diagnostic[]): void {
  if (troubles.length === 0) return;
  out.heading(`Trouble (${troubles.length})`);
  for (const trouble of troubles) out.trouble(trouble);
}

/** Prints an explanation: the one sentence that answers, then its sections. */
export function printExplanation(out: Printer, { sentence, sections }: Explanation): void {
  out.styled('bold', sentence);
  for (const { title, lines } of sections) {
    out.heading(title);
    for (const line of lines) out.plain(`  ${line}`);
  }
}

/** Prints what each tick looked at, and the events it wrote. */
export function printTicks(out: Printer, results: readonly TickResult[]): void {
  for (const { matter, targets, events, retryAt } of results) {
    out.plain(`${matter}: ${count(targets, 'note')} looked at, ${count(events.length, 'event')}`);
    for (const event of events) out.plain(`  ${event}`);
    if (retryAt !== null) out.line('  a note is being edited; it is judged once it is quiet');
  }
  if (results.length === 0) out.line('No open matter to look at.');
}
