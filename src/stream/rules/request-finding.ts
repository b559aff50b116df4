import { LANGUAGES } from '../languages/languages.ts';
import { isNegated, plannedPhrase } from './cues.ts';
import { type Claim, type Finding, findingOf } from './finding.ts';
import type { Passage } from './passage.ts';
import { firstMatches, type PhrasePattern, phrasePatterns } from './pattern.ts';

const REQUESTS: readonly PhrasePattern[] = phrasePatterns(LANGUAGES.flatMap(({ requests }) => requests));

/** Returns what a sentence asks the reader to do, at most one finding per phrase of the table. */
export function requestsIn(passage: Passage): Finding[] {
  return REQUESTS.flatMap((request) => {
    const match = firstMatches(passage.view, request.pattern)[0];
    if (match === undefined) return [];
    const phrase = plannedPhrase(passage.view, match.index, match.index + match[0].length);
    if (isNegated(phrase)) return [];
    const claim: Claim = {
      effect: 'action',
      class: null,
      set: {},
      phraseId: `request: ${request.id}`,
      verbs: [],
      otherVerbs: [],
    };
    return [findingOf(claim, request.confidence, phrase, passage)];
  });
}
