import type { Extracted, Meaning } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { oneLine } from '../mail/plain-text.ts';
import { amountWritten, type Money } from '../money/amount.ts';
import { type ClueKind, type Payable, TAIL_DIGITS } from '../targets/payment-index.ts';
import type { TargetIndex } from '../targets/target-index.ts';
import { fitOf, isClose, isInTime, LEADS, withParts } from './fit.ts';
import { type Line, lineOf, plainPayment } from './line.ts';
import { type Judged, MOST_CANDIDATES, meaningOf, type Told } from './meaning.ts';
import { type Outcome, verdictOn } from './verdict.ts';

const MOST_TASKS = 200;
const MOST_OF_MATTER = 50;
/** How sure it is where something has to be chosen that nobody said. */
const CHOSEN = 0.8;
const BEST_FIRST: readonly Outcome[] = ['done', 'reopen', 'ask', 'undecided', 'nothing'];

/** Returns the sums that earlier lines have paid of a task, each as `500.00 EUR`, or `-500.00 EUR` where it went back. */
type PartsOf = (path: string) => readonly string[];

/** Returns what a line of a bank account means for the tasks of the vault. Asks no model, and closes no matter. */
export function readPayment(
  { payment: written, subject }: StreamEvent,
  index: TargetIndex,
  partsOf: PartsOf = () => [],
): Extracted {
  const payment = written === undefined ? undefined : plainPayment(written);
  const line = payment === undefined ? null : lineOf(payment);
  if (payment === undefined || line === null) return extracted([], 'no sum of money');
  const judged = tasksFor(line, index)
    .map((task) => judgedFor(task, line, index, partsOf))
    .toSorted(byWorth);
  const [best] = judged;
  if (best === undefined) return extracted([], 'no task is about such a payment');
  const told = togetherPaid(judged, line) ?? chosen(best, judged, line);
  const meanings = told.map((one) => meaningOf(one, { line, payment, subject, index, isShared: told.length > 1 }));
  return extracted(meanings, meanings.length > 0 ? null : whyNothing(best));
}

function extracted(meanings: readonly Meaning[], skipped: string | null): Extracted {
  return { meanings, skipped, rejected: [], unusable: null, extractor: 'payments (embedded)', usage: null };
}

function whyNothing({ fit, verdict }: Judged): string {
  return oneLine(`${verdict.because ?? 'nothing that changes a task'}: ${fit.task.note.name}`, 160);
}

/** The tasks that have anything in common with a line: what leads to a matter leads to its open tasks. */
function tasksFor(line: Line, index: TargetIndex): readonly Payable[] {
  const end = (line.iban ?? line.tail ?? '').slice(-TAIL_DIGITS);
  const clues: readonly (readonly [ClueKind, readonly string[]])[] = [
    ['reference', [...line.codes]],
    ['iban', line.iban === null ? [] : [line.iban]],
    ['sum', [String(line.money.thousandths)]],
    ['tail', end === '' ? [] : [end]],
    ['word', line.partyWords],
  ];
  const found = new Map<string, Payable>();
  for (const [kind, values] of clues)
    for (const note of values.flatMap((value) => index.payments.having(kind, value)))
      for (const task of tasksOf(note, index)) if (found.size < MOST_TASKS) found.set(task.note.path, task);
  return [...found.values()];
}

function tasksOf(note: Payable, index: TargetIndex): readonly Payable[] {
  if (note.note.kind === 'task') return [note];
  const tasks = index.openTasksOf(note.note.path).slice(0, MOST_OF_MATTER);
  return tasks.flatMap(({ path }) => index.payments.get(path) ?? []);
}

function judgedFor(task: Payable, line: Line, index: TargetIndex, partsOf: PartsOf): Judged {
  const { matterPath } = task.note;
  const matter = matterPath === null ? null : index.payments.get(matterPath);
  const whole = fitOf(line, task, matter, {
    withWord: (word) => index.payments.having('word', word).length,
    withReference: (code) => index.payments.having('reference', code).filter(isPayable).length,
  });
  const parts = whole.amount === 'less' && whole.leads.length > 0 ? partsOf(task.note.path) : [];
  const fit = withParts(
    whole,
    line,
    parts.flatMap((part) => partWritten(part) ?? []),
  );
  return { fit, verdict: verdictOn(fit, line) };
}

function partWritten(part: string): Money | null {
  const sum = amountWritten(part);
  return sum === null || !part.startsWith('-') ? sum : { ...sum, thousandths: -sum.thousandths };
}

function isPayable({ note: { kind }, isOpen, clues: { deed } }: Payable): boolean {
  return kind === 'task' && isOpen && deed !== 'other';
}

function byWorth(one: Judged, other: Judged): number {
  const [a, b] = [one, other].map(({ verdict }) => BEST_FIRST.indexOf(verdict.outcome));
  return (
    (a ?? 0) - (b ?? 0) ||
    leadRank(one) - leadRank(other) ||
    worth(other) - worth(one) ||
    closeness(one) - closeness(other)
  );
}

function leadRank({ fit: { leads } }: Judged): number {
  const [best] = leads;
  return best === undefined ? LEADS.length : LEADS.indexOf(best);
}

function worth({ verdict: { effect, target } }: Judged): number {
  return effect * target;
}

function closeness({ fit: { daysLate } }: Judged): number {
  return daysLate === null ? Number.MAX_SAFE_INTEGER : Math.abs(daysLate);
}

/** Several tasks whose references the line has, and whose sums together are its own, are all paid by it. */
function togetherPaid(judged: readonly Judged[], line: Line): readonly Told[] | null {
  const parts = judged.filter(
    ({ fit }) => fit.isOpen && fit.amount === 'more' && fit.leads[0] === 'reference' && fit.direction === 'fits',
  );
  const sum = parts.reduce((total, { fit }) => total + (fit.wanted?.thousandths ?? 0), 0);
  if (parts.length < 2 || sum !== line.money.thousandths || line.isPending) return null;
  const because = `its sum is that of ${parts.length} tasks together`;
  return parts.map(({ fit, verdict }) => {
    return { fit, verdict: { outcome: 'done', effect: CHOSEN, target: verdict.target, because }, rivals: [] };
  });
}

function chosen(best: Judged, judged: readonly Judged[], line: Line): readonly Told[] {
  const { outcome } = best.verdict;
  if (outcome === 'nothing') return [];
  const settled = outcome === 'done' ? settledBefore(best, judged) : null;
  if (settled !== null && isItsOwn(settled, best)) return [];
  const rivals = judged.filter(
    (one) => one !== best && one.verdict.outcome === outcome && leadRank(one) === leadRank(best),
  );
  if (rivals.length === 0) return [{ ...(settled === null ? best : besideSettled(best, settled)), rivals }];
  // Too many to be put before a person, where nothing but the sum speaks for any of them.
  if (outcome === 'undecided' && rivals.length >= MOST_CANDIDATES) return [];
  const named = namedBest([best, ...rivals], line);
  if (named === null) return [{ ...best, rivals }];
  return [{ ...lowered(named, 'another task fits but for its words'), rivals: [] }];
}

function besideSettled(best: Judged, { fit }: Judged): Judged {
  return lowered(best, `"${fit.task.note.name}" is done already, and fits as well`);
}

function lowered({ fit, verdict }: Judged, because: string): Judged {
  return { fit, verdict: { ...verdict, effect: Math.min(verdict.effect, CHOSEN), because } };
}

/**
 * Returns a task that is done already and that a line fits as well as the best open one: the same booking in another file, or
 * one that a person dealt with, must not settle the next task of its kind. Null where there is none.
 */
function settledBefore(best: Judged, judged: readonly Judged[]): Judged | null {
  const settled = judged.filter(
    ({ fit }) => !fit.isOpen && fit.direction === 'fits' && fit.amount === 'exact' && isInTime(fit) && !fit.isOtherIban,
  );
  return settled.find((one) => one.fit.leads.length > 0 && leadRank(one) <= leadRank(best)) ?? null;
}

/** Whether a line is plainly that of the task that is done. */
function isItsOwn(settled: Judged, best: Judged): boolean {
  return leadRank(settled) < leadRank(best) || (isClose(settled.fit) && !isClose(best.fit));
}

/** Of several tasks, the one that alone has most words of the purpose. */
function namedBest(judged: readonly Judged[], { words }: Line): Judged | null {
  const counted = judged.map((one) => ({
    one,
    count: [...one.fit.task.clues.words].filter((word) => words.has(word)).length,
  }));
  const [first, second] = counted.toSorted((one, other) => other.count - one.count);
  return first !== undefined && first.count > (second?.count ?? 0) ? first.one : null;
}
