import { z } from 'zod';

const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
/** Beyond this many, the older rows no longer say on which matter, so that the file stays bounded. */
const MOST_ROWS = 1500;

const row = z.lazy(() =>
  z.object({
    /** The hour it was spent in, by its start (epoch ms). */
    hour: z.number(),
    model: z.string(),
    /** The matter it was spent on; null where there is none, or it is no longer known. */
    matter: z.string().nullable(),
    questions: z.number().int().min(0),
    tokens: z.number().min(0),
    /** US dollars, for the questions that had a price. */
    usd: z.number().min(0),
    /** How many questions went to a model without a price. */
    unpriced: z.number().int().min(0),
  }),
);
type Row = z.infer<typeof row>;

/** `.steward/state/ledger.json`: what models took in the last week, hour by hour, oldest first. */
export const ledgerState = z.lazy(() => z.object({ rows: z.array(row) }));
export type LedgerState = z.infer<typeof ledgerState>;

/** What one answered question took. */
export interface LedgerEntry {
  readonly model: string;
  readonly matter: string | null;
  readonly tokens: number;
  /** Null where the model has no price. */
  readonly usd: number | null;
}

/** What some questions took together. */
export type Sum = Pick<Row, 'questions' | 'tokens' | 'usd' | 'unpriced'>;

/** Returns a ledger without rows. */
export function emptyLedger(): LedgerState {
  return { rows: [] };
}

/** Returns the ledger with one more entry, and without what is more than a week old. `now`: epoch ms. */
export function entered({ rows }: LedgerState, { model, matter, tokens, usd }: LedgerEntry, now: number): LedgerState {
  const hour = hourOf(now);
  const made = { hour, model, matter, questions: 1, tokens, usd: usd ?? 0, unpriced: usd === null ? 1 : 0 };
  // Rows that a clock running ahead has dated in the future count from now on.
  const known = rows.map((one) => (one.hour > hour ? { ...one, hour } : one));
  return { rows: bounded(withRow(within(known, WEEK, now), made)) };
}

/** Returns what was used in the last `ms`. An hour that has partly left that time still counts whole. */
export function spentIn({ rows }: LedgerState, ms: number, now: number): Sum {
  return sumOf(within(rows, ms, now));
}

/** Returns what was used in the last `ms` for each model, or for each known matter, the dearest first. */
export function spentBy(key: 'model' | 'matter', { rows }: LedgerState, ms: number, now: number): [string, Sum][] {
  const named = within(rows, ms, now).filter((one) => one[key] !== null);
  const groups = [...Map.groupBy(named, (one) => one[key] ?? '')];
  return groups.map(([name, group]): [string, Sum] => [name, sumOf(group)]).sort(([, a], [, b]) => dearer(a, b));
}

function dearer(one: Sum, other: Sum): number {
  return other.usd - one.usd || other.tokens - one.tokens;
}

function within(rows: readonly Row[], ms: number, now: number): readonly Row[] {
  return rows.filter(({ hour }) => hour + HOUR > now - ms);
}

function bounded(rows: readonly Row[]): Row[] {
  if (rows.length <= MOST_ROWS) return [...rows];
  const split = rows.length - MOST_ROWS / 2;
  const older = rows.slice(0, split).map((one) => ({ ...one, matter: null }));
  return [...summed(older), ...rows.slice(split)].slice(-MOST_ROWS);
}

function withRow(rows: readonly Row[], made: Row): readonly Row[] {
  const key = keyOf(made);
  const at = rows.findLastIndex((one) => one.hour === made.hour && keyOf(one) === key);
  const found = rows[at];
  return found === undefined ? [...rows, made] : rows.with(at, { ...made, ...sumOf([found, made]) });
}

function keyOf({ hour, model, matter }: Row): string {
  return JSON.stringify([hour, model, matter]);
}

/** One row for each hour, model and matter. */
function summed(rows: readonly Row[]): Row[] {
  const groups = Map.groupBy(rows, keyOf);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, ...sumOf(group) }];
  });
}

function sumOf(rows: readonly Sum[]): Sum {
  const sum = (figure: keyof Sum) => rows.reduce((total, one) => total + one[figure], 0);
  return { questions: sum('questions'), tokens: sum('tokens'), usd: sum('usd'), unpriced: sum('unpriced') };
}

function hourOf(at: number): number {
  return at - (at % HOUR);
}
