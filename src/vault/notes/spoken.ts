import { fieldLine } from '../note-text.ts';

/** Who spoke and in which words. */
export interface SaidBy {
  readonly from: string | null;
  /** How many others spoke beside that one. */
  readonly others?: number;
  readonly quote: string | null;
}

/** Who spoke and the quote, as an event note has them. */
type SpokenFields = Readonly<Record<'from' | 'quote', string | null>>;

/** Of what nobody said. */
export const NOBODY_SPOKE: SaidBy = { from: null, quote: null };

/** Returns who spoke and the quote as the fields of an event note: texts from outside, with nothing live in them. */
export function spokenFields({ from, others = 0, quote }: SaidBy): SpokenFields {
  const sender = from === null ? null : fieldLine(from);
  const beside = others === 0 ? '' : `, and ${others} ${others === 1 ? 'other' : 'others'}`;
  return { from: sender === null ? null : `${sender}${beside}`, quote: quote === null ? null : fieldLine(quote) };
}
