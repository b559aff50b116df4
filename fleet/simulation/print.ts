import type { Figures, Minute } from './figures.ts';
import type { Options } from './options.ts';
import type { Cause } from './stepping/tally.ts';

const WORDS: Readonly<Record<Cause, string>> = {
  cron: 'cron expressions',
  date: 'dates in notes',
  digest: 'digests',
  common: 'periods of matters with a common name',
  period: 'periods of matters and tasks',
  poll: 'mailboxes asked',
  settling: 'edits that have come to rest',
  news: 'news about tasks, evaluated by itself',
  housekeeping: 'housekeeping',
  mail: 'mails (nudge)',
  edit: 'edits by hand (nudge)',
};
const MOST_CAUSES = 3;

/** Returns the figures of a run as a person reads them. */
export function figureText(figures: Figures, options: Options): string {
  const { vaults, matters, tasks } = figures;
  const day = new Date(options.day).toISOString().slice(0, 10);
  const head = `${count(vaults)} vaults, ${count(matters)} matters, ${count(tasks)} tasks; ${day} in UTC, seed ${options.seed}`;
  const minutes = options.byMinute ? byMinute(figures) : byHour(figures);
  return [head, '', ...sums(figures), '', ...minutes, '', ...peaks(figures), '', ...spreads(figures), ''].join('\n');
}

function sums({ vaults, wakes, ticks, timers, nudges, causes, wakesAVault, awake }: Figures): string[] {
  const lines = Object.entries(causes).map(([cause, times]) => line(words(cause), share(times, wakes)));
  const lively = Object.entries(wakesAVault).map(([name, one]) =>
    line(`a ${name} vault`, `${one.wakes.toFixed(1)} (${share(one.vaults, vaults)} of vaults)`),
  );
  return [
    line('wakes', `${count(wakes)}: ${share(timers, wakes)} by timer, ${share(nudges, wakes)} by nudge`),
    line('ticks of matters', count(ticks)),
    line('wakes a vault', (wakes / vaults).toFixed(1)),
    ...lively,
    ...lines,
    line(
      'awake at a time',
      `${awake.mean.toFixed(0)} vaults on average, ${awake.max.toFixed(0)} in the fullest minute`,
    ),
  ];
}

function byHour({ minutes }: Figures): string[] {
  const rows = Array.from({ length: 24 }, (_, hour) => {
    const within = minutes.slice(hour * 60, hour * 60 + 60).toSorted((one, other) => one.perSecond - other.perSecond);
    const mean = within.reduce((sum, { perSecond }) => sum + perSecond, 0) / 60;
    const worst = within.at(-1);
    return `${hour.toString().padStart(2, '0')} h ${cell(mean)} ${cell(within[0]?.perSecond ?? 0)} ${cell(worst?.perSecond ?? 0)}  ${worst?.at ?? ''}`;
  });
  return ['wakes a second:  mean  quietest  fullest minute', ...rows];
}

function byMinute({ minutes }: Figures): string[] {
  return ['wakes a second, by minute', ...minutes.map(minuteLine)];
}

function peaks({ worst, busiestSecond }: Figures): string[] {
  return [
    'the fullest minutes, wakes a second',
    ...worst.map(minuteLine),
    `the fullest second: ${busiestSecond.at} with ${count(busiestSecond.wakes)} wakes`,
  ];
}

function spreads({ spreads: all }: Figures): string[] {
  const head =
    'each timer put off by up to   mean    p50    p99    max a second by minute; fullest second; longest wait where';
  const rows = all.map(({ spread, mean, p50, p99, max, busiestSecond, waits }) => {
    const times = waits.map(({ room, longest, p99: most }) => `${room}×: ${seconds(longest)} (p99 ${seconds(most)})`);
    const name = spread === 0 ? 'nothing' : `${spread / 60_000} min`;
    return `${name.padStart(24)} ${[mean, p50, p99, max, busiestSecond].map(cell).join('')}   ${times.join('  ')}`;
  });
  return [head, `${''.padStart(24)}   so many times the mean can be visited`, ...rows];
}

function minuteLine({ at, perSecond, causes }: Minute): string {
  const most = Object.entries(causes).slice(0, MOST_CAUSES);
  return `${at} ${cell(perSecond)}  ${most.map(([cause, part]) => `${percent(part)} ${words(cause)}`).join(', ')}`;
}

function words(cause: string): string {
  return Object.entries(WORDS).find(([name]) => name === cause)?.[1] ?? cause;
}

function line(name: string, figure: string): string {
  return `${name.padEnd(40)} ${figure}`;
}

function cell(figure: number): string {
  return (figure < 100 ? figure.toFixed(1) : count(Math.round(figure))).padStart(9);
}

function count(figure: number): string {
  return figure.toLocaleString('en');
}

function share(part: number, whole: number): string {
  return percent(part / whole);
}

function percent(part: number): string {
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
}

function seconds(figure: number): string {
  return figure < 120 ? `${figure.toFixed(0)} s` : `${(figure / 60).toFixed(0)} min`;
}
