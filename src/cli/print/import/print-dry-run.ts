import type { DryRun } from '../../../daemon/import/dry-run/dry-run.ts';
import type { DryResult, DrySignal } from '../../../daemon/import/dry-run/dry-tally.ts';
import { count, figure } from '../plain-text.ts';
import type { Printer } from '../printer.ts';
import { notImportedWords, readableWords } from './print-imported.ts';
import { grouped } from './sizes.ts';

/** Prints what importing files would come to: each file with its counts, then the signals, each with its reason. */
export function printDryRun(out: Printer, { files, signals, model }: DryRun): void {
  for (const file of files) out.plain(`${file.file ?? file.from}: ${wouldCome(file)}`);
  if (files.some(({ file }) => file === null)) out.styled('dim', readableWords());
  const all = files.reduce((sum, file) => sum + file.signals, 0);
  if (all > 0) out.heading(titleOf(all, signals.length));
  for (const signal of signals) printSignal(out, signal);
  out.line();
  if (model !== null) for (const line of modelLines(model)) out.plain(line);
  out.styled('dim', 'This was a dry run; without --dry-run it is done.');
}

function titleOf(all: number, shown: number): string {
  if (shown === all) return all === 1 ? 'The signal' : `The ${grouped(all)} signals`;
  return `The first ${grouped(shown)} of ${grouped(all)} signals (--all shows every one)`;
}

function wouldCome({ file, reason, events, signals, silent, known, refused, troubles }: DryResult): string {
  if (file === null) return notImportedWords(reason ?? '');
  const [first] = troubles;
  if (events === 1 && signals === 0) return `no signal (${first?.reason ?? silent[0]?.reason ?? 'it was read before'})`;
  if (events === 1) return count(signals, 'signal');
  const why = first === undefined ? '' : ` (${first.place}: ${first.reason})`;
  const parts = [
    count(signals, 'signal'),
    ...silent.map((one) => `${grouped(one.count)} × ${one.reason}`),
    ...(known === 0 ? [] : [`${grouped(known)} read before`]),
    ...(refused === 0 ? [] : [`${grouped(refused)} refused${why}`]),
  ];
  return `${grouped(events)} event${events === 1 ? '' : 's'}: ${parts.join(', ')}`;
}

function printSignal(out: Printer, signal: DrySignal): void {
  const { candidates, target, targetConfidence, confidence, quote, from, event, place, reasoning } = signal;
  const notes = candidates.length === 0 ? target : `${candidates.join(' or ')} (you would be asked which)`;
  out.line();
  out.plain(`${notes}  ${changeWords(signal)}  ${figure(confidence)}`);
  out.plain(`  “${quote}” ${from === null ? '' : `from ${from}`}`.trimEnd());
  out.plain(`  ${reasoning} (note ${figure(targetConfidence)})`);
  for (const warning of signal.warnings) out.plain(`  Take care: ${warning}`);
  for (const doubt of signal.doubts) out.plain(`  Only proposed: ${doubt}`);
  out.styled('dim', `  ${event}${place === null ? '' : `, ${place}`}`);
}

function changeWords({ change }: DrySignal): string {
  if (change === null) return 'asks something of you';
  const set = Object.entries(change.set ?? {}).map(([field, value]) => `${field} → ${textOf(value)}`);
  const add = Object.entries(change.add ?? {}).map(([field, values]) => `${field} + ${values.join(', ')}`);
  const remove = Object.entries(change.remove ?? {}).map(([field, values]) => `${field} − ${values.join(', ')}`);
  return [...set, ...add, ...remove].join('; ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function modelLines({ name, questions, most }: NonNullable<DryRun['model']>): string[] {
  if (questions === 0) return [`The model (${name}) has no question: none of the events could be about a note.`];
  const tokens = most === null ? null : most.tokens_in + most.tokens_out;
  const usd = most?.usd ?? null;
  const cost = [
    ...(usd === null ? [] : [`${usd < 0.01 ? 'less than 0.01' : `at most ${usd.toFixed(2)}`} USD`]),
    ...(tokens === null ? [] : [`at most ${grouped(tokens)} tokens`]),
  ];
  return [
    `The model (${name}) would be asked ${grouped(questions)} question${questions === 1 ? '' : 's'}${cost.length === 0 ? '' : `: ${cost.join(', ')}`}.`,
    'Above is what the rules find; the model may find more or less.',
  ];
}
