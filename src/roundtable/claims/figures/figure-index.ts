import type { Figure } from './figure.ts';

/** A figure of a source, and the line it is on. */
export interface IndexedFigure {
  readonly figure: Figure;
  readonly line: string;
  /** Set where it may only be repeated next to one of these counts. */
  readonly beside: readonly number[] | null;
  /** The figures that it was derived from; null for one of a source, whose companions are on its line. */
  readonly from: readonly Figure[] | null;
}

/** The figures of the sources, indexed so that those near a claim are found without comparing all of them. */
export class FigureIndex {
  readonly #keyed = new Map<string, IndexedFigure[]>();
  /** Keyed by bucket: each value that a claim may be compared with is in one, and all buckets span the same ratio. */
  readonly #valued = new Map<number, IndexedFigure[]>();

  constructor(figures: readonly IndexedFigure[]) {
    for (const one of figures) this.add(one);
  }

  /** Adds a figure. */
  add(indexed: IndexedFigure): void {
    for (const key of indexed.figure.keys) addTo(this.#keyed, key.slice(-5), indexed);
    for (const bucket of new Set(comparables(indexed).map(bucketOf))) addTo(this.#valued, bucket, indexed);
  }

  /** Returns every figure that may support a claim; `supports` decides. */
  near(claim: Figure): readonly IndexedFigure[] {
    if (claim.keys.length > 0) return claim.keys.flatMap((key) => this.#keyed.get(key.slice(-5)) ?? []);
    const values = claim.values.flatMap((value) => [value, value * claim.scale]);
    const buckets = new Set(values.map(bucketOf).flatMap((bucket) => [bucket - 1, bucket, bucket + 1]));
    return [...new Set([...buckets].flatMap((bucket) => this.#valued.get(bucket) ?? []))];
  }
}

// A bucket is wider than the largest difference that still agrees, so a bucket and its neighbours hold all candidates.
const WIDTH = Math.log(1.25);

function bucketOf(value: number): number {
  return value === 0 ? Number.NEGATIVE_INFINITY : Math.floor(Math.log(Math.abs(value)) / WIDTH);
}

function comparables({ figure, line }: IndexedFigure): number[] {
  const unit = unitOfLine(line, 'time');
  return figure.values.flatMap((value) => [
    value,
    value * figure.scale,
    value * 100,
    ...(Number.isNaN(unit) ? [] : [value * unit]),
  ]);
}

function addTo<Key>(map: Map<Key, IndexedFigure[]>, key: Key, indexed: IndexedFigure): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [indexed]);
  else found.push(indexed);
}

const SHARE_WORDS = /percent|per cent|pct|share|ratio|rate|fraction|%/i;

/** Returns whether a figure of a source agrees with a claim, to the precision of the claim. */
export function supports({ figure, line, from }: IndexedFigure, claim: Figure): boolean {
  if (claim.keys.length > 0)
    return figure.kind === claim.kind && claim.keys.some((key) => figure.keys.some(sameKey(key)));
  if (figure.keys.length > 0 || figure.lines !== null) return false;
  const [kind, other] = [claim.kind, figure.kind];
  if (kind === 'number') return agreesInUnit(claim, figure, 1);
  if (kind === other) return sameCurrency(claim, figure) && agreesInUnit(claim, figure, figure.scale / claim.scale);
  if (other !== 'number' || from !== null) return false;
  // A bare number in a source may be the value of a field whose name tells the unit.
  if (kind === 'percent')
    return agreesInUnit(claim, figure, 100) || (SHARE_WORDS.test(line) && agreesInUnit(claim, figure, 1));
  return agreesInUnit(claim, figure, unitOfLine(line, kind) / claim.scale);
}

// As in `timeout_ms: 4200`. NaN where the line tells no unit.
function unitOfLine(line: string, kind: Figure['kind']): number {
  if (kind !== 'time') return Number.NaN;
  if (/(?:_ms|Ms|millis(?:econds)?)\b/.test(line)) return 0.001;
  if (/(?:_s|_secs|_?[Ss]econds)\b/.test(line)) return 1;
  if (/(?:_minutes|Minutes|_min)\b/.test(line)) return 60;
  if (/(?:_hours|Hours)\b/.test(line)) return 3600;
  return /(?:_days|Days)\b/.test(line) ? 86_400 : Number.NaN;
}

function sameKey(claimed: string): (key: string) => boolean {
  const [short, long] = [claimed.slice(-5), claimed.startsWith('--') ? '' : claimed];
  return (key) => key === long || ((long === '' || key.startsWith('--')) && key.slice(-5) === short);
}

function sameCurrency(one: Figure, other: Figure): boolean {
  return one.currency === other.currency || one.currency === '' || other.currency === '';
}

/** `factor` converts the figure into the unit of the claim. NaN where the unit is unknown: the claim's is assumed. */
function agreesInUnit(claim: Figure, figure: Figure, factor: number): boolean {
  const by = Number.isNaN(factor) ? 1 : factor;
  const [first, ...others] = claim.values;
  // Of a rounded figure, only the likelier meaning counts.
  if (first !== undefined && figure.values[0] !== undefined && agrees(claim, first, figure.values[0] * by)) return true;
  return [first, ...others].some((value) =>
    figure.values.some((other) => isClose(value ?? Number.NaN, other * by, 1e-9)),
  );
}

const LOOSE = 0.05;

/** Returns whether a stated value agrees with the actual one, to the precision and hedge of the claim. */
export function agrees({ hedge, decimals, text }: Figure, said: number, actual: number): boolean {
  if (isClose(said, actual, 1e-9)) return true;
  if (hedge === 'about') return isClose(said, actual, LOOSE);
  if (hedge === 'over' && said < actual && said >= 0.85 * actual) return true;
  if (hedge === 'under' && said > actual && said <= 1.18 * actual) return true;
  if (digitsOf(text, said) < 2 || (Number.isInteger(actual) && decimals >= 0)) return false;
  return isRounded(said, actual, decimals);
}

/** The number of significant digits. A rounded figure needs two, since a single digit is close to too much. */
function digitsOf(text: string, said: number): number {
  const written = text.replace(/\D/g, '').replace(/^0+/, '');
  return Math.max(
    written.length,
    String(said)
      .replace(/\D/g, '')
      .replace(/^0+|(?<!0)0+$/g, '').length,
  );
}

/** Returns whether a value rounds to what was said. */
export function isRounded(said: number, actual: number, decimals: number): boolean {
  const step = 10 ** -decimals;
  return Math.abs(said - actual) <= step / 2 + 1e-9 * Math.abs(actual);
}

function isClose(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) <= share * Math.max(Math.abs(one), Math.abs(other));
}
