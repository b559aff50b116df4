import type { Details } from './details.ts';
import { slashedNarrative } from './slashed.ts';
import { structuredNarrative } from './structured.ts';

/** Returns what a `:86:` says, in whichever way its bank writes it. */
export function narrativeOf(lines: readonly string[]): Details {
  return structuredNarrative(lines) ?? slashedNarrative(lines) ?? plainNarrative(lines);
}

function plainNarrative(lines: readonly string[]): Details {
  const purpose = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return { counterparty: null, iban: null, references: [], purpose };
}
