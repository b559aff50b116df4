import type { Happening } from './life.ts';
import {
  aloneShare,
  askedPerHundred,
  byMonth,
  type Figures,
  figuresOf,
  MONTHS,
  precision,
  turnedOf,
} from './months.ts';

const BARS = 24;

/** Returns the table of all months and a line for the whole. */
export function tableOf(happened: readonly Happening[]): string {
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

/** Returns what docs/trust.md shows: the chart, and whose word the acts rest on. */
export function pageOf(happened: readonly Happening[]): string {
  return `${chartOf(happened)}\n\n${byCauseOf(happened)}`;
}

/** Three months a row: what the program did alone, and what it asked. */
function chartOf(happened: readonly Happening[]): string {
  const months = byMonth(happened);
  const quarters = Array.from({ length: MONTHS / 3 }, (_, nth) => together(months.slice(3 * nth, 3 * nth + 3)));
  const rows = quarters.map((one, nth) => {
    const alone = aloneShare(one);
    const label = `${String(3 * nth + 1).padStart(2)}–${String(3 * nth + 3).padEnd(2)}`;
    const bar = '█'.repeat(Math.round(alone * BARS)).padEnd(BARS, '·');
    const asked = askedPerHundred(one).toFixed(0).padStart(3);
    return `${label}  ${bar} ${percent(alone).padStart(4)}   ${asked}   ${String(one.acts).padStart(4)}   ${one.wrong}`;
  });
  return ['months  done alone, of the true changes     asked  acts  wrong', ...rows].join('\n');
}

/** The acts by what their senders are like, and what became of the sources that turned bad. */
function byCauseOf(happened: readonly Happening[]): string {
  const acts = happened.filter(({ what }) => what === 'acted');
  const kinds = [...Map.groupBy(acts, causeOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const rows = [...kinds, ['all', acts] as const].map(([kind, own]) => [kind, ...causesIn(figuresOf(own))]);
  const turned = turnedOf(happened).map(({ from, before, wrong, reversals, earnedAgain }) => {
    return [
      from,
      ...[before, wrong, reversals].map(String),
      earnedAgain === null ? 'no' : `after ${earnedAgain} right`,
    ];
  });
  return [
    aligned([['whose word', 'acts', 'wrong', 'of these said wrongly', 'misread'], ...rows]),
    aligned([['turned bad', 'acts before', 'wrong acts since', 'taken back', 'acts again after the third'], ...turned]),
  ].join('\n\n');
}

function causesIn({ acts, wrong, misread }: Figures): string[] {
  return [acts, wrong, wrong - misread, misread].map(String);
}

function causeOf({ sender, day }: Happening): string {
  return sender.turnsOn !== null && day >= sender.turnsOn
    ? 'has turned bad'
    : sender.kind === 'turning'
      ? 'will turn bad'
      : sender.kind;
}

/** Returns the figures of several spans as one. */
export function together(spans: readonly Figures[]): Figures {
  const sum = (key: keyof Figures) => spans.reduce((total, span) => total + span[key], 0);
  return {
    mails: sum('mails'),
    news: sum('news'),
    acts: sum('acts'),
    wrong: sum('wrong'),
    misread: sum('misread'),
    byOutsiders: sum('byOutsiders'),
    asked: sum('asked'),
  };
}

function rowOf(name: string, figures: Figures): string[] {
  const { mails, news, acts, wrong, misread, byOutsiders } = figures;
  const right = precision(figures);
  return [
    name,
    ...[mails, news, acts].map(String),
    `${wrong}${right === null || wrong === 0 ? '' : ` (${((1 - right) * 100).toFixed(2)} %)`}`,
    String(misread),
    String(byOutsiders),
    percent(aloneShare(figures)),
    askedPerHundred(figures).toFixed(1),
  ];
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')).join('\n');
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
