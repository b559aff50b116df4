import {
  amountWritten,
  codesMeant,
  type Money,
  makeAmount,
  maskedTail,
  moneyWords,
  partyWords,
  plainReference,
  sameCurrency,
} from '../reading/money.ts';
import { type ClueKind, type Payable, TAIL_DIGITS, type TargetIndex } from '../reading/targets.ts';
import { MAX_QUOTE_CHARACTERS, quoteAround } from '../reading/text.ts';
import { plainAccount } from '../steward/sender.ts';
import {
  type Authentication,
  type ExtractorResult,
  type FittingNote,
  type Meaning,
  NOT_VOUCHED,
  type Payment,
  type StreamEvent,
} from '../steward/types.ts';
import { cutAt, oneLine, plainText } from '../vault/note-text.ts';
import type { MutationProposal, TargetEvidence } from '../vault/record.ts';
import { parseIban } from '../vault/source-names.ts';

/**
 * The clues that lead from a line to a note, best first: a reference that no other task has, a whole IBAN, the end of
 * one, the name of a counterparty, or a reference that several tasks have, or the matter.
 */
const LEADS = ['reference', 'iban', 'tail', 'party', 'shared'] as const;
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
  /** The sums that earlier lines have paid of it, in thousandths; 0 if no line did. */
  readonly paidBefore: number;
  /** The sum that it was compared with; null if the task has no sum. */
  readonly wanted: Money | null;
  /** The task names that sum alone. */
  readonly isOnlySum: boolean;
  /** Days from the day it is due to the day of booking; null if it is not due. */
  readonly daysLate: number | null;
  /** The references that both have, in the form in which they are compared. */
  readonly codes: readonly string[];
}

const DAY_MS = 86_400_000;
const DAYS_BEFORE = 30;
const DAYS_BEHIND = 60;
const WEEK = 7;
/** A difference of half a percent, or of one unit if that is a small part of the sum, is a fee. */
const NEAR_SHARE = 0.005;
const NEAR_UNITS = 1000;
const NEAR_UNITS_SHARE = 0.1;
const DISCOUNT_SHARE = 0.05;
/** The share of a counterparty's words that must be the task's. */
const PARTY_SHARE = 0.5;
const TELLING_LETTERS = 4;
/** A word that more notes have does not name a counterparty by itself. */
const COMMON_WORD = 8;

/** Who else has a clue. */
interface Neighbours {
  readonly withWord: (word: string) => number;
  /** How many open tasks that are about a payment have a reference. */
  readonly withReference: (code: string) => number;
}

/** Returns how a line fits a task. `matter`: the task's own, whose IBANs, names and references speak for it as well. */
function fitOf(line: Line, task: Payable, matter: Payable | null, near: Neighbours): Fit {
  const wanted = wantedSum(line, task.clues.amounts);
  const codes = [...task.clues.references].filter((code) => line.codes.has(code));
  const leads = leadsOf(line, task, matter, { codes, near });
  return {
    task,
    isOpen: task.isOpen,
    direction: directionOf(line, task),
    leads,
    isOtherIban: line.iban !== null && task.clues.ibans.size > 0 && !task.clues.ibans.has(line.iban),
    amount: amountOfFit(line, wanted),
    paidBefore: 0,
    wanted,
    isOnlySum: task.clues.amounts.length === 1,
    daysLate: daysBetween(task.note.due ?? null, line.day),
    codes,
  };
}

function directionOf({ isOut }: Line, { clues: { deed } }: Payable): Fit['direction'] {
  if (deed === 'other') return 'other-deed';
  if (deed === 'unsaid') return 'unsaid';
  return (deed === 'out') === isOut ? 'fits' : 'against';
}

interface Surroundings {
  readonly codes: readonly string[];
  readonly near: Neighbours;
}

function leadsOf(line: Line, task: Payable, matter: Payable | null, { codes, near }: Surroundings): Lead[] {
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
 * The IBANs of a task: its own, else those of its matter. If the matter has several (the painter's, the plumber's), the
 * task must name the line's counterparty.
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

/** Of several sums, the largest: a smaller one is a part of it. */
function wantedSum({ money }: Line, amounts: readonly Money[]): Money | null {
  const comparable = amounts.filter((one) => sameCurrency(one, money));
  const from = comparable.length > 0 ? comparable : amounts;
  return from.toSorted((one, other) => other.thousandths - one.thousandths)[0] ?? null;
}

function amountOfFit(line: Line, wanted: Money | null): Fit['amount'] {
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
function withParts(fit: Fit, { money }: Line, parts: readonly Money[]): Fit {
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
function isInTime({ daysLate }: Fit): boolean {
  return daysLate === null || (daysLate >= -DAYS_BEFORE && daysLate <= DAYS_BEHIND);
}

function isClose({ daysLate }: Fit): boolean {
  return daysLate !== null && Math.abs(daysLate) < WEEK;
}

/** A line of an account, in the forms in which it is compared with notes. */
export interface Line {
  readonly money: Money;
  readonly isOut: boolean;
  readonly isPending: boolean;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** The counterparty's IBAN, whole and with right check digits; null if the line has no such IBAN. */
  readonly iban: string | null;
  /** The last digits that the bank shows of an IBAN that it hides; null if it hides no digits. */
  readonly tail: string | null;
  readonly party: string | null;
  readonly partyWords: readonly string[];
  readonly codes: ReadonlySet<string>;
  /** The words of its purpose, folded. */
  readonly words: ReadonlySet<string>;
  /** It says that money went back. */
  readonly isReturned: boolean;
  readonly isPart: boolean;
  /** It says that something was taken off for paying early. */
  readonly isDiscounted: boolean;
}

/**
 * Words of banks and people for a payment that came back. The word for sending goods back is not among them, nor is a
 * tax return.
 */
const RETURNED =
  /(?<!\p{L})(?:returned|return of|reversal|reversed|chargeback|refused|rejected|bounced|rücklauf|rückläufer|rücklastschrift|rückbuchung|ruecklaeufer|ruecklastschrift|rueckbuchung|retoure|storno|storniert|rejet|rejeté|impayé|retourné|devuelto|devolución|rechazado|impagado|stornato|insoluto|respinto|geweigerd|teruggeboekt|stornering)(?!\p{L})/iu;
const PART =
  /(?<!\p{L})(?:instalment|installment|part payment|first half|second half|deposit|anzahlung|teilzahlung|rate|abschlag|acompte|échéance|primer pago|plazo|anticipo|acconto|rata|aanbetaling|termijn)(?!\p{L})/iu;
const DISCOUNTED = /(?<!\p{L})(?:skonto|discount|escompte|descuento|sconto|korting)(?!\p{L})/iu;
const MAX_PURPOSE = 4000;

function plainPayment(payment: Payment): Payment {
  const { purpose, counterparty } = payment;
  return {
    ...payment,
    purpose: plainText(purpose),
    counterparty: counterparty === null ? null : plainText(counterparty),
  };
}

/** Returns a line as it is compared with notes; null if it has no amount. */
export function makeLine(payment: Payment): Line | null {
  const money = makeAmount(payment.amount, payment.currency);
  if (money === null || money.thousandths === 0) return null;
  const purpose = payment.purpose.slice(0, MAX_PURPOSE);
  const whole = payment.iban === null ? null : parseIban(payment.iban);
  return {
    money,
    isOut: payment.amount.startsWith('-'),
    isPending: payment.status === 'pending',
    day: payment.day,
    iban: whole,
    tail: whole === null ? maskedTail(payment.iban ?? '') : null,
    party: payment.counterparty,
    partyWords: partyWords(payment.counterparty ?? ''),
    codes: new Set([
      ...payment.references.map(plainReference),
      ...[purpose, ...payment.references].flatMap((one) => [...codesMeant(one)]),
    ]),
    words: new Set(partyWords(purpose)),
    isReturned: payment.isReversal === true || RETURNED.test(purpose),
    isPart: PART.test(purpose),
    isDiscounted: DISCOUNTED.test(purpose),
  };
}

type Outcome =
  /** The task is done, as far as the line can tell. */
  | 'done'
  /** The task was done, and is no longer. */
  | 'reopen'
  /** A person should know, but the note stays as it is. */
  | 'ask'
  /** It may be about the task, but that isn't certain. */
  | 'undecided'
  | 'nothing';

interface Verdict {
  readonly outcome: Outcome;
  /** The confidence of the reading, before any trust; 0 if it is discarded. */
  readonly effect: number;
  readonly target: number;
  /** The reason against a change, or against any meaning: part of a sentence. */
  readonly because: string | null;
}

/** Why a part of a sum doesn't complete a task. */
const A_PART = 'it is a part of the sum';
/** The body of the task isn't searched for one. */
const NO_SUM = 'no property of the task names a sum';
/** Why money may have come back. */
const WENT_BACK = 'the money went the other way, so it may have come back';

interface Case {
  readonly fit: Fit;
  readonly line: Line;
  /** The best clue that leads to the task; null if only the sum does. */
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
/** Money that came in although some was to go out, or that went out again, as it says, although some was awaited. */
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
/** The whole decision: the first rule that matches applies. */
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
  // The task doesn't ask for a payment.
  rule(
    'ask',
    0.6,
    'the task asks for something else than a payment',
    (it) => it.fit.direction === 'other-deed' && isMeant(it),
  ),
  rule('nothing', 0, 'the task asks for something else than a payment', ({ fit }) => fit.direction === 'other-deed'),
  // The payee is not the one that the task names.
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
  rule('undecided', 0.5, 'only the sum leads to the task', (it) => isExact(it) && !isLed(it)),
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
  rule('nothing', 0, 'only money leads to the task', (it) => !isLed(it)),
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
  rule('done', 0.8, NO_SUM, (it) => isReferenced(it)),
  rule('done', 0.75, NO_SUM, (it) => fits(it) && hasAccount(it)),
  rule('done', 0.7, NO_SUM, fits),
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
    because: "only the payer's words lead to the task",
    target: targetOf(fit),
  };
}

/** Who sends money chooses the words that go with it, and the name: the bank's word is for the sum and the IBAN. */
const OF_PAYER = 0.8;

function targetOf({ leads: [best, second], amount }: Fit): number {
  if (best === undefined) return TARGET_OF_SUM;
  return Math.min(MOST_SURE, TARGET[best] + (second !== undefined && amount === 'exact' ? SECOND : 0));
}

const SHOWN_DIGITS = 4;
const MAX_CODE = 40;

/** Returns, in plain words, what speaks for a line to be about a task, and what against it. */
function reasonsOf(fit: Fit, line: Line, { because }: Verdict): string {
  const found = [sumWords(fit, line), ...leadWords(fit, line), dayWords(fit, line)].join('; ');
  // A task without a sum is among the findings already.
  return [found, ...(because === null || found.includes(because) ? [] : [because])].map(sentence).join(' ');
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/**
 * Returns the one line that a person reads first, unless the change is simply made; undefined if the event's subject
 * will do.
 */
function headlineOf(fit: Fit, line: Line, { outcome, because }: Verdict): string | undefined {
  if (outcome === 'reopen') return `${moneyWords(line.money)} came back for "${fit.task.note.name}", which is done`;
  if (outcome !== 'ask') return undefined;
  return `${sumWords(fit, line)}${fit.amount === 'less' || fit.amount === 'more' ? '' : `; ${because ?? ''}`}`;
}

function sumWords({ amount, wanted, paidBefore }: Fit, { money, isOut }: Line): string {
  const sum = `${moneyWords(money)} went ${isOut ? 'out' : 'in'}`;
  if (wanted === null) return `${sum}, and ${NO_SUM}`;
  if (amount === 'exact') return `${sum}, as in the task`;
  const before = paidBefore === 0 ? '' : `, ${moneyWords({ ...money, thousandths: paidBefore })} before`;
  const of = `${sum}${before}, the task says ${moneyWords(wanted)}`;
  if (amount === 'foreign' || amount === 'rest') return of;
  const open = wanted.thousandths - paidBefore - money.thousandths;
  return `${of}: ${moneyWords({ ...money, thousandths: Math.abs(open) })} ${open < 0 ? 'more' : 'open'}`;
}

function leadWords({ leads, codes }: Fit, { iban, tail, party }: Line): string[] {
  const end = (iban ?? tail ?? '').slice(-SHOWN_DIGITS);
  const [code = ''] = codes;
  const words = {
    reference: `reference ${cutAt(code, MAX_CODE)} is in both`,
    iban: `the task or its matter names IBAN …${end}`,
    tail: `the account ends in ${end}, as the task or its matter says`,
    party: `the task or its matter names "${oneLine(party ?? '', MAX_CODE)}"`,
    shared: 'both have a reference of several tasks, or a reference or an IBAN of its matter',
  };
  return leads.length === 0 ? ['they share neither a reference nor a name'] : leads.map((lead) => words[lead]);
}

function dayWords({ daysLate }: Fit, { day }: Line): string {
  if (daysLate === null) return `booked ${day}`;
  if (daysLate === 0) return 'booked on the day it is due';
  const days = `${Math.abs(daysLate)} ${Math.abs(daysLate) === 1 ? 'day' : 'days'}`;
  return `booked ${days} ${daysLate < 0 ? 'before' : 'after'} it is due`;
}

/**
 * Returns the words of a line that a signal quotes: those around the reference, else its purpose, its counterparty, its
 * sum. `isAlone`: only the reference, since one line gives several signals.
 */
function quoteOf(
  { purpose, counterparty, amount, currency }: Payment,
  subject: string,
  codes: readonly string[],
  isAlone: boolean,
): string {
  const at = codes.length === 0 ? null : placeOf(purpose, codes);
  if (at !== null) return quoteAround(purpose, at, isAlone ? at : { start: 0, end: purpose.length });
  const [first] = [purpose, counterparty ?? '', subject].map(firstWords).filter((text) => text !== '');
  return first ?? `${amount} ${currency ?? ''}`.trim();
}

function firstWords(text: string): string {
  const [line = ''] = text.trim().split(/[\r\n]/, 1);
  const end = Math.min(line.length, MAX_QUOTE_CHARACTERS);
  return line === '' ? '' : quoteAround(line, { start: 0, end }, { start: 0, end: line.length });
}

// If a reference is cut into groups, only the first is found; its words are quoted nevertheless.
function placeOf(purpose: string, codes: readonly string[]): { start: number; end: number } | null {
  for (const found of purpose.matchAll(/[\p{L}\p{N}]+(?:[-/_.][\p{L}\p{N}]+)*/gu)) {
    const meant = codesMeant(found[0]);
    if (found[0].length <= MAX_QUOTE_CHARACTERS && codes.some((code) => meant.has(code)))
      return { start: found.index, end: found.index + found[0].length };
  }
  return null;
}

/** A task that a line may be about, and what the line means for it. */
interface Judged {
  readonly fit: Fit;
  readonly verdict: Verdict;
}

interface JudgedTask extends Judged {
  readonly rivals: readonly Judged[];
}

interface Telling {
  readonly line: Line;
  readonly payment: Payment;
  readonly subject: string;
  readonly index: TargetIndex;
  /** The line says something of several tasks. */
  readonly isShared: boolean;
}

/** How many tasks a person may choose from. */
const MOST_CANDIDATES = 5;

/** Returns what a line means for a task, as a signal will say it. */
function meaningOf(told: JudgedTask, telling: Telling): Meaning {
  const { fit, verdict, rivals } = told;
  const isUndecided = verdict.outcome === 'undecided' || rivals.length > 0;
  const tasks = [fit, ...rivals.map((rival) => rival.fit)].map(({ task }) => task.note);
  const headline = headlineOf(fit, telling.line, verdict);
  return {
    target: fit.task.note.path,
    candidates: tasks.slice(0, MOST_CANDIDATES).map(({ path }) => path),
    ambiguous: isUndecided,
    targetConfidence: verdict.target,
    endsMatter: false,
    targetEvidence: evidenceOf(fit, telling.line),
    targetNear: !isUndecided,
    quote: quoteOf(telling.payment, telling.subject, fit.codes, telling.isShared),
    ...(headline === undefined ? {} : { headline }),
    ...paidBy(told, telling.line),
    proposal: proposalOf(verdict.outcome),
    effectConfidence: verdict.effect,
    reasoning: `${reasonsOf(fit, telling.line, verdict)}${doubtOf(rivals)}`,
    ...heardBy(told, telling),
  };
}

/** A sum that went back is no longer paid. */
function paidBy({ fit, verdict: { because } }: JudgedTask, { money }: Line): Partial<Meaning> {
  if (because === A_PART) return { paid: moneyWords(money) };
  const wentBack = because === WENT_BACK && fit.isOpen && fit.amount === 'less';
  return wentBack ? { paid: `-${moneyWords(money)}` } : {};
}

/** A done task gets no attention: a refund is reported for its matter, if that is open. */
function heardBy({ fit, verdict }: JudgedTask, { index }: Telling): Partial<Meaning> {
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
  reference: 'reference',
  iban: 'sender',
  tail: 'keyword',
  party: 'name',
  shared: 'keyword',
};

// The text of incoming money was chosen by its sender: only the sum and the IBAN are the bank's.
function evidenceOf({ leads, amount }: Fit, { isOut }: Line): readonly TargetEvidence[] {
  const found = leads.filter((lead) => isOut || lead === 'iban').map((lead) => KIND[lead]);
  return amount === 'exact' ? [...found, 'amount'] : found;
}

/** A part of a task's sum that a line of an account has paid. */
interface Part {
  /** The file that says so. */
  readonly file: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** `500.00 EUR`; `-500.00 EUR` if it went back. */
  readonly paid: string;
}

/**
 * Returns the other parts that were paid, each once. A statement that was exported in two formats has every booking
 * twice, so equal sums of one day in two files count as one. If they were two, too little is counted.
 */
export function partsBeside(line: Part, others: readonly Part[]): readonly string[] {
  const all = [...Map.groupBy([line, ...others], ({ day, paid }) => `${day} ${paid}`).values()];
  return all.flatMap((same) => {
    const most = Math.max(
      ...Map.groupBy(same, ({ file }) => file)
        .values()
        .map(({ length }) => length),
    );
    const counted = same.slice(0, most);
    return (same.includes(line) ? counted.slice(1) : counted).map(({ paid }) => paid);
  });
}

const MOST_TASKS = 200;
const MOST_OF_MATTER = 50;
/** The confidence if something has to be chosen without a person's word. */
const CHOSEN = 0.8;
const BEST_FIRST: readonly Outcome[] = ['done', 'reopen', 'ask', 'undecided', 'nothing'];

/** Returns the sums that earlier lines have paid of a task, each as `500.00 EUR`, or `-500.00 EUR` if it went back. */
type PartsOf = (path: string) => readonly string[];

/** Returns what a line of a bank account means for the tasks of the vault. Asks no model, and closes no matter. */
export function readPayment(
  { payment: written, subject }: StreamEvent,
  index: TargetIndex,
  partsOf: PartsOf = () => [],
): ExtractorResult {
  const payment = written === undefined ? undefined : plainPayment(written);
  const line = payment === undefined ? null : makeLine(payment);
  if (payment === undefined || line === null) return extracted([], 'no sum of money');
  const judged = tasksFor(line, index)
    .map((task) => judgedFor(task, line, index, partsOf))
    .toSorted(byWorth);
  const [best] = judged;
  if (best === undefined) return extracted([], 'no task is about such a payment');
  const told = togetherPaid(judged, line) ?? chosen(best, judged, line);
  const meanings = told.map((one) => meaningOf(one, { line, payment, subject, index, isShared: told.length > 1 }));
  if (meanings.length > 0) return extracted(meanings, null);
  return extracted(
    [],
    whyNothing(best),
    judged.filter(isFound).map((one) => fittingNote(one, line)),
  );
}

function extracted(
  meanings: readonly Meaning[],
  skipped: string | null,
  compared: readonly FittingNote[] = [],
): ExtractorResult {
  return { meanings, skipped, rejected: [], unusable: null, extractor: 'payments (embedded)', usage: null, compared };
}

/** Whether something leads to a task: one word in common doesn't. */
function isFound({ fit: { leads, amount } }: Judged): boolean {
  return leads.length > 0 || amount === 'exact';
}

function fittingNote({ fit, verdict }: Judged, line: Line): FittingNote {
  return { note: fit.task.note.path, score: verdict.target, evidence: evidenceOf(fit, line) };
}

function whyNothing({ fit, verdict }: Judged): string {
  return oneLine(`${verdict.because ?? 'no news for a task'}: ${fit.task.note.name}`, 160);
}

/** The tasks that have anything in common with a line. A clue that leads to a matter leads to its open tasks. */
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
function togetherPaid(judged: readonly Judged[], line: Line): readonly JudgedTask[] | null {
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

function chosen(best: Judged, judged: readonly Judged[], line: Line): readonly JudgedTask[] {
  const { outcome } = best.verdict;
  if (outcome === 'nothing') return [];
  const settled = outcome === 'done' ? settledBefore(best, judged) : null;
  if (settled !== null && (leadRank(settled) < leadRank(best) || (isClose(settled.fit) && !isClose(best.fit))))
    return [];
  const rivals = judged.filter(
    (one) => one !== best && one.verdict.outcome === outcome && leadRank(one) === leadRank(best),
  );
  if (rivals.length === 0) return [{ ...(settled === null ? best : besideSettled(best, settled)), rivals }];
  // Too many for a person to choose from, if only the sum speaks for any of them.
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
 * Returns a task that is done already and that a line fits as well as the best open one; null if there is no such task.
 * The same booking in another file, or one that a person dealt with, must not settle the next task of its kind.
 */
function settledBefore(best: Judged, judged: readonly Judged[]): Judged | null {
  const settled = judged.filter(
    ({ fit }) => !fit.isOpen && fit.direction === 'fits' && fit.amount === 'exact' && isInTime(fit) && !fit.isOtherIban,
  );
  return settled.find((one) => one.fit.leads.length > 0 && leadRank(one) <= leadRank(best)) ?? null;
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

/**
 * Returns the event with the fields that the bank authenticates. For a booked line of an account that the settings
 * name, that is the IBAN. A name alone is never authenticated, since the sender of money chooses it. No file can claim
 * this of itself.
 */
export function vouchedPayment(event: StreamEvent, accounts: readonly string[]): StreamEvent {
  return event.payment === undefined ? event : { ...event, authentication: authenticationOf(event, accounts) };
}

function authenticationOf({ from, payment }: StreamEvent, accounts: readonly string[]): Authentication {
  const [account, iban] = [plainAccount(payment?.account ?? ''), parseIban(payment?.iban ?? '')];
  const isTrusted = account !== '' && accounts.some((one) => plainAccount(one) === account);
  const isSender = iban !== null && parseIban(from ?? '') === iban;
  if (!isTrusted || !isSender || payment?.status !== 'booked') return NOT_VOUCHED;
  const server = `the statement of account …${account.slice(-SHOWN_DIGITS)}`;
  return { result: 'pass', server, reason: 'trusted_bank_accounts names the account' };
}
