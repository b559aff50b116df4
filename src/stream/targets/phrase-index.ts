/** What a phrase is to its note. */
export type PhraseKind = 'name' | 'keyword';

/** A name or keyword of a note that a text contains. `at` and `words` count words. */
export interface PhraseHit {
  readonly path: string;
  readonly kind: PhraseKind;
  readonly words: number;
  readonly at: number;
}

interface NamedPhrase {
  readonly path: string;
  readonly kind: PhraseKind;
}

/** A longer name is found by its words, not as a phrase. */
const MAX_PHRASE_WORDS = 8;

/** Whether a phrase is looked for: one of one or two letters would match any mail. */
export function isUsablePhrase(phrase: string): boolean {
  return phrase.length >= 3 && phrase.split(' ').length <= MAX_PHRASE_WORDS;
}

/** The names, aliases and keywords of notes, found in texts as whole phrases. */
export class PhraseIndex {
  readonly #phrases = new Map<string, NamedPhrase[]>();
  /** How many phrases begin with a word: most words of a text begin none, and cost one look. */
  readonly #beginnings = new Map<string, number>();

  /** Adds a phrase of a note. */
  add(phrase: string, named: NamedPhrase): void {
    const known = this.#phrases.get(phrase);
    if (known !== undefined) {
      known.push(named);
      return;
    }
    this.#phrases.set(phrase, [named]);
    const first = firstWord(phrase);
    this.#beginnings.set(first, (this.#beginnings.get(first) ?? 0) + 1);
  }

  /** Removes a phrase of the note at a path. */
  remove(phrase: string, path: string): void {
    const left = (this.#phrases.get(phrase) ?? []).filter((named) => named.path !== path);
    if (left.length > 0) this.#phrases.set(phrase, left);
    else if (this.#phrases.delete(phrase)) this.#forgetBeginning(firstWord(phrase));
  }

  /** Returns the phrases that a text has, of those notes that `counts` lets count; none within a longer one. */
  in(words: readonly string[], counts: (path: string) => boolean): readonly PhraseHit[] {
    const beginnings = [...words.keys()].filter((at) => this.#beginnings.has(words[at] ?? ''));
    const taken = new Array<boolean>(words.length).fill(false);
    const hits: PhraseHit[] = [];
    for (let length = MAX_PHRASE_WORDS; length > 0; length -= 1) {
      for (const at of beginnings) hits.push(...this.#at(words.slice(at, at + length), at, length, taken, counts));
    }
    return hits;
  }

  #at(
    phrase: readonly string[],
    at: number,
    length: number,
    taken: boolean[],
    counts: (path: string) => boolean,
  ): PhraseHit[] {
    if (phrase.length < length || taken.slice(at, at + length).every(Boolean)) return [];
    const named = (this.#phrases.get(phrase.join(' ')) ?? []).filter(({ path }) => counts(path));
    if (named.length > 0) taken.fill(true, at, at + length);
    return named.map(({ path, kind }) => ({ path, kind, words: length, at }));
  }

  #forgetBeginning(word: string): void {
    const left = (this.#beginnings.get(word) ?? 1) - 1;
    if (left === 0) this.#beginnings.delete(word);
    else this.#beginnings.set(word, left);
  }
}

function firstWord(phrase: string): string {
  return phrase.split(' ', 1)[0] ?? '';
}
