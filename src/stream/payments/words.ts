import type { Payment } from '../../steward/ports/stream-event.ts';
import { cutAt, oneLine } from '../mail/plain-text.ts';
import { MAX_QUOTE_CHARACTERS, quoteAround } from '../mail/quote.ts';
import { moneyWords } from '../money/amount.ts';
import { codesMeant } from '../money/code.ts';
import type { Fit } from './fit.ts';
import type { Line } from './line.ts';
import type { Verdict } from './verdict.ts';

const SHOWN_DIGITS = 4;
const MAX_CODE = 40;

/** Returns, in plain words, what speaks for a line to be about a task, and what against it. */
export function reasonsOf(fit: Fit, line: Line, { because }: Verdict): string {
  const found = [sumWords(fit, line), ...leadWords(fit, line), dayWords(fit, line)].join('; ');
  // That the task names no sum stands among what was found already.
  return [found, ...(because === null || found.includes(because) ? [] : [because])].map(sentence).join(' ');
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Returns the one line that a person reads first, where nothing is simply done; undefined where the event's subject will do. */
export function headlineOf(fit: Fit, line: Line, { outcome, because }: Verdict): string | undefined {
  if (outcome === 'reopen') return `${moneyWords(line.money)} came back for "${fit.task.note.name}", which is done`;
  if (outcome !== 'ask') return undefined;
  return `${sumWords(fit, line)}${fit.amount === 'less' || fit.amount === 'more' ? '' : `; ${because ?? ''}`}`;
}

function sumWords({ amount, wanted, paidBefore }: Fit, { money, isOut }: Line): string {
  const sum = `${moneyWords(money)} went ${isOut ? 'out' : 'in'}`;
  if (wanted === null) return `${sum}, the task names no sum`;
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
    reference: `reference ${cutAt(code, MAX_CODE)} stands in both`,
    iban: `the task or its matter names IBAN …${end}`,
    tail: `the account ends in ${end}, as the task or its matter says`,
    party: `the task or its matter names "${oneLine(party ?? '', MAX_CODE)}"`,
    shared: 'a reference of several tasks stands in both, or a reference or an IBAN of its matter',
  };
  return leads.length === 0 ? ['neither a reference nor a name stands in both'] : leads.map((lead) => words[lead]);
}

function dayWords({ daysLate }: Fit, { day }: Line): string {
  if (daysLate === null) return `booked ${day}`;
  if (daysLate === 0) return 'booked on the day it is due';
  const days = `${Math.abs(daysLate)} ${Math.abs(daysLate) === 1 ? 'day' : 'days'}`;
  return `booked ${days} ${daysLate < 0 ? 'before' : 'after'} it is due`;
}

/**
 * Returns the words of a line that a signal quotes: those around the reference, else its purpose, its counterparty, its sum.
 * `isAlone`: the reference by itself, where one line gives several signals.
 */
export function quoteOf(
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

// Of a reference that is cut into groups only the first is found; its words are quoted all the same.
function placeOf(purpose: string, codes: readonly string[]): { start: number; end: number } | null {
  for (const found of purpose.matchAll(/[\p{L}\p{N}]+(?:[-/_.][\p{L}\p{N}]+)*/gu)) {
    const meant = codesMeant(found[0]);
    if (found[0].length <= MAX_QUOTE_CHARACTERS && codes.some((code) => meant.has(code)))
      return { start: found.index, end: found.index + found[0].length };
  }
  return null;
}
