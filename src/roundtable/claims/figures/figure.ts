/** What a figure measures, so that 30 % is not mistaken for 30 days. */
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
  /** What it may mean, in its written unit: `1.200` is 1200 or 1.2. Empty for a date, a version or a line. */
  readonly values: readonly number[];
  /** How many base units of the kind (seconds, bytes) one of its unit is; 1 without a unit. */
  readonly scale: number;
  /** The currency code, or ''. */
  readonly currency: string;
  /** How exact it is: the digits after the decimal point, negative where it counts in thousands. */
  readonly decimals: number;
  /**
   * What is compared as text: dates as `YYYY-MM-DD` or `--MM-DD`, clock times as `HH:mm`, versions. One for each
   * meaning.
   */
  readonly keys: readonly string[];
  /** The lines it refers to. `file` is '' where none is named. Null for every other kind. */
  readonly lines: { readonly file: string; readonly first: number; readonly last: number } | null;
  /** Whether it is a claim that needs support, rather than a year, a list number or a small count of common speech. */
  readonly specific: boolean;
  /** Set where it is stated as an estimate or a bound. */
  readonly hedge: 'about' | 'over' | 'under' | null;
}

/** The defaults of a figure. */
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
