import { z } from 'zod';
import { Samples } from './samples.ts';

const UNITS = ['ms', 's', 'MB', 'kB', '%', ''] as const;
/** `ratio`: against the floor. `difference`: more than the floor, in its unit. `value`: as it was measured. */
const AIMED = ['ratio', 'difference', 'value'] as const;

const figure = z.strictObject({
  value: z.number(),
  least: z.number(),
  greatest: z.number(),
});

/** One line of a report, as programs read it. */
export const row = z.strictObject({
  /** Stays the same from run to run, as long as it means the same. */
  id: z.string(),
  what: z.string(),
  unit: z.enum(UNITS),
  /** The median of all rounds, the least and the greatest. Null: it could not be measured here; `remark` says why. */
  measured: figure.nullable(),
  /** The floor or rival of the same run. */
  floor: z.strictObject({ of: z.string(), ...figure.shape }).nullable(),
  /** Round by round against the floor: the median, and between which values four of five rounds lie. */
  ratio: figure.nullable(),
  aim: z.strictObject({ of: z.enum(AIMED), atMost: z.number() }).nullable(),
  /** Null where nothing is aimed at: shown for information only. */
  met: z.boolean().nullable(),
  rounds: z.int().nonnegative(),
  remark: z.string().nullable(),
});

export type Row = z.infer<typeof row>;
type Figure = z.infer<typeof figure>;
export type Aim = NonNullable<Row['aim']>;
export type Unit = Row['unit'];

/** What a row is made of. `unit` is that of the measured and of the floor: ms unless it says otherwise. */
interface Measured {
  readonly id: string;
  readonly what: string;
  readonly measured: Samples;
  readonly floor?: { readonly of: string; readonly samples: Samples };
  readonly unit?: Unit;
  readonly aim?: Aim | null;
  readonly remark?: string;
}

/** Returns the row of what was measured, beside a floor that was measured in the same rounds. */
export function rowOf({ id, what, measured, floor, unit = 'ms', aim = null, remark }: Measured): Row {
  const ratio = floor === undefined ? null : ratioOf(measured, floor.samples);
  return {
    ...{ id, what, unit, measured: figureOf(measured), ratio, aim, remark: remark ?? null },
    floor: floor === undefined ? null : { of: floor.of, ...figureOf(floor.samples) },
    met: aim === null ? null : isMet(aim, measured.median, { ratio, floor: floor?.samples.median ?? null }),
    rounds: measured.taken.length,
  };
}

/** What stands beside something that was measured once. */
interface Beside {
  readonly floor?: { readonly of: string; readonly value: number };
  readonly unit?: Unit;
  readonly aim?: Aim | null;
  readonly remark?: string;
}

/** Returns the row of what was measured once. */
export function onceRow(id: string, what: string, value: number, { floor, ...more }: Beside): Row {
  const beside = floor === undefined ? {} : { floor: { of: floor.of, samples: new Samples([floor.value]) } };
  return rowOf({ id, what, measured: new Samples([value]), ...beside, ...more });
}

/** Returns the row of what cannot be measured on this machine. `remark`: why not. */
export function absent(id: string, what: string, remark: string): Row {
  return {
    ...{ id, what, unit: '', remark, rounds: 0 },
    measured: null,
    floor: null,
    ratio: null,
    aim: null,
    met: null,
  };
}

/** What is aimed at: `atMost` so many times the floor. */
export function atMostTimes(atMost: number): Aim {
  return { of: 'ratio', atMost };
}

function isMet({ of, atMost }: Aim, value: number, than: { ratio: Figure | null; floor: number | null }): boolean {
  if (of === 'value') return value <= atMost;
  if (of === 'ratio') return than.ratio !== null && than.ratio.value <= atMost;
  return than.floor !== null && value - than.floor <= atMost;
}

/** Ten rounds and more have outliers of the machine in them, which are left out of the spread. */
const OUTLIERS = 0.1;

function ratioOf(measured: Samples, floor: Samples): Figure | null {
  if (measured.taken.length !== floor.taken.length) {
    const value = measured.median / floor.median;
    return { value, least: value, greatest: value };
  }
  const paired = measured.over(floor);
  return { value: paired.median, least: paired.at(OUTLIERS), greatest: paired.at(1 - OUTLIERS) };
}

function figureOf(samples: Samples): Figure {
  return { value: samples.median, least: samples.at(0), greatest: samples.at(1) };
}
