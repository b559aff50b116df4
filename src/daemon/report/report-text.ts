import { FATES, type Fate, findingOf } from '../../steward/hindsight/hindsight.ts';
import { adviceSentence, fateWords, percent, unknownSentence } from '../../steward/hindsight/report-words.ts';
import type { Group, ModeTally } from '../../steward/hindsight/scorecard.ts';
import { stem } from '../../vault/note-names.ts';
import { oneLine } from '../../vault/notes/note-text.ts';
import type { Report, ReportedCase } from './report.ts';

/** The most rows of a list of events, and the most weeks of a chart: a note is for reading. */
const ROWS = 20;
const WEEKS = 12;

/**
 * Returns the scorecard as Markdown with Mermaid charts. Without a date: an unchanged report leaves the note unchanged.
 */
export function reportText(report: Report): string {
  const { total } = report;
  if (total.cases === 0) return 'The steward has decided on no change yet.';
  return [
    summary(report),
    section('Ready?', adviceLines(report)),
    fence(fateChart(report)),
    ...(total.precision === null ? [] : [fence(weekChart(report.weeks))]),
    section('By source', groupTable('source', report.sources)),
    section('By what was to be written', groupTable('class', report.classes)),
    section('What each mode would have done with the same decisions', modeTable(report.modes)),
    section('Where it was wrong', caseTable(report.cases.filter((one) => findingOf(one.fate) === 'wrong'))),
    section('Newest decisions', caseTable(report.cases)),
    'How each is counted: docs/how-it-decides.md of the program, “From shadow to live”.',
  ].join('\n\n');
}

function summary({ total, mode }: Report): string {
  const { cases, right, wrong, precision } = total;
  const undecided = cases - right - wrong;
  const figures = `${cases} ${cases === 1 ? 'decision' : 'decisions'} about a change: ${right} right, ${wrong} wrong, ${undecided} not decided so far.`;
  const share =
    precision === null
      ? 'How often it was right is not known yet.'
      : `**${percent(precision.value)} right**, with 95 % confidence between ${percent(precision.low)} and ${percent(precision.high)}.`;
  return `${figures} ${share} The mode is \`${mode}\`.`;
}

function adviceLines({ advice, sources, licences }: Report): string {
  if (advice.length === 0) return 'Already the highest mode.';
  const unknown = unknownSentence(sources);
  const lacking = licences.flatMap(({ lack }) => lack ?? []);
  const rest = lacking.length > ROWS ? [`And ${lacking.length - ROWS} more senders who may only propose.`] : [];
  const lines = [...(unknown === null ? [] : [unknown]), ...lacking.slice(0, ROWS), ...rest];
  return [...advice.map(adviceSentence), ...lines.map(plain)].map((one) => `- ${one}`).join('\n');
}

/** Greens are right, reds are wrong, greys tell nothing yet. */
const COLOURS: Readonly<Record<Fate, string>> = {
  ...{ confirmed: '#2f8f5b', borne_out: '#5fb384', kept: '#98d1b0' },
  ...{ dismissed: '#e0a458', reversed: '#c8553d', contradicted: '#e08e79' },
  ...{ silent: '#b8bcc6', overtaken: '#9aa0ad', open: '#d6d9e0' },
};

function fateChart({ total }: Report): string {
  const seen = FATES.filter((fate) => total.fates[fate] > 0);
  const slices = seen.map((fate) => `    "${fateWords(fate)}" : ${total.fates[fate]}`);
  const colours = Object.fromEntries(seen.map((fate, nth) => [`pie${nth + 1}`, COLOURS[fate]]));
  return [themed({ ...colours, pieOpacity: '1' }), 'pie showData', '    title What became of them', ...slices].join(
    '\n',
  );
}

// The colours stand in the chart itself, so that they mean the same in every theme of Obsidian.
function themed(themeVariables: Readonly<Record<string, unknown>>): string {
  return `%%{init: ${JSON.stringify({ theme: 'base', themeVariables })}}%%`;
}

function weekChart(weeks: readonly Group[]): string {
  const told = weeks.filter(({ tally }) => tally.precision !== null).slice(-WEEKS);
  const names = told.map(({ name }) => `"${name}"`).join(', ');
  const shares = told.map(({ tally }) => Math.round((tally.precision?.value ?? 0) * 100)).join(', ');
  return [
    themed({ xyChart: { plotColorPalette: COLOURS.confirmed } }),
    'xychart-beta',
    '    title "Right, per cent of what is decided, by week"',
    `    x-axis [${names}]`,
    '    y-axis "per cent" 0 --> 100',
    `    bar [${shares}]`,
  ].join('\n');
}

function groupTable(what: string, groups: readonly Group[]): string {
  const rows = groups.map(({ name, tally }) => [
    cell(name),
    ...[tally.shadow, tally.proposed, tally.acted, tally.right, tally.wrong].map(String),
    String(tally.cases - tally.right - tally.wrong),
    tally.precision === null ? '–' : `${percent(tally.precision.value)}, at least ${percent(tally.precision.low)}`,
  ]);
  return table([what, 'in shadow', 'proposed', 'acted', 'right', 'wrong', 'undecided', 'right of decided'], rows);
}

function modeTable(modes: readonly ModeTally[]): string {
  const rows = modes.map((one) => [
    one.mode,
    ...[one.acts, one.proposes, one.records, one.unknown].map(String),
    one.precision === null ? '–' : `${one.right} of ${one.right + one.wrong}, at least ${percent(one.precision.low)}`,
  ]);
  return table(['mode', 'would act', 'propose', 'only record', 'unknown', 'right of its actions'], rows);
}

function caseTable(cases: readonly ReportedCase[]): string {
  if (cases.length === 0) return 'None.';
  const newest = cases.slice(-ROWS).reverse();
  const rows = newest.map((one) => [
    one.time.slice(0, 10),
    link(one.event),
    one.target === null ? '–' : link(stem(one.target)),
    cell(one.decision),
    fateWords(one.fate),
  ]);
  const rest = cases.length - newest.length;
  const more = rest === 0 ? [] : ['', `And ${rest} before these.`];
  return [table(['day', 'event', 'note', 'decision', 'what became of it'], rows), ...more].join('\n');
}

function section(title: string, text: string): string {
  return `### ${title}\n\n${text}`;
}

function fence(chart: string): string {
  return `\`\`\`mermaid\n${chart}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A link, or the bare name where it has characters that a link cannot hold. */
function link(name: string): string {
  return /[[\]|#^<>%\\`\p{Cc}\u2028\u2029]/u.test(name) ? cell(name) : `[[${name}]]`;
}

function cell(text: string): string {
  return plain(text).slice(0, 80);
}

// Names come from outside, so they must not form a table cell, a link, code or a comment.
function plain(text: string): string {
  return oneLine(text).replace(/[[\]|<>\\`%*]/g, ' ');
}
