/** How many matches of one phrase in one sentence are read: no honest sentence has more, and a hostile one costs seconds. */
const MAX_MATCHES = 8;

/** A phrase of the table as a regular expression. */
export interface PhrasePattern {
  readonly id: string;
  readonly pattern: RegExp;
  readonly confidence: number;
}

/** Returns the first matches of a global pattern, eight at most. */
export function firstMatches(view: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  // `matchAll` would copy the pattern for each sentence, which takes longer than the search.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(view); match !== null && found.length < MAX_MATCHES; match = pattern.exec(view)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}

/** Returns a pattern of the phrase table as a global regular expression over whole words, in any case. */
export function phrasePattern(source: string): RegExp {
  return spacedPattern(source, 'giu');
}

/** Returns the phrases with their patterns compiled by `phrasePattern`. */
export function phrasePatterns(
  phrases: readonly { readonly id: string; readonly pattern: string; readonly confidence: number }[],
): readonly PhrasePattern[] {
  return phrases.map(({ id, pattern, confidence }) => ({ id, pattern: phrasePattern(pattern), confidence }));
}

/** Returns a regular expression over whole words in which each blank matches any run of blanks. */
export function spacedPattern(source: string, flags = 'iu'): RegExp {
  return wordPattern(spaced(source), flags);
}

/** Returns the source of a pattern in which each blank matches any run of blanks. */
export function spaced(source: string): string {
  return source.replace(/(?<!\[\^?) (?![*+?{])/g, ' +');
}

/** Returns a regular expression over whole words. `\b` would not do: it knows only ASCII and ends "será" before its accent. */
export function wordPattern(source: string, flags = 'iu'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, flags);
}
