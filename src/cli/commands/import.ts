import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { readSettings } from '../../daemon/settings.ts';
import {
  type DryResult,
  type DryRun,
  type DrySignal,
  dryRun,
  type ImportCounts,
  type ImportedFile,
  type ImportProgress,
  type ImportWork,
  importFiles,
  importSent,
  readableKinds,
} from '../../features/import.ts';
import { type UnreadCounts, unreadWords } from '../../steward/inbox-words.ts';
import { UNKNOWN_SETTINGS } from '../../steward/settings.ts';
import { type DateOrder, formatFor, parseBankDate, parseFormatRules, plainName } from '../../streams/bank-columns.ts';
import {
  type BankTable,
  columnName,
  formatLine,
  makeFormatHeader,
  type OpenTable,
  openQuestions,
  type TableQuestion,
} from '../../streams/bank-csv.ts';
import { BANK_CSV } from '../../streams/kinds.ts';
import { readStream } from '../../streams/read-stream.ts';
import { FileRefusal } from '../../streams/stream.ts';
import { keepBankFormat } from '../../streams/streams.ts';
import { EXIT, type ExitCode, StewardError, systemCode } from '../../vault/errors.ts';
import { insideVault, readHead } from '../../vault/files.ts';
import { staysInside, stem } from '../../vault/layout.ts';
import { distinctTitles } from '../../vault/links.ts';
import { oneLine, shellWord } from '../../vault/note-text.ts';
import { handOver, presentVaultDir, vaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  count,
  figure,
  type Printer,
  usageError,
} from '../terminal.ts';
import { readVault } from '../vault.ts';

interface ImportOptions extends CommonOptions {
  readonly dryRun?: boolean;
  /** Shows every signal of a dry run. */
  readonly all?: boolean;
  /** The address of the user, who says that they sent these mails. */
  readonly sentBy?: string;
}

/**
 * `steward import FILE…`: puts files into the stream folder and extracts their signals; exit 1 where one is not understood.
 * Says on a terminal how far it is. Ctrl-C ends it after the event under way (130): what is read stays read.
 */
export async function importCommand(
  files: readonly string[],
  options: ImportOptions,
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options, context);
  const named = namedFiles(files, root, context.cwd);
  const sentBy = ownAddress(options);
  if (options.dryRun === true) return importDryRun(named, options, context);
  if (options.json !== true && sentBy === null) await askBankFormats(named, root, context);
  const line = new ProgressLine(context.err, options.json === true);
  const imported: ImportedFile[] = [];
  using interrupt = new Interrupt(() => endedByPerson(line.last));
  for (const files of requestsOf(named))
    imported.push(...(await importSome(context, root, { files, sentBy }, line, interrupt)));
  line.end();
  if (options.json === true) context.out.json({ schemaVersion: 1, imported });
  else printImported(context.out, imported);
  return exitOf(imported);
}

// A file that claims to be from the user isn't enough: the user says which address is theirs.
function ownAddress({ sentBy, dryRun }: ImportOptions): string | null {
  if (sentBy === undefined) return null;
  if (dryRun === true) throw usageError('--sent-by and --dry-run do not go together.', 'Leave out one of them.');
  return demandAddress(sentBy);
}

/** Returns an address of the user as they gave it. Throws a usage error for anything else. */
export function demandAddress(written: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(written)) return written;
  throw usageError(`${JSON.stringify(written)} is not an address.`, 'Write your own, such as anna@example.org.');
}

async function importSome(
  context: CommandContext,
  root: string,
  { files, sentBy }: { readonly files: readonly string[]; readonly sentBy: string | null },
  line: ProgressLine,
  { signal }: Interrupt,
): Promise<ImportedFile[]> {
  const tell = (progress: ImportProgress) => line.show(progress);
  // The daemon is this very program: what it tells is an ImportProgress.
  const waiting = { heard: (progress: unknown) => tell(progress as ImportProgress), leave: signal };
  const read = (space: Parameters<typeof readStream>[0]) => {
    const work: ImportWork = {
      read: (file, onProgress) => readStream(space, file, signal, onProgress),
      tell,
      abort: signal,
    };
    return sentBy === null ? importFiles(space, files, work) : importSent(space, files, sentBy, work);
  };
  try {
    return await handOver(
      context,
      root,
      { op: 'import', files: [...files], ...(sentBy !== null && { sentBy }) },
      read,
      waiting,
    );
  } finally {
    line.end();
  }
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C, a closed terminal or a shutdown, once: the second one ends the process as it would any other. */
export class Interrupt implements Disposable {
  readonly #abort = new AbortController();
  readonly #stop: () => void;

  /** `reason`: why the work ends, when it does. */
  constructor(reason: () => unknown) {
    this.#stop = () => this.#abort.abort(reason());
    for (const signal of ENDING) process.once(signal, this.#stop);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    for (const signal of ENDING) process.off(signal, this.#stop);
  }
}

/** This many characters of names go into one request: the daemon takes a million. */
const MOST_CHARS = 800_000;

function* requestsOf(files: readonly string[]): Generator<readonly string[]> {
  let some: string[] = [];
  let chars = 0;
  for (const file of files) {
    if (chars + file.length > MOST_CHARS && some.length > 0) {
      yield some;
      [some, chars] = [[], 0];
    }
    some.push(file);
    chars += JSON.stringify(file).length + 1;
  }
  if (some.length > 0) yield some;
}

function exitOf(imported: readonly ImportedFile[]): ExitCode {
  if (imported.some(({ complete }) => !complete)) return EXIT.interrupted;
  return imported.every(({ understood }) => understood) ? EXIT.done : EXIT.refused;
}

/**
 * Returns the absolute paths that the words of a command name. A bare path may name a file in the vault, or one that the
 * shell completed; a file in the vault comes first. Throws `path-outside-vault` for a link there that leads out.
 */
export function namedFiles(words: readonly string[], root: string, cwd: string): readonly string[] {
  return words.map((word) => absolutePath(word, root, cwd));
}

// Else anyone who shares the vault could choose by a link what is imported for the person.
function absolutePath(file: string, root: string, cwd: string): string {
  const inVault = path.resolve(root, file);
  const relative = path.relative(root, inVault);
  if (file.startsWith('./') || !staysInside(relative) || !fs.existsSync(inVault)) return path.resolve(cwd, file);
  insideVault(root, relative);
  return inVault;
}

/** How many signals are shown without `--all`. */
const SHOWN_SIGNALS = 20;

/**
 * `steward import FILE… --dry-run`: says what would be signalled and why, without a change; exit 1 if a file is not
 * understood. `files` are absolute paths.
 */
async function importDryRun(files: readonly string[], options: ImportOptions, context: CommandContext): CommandResult {
  const space = await readVault(context, presentVaultDir(options, context));
  const line = new ProgressLine(context.err, options.json === true);
  const most = options.all === true || options.json === true ? Number.POSITIVE_INFINITY : SHOWN_SIGNALS;
  const run = await dryRun(space, files, { most, tell: (progress) => line.show(progress) });
  line.end();
  if (options.json === true) context.out.json({ schemaVersion: 1, dryRun: true, ...run });
  else printDryRun(context.out, run);
  return run.files.every(({ understood }) => understood) ? EXIT.done : EXIT.refused;
}

/**
 * Returns the error for a person who ends an import while the daemon is at it (`interrupted`, 130). `at`: how far it
 * was; null before the first report.
 */
export function endedByPerson(at: ImportProgress | null): StewardError {
  const isThere = at !== null && (at.file !== null || at.nth > 1);
  return new StewardError(
    {
      code: 'interrupted',
      message: isThere ? `You ended it. ${whatIsThere(at)}` : 'You ended it before anything reached the vault.',
      hint: isThere ? `The same command imports the rest, and no event twice.${whereToLook(at)}` : AGAIN,
    },
    EXIT.interrupted,
  );
}

const AGAIN = 'The same command starts again.';

function whatIsThere({ file, from, nth, files }: ImportProgress): string {
  const after = files - nth;
  const rest = after === 0 ? '' : ` ${count(after, 'further file')} still ${after === 1 ? 'waits' : 'wait'} outside.`;
  if (file === null) return `No part of ${from} is in the vault; the daemon reads the files named before it.${rest}`;
  return `${file} is in the vault, and the daemon reads on.${rest}`;
}

function whereToLook({ file }: ImportProgress): string {
  return file === null ? '' : ` \`steward explain ${shellWord(file)}\` shows what became of it.`;
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

function groupedCount(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns how long something still takes, roughly: `40 s`, `4 min`, `2 h`. */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const MOST_SIGNALS = 20;

/** Prints the signals of each imported file, or why it has no signals. */
export function printImported(out: Printer, files: readonly ImportedFile[]): void {
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

function cameTo({ file, items, signals, reason, complete, unread }: ImportedFile): string {
  if (file === null) return `not imported: ${reason ?? ''}`;
  if (items !== null) return manyWords(items, reason, complete);
  if (unread) return `not read (${reason ?? ''})`;
  return signals.length === 0 ? `no signal (${reason ?? 'nothing new'})` : count(signals.length, 'signal');
}

function manyWords(items: ImportCounts, reason: string | null, isComplete: boolean): string {
  const words = `${countWords(items)}${isComplete ? '' : ', and there are more'}`;
  return reason === null ? words : `${reason} (${words})`;
}

function readableWords(): string {
  return `Files that are read: ${readableKinds().join(', ')}.`;
}

/** Returns what became of a file's events: `212 events: 4 signals from 3 events, 200 without a signal, 9 known`. */
export function countWords({
  read,
  signals,
  none,
  past,
  unread,
  known,
  refused,
  waiting,
  troubles,
}: ImportCounts): string {
  const silent = none + past + waiting + Object.values(unread).reduce((sum, events) => sum + events, 0);
  const parts = [
    gaveWords(signals, read - silent),
    ...(none === 0 ? [] : [`${grouped(none)} without a signal`]),
    ...(past === 0 ? [] : [`${grouped(past)} too old to read`]),
    ...unreadParts(unread),
    ...(known === 0 ? [] : [`${grouped(known)} known`]),
    ...(waiting === 0 ? [] : [`${grouped(waiting)} wait${waiting === 1 ? 's' : ''} for a model`]),
    ...refusedWords(refused, troubles),
  ];
  return `${groupedCount(read + known + refused, 'event')}: ${parts.join(', ')}`;
}

/** Returns how many signals there are, and from how many events if one event gave several. */
function gaveWords(signals: number, events: number): string {
  const words = count(signals, 'signal');
  return signals > events && events > 0 ? `${words} from ${groupedCount(events, 'event')}` : words;
}

function printDryRun(out: Printer, { files, signals, model }: DryRun): void {
  for (const file of files) out.plain(`${file.file ?? file.from}: ${wouldCome(file)}`);
  if (files.some(({ file }) => file === null)) out.styled('dim', readableWords());
  const all = files.reduce((sum, file) => sum + file.signals + file.old, 0);
  if (all > 0) out.heading(titleOf(all, signals.length));
  for (const signal of signals) printSignal(out, signal);
  out.line();
  if (model !== null) for (const line of modelLines(model)) out.plain(line);
  out.styled('dim', 'This was a dry run. To import for real, leave out --dry-run.');
}

function titleOf(all: number, shown: number): string {
  if (shown === all) return all === 1 ? 'The signal' : `The ${grouped(all)} signals`;
  return `The first ${grouped(shown)} of ${grouped(all)} signals (--all shows every one)`;
}

function wouldCome({
  file,
  reason,
  events,
  signals,
  old,
  silent,
  unread,
  known,
  refused,
  troubles,
}: DryResult): string {
  if (file === null) return `not imported: ${reason ?? ''}`;
  const [notRead] = Object.keys(unread);
  if (events === 1 && notRead !== undefined) return `not read (${notRead})`;
  if (events === 1 && signals === 0 && old === 0)
    return `no signal (${troubles[0]?.reason ?? silent[0]?.reason ?? 'it was read before'})`;
  if (events === 1 && old === 0) return count(signals, 'signal');
  const parts = [
    count(signals, 'signal'),
    ...(old === 0 ? [] : [`${grouped(old)} more from older events, which an import ignores`]),
    ...silent.map((one) => `${grouped(one.count)} × ${one.reason}`),
    ...unreadParts(unread),
    ...(known === 0 ? [] : [`${grouped(known)} read before`]),
    ...refusedWords(refused, troubles),
  ];
  return `${groupedCount(events, 'event')}: ${parts.join(', ')}`;
}

function unreadParts(unread: UnreadCounts): string[] {
  return [unreadWords(unread)].filter((words) => words !== '');
}

function refusedWords(refused: number, [first]: DryResult['troubles']): string[] {
  const why = first === undefined ? '' : ` (${first.place}: ${first.reason})`;
  return refused === 0 ? [] : [`${grouped(refused)} refused${why}`];
}

function printSignal(out: Printer, signal: DrySignal): void {
  const { candidates, target, targetConfidence, confidence, quote, from, event, place, reasoning } = signal;
  const notes =
    candidates.length === 0
      ? stem(target)
      : `${distinctTitles(candidates).join(' or ')} (you would be asked${candidates.length === 1 ? '' : ' which'})`;
  out.line();
  out.plain(`${notes}  ${changeWords(signal)}  ${figure(confidence)}`);
  out.plain(`  “${quote}” ${from === null ? '' : `from ${from}`}`.trimEnd());
  out.plain(`  ${reasoning} (note ${figure(targetConfidence)})`);
  for (const warning of signal.warnings) out.plain(`  Take care: ${warning}`);
  for (const doubt of signal.doubts) out.plain(`  Only proposed: ${doubt}`);
  if (signal.isOld) out.plain('  Too old for an import; a rehearsal reads it.');
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
  if (questions === 0) return [`The model (${name}) gets no question: no event could be about a note.`];
  const tokens = most === null ? null : most.tokens_in + most.tokens_out;
  const usd = most?.usd ?? null;
  const cost = [
    ...(usd === null ? [] : [`${usd < 0.01 ? 'less than 0.01' : `at most ${usd.toFixed(2)}`} USD`]),
    ...(tokens === null ? [] : [`at most ${grouped(tokens)} tokens`]),
  ];
  return [
    `The model (${name}) would be asked ${groupedCount(questions, 'question')}${cost.length === 0 ? '' : `: ${cost.join(', ')}`}.`,
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
  /** The last report; null before the first. */
  last: ImportProgress | null = null;

  constructor(err: Printer, isSilent: boolean) {
    this.#err = err;
    this.#isSilent = isSilent;
  }

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
  const found = `${groupedCount(events, 'event')}, ${count(signals, 'signal')}`;
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

interface Choice {
  /** The rule that the answer adds, as a format writes it: `order = dmy`. */
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** How a person is asked. Both return null if they break it off. */
export interface Asking {
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string | null>;
  /** Empty if they leave it out. */
  readonly name: (message: string) => Promise<string | null>;
}

/** How often a table may raise further questions by the answers to the first. */
const MOST_ROUNDS = 6;

const SHOWN_VALUES = 3;

const SHOWN = 32;

const TWO_COLUMNS = 'two';

/**
 * Asks what must be known of a bank's table, and returns the line of `bank_formats` that says it. Null if no question
 * is needed, if the person breaks it off, or if no answer helps.
 */
export async function askedFormat(bytes: Uint8Array, lines: readonly string[], asking: Asking): Promise<string | null> {
  let open = openQuestions(bytes, lines);
  if (open === null || open.questions.length === 0) return null;
  const { table } = open;
  const before = formatFor(lines, makeFormatHeader(table));
  const said = before === null ? [] : [...parseFormatRules(before)];
  for (let round = 0; open !== null && open.questions.length > 0; round += 1) {
    const answer = round < MOST_ROUNDS ? await answered(open, asking) : null;
    if (answer === null) return null;
    said.push(...answer);
    open = openQuestions(bytes, [formatLine(table, said), ...lines]);
  }
  if (open?.isNameless === true) {
    const name = await asking.name('What is this account called? (leave it empty if it is your only one)');
    if (name === null) return null;
    if (plainName(name) !== '') said.push(`account = ${plainName(name)}`);
  }
  return formatLine(table, said);
}

async function answered({ table, questions }: OpenTable, asking: Asking): Promise<readonly string[] | null> {
  const [question] = questions;
  if (question === undefined) return [];
  const { message, choices } = promptFor(table, question);
  const value = await asking.choose(message, choices);
  if (value === null) return null;
  return value === TWO_COLUMNS ? twoColumns(table, asking) : [value];
}

async function twoColumns(table: BankTable, asking: Asking): Promise<readonly string[] | null> {
  const all = table.columns.map((_, nth) => nth);
  const debit = await asking.choose('Which column has the money that went out?', columnChoices(table, 'debit', all));
  if (debit === null) return null;
  const credit = await asking.choose('And which has the money that came in?', columnChoices(table, 'credit', all));
  return credit === null ? null : [debit, credit];
}

interface Prompt {
  readonly message: string;
  readonly choices: readonly Choice[];
}

function promptFor(table: BankTable, question: TableQuestion): Prompt {
  switch (question.about) {
    case 'date':
      return {
        message: 'Which column has the day of a booking?',
        choices: columnChoices(table, 'date', question.columns),
      };
    case 'amount':
      return {
        message: 'Which column has the sum?',
        choices: [
          ...columnChoices(table, 'amount', question.columns),
          { value: TWO_COLUMNS, label: 'There are two: one for money out, one for money in' },
        ],
      };
    case 'purpose':
      return {
        message: 'Which column says what a booking is for?',
        choices: columnChoices(table, 'purpose', question.columns),
      };
    case 'order':
      return {
        message: `Which day is ${shown(question.cell)}?`,
        choices: orderChoices(question.cell, question.orders),
      };
    case 'decimal':
      return { message: `How is ${shown(question.cell)} meant?`, choices: DECIMALS };
    case 'sign':
      return {
        message: `Did this money go out, or come in? ${rowOf(table, question.cell)}`,
        choices: signChoices(question.cell),
      };
  }
}

const DECIMALS: readonly Choice[] = [
  { value: 'decimal = comma', label: 'The comma comes before the cents: 1.234,56' },
  { value: 'decimal = point', label: 'The point comes before the cents: 1,234.56' },
];

const FIRST: Readonly<Record<DateOrder, string>> = { dmy: 'the day', mdy: 'the month', ymd: 'the year' };

function orderChoices(cell: string, orders: readonly DateOrder[]): readonly Choice[] {
  return orders.map((order) => {
    const day = parseBankDate(cell, order);
    const first = `${FIRST[order]} comes first`;
    return { value: `order = ${order}`, label: day === null ? first : `${day}: ${first}` };
  });
}

function signChoices(cell: string): readonly Choice[] {
  const isMinus = /^\W*-|-\W*$/.test(cell);
  return [
    { value: `sign = ${isMinus ? 'as written' : 'turned'}`, label: 'It went out' },
    { value: `sign = ${isMinus ? 'turned' : 'as written'}`, label: 'It came in' },
  ];
}

/** The row with the sum, so that a person knows it again. */
function rowOf({ sample }: BankTable, cell: string): string {
  const row = sample.find((cells) => cells.some((one) => one.trim() === cell)) ?? [cell];
  return row
    .filter((one) => one.trim() !== '')
    .map(shown)
    .join(' · ');
}

function columnChoices(table: BankTable, key: string, columns: readonly number[]): readonly Choice[] {
  return columns.map((nth) => {
    const name = columnName(table, nth);
    const values = table.sample.map((row) => row[nth]?.trim() ?? '').filter((cell) => cell !== '');
    const hint = values.slice(0, SHOWN_VALUES).map(shown).join(' · ');
    return { value: `${key} = ${name}`, label: name.replace(/^#/, 'Column '), hint };
  });
}

function shown(text: string): string {
  return oneLine(text, SHOWN);
}

/** How much of a file is looked at: enough rows to know a bank's way of writing. */
const LOOKED_AT = 1024 * 1024;

/**
 * Asks, on a terminal, how the files of a bank are to be read that do not say it themselves, and writes the answers into
 * `steward.md`. Elsewhere, and where a person breaks it off, nothing is asked: the import then says what is missing.
 */
async function askBankFormats(files: readonly string[], root: string, context: CommandContext): Promise<void> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return;
  for (const file of files.filter(BANK_CSV.takes)) {
    const head = headOf(file);
    if (head === null || !BANK_CSV.recognises(head)) continue;
    const { bank_formats: lines } = readSettings(root, UNKNOWN_SETTINGS).settings;
    const line = await asked(file, head, lines);
    if (line === null) continue;
    await handOver(context, root, { op: 'bank-format', line }, async (space) => keepBankFormat(space, line));
    context.out.line('Saved in steward.md: from now on files with these columns are read this way.');
  }
}

async function asked(file: string, head: Uint8Array, lines: readonly string[]): Promise<string | null> {
  try {
    return await askedFormat(head, lines, await onTerminal(path.basename(file)));
  } catch (error) {
    if (error instanceof FileRefusal) return null; // the import says it
    throw error;
  }
}

// If a file cannot be opened, the import itself says so.
function headOf(file: string): Uint8Array | null {
  try {
    const bytes = readHead(file, LOOKED_AT);
    return bytes.length < LOOKED_AT ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof StewardError)) throw error;
    return null;
  }
}

async function onTerminal(name: string): Promise<Asking> {
  const { isCancel, select, text } = await import('@clack/prompts');
  return {
    choose: async (message, choices) => {
      const options = choices.map((choice) => ({ ...choice }));
      const answer = await select({ message: `${name}: ${message}`, options });
      return isCancel(answer) ? null : answer;
    },
    name: async (message) => {
      const answer = await text({ message: `${name}: ${message}`, defaultValue: '' });
      return isCancel(answer) ? null : answer;
    },
  };
}
