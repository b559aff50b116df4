import { type Fit, isClose, isInTime, type Lead } from './fit.ts';
import type { Line } from './line.ts';

/** What is made of a line for one task. */
export type Outcome =
  /** The task is done, as far as the line can tell. */
  | 'done'
  /** The task was done, and is no longer. */
  | 'reopen'
  /** A person should know, and nothing is to be changed. */
  | 'ask'
  /** It may be about the task, and nobody can tell. */
  | 'undecided'
  | 'nothing';

/** What is made of a line for one task, how sure that is, and why. */
export interface Verdict {
  readonly outcome: Outcome;
  /** How sure the reading is, before any trust; 0 where nothing is made of it. */
  readonly effect: number;
  /** How sure the target is. */
  readonly target: number;
  /** What stands in the way of more, or why it is nothing: part of a sentence. */
  readonly because: string | null;
}

/** Why a part of a sum makes nothing done. */
export const A_PART = 'it is a part of the sum';
/** Why money may have come back. */
export const WENT_BACK = 'the money went the other way, so it may have come back';

interface Case {
  readonly fit: Fit;
  readonly line: Line;
  /** What leads to the task best; null where nothing but the sum does. */
  readonly lead: Lead | null;
}

interface Rule {
  readonly when: (asked: Case) => boolean;
  readonly outcome: Outcome;
  readonly effect: number;
  readonly because: string | null;
}

const TARGET: Readonly<Record<Lead, number>> = { reference: 0.97, iban: 0.95, tail: 0.9, party: 0.88, shared: 0.7 };
const TARGET_OF_SUM = 0.5;
/** How much a second lead adds. */
const SECOND = 0.02;
const MOST_SURE = 0.99;
/** Less than this share of the sum, and less than one unit, is a trial or a joke. */
const TINY_SHARE = 0.01;
const TINY = 1000;
const REAL_PART = 0.1;
const LARGEST_EXCESS = 1.2;

const isLed = ({ lead }: Case) => lead !== null;
const isReferenced = ({ fit }: Case) => fit.leads.includes('reference');
const hasAccount = ({ fit }: Case) => fit.leads.includes('iban') || fit.leads.includes('tail');
const isExact = ({ fit }: Case) => fit.amount === 'exact';
const isMeant = (asked: Case) => isReferenced(asked) || (isLed(asked) && isExact(asked));
const fits = ({ fit }: Case) => fit.direction === 'fits';
/** Money that came in where some was to go out, or that went out again, as it says, where some was awaited. */
const isBack = ({ fit, line }: Case) => fit.direction === 'against' && (!line.isOut || line.isReturned);

function isTiny({ fit: { wanted, amount }, line: { money } }: Case): boolean {
  if (amount === 'exact' || money.thousandths >= TINY) return false;
  return wanted === null || money.thousandths < wanted.thousandths * TINY_SHARE;
}

function isRealPart({ fit: { wanted }, line: { money } }: Case): boolean {
  return wanted !== null && money.thousandths >= wanted.thousandths * REAL_PART;
}

function isSmallExcess({ fit: { wanted }, line: { money } }: Case): boolean {
  return wanted !== null && money.thousandths <= wanted.thousandths * LARGEST_EXCESS;
}

function rule(outcome: Outcome, effect: number, because: string | null, when: Rule['when']): Rule {
  return { outcome, effect, because, when };
}

const LEAST = rule('nothing', 0, 'the task names neither a sum nor a payment', () => true);
/** The whole decision: the first rule that holds is taken. */
const RULES: readonly Rule[] = [
  rule('nothing', 0, 'it is too small to mean anything', isTiny),
  rule('nothing', 0, 'it is not booked yet', ({ line }) => line.isPending),
  // Money that came back.
  rule('reopen', 0.8, 'the money came back', (it) => !it.fit.isOpen && isBack(it) && isMeant(it)),
  rule('nothing', 0, 'the task is done already', ({ fit }) => !fit.isOpen),
  rule('ask', 0.8, WENT_BACK, (it) => isBack(it) && isMeant(it)),
  rule('nothing', 0, 'the money went the other way', ({ fit }) => fit.direction === 'against'),
  rule(
    'ask',
    0.8,
    'it says that the payment was returned or refused',
    (it) => it.line.isReturned && it.line.isOut && isMeant(it),
  ),
  // What the task asks for is no payment.
  rule(
    'ask',
    0.6,
    'the task asks for something else than a payment',
    (it) => it.fit.direction === 'other-deed' && isMeant(it),
  ),
  rule('nothing', 0, 'the task asks for something else than a payment', ({ fit }) => fit.direction === 'other-deed'),
  // Whoever is paid is not whom the task names.
  rule('ask', 0.8, 'the task names another IBAN', (it) => it.fit.isOtherIban && isMeant(it)),
  rule('nothing', 0, 'the task names another IBAN', ({ fit }) => fit.isOtherIban),
  // A reference tells a payment at any time; everything else does at its time alone.
  rule(
    'done',
    0.7,
    'it was not booked around the day on which the task is due',
    (it) => !isInTime(it.fit) && isReferenced(it) && isExact(it),
  ),
  rule('nothing', 0, 'it was not booked around the day on which the task is due', ({ fit }) => !isInTime(fit)),
  // The sum is that of the task.
  rule('undecided', 0.5, 'nothing but the sum leads to the task', (it) => isExact(it) && !isLed(it)),
  rule('done', 0.8, 'the task does not say which way the money goes', (it) => isExact(it) && !fits(it)),
  rule('done', 0.8, 'the task names several sums', (it) => isExact(it) && !it.fit.isOnlySum),
  rule(
    'done',
    0.75,
    'it may be a payment of your own that came back',
    (it) => isExact(it) && it.line.isReturned && !it.line.isOut,
  ),
  rule('done', 0.98, null, (it) => isExact(it) && isReferenced(it)),
  // Without a reference, last month's payment looks like this one's.
  rule(
    'done',
    0.8,
    'it has no reference of the task, and is not within a week of the day on which that is due',
    (it) => isExact(it) && !isClose(it.fit),
  ),
  rule('done', 0.96, null, (it) => isExact(it) && hasAccount(it)),
  rule('done', 0.93, null, isExact),
  rule('nothing', 0, 'nothing but money leads to the task', (it) => !isLed(it)),
  // It is nearly the sum.
  rule('done', 0.75, 'it is not exactly the sum', ({ fit }) => fit.amount === 'near'),
  rule('done', 0.8, 'it was paid in parts', (it) => it.fit.amount === 'rest'),
  // A part of it, or too much.
  rule('ask', 0.75, A_PART, (it) => it.fit.amount === 'less' && (isReferenced(it) || it.line.isPart)),
  rule('ask', 0.7, A_PART, (it) => it.fit.amount === 'less' && hasAccount(it) && isRealPart(it)),
  rule('ask', 0.75, 'it is more than the sum', (it) => it.fit.amount === 'more' && isReferenced(it)),
  rule('ask', 0.65, 'it is more than the sum', (it) => it.fit.amount === 'more' && hasAccount(it) && isSmallExcess(it)),
  rule('nothing', 0, 'it is another sum', ({ fit }) => fit.amount === 'less' || fit.amount === 'more'),
  // No sum to compare it with.
  rule('done', 0.7, 'the sums cannot be compared', (it) => it.fit.amount === 'foreign' && isReferenced(it)),
  rule('nothing', 0, 'it is in another currency', ({ fit }) => fit.amount === 'foreign'),
  rule('done', 0.8, 'the task names no sum', (it) => isReferenced(it)),
  rule('done', 0.75, 'the task names no sum', (it) => fits(it) && hasAccount(it)),
  rule('done', 0.7, 'the task names no sum', fits),
  LEAST,
];

/** Returns what a line means for a task that it fits so. */
export function verdictOn(fit: Fit, line: Line): Verdict {
  const lead = fit.leads[0] ?? null;
  const asked = { fit, line, lead };
  const { outcome, effect, because } = RULES.find(({ when }) => when(asked)) ?? LEAST;
  const isProven = line.isOut || fit.leads.includes('iban');
  if (isProven || effect <= OF_PAYER) return { outcome, effect, because, target: targetOf(fit) };
  return {
    outcome,
    effect: OF_PAYER,
    because: 'nothing but the words of whoever paid leads to the task',
    target: targetOf(fit),
  };
}

/** Who sends money chooses the words that go with it, and the name: the bank's word is for the sum and the IBAN. */
const OF_PAYER = 0.8;

function targetOf({ leads: [best, second], amount }: Fit): number {
  if (best === undefined) return TARGET_OF_SUM;
  return Math.min(MOST_SURE, TARGET[best] + (second !== undefined && amount === 'exact' ? SECOND : 0));
}
