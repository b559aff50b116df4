/** So many features are told apart; a feature is a hash, and two that fall together are one. */
export const BUCKETS = 1 << 15;

/** Longer sentences are lists and legal texts; what counts of them stands at the beginning. */
const MAX_CHARACTERS = 400;
const WORDS = /[\p{L}\p{M}]+|\p{N}+(?:[.,:/-]\p{N}+)*|[€$£%?!:→]/gu;
const SHORTEST_RUN = 3;
const LONGEST_RUN = 5;

/**
 * Returns the features of a sentence, as numbers below `BUCKETS`, each once: its words, every two and three words in a row,
 * every run of three to five letters of a word, how it begins and ends. Numbers and sums count by their form alone.
 */
export function sentenceFeatures(sentence: string): readonly number[] {
  const words = wordsIn(sentence);
  const found = new Set<number>();
  const last = words.length - 1;
  for (const [at, word] of words.entries()) {
    found.add(hashOf(`w ${word}`));
    found.add(hashOf(`2 ${word} ${words[at + 1] ?? '.'}`));
    if (at + 1 <= last) found.add(hashOf(`3 ${word} ${words[at + 1]} ${words[at + 2] ?? '.'}`));
    if (at + 2 <= last) found.add(hashOf(`s ${word} ${words[at + 2]}`));
    addRuns(word, found);
  }
  found.add(hashOf(`first ${words[0] ?? ''}`));
  found.add(hashOf(`last ${words[last] ?? ''}`));
  found.add(hashOf(`length ${Math.min(6, Math.floor(Math.log2(words.length + 1)))}`));
  return [...found];
}

/** Returns the words of a sentence, folded; numbers as `0`, dates and times as `0-0` and the like. */
function wordsIn(sentence: string): readonly string[] {
  const folded = sentence
    .slice(0, MAX_CHARACTERS)
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<!\S)\S+@\S+|https?:\S+/g, ' @ ');
  return (folded.match(WORDS) ?? []).map((word) => (/^\p{N}/u.test(word) ? word.replace(/\p{N}+/gu, '0') : word));
}

function addRuns(word: string, found: Set<number>): void {
  const shown = `<${word}>`;
  for (let length = SHORTEST_RUN; length <= LONGEST_RUN; length += 1) {
    for (let at = 0; at + length <= shown.length; at += 1) found.add(hashOf(shown.slice(at, at + length)));
  }
}

/** FNV-1a, folded to the number of buckets. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1);
}
