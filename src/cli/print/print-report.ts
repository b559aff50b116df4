import type { KeptNote } from '../../daemon/kept/kept-note.ts';
import type { Report } from '../../daemon/report/report.ts';
import { adviceSentence, percent, unknownSentence } from '../../steward/hindsight/report-words.ts';
import type { Group, ModeTally } from '../../steward/hindsight/scorecard.ts';
import type { Share } from '../../steward/hindsight/wilson.ts';
import { count, local } from './plain-text.ts';
import type { Printer } from './printer.ts';

const HEAD = [
  'cases',
  'in shadow',
  'proposed',
  'acted',
  'confirmed',
  'dismissed',
  'taken back',
  'by hand',
  'otherwise',
  'kept',
  'silent',
  'overtaken',
  'open',
  'right',
];

/** Prints the scorecard: how it went first, then when to raise the mode, then the tables and how they are counted. */
export function printReport(out: Printer, report: Report, modeOf: 'daemon' | 'shell', note: KeptNote | null): void {
  const { total, mode } = report;
  const since = report.since === null ? '' : ` since ${local(report.since)}`;
  const about = report.matter === null ? '' : ` for ${report.matter}`;
  const undecided = total.cases - total.right - total.wrong;
  out.styled(
    'bold',
    `${count(total.cases, 'decision')} about a change${about}${since}: ${total.right} right, ${total.wrong} wrong, ${undecided} undecided`,
  );
  const whose = modeOf === 'daemon' ? '' : ' (in this shell; the service may run in another)';
  out.line(`mode ${mode}${whose}; right among those decided: ${shareText(total.precision)}`);
  if (total.cases > 0) printTables(out, report);
  if (note === null) return;
  out.line();
  out.styled('dim', noteLine(note));
}

function printTables(out: Printer, report: Report): void {
  out.heading('When to raise the mode');
  printAdvice(out, report);
  out.heading('What each mode would have done with the same decisions');
  out.rows([['', 'acts', 'proposes', 'records', 'unknown', 'right of its actions'], ...report.modes.map(modeRow)]);
  printGroups(out, 'Sources', report.sources);
  printGroups(out, 'Kinds of change', report.classes);
  printGroups(out, 'Decisions', report.decisions);
  out.heading('How it is counted');
  for (const line of COUNTED) out.styled('dim', `  ${line}`);
}

const COUNTED = [
  'right: confirmed; by hand (you made the proposed change yourself); kept (made, and you left it alone for seven days,',
  '  and every source behind it was right five times before)',
  'wrong: dismissed; taken back; otherwise (you set a field to something else within seven days)',
  'undecided: silent (made and left alone for a week by a source still new); overtaken (decided again before any outcome;',
  '  the later decision counts); open (everything else)',
  'the steward learns from these outcomes; where it has not learnt yet, the notes tell the outcome by the same rules',
];

/** How many licences are told one by one. */
const LICENCES = 10;

function printAdvice(out: Printer, { advice, sources, licences }: Report): void {
  for (const one of advice) out.line(`  ${adviceSentence(one)}`);
  if (advice.length === 0) {
    out.line('  Already the highest mode.');
    return;
  }
  const unknown = unknownSentence(sources);
  if (unknown !== null) out.plain(`  ${unknown}`);
  const lacking = licences.flatMap(({ lack }) => lack ?? []);
  for (const lack of lacking.slice(0, LICENCES)) out.plain(`  ${lack}`);
  if (lacking.length > LICENCES) out.line(`  and ${lacking.length - LICENCES} more senders may only propose`);
}

function printGroups(out: Printer, title: string, groups: readonly Group[]): void {
  out.heading(title);
  out.rows([['', ...HEAD], ...groups.map(groupRow)]);
}

function groupRow({ name, tally }: Group): string[] {
  const { fates } = tally;
  const figures = [tally.cases, tally.shadow, tally.proposed, tally.acted, fates.confirmed, fates.dismissed];
  const hand = [fates.reversed, fates.borne_out, fates.contradicted, fates.kept];
  const rest = [fates.silent, fates.overtaken, fates.open];
  return [name, ...[...figures, ...hand, ...rest].map(String), shareText(tally.precision)];
}

function modeRow(one: ModeTally): string[] {
  const decided = one.right + one.wrong;
  const right = one.precision === null ? '–' : `${one.right} of ${decided}, ${shareText(one.precision)}`;
  return [one.mode, ...[one.acts, one.proposes, one.records, one.unknown].map(String), right];
}

function shareText(share: Share | null): string {
  return share === null ? '–' : `${percent(share.value)} (${percent(share.low)} to ${percent(share.high)})`;
}

function noteLine({ path, state, reason }: KeptNote): string {
  if (state === 'left') return `${path} is left as it is. ${reason ?? ''}`;
  return state === 'unchanged' ? `${path} is up to date.` : `Saved in ${path}.`;
}
