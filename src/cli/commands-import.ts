import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { readSettings, UNKNOWN_SETTINGS } from '../daemon/context.ts';
import { type Imported, type ImportProgress, importFiles } from '../daemon/import.ts';
import { dryRun } from '../daemon/import-dry-run.ts';
import { keepBankFormat } from '../daemon/ingest/keep-bank-format.ts';
import { readStream } from '../daemon/read-stream.ts';
import { formatFor, rulesOf } from '../stream/bank-csv/format.ts';
import {
  columnName,
  formatLine,
  headerOf,
  type OpenTable,
  openQuestions,
  type Question,
  type Table,
} from '../stream/bank-csv.ts';
import { type DateOrder, dateIn, plainName } from '../stream/bank-csv-cells.ts';
import { BANK_CSV } from '../stream/bank-csv-kind.ts';
import { FileRefusal } from '../stream/items.ts';
import { oneLine } from '../stream/mail/plain-text.ts';
import { EXIT, type ExitCode, StewardError, systemCode } from '../vault/errors.ts';
import { insideVault, readHead, staysInside } from '../vault/files.ts';
import type { CommandContext, CommandResult, CommonOptions } from './base.ts';
import { readVault } from './base-read-vault.ts';
import { handOver, presentVaultDir, vaultDir } from './daemon-client.ts';
import {
  aboutFile,
  BANK_QUESTIONS,
  endedByPerson,
  ProgressLine,
  printDryRun,
  printFormatKept,
  printImported,
} from './print-import.ts';

interface Choice {
  /** What the answer says of the table, as a format does: `order = dmy`. */
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** How a person is asked. Both return null where they break it off. */
export interface Asking {
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string | null>;
  /** Empty where they leave it out. */
  readonly name: (message: string) => Promise<string | null>;
}

/** How often a table may raise further questions by the answers to the first. */
const MOST_ROUNDS = 6;
const SHOWN_VALUES = 3;
const SHOWN = 32;
const TWO_COLUMNS = 'two';

/**
 * Asks what must be known of a bank's table, and returns the line of `bank_formats` that says it. Null where nothing has to
 * be asked, where the person breaks it off, and where no answer helps.
 */
export async function askedFormat(bytes: Uint8Array, lines: readonly string[], asking: Asking): Promise<string | null> {
  let open = openQuestions(bytes, lines);
  if (open === null || open.questions.length === 0) return null;
  const { table } = open;
  const before = formatFor(lines, headerOf(table));
  const said = before === null ? [] : [...rulesOf(before)];
  for (let round = 0; open !== null && open.questions.length > 0; round += 1) {
    const answer = round < MOST_ROUNDS ? await answered(open, asking) : null;
    if (answer === null) return null;
    said.push(...answer);
    open = openQuestions(bytes, [formatLine(table, said), ...lines]);
  }
  if (open?.isNameless === true) {
    const name = await asking.name('What is this account called? (leave it empty where it is your only one)');
    if (name === null) return null;
    if (plainName(name) !== '') said.push(`account = ${plainName(name)}`);
  }
  return formatLine(table, said);
}

/** What the answer to the first of the questions says. */
async function answered({ table, questions }: OpenTable, asking: Asking): Promise<readonly string[] | null> {
  const [question] = questions;
  if (question === undefined) return [];
  const { message, choices } = promptFor(table, question);
  const value = await asking.choose(message, choices);
  if (value === null) return null;
  return value === TWO_COLUMNS ? twoColumns(table, asking) : [value];
}

async function twoColumns(table: Table, asking: Asking): Promise<readonly string[] | null> {
  const all = table.columns.map((_, nth) => nth);
  const debit = await asking.choose('Which column has what went out?', columnChoices(table, 'debit', all));
  if (debit === null) return null;
  const credit = await asking.choose('And which has what came in?', columnChoices(table, 'credit', all));
  return credit === null ? null : [debit, credit];
}

interface Prompt {
  readonly message: string;
  readonly choices: readonly Choice[];
}

function promptFor(table: Table, question: Question): Prompt {
  switch (question.about) {
    case 'date':
      return {
        message: BANK_QUESTIONS.date,
        choices: columnChoices(table, 'date', question.columns),
      };
    case 'amount':
      return {
        message: BANK_QUESTIONS.amount,
        choices: [
          ...columnChoices(table, 'amount', question.columns),
          { value: TWO_COLUMNS, label: 'There are two: one for what went out, one for what came in' },
        ],
      };
    case 'purpose':
      return {
        message: BANK_QUESTIONS.purpose,
        choices: columnChoices(table, 'purpose', question.columns),
      };
    case 'order':
      return {
        message: BANK_QUESTIONS.order(shown(question.cell)),
        choices: orderChoices(question.cell, question.orders),
      };
    case 'decimal':
      return { message: BANK_QUESTIONS.decimal(shown(question.cell)), choices: DECIMALS };
    case 'sign':
      return {
        message: BANK_QUESTIONS.sign(rowOf(table, question.cell)),
        choices: signChoices(question.cell),
      };
  }
}

const DECIMALS: readonly Choice[] = [
  { value: 'decimal = comma', label: 'The comma stands before the cents: 1.234,56' },
  { value: 'decimal = point', label: 'The point stands before the cents: 1,234.56' },
];

const FIRST: Readonly<Record<DateOrder, string>> = { dmy: 'the day', mdy: 'the month', ymd: 'the year' };

function orderChoices(cell: string, orders: readonly DateOrder[]): readonly Choice[] {
  return orders.map((order) => {
    const day = dateIn(cell, order);
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
function rowOf({ sample }: Table, cell: string): string {
  const row = sample.find((cells) => cells.some((one) => one.trim() === cell)) ?? [cell];
  return row
    .filter((one) => one.trim() !== '')
    .map(shown)
    .join(' · ');
}

function columnChoices(table: Table, key: string, columns: readonly number[]): readonly Choice[] {
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
    printFormatKept(context.out);
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

// What cannot be opened is told by the import itself.
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
      const answer = await select({
        message: aboutFile(name, message),
        options: choices.map((choice) => ({ ...choice })),
      });
      return isCancel(answer) ? null : answer;
    },
    name: async (message) => {
      const answer = await text({ message: aboutFile(name, message), defaultValue: '' });
      return isCancel(answer) ? null : answer;
    },
  };
}

/** How many signals are shown without `--all`. */
const SHOWN_DRY_RUN = 20;

/** The options of a dry run. */
interface DryRunOptions extends CommonOptions {
  /** Shows every signal. */
  readonly all?: boolean;
}

/**
 * `steward import FILE… --dry-run`: says what would be signalled and why, and changes nothing; exit 1 where a file is not
 * understood. `files` are absolute.
 */
async function importDryRun(files: readonly string[], options: DryRunOptions, context: CommandContext): CommandResult {
  const space = await readVault(context, presentVaultDir(options, context));
  const line = new ProgressLine(context.err, options.json === true);
  const most = options.all === true || options.json === true ? Number.POSITIVE_INFINITY : SHOWN_DRY_RUN;
  const run = await dryRun(space, files, { most, tell: (progress) => line.show(progress) });
  line.end();
  if (options.json === true) context.out.json({ schemaVersion: 1, dryRun: true, ...run });
  else printDryRun(context.out, run);
  return run.files.every(({ understood }) => understood) ? EXIT.done : EXIT.refused;
}

/**
 * Returns the absolute paths that the words of a command name. A bare path may name a file in the vault, or one that the
 * shell completed; a file in the vault comes first. Throws `path-outside-vault` for a link there that leads out.
 */
function namedFiles(words: readonly string[], root: string, cwd: string): readonly string[] {
  return words.map((word) => absolutePath(word, root, cwd));
}

// Whoever shares the vault would choose by a link what is taken in for the person.
function absolutePath(file: string, root: string, cwd: string): string {
  const inVault = path.resolve(root, file);
  const relative = path.relative(root, inVault);
  if (file.startsWith('./') || !staysInside(relative) || !fs.existsSync(inVault)) return path.resolve(cwd, file);
  insideVault(root, relative);
  return inVault;
}

interface ImportOptions extends DryRunOptions {
  readonly dryRun?: boolean;
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** So many characters of names go into one request: the daemon takes a million. */
const MOST_CHARS = 800_000;

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
  if (options.dryRun === true) return importDryRun(named, options, context);
  if (options.json !== true) await askBankFormats(named, root, context);
  const line = new ProgressLine(context.err, options.json === true);
  const imported: Imported[] = [];
  using interrupt = new Interrupt(line);
  for (const some of requestsOf(named)) imported.push(...(await importSome(context, root, some, line, interrupt)));
  line.end();
  if (options.json === true) context.out.json({ schemaVersion: 1, imported });
  else printImported(context.out, imported);
  return exitOf(imported);
}

async function importSome(
  context: CommandContext,
  root: string,
  files: readonly string[],
  line: ProgressLine,
  { signal }: Interrupt,
): Promise<Imported[]> {
  const tell = (progress: ImportProgress) => line.show(progress);
  // The daemon is this very program: what it tells is an ImportProgress.
  const waiting = { heard: (progress: unknown) => tell(progress as ImportProgress), leave: signal };
  const read = (space: Parameters<typeof readStream>[0]) =>
    importFiles(space, files, {
      read: (file, onProgress) => readStream(space, file, signal, onProgress),
      ...{ tell, abort: signal },
    });
  try {
    return await handOver(context, root, { op: 'import', files: [...files] }, read, waiting);
  } finally {
    line.end();
  }
}

/** Ctrl-C, a closed terminal or a shutdown, once: the second one ends the process as it would any other. */
class Interrupt implements Disposable {
  readonly #abort = new AbortController();
  readonly #stop: () => void;

  constructor(line: ProgressLine) {
    this.#stop = () => this.#abort.abort(endedByPerson(line.last));
    for (const signal of ENDING) process.once(signal, this.#stop);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    for (const signal of ENDING) process.off(signal, this.#stop);
  }
}

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

function exitOf(imported: readonly Imported[]): ExitCode {
  if (imported.some(({ complete }) => !complete)) return EXIT.interrupted;
  return imported.every(({ understood }) => understood) ? EXIT.done : EXIT.refused;
}
