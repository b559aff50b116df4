import { parseArgs } from 'node:util';
import type { VisitPace } from './stepping/vault-day.ts';

const HOUR_MS = 3_600_000;

export const HELP = `npm run fleet:simulate -- [--vaults N] [--seed N] [--day YYYY-MM-DD] [--minutes] [--json]
  --vaults N       how many vaults (1000000)
  --seed N         other vaults and other traffic (1)
  --day DAY        the day, in UTC (2026-03-02, a Monday)
  --warm-up H      hours that are stepped through before it (12)
  --work MS        how long a visit takes at least (150)
  --linger S       what is due within so many seconds is waited for (45)
  --housekeeping M so many minutes after a visit there is another to tidy up; 0: none (1440)
  --slack M        so many minutes late a period may be kept, so that one wake serves several (0)
  --processes N    how many work at a time (2)
  --minutes        every minute of the day, not only every hour
  --json           for programs`;

/** What a person asks of a run. */
export interface Options {
  readonly vaults: number;
  readonly seed: number;
  /** When the day begins (epoch ms). */
  readonly day: number;
  /** In ms. */
  readonly warmUp: number;
  readonly pace: VisitPace;
  readonly processes: number;
  readonly isJson: boolean;
  readonly byMinute: boolean;
  readonly isHelp: boolean;
}

/** Reads what was asked for. Throws a sentence about what it cannot make out. */
export function optionsOf(args: readonly string[]): Options {
  const text = (standard: string) => ({ type: 'string', default: standard }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ vaults: text('1000000'), seed: text('1'), day: text('2026-03-02'), 'warm-up': text('12') },
      ...{ work: text('150'), linger: text('45'), housekeeping: text('1440'), slack: text('0'), processes: text('2') },
      ...{ json: { type: 'boolean' }, minutes: { type: 'boolean' }, help: { type: 'boolean' } },
    },
  });
  return {
    vaults: whole('vaults', values.vaults, 1, 100_000_000),
    seed: whole('seed', values.seed, 0, 2 ** 31),
    day: dayOf(values.day),
    warmUp: whole('warm-up', values['warm-up'], 0, 240) * HOUR_MS,
    pace: paceOf(values),
    processes: whole('processes', values.processes, 1, 64),
    ...{ isJson: values.json === true, byMinute: values.minutes === true, isHelp: values.help === true },
  };
}

function paceOf(values: Readonly<Record<'work' | 'linger' | 'housekeeping' | 'slack', string>>): VisitPace {
  const minutes = whole('housekeeping', values.housekeeping, 0, 10_000);
  return {
    work: whole('work', values.work, 1, 60_000),
    linger: whole('linger', values.linger, 0, 60) * 1000,
    housekeeping: minutes === 0 ? null : minutes * 60_000,
    slack: whole('slack', values.slack, 0, 240) * 60_000,
  };
}

function whole(name: string, written: string, least: number, most: number): number {
  const figure = Number(written);
  if (/^\d+$/.test(written) && figure >= least && figure <= most) return figure;
  throw new Error(`--${name} takes a whole number from ${least} to ${most}, and not ${written}`);
}

function dayOf(written: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(written) ? Date.parse(`${written}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(day)) throw new Error(`--day takes a day such as 2026-03-02, and not ${written}`);
  return day;
}
