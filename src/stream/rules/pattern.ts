const ADVERBS =
  '(?:(?:now|already|just|since|both|all|fully|finally|officially|successfully|hereby|also|today|yesterday|duly|properly|safely|recently|formally|promptly|kindly|indeed) )*';

/** A pattern of the phrase table as a regular expression over whole words, in any case. */
export function phrasePattern(source: string): RegExp {
  const spaced = source.replaceAll('~', ADVERBS).replace(/(?<!\[\^?) (?![*+?{])/g, ' +');
  return wordPattern(spaced, 'giu');
}

/** `\b` knows only ASCII letters: it would end "será" before its accent. */
export function wordPattern(source: string, flags = 'iu'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, flags);
}
