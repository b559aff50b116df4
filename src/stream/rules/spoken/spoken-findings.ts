import { wordsOf } from '../../mail/word.ts';
import { isNegated, plannedPhrase } from '../cues.ts';
import { assessedFinding, type Claim, type Finding, findingOf } from '../finding.ts';
import type { Passage } from '../passage.ts';
import { firstMatches, type PhrasePattern, phrasePatterns, spacedPattern } from '../pattern.ts';
import { ALL_DONE, DEED_FRAMES, SPOKEN_DEEDS, SPOKEN_REQUESTS } from './spoken-phrases.ts';

/** A deed, ready to be searched for. */
interface DeedPattern {
  readonly id: string;
  readonly verbs: readonly string[];
  readonly otherVerbs: readonly string[];
  readonly pattern: RegExp;
}

/** A message with fewer words names nothing that could be done. */
const FEWEST_WORDS = 3;
const CONFIDENCE = 0.8;
const DONE_CONFIDENCE = 0.75;
const DEEDS: readonly DeedPattern[] = deedPatterns();
const DONE = new RegExp(ALL_DONE.replaceAll(/ (?![*+?{])/g, ' +'), 'giu');
const REQUESTS: readonly PhrasePattern[] = phrasePatterns(SPOKEN_REQUESTS);

/** Returns what a sentence of a chat says was done by whoever says it, and what it asks for. */
export function spokenIn(passage: Passage): Finding[] {
  const deeds = deedsIn(passage);
  // "Done, sent the papers" tells what was done; "done" alone does not.
  const done = deeds.length > 0 || wordsOf(passage.text).length < FEWEST_WORDS ? [] : doneIn(passage);
  return [...deeds, ...done, ...requestsIn(passage)];
}

function deedPatterns(): DeedPattern[] {
  return SPOKEN_DEEDS.flatMap((deed) => {
    const otherVerbs = SPOKEN_DEEDS.filter((other) => other !== deed).flatMap(({ verbs }) => verbs);
    return (['en', 'de', 'fr', 'es', 'nl', 'it'] as const).map((language) => ({
      ...{
        id: `${deed.id}: said`,
        verbs: deed.verbs,
        otherVerbs: otherVerbs.filter((verb) => !deed.verbs.includes(verb)),
      },
      pattern: new RegExp(`${framed(language, deed[language])}(?![\\p{L}\\p{N}_])`, 'giu'),
    }));
  });
}

function framed(language: keyof typeof DEED_FRAMES, words: string): string {
  const source = DEED_FRAMES[language].replace('~', words);
  // The English frame begins with the sentence or a clause, the others with a word.
  return language === 'en' ? source : spacedPattern(source).source;
}

function deedsIn(passage: Passage): Finding[] {
  return DEEDS.flatMap(({ id, verbs, otherVerbs, pattern }) => {
    const claim: Claim = {
      effect: 'mutation',
      class: 'state_change',
      set: { state: 'done' },
      phraseId: id,
      verbs,
      otherVerbs,
    };
    return matchesIn(passage, pattern).map((phrase) => assessedFinding(claim, CONFIDENCE, phrase, passage));
  });
}

function doneIn(passage: Passage): Finding[] {
  const set = { state: 'done' };
  const claim: Claim = {
    effect: 'mutation',
    class: 'state_change',
    set,
    phraseId: 'completion: said',
    verbs: [],
    otherVerbs: [],
  };
  return matchesIn(passage, DONE).map((phrase) => assessedFinding(claim, DONE_CONFIDENCE, phrase, passage));
}

function matchesIn({ view }: Passage, pattern: RegExp) {
  return firstMatches(view, pattern).map((match) => {
    // What opens the sentence is no part of the phrase.
    const start = match.index + (/^[^\p{L}\p{N}]*/u.exec(match[0])?.[0].length ?? 0);
    const phrase = { sentence: view, start, end: match.index + match[0].length };
    return { ...phrase, bare: true, negative: false, ofFuture: false };
  });
}

function requestsIn(passage: Passage): Finding[] {
  return REQUESTS.flatMap((request) => {
    const match = firstMatches(passage.view, request.pattern)[0];
    if (match === undefined) return [];
    const phrase = plannedPhrase(passage.view, match.index, match.index + match[0].length);
    if (request.id !== "don't forget" && isNegated(phrase)) return [];
    const phraseId = `request: ${request.id}`;
    const claim: Claim = { effect: 'action', class: null, set: {}, phraseId, verbs: [], otherVerbs: [] };
    return [findingOf(claim, request.confidence, phrase, passage)];
  });
}
