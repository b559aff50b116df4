import {
  firstMatches,
  isNegated,
  type Passage,
  type PhrasePattern,
  phrasePattern,
  phrasePatterns,
  plannedPhrase,
  spaced,
} from './cues.ts';
import { DEED_NAMES, type DeedName, type LanguageTable } from './languages/language-table.ts';
import { LANGUAGES } from './languages/languages.ts';
import { patternOfAll, wordsOfAll } from './languages/union.ts';
import { lazily } from './lazily.ts';
import { wordsOf } from './mail/word.ts';
import { assessedFinding, type Claim, type Finding, findingOf } from './rules.ts';

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
const YES = patternOfAll(({ spoken }) => spoken.yes);
/** What stands before a deed that has no word of its own to begin with: nothing but a greeting, and "done". */
const OPENING = `(?:^|[.!,:;–—-]) {0,3}(?:(?:${YES}|${patternOfAll(({ spoken }) => spoken.opening)})[,!.:]{0,3} {1,3}){0,4}`;
const ALL_DONE = spaced(
  `^ *(?:(?:${YES})[,!.]* +)?(?:${patternOfAll(({ spoken }) => spoken.allDone)})(?= *(?:$|[,.:;!–—✅👍-]| (?:${patternOfAll(({ cues }) => cues.and)}) ))`,
);
const deedsSaid = lazily((): readonly DeedPattern[] => DEED_NAMES.flatMap(deedPatterns));
const DONE = new RegExp(ALL_DONE, 'giu');
const requests = lazily((): readonly PhrasePattern[] =>
  phrasePatterns(LANGUAGES.flatMap(({ spoken }) => spoken.requests)),
);

/** Returns what a sentence of a chat says was done by whoever says it, and what it asks for. */
export function spokenIn(passage: Passage): Finding[] {
  const deeds = deedsIn(passage);
  // "Done, sent the papers" tells what was done; "done" alone does not.
  const done = deeds.length > 0 || wordsOf(passage.text).length < FEWEST_WORDS ? [] : doneIn(passage);
  return [...deeds, ...done, ...requestsIn(passage)];
}

function deedPatterns(deed: DeedName): DeedPattern[] {
  const verbs = verbsOf(deed);
  const otherVerbs = DEED_NAMES.flatMap(verbsOf).filter((verb) => !verbs.includes(verb));
  return LANGUAGES.map((language) => ({ id: `${deed}: said`, verbs, otherVerbs, pattern: framed(language, deed) }));
}

function verbsOf(deed: DeedName): readonly string[] {
  return wordsOfAll(({ spoken }) => spoken.deeds[deed].verbs);
}

function framed({ spoken }: LanguageTable, deed: DeedName): RegExp {
  const source = spoken.frame.replace('~', spoken.deeds[deed].words);
  if (!spoken.frameOpensClause) return phrasePattern(source);
  return new RegExp(`${OPENING}${spaced(source)}(?![\\p{L}\\p{N}_])`, 'giu');
}

function deedsIn(passage: Passage): Finding[] {
  return deedsSaid().flatMap(({ id, verbs, otherVerbs, pattern }) => {
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
  return requests().flatMap((request) => {
    const match = firstMatches(passage.view, request.pattern)[0];
    if (match === undefined) return [];
    const phrase = plannedPhrase(passage.view, match.index, match.index + match[0].length);
    if (request.id !== "don't forget" && isNegated(phrase)) return [];
    const phraseId = `request: ${request.id}`;
    const claim: Claim = { effect: 'action', class: null, set: {}, phraseId, verbs: [], otherVerbs: [] };
    return [findingOf(claim, request.confidence, phrase, passage)];
  });
}
