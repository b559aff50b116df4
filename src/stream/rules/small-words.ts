import { patternOfAll, wordsOfAll } from '../languages/union.ts';
import { stem, wordsOf } from '../mail/word.ts';
import { spacedPattern } from './pattern.ts';
import { ENDINGS, TOPICS } from './topics.ts';

const SMALL: ReadonlySet<string> = new Set(wordsOfAll(({ names }) => names.small).flatMap(wordsOf));
const DEEDS: ReadonlySet<string> = new Set(TOPICS.flatMap(({ verbs }) => verbs).map(stem));
const DEEDS_DONE = spacedPattern(
  [...TOPICS, ...ENDINGS]
    .map(({ name }) => patternOfAll(({ topics }) => topics[name].forms.map(({ words }) => words).join('|')))
    .join('|'),
  'giu',
);
const SALUTATION = new RegExp(
  `^\\s*(?:${patternOfAll(({ names }) => names.salutation)})(?: [^,!.\\n]{0,60})?[,!]`,
  'iu',
);

/** Returns the words of a text that name something, folded and stemmed: neither small words, nor days and years. */
export function namingWords(text: string): readonly string[] {
  return wordsOf(text).filter(
    (word) => word.length > 1 && !SMALL.has(word) && !/^(?:\d{1,2}|(?:19|20)\d\d)$/.test(word),
  );
}

/** Returns a sentence without the "Dear Sam," that it may begin with. */
export function withoutSalutation(sentence: string): string {
  return sentence.replace(SALUTATION, '');
}

/** Returns the words of a text that name something, other than what was done: of "your payment was received", none. */
export function thingsIn(text: string): readonly string[] {
  return namingWords(withoutSalutation(text).replace(DEEDS_DONE, ' ')).filter((word) => !DEEDS.has(word));
}
