import type { Figure } from './figure.ts';

/** A figure that a source holds, and the line it stands on. */
export interface IndexedFigure {
  readonly figure: Figure;
  readonly line: string;
  /** The counts beside one of which it may be repeated; null where it stands by itself. */
  readonly beside: readonly number[] | null;
}

/** The figures of the sources, kept so that those near a claim are found without looking at all of them. */
export class FigureIndex {
  readonly #keyed = new Map<string, IndexedFigure[]>();
  /** By each value that a claim may be compared with, in buckets of equal share. */
  readonly #valued = new Map<number, IndexedFigure[]>();

  constructor(held: readonly IndexedFigure[]) {
    for (const one of held) this.add(one);
  }

  add(held: IndexedFigure): void {
    for (const key of held.figure.keys) into(this.#keyed, key.slice(-5), held);
    for (const bucket of new Set(comparables(held).map(bucketOf))) into(this.#valued, bucket, held);
  }

  /** Whatever may bear a claim out; `bearsOut` tells. */
  near(claim: Figure): readonly IndexedFigure[] {
    if (claim.keys.length > 0) return claim.keys.flatMap((key) => this.#keyed.get(key.slice(-5)) ?? []);
    const values = claim.values.flatMap((value) => [value, value * claim.scale]);
    const buckets = new Set(values.map(bucketOf).flatMap((bucket) => [bucket - 1, bucket, bucket + 1]));
    return [...new Set([...buckets].flatMap((bucket) => this.#valued.get(bucket) ?? []))];
  }
}

// A bucket is wider than the widest difference that still agrees, so that it and its neighbours hold all there is.
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

function into<Key>(map: Map<Key, IndexedFigure[]>, key: Key, held: IndexedFigure): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [held]);
  else found.push(held);
}

const SHARE_WORDS = /percent|per cent|pct|share|ratio|rate|fraction|%/i;

/** Whether a held figure is what is claimed, as exactly as it is claimed. */
export function supports({ figure: held, line }: IndexedFigure, claim: Figure): boolean {
  if (claim.keys.length > 0) return held.kind === claim.kind && claim.keys.some((key) => held.keys.some(sameKey(key)));
  if (held.keys.length > 0 || held.lines !== null) return false;
  const [kind, other] = [claim.kind, held.kind];
  if (kind === 'number') return near(claim, held, 1);
  if (kind === other) return sameCurrency(claim, held) && near(claim, held, held.scale / claim.scale);
  if (other !== 'number') return false;
  // A bare number in a source may be the value of a field that names its unit, or none.
  if (kind === 'percent') return near(claim, held, 100) || (SHARE_WORDS.test(line) && near(claim, held, 1));
  return near(claim, held, unitOfLine(line, kind) / claim.scale);
}

// `timeout_ms: 4200`; where the line says nothing, the number is taken in the unit that the claim gives it.
function unitOfLine(line: string, kind: Figure['kind']): number {
  if (kind !== 'time') return Number.NaN;
  if (/(?:_ms|Ms|millis(?:econds)?)\b/.test(line)) return 0.001;
  if (/(?:_s|_secs|_?[Ss]econds)\b/.test(line)) return 1;
  if (/(?:_minutes|Minutes|_min)\b/.test(line)) return 60;
  if (/(?:_hours|Hours)\b/.test(line)) return 3600;
  return /(?:_days|Days)\b/.test(line) ? 86_400 : Number.NaN;
}

function sameKey(claimed: string): (held: string) => boolean {
  const [short, long] = [claimed.slice(-5), claimed.startsWith('--') ? '' : claimed];
  return (held) => held === long || ((long === '' || held.startsWith('--')) && held.slice(-5) === short);
}

function sameCurrency(one: Figure, other: Figure): boolean {
  return one.currency === other.currency || one.currency === '' || other.currency === '';
}

/** Whether a held value is what is claimed, as exactly as it is claimed. `factor` NaN: the unit is not known, 1 is tried. */
function near(claim: Figure, held: Figure, factor: number): boolean {
  const by = Number.isNaN(factor) ? 1 : factor;
  const [first, ...others] = claim.values;
  // Only the likelier reading is taken for a rounded figure.
  if (first !== undefined && held.values[0] !== undefined && agrees(claim, first, held.values[0] * by)) return true;
  return [first, ...others].some((value) =>
    held.values.some((other) => isClose(value ?? Number.NaN, other * by, 1e-9)),
  );
}

const LOOSE = 0.05;

/** Whether what was said agrees with what is true, as exactly as it was said. */
export function agrees({ hedge, decimals, text }: Figure, said: number, true_: number): boolean {
  if (isClose(said, true_, 1e-9)) return true;
  if (hedge === 'about') return isClose(said, true_, LOOSE);
  if (hedge === 'over' && said < true_ && said >= 0.85 * true_) return true;
  if (hedge === 'under' && said > true_ && said <= 1.18 * true_) return true;
  if (digitsOf(text, said) < 2 || (Number.isInteger(true_) && decimals >= 0)) return false;
  return isRounded(said, true_, decimals);
}

/** How many figures that count it was said with: a rounded one needs two at least, since one is near too much. */
function digitsOf(text: string, said: number): number {
  const written = text.replace(/\D/g, '').replace(/^0+/, '');
  return Math.max(
    written.length,
    String(said)
      .replace(/\D/g, '')
      .replace(/^0+|(?<!0)0+$/g, '').length,
  );
}

export function isRounded(said: number, true_: number, decimals: number): boolean {
  const step = 10 ** -decimals;
  return Math.abs(said - true_) <= step / 2 + 1e-9 * Math.abs(true_);
}

function isClose(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) <= share * Math.max(Math.abs(one), Math.abs(other));
}
