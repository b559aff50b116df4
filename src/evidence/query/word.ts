/** A piece of a request: a word, a text in quotes, a comparison or a bracket. */
export interface Word {
  readonly kind: 'word' | 'quoted' | 'sign';
  /** The text without its quotes. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

// An apostrophe within a word, as in "what's", opens no quotes.
const WORD =
  /"(?<double>[^"]{0,100})"|(?<!\p{L})'(?<single>[^']{0,100})'|`(?<code>[^`]{0,100})`|“(?<curly>[^”]{0,100})”|‘(?<curled>[^’]{0,100})’|(?<sign>===|!==|==|!=|<>|<=|>=|&&|\|\||[≠≤≥<>=()!])|(?<word>(?:[^\s"'`“”‘’≠≤≥<>=()!&|]|(?<=\p{L})['’](?=\p{L}))+|[^\s])/gu;

/** Returns the words of a request. Quoted text is one word. */
export function requestWords(request: string): readonly Word[] {
  return [...request.matchAll(WORD)].map(({ 0: all, index, groups = {} }) => {
    const { sign, word, ...quotes } = groups;
    const quoted = Object.values(quotes).find((text) => text !== undefined);
    const kind = quoted !== undefined ? 'quoted' : sign !== undefined ? 'sign' : 'word';
    return { kind, text: quoted ?? sign ?? word ?? '', from: index, to: index + all.length };
  });
}

/** Returns whether a piece is one of these words, unquoted, in upper or lower case. */
export function isWord(piece: Word | undefined, ...words: readonly string[]): boolean {
  return piece?.kind === 'word' && words.includes(piece.text.toLowerCase());
}
