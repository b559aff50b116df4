import type { Payment } from '../../steward/ports/stream-event.ts';
import { slashedNarrative } from './slashed.ts';
import { structuredNarrative } from './structured.ts';

/** What is said of a booking, `:86:`. */
export type Narrative = Pick<Payment, 'counterparty' | 'iban' | 'references' | 'purpose'>;

/** Returns what a `:86:` says, in whichever way its bank writes it. */
export function narrativeOf(lines: readonly string[]): Narrative {
  return structuredNarrative(lines) ?? slashedNarrative(lines) ?? plainNarrative(lines);
}

function plainNarrative(lines: readonly string[]): Narrative {
  const purpose = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return { counterparty: null, iban: null, references: [], purpose };
}
