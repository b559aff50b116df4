/** Something in a text that has a name: a key or variable with a value, a function or class, a heading. */
export interface NamedPart {
  readonly name: string;
  readonly kind: 'value' | 'definition' | 'heading';
  /** Offsets into the text. Two parts either nest or do not overlap. */
  readonly from: number;
  readonly to: number;
}
