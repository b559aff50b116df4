import type { Condition } from './condition.ts';

/** A request that can be answered without a model. `file` is the name as written. */
export type Query = { readonly file: string } & (RowsAsked | PartAsked | LinesAsked);

/** Rows are counted or, as `rows`, shown. */
export interface RowsAsked {
  readonly kind: 'count' | 'rows';
  readonly where: Condition | null;
  readonly whereText: string;
}

/** A value, or whatever has a name. */
export interface PartAsked {
  readonly kind: 'value' | 'show';
  readonly name: string;
  /** What it was called, such as `class`; empty where nothing was said. */
  readonly noun?: string;
  /** The words may be a question rather than a name: finding nothing then says nothing. */
  readonly maybe?: true;
}

/** Lines by number. A negative number counts from the end: -1 is the last line. */
export interface LinesAsked {
  readonly kind: 'lines';
  readonly first: number;
  readonly last: number;
}
