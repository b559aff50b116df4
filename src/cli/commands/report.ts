import type { DaemonReply } from '../../daemon/client.ts';
import type { KeptNote } from '../../daemon/managed-notes.ts';
import {
  adviceSentence,
  automaticWords,
  composeReport,
  type Group,
  lackingLines,
  type ModeTally,
  missedWords,
  report as reportAndKeep,
  type Scorecard,
  shareWords,
  unknownSentence,
} from '../../features/report.ts';
import { EXIT } from '../../vault/errors.ts';
import { askDaemon, handOver, presentVaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  count,
  formatMoment,
  type Printer,
} from '../terminal.ts';
import { readEnvironmentFor, readVault } from '../vault.ts';

interface ReportOptions extends CommonOptions {
  /** Epoch milliseconds. */
  readonly since?: number;
  readonly matter?: string;
  /** False with --no-note. */
  readonly note: boolean;
}

/** `steward report [--since DATE] [--matter M]`: the scorecard, and its note in the vault. */
export async function report(options: ReportOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const request = { op: 'report' as const, since: options.since ?? null, matter: options.matter ?? null };
  const asked = await askDaemon(context, root, { op: 'status' });
  const { report: scorecard, note } = options.note
    ? await handOver(context, root, request, (space) => reportAndKeep(space, request))
    : { report: await readHere(context, root, asked, request), note: null };
  const modeOf = typeof asked === 'object' ? 'daemon' : 'shell';
  if (options.json === true) context.out.json({ ...scorecard, modeOf, note });
  else printReport(context.out, scorecard, modeOf, note);
  return EXIT.done;
}

async function readHere(
  context: CommandContext,
  root: string,
  asked: DaemonReply,
  { since, matter }: { readonly since: number | null; readonly matter: string | null },
): Promise<Scorecard> {
  return composeReport(await readVault(context, root, readEnvironmentFor(context, asked)), since, matter);
}

const HEAD_PRINT_REPORT = [
  'cases',
  'in shadow',
  'proposed',
  'applied',
  'confirmed',
  'dismissed',
  'undone',
  'by hand',
  'otherwise',
  'not now',
  'silent',
  'overtaken',
  'open',
  'right',
];

/** Prints the scorecard: how it went first, then when to raise the mode, then the tables and how they are counted. */
export function printReport(out: Printer, report: Scorecard, modeOf: 'daemon' | 'shell', note: KeptNote | null): void {
  const { total, automatic, mode } = report;
  const since = report.since === null ? '' : ` since ${formatMoment(report.since)}`;
  const about = report.matter === null ? '' : ` for ${report.matter}`;
  const undecided = total.cases - total.right - total.wrong;
  out.styled(
    'bold',
    `${count(total.cases, 'decision')} about a change${about}${since}: ${total.right} right, ${total.wrong} wrong, ${undecided} undecided`,
  );
  const whose = modeOf === 'daemon' ? '' : ' (in this shell; the service may run in another)';
  out.plain(
    `mode ${mode}${whose}; right among those decided: ${shareWords(total.precision, total.right + total.wrong)}`,
  );
  if (automatic.changes > 0) out.plain(automaticWords(automatic));
  out.plain(missedWords(report.missed));
  if (total.cases > 0) printTables(out, report);
  if (note === null) return;
  out.line();
  out.styled('dim', noteLine(note));
}

function printTables(out: Printer, report: Scorecard): void {
  out.heading('When to raise the mode');
  printAdvice(out, report);
  out.heading('The modes compared on the same decisions');
  out.rows([['', 'acts', 'proposes', 'records', 'unknown', 'right of its actions'], ...report.modes.map(modeRow)]);
  printGroups(out, 'Sources', report.sources);
  printGroups(out, 'Kinds of change', report.classes);
  printGroups(out, 'Decisions', report.decisions);
  out.heading('How it is counted');
  for (const line of COUNTED) out.styled('dim', `  ${line}`);
}

const COUNTED = [
  'right: confirmed; by hand (you made the proposed change yourself)',
  'wrong: dismissed; undone; otherwise (you set a field to something else within seven days)',
  'undecided: not now; silent (made, and left alone for a week); overtaken (decided again before any outcome; the later decision counts); open (everything else)',
  'a column without a figure is left out',
  'an interval in brackets has 95 % confidence (Wilson); the figure after “of” is how many were counted',
  "Steward learns from these outcomes; if it hasn't yet, the outcome is derived from the notes by the same rules",
];

/** How many licences are told one by one. */
const LICENCES = 10;

function printAdvice(out: Printer, { advice, sources, licences }: Scorecard): void {
  for (const one of advice) out.plain(`  ${adviceSentence(one)}`);
  if (advice.length === 0) {
    out.line('  Already the highest mode.');
    return;
  }
  const unknown = unknownSentence(sources);
  if (unknown !== null) out.plain(`  ${unknown}`);
  const lacking = lackingLines(licences);
  for (const lack of lacking.slice(0, LICENCES)) out.plain(`  ${lack}`);
  if (lacking.length > LICENCES) out.line(`  and ${lacking.length - LICENCES} more senders may only propose`);
}

function printGroups(out: Printer, title: string, groups: readonly Group[]): void {
  out.heading(title);
  out.rows(withoutEmptyColumns([['', ...HEAD_PRINT_REPORT], ...groups.map(groupRow)]));
}

/** Returns the rows without the columns that have only zeros below their heading. */
function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  const isUsed = (column: number) => rows.slice(1).some((row) => row[column] !== '0');
  return rows.map((row) => row.filter((_, column) => isUsed(column)));
}

function groupRow({ name, tally }: Group): string[] {
  const { fates } = tally;
  const figures = [tally.cases, tally.shadow, tally.proposed, tally.acted, fates.confirmed, fates.dismissed];
  const hand = [fates.reversed, fates.borne_out, fates.contradicted, fates.put_off];
  const rest = [fates.silent, fates.overtaken, fates.open];
  return [name, ...[...figures, ...hand, ...rest].map(String), shareWords(tally.precision, tally.right + tally.wrong)];
}

function modeRow(one: ModeTally): string[] {
  const right = shareWords(one.precision, one.right + one.wrong);
  return [one.mode, ...[one.acts, one.proposes, one.records, one.unknown].map(String), right];
}

function noteLine({ path, state, reason }: KeptNote): string {
  if (state === 'left') return `${path} is left as it is. ${reason ?? ''}`;
  return state === 'unchanged' ? `${path} is up to date.` : `Saved in ${path}.`;
}
