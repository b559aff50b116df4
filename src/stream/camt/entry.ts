import type { Payment } from '../../steward/ports/stream-event.ts';
import { ibanForm } from '../../vault/source-names.ts';
import type { Found } from '../bank/booking.ts';
import { dayIn } from '../bank/day.ts';
import { currencyOf, decimalOf, negated } from '../bank/money.ts';
import { nothing, refused } from '../items/item.ts';
import type { Fields } from './fields.ts';

/** An entry of an account, or one of the transactions that it puts together. */
export interface Transaction {
  /** The account of the vault's owner, as the statement names it. */
  readonly account: string | null;
  /** Whether it stands in a statement, camt.053, which has booked entries alone. */
  readonly isInStatement: boolean;
  readonly entry: Fields;
  /** What is told of the one transaction; empty where the entry has no details. */
  readonly details: Fields;
  /** Whether the entry has several, each with its own amount. */
  readonly isPart: boolean;
}

const AMOUNTS = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'];
const NO_REFERENCE = /^(?:notprovided|nonref|none|unknown)$/i;

/** Whether the details have an amount of their own. */
export function hasAmount(details: Fields): boolean {
  return details.first(...AMOUNTS) !== null;
}

/** Returns what a transaction says. */
export function bookingOf(transaction: Transaction): Found {
  const { account, entry, details } = transaction;
  const status = statusOf(entry.first('Sts', 'Sts/Cd', 'Sts/Prtry') ?? (transaction.isInStatement ? 'BOOK' : null));
  if (status === 'none') return nothing('it is for information only: nothing is booked');
  if (status === null) return refused('it does not say whether it is booked');
  const day = dayIn(entry.first('BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? '');
  if (day === null) return refused('it has no date that can be read');
  const money = moneyOf(transaction);
  if (typeof money === 'string') return refused(money);
  const isReversal = /^(?:true|1)$/.test(entry.first('RvslInd') ?? '');
  const payment: Payment = {
    account,
    status,
    day,
    ...money,
    ...counterpartyOf(details, account, money.amount.startsWith('-') !== isReversal),
    references: referencesOf(transaction),
    purpose: purposeOf(transaction),
    ...(isReversal && { isReversal }),
  };
  return { what: 'payment', payment };
}

function statusOf(code: string | null): Payment['status'] | 'none' | null {
  if (code === 'BOOK') return 'booked';
  if (code === 'INFO') return 'none';
  return code === 'PDNG' || code === 'FUTR' ? 'pending' : null;
}

/** The sum that was booked; of a part, its own. A sentence where it cannot be told. */
function moneyOf({ entry, details, isPart }: Transaction): Pick<Payment, 'amount' | 'currency'> | string {
  const path = isPart ? AMOUNTS.find((one) => details.first(one) !== null) : 'Amt';
  const from = isPart ? details : entry;
  const currency = currencyOf(from.first(`${path}@Ccy`) ?? entry.first('Amt@Ccy'));
  const amount = decimalOf(from.first(path ?? '') ?? '', currency);
  const direction = (isPart ? details.first('CdtDbtInd') : null) ?? entry.first('CdtDbtInd');
  if (amount === null || amount.startsWith('-')) return 'it has no amount that can be read';
  if (direction === 'DBIT') return { amount: negated(amount), currency };
  return direction === 'CRDT' ? { amount, currency } : 'it does not say whether money came in or went out';
}

/** Who paid, where money came in; who was paid, where it went out. With what is taken back it is the other way round. */
function counterpartyOf(details: Fields, own: string | null, isPaid: boolean): Pick<Payment, 'counterparty' | 'iban'> {
  const sides = isPaid ? (['Cdtr', 'Dbtr'] as const) : (['Dbtr', 'Cdtr'] as const);
  const [side, other] = sides.map((one) => partyOf(details, one));
  const isOwn = side === undefined || (side.iban === null ? side.counterparty === null : side.iban === own);
  const isOther = other !== undefined && other.iban !== null && other.iban !== own;
  return (isOwn && isOther ? other : side) ?? { counterparty: null, iban: null };
}

function partyOf(details: Fields, side: 'Cdtr' | 'Dbtr'): Pick<Payment, 'counterparty' | 'iban'> {
  const at = (party: string) => [
    `RltdPties/${party}/Nm`,
    `RltdPties/${party}/Pty/Nm`,
    `RltdPties/${party}/Agt/FinInstnId/Nm`,
  ];
  const account = `RltdPties/${side}Acct/Id`;
  return {
    counterparty: details.first(...at(side), ...at(`Ultmt${side}`)),
    iban: ibanForm(details.first(`${account}/IBAN`)) ?? ibanForm(details.first(`${account}/Othr/Id`)),
  };
}

function referencesOf({ entry, details }: Transaction): readonly string[] {
  const found = [
    ...details.all('RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/CdtrRefInf/CdtrRef'),
    ...details.all('Refs/EndToEndId'),
    ...details.all('RmtInf/Strd/RfrdDocInf/Nb', 'RmtInf/Strd/RfrdDocInf/RfrdDocNb'),
    ...details.all('Refs/MndtId'),
    ...details.all('Refs/ChqNb'),
    ...[details.first('Refs/AcctSvcrRef') ?? entry.first('AcctSvcrRef') ?? ''],
  ];
  return found.filter((one) => one !== '' && !NO_REFERENCE.test(one));
}

/** The words of who paid; else what the bank says of it. */
function purposeOf({ entry, details }: Transaction): string {
  const said = [
    details.all('RmtInf/Ustrd'),
    details.all('RmtInf/Strd/AddtlRmtInf'),
    details.all('RmtInf/Strd/CdtrRefInf/Ref'),
    details.all('AddtlTxInf'),
    entry.all('AddtlNtryInf'),
  ];
  return (said.find((texts) => texts.length > 0) ?? []).join(' ');
}
