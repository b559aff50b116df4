import type { Advice } from './advice.ts';
import type { Fate } from './hindsight.ts';

const FATE_WORDS: Readonly<Record<Fate, string>> = {
  confirmed: 'confirmed',
  kept: 'made and kept',
  borne_out: 'later made by hand',
  dismissed: 'dismissed',
  reversed: 'taken back',
  undone: 'set back by hand',
  contradicted: 'later set otherwise by hand',
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

/** Returns one sentence on whether a mode is ready, with the figures behind it. */
export function adviceSentence(advice: Advice): string {
  const { mode, ready, right, decided, low, bar } = advice;
  const sure = low === null ? '' : `, at least ${percent(low)} with 95 % confidence`;
  const so = decided === 0 ? 'nothing is decided yet' : `${right} of ${decided} right${sure}`;
  const asked = `${bar.decided} decided and at least ${percent(bar.low)}`;
  if (ready) return `${mode} is ready: ${so} (it asks for ${asked}).`;
  return `${mode} is not ready: ${so}; it asks for ${asked}. ${missingSentence(advice)}`;
}

function missingSentence({ missing, more, unheard, decided }: Advice): string {
  if (missing === 'silence') {
    return `Of what it would have acted upon, ${unheard} are older than a week and nothing tells of them, more than the ${decided} that are decided.`;
  }
  return `${more} more, all right, would do.`;
}
