import { createRequire } from 'node:module';
import type { detectAll } from 'tinyld/light';
import { lazily } from './lazily.ts';

/** The languages whose words are read. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;

/** A language whose words are read. */
export type Language = (typeof LANGUAGES)[number];

/** What language a text is in: one that is read, another by its ISO code, or too little text to tell. */
export type WrittenIn =
  | { readonly kind: 'read'; readonly language: Language }
  | { readonly kind: 'other'; readonly code: string }
  | { readonly kind: 'unknown' };

const names = lazily(() => new Intl.DisplayNames(['en'], { type: 'language' }));

/** Returns whether a code is that of a language whose words are read. */
export function isRead(code: string): code is Language {
  return LANGUAGES.some((language) => language === code);
}

/** Returns the English name of a language: "Polish" for `pl`. */
export function languageName(code: string): string {
  return names().of(code) ?? code;
}

/** So many sentences are remembered: greetings, signatures and small print come again and again. */
const MOST = 500;
/** Longer sentences hardly come again. */
const LONGEST = 200;

/** What was found out about sentences lately by their words alone; all is forgotten where there are too many. */
export class SentenceMemory<Value> {
  readonly #known = new Map<string, Value>();
  readonly #longest: number;

  /** `longest`: how many characters a sentence has at most that is remembered. */
  constructor(longest = LONGEST) {
    this.#longest = longest;
  }

  /** Returns what is remembered of a sentence. */
  get(sentence: string): Value | undefined {
    return sentence.length > this.#longest ? undefined : this.#known.get(keyOf(sentence));
  }

  /** Remembers something of a sentence, unless it is long. Returns it. */
  put(sentence: string, value: Value): Value {
    if (sentence.length > this.#longest) return value;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(keyOf(sentence), value);
    return value;
  }
}

/** A sentence is a slice of its mail: as a key it would keep all of the mail in memory, so the key is a copy. */
function keyOf(sentence: string): string {
  return JSON.stringify(sentence);
}

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
