import type { Reading } from '../../daemon/status/reading/trial.ts';
import type { Usage } from '../../steward/ports/evaluator.ts';
import { count } from './plain-text.ts';
import type { Printer } from './printer.ts';

type Most = Pick<Usage, 'tokens_in' | 'tokens_out' | 'usd'>;

/** Returns what reading the samples may take at most, as it is said before the first question. */
export function mostWords(model: string, mails: number, { tokens_in, tokens_out, usd }: Most): string {
  const cost = usd === null ? 'the cost is unknown, as no price is set' : `${money(usd)} at most`;
  return `${model} reads ${mails} built-in mails one by one: at most ${thousands(tokens_in)} tokens read and ${thousands(tokens_out)} written; ${cost}. Ctrl-C ends it.`;
}

/** Prints how well each reader read the samples, what each got wrong, and why no model was asked where none was. */
export function printReadings(out: Printer, readings: readonly Reading[], notAsked: string | null): void {
  out.heading('Reading the built-in mails');
  out.rows([HEAD, ...readings.map(rowOf)]);
  for (const reading of readings) printMistakes(out, reading);
  if (notAsked !== null) out.plain(`No model was measured: ${notAsked}`);
  out.line('Twenty mails tell a good reader from a bad one; a difference of one mail is chance.');
}

const HEAD = ['reader', 'mails', 'precision', 'recall', 'wrong', 'seconds a mail', 'tokens read', 'written', 'cost'];

function rowOf({ reader, mails, precision, recall, wrong, secondsPerMail, ...took }: Reading): readonly string[] {
  const { tokensIn, tokensOut, usd } = took;
  const figures = [String(mails), percent(precision), percent(recall), String(wrong)];
  const cost = usd === null ? 'unknown' : money(usd);
  return [
    reader,
    ...figures,
    secondsPerMail.toFixed(secondsPerMail < 0.1 ? 3 : 1),
    `${tokensIn}`,
    `${tokensOut}`,
    cost,
  ];
}

function printMistakes(out: Printer, { reader, mistakes, unusable, stopped }: Reading): void {
  const wrong = mistakes.filter(({ said }) => said !== null);
  const missed = mistakes.filter(({ said }) => said === null);
  for (const { sample, expected, said } of wrong)
    out.plain(`${reader} is wrong about ${sample}: it says ${said}; expected was ${expected}.`);
  if (missed.length > 0) out.plain(`${reader} misses ${missed.map(({ sample }) => sample).join(', ')}.`);
  if (unusable > 0)
    out.plain(`${reader} gave no usable reply to ${count(unusable, 'mail')}; the embedded reader would read them.`);
  if (stopped !== null) out.plain(`${reader} was not asked about the rest: ${stopped}`);
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)} thousand`;
}

function money(usd: number): string {
  return `${usd === 0 ? 0 : usd.toFixed(usd < 0.01 ? 4 : 2)} USD`;
}
