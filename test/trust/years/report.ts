import { computeShare } from '../../../src/features/report.ts';
import type { PEOPLE } from './assumed.ts';
import type { Happening, Life } from './life.ts';
import { aloneShare, askedPerHundred, byMonth, type Figures, figuresOf, summaryOf, together } from './months.ts';

/** What the figures ought to be. */
const GOALS = { offerDays: 14, acts: 600, askedFirst: 30, askedLater: 10 } as const;

const TITLES: Readonly<Record<(typeof PEOPLE)[number]['name'], string>> = {
  private: 'a private person',
  consultant: 'a consultant',
};

/** Returns the table of all months of a person, and a line for the whole. */
export function tableOf({ happened }: Life): string {
  const head = [
    'month',
    'mails',
    'true changes',
    'done alone',
    'of them wrong',
    'of these misread',
    'by outsiders',
    'share alone',
    'asked per 100 mails',
  ];
  const rows = byMonth(happened).map((month, nth) => rowOf(String(nth + 1), month));
  return aligned([head, ...rows, rowOf('all', figuresOf(happened))]);
}

/** Returns what docs/dev/trust.md shows: the figures with their goals, whose word counted, and why it asked. */
export function pageOf(lives: readonly Life[]): string {
  return [figuresTable(lives), causesTable(lives), reasonsTable(lives)].join('\n\n');
}

function figuresTable(lives: readonly Life[]): string {
  const sums = lives.map(summaryOf);
  const both = together(sums.map(({ all }) => all));
  const line = (name: string, of: (nth: number) => string, whole: string, goal: string) => [
    ...[name, ...sums.map((_, nth) => of(nth))],
    ...[whole, goal],
  ];
  const of = <Value>(read: (sum: (typeof sums)[number]) => Value) => sums.map(read);
  const total = (figures: readonly number[]) => String(figures.reduce((sum, one) => sum + one, 0));
  const each = (figures: readonly (number | string)[]) => (nth: number) => String(figures[nth] ?? '');
  const licences = (['offered', 'signed', 'refused', 'ended'] as const).map((what) => {
    const figures = of((sum) => sum.licences[what]);
    return line(`licences ${what}`, each(figures), total(figures), '');
  });
  const lessons = of((sum) => sum.lessons);
  return aligned([
    ['', ...lives.map(({ person }) => TITLES[person.name]), 'together', 'goal'],
    line(
      'days until the first licence is offered',
      each(of((sum) => days(sum.daysToFirstOffer))),
      '',
      `at most ${GOALS.offerDays}`,
    ),
    line('mails', each(of(({ all }) => all.mails)), String(both.mails), ''),
    line('automatic changes', each(of(({ all }) => all.acts)), String(both.acts), `${GOALS.acts}`),
    line('of them wrong', each(of(({ all }) => all.wrong)), String(both.wrong), '0'),
    line('wrong, 95 % interval (Wilson)', each(of(({ all }) => interval(all))), interval(both), ''),
    line('wrong because misread', each(of(({ all }) => all.misread)), String(both.misread), '0'),
    line('by outsiders', each(of(({ all }) => all.byOutsiders)), String(both.byOutsiders), '0'),
    line(
      'questions per 100 mails, first 3 months',
      each(of(({ asked }) => asked.first.toFixed(0))),
      '',
      `at most ${GOALS.askedFirst}`,
    ),
    line(
      'questions per 100 mails, later',
      each(of(({ asked }) => asked.later.toFixed(0))),
      '',
      `at most ${GOALS.askedLater}`,
    ),
    line(
      'true changes made without asking',
      each(of(({ all }) => percent(aloneShare(all)))),
      percent(aloneShare(both)),
      '',
    ),
    line('lessons', each(lessons), total(lessons), ''),
    ...licences,
  ]);
}

function days(day: number | null): string {
  return day === null ? 'never' : String(Math.ceil(day));
}

function interval({ acts, wrong }: Figures): string {
  const share = computeShare(wrong, acts);
  if (share === null) return '–';
  return `${(share.low * 100).toFixed(2)}–${(share.high * 100).toFixed(2)} % of ${acts}`;
}

/** The automatic changes by what their senders are like. */
function causesTable(lives: readonly Life[]): string {
  const acts = lives.flatMap(({ happened }) => happened.filter(({ what }) => what === 'acted'));
  const kinds = [...Map.groupBy(acts, causeOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const rows = kinds.map(([kind, own]) => {
    const figures = figuresOf(own);
    return [kind, ...[figures.acts, figures.wrong, figures.wrong - figures.misread, figures.misread].map(String)];
  });
  return aligned([['whose word', 'automatic changes', 'wrong', 'of these said wrongly', 'misread'], ...rows]);
}

/** The gates by the words with which they refuse, most serious first. */
const GATES: readonly (readonly [name: string, words: RegExp])[] = [
  ['forged', /your mail server rejected the sender|^The (name of the sender|address) |gives orders to Steward/],
  ['authenticated', /authenticated|itself names|trusted_bank_accounts names/],
  ['no licence', /has no licence|no signal says/],
  ['licence has ended', /licence .*has ended/],
  ['licence for another matter', /licence is for another matter/],
  ['licence for another kind', /licence/],
  ['target', /confidence that|leads? to this note|another passage/],
  ['reading', /reading|another signal/],
  ['discretion', /confidence too low|wait/],
  ['freshness', /at least as new/],
];

/** Why it asked, by the most serious gate that refused. */
function reasonsTable(lives: readonly Life[]): string {
  const asked = lives.map(({ happened }) => happened.filter(({ what }) => what === 'proposed'));
  const gateOf = ({ reason }: Happening) => GATES.find(([, words]) => words.test(reason))?.[0] ?? 'other';
  const names = [...GATES.map(([name]) => name), 'other'];
  const rows = names.map((name) => [
    name,
    ...asked.map((all) => String(all.filter((one) => gateOf(one) === name).length)),
  ]);
  return aligned([['why it asked', ...lives.map(({ person }) => TITLES[person.name])], ...rows]);
}

function causeOf({ sender, day }: Happening): string {
  return sender.turnsOn !== null && day >= sender.turnsOn
    ? 'has turned bad'
    : sender.kind === 'turning'
      ? 'will turn bad'
      : sender.kind;
}

function rowOf(name: string, figures: Figures): string[] {
  const { mails, news, acts, wrong, misread, byOutsiders } = figures;
  return [
    name,
    ...[mails, news, acts, wrong, misread, byOutsiders].map(String),
    percent(aloneShare(figures)),
    askedPerHundred(figures).toFixed(1),
  ];
}

// The first column is read, the others are compared.
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
