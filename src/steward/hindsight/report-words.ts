import type { Advice } from './advice.ts';
import type { Fate } from './hindsight.ts';
import type { Group } from './scorecard.ts';

const FATE_WORDS: Readonly<Record<Fate, string>> = {
  confirmed: 'confirmed',
  borne_out: 'made by hand as proposed',
  kept: 'made and kept',
  dismissed: 'dismissed',
  reversed: 'taken back',
  contradicted: 'changed otherwise by hand',
  silent: 'made, and unremarked since',
  overtaken: 'overtaken by a later decision',
  open: 'still open',
};

/** Returns a fate in words for people. */
export function fateWords(fate: Fate): string {
  return FATE_WORDS[fate];
}

/** Returns a share in whole per cent, rounded down, so that no lower bound looks better than it is. */
export function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)} %`;
}

/** Returns whether a mode is ready, with the figures behind it, in a few plain sentences. */
export function adviceSentence(advice: Advice): string {
  const { mode, ready, right, decided, low, bar } = advice;
  const known = decided < bar.decided ? `${decided} of ${bar.decided}` : `${decided}`;
  const sure = low === null || decided < bar.decided ? '' : `: at least ${percent(low)} with 95 % confidence`;
  const figures = `${known} decisions known, ${right} right${sure}.`;
  return ready ? `${mode}: ready. ${figures}` : `${mode}: not yet. ${figures} ${missingSentence(advice)}`;
}

function missingSentence({ missing, more, unheard, decided, acts, bar }: Advice): string {
  if (missing === 'silence') {
    return `${unheard} more are older than a week and still undecided: more than the ${decided} known ones.`;
  }
  if (missing === 'acts') {
    return `Of the ${acts.right + acts.wrong} changes it would have made alone, ${acts.wrong} ${acts.wrong === 1 ? 'was' : 'were'} wrong.`;
  }
  const asks = missing === 'certainty' ? `It needs at least ${percent(bar.low)}. ` : '';
  return `${asks}${more} more right ${more === 1 ? 'decision' : 'decisions'} needed.`;
}

/** How many sources are named one by one. */
const NAMED = 5;

/**
 * Returns which sources the decisions are of that nothing is known of yet, in one sentence; null where there are none.
 */
export function unknownSentence(sources: readonly Group[]): string | null {
  const open = sources
    .map(({ name, tally }) => ({ name, count: tally.fates.open + tally.fates.silent }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  if (open.length === 0) return null;
  const named = open.slice(0, NAMED).map(({ name, count }) => `${count} from ${name}`);
  const more = open.length > NAMED ? `, and from ${open.length - NAMED} others` : '';
  return `Still undecided: ${named.join(', ')}${more}.`;
}
