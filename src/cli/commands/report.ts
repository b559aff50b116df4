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
  moreSenders,
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
  out.rows([['', 'acts', 'proposes', 'records', 'unknown', 'right, of those applied'], ...report.modes.map(modeRow)]);
  printGroups(out, 'Senders and channels', report.sources);
  printGroups(out, 'Kinds of change', report.classes);
  printGroups(out, 'Decisions', report.decisions);
  out.heading('How it is counted');
  for (const line of COUNTED) out.styled('dim', `  ${line}`);
}

const COUNTED = [
  'right: confirmed; by hand (you made the proposed change yourself)',
  'wrong: dismissed; undone; otherwise (you set a field to something else within seven days)',
  'undecided: not now; confirmed, then undone; silent (made, and left alone for a week); overtaken (decided again before any outcome; the later decision counts); open (everything else)',
  'an interval in brackets has 95 % confidence (Wilson); the figure after “of” is how many were counted',
  "Steward learns from these outcomes; if it hasn't yet, the outcome is derived from the notes by the same rules",
];

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
  if (lacking.length > LICENCES) out.line(`  and ${moreSenders(lacking.length - LICENCES)} may only propose`);
}

function printGroups(out: Printer, title: string, groups: readonly Group[]): void {
  out.heading(title);
  for (const { name, tally } of groups) {
    const decided = tally.right + tally.wrong;
    const right = decided === 0 ? 'undecided' : `right: ${shareWords(tally.precision, decided)}`;
    out.plain(`  ${name}: ${count(tally.cases, 'decision')}, ${right}`);
    out.styled('dim', `    ${countsText(tally)}`);
  }
}

/** Returns what was decided, then what became of it, without zeros: `2 applied; 1 by hand, 1 open`. */
function countsText({ shadow, proposed, acted, fates }: Group['tally']): string {
  const decided = { 'in shadow': shadow, proposed, applied: acted };
  const later = {
    confirmed: fates.confirmed,
    dismissed: fates.dismissed,
    undone: fates.reversed,
    'confirmed, then undone': fates.taken_back,
    'by hand': fates.borne_out,
    otherwise: fates.contradicted,
    'not now': fates.put_off,
    silent: fates.silent,
    overtaken: fates.overtaken,
    open: fates.open,
  };
  return [decided, later]
    .map((counts) => Object.entries(counts).flatMap(([name, number]) => (number === 0 ? [] : [`${number} ${name}`])))
    .filter((words) => words.length > 0)
    .map((words) => words.join(', '))
    .join('; ');
}

function modeRow(one: ModeTally): string[] {
  const right = shareWords(one.precision, one.right + one.wrong);
  return [one.mode, ...[one.acts, one.proposes, one.records, one.unknown].map(String), right];
}

function noteLine({ path, state, reason }: KeptNote): string {
  if (state === 'left') return `${path} is left as it is. ${reason ?? ''}`;
  return state === 'unchanged' ? `${path} is up to date.` : `Saved in ${path}.`;
}
