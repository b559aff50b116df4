import { wordsOfAll } from '../languages/union.ts';

const STOP_WORDS: ReadonlySet<string> = new Set(wordsOfAll(({ names }) => names.stop));
const ARTICLES: ReadonlySet<string> = new Set(wordsOfAll(({ names }) => names.articles));
const LETTERS = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text, folded and stemmed, so that "Invoices" matches "invoice". */
export function wordsOf(text: string): readonly string[] {
  return (text.normalize('NFC').toLowerCase().match(LETTERS) ?? []).map(stem);
}

/** Returns the words that tell one name from another, each once. A name of stop words only keeps them all. */
export function tellingWords(text: string): readonly string[] {
  const folded = text.normalize('NFC').toLowerCase().match(LETTERS) ?? [];
  const telling = folded.filter((word) => !STOP_WORDS.has(word));
  return [...new Set((telling.length > 0 ? telling : folded).map(stem))];
}

/** Returns the words of a name as a phrase to search for: "The house" is searched for as "house". */
export function phraseWords(name: string): readonly string[] {
  const words = wordsOf(name);
  const first = words.findIndex((word) => !ARTICLES.has(word));
  return first === -1 ? words : words.slice(first);
}

/** Returns stemmed words as a text has them: "invoic" as "Invoice". What it does not have stays a stem. */
export function asWritten(stems: readonly string[], text: string): readonly string[] {
  const wanted = new Set(stems);
  const found = new Map<string, string>();
  for (const word of text.normalize('NFC').match(LETTERS) ?? []) {
    const cut = stem(word.toLowerCase());
    if (wanted.has(cut) && !found.has(cut)) found.set(cut, word);
  }
  return stems.map((one) => found.get(one) ?? one);
}

/** Returns a crude stem. Both sides of a comparison are cut the same way, so it need not be a word. */
export function stem(word: string): string {
  if (word.length < 5 || /\d/.test(word))
    return word.length === 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, 3) : word;
  const cut = word.replace(/(?:ings?|ed|es|s|e)$/u, '');
  return cut.length >= 3 ? cut : word;
}

/** So many words in a row are compared. */
const RUN = 3;

/** Whether a text says, word for word, what another quotes from it. Addresses and what stands in brackets aside. */
export function saysToo(text: string, quote: string): boolean {
  const words = spokenWords(quote);
  const said = ` ${spokenWords(text).join(' ')} `;
  const runs = words.length <= RUN ? [words] : words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN));
  return runs.every((run) => said.includes(` ${run.join(' ')} `));
}

/** Whether a text has all those words of some names that another has. Addresses aside. */
export function saysWordsToo(text: string, other: string, names: readonly string[]): boolean {
  const [said, asked] = [new Set(spokenWords(text)), new Set(spokenWords(other))];
  return names.flatMap(tellingWords).every((word) => !asked.has(word) || said.has(word));
}

function spokenWords(text: string): readonly string[] {
  return wordsOf(text.replace(/<?\b[a-z]{2,8}:\/\/[^\s>)]+>?/gi, ' ').replace(/…$/, ''));
}
