import path from 'node:path';
import { type ImportCounts, type Imported, type ImportProgress, readableKinds } from '../daemon/import.ts';
import type { DryResult, DryRun, DrySignal } from '../daemon/import-dry-run.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { shellWord } from '../vault/notes/shell-word.ts';
import { count, figure } from './print/plain-text.ts';
import type { Printer } from './print/printer.ts';

/** What is asked about the table of a bank. */
export const BANK_QUESTIONS = {
  date: 'Which column has the day of a booking?',
  amount: 'Which column has the sum?',
  purpose: 'Which column says what a booking is for?',
  order: (cell: string) => `Which day is ${cell}?`,
  decimal: (cell: string) => `How is ${cell} meant?`,
  sign: (row: string) => `Did this money go out, or come in? ${row}`,
} as const;

/** Prints that the answers are kept. */
export function printFormatKept(out: Printer): void {
  out.line('Saved in steward.md: from now on files with these columns are read so.');
}

/** Returns a question with the file that it is about. */
export function aboutFile(name: string, question: string): string {
  return `${name}: ${question}`;
}

/**
 * Returns what a person is told who ends an import while the daemon is at it (`interrupted`, 130), by how far it was: null
 * where it had told nothing yet.
 */
export function endedByPerson(at: ImportProgress | null): StewardError {
  const isThere = at !== null && (at.file !== null || at.nth > 1);
  return new StewardError(
    {
      code: 'interrupted',
      message: isThere ? `You ended it. ${whatIsThere(at)}` : 'You ended it before anything reached the vault.',
      hint: isThere ? `The same command brings the rest, and nothing twice.${whereToLook(at)}` : AGAIN,
    },
    EXIT.interrupted,
  );
}

const AGAIN = 'The same command begins anew.';

function whatIsThere({ file, from, nth, files }: ImportProgress): string {
  const after = files - nth;
  const rest = after === 0 ? '' : ` ${count(after, 'further file')} still ${after === 1 ? 'waits' : 'wait'} outside.`;
  if (file === null) return `Nothing of ${from} is in the vault; the daemon reads what was named before it.${rest}`;
  return `${file} is in the vault, and the daemon reads on.${rest}`;
}

function whereToLook({ file }: ImportProgress): string {
  return file === null ? '' : ` \`steward explain ${shellWord(file)}\` tells what became of it.`;
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** Returns a number of bytes as people say it: `412 MiB`, `1.9 GiB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  let [size, unit] = [bytes / 1024, 0];
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size < 10 ? size.toFixed(1) : size.toFixed(0)} ${UNITS[unit]}`;
}

/** Returns a number with a mark between its thousands: `12,400`. */
function grouped(number: number): string {
  return number.toLocaleString('en');
}

/** Returns how long something still takes, roughly: `40 s`, `4 min`, `2 h`. */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** How many signals of a file are named. */
const MOST_SIGNALS = 20;

/** Prints the signals of each imported file, or why it has none. */
export function printImported(out: Printer, files: readonly Imported[]): void {
  for (const one of files) {
    out.plain(`${one.file ?? one.from}: ${cameTo(one)}`);
    for (const signal of one.signals.slice(0, MOST_SIGNALS)) out.plain(`  ${signal}`);
    if (one.signals.length > MOST_SIGNALS) out.plain(`  and ${grouped(one.signals.length - MOST_SIGNALS)} more`);
  }
  if (files.some(({ understood, file }) => !understood && file === null)) {
    out.styled('dim', readableWords());
  }
  if (files.some(({ complete }) => !complete)) {
    out.styled('dim', 'It ended early; the daemon reads the rest, or the same command does.');
  }
}

function cameTo({ file, items, signals, reason, complete }: Imported): string {
  if (file === null) return notImportedWords(reason ?? '');
  if (items !== null) return manyWords(items, reason, complete);
  return signals.length === 0 ? `no signal (${reason ?? 'nothing new'})` : count(signals.length, 'signal');
}

function manyWords(items: ImportCounts, reason: string | null, isComplete: boolean): string {
  const words = `${countWords(items)}${isComplete ? '' : ', and there are more'}`;
  return reason === null ? words : `${reason} (${words})`;
}

/** Returns how it is said that a file is not put into the vault. */
function notImportedWords(reason: string): string {
  return `not imported: ${reason}`;
}

/** Returns the kinds of file that are read, in a sentence. */
function readableWords(): string {
  return `Files that are read: ${readableKinds().join(', ')}.`;
}

/** Returns what became of a file's events: `212 events read: 3 signals, 198 say nothing for the vault, 9 known`. */
export function countWords({ read, signals, none, past, known, refused, waiting, troubles }: ImportCounts): string {
  const all = read + known + refused;
  const [first] = troubles;
  const why = first === undefined ? '' : ` (${first.place}: ${first.reason})`;
  const parts = [
    count(signals, 'signal'),
    ...(none === 0 ? [] : [`${grouped(none)} say${none === 1 ? 's' : ''} nothing for the vault`]),
    ...(past === 0 ? [] : [`${grouped(past)} too old to look into`]),
    ...(known === 0 ? [] : [`${grouped(known)} known`]),
    ...(waiting === 0 ? [] : [`${grouped(waiting)} wait${waiting === 1 ? 's' : ''} for a model`]),
    ...(refused === 0 ? [] : [`${grouped(refused)} refused${why}`]),
  ];
  return `${grouped(all)} event${all === 1 ? '' : 's'} read: ${parts.join(', ')}`;
}

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

/** The rate is that of the last seconds, so that it tells of now. */
const WINDOW_MS = 10_000;
const LEAST_MS = 2_000;
const MOST_NAME = 40;

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** The line on a terminal that says how far an import is. */
export class ProgressLine {
  readonly #err: Printer;
  readonly #isSilent: boolean;
  #samples: Sample[] = [];
  /** What was told last; null before anything was. */
  last: ImportProgress | null = null;

  constructor(err: Printer, isSilent: boolean) {
    this.#err = err;
    this.#isSilent = isSilent;
  }

  /** Shows how far it is now. */
  show(progress: ImportProgress): void {
    // Copying and reading have rates of their own.
    if (progress.stage !== this.last?.stage) this.#samples = [];
    this.last = progress;
    if (this.#isSilent) return;
    const now = performance.now();
    // A file that is read on from where it was begins in its middle.
    if (progress.bytes > 0)
      this.#samples = [
        ...this.#samples.filter(({ at }) => now - at <= WINDOW_MS),
        { at: now, bytes: doneOf(progress) },
      ];
    this.#err.renew(progressWords(progress, rateOf(this.#samples)));
  }

  /** Takes the line away. */
  end(): void {
    this.#err.renew('');
  }
}

/** Returns the line: `box.mbox: 412 MiB of 1.9 GiB, 4 min left, 7.1 MiB/s, 12,400 events, 31 signals`. */
export function progressWords(progress: ImportProgress, rate: number | null): string {
  const { stage, from, nth, files, events, signals } = progress;
  const which = files === 1 ? '' : ` (${grouped(nth)} of ${grouped(files)})`;
  const [done, all] = [doneOf(progress), stage === 'copying' ? progress.size : progress.all];
  const found = `${grouped(events)} event${events === 1 ? '' : 's'}, ${count(signals, 'signal')}`;
  const left = rate === null ? [] : [`${durationWords((all - done) / rate)} left`, `${sizeWords(rate)}/s`];
  // Some kinds do not count in bytes.
  const parts = [
    done === 0 ? sizeWords(all) : `${sizeWords(done)} of ${sizeWords(all)}`,
    ...left,
    ...(stage === 'copying' ? [] : [found]),
  ];
  return `${stage === 'copying' ? 'copying ' : ''}${nameOf(from)}${which}: ${parts.join(', ')}`;
}

function doneOf({ stage, bytes, before }: ImportProgress): number {
  return stage === 'copying' ? bytes : before + bytes;
}

// Bytes a second; null as long as there is too little to go by.
function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return null;
  const rate = ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  return rate > 0 ? rate : null;
}

function nameOf(from: string): string {
  const name = path.basename(from);
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name;
}
