/** Something in a text that has a name: a key or variable with a value, a function or class, a heading. */
export interface NamedPart {
  readonly name: string;
  /** `unsure`: something with this name is here, but where it ends cannot be told. */
  readonly kind: 'value' | 'definition' | 'heading' | 'unsure';
  /** What a person calls it: function, class, key, section. */
  readonly noun: string;
  /** What it belongs to, where it does not stand within it, as a method of Go does. */
  readonly owner?: string;
  /** Offsets into the text. Two parts either nest or do not overlap. */
  readonly from: number;
  readonly to: number;
}
