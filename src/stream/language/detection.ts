import { createRequire } from 'node:module';
import type { detectAll } from 'tinyld/light';
import { isRead, type WrittenIn } from './language.ts';
import { lazily } from './lazily.ts';
import { SentenceMemory } from './sentence-memory.ts';

/** The beginning tells as much as the whole, and costs no more in a long text. */
const MOST_CHARACTERS = 800;
const LEAST_WORDS = 5;
/** That a text is in a language that is not read silences it, so it takes more words to say so. */
const LEAST_WORDS_FOR_OTHER = 12;
/** The second best has to stay this far behind the best. */
const CLEAR = 0.9;
const CLEAR_FOR_OTHER = 0.75;
const LETTERS = /\p{L}+/gu;
/** Addresses, codes and sums are in no language. */
const IN_NO_LANGUAGE = /[@/\d_]/;
const CAPITAL = /^\p{Lu}/u;
/** Loaded with the first text: most commands read none. */
const detector = lazily((): typeof detectAll => {
  const tinyld: { readonly detectAll: typeof detectAll } = createRequire(import.meta.url)('tinyld/light');
  return tinyld.detectAll;
});
const UNKNOWN: WrittenIn = { kind: 'unknown' };

/** In what languages some words are that were asked about lately. A short text takes as long to tell as to parse its mail. */
export class LanguageMemory extends SentenceMemory<WrittenIn> {
  constructor() {
    super(MOST_CHARACTERS);
  }
}

/** Returns what language a text is in. Names, numbers and addresses alone say nothing. */
export function writtenIn(text: string, memory = new LanguageMemory()): WrittenIn {
  const written = text.slice(0, MOST_CHARACTERS).split(/\s+/);
  const words = written.filter((each) => !IN_NO_LANGUAGE.test(each)).flatMap((each) => each.match(LETTERS) ?? []);
  const whole = languageOf(words, memory);
  if (whole.kind !== 'other') return whole;
  // A name can look like a word of another language: without all that may be one, it has to look the same.
  const small = languageOf(
    words.filter((word) => !CAPITAL.test(word)),
    memory,
  );
  return small.kind === 'other' && small.code !== whole.code ? UNKNOWN : small;
}

function languageOf(words: readonly string[], memory: LanguageMemory): WrittenIn {
  if (!isEnough(words)) return UNKNOWN;
  const text = words.join(' ');
  return memory.get(text) ?? memory.put(text, languageBy(detector()(text), words.length));
}

function languageBy(ranked: Ranked, words: number): WrittenIn {
  const [best, second] = ranked;
  if (best === undefined) return UNKNOWN;
  if (!isRead(best.lang)) return isOther(ranked, words) ? { kind: 'other', code: best.lang } : UNKNOWN;
  const isClear = second === undefined || second.accuracy < best.accuracy * CLEAR;
  return isClear ? { kind: 'read', language: best.lang } : UNKNOWN;
}

/** Two words of a script without blanks may be a whole sentence. */
function isEnough(words: readonly string[]): boolean {
  return words.length >= LEAST_WORDS || words.some((word) => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}]{8}/u.test(word));
}

type Ranked = ReturnType<typeof detectAll>;

function isOther(ranked: Ranked, words: number): boolean {
  const [best] = ranked;
  const closest = ranked.find(({ lang }) => isRead(lang))?.accuracy ?? 0;
  if (best === undefined) return false;
  return closest === 0 || (words >= LEAST_WORDS_FOR_OTHER && closest < best.accuracy * CLEAR_FOR_OTHER);
}
