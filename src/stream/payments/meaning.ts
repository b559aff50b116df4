import type { Meaning } from '../../steward/ports/extractor.ts';
import type { Payment } from '../../steward/ports/stream-event.ts';
import type { MutationProposal } from '../../vault/records/mutation.ts';
import type { TargetEvidence } from '../../vault/records/signal.ts';
import { moneyWords } from '../money/amount.ts';
import type { TargetIndex } from '../targets/target-index.ts';
import type { Fit, Lead } from './fit.ts';
import type { Line } from './line.ts';
import { A_PART, type Outcome, type Verdict, WENT_BACK } from './verdict.ts';
import { headlineOf, quoteOf, reasonsOf } from './words.ts';

/** A task that a line may be about, and what the line means for it. */
export interface Judged {
  readonly fit: Fit;
  readonly verdict: Verdict;
}

/** What is said of one task, and which others it may be about. */
export interface Told extends Judged {
  readonly rivals: readonly Judged[];
}

/** What a meaning is put together from, besides the task. */
interface Telling {
  readonly line: Line;
  readonly payment: Payment;
  readonly subject: string;
  readonly index: TargetIndex;
  /** The line says something of several tasks. */
  readonly isShared: boolean;
}

/** So many tasks are put before a person. */
export const MOST_CANDIDATES = 5;

/** Returns what a line means for a task, as a signal will say it. */
export function meaningOf(told: Told, telling: Telling): Meaning {
  const { fit, verdict, rivals } = told;
  const isUndecided = verdict.outcome === 'undecided' || rivals.length > 0;
  const tasks = [fit, ...rivals.map((rival) => rival.fit)].map(({ task }) => task.note);
  const headline = headlineOf(fit, telling.line, verdict);
  return {
    target: fit.task.note.path,
    candidates: tasks.slice(0, MOST_CANDIDATES).map(({ path }) => path),
    ...{ ambiguous: isUndecided, targetConfidence: verdict.target, endsMatter: false },
    ...{ targetEvidence: evidenceOf(fit, telling.line), targetNear: !isUndecided },
    quote: quoteOf(telling.payment, telling.subject, fit.codes, telling.isShared),
    ...(headline === undefined ? {} : { headline }),
    ...paidBy(told, telling.line),
    ...{ proposal: proposalOf(verdict.outcome), effectConfidence: verdict.effect },
    reasoning: `${reasonsOf(fit, telling.line, verdict)}${doubtOf(rivals)}`,
    ...heardBy(told, telling),
  };
}

/** What went back is no longer paid. */
function paidBy({ fit, verdict: { because } }: Told, { money }: Line): Partial<Meaning> {
  if (because === A_PART) return { paid: moneyWords(money) };
  const wentBack = because === WENT_BACK && fit.isOpen && fit.amount === 'less';
  return wentBack ? { paid: `-${moneyWords(money)}` } : {};
}

/** Nobody looks at a task that is done: that its money came back is said of its matter, where that is open. */
function heardBy({ fit, verdict }: Told, { index }: Telling): Partial<Meaning> {
  const { matterPath } = fit.task.note;
  const matter = verdict.outcome === 'reopen' && matterPath !== null ? index.payments.get(matterPath) : null;
  if (matter?.isOpen !== true) return {};
  return { target: matter.note.path, candidates: [matter.note.path], proposal: null, targetNear: false };
}

function doubtOf([rival]: readonly Judged[]): string {
  return rival === undefined ? '' : ` "${rival.fit.task.note.name}" fits as well.`;
}

function proposalOf(outcome: Outcome): MutationProposal | null {
  if (outcome === 'ask') return null;
  return { class: 'state_change', set: { state: outcome === 'reopen' ? 'open' : 'done' }, add: {}, remove: {} };
}

const KIND: Readonly<Record<Lead, TargetEvidence>> = {
  ...{ reference: 'reference', iban: 'sender', tail: 'keyword', party: 'name', shared: 'keyword' },
};

// What goes with money that came in was chosen by whoever sent it: of that the bank says the sum and the IBAN alone.
function evidenceOf({ leads, amount }: Fit, { isOut }: Line): readonly TargetEvidence[] {
  const found = leads.filter((lead) => isOut || lead === 'iban').map((lead) => KIND[lead]);
  return amount === 'exact' ? [...found, 'amount'] : found;
}
