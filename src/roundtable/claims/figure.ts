/** What a figure measures, so that 30 % is not taken for 30 days. */
export type Kind =
  | 'number'
  | 'percent'
  | 'money'
  | 'time'
  | 'size'
  | 'length'
  | 'mass'
  | 'factor'
  | 'date'
  | 'clock'
  | 'version'
  | 'line';

/** A figure as it stands in a text. */
export interface Figure {
  readonly kind: Kind;
  /** As written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What it may mean, in the unit as written: `1.200` is 1200 or 1.2. Empty for a date, a version, a line. */
  readonly values: readonly number[];
  /** What one of the unit is in the kind's base unit (seconds, bytes); 1 where there is none. */
  readonly scale: number;
  /** The currency, or '' where it has none. */
  readonly currency: string;
  /** Digits behind the decimal point, negative where it counts in thousands: how exactly it was said. */
  readonly decimals: number;
  /** Dates as `YYYY-MM-DD` or `--MM-DD`, clock times as `HH:mm`, versions: whatever it may mean, to be compared as text. */
  readonly keys: readonly string[];
  /** For a line number: the file, '' where none is named, and the lines. */
  readonly lines: { readonly file: string; readonly first: number; readonly last: number } | null;
  /** Whether it is a claim that needs support, and not a year, a list number or a small count in common words. */
  readonly specific: boolean;
  /** Whether it was said as an estimate, or as a bound. */
  readonly hedge: 'about' | 'over' | 'under' | null;
}

/** What a figure is unless something else is known of it. */
export const PLAIN = {
  values: [],
  scale: 1,
  currency: '',
  decimals: 0,
  keys: [],
  lines: null,
  specific: true,
  hedge: null,
};

/** Returns the text with blanks in place of these figures, so that offsets stay the same. */
export function withoutFigures(text: string, figures: readonly Figure[]): string {
  let [made, at] = ['', 0];
  for (const { start, end } of [...figures].sort((one, other) => one.start - other.start)) {
    if (start < at) continue;
    made += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return made + text.slice(at);
}
