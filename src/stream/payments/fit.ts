import { type Money, sameCurrency } from '../money/amount.ts';
import { type Payable, TAIL_DIGITS } from '../targets/payment-index.ts';
import type { Line } from './line.ts';

/**
 * What leads from a line to a note, best first: a reference that no other task has, a whole IBAN, the end of one, the name of
 * a counterparty, or a reference that several tasks have, or the matter.
 */
export const LEADS = ['reference', 'iban', 'tail', 'party', 'shared'] as const;
export type Lead = (typeof LEADS)[number];

/** How a line of an account fits one task. */
export interface Fit {
  readonly task: Payable;
  readonly isOpen: boolean;
  /** Whether the money went where the task wants it to go. */
  readonly direction: 'fits' | 'against' | 'unsaid' | 'other-deed';
  readonly leads: readonly Lead[];
  /** The task names an IBAN, and this is another one. */
  readonly isOtherIban: boolean;
  /** Against what the task says: within tolerance, what earlier parts have left, a part, more, or in a currency that cannot be compared. */
  readonly amount: 'exact' | 'near' | 'rest' | 'less' | 'more' | 'foreign' | 'unsaid';
  /** What earlier lines have paid of it, in thousandths; 0 where none did. */
  readonly paidBefore: number;
  /** The sum that it was compared with; null where the task says none. */
  readonly wanted: Money | null;
  /** The task names that sum alone. */
  readonly isOnlySum: boolean;
  /** Days from the day it is due to the day of booking; null where it is not due. */
  readonly daysLate: number | null;
  /** The references that stand in both, in the form in which they are compared. */
  readonly codes: readonly string[];
}

const DAY_MS = 86_400_000;
const DAYS_BEFORE = 30;
const DAYS_BEHIND = 60;
const WEEK = 7;
/** A difference of half a percent, or of one unit where that is no large part of the sum, is a fee. */
const NEAR_SHARE = 0.005;
const NEAR_UNITS = 1000;
const NEAR_UNITS_SHARE = 0.1;
const DISCOUNT_SHARE = 0.05;
/** So many words of a counterparty must be the task's. */
const PARTY_SHARE = 0.5;
const TELLING_LETTERS = 4;
/** A word that more notes have does not name a counterparty by itself. */
const COMMON_WORD = 8;

/** Who else has a clue. */
interface Neighbours {
  /** How many notes have a word. */
  readonly withWord: (word: string) => number;
  /** How many open tasks that are about a payment have a reference. */
  readonly withReference: (code: string) => number;
}

/** Returns how a line fits a task. `matter`: the task's own, whose IBANs, names and references speak for it as well. */
export function fitOf(line: Line, task: Payable, matter: Payable | null, near: Neighbours): Fit {
  const wanted = wantedSum(line, task.clues.amounts);
  const codes = [...task.clues.references].filter((code) => line.codes.has(code));
  const leads = leadsOf(line, task, matter, { codes, near });
  return {
    task,
    ...{ isOpen: task.isOpen, direction: directionOf(line, task), leads },
    isOtherIban: line.iban !== null && task.clues.ibans.size > 0 && !task.clues.ibans.has(line.iban),
    ...{ amount: amountOf(line, wanted), paidBefore: 0, wanted, isOnlySum: task.clues.amounts.length === 1 },
    daysLate: daysBetween(task.note.due ?? null, line.day),
    codes,
  };
}

function directionOf({ isOut }: Line, { clues: { deed } }: Payable): Fit['direction'] {
  if (deed === 'other') return 'other-deed';
  if (deed === 'unsaid') return 'unsaid';
  return (deed === 'out') === isOut ? 'fits' : 'against';
}

interface Found {
  readonly codes: readonly string[];
  readonly near: Neighbours;
}

function leadsOf(line: Line, task: Payable, matter: Payable | null, { codes, near }: Found): Lead[] {
  const isUnique = (code: string) => near.withReference(code) <= 1;
  const ofMatter = [...(matter?.clues.references ?? [])].some((code) => line.codes.has(code));
  const ibans = ibansFor(line, task, matter, near);
  const ofAnother = line.iban !== null && matter?.clues.ibans.has(line.iban) === true && !ibans.includes(line.iban);
  const found: Readonly<Record<Lead, boolean>> = {
    reference: codes.some(isUnique),
    iban: line.iban !== null && ibans.includes(line.iban),
    tail: hasTail(line, ibans, [...task.clues.tails, ...(matter?.clues.tails ?? [])]),
    party: isNamed(line, task, near) || (matter !== null && !ofAnother && isNamed(line, matter, near)),
    shared: ofMatter || ofAnother || (codes.length > 0 && !codes.some(isUnique)),
  };
  return LEADS.filter((lead) => found[lead]);
}

/**
 * The IBANs of those whom a task is about: its own. Where it has none, those of its matter; of several there, who is painting
 * and who is plumbing, only that of whoever the task names.
 */
function ibansFor(line: Line, task: Payable, matter: Payable | null, near: Neighbours): readonly string[] {
  const own = [...task.clues.ibans];
  const ofMatter = [...(matter?.clues.ibans ?? [])];
  if (own.length > 0 || ofMatter.length <= 1 || isNamed(line, task, near)) return own.length > 0 ? own : ofMatter;
  return [];
}

function hasTail({ iban, tail }: Line, ibans: readonly string[], tails: readonly string[]): boolean {
  if (iban !== null) return tails.some((one) => iban.endsWith(one));
  if (tail === null) return false;
  return [...ibans, ...tails].some((one) => one.slice(-TAIL_DIGITS) === tail.slice(-TAIL_DIGITS));
}

/** Whether a note names the counterparty of a line: by its field, or by enough telling words. */
function isNamed({ partyWords }: Line, { clues: { words, parties } }: Payable, near: Neighbours): boolean {
  if (partyWords.length === 0) return false;
  if (parties.some((party) => party.every((word) => partyWords.includes(word)))) return true;
  const shared = partyWords.filter((word) => words.has(word));
  const isTelling = shared.some((word) => word.length >= TELLING_LETTERS && near.withWord(word) <= COMMON_WORD);
  return shared.length / partyWords.length >= PARTY_SHARE && (isTelling || shared.length > 1);
}

/** Of several sums, the largest: what is less is a part of it. */
function wantedSum({ money }: Line, amounts: readonly Money[]): Money | null {
  const comparable = amounts.filter((one) => sameCurrency(one, money));
  const from = comparable.length > 0 ? comparable : amounts;
  return from.toSorted((one, other) => other.thousandths - one.thousandths)[0] ?? null;
}

function amountOf(line: Line, wanted: Money | null): Fit['amount'] {
  if (wanted === null) return 'unsaid';
  if (!sameCurrency(wanted, line.money)) return 'foreign';
  const over = line.money.thousandths - wanted.thousandths;
  if (over === 0) return 'exact';
  if (isNear(Math.abs(over), wanted.thousandths, line.isDiscounted && over < 0)) return 'near';
  return over < 0 ? 'less' : 'more';
}

function isNear(difference: number, wanted: number, isDiscounted: boolean): boolean {
  if (difference <= wanted * NEAR_SHARE) return true;
  if (difference <= NEAR_UNITS && difference <= wanted * NEAR_UNITS_SHARE) return true;
  return isDiscounted && difference <= wanted * DISCOUNT_SHARE;
}

function daysBetween(due: string | null, day: string): number | null {
  const [from, to] = [Date.parse((due ?? '').slice(0, 10)), Date.parse(day)];
  return Number.isNaN(from) || Number.isNaN(to) ? null : Math.round((to - from) / DAY_MS);
}

/** Returns the fit with what earlier lines have paid of the task. */
export function withParts(fit: Fit, { money }: Line, parts: readonly Money[]): Fit {
  const { wanted, amount } = fit;
  if (wanted === null || amount !== 'less') return fit;
  const fitting = parts.filter((part) => sameCurrency(part, wanted));
  // More may have gone back than is known to have been paid.
  const paidBefore = Math.max(
    0,
    fitting.reduce((sum, { thousandths }) => sum + thousandths, 0),
  );
  const open = wanted.thousandths - paidBefore - money.thousandths;
  return { ...fit, paidBefore, amount: open === 0 ? 'rest' : open < 0 ? 'more' : 'less' };
}

/** Whether a line was booked at a time at which it may be what the task is about. */
export function isInTime({ daysLate }: Fit): boolean {
  return daysLate === null || (daysLate >= -DAYS_BEFORE && daysLate <= DAYS_BEHIND);
}

/** Whether a line was booked within a week of the day on which the task is due: what comes by the week or the month does so once in that time. */
export function isClose({ daysLate }: Fit): boolean {
  return daysLate !== null && Math.abs(daysLate) < WEEK;
}
