const PIECES =
  /(?<word>[A-Z]?[a-z]+|[A-Z]+(?![a-z]))|(?<line>\n+)|(?<joined> (?=[A-Za-z]))|(?<blank>[ \t]+)|(?<sign>[!-~])|(?<other>[^\n])/gu;

const VOWEL = /[aeiouy]/i;

/**
 * Returns an upper bound on the tokens that a model counts in a text, by rule (docs/decisions/0012-evidence.md): one for
 * three letters of a word; one for each letter of a word without vowels, each digit, each sign, and each non-ASCII byte.
 */
export function tokensIn(text: string): number {
  let tokens = 0;
  for (const { groups } of text.matchAll(PIECES)) tokens += weightOf(groups ?? {});
  return tokens;
}

function weightOf({ word, line, joined, blank, other }: Readonly<Record<string, string | undefined>>): number {
  if (word !== undefined) return VOWEL.test(word) ? Math.ceil(word.length / 3) : word.length;
  if (joined !== undefined) return 0; // a blank before a word belongs to it
  if (blank !== undefined) return Math.ceil(blank.length / 4);
  if (line !== undefined) return line.length;
  return other === undefined ? 1 : Buffer.byteLength(other);
}
