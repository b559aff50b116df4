import type { LanguageTable } from './language-table.ts';
import { LANGUAGES } from './languages.ts';

/** Matches nothing: where no language has a word for it. */
const NOTHING = '(?!)';

/** Returns one pattern with what all languages have of a kind. */
export function patternOfAll(pick: (language: LanguageTable) => string): string {
  const patterns = LANGUAGES.map(pick).filter((pattern) => pattern !== '');
  return patterns.length === 0 ? NOTHING : patterns.join('|');
}

/** Returns the words that all languages have of a kind. */
export function wordsOfAll(pick: (language: LanguageTable) => string): readonly string[] {
  return LANGUAGES.flatMap((language) => listed(pick(language)));
}

/** Returns a list of words, each by itself. */
function listed(words: string): readonly string[] {
  return words.split(/\s+/).filter((word) => word !== '');
}
